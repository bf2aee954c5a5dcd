#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A write that drops the link is announced, needs consent, comes off a budget, is
# counted, and is never made on two ports of a host at once. The NIC is one that
# drops its link when PFC is written.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../storage.sh"
ktap_begin

CONSENT=$(cat <<'HOST'
# linked DEV: its link is back and has been for a moment
linked() {
	until_ok 5 carrier_is "$1" 1 && nap 0.7 && until_ok 5 carrier_is "$1" 1
}
# drifted DEV [COMMAND]: PFC, or what COMMAND changes, is wrong behind our back, with
# the link up; what becomes of it is decided at thaw.
drifted() {
	roceguard freeze >/dev/null
	dcb pfc set dev "$1" prio-pfc 3:off && ${2:-true} || return
	linked "$1" || { echo "no link"; return 1; }
	roceguard thaw >/dev/null
}
drops() {
	cat "/sys/class/net/$1/roceguard/link_drops"
}
knob() {
	roceguard -j port show "$1" | jq -r ".[0].knobs[] | select(.knob == \"$2\") | .$3"
}
# lost DEV: how often its link went down, as the NIC tells
lost() {
	stats "$1" link_down_events_phy
}
# policy MODE: the profile with Disruptive=MODE
policy() {
	roceguard policy delete storage >/dev/null 2>&1
	{ cat /usr/share/roceguard/profiles/storage.conf
		printf '\n[Policy]\nDisruptive=%s\n' "$1"; } > /run/storage.conf
	roceguard policy load /run/storage.conf --all >/dev/null
}
HOST
)
HOST="$STORAGE; $CONSENT"

fresh initiator || exit 1
# shellcheck disable=SC2016
defer 'sh_on initiator "$HOST; rm -f /run/storage.conf; ip link del race0 2>/dev/null
	nic plain" && fresh initiator'
lab link initiator up
sh_on initiator "$HOST; nic mlx5; modprobe roceguard audit=0" || exit 1

# The first time, with the link up.
seen=$(sh_on initiator "$HOST
	linked roce0; down=\$(lost roce0); policy budget
	linked roce0; until_ok 5 state_is roce0 enforced
	cat /sys/class/net/roce0/roceguard/state
	echo \$((\$(lost roce0) - down)) \$(drops roce0)
	roceguard -j port show roce0 | jq .[0].drops_left
	dmesg | grep -o 'roce0: pfc: .*' | tail -n 2 | cut -d'(' -f1
	roceguard -j history | jq -c '[.[] | select(.action == \"correction\" and .link_drop) | .knob]'")
is "budget: a policy loaded on a live link drops it once, counted, announced before" \
	"enforced|1 1|2|roce0: pfc: this write drops the link |roce0: pfc: 'none' -> '3' |[\"pfc\"]" \
	"$(paste -sd'|' <<<"$seen")"

# The second within ten minutes.
seen=$(sh_on initiator "$HOST
	drifted roce0 && until_ok 5 state_is roce0 deferred || exit
	nap 3
	cat /sys/class/net/roce0/roceguard/{state,link_drops,knobs/pfc,carrier} 2>/dev/null
	cat /sys/class/net/roce0/carrier
	roceguard port show roce0 | tr -s ' \n' '  '
	roceguard -j history | jq -r '.[-1] | [.action, .knob, .verdict] | join(\" \")'
	roceguard port apply nosuch --now 2>&1")
like "... the next has to wait: deferred, the link stays" \
	$'^deferred\n1\ndeferred\n1\n' "$seen"
like "... says why, when, and what would do it now" \
	"pfc deferred.* the last one was too short ago; at link-down, in [0-9]+ s, or 'roceguard port apply roce0 --now'" \
	"$seen"
like "... and it is in history" 'drift pfc deferred' "$seen"
is "connect does not trust the path meanwhile" 3 "$(sh_on initiator "
	roceguard connect -a $TARGET -s $PORT -n $NQN >/dev/null 2>&1; echo \$?")"
seen=$(sh_on initiator "$HOST
	roceguard port apply roce0 --now >/dev/null; linked roce0
	until_ok 5 state_is roce0 enforced && storage_held roce0 && drops roce0
	roceguard -j history | jq -r '[.[] | select(.action == \"request\")][-1].request'")
is "port apply --now: done, counted, in history who wanted it" \
	"2 port apply roce0 --now" "$(xargs <<<"$seen")"

# A link that goes down by itself is a free occasion.
sh_on initiator "$HOST
	drifted roce0 && until_ok 5 state_is roce0 deferred" >/dev/null
lab link initiator down
seen=$(sh_on initiator "$HOST
	until_ok 5 state_is roce0 enforced && cat /sys/class/net/roce0/carrier && drops roce0")
lab link initiator up
is "a deferred write is made at link-down, at no cost" "0 2" "$(xargs <<<"$seen")"
ok "... and is there when the link is up" sh_on initiator "$HOST
	linked roce0 && state_is roce0 enforced && storage_held roce0"

# Pause and PFC go together.
seen=$(sh_on initiator "$HOST
	drifted roce0 'ethtool -A roce0 rx on tx on'
	until_ok 5 state_is roce0 deferred || exit
	nap 1; ethtool -a roce0 | awk '/^[RT]X:/ { print \$2 }'
	knob roce0 pause verdict; knob roce0 pause reason
	roceguard port apply roce0 --now >/dev/null; linked roce0
	until_ok 5 state_is roce0 enforced
	ethtool -a roce0 | awk '/^[RT]X:/ { print \$2 }'; storage_held roce0 && echo held")
is "global pause is not given up while PFC has to wait" \
	"on on deferred PFC has to wait, so global pause stays as it is off off held" \
	"$(xargs <<<"$seen")"

# Disruptive=linkdown, with all of the budget left.
seen=$(sh_on initiator "$HOST
	echo 0 > /sys/module/roceguard/parameters/drops_apart
	policy linkdown && until_ok 5 state_is roce0 enforced || exit
	before=\$(drops roce0)
	drifted roce0 && until_ok 5 state_is roce0 deferred && nap 2
	cat /sys/class/net/roce0/roceguard/state; echo \$((\$(drops roce0) - before))
	knob roce0 pfc reason
	ip link set roce0 down && ip link set roce0 up
	until_ok 5 state_is roce0 enforced && storage_held roce0
	echo \$((\$(drops roce0) - before))")
is "linkdown: it waits until the link is down for another reason" \
	"deferred|0|the write drops the link; it waits for link-down (Disruptive=linkdown), or 'roceguard port apply roce0 --now'|0" \
	"$(paste -sd'|' <<<"$seen")"

# Disruptive=now.
seen=$(sh_on initiator "$HOST
	policy now && until_ok 5 state_is roce0 enforced || exit
	before=\$(drops roce0)
	for i in 1 2 3 4; do
		drifted roce0 && until_ok 5 state_is roce0 enforced && linked roce0 &&
		storage_held roce0
	done
	echo \$((\$(drops roce0) - before))")
is "now: each time at once" 4 "$seen"

# The budget of a day: link-ups after our own drops are not free.
seen=$(sh_on initiator "$HOST
	echo 2 > /sys/module/roceguard/parameters/drops_daily
	policy budget; roceguard port apply roce0 --now >/dev/null
	until_ok 5 state_is roce0 enforced || exit
	before=\$(drops roce0)
	for i in 1 2; do
		drifted roce0 && until_ok 5 state_is roce0 enforced && linked roce0
	done
	drifted roce0 && until_ok 5 state_is roce0 contested && nap 2
	cat /sys/class/net/roce0/roceguard/state
	echo \$((\$(drops roce0) - before))
	knob roce0 pfc reason
	roceguard -j port show roce0 | jq .[0].drops_left
	roceguard -j history | jq -r '.[-1] | [.action, .knob] | join(\" \")'
	roceguard port apply roce0 >/dev/null
	cat /sys/class/net/roce0/roceguard/state
	roceguard port apply roce0 --now >/dev/null; linked roce0
	until_ok 5 state_is roce0 enforced && storage_held roce0 && echo healed
	roceguard -j port show roce0 | jq .[0].drops_left
	echo 3 > /sys/module/roceguard/parameters/drops_daily")
is "the budget of a day is kept, then it is the operator's turn" \
	"contested|2|the write drops the link, and the budget of 2 a day is spent; stop what changes it, then 'roceguard port apply roce0 --now'|0|contest pfc|contested|healed|1" \
	"$(paste -sd'|' <<<"$seen")"

# Two ports that drift at the same moment.
seen=$(sh_on initiator "$HOST
	ip link add race0 type dummy && ip link set race0 up
	ip link add link race0 name roce1 type labnic && ip link set roce1 up
	policy now
	for dev in roce0 roce1; do
		until_ok 10 state_is \$dev enforced && linked \$dev || echo \$dev is not enforced
	done
	roceguard freeze >/dev/null
	dcb pfc set dev roce0 prio-pfc 3:off; dcb pfc set dev roce1 prio-pfc 3:off
	linked roce0; linked roce1
	begin=\$(cut -d' ' -f1 /proc/uptime)
	roceguard thaw >/dev/null
	for dev in roce0 roce1; do
		until_ok 15 state_is \$dev enforced && linked \$dev && storage_held \$dev &&
		awk -v begin=\$begin '\$1 > begin && / kworker.*: pfc/ { from = \$1 }
			\$1 > begin && /: link up/ { to = \$1 }
			END { print from, to }' /sys/kernel/debug/labnic/\$dev/journal
	done")
like "two ports: both are put right" '^[0-9.]+ [0-9.]+.[0-9.]+ [0-9.]+$' "$seen"
ok "... one after the other: the second write comes after the first link is back" \
	awk '{ from[NR] = $1; to[NR] = $2 }
		END { exit !(from[1] < from[2] ? to[1] < from[2] : to[2] < from[1]) }' <<<"$seen"
note "write and link-up of each: $(paste -sd';' <<<"$seen")"

# What the driver refuses drops no link, however often it is asked.
seen=$(sh_on initiator "$HOST
	rmmod roceguard_rdma roceguard_labnic roceguard 2>/dev/null
	announced() { dmesg | grep -c 'roce0: .*: this write drops the link'; }
	before_it=\$(announced)
	parameter fw_lldp 1; nic ice; parameter fw_lldp 0
	modprobe roceguard audit=1; policy budget
	before=\$(roceguard -j port show roce0 | jq .[0].passes)
	passed() { ((\$(roceguard -j port show roce0 | jq .[0].passes) >= before + 8)); }
	until_ok 30 passed || echo no audits
	for knob in dscp ets pfc; do knob roce0 \$knob verdict; done | sort -u; knob roce0 pfc reason
	roceguard -j port show roce0 | jq -r '.[0] | .drops_left, .drifts, .link_drops, .state'
	echo \$((\$(announced) - before_it))
	ethtool --set-priv-flags roce0 fw-lldp-agent off
	until_ok 10 state_is roce0 enforced && echo healed" 2>&1)
like "what the driver refuses stays refused, costs nothing, and is held when the reason has gone" \
	"^refused\\|.*fw-lldp-agent off'\\|3\\|0\\|0\\|degraded\\|[0-3]\\|healed$" "$(paste -sd'|' <<<"$seen")"
