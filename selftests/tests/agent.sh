#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Delegated knobs: without the agent they say so and nothing else suffers; what it
# reports is checked, holds for a while, and shows.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../storage.sh"
. "$(dirname "$0")/../agent.sh"
ktap_begin

REPORT=$(cat <<'HOST'
port() { roceguard -j port show roce0 2>/dev/null | jq -r ".[0] | $1"; }
knob() { port ".knobs[] | select(.knob == \"$1\") | .$2 // \"none\""; }
spec=/src/Documentation/netlink/specs/roceguard.yaml
# load LINES: the profile and LINES as a policy
load() {
	{ cat /usr/share/roceguard/profiles/storage.conf; printf '\n%b\n' "$1"; } \
		> /run/storage.conf
	roceguard policy load /run/storage.conf --all >/dev/null
}
# report JSON...: each in the name of the agent, with the port's id and generation
report() {
	local id generation
	read -r id generation < <(ynl --spec $spec --no-schema --output-json \
		--do port-get --json '{"ifname":"roce0"}' | jq -r '"\(.id) \(.generation)"')
	for json; do
		jq -nc "{port: $id, generation: $generation, knob: \"rdma-cm\"} + $json"
	done | sed 's/^/delegate-report /' | /src/selftests/ynl-requests $spec
}
HOST
)
HOST="$STORAGE; $AGENT; $REPORT"

fresh initiator || exit 1
defer 'sh_on initiator "kill \$(cat /run/agent.pid) 2>/dev/null; rm -rf /run/storage.conf /run/policies.d" ; fresh initiator'
sh_on initiator 'modprobe roceguard agent_timeout=10' || exit 1

# Nobody there.
seen=$(sh_on initiator "$HOST
	load '[RDMACM]\nToS=104\nMode=2'
	knob rdma-cm verdict; knob rdma-cm want; knob rdma-cm reason; port .state
	storage_held roce0 && echo held")
is "no agent: its knob says so, all others are held" \
	"delegated|tos 104 mode 2|no agent; run 'systemctl start roceguard-agent'|degraded|held" \
	"$(paste -sd'|' <<<"$seen")"

# What is reported, by hand.
mapfile -t out < <(sh_on initiator "$HOST
	report '{verdict: \"held\"}' \
		'{verdict: \"held\", generation: 0}' '{verdict: \"deferred\"}' \
		'{verdict: \"held\", knob: \"pfc\"}' '{verdict: \"held\", port: 4000}' \
		'{verdict: \"held\", reason: \"\\u0007\"}' '{verdict: \"refused\", errno: 0}'
	/src/selftests/ynl-requests \$spec <<<'delegate-report {\"port\":1}'")
words=(
	"ok"
	"ESTALE: the port is at another generation; get it again, then report.*"
	"EINVAL: the kernel says that itself .*verdict.*"
	"EINVAL: this knob of the port is not delegated.*"
	"ENODEV: there is no port with this id.*"
	"EINVAL: not plain text; use printable ASCII .*reason.*"
	"ERANGE: integer out of range.*"
	"EINVAL: a report needs port, generation, knob and verdict.*"
)
for i in "${!words[@]}"; do
	like "a report: ${words[i]%%[.]\**}" "^${words[i]}$" "${out[i]-}"
done
seen=$(sh_on initiator "$HOST
	report '{verdict: \"corrected\", from: \"tos 0 mode 2\", have: \"tos 104 mode 2\"}' >/dev/null
	until_ok 3 knob_is rdma-cm corrected && knob rdma-cm have && port .state
	roceguard -j history | jq -r '[.[] | select(.knob == \"rdma-cm\")][-1] |
		.action + \" \" + .from + \" -> \" + .to'
	report '{verdict: \"held\", have: \"tos 104 mode 2\"}' >/dev/null
	until_ok 3 knob_is rdma-cm held && echo held
	until_ok 60 knob_is rdma-cm delegated && knob rdma-cm reason")
is "... shows in port and history, and holds for agent_timeout" \
	"tos 104 mode 2|enforced|correction tos 0 mode 2 -> tos 104 mode 2|held|no agent; run 'systemctl start roceguard-agent'" \
	"$(paste -sd'|' <<<"$seen")"

# The agent itself, with a user of rdma_cm that a change would move.
seen=$(sh_on initiator "$HOST
	cm default_roce_tos 0
	rping -s -a 192.168.20.1 >/dev/null 2>&1 &
	rping=\$!; until_ok 60 eval 'rdma res show cm_id | grep -q rping'
	agent_up
	until_ok 60 knob_is rdma-cm corrected && cm default_roce_tos && port .state
	until_ok 60 knob_is rdma-cm held && echo held
	grep -o 'roce0 rdma-cm: .*' /run/agent.log
	grep -q 'roce0 audit rdma-cm corrected: tos 0 mode 2 -> tos 104 mode 2' /run/agent.log && echo journaled
	ls /sys/kernel/config/rdma_cm | wc -l; kill \$rping 2>/dev/null")
like "the agent holds it, says who moves, and leaves configfs as it was" \
	$'^104\nenforced\nheld\nroce0 rdma-cm: for new connections .*: rping\[[0-9]*\] \(1\)\njournaled\n0$' "$seen"
like "it tells systemd" "READY=1.*STATUS=serves" "$(sh_on initiator "$HOST
	until_ok 60 grep -q STATUS=serves /run/notify.log; paste -sd' ' /run/notify.log")"
seen=$(sh_on initiator "$HOST
	cm default_roce_tos 8; until_ok 60 cm_is default_roce_tos 104 && echo back
	roceguard -j history | jq -r '[.[] | select(.knob == \"rdma-cm\")][-1] | .from'
	roceguard freeze >/dev/null 2>&1; cm default_roce_tos 16
	until_ok 60 knob_is rdma-cm drifted; knob rdma-cm have; knob rdma-cm reason; knob rdma-cm delegated
	nap 1; cm default_roce_tos
	roceguard thaw >/dev/null; until_ok 60 cm_is default_roce_tos 104 && echo thawed")
is "what a rival writes is put back; frozen it is left, and told" \
	"back|tos 8 mode 2|tos 16 mode 2|frozen; run 'roceguard thaw'|compare|16|thawed" \
	"$(paste -sd'|' <<<"$seen")"

# It dies, and comes again.
seen=$(sh_on initiator "$HOST
	kill -9 \$(cat /run/agent.pid); cm default_roce_tos 8
	until_ok 60 knob_is rdma-cm delegated && knob rdma-cm reason
	storage_held roce0 && echo held; lines=\$(grep -c 'audit rdma-cm' /run/agent.log)
	agent_up; until_ok 60 cm_is default_roce_tos 104 && until_ok 60 state_is roce0 enforced && echo back
	grep -q 'the module is new' /run/agent.log && echo loaded; nap 1
	(( \$(grep -c 'audit rdma-cm' /run/agent.log) == 1 )) && echo no line twice")
is "killed: no agent after the timeout; started again: held, and nothing loaded or told twice" \
	"no agent; run 'systemctl start roceguard-agent'|held|back|no line twice" "$(paste -sd'|' <<<"$seen")"

# The module is loaded anew below it.
seen=$(sh_on initiator "$HOST
	mkdir -p /run/policies.d; cp /run/storage.conf /run/policies.d/
	sed -i 's/^\[Match\]/&\nName=roce0/' /run/policies.d/storage.conf
	for module in roceguard_rdma roceguard_labnic roceguard; do rmmod \$module; done
	cm default_roce_tos 8
	modprobe roceguard agent_timeout=10
	until_ok 60 cm_is default_roce_tos 104 && until_ok 60 state_is roce0 enforced && storage_held roce0 && echo held
	grep -o 'the kernel module is not loaded; waiting for it' /run/agent.log
	grep -o 'the module is new, loading /run/policies.d' /run/agent.log")
is "the module loaded anew: the agent waits for it and loads the policies" \
	"held|the kernel module is not loaded; waiting for it|the module is new, loading /run/policies.d" \
	"$(paste -sd'|' <<<"$seen")"
seen=$(sh_on initiator "$HOST
	roceguard freeze >/dev/null 2>&1
	for module in roceguard_rdma roceguard_labnic roceguard; do rmmod \$module; done
	cm default_roce_tos 8; modprobe roceguard agent_timeout=10
	until_ok 60 knob_is rdma-cm drifted && cm default_roce_tos
	roceguard thaw >/dev/null; until_ok 60 cm_is default_roce_tos 104 && echo thawed")
is "... and a freeze that was kept" "8 thawed" "$(xargs <<<"$seen")"
seen=$(sh_on initiator "$HOST
	sed -i 's/^ToS=.*/ToS=106/' /run/policies.d/storage.conf
	kill -HUP \$(cat /run/agent.pid); until_ok 60 cm_is default_roce_tos 106 && echo reloaded
	echo 'Nonsense' > /run/policies.d/a.conf; kill -HUP \$(cat /run/agent.pid)
	until_ok 60 grep -q 'are not in force, see above' /run/agent.log && grep -o 'a.conf:1: .*' /run/agent.log
	kill \$(cat /run/agent.pid); until_ok 60 grep -q STOPPING=1 /run/notify.log && echo ended
	cm default_roce_tos")
is "SIGHUP loads again, or says what is wrong; SIGTERM ends it, all stays as it is" \
	"reloaded|a.conf:1: neither [Section] nor Key=value nor # comment; mend the line|ended|106" \
	"$(paste -sd'|' <<<"$seen")"
like "agent: a wrong word" '^roceguard: what is "now"' "$(on initiator roceguard agent now 2>&1)"
# VLANs on top of the port: one with a map of its own, one that comes later.
seen=$(sh_on initiator "$HOST
	rm -f /run/policies.d/*; modprobe 8021q
	ip link add link roce0 name roce0.7 type vlan id 7 egress-qos-map 0:3 2:1 4:3 7:5
	load '[VLAN]\nEgress=yes'; knob vlan-egress verdict; knob vlan-egress want
	agent_up 30; until_ok 60 knob_is vlan-egress corrected; knob vlan-egress have; egress roce0.7
	ip link add link roce0 name roce0.8 type vlan id 8
	until_ok 60 egress_is roce0.8 2:3 && echo the new one, too
	ip link set roce0.7 type vlan egress 2:6; until_ok 60 egress_is roce0.7 '2:3 7:5' && echo back
	knob vlan-egress have")
is "vlan-egress: the class alone has its priority, at once, on every VLAN" \
	"delegated|2:3|roce0.7 2:3 7:5|2:3 7:5|the new one, too|back|roce0.7 2:3 7:5 roce0.8 2:3" \
	"$(paste -sd'|' <<<"$seen")"
seen=$(sh_on initiator "$HOST
	rival() {
		ip link set roce0.7 type vlan egress 2:6; nap 0.5
		knob_is vlan-egress contested
	}
	until_ok 60 rival && knob vlan-egress reason; port .state
	ip link del roce0.8; until_ok 60 knob_is vlan-egress held && egress roce0.7
	ip link del roce0.7; until_ok 60 have_is vlan-egress 'no VLAN' && knob vlan-egress verdict
	kill \$(cat /run/agent.pid)")
is "... who keeps changing one makes it contested, until it is calm" \
	"something keeps changing it; stop it, then 'roceguard port apply'|contested|2:3 7:5|held" \
	"$(paste -sd'|' <<<"$seen")"

refused "agent: --audit 0" 1 'audit' initiator roceguard agent --audit 0
