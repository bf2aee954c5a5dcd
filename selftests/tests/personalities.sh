#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Every knob on every driver's habits: one table of verdict, source, cost, and of
# the reason where it is not held. It has to be that of personalities.expected,
# and what is held there has to be what iproute2 and ethtool read.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../storage.sh"
. "$(dirname "$0")/../agent.sh"
ktap_begin

EXPECTED=$(dirname "$0")/personalities.expected

ROWS=$(cat <<'HOST'
# rows LABEL: the table of a port, all knobs that the module has, a line each. What
# was corrected in the last pass is held.
rows() {
	roceguard -j port show roce0 | jq -r --arg label "$1" '.[0].knobs as $knobs |
		$ARGS.positional[] as $name | [$knobs[] | select(.knob == $name)][0] |
		if . then [$label, .knob, (.verdict | sub("corrected"; "held")), .source, .cost, (.reason // "-")]
		else [$label, $name, "not named by the policy of the test"] end | @tsv' \
		--args $(cd /sys/class/net/roce0/roceguard/knobs && echo *)
}
# load_delegated: load_all, and what the agent serves
load_delegated() {
	load_all
	printf '[RDMACM]\nToS=104\nMode=2\n[VLAN]\nEgress=yes\n' >> /run/all.conf
	roceguard policy load /run/all.conf >/dev/null
}
is_served() { [[ $(</sys/class/net/roce0/roceguard/knobs/"$1") == @(held|corrected) ]]; }
HOST
)
HOST="$STORAGE; $AGENT; $ROWS"

# table LABEL PERSONALITY: its rows, and "+" before what iproute2 and ethtool read.
table() {
	sh_on initiator "$HOST
		[[ $1 != *+lldp ]] || parameter fw_lldp 1
		nic $2; parameter fw_lldp 0
		ip link add link roce0 name roce0.7 type vlan id 7
		settled roce0
		until_ok 20 is_served rdma-cm; until_ok 20 is_served vlan-egress
		rows $1
		echo '+ pfc' \$(dcb pfc show dev roce0 2>&1 | grep -o '[0-7]:on')
		echo '+ app' \$(dcb app show dev roce0 dscp-prio 2>&1 | grep -Eo '[A-Z0-9]+:[1-7]')
		echo '+ ets' \$(dcb ets show dev roce0 2>&1 | grep -Eo '^(prio-tc.*|tc-bw.*|tc-tsa.*)' | sort)
		echo '+ pause' \$(ethtool -a roce0 | grep -cE '^[RT]X:.*on')
		until_ok 20 cm_is default_roce_tos 104 && until_ok 20 cm_is default_roce_mode 'RoCE v2' &&
			echo '+ configfs 104 RoCE v2'
		echo '+ vlan' \$(egress roce0.7)" 2>&1
}

fresh initiator || exit 1
# shellcheck disable=SC2016
defer 'sh_on initiator "$HOST; agent_down 2>/dev/null; rm -f /run/all.conf /run/few.conf; parameter warm 0; parameter fw_lldp 0; nic plain" && fresh initiator'
sh_on initiator "$HOST; modprobe roceguard audit=0 drops_apart=0 drops_daily=8; modprobe 8021q
	load_delegated; agent_up" || exit 1

CLASSES='prio-tc 0:0 1:0 2:0 3:1 4:0 5:0 6:2 7:0'
declare -A ets=(
	[plain]="$CLASSES" [mlx5]="$CLASSES" [bnxt]="$CLASSES" [hns3]="$CLASSES" [late-dcb]="$CLASSES"
	[ice]='prio-tc 0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7'
)
seen=
for label in plain mlx5 bnxt bnxt+lldp ice ice+lldp hns3 cee-only late-dcb no-dcb; do
	out=$(table "$label" "${label%+lldp}")
	seen+=$(grep -v '^+ ' <<<"$out")$'\n'
	tools=$(sed -n 's/^+ //p' <<<"$out")
	like "$label: configfs of rdma_cm and the VLAN on top, too" \
		"configfs 104 RoCE v2.*vlan 2:3" "$(xargs <<<"$tools")"
	if [[ ${ets[$label]:-} ]]; then
		like "$label: dcb pfc, dcb app, dcb ets and ethtool -a read what the policy says" \
			"pfc 3:on.*app AF31:3 CS6:6.*${ets[$label]}.*6:strict.*pause 0" "$(xargs <<<"$tools")"
	else
		like "$label: nothing of it is there, and global pause stays" \
			'pfc app.* pause 2' "$(xargs <<<"$tools")"
	fi
done
sh_on initiator "$HOST; agent_down; load_all"

note "$(column -t -s $'\t' <<<"$seen")"
if differ=$(diff <(grep -v '^#' "$EXPECTED") <(grep . <<<"$seen")); then
	pass "every knob on every personality is as expected"
else
	fail "every knob on every personality is as expected" \
		"< $EXPECTED, > seen:"$'\n'"$differ"
fi

# The remedy that a reason names is run as it stands there.
seen=$(sh_on initiator "$HOST
	parameter fw_lldp 1; nic ice; parameter fw_lldp 0
	settled roce0; reason=\$(knob pfc reason); echo \"\$reason\"
	remedy=\${reason#*run \'}; eval \"\${remedy%\'}\" && roceguard port apply roce0 >/dev/null
	settled roce0; cat /sys/class/net/roce0/roceguard/knobs/{dscp,ets,pause,pfc}")
like "ice: the reason's own command mends it" \
	"run 'ethtool --set-priv-flags roce0 fw-lldp-agent off'( (held|corrected)){4}$" "$(paste -sd' ' <<<"$seen")"

seen=$(sh_on initiator "$HOST
	ip link add bond0 type bond && ip link set roce0 down && ip link set roce0 master bond0
	echo 1 > /sys/kernel/debug/labnic/roce0/reset; nap 1; settled roce0
	knob pfc verdict; knob pfc reason
	ip link set roce0 nomaster; ip link del bond0; ip link set roce0 up
	roceguard port apply roce0 --now >/dev/null; settled roce0; knob pfc verdict" 2>&1)
like "ice in a bond: refused in words, and held when out of it" \
	"refused.*changes no DCB in a bond \(error 22\); take roce0 out of it.* (held|corrected)$" "$(paste -sd' ' <<<"$seen")"

# few LINES: a policy of nothing but LINES.
few='few() { printf "[Match]\nName=roce0\nRDMA=no\n$1\n" > /run/few.conf; roceguard policy load /run/few.conf >/dev/null; }'
seen=$(sh_on initiator "$HOST; $few
	roceguard policy delete all >/dev/null; few '[PFC]\nPriorities=3'; nic bnxt; settled roce0
	knob pfc verdict; knob pfc reason
	few '[PFC]\nPriorities=3\n[ETS]\nPriorityTC=3:0\nTC=0:strict'; settled roce0
	cat /sys/class/net/roce0/roceguard/knobs/{ets,pfc}
	journal roce0 | grep kworker | grep -c ' = -35'
	roceguard policy delete few >/dev/null; load_all" 2>&1)
like "bnxt: PFC without ETS is refused in words; an ETS never set is set, even to what it reads" \
	"refused\|driver labnic takes PFC only after ETS \(error 22\); add a Share=.*\|(held|corrected)\|(held|corrected)\|0" \
	"$(paste -sd'|' <<<"$seen")"

# A driver that is gone behind its netdev is not called.
for personality in mlx5 ice; do
	seen=$(sh_on initiator "$HOST
		nic $personality; settled roce0
		echo 1 > /sys/kernel/debug/labnic/roce0/detach
		roceguard port apply roce0 --wait 2 >/dev/null 2>&1
		nap 1.2; cat /sys/class/net/roce0/roceguard/state
		echo 0 > /sys/kernel/debug/labnic/roce0/detach
		until_ok 5 state_is roce0 enforced || until_ok 5 state_is roce0 degraded; settled roce0
		cat /sys/class/net/roce0/roceguard/knobs/{dscp,pfc} | sort -u
		journal roce0 | grep -c DETACHED" 2>&1)
	like "$personality: detached is pending, nobody calls the driver, held again when it is back" \
		'^pending (held|corrected|[ ])+ 0$' "$(xargs <<<"$seen")"
done

# Entries of before, put into the table after ours.
seen=$(sh_on initiator "$HOST
	parameter warm 1; nic mlx5; parameter warm 0; settled roce0
	journal roce0 | grep -c 'late start'
	dcb app show dev roce0 dscp-prio | grep -Eo '[A-Z0-9]+:[36]' | xargs
	knob dscp verdict")
like "mlx5: stale entries that come with the driver's late start are healed" \
	'^1 AF31:3 CS6:6 (held|corrected)$' "$(xargs <<<"$seen")"

# Busy for a while.
for personality in ice hns3; do
	seen=$(sh_on initiator "$HOST
		nic $personality; settled roce0
		seq=\$(last_seq); parameter reset_ms 2000
		echo 1 > /sys/kernel/debug/labnic/roce0/reset; parameter reset_ms 500
		until_ok 2 state_is roce0 pending && echo pending
		until_ok 10 at_rest roce0; settled roce0
		cat /sys/class/net/roce0/roceguard/knobs/{dscp,ets,pfc} | sort -u
		roceguard -j history | jq \"[.[] | select(.seq > \$seq and .action == \\\"refusal\\\")] | length\"" 2>&1)
	like "$personality: busy in reset is pending, not refused, and held after" \
		'^pending (held|corrected|[ ])+ 0$' "$(xargs <<<"$seen")"
done

# What loses its settings with the link or the MTU has them again.
seen=$(sh_on initiator "$HOST
	nic plain; settled roce0
	echo 'all link' > /sys/kernel/debug/labnic/roce0/lose
	ip link set eth1 down; nap 0.1; ip link set eth1 up
	lost() { journal roce0 | grep -q 'lost .* with link'; }
	until_ok 5 lost && echo lost; settled roce0; storage_held roce0 && echo held
	echo clear > /sys/kernel/debug/labnic/roce0/lose
	echo 'buffer mtu' > /sys/kernel/debug/labnic/roce0/lose
	ip link set roce0 mtu 1400; settled roce0; knob buffer have
	journal roce0 | grep -c 'lost .* with mtu'")
is "settings lost with link-up, and buffers with another MTU, are put back without an audit" \
	"lost held size 0:20480 1:131072 prio 3:1 1" "$(xargs <<<"$seen")"
