#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The flight recorder: the last minute, and the one before an incident, in words, by
# the rules and in a table; a controller that reconnects is one that the agent sees.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../storage.sh"
ktap_begin

INCIDENT='plant() { while (($#)); do
	echo "$1 $2" > /sys/kernel/debug/labnic/roce0/plant || return; shift 2; done; }'
HOST="$STORAGE; $INCIDENT"

fresh initiator target || exit 1
defer 'lab link initiator up; lab link target up
	sh_on initiator "kill \$(cat /run/agent.pid) 2>/dev/null; nvme disconnect-all; rm -f /run/agent.*"
	fresh initiator target'
governed initiator || exit 1
lab target >/dev/null || exit 1
ok "the initiator holds the policy" wait_on initiator 10 "$(port_is roce0 enforced)"
ok "roce0 is sampled" wait_on initiator 10 \
	"roceguard -j counters show roce0 | jq -e '.[0].samples > 1'"

is "no incident: told, and not an error" "0 roceguard: doctor: the flight recorder has kept no incident" \
	"$(sh_on initiator "roceguard counters history --clear >/dev/null
		seen=\$(roceguard doctor --last-incident 2>&1); echo \"\$? \${seen%: no storm*}\"")"
sh_on initiator "$HOST; plant rx_prio3_pause 4000 rx_roce_ce 40; sleep 3"
lab link initiator down
ok "an incident: the link is lost, and the minute before is kept" wait_on initiator 10 \
	"roceguard -j doctor --last-incident | jq -e '.cause == \"link-down\"'"
lab link initiator up
seen=$(on initiator roceguard doctor --last-incident)
like "--last-incident tells it in words ..." \
	$'^roce0: the loss of the link at [-0-9: .]+, and the [0-9.]+ m?s before it:\n.*  rx_pause\[3\]: 4000 frames, [0-9.]+ m?s before' "$seen"
like "... by a table ..." $'\n'' +BEFORE +rx_pause\[3\] .*'$'\n'' +[0-9.]+ m?s +4000 frames +40 packets' "$seen"
like "... and by the rules" 'roce0: marks-without-cnps.*ecn_marked 40 packets' "$(tr -s '\n ' '  ' <<<"$seen")"
is "... the same in JSON" "roce0 link-down 4000 marks-without-cnps" "$(sh_on initiator \
	"roceguard -j doctor roce0 --last-incident | jq -r '[.ifname, .cause,
		([.moved[] | select(.counter == \"rx_pause\") | .amount] | add),
		(.findings[] | select(.rule == \"marks-without-cnps\") | .rule)] | join(\" \")'")"
is "it is kept until it was read with --clear" "true true null" "$(sh_on initiator "
	for clear in '' --clear ''; do
		roceguard -j counters history roce0 \$clear | jq '[.[] | select(.frozen) | .frozen][0]'
	done" | xargs)"

# The link stays, the target goes.
ok "the link is back" wait_on initiator 20 "$(port_is roce0 enforced)"
ok "a controller is connected" on initiator roceguard connect -a "$TARGET" -s "$PORT" \
	-n "$NQN" --nr-io-queues 1 --keep-alive-tmo 2 --reconnect-delay 2
sh_on initiator 'roceguard counters history --clear >/dev/null
	setsid roceguard agent --policies /run/none --audit 1 >/run/agent.log 2>&1 </dev/null &
	echo $! >/run/agent.pid'
# What it has not seen live it cannot see lost.
sleep 4
is "nothing is kept before" "" "$(sh_on initiator \
	"cat /run/agent.log | grep reconnects; roceguard -j counters history | jq -r '.[] | select(.frozen) | .cause'")"
lab link target down
ok "the target is gone: the agent says so" wait_on initiator 40 \
	"grep -q '^roce0: nvme[0-9]* lost its connection and reconnects; .roceguard doctor --last-incident. tells the minute before' /run/agent.log"
is "... the minute before is kept, for that reason" "roce0 reconnect" "$(sh_on initiator \
	"roceguard -j doctor --last-incident | jq -r '[.ifname, .cause] | join(\" \")'")"
like "... and told" '^roce0: the reconnect of a controller at ' \
	"$(on initiator roceguard doctor --last-incident)"
lab link target up
ok "the controller is back" wait_on initiator 40 "grep -qx live /sys/class/nvme/*/state"
is "the loss is told once" 1 "$(on initiator grep -c reconnects /run/agent.log)"
