#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Parameters of DCQCN and of CNPs: each one that the table has is set and kept, none
# out of its limits is sent, and what a NIC lacks costs the others nothing.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../storage.sh"
ktap_begin

# Section, key, what the NIC calls it, least and greatest value.
TABLE='DCQCN ClampTargetRate rp_clamp_tgt_rate 0 1
DCQCN ClampTargetRateAfterTime rp_clamp_tgt_rate_ati 0 1
DCQCN TimeReset rp_time_reset 0 4294967295
DCQCN ByteReset rp_byte_reset 0 4294967295
DCQCN Threshold rp_threshold 0 31
DCQCN RateMax rp_max_rate 0 4294967295
DCQCN RateAI rp_ai_rate 0 4294967295
DCQCN RateHAI rp_hai_rate 0 4294967295
DCQCN MinDecFactor rp_min_dec_fac 0 100
DCQCN RateMin rp_min_rate 1 4294967295
DCQCN RateFirstCNP rp_rate_to_set_on_first_cnp 0 4294967295
DCQCN AlphaG rp_dce_tcp_g 0 1023
DCQCN AlphaPeriod rp_dce_tcp_rtt 1 131071
DCQCN ReducePeriod rp_rate_reduce_monitor_period 1 4294967295
DCQCN AlphaInitial rp_initial_alpha_value 1 1023
DCQCN GD rp_gd 10 11
DCQCN RTTDSCPValid rtt_resp_dscp_valid 0 1
DCQCN RTTDSCP rtt_resp_dscp 0 63
CNP Interval np_min_time_between_cnps 0 4294967295
CNP DSCP np_cnp_dscp 0 63
CNP Priority np_cnp_prio 0 7
CNP PriorityMode np_cnp_prio_mode 0 1'
LEAST=$(awk '{ printf "[%s]\\n%s=%s\\n", $1, $2, $4 }' <<<"$TABLE")
GREATEST=$(awk '{ printf "[%s]\\n%s=%s\\n", $1, $2, $5 }' <<<"$TABLE")

KNOBS=$(cat <<'HOST'
CC=/sys/kernel/debug/labnic/roce0/cc_params
knob() {
	roceguard -j port show roce0 | jq -r ".[0].knobs[] | select(.knob == \"$1\") | .$2"
}
# load LINES: as a policy
load() {
	printf '%b\n' "$1" > /run/cc.conf
	roceguard policy load /run/cc.conf --all
}
cc() { (cd "$CC" && grep -H . -- *) | tr ':\n' '= '; }
cc_is() { [[ $(<"$CC/$1") == "$2" ]]; }
HOST
)
HOST="$STORAGE; $KNOBS"

# wanted COLUMN [NAMES]: what cc() says when all have that column's value
wanted() {
	awk -v column="$1" -v without="${2:-^$}" '$3 !~ without { print $3 "=" $column }' <<<"$TABLE" |
		LC_ALL=C sort | tr '\n' ' '
}

fresh initiator || exit 1
# shellcheck disable=SC2016
defer 'sh_on initiator "$HOST; rm -f /run/cc.conf; nic plain" && fresh initiator'
sh_on initiator 'modprobe roceguard audit=1' || exit 1

# Every parameter, every limit.
mapfile -t lines < <(sh_on initiator "$HOST
	export LC_ALL=C
	nic plain; before=\$(cc)
	load '$LEAST' >/dev/null; until_ok 5 state_is roce0 enforced; cc; echo
	load '$GREATEST' >/dev/null; until_ok 5 state_is roce0 enforced; cc; echo
	knob dcqcn source; knob cnp have
	roceguard policy dump cc > /run/cc.conf; roceguard policy load /run/cc.conf --all >/dev/null
	roceguard policy dump cc | diff - /run/cc.conf && echo same
	roceguard policy delete cc --restore >/dev/null
	was() { [[ \$(cc) == \"\$before\" ]]; }; until_ok 5 was && echo as before" 2>&1)
is "every parameter at its least, zero among them" "$(wanted 4)" "${lines[0]}"
is "every parameter at its greatest" "$(wanted 5)" "${lines[1]}"
is "the NIC itself says so" hardware "${lines[2]}"
is "cnp in words" "np-cnp-interval 4294967295 np-cnp-dscp 63 np-cnp-priority 7 np-cnp-priority-mode 1" \
	"${lines[3]}"
is "what is dumped loads back" same "${lines[4]}"
is "restore puts every one back" "as before" "${lines[5]}"

# Nothing out of its limits leaves the helper, and nothing gets past the kernel.
BAD=$(awk '$4 > 0 { print $1, $2, $4 - 1 } $5 < 4294967295 { print $1, $2, $5 + 1 }
	$5 == 4294967295 { print $1, $2, "4294967296" } { print $1, $2, "x" }' <<<"$TABLE")
mapfile -t lines < <(sh_on initiator "$HOST
	refused=0; n=0
	while read -r section key value; do
		n=\$((n + 1))
		out=\$(load \"[\$section]\n\$key=\$value\" 2>&1 >/dev/null); status=\$?
		[[ \$status == 1 && \$out == *\"cc.conf:2: \"*\"use \"* && \$out != *\$'\n'* ]] &&
			refused=\$((refused + 1)) || echo \"\$key=\$value: \$status \$out\"
	done <<<'$BAD'
	echo \$refused of \$n; roceguard policy show 2>/dev/null | wc -l" 2>&1)
is "each is refused below its least and above its greatest, with its line" \
	"$(wc -l <<<"$BAD") of $(wc -l <<<"$BAD") 0" "${lines[*]}"
seen=$(sh_on initiator "
	/src/selftests/ynl-requests /src/Documentation/netlink/specs/roceguard.yaml <<'END'
policy-set {\"name\":\"x\",\"dcqcn\":{\"param\":[{\"id\":\"rp-gd\",\"value\":9}]}}
policy-set {\"name\":\"x\",\"dcqcn\":{\"param\":[{\"id\":\"rp-gd\",\"value\":12}]}}
policy-set {\"name\":\"x\",\"dcqcn\":{\"param\":[{\"id\":\"rp-gd\",\"value\":11},{\"id\":\"rp-gd\",\"value\":11}]}}
policy-set {\"name\":\"x\",\"dcqcn\":{\"param\":[{\"id\":\"rp-gd\"}]}}
END" 2>&1)
is "the kernel refuses the same by itself" \
	"EINVAL: rp-gd 9 is out of range, use 10 to 11 [.dcqcn.param]|EINVAL: rp-gd 12 is out of range, use 10 to 11 [.dcqcn.param]|EINVAL: it stands twice; remove one [.dcqcn.param]|EINVAL: both of its numbers are needed [.dcqcn.param]" \
	"$(paste -sd'|' <<<"$seen")"

# A rival that no message tells of, and what the policy does not name.
seen=$(sh_on initiator "$HOST
	load '[DCQCN]\nRateAI=0\nRateHAI=500' >/dev/null; until_ok 5 state_is roce0 enforced
	echo 77 > \$CC/rp_min_rate; seq=\$(last_seq)
	echo 9 > \$CC/rp_ai_rate; until_ok 10 cc_is rp_ai_rate 0; nap 0.3
	roceguard -j history | jq -r \"[.[] | select(.seq > \$seq)][0] | .knob, .from, .to, .trigger\"
	cat \$CC/rp_min_rate; knob dcqcn have
	cat /sys/class/net/roce0/roceguard/knobs/{dcqcn,cnp} | sed 's/corrected/held/'" 2>&1)
is "the audit finds a rival's write; what is not named is left alone" \
	"dcqcn|rp-ai-rate 9|rp-ai-rate 0|audit|77|rp-ai-rate 0 rp-hai-rate 500|held|unmanaged" \
	"$(paste -sd'|' <<<"$seen")"

# CNPs of a class.
seen=$(sh_on initiator "$HOST
	load '[Class c]\nDSCP=40 41\nPriority=5\nCNP=yes\n[CNP]\nInterval=0' >/dev/null
	until_ok 5 state_is roce0 enforced; knob cnp want; cat \$CC/np_cnp_{dscp,prio} \$CC/np_min*
	load '[Class c]\nDSCP=40 41\nPriority=5\nCNP=yes\n[CNP]\nDSCP=41' >/dev/null
	until_ok 5 cc_is np_cnp_dscp 41 && echo the other
	load '[Class c]\nDSCP=40 41\nPriority=5\nCNP=yes\n[CNP]\nDSCP=42' 2>&1
	load '[Class c]\nDSCP=40\nPriority=5\nCNP=yes\n[CNP]\nPriority=6' 2>&1
	load '[Class c]\nDSCP=40\nPriority=5\nCNP=yes\n[Class d]\nDSCP=41\nPriority=6\nCNP=yes' 2>&1" 2>&1)
is "CNPs are marked as those of their class, or it is a contradiction" \
	"np-cnp-interval 0 np-cnp-dscp 40 np-cnp-priority 5|40|5|0|the other|roceguard: /run/cc.conf:6: CNPs with DSCP 42, which is not of class c|roceguard: /run/cc.conf:6: CNPs on priority 6, class c says 5|roceguard: /run/cc.conf:8: CNPs are of class c already" \
	"$(paste -sd'|' <<<"$seen")"

# A NIC that lacks some, and one where something else rules.
seen=$(sh_on initiator "$HOST
	nic mlx5; load '[DCQCN]\nRateAI=7\nRTTDSCP=5\nGD=10' >/dev/null
	until_ok 5 state_is roce0 degraded; knob dcqcn verdict; knob dcqcn reason
	cat \$CC/rp_ai_rate \$CC/rp_gd
	load '[DCQCN]\nRTTDSCP=5\nRTTDSCPValid=1' >/dev/null
	until_ok 5 state_is roce0 degraded; knob dcqcn verdict; knob dcqcn reason
	echo ZTR-RTT > /sys/kernel/debug/labnic/roce0/engine
	load '[DCQCN]\nRateAI=8' >/dev/null
	until_ok 5 state_is roce0 degraded; knob dcqcn verdict; knob dcqcn reason; cat \$CC/rp_ai_rate
	echo DCQCN > /sys/kernel/debug/labnic/roce0/engine; until_ok 10 state_is roce0 enforced && echo held" 2>&1)
is "unsupported names what the NIC lacks, the rest is held; inactive where another engine rules" \
	"unsupported|lab NIC: no rtt-dscp on this NIC|7|10|unsupported|lab NIC: no rtt-dscp-valid, rtt-dscp on this NIC|inactive|ZTR-RTT rules the rate on this NIC, not DCQCN; switch that off in its firmware's settings|8|held" \
	"$(paste -sd'|' <<<"$seen")"

# A notification point that is one switch for the port.
seen=$(sh_on initiator "$HOST
	load '[Class a]\nDSCP=26\nPriority=3\nECN=yes\n[Class b]\nDSCP=27\nPriority=4\nECN=no' >/dev/null
	until_ok 5 state_is roce0 enforced; knob ecn have; knob ecn reason; hw roce0 ecn_np; hw roce0 ecn_rp
	seq=\$(last_seq); nap 2.5; roceguard -j history | jq \"[.[] | select(.seq > \$seq)] | length\"
	load '[ECN]\nNP=none\n[Class a]\nDSCP=26\nPriority=3\nECN=no' >/dev/null
	until_ok 5 state_is roce0 enforced; knob ecn have; hw roce0 ecn_np; hw roce0 ecn_rp" 2>&1)
is "a role that is port-wide on the NIC is shown so, and nobody quarrels about it" \
	"np port-wide rp 3|NP is one switch for the port on this NIC: it is on for all priorities, though the policy wants it off for some|0x08|0x08|0|np none rp none|0x00|0x00" \
	"$(paste -sd'|' <<<"$seen")"
