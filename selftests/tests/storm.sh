#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The watchdog: real PFC frames of the switch, or of the NIC itself, in every
# pattern; what is a storm is told in time, what is none is not; pfc-off takes and
# gives back, and nobody fights over it.
# shellcheck disable=SC2154 # times are set by figures()
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../storage.sh"
ktap_begin

STORMS=$(cat <<'HOST'
# watch DETECTION RESTORATION LINES [OPTION...]: the profile storage, and its watchdog
watch() {
	{
		cat /usr/share/roceguard/profiles/storage.conf
		printf '[Watchdog]\nDetectionTime=%s\nRestorationTime=%s\n%b' "$1" "$2" "$3"
	} > /run/storage.conf
	roceguard policy load /run/storage.conf --on roce0 "${@:4}" >/dev/null
}
# Read often enough, by now.
in_time() {
	local words
	words=$(roceguard -j port show roce0 | jq -r '.[0].watchdog')
	[[ $words =~ read\ every\ ([0-9]+) ]] && ((BASH_REMATCH[1] < $1))
}
# What was told of storms since entry SEQ: TIME_MS WORDS
storms() {
	roceguard -j history | jq -r ".[] | select(.seq > $1 and .action == \"storm\") |
		\"\(.time_ns / 1000000 | floor) \(.request)\""
}
told() { storms "$1" | grep -q "$2"; }
paused_ms() { echo $(($(stats roce0 "$1_prio3_pause_duration") / 1000)); }
DROPS=/sys/class/net/roce0/roceguard/link_drops
LONGEST=/sys/kernel/debug/labnic/roce0/longest_pause
pfc_is() { [[ $(hw roce0 pfc) == "$1" ]]; }
# slow DEV: 100 Mbit/s by name, so that one frame pauses for a third of a second
slow() {
	ethtool -s "$1" speed "${2:-100}" autoneg off duplex full && nap 0.3 &&
		until_ok 5 carrier_is "$1" 1
}
HOST
)
HOST="$STORAGE; $STORMS"

here() { sh_on initiator "$HOST; $1"; }

# alarms TEXT: how many there are among what was told
alarms() { grep -c by.now <<<"$1"; }

# figures TEXT: sets began, over and lasted, ms, of the only storm that it tells of
figures() {
	local words time pattern='for ([0-9]+) ms by now'
	began='' over='' lasted=''
	while read -r time words; do
		if [[ $words =~ $pattern ]]; then
			began=${BASH_REMATCH[1]}
			since=$((time - began))
		elif [[ $words =~ lasted\ ([0-9]+) ]]; then
			lasted=${BASH_REMATCH[1]}
			over=$((time - since - lasted))
		fi
	done <<<"$1"
}

# within DESCRIPTION MS LEAST MOST
within() {
	if [[ $2 ]] && (($2 >= $3 && $2 <= $4)); then
		pass "$1 ($2 ms)"
	else
		fail "$1" "not within $3 to $4 ms: '$2'"
	fi
}

fresh initiator || exit 1
# shellcheck disable=SC2016
defer 'sh_on initiator "$HOST; rm -f /run/storage.conf; parameter prio_counters N; nic plain" && fresh initiator'
defer 'lab storm initiator stop'
# shellcheck disable=SC2016
defer 'sh_on initiator "[ ! -f /run/monitor.pid ] || kill \$(cat /run/monitor.pid)"'
here 'parameter prio_counters Y; modprobe roceguard audit=0 storm_off=3 storm_apart=3
	slow roce0; watch 200ms 1s "" && until_ok 10 state_is roce0 enforced
	setsid roceguard monitor --timeout 300 > /run/monitor 2>&1 < /dev/null &
	echo $! > /run/monitor.pid' || exit 1
{ read -r words; read -r seq; read -r before; } < <(here "until_ok 20 in_time 150
	roceguard -j port show roce0 | jq -r '.[0].watchdog'; last_seq; paused_ms rx")
like "what the watchdog does is said" '^alert when paused for 200ms' "$words"

# A storm without a break.
lab storm initiator 3
ok "continuous XOFF is a storm" here "until_ok 10 told $seq 'received pauses.*alert'"
is "... which is told with the counters" "3 received alert" \
	"$(on initiator roceguard -j counters show roce0 |
		jq -r '.[0].storms[] | "\(.priority) \(.direction) \(.action)"')"
lab storm initiator stop
ok "... and is over when it is" here "until_ok 10 told $seq 'is over'"
{ read -r paused; read -r pfc; read -r heard; told=$(cat); } < <(here "paused_ms rx; hw roce0 pfc
	kill \$(cat /run/monitor.pid); rm /run/monitor.pid; grep -m 1 'roce0 .*congestion' /run/monitor || echo nothing
	storms $seq")
figures "$told"
within "it was told after the detection time of 200 ms" "$began" 200 3000
within "... and said to be over after the restoration time of 1000 ms" "$over" 900 8000
paused=$((paused - before))
within "it lasted as long as the NIC was paused, $paused ms" "$lasted" \
	$((paused * 7 / 10)) $((paused * 13 / 10 + 200))
like "the monitor has heard of it" 'roce0 .*congestion' "$heard"
is "it is one alarm" 1 "$(alarms "$told")"
is "PFC was left alone" 0x08 "$pfc"

# The host stops its peers.
seq=$(here 'last_seq; echo 8 > /sys/kernel/debug/labnic/roce0/xoff')
ok "a host that sends the pauses has a storm, too" here "until_ok 10 told $seq 'sent pauses.*alert'"
here 'echo 0 > /sys/kernel/debug/labnic/roce0/xoff'
ok "... and the switch has seen them" test \
	"$(lab status --json | jq '.switch.ports[] | select(.host == "initiator") | .pfc_pause[3]')" -gt 5
ok "... until it no longer does" here "until_ok 10 told $seq 'sent pauses is over'"

# On and off, longer than it takes to detect it.
seq=$(here last_seq)
lab storm initiator 3 600 400
here 'nap 5'
lab storm initiator stop
ok "a storm that flaps is told" here "until_ok 10 told $seq 'is over'"
told=$(here "storms $seq")
is "... as one alarm" "1 1" "$(alarms "$told") $(grep -c is.over <<<"$told")"

# What is none. A machine that is busy may make one of it: the NIC knows.
here 'watch 900ms 1s ""'
# none DESCRIPTION ON OFF: it goes on for a while
none() {
	local seq before after longest told
	{ read -r seq; read -r before; } < <(here 'echo 0 > $LONGEST; last_seq; paused_ms rx')
	lab storm initiator 3 "$2" "$3"
	here 'nap 3'
	lab storm initiator stop
	{ read -r after; read -r longest; told=$(cat); } < <(here "paused_ms rx; cat \$LONGEST; storms $seq")
	ok "$1 has paused the NIC ($((after - before)) ms)" test $((after - before)) -gt 1000
	if ((longest > 850)); then
		skip "... and is no storm" "the switch was late: $longest ms without a break"
	else
		is "... for $longest ms at most, and is no storm" "" "$told"
	fi
}
none "half the time" 200 200
none "bursts of 90 ms" 90 60
none "an incast, with pauses that come by the hundred" 12 8

# PFC off, for as long as it has to be.
seq=$(here 'watch 200ms 1s "Action=pfc-off\n" && until_ok 10 state_is roce0 enforced
	until_ok 20 in_time 150; last_seq')
lab storm initiator 3
ok "pfc-off: PFC is off" here 'until_ok 10 pfc_is 0x00 && until_ok 5 state_is roce0 degraded'
is "... the knob says why" \
	"inactive|the watchdog has it off for a pause storm on priority 3, whose frames may be lost meanwhile; it is tried again by itself|watchdog" \
	"$(here 'knob pfc verdict; knob pfc reason; cat /sys/class/net/roce0/roceguard/trigger' | paste -sd'|')"
ok "... whoever switches it on meanwhile" here 'dcb pfc set dev roce0 prio-pfc 3:on
	roceguard port apply roce0 >/dev/null; until_ok 5 pfc_is 0x00'
is "... and global pause does not come instead" 0 "$(here 'hw roce0 pause_rx')"
lab storm initiator stop
ok "the storm is over, and PFC is back" here \
	"until_ok 30 told $seq 'is over' && until_ok 5 pfc_is 0x08 && until_ok 5 state_is roce0 enforced"
is "nobody has fought over it" "" \
	"$(here "roceguard -j history | jq -r '.[] | select(.seq > $seq and .verdict == \"contested\")'")"
like "all of it is told, and why" \
	'^pfc 3 -> none;.*pfc none -> 3;.*priority 3: storm of received pauses is over, .*for [0-9]+ ms by now: pfc-off;' \
	"$(here "roceguard -j history | jq -r '.[] | select(.seq > $seq and .trigger == \"watchdog\") |
		if .request then .request else \"\(.knob) \(.from) -> \(.to)\" end + \";\"'" | LC_ALL=C sort | paste -sd' ')"

# Off when it goes: that stays so, and is no secret.
lab storm initiator 3
here 'until_ok 30 pfc_is 0x00; rmmod roceguard_rdma roceguard_labnic roceguard'
lab storm initiator stop
like "a module that goes in a storm says what it leaves" \
	'PFC was taken off priority 3 for a pause storm and stays off' "$(here 'dmesg | tail -n 3')"

# Drivers are not all alike.
here 'modprobe roceguard audit=0 storm_off=3 storm_apart=3; nic mlx5; slow roce0
	watch 200ms 1s "Action=pfc-off\n" && until_ok 10 state_is roce0 enforced && until_ok 20 in_time 150'
like "where PFC drops the link, pfc-off is refused" 'pfc-off is refused, for it drops the link here' \
	"$(here "roceguard -j port show roce0 | jq -r '.[0].watchdog'")"
{ read -r seq; read -r drops; } < <(here 'last_seq; cat $DROPS')
lab storm initiator 3
ok "... and a storm is told" here "until_ok 10 told $seq 'received pauses.*alert'"
is "... and the link stays up" "0x08 $drops" "$(here 'hw roce0 pfc; cat $DROPS' | paste -sd' ')"
here 'watch 200ms 1s "Action=pfc-off\nForce=yes\n"'
ok "... unless that is forced" here 'until_ok 10 pfc_is 0x00'
lab storm initiator stop

seq=$(here 'roceguard policy delete storage >/dev/null; nic ice; slow roce0
	watch 200ms 1s "" --observe; until_ok 20 in_time 150; nap 1.2
	roceguard port apply roce0 >/dev/null; last_seq')
here '! ethtool -S roce0 | grep -q pause_duration' ||
	fail "ice counts no durations" "$(on initiator ethtool -S roce0)"
lab storm initiator 3
ok "a driver without durations: packets that stand still tell" here \
	"until_ok 10 told $seq 'received pauses.*alert'"
# The NIC goes in a storm.
here 'nic plain'
lab storm initiator stop
ok "a NIC may go in a storm" here 'until_ok 10 state_is roce0 drifted'
