#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The kernel's own netlink client drives every command of the spec, and whatever
# else describes the family agrees with it.
. "$(dirname "$0")/../lib.sh"
ktap_begin
fresh initiator || exit 1
defer 'fresh initiator'
SPEC=/src/Documentation/netlink/specs/roceguard.yaml
SCHEMA=/usr/src/ynl/Documentation/netlink/genetlink.yaml

# shellcheck disable=SC2034 # ynl is for the scripts of hosts
YNL="ynl() { command ynl --spec $SPEC --no-schema --output-json \"\$@\"; }"

# seen DESCRIPTION FILTER JSON: the jq filter is true of it.
seen() {
	if jq -e "$2" <<<"$3" >/dev/null 2>&1; then
		pass "$1"
	else
		fail "$1" "not so: $2: $3"
	fi
}

ok "spec and header have the same numbers" \
	on initiator /src/selftests/spec-agrees $SPEC /src/include/uapi/linux/roceguard.h
ok "spec and description for syzkaller have the same commands and attributes" \
	on initiator /src/selftests/fuzz/syzlang-agrees $SPEC /src/selftests/fuzz/roceguard.txt
sh_on initiator 'modprobe roceguard'
wait_on initiator 10 'lsmod | grep -q ^roceguard_labnic'
like "the spec is one by the kernel's schema" "frozen" \
	"$(on initiator ynl --spec $SPEC --schema $SCHEMA --do mode-get 2>&1)"

# Every attribute that a policy has.
FULL='{"name":"full","mode":"observe","disruptive":"linkdown","priority":1000,
	"rollout":10,"rollout-at":37,"serial":"2026-11.3",
	"match":{"ifname":["roce0","roce9*"],"driver":["labnic"],"rdma":1,"rdma-device":["rxe*"],
		"speed-from":25000,"speed-to":100000},
	"class":[{"name":"a","dscp":[26,27],"priority":3,"lossless":1,"ecn":1,"share":50,
			"cable-length":5},
		{"name":"b","dscp":[48],"priority":6,"strict":1,"cnp":1}],
	"pfc":{"priorities":8,"cable-length":5},
	"dscp":{"trust":"dscp","map":[{"dscp":10,"priority":1}]},
	"ets":{"prio-tc":[{"priority":3,"tc":1},{"priority":6,"tc":2}],
		"tc":[{"tc":0,"tsa":"ets","bandwidth":50},{"tc":1,"tsa":"ets","bandwidth":50},
		{"tc":2,"tsa":"strict"}]},
	"ecn":{"np":8,"rp":8},"pause":{"rx":0,"tx":0},"dcbx":{"mode":"follow"},
	"maxrate":{"rate":[{"tc":1,"kbps":10000000}]},
	"buffer":{"size":[{"buffer":1,"bytes":131072}],"prio":[{"priority":3,"buffer":1}]},
	"storm-prevention":{"timeout":100},"check":{"mtu":9000},
	"dcqcn":{"param":[{"id":"rp-ai-rate","value":0},{"id":"np-cnp-interval","value":50}]},
	"rdma-cm":{"tos":104,"mode":2},"vlan":{"egress":1},
	"watchdog":{"detection":200,"restoration":60000,"action":"pfc-off","force":0},
	"connection":{"class":"a","roce-mode":2}}'
FULL=$(jq -c . <<<"$FULL")

# One client for each command.
mapfile -t out < <(sh_on initiator "$YNL
	ynl --do policy-set --json '$FULL' 2>&1
	ynl --do policy-get --json '{\"name\":\"full\"}' 2>&1
	ynl --dump policy-get 2>&1
	ynl --do port-get --json '{\"ifname\":\"roce0\"}' 2>&1
	ynl --do port-get --json \"{\\\"ifindex\\\":\$(cat /sys/class/net/roce0/ifindex)}\" 2>&1
	ynl --dump port-get 2>&1
	ynl --do port-apply --json '{\"ifname\":\"roce0\"}' 2>&1
	ynl --do mode-set --json '{\"mode\":\"observe\",\"frozen\":1,\"freeze-for\":600}' 2>&1
	ynl --do mode-get 2>&1
	ynl --do mode-set --json '{\"mode\":\"enforce\",\"frozen\":0}' 2>&1
	ynl --do policy-confirm --json '{\"name\":\"full\"}' 2>&1
	ynl --do port-apply --json '{\"ifname\":\"roce0\",\"now\":1}' 2>&1
	ynl --do policy-del --json '{\"name\":\"full\",\"restore\":1}' 2>&1
	ynl --do port-restore --json '{\"ifname\":\"roce0\"}' 2>&1
	ynl --dump history-get 2>&1
	ynl --dump history-get --json '{\"seq\":3}' 2>&1
	ynl --do delegate-report --json '{\"alive\":1}' 2>&1
	ynl --do counters-get --json '{\"ifname\":\"roce0\",\"fresh\":1}' 2>&1
	ynl --dump counters-get 2>&1
	ynl --do incident-report --json '{\"ifname\":\"roce0\",\"cause\":\"reconnect\"}' 2>&1
	ynl --dump counters-history-get --json '{\"ifname\":\"roce0\",\"clear\":1}' 2>&1")
# what is read is what was set, the priority map's defaults aside
seen "policy-set with every attribute" '.name == "full" and .generation > 0' "${out[0]}"
seen "policy-get: all of it comes back" "
	del(.generation, .ports) as \$have | $FULL as \$set |
	[\$set | keys[] | select(. != \"class\")] |
		all(. as \$key | \$have[\$key] == \$set[\$key] or
			([\$set[\$key] | tostring] | inside([\$have[\$key] | tostring])))" "${out[1]}"
seen "policy-get: its classes, too" '
	[.class[] | [.name, .dscp, .priority, .lossless, .strict, .cnp, .share, .ecn]] ==
	[["a", [26, 27], 3, 1, 0, 0, 50, 1], ["b", [48], 6, 0, 1, 1, null, null]]' "${out[1]}"
seen "policy-get, dump" '[.[].name] == ["full"]' "${out[2]}"
seen "port-get by name" '.ifname == "roce0" and .driver == "labnic" and .policy == "full" and
	.state == "drifted" and ([.knob[].id] | sort) == ["buffer", "cnp", "dcqcn", "dscp", "ecn", "ets", "maxrate",
	"mtu", "pause", "pfc", "rdma-cm", "storm-prevention", "vlan-egress"]' "${out[3]}"
seen "port-get: its policy" '.serial == "2026-11.3" and .fitting == 1' "${out[3]}"
seen "port-get by index" '.ifname == "roce0"' "${out[4]}"
seen "port-get, dump" '[.[].ifname] | index("roce0") != null' "${out[5]}"
seen "port-apply" '.ifname == "roce0" and .ticket > 0' "${out[6]}"
seen "mode-set" '.mode == "observe" and .frozen == 1' "${out[7]}"
seen "mode-get" '.mode == "observe" and .frozen == 1 and ."freeze-left" > 0 and .policies == 1 and .rdma == 1' "${out[8]}"
seen "mode-set, back" '.mode == "enforce" and .frozen == 0' "${out[9]}"
seen "policy-confirm" '.name == "full" and has("confirm-left") == false' "${out[10]}"
seen "port-apply, now" '.ifname == "roce0" and .ticket > 0 and ."drops-left" >= 0' "${out[11]}"
seen "policy-del" '.name == "full" and .generation > 0' "${out[12]}"
seen "port-restore" '.ifname == "roce0" and .ticket > 0' "${out[13]}"
seen "history-get, dump" '[.[].action] | index("request") != null and index("drift") != null' "${out[14]}"
seen "history-get from number 3" '.[0].seq == 3' "${out[15]}"
seen "delegate-report" '.timeout == 90' "${out[16]}"
seen "counters-get" '.ifname == "roce0" and .samples > 0 and ([.counter[] |
	select(.id == "rx-pause") | [.priorities, (.values | length)]] == [[255, 8]])' "${out[17]}"
seen "counters-get, dump" '[.[].ifname] | index("roce0") != null' "${out[18]}"
seen "incident-report" '.ifname == "roce0" and .frozen == 1' "${out[19]}"
seen "counters-history-get, dump" '[.[] | select(.frozen == 1) | .cause] | unique == ["reconnect"]' "${out[20]}"

# A policy larger than what the kernel gives a dump, unless it is asked for more.
LARGEST=$(jq -cn '("x" * 60) as $x | {name: ("p" + $x), mode: "observe",
	match: {driver: [range(16) | tostring + $x], ifname: [range(16) | tostring + $x],
		pci: [range(16) | tostring + $x], "rdma-device": [range(16) | tostring + $x]},
	dscp: {trust: "dscp", map: [range(64) | {dscp: ., priority: (. % 8)}]},
	ets: {"prio-tc": [range(8) | {priority: ., tc: .}], tc: [range(8) | {tc: ., tsa: "strict"}]},
	pfc: {priorities: 8}, ecn: {np: 8, rp: 8}, pause: {rx: 0, tx: 0},
	maxrate: {rate: [range(8) | {tc: ., kbps: 4294967295}]},
	buffer: {size: [range(8) | {buffer: ., bytes: 1}], prio: [range(8) | {priority: ., buffer: .}]}}')
mapfile -t out < <(sh_on initiator "$YNL
	ynl --do policy-set --json '$LARGEST' 2>&1
	ynl --dump policy-get 2>&1
	ynl --do policy-del --json '{\"name\":\"$(jq -r .name <<<"$LARGEST")\"}' 2>&1")
seen "policy-get, dump of the largest policy" '.[0].dscp.map | length == 64' "${out[1]-}"

# Two clients hear what is done, once the kernel knows that they listen.
mapfile -t out < <(sh_on initiator "$YNL
	ynl --subscribe policy --sleep 20 >/run/policy.ntf 2>&1 &
	ynl --subscribe port --sleep 20 >/run/port.ntf 2>&1 &
	for i in \$(seq 150); do
		sleep 0.1
		n=0
		for pid in \$(pgrep -f 'cli.py.*--subscribe'); do
			grep -qE \"^[0-9a-f]+ +16 +\$pid +[0-9a-f]*[1-9a-f]\" /proc/net/netlink && n=\$((n + 1))
		done
		[ \$n = 2 ] && break
	done
	{ roceguard policy load storage --on roce0; roceguard freeze; roceguard thaw
	roceguard policy delete storage; } >/dev/null 2>&1
	wait
	cat /run/policy.ntf; cat /run/port.ntf")
seen "policy-ntf: set and deleted" '[.[] | select(.name == "policy-ntf") | .msg.name] ==
	["storage", "storage"]' "${out[0]-}"
seen "mode-ntf: frozen and thawed" '[.[] | select(.name == "mode-ntf") | .msg.frozen] ==
	[1, 0]' "${out[0]-}"
seen "port-ntf, with an event" '[.[] | select(.name == "port-ntf") | .msg] |
	any(.ifname == "roce0" and .event.action == "correction")' "${out[1]-}"
