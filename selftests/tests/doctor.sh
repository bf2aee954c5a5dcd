#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Diagnosis: each rule on what it is for, and nothing on a port that is well; check
# finds drift, with the module and without it.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../storage.sh"
ktap_begin

DOCTOR=$(cat <<'HOST'
LABNIC=/sys/kernel/debug/labnic/roce0
# plant NAME BY...: counters of the NIC grow
plant() { while (($#)); do echo "$1 $2" > $LABNIC/plant || return; shift 2; done; }
# waits PID: it has read the counters, and is to read them again
waits() { [[ $(</proc/$1/wchan) == *nanosleep* ]]; }
# examine SECONDS 'script': the rules that doctor finds true while the script runs
examine() {
	roceguard -j doctor roce0 -i "$1" > /run/doctor 2>/run/doctor.err &
	until_ok 10 waits $! || echo "doctor does not wait"
	eval "$2" || echo "failed: $2"
	wait $!
	echo "exit $?: $(jq -r '[.ports[0].findings[] |
		.rule + (if has("priority") then "@\(.priority)" else "" end)] |
		sort | join(" ")' /run/doctor)"
}
# stormy received|sent: the pauses of priority 3 are told to be a storm
stormy() {
	roceguard -j counters show roce0 |
		jq -e ".[0].storms[] | select(.priority == 3 and .direction == \"$1\")"
}
traffic() { ping -q -f -w 1 -Q 104 -s 1000 192.168.20.100 > /dev/null; }
HOST
)
HOST="$STORAGE; $DOCTOR"

# found DESCRIPTION FINDINGS SCRIPT
found() {
	is "$1" "exit 3: $2" "$(sh_on initiator "$HOST; examine 2 '$3'")"
}

fresh initiator || exit 1
defer 'lab storm initiator stop; sh_on initiator "rm -rf /run/doctor* /run/policies"; fresh initiator'
sh_on initiator 'modprobe roceguard audit=0 sample_ms=200' && governed initiator || exit 1
ok "the initiator holds the policy" wait_on initiator 10 "$(port_is roce0 enforced)"
ok "roce0 is sampled" wait_on initiator 10 \
	"roceguard -j counters show roce0 | jq -e '.[0].samples > 1'"

# A port that is well, under traffic with as much congestion as is healthy.
is "a port that is well: nothing" "exit 0: " "$(sh_on initiator "$HOST
	examine 3 'traffic; plant rx_prio3_pause 50 tx_prio3_pause 20 rx_roce_ce 40 tx_roce_cnp 4 rp_cnp_handled 3'")"
is "... in words as well" "nothing is wrong with 1 port" \
	"$(on initiator roceguard doctor roce0 -i 2)"

is "the path to a target: all its links, and its port alone" "0 true 3 ok roce0" "$(sh_on initiator \
	"seen=\$(roceguard -j doctor --traddr 192.168.20.100 -i 2); echo \"\$? \$(jq -r '[.path.lossless, .path.priority,
		(.path.links[] | select(.link == \"pfc\").status), .ports[].ifname] | join(\" \")' <<<\"\$seen\")\"")"
like "... and one that leads nowhere near a port" 'exit 3 path to 127.0.0.1: route seen: .*' "$(sh_on initiator \
	"seen=\$(roceguard doctor --traddr 127.0.0.1 -i 2); echo exit \$? \$seen")"

found "pauses of a priority that the policy does not have PFC on" \
	"pause-outside-policy@4" "plant rx_prio4_pause 7"
found "... and sent ones" "pause-sent-outside-policy@5" "plant tx_prio5_pause 7"
found "marks, and no CNP" "marks-without-cnps" "plant rx_roce_ce 40"
found "CNPs that slow nothing down" "cnps-ignored" "plant rp_cnp_ignored 5"
found "pauses while the host does not drain the NIC" "slow-receiver" \
	"plant tx_prio3_pause 50 outbound_pci_stalled_wr_events 4"
found "losses, no pauses, and traffic on priority 0" "loss-outside-lossless" \
	"plant rx_prio0_bytes 100000 local_ack_timeout_err 3"
found "many pauses, and no mark and no CNP" "pause-without-marks@3" \
	"plant rx_prio3_pause 4000"
found "802.3x pauses where there is PFC" "global-pause" "plant rx_global_pause 3"
found "the NIC stopped its own pauses" "storm-stopped-by-nic" \
	"plant tx_pause_storm_error_events 1"
found "several at once" "cnps-ignored marks-without-cnps pause-outside-policy@2" \
	"plant rx_prio2_pause 7 rx_roce_ce 40 rp_cnp_ignored 5"
is "each finding says what was seen, what it means and what to do" \
	"cnps-ignored: cnp_ignored 5 CNPs: ECN=yes" "$(on initiator jq -r '.ports[0].findings[] |
		select(.rule == "cnps-ignored") | .rule + ": " +
		(.figures[0] | "\(.counter) \(.amount) \(.unit)") + ": " + (.remedy | split(" ")[0])' /run/doctor)"

# Storms are real: frames of the switch, and of the NIC.
sh_on initiator "ethtool -s roce0 speed 100 autoneg off"
ok "the link is back" wait_on initiator 10 "$(port_is roce0 enforced)"
lab storm initiator 3
like "a storm of received pauses" 'exit 3: storm-received@3$' \
	"$(sh_on initiator "$HOST; until_ok 10 stormy received; examine 2 :")"
like "... in words: what was seen ..." \
	'roce0: storm-received on priority 3 +seen: in [0-9.]+ s on priority 3: rx_pause [0-9]+ frames \([0-9.]+/s\), rx_pause_us [0-9.]+ s \((99|100)\.[0-9]%\)' \
	"$(on initiator roceguard doctor roce0 -i 2 | tr -s '\n ' '  ')"
lab storm initiator stop
# The other one is over when it has been for the restoration time.
like "a storm of sent pauses" 'exit 3: (storm-received@3 )?storm-sent@3$' \
	"$(sh_on initiator "$HOST; echo 8 > \$LABNIC/xoff; until_ok 10 stormy sent; examine 2 :; echo 0 > \$LABNIC/xoff")"

# Drift
ok "the link is back, and all is right" wait_on initiator 20 "$(port_is roce0 enforced)"
is "check: a port that is as it is to be" "exit 0 roce0 enforced" "$(sh_on initiator \
	"seen=\$(roceguard check); echo \"exit \$? \$(awk '\$1 == \"roce0\" { print \$1, \$2 }' <<<\"\$seen\")\"")"
seen=$(sh_on initiator 'ethtool -A roce0 rx on tx on; roceguard check roce0; echo "exit $?"')
like "... a change that nobody was told of is found, and not mended" \
	'roce0 +enforced .* pause differs: rx on tx on is there, rx off tx off is wanted.*exit 3' \
	"$(tr -s '\n ' '  ' <<<"$seen")"
is "... by doctor, too" "false pause" "$(sh_on initiator \
	"roceguard -j doctor roce0 -i 2 | jq -r '.ports[0] | [.well, .differ[].knob] | join(\" \")'")"
sh_on initiator 'roceguard port apply roce0 >/dev/null; roceguard freeze >/dev/null
	dcb pfc set dev roce0 prio-pfc 3:off'
ok "while the host is frozen ..." wait_on initiator 10 "$(port_is roce0 drifted)"
is "... drift is exit status 3, in JSON as well" "3 drifted false" "$(sh_on initiator \
	"seen=\$(roceguard -j check roce0); echo \"\$? \$(jq -r '.[0] | [.state, .well] | join(\" \")' <<<\"\$seen\")\"")"
like "... and doctor says that it is" 'the host is frozen: nothing is written; .roceguard thaw. ends it.*roce0 +drifted' \
	"$(on initiator roceguard doctor roce0 -i 2 | tr -s '\n ' '  ')"
like "... and that the path to a target is broken, where, and what mends it" \
	'exit 3 .*path to 192.168.20.100: pfc on roce0 seen: .*to do: ' "$(sh_on initiator \
	"seen=\$(roceguard doctor --traddr 192.168.20.100 -i 2); echo exit \$? \$seen")"
sh_on initiator 'roceguard thaw >/dev/null'
ok "thawed, it is healed" wait_on initiator 10 "$(port_is roce0 enforced)"

# Without the module: what this host's policies say.
sh_on initiator "rmmod roceguard_rdma roceguard_labnic roceguard
	mkdir -p /run/policies
	sed 's/^RDMA=yes/Name=roce*\nRDMA=no/' /usr/share/roceguard/profiles/storage.conf > /run/policies/storage.conf"
like "check without the module: the policies of this host" '^exit 0 roce0 same storage$' "$(sh_on initiator \
	"seen=\$(ROCEGUARD_POLICIES=/run/policies roceguard check 2>/dev/null); echo exit \$? \$seen")"
like "... what differs is exit status 3" 'exit 3 roce0 differs storage pfc differs: none is there, 3 is wanted' \
	"$(sh_on initiator "dcb pfc set dev roce0 prio-pfc 3:off
	seen=\$(ROCEGUARD_POLICIES=/run/policies roceguard check 2>/dev/null); echo exit \$? \$seen")"
like "doctor says that there is no module" '^exit 3 the kernel module is not loaded' \
	"$(sh_on initiator "seen=\$(ROCEGUARD_POLICIES=/run/policies roceguard doctor); echo exit \$? \$seen")"
