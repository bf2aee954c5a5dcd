#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Rivals that do not stop: a real lldpad, willing to do as the switch says, a loop
# of dcb commands, and both. All keep running; what is fought over is contested and
# told, the link drops no more often than the budget allows, and calm returns.
#
#   roce1 (labnic) - w0 ===== w1 - tor0 (labnic, netns tor)
#   lldpad, willing                lldpad, not willing: the switch
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../storage.sh"
ktap_begin

RIVALS=$(cat <<'HOST'
tor() { ip netns exec tor "$@"; }

# the_switch PERSONALITY: roce1 with its habits, and the port at the other end
the_switch() {
	ip netns add tor && ip link add w0 type veth peer w1 netns tor || return
	echo "$1" > /sys/module/labnic/parameters/personality
	ip link add link w0 name roce1 type labnic
	echo plain > /sys/module/labnic/parameters/personality
	ip -n tor link add link w1 name tor0 type labnic
	ip link set roce1 up && ip -n tor link set tor0 up && until_ok 5 carrier_is roce1 1
}

# Two of them on one host: each looks for the other in /dev/shm.
lldpads() {
	rm -rf /run/lldpad && mkdir /run/lldpad || return
	setsid lldpad -p -t -f /run/lldpad/host.conf > /run/lldpad/host.log 2>&1 < /dev/null &
	echo $! > /run/lldpad/host.pid
	setsid ip netns exec tor sh -c 'mount -t tmpfs none /dev/shm
		exec lldpad -p -t -f /run/lldpad/tor.conf' > /run/lldpad/tor.log 2>&1 < /dev/null &
	echo $! > /run/lldpad/tor.pid
	until_ok 10 lldptool -p && until_ok 10 tor lldptool -p || return
	{ tor lldptool set-lldp -i tor0 adminStatus=rxtx &&
	tor lldptool -T -i tor0 -V ETS-CFG enableTx=yes willing=no &&
	tor lldptool -T -i tor0 -V PFC enableTx=yes willing=no enabled=5 &&
	lldptool set-lldp -i roce1 adminStatus=rxtx &&
	lldptool -T -i roce1 -V ETS-CFG enableTx=yes willing=yes &&
	lldptool -T -i roce1 -V PFC enableTx=yes willing=yes; } >/dev/null
}
lldpads_end() { kill $(cat /run/lldpad/*.pid); rm -r /run/lldpad; }
lldpads_run() { kill -0 $(cat /run/lldpad/host.pid) $(cat /run/lldpad/tor.pid); }

away() {
	rm -f /run/fight
	[[ ! -e /run/lldpad ]] || lldpads_end 2>/dev/null
	[[ ! -e /sys/class/net/w0 ]] || ip link del w0
	[[ ! -e /run/netns/tor ]] || ip netns del tor
}

# fight RIVAL...: each of them all the time, until peace
fight() {
	fighters=()
	touch /run/fight
	for rival; do
		( n=0; while [[ -e /run/fight ]]; do
			$rival $((n++)) >/dev/null 2>&1; echo $n > /run/rounds.$rival; nap 0.05
		done ) &
		fighters+=($!)
	done
}
peace() { rm /run/fight; wait "${fighters[@]}"; }
switch_says() { tor lldptool -T -i tor0 -V PFC enabled=$((4 + $1 % 2)); }
dcb_off() { dcb pfc set dev roce1 prio-pfc 3:off; }
rounds() { cat "/run/rounds.$1"; }

# entries SEQ ACTION: knobs of the entries since, once each
entries() {
	roceguard -j history | jq -r "[.[] | select(.seq > $1 and .ifname == \"roce1\" and
		.action == \"$2\") | .knob] | unique | join(\" \")"
}
count() {
	roceguard -j history | jq "[.[] | select(.seq > $1 and .ifname == \"roce1\" and
		.action == \"$2\")] | length"
}
contested() { [[ " $(entries "$seq" contest) " == *" pfc "* ]]; }
downs() { stats roce1 link_down_events_phy; }
ours() { cat /sys/class/net/roce1/roceguard/link_drops; }
knob() {
	roceguard -j port show roce1 | jq -r ".[0].knobs[] | select(.knob == \"$1\") | .$2"
}
since() { echo $((($(date +%s%N) - $1) / 1000000)); }
HOST
)
HOST="$STORAGE; $RIVALS"

fresh initiator || exit 1
# shellcheck disable=SC2016
defer 'sh_on initiator "$HOST; away; kill \$(cat /run/monitor.pid); rm -f /run/monitor* /run/rounds.*" 2>/dev/null
	fresh initiator'
ok "a host with lldpad, a switch with another" sh_on initiator "$HOST
	modprobe roceguard audit=0; away; the_switch plain
	roceguard policy load storage --on roce1 >/dev/null; until_ok 10 state_is roce1 enforced
	setsid roceguard monitor --timeout 300 > /run/monitor 2>&1 < /dev/null &
	echo \$! > /run/monitor.pid"

# Once: what the switch says is written by lldpad, and put right.
seen=$(sh_on initiator "$HOST
	seq=\$(last_seq); lldpads || cat /run/lldpad/*.log
	written() { grep -q ' lldpad: pfc 0x20' /sys/kernel/debug/labnic/roce1/journal; }
	until_ok 15 written && echo written
	nap 2; roceguard port apply roce1 >/dev/null; until_ok 20 state_is roce1 enforced && storage_held roce1 && lldpads_run && echo held
	entries \$seq correction; lldptool -t -i roce1 -V PFC | grep enabled; lldpads_end")
is "lldpad writes what the switch says, and runs on; the policy holds all the same" \
	"written|held|ets pfc|PFC enabled: 5" "$(sed 's/^[[:space:]]*//; s/ *$//' <<<"$seen" | paste -sd'|')"
like "... monitor names what was changed, by what it was told" \
	'roce1 (dcb-event|audit) pfc corrected: 5 -> 3' "$(on initiator cat /run/monitor)"

# duel LABEL RIVAL...: on a NIC that loses nothing by a write
duel() {
	local label=$1 out verdict state rounds n run held back contests contest downs
	shift
	out=$(sh_on initiator "$HOST
		lldpads || cat /run/lldpad/*.log
		nap 2; roceguard port apply roce1 >/dev/null; seq=\$(last_seq); fight $*
		until_ok 60 contested; cat /sys/class/net/roce1/roceguard/{knobs/pfc,state}
		lldpads_run && echo run || echo died
		peace; lldpads_end; begin=\$(date +%s%N)
		until_ok 60 state_is roce1 enforced && storage_held roce1 && echo held || echo not held
		since \$begin; echo \$(for i in $*; do rounds \$i; done)
		count \$seq correction; count \$seq contest; entries \$seq contest; downs")
	{ read -r verdict; read -r state; read -r run; read -r held; read -r back; read -r rounds
		read -r n; read -r contests; read -r contest; read -r downs; } <<<"$out"
	is "$label: PFC is contested, all keep running" "contested contested run" "$verdict $state $run"
	ok "$label: no endless fight" test "$n" -ge 5 -a "$n" -le 40
	like "$label: history names what is fought over" 'pfc' "$contest"
	is "$label: they stop: calm returns by itself" held "$held"
	is "$label: the link has never dropped" 0 "$downs"
	note "$label: $rounds rounds of the rivals, $n corrections, $contests times contested ($contest), calm $back ms after they stopped"
}
duel "the switch changes its mind" switch_says
duel "switch and dcb loop" switch_says dcb_off

# A NIC that drops its link when PFC is written: the budget is what ends it.
seen=$(sh_on initiator "$HOST
	away; rmmod roceguard_rdma roceguard_labnic roceguard
	modprobe roceguard audit=0 drops_apart=3 drops_daily=3; the_switch mlx5
	roceguard policy load storage --on roce1 >/dev/null
	nap 2; roceguard port apply roce1 --now >/dev/null; until_ok 10 state_is roce1 enforced
	until_ok 5 carrier_is roce1 1; nap 1
	seq=\$(last_seq) down=\$(downs) own=\$(ours); fight dcb_off
	spent() { [[ \$(knob pfc verdict) == contested ]]; }
	until_ok 30 spent; nap 1
	knob pfc verdict; knob pfc reason
	echo \$((\$(downs) - down)) \$((\$(ours) - own)) \$(rounds dcb_off) \$(count \$seq correction)
	down=\$(downs); nap 4; echo \$((\$(downs) - down))
	peace; roceguard port apply roce1 >/dev/null; knob pfc verdict
	begin=\$(date +%s%N); roceguard port apply roce1 --now >/dev/null
	until_ok 20 state_is roce1 enforced; until_ok 5 carrier_is roce1 1
	storage_held roce1 && echo held; since \$begin")
{ read -r verdict; read -r reason; read -r downs ours rounds n; read -r later; read -r still
	read -r held; read -r back; } <<<"$seen"
is "mlx5: in the end it is contested" contested "$verdict"
like "mlx5: ... says why, and what to do" \
	"the budget of 3 a day is spent; stop what changes it, then 'roceguard port apply roce1 --now'" "$reason"
ok "mlx5: we dropped the link no more often than the budget allows" test "$ours" -le 3
ok "mlx5: nor did the rival for what we put right: a drop each at most, and its last" test "$downs" -le 7
is "mlx5: then the link is left in peace" 0 "$later"
is "mlx5: and what it takes is the operator's word" "contested held" "$still $held"
note "mlx5: $rounds rounds of the rival, $n corrections, $downs link flaps, $ours of them ours; enforced $back ms after 'port apply --now'"

# With budget left, and a rival that stops, nobody has to do anything.
seen=$(sh_on initiator "$HOST
	down=\$(downs); echo 8 | tee /sys/module/roceguard/parameters/drops_{apart,daily} >/dev/null
	lldpads || cat /run/lldpad/*.log; fight switch_says dcb_off
	waits() { [[ \$(knob pfc verdict) == deferred ]]; }
	until_ok 20 waits; knob pfc reason; lldpads_run && peace && lldpads_end
	begin=\$(date +%s%N)
	until_ok 60 state_is roce1 enforced; until_ok 5 carrier_is roce1 1
	storage_held roce1 && echo held; since \$begin; echo \$((\$(downs) - down))")
{ read -r reason; read -r held; read -r back; read -r downs; } <<<"$seen"
like "mlx5, switch and dcb loop: it waits, says for how long" \
	"(something changes it, which drops the link each time; it is set again in|the last one was too short ago; at link-down, in) [0-9]+ s" "$reason"
is "mlx5: they stop: calm returns by itself" held "$held"
note "mlx5: $downs link flaps, calm $back ms after they stopped"
