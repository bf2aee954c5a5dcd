#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The knobs that no class names: dcbx, maxrate, buffer, mtu. What the policy says is
# what dcb(8) reads, on a NIC that does as it is told and on one with habits.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../storage.sh"
ktap_begin

KNOBS=$(cat <<'HOST'
knob() {
	roceguard -j port show roce0 | jq -r ".[0].knobs[] | select(.knob == \"$1\") | .$2"
}
# load LINES: the profile and LINES as a policy
load() {
	{ cat /usr/share/roceguard/profiles/storage.conf; printf '\n%b\n' "$1"; } \
		> /run/storage.conf
	roceguard policy load /run/storage.conf --all >/dev/null
}
HOST
)
HOST="$STORAGE; $KNOBS"
# shellcheck disable=SC2034
EXPERT='[DCBX]\nMode=host\n[MaxRate]\nTC=0:none 1:2550Mbit\n[Buffer]\nSize=0:20480 1:131072\nPriority=3:1'

fresh initiator || exit 1
# shellcheck disable=SC2016
defer 'sh_on initiator "$HOST; rm -f /run/storage.conf; nic plain" && fresh initiator'
sh_on initiator 'modprobe roceguard audit=0 drops_apart=0 drops_daily=8' || exit 1


for personality in plain mlx5; do
	case $personality in
	plain) kbps=2550000 ;;
	mlx5) kbps=2600000 ;;	# it has steps of 100 Mbit/s
	esac
	seen=$(sh_on initiator "$HOST
		nic $personality; load '$EXPERT'
		until_ok 10 state_is roce0 enforced || roceguard port show roce0
		nap 2; until_ok 5 state_is roce0 enforced && storage_held roce0 && echo held
		for i in dcbx maxrate buffer; do knob \$i verdict; done" 2>&1)
	is "$personality: the profile is held, and all three" "held held held held" \
		"$(sed 's/corrected/held/' <<<"$seen" | xargs)"
	like "$personality: dcb dcbx" '^host .*ieee$' \
		"$(on initiator dcb dcbx show dev roce0 | xargs)"
	# dcb(8) took bytes/s for kbit/s up to 6.15 at least: the NIC knows better.
	like "$personality: the NIC's limits, in kbit/s" "^0 $kbps 0" \
		"$(sh_on initiator "$HOST; hw roce0 maxrate_kbps")"
	note "$personality: dcb says $(on initiator dcb maxrate show dev roce0 | xargs)"
	is "$personality: dcb buffer" \
		"prio-buffer 0:0 1:0 2:0 3:1 4:0 5:0 6:0 7:0 buffer-size 0:20Kb 1:128Kb 2:0b 3:0b 4:0b 5:0b 6:0b 7:0b" \
		"$(on initiator dcb buffer show dev roce0 | sed '/total/d' | xargs)"
	seen=$(sh_on initiator "$HOST
		put_back() {
			local seq=\$(last_seq)
			eval \"\$2\" || { echo \"failed: \$2\"; return; }
			again() {
				roceguard -j history | jq -e \".[] | select(.seq > \$seq and
					.knob == \\\"\$1\\\" and .action == \\\"correction\\\")\"
			}
			until_ok 5 again \$1 && until_ok 5 state_is roce0 enforced &&
			roceguard -j history | jq -r \"[.[] | select(.seq > \$seq and
				.knob == \\\"\$1\\\")][0] | .knob + \\\" \\\" + .trigger\"
		}
		put_back maxrate 'dcb maxrate set dev roce0 tc-maxrate 1:10Gbit'
		put_back buffer 'dcb buffer set dev roce0 prio-buffer 3:0'
		put_back buffer 'dcb buffer set dev roce0 buffer-size 1:65536'" 2>&1)
	is "$personality: what a rival writes is put back" \
		"maxrate dcb-event buffer dcb-event buffer dcb-event" "$(xargs <<<"$seen")"
done

# mlx5 writes its buffers anew with every PFC mask.
seen=$(sh_on initiator "$HOST
	load '$EXPERT\n[PFC]\nPriorities=3 4'
	until_ok 10 state_is roce0 enforced; nap 1; until_ok 5 state_is roce0 enforced
	knob pfc have; knob buffer have
	hw roce0 prio2buffer")
is "a PFC write that rewrites the buffers is mended in the same pass" \
	"3 4 size 0:20480 1:131072 prio 3:1" "$(head -n 2 <<<"$seen" | xargs)"

# What a NIC cannot do, in words.
seen=$(sh_on initiator "$HOST
	load '[Buffer]\nSize=0:20480 1:300000'
	until_ok 5 state_is roce0 degraded; knob buffer verdict; knob buffer reason
	roceguard -j history | jq -r '[.[] | select(.action == \"refusal\") | .knob + \" \" + .trigger] | join(\", \")'")
is "buffers larger than the port's: refused in words, told once" \
	"refused|buffers of 320480 bytes, and the port has 262144; make them smaller|buffer policy" \
	"$(paste -sd'|' <<<"$seen")"

# The fabric decides.
seen=$(sh_on initiator "$HOST
	load '[DCBX]\nMode=follow'; until_ok 5 state_is roce0 enforced
	dcb pfc set dev roce0 prio-pfc 3:off; linked() { carrier_is roce0 1; }
	nap 1; until_ok 5 linked; until_ok 5 state_is roce0 drifted; nap 1
	knob pfc verdict; knob pfc reason; hw roce0 pfc; cat /sys/class/net/roce0/roceguard/state")
is "DCBX Mode=follow: the difference is told, nothing is written" \
	"drifted|the fabric decides (DCBX Mode=follow)|0x00|drifted" "$(paste -sd'|' <<<"$seen")"

# Checked, never written.
seen=$(sh_on initiator "$HOST
	load '[Check]\nMTU=4192'; until_ok 5 state_is roce0 enforced; knob mtu verdict
	ip link set roce0 mtu 1500; until_ok 5 state_is roce0 drifted
	knob mtu verdict; knob mtu have; knob mtu want; knob mtu reason; cat /sys/class/net/roce0/mtu
	roceguard port show roce0 | grep -o 'mtu.*written'
	ip link set roce0 mtu 9000; until_ok 5 state_is roce0 enforced; knob mtu have; knob mtu verdict
	roceguard -j history | jq '[.[] | select(.knob == \"mtu\" and .action != \"drift\")] | length'" 2>&1)
is "the MTU is checked and never written" \
	"held|drifted|1500 path 1024|4192 path 4096|the MTU is checked, never written; run 'ip link set dev roce0 mtu 4192' if the switch takes such frames|1500|mtu              drifted, checked against derived, never written|9000 path 4096|held|0" \
	"$(paste -sd'|' <<<"$seen")"
