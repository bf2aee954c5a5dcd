#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Cable length and storm prevention: what the policy says in metres and
# milliseconds is what each driver is told in its own terms.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../storage.sh"
ktap_begin

KNOBS=$(cat <<'HOST'
knob() {
	roceguard -j port show roce0 | jq -r ".[0].knobs[] | select(.knob == \"$1\") | .$2"
}
# load LINES: a lossless class and LINES as a policy
load() {
	printf '[Class storage]\nDSCP=26\nPriority=3\nLossless=yes\n%b\n' "$1" > /run/cable.conf
	roceguard policy load /run/cable.conf --all >/dev/null
}
delay() { dcb pfc show dev roce0 delay | grep -o 'delay [0-9]*'; }
delay_is() { [[ $(delay) == "delay $1" ]]; }
corrected() {
	roceguard -j history | jq -r "[.[] | select(.seq > $1 and .action == \"correction\")] |
		map(\"\(.knob) \(.from) -> \(.to), link drop \(.link_drop)\") | join(\"; \")"
}
HOST
)
HOST="$STORAGE; $KNOBS"

fresh initiator || exit 1
# shellcheck disable=SC2016
defer 'sh_on initiator "$HOST; rm -f /run/cable.conf; nic plain" && fresh initiator'
sh_on initiator 'modprobe roceguard audit=0 drops_apart=0 drops_daily=8' || exit 1

for personality in plain mlx5; do
	case $personality in
	# by the standard: bit times there and back at 100 Gbit/s
	plain) before=0 five=5051 six=6061 unit=bit what=delay auto=65535 read=auto ;;
	mlx5) before=7 five=5 six=6 unit=m what=cable auto=100 read=100ms ;;
	esac
	seen=$(sh_on initiator "$HOST
		nic $personality; delay
		load 'CableLength=5m\n[StormPrevention]\nTimeout=auto'
		until_ok 10 state_is roce0 enforced; nap 1; until_ok 5 state_is roce0 enforced
		delay; knob pfc have; knob pfc want
		hw roce0 storm_prevention_ms; knob storm-prevention have
		cat /sys/class/net/roce0/roceguard/knobs/storm-prevention" 2>&1)
	is "$personality: five metres and storm prevention, as the driver has them" \
		"delay $before|delay $five|3 $what $five$unit|3 $what $five$unit|$auto|$read|" \
		"$(sed -E '$s/^(held|corrected)$//' <<<"$seen" | paste -sd'|')"
	is "$personality: ethtool reads the same" "pfc-prevention-tout: $auto" \
		"$(on initiator ethtool --get-tunable roce0 pfc-prevention-tout | sed -E 's/ *\(.*//; s/auto/65535/; s/, value//')"
	seen=$(sh_on initiator "$HOST
		seq=\$(last_seq)
		load 'CableLength=6m\n[StormPrevention]\nTimeout=80ms'
		until_ok 5 delay_is $six; until_ok 5 state_is roce0 enforced
		corrected \$seq; hw roce0 storm_prevention_ms
		seq=\$(last_seq)
		dcb pfc set dev roce0 delay 9; until_ok 5 delay_is $six; until_ok 5 state_is roce0 enforced
		corrected \$seq
		ethtool --set-tunable roce0 pfc-prevention-tout 8000; seq=\$(last_seq)
		roceguard port apply >/dev/null; corrected \$seq" 2>&1)
	is "$personality: another length and time cost no link, a rival's are put back" \
		"storm-prevention $read -> 80ms, link drop false; pfc 3 $what $five$unit -> 3 $what $six$unit, link drop false|80|pfc 3 $what 9$unit -> 3 $what $six$unit, link drop false|storm-prevention 8000ms -> 80ms, link drop false" \
		"$(paste -sd'|' <<<"$seen")"
	seen=$(sh_on initiator "$HOST
		roceguard policy delete cable --restore >/dev/null
		until_ok 10 delay_is $before; nap 1; delay; hw roce0 pfc; hw roce0 storm_prevention_ms" 2>&1)
	is "$personality: all that was before is put back" "delay $before 0x00 8000" "$(xargs <<<"$seen")"
done

# On mlx5 only a write of the mask drops the link; where that was right already, the
# length is all that goes back.
seen=$(sh_on initiator "$HOST
	dcb pfc set dev roce0 prio-pfc 3:on; nap 0.5; until_ok 5 carrier_is roce0 1
	load 'CableLength=5m'; until_ok 5 delay_is 5; until_ok 5 state_is roce0 enforced
	drops=\$(cat /sys/class/net/roce0/roceguard/link_drops)
	roceguard policy delete cable --restore >/dev/null; until_ok 10 delay_is 7; delay
	until_ok 5 state_is roce0 unmanaged
	echo \$((\$(cat /sys/class/net/roce0/roceguard/link_drops) - drops))
	roceguard -j history | jq -r '[.[] | select(.action == \"restore\" and .knob == \"pfc\")][-1] | \"\(.from) -> \(.to), link drop \(.link_drop)\"'" 2>&1)
is "a length alone is put back: no link drop, and none is counted" \
	"delay 7|0|3 cable 5m -> 3 cable 7m, link drop false" "$(paste -sd'|' <<<"$seen")"

# What cannot be told the driver yet, or not in full, is said, and PFC is none the worse for it.
seen=$(sh_on initiator "$HOST
	nic plain; ip link set roce0 down; load 'CableLength=5m'
	until_ok 5 state_is roce0 enforced; knob pfc reason; delay; hw roce0 pfc
	ip link set roce0 up; until_ok 5 delay_is 5051; until_ok 5 state_is roce0 enforced
	delay; knob pfc reason
	load 'CableLength=300m'; until_ok 5 delay_is 65535; until_ok 5 state_is roce0 enforced
	knob pfc reason; knob pfc verdict | sed 's/corrected/held/'" 2>&1)
is "without a link the length waits, and is told at most what fits" \
	"the cable length waits for a link, whose rate it is counted by|delay 0|0x08|delay 5051|null|300 m at 100000 Mbit/s are 303031 bit times, and the driver is told 65535, the most there is|held" \
	"$(paste -sd'|' <<<"$seen")"
refused "a cable of 1000 m" 1 'length in metres 1000 is out of range; use 1 to 999' initiator \
	bash -c "$HOST; load CableLength=1000m"
refused "storm prevention after 79 ms" 1 '79 ms is out of range, use 80 to 8000' initiator \
	bash -c "$HOST; load '[StormPrevention]\nTimeout=79ms'"
