#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The benches still measure: a few rounds of each, no judgement of figures.
. "$(dirname "$0")/../lib.sh"
ktap_begin

fresh initiator || exit 1
OUT=$(mktemp -d)
defer 'rm -rf "$OUT"'
defer 'on initiator /src/selftests/guest/linkup tidy && fresh initiator'
if seen=$(OUT=$OUT "$SELFTESTS/bench/linkup" --quick 1 2>"$OUT.err"); then
	pass "the bench comes to its end"
else
	fail "the bench comes to its end" "$(cat "$OUT.err")"
fi
rm -f "$OUT.err"
note "$seen"
for figure in linkup_vs_script overhead_vs_driver_1ms event_cost_512_vs_1 \
	rtnl_hold_vs_driver drift_to_corrected notify_cost; do
	like "figure $figure: there, and more than nothing" \
		"figure $figure [0-9.]*[1-9][0-9.]* (x|ms)" "$seen"
done
for figure in unprotected_frames_flaps memory_per_port; do
	like "figure $figure: there" "figure $figure -?[0-9.]+ (frames|KiB)" "$seen"
done

defer 'on initiator /src/selftests/guest/counters tidy'
if seen=$(OUT=$OUT "$SELFTESTS/bench/counters" --quick 1 2>"$OUT.err"); then
	pass "the bench of counters comes to its end"
else
	fail "the bench of counters comes to its end" "$(cat "$OUT.err")"
fi
rm -f "$OUT.err"
note "$seen"
for figure in cpu_vs_ethtool_rdma_64x60 cpu_vs_node_exporter_64x60 wall_vs_ethtool_rdma_64x60 \
	reader_p99_slow_vs_fast sampler_rtnl_hold; do
	like "figure $figure: there, and more than nothing" \
		"figure $figure [0-9.]*[1-9][0-9.]* (x|us/s)" "$seen"
done
for figure in sampler_cpu_per_port reader_rtnl_holds; do
	like "figure $figure: there" "figure $figure -?[0-9.]+ (us/s|holds)" "$seen"
done
is "no reader takes rtnl" "figure reader_rtnl_holds 0 holds" \
	"$(grep '^figure reader_rtnl_holds' <<<"$seen")"
