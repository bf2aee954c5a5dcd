#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Counters as the kernel tells them: what is absent stays absent, totals never go
# back whatever their source does, and readers wait for nobody.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=../storage.sh
. "$(dirname "$0")/../storage.sh"
ktap_begin
SPEC=/src/Documentation/netlink/specs/roceguard.yaml

COUNTERS=$(cat <<'HOST'
FILES=/sys/class/net/roce0/roceguard/counters
LABNIC=/sys/kernel/debug/labnic/roce0
ask() { /src/selftests/ynl-requests SPEC; }
plant() { echo "$1 $2" > $LABNIC/plant; }

# total NAME [PRIORITY]
total() {
	local values
	read -ra values < "$FILES/$1"
	echo "${values[${2:-0}]}"
}
total_is() { [[ $(total "$1" "$3") == "$2" ]]; }
total_over() {
	local now
	now=$(total "$1" "$3")
	[[ $now != - ]] && ((now > $2))
}

# every MS: as often a port is sampled
every() { echo "$1" > /sys/module/roceguard/parameters/sample_ms; }
samples() { roceguard -j counters show roce0 | jq '.[0].samples'; }
# sampled: two samples more have been taken, the second of which began after now.
sampled() {
	local before
	before=$(samples)
	over() { [[ $(samples) -ge $((before + 2)) ]]; }
	until_ok 20 over
}
HOST
)
HOST="$STORAGE; ${COUNTERS//SPEC/$SPEC}"

fresh initiator target || exit 1
# shellcheck disable=SC2016
defer 'sh_on initiator "$HOST; fault clear; parameter prio_counters 1; nic plain" && fresh initiator'
# what the provider tells would hide what the driver does
sh_on initiator "$HOST; modprobe roceguard sample_ms=250 && parameter prio_counters 0 && nic plain &&
	roceguard policy load storage --on roce0 && settled roce0" >/dev/null || exit 1

# What there is, and what is not.

# Those of RDMA come when its module has.
names=$(sh_on initiator "$HOST; until_ok 10 total_over tx_packets 0 0; until_ok 10 total_is duplicate_request 0
	ls \$FILES | xargs
	cat \$FILES/{rx_pause,rx_discards,cnp_handled,duplicate_request,storm_events}
	cd \$FILES; for file in *; do echo \$file \$(wc -w < \$file); done | awk '{ print \$2 }' | sort | uniq -c | xargs")
is "sysfs: a file for each counter, of one or eight values; '-' for what there is not" \
"ack_timeout cnp_handled cnp_ignored cnp_sent duplicate_request ecn_marked host_stalls link_downs out_of_buffer out_of_sequence packet_seq_err retransmits rnr_retry rx_bytes rx_discards rx_global_pause rx_marked rx_packets rx_pause rx_pause_us storm_errors storm_events storm_warnings tx_bytes tx_global_pause tx_packets tx_pause tx_pause_us
0 0 0 0 0 0 0 0
- - - - - - - -
0
0
0
18 1 10 8" "$names"
{ read -r seen; read -r all; } < <(sh_on initiator "$HOST; ask <<'END'
show:counters-get {\"ifname\":\"roce0\"}
show:dump:counters-get {}
END")
like "netlink: the same ones are absent" '^true$' "$(jq '[.counter[].id] |
	index("rx-discards") == null and index("rx-marked") == null and
	index("rx-pause") != null and index("duplicate-request") != null' <<<"$seen")"
like "netlink: whose they are, and how old" '^true$' "$(jq '.ifname == "roce0" and .driver == "labnic" and
	."rdma-device" == "rxe0" and .sampled < 5000 and .samples > 0 and ."read-us" > 0' <<<"$seen")"
like "netlink: all ports in one dump; one that is not sampled has no counters and no age" '^true$' \
	"$(jq '([.[] | select(.ifname == "roce0")] | length == 1) and ([.[] | select(.ifname == "eth1")] |
	length == 0 or (.[0] | has("sampled") == false and has("counter") == false))' <<<"$all")"
is "a kernel and its NIC agree, and RDMA's are those of rdma statistic" "same" \
	"$(sh_on initiator "$HOST; ping -c 3 -i 0.2 -q $TARGET >/dev/null; sampled
	[[ \$(total rx_packets 0) -le \$(stats roce0 rx_prio0_packets) && \$(total rx_packets 0) -ge 3 &&
	\$(total retransmits) == \$(rdma -j statistic show link rxe0/1 | jq '.[0].completer_retry_err') ]] &&
	echo same")"

# mlx5 has names for pauses only while PFC is on for a priority; dcbnl has the rest.
seen=$(sh_on initiator "$HOST
	nic mlx5 && roceguard policy load storage --on roce0 >/dev/null; settled roce0; sampled
	plant rx_prio3_pause 100; until_ok 10 total_is rx_pause 100 3; cat \$FILES/rx_pause \$FILES/rx_pause_us
	roceguard freeze >/dev/null; dcb pfc set dev roce0 prio-pfc 3:off 4:on; until_ok 10 total_is rx_pause_us - 3
	plant rx_prio4_pause 7; until_ok 10 total_is rx_pause 7 4; cat \$FILES/rx_pause \$FILES/rx_pause_us
	roceguard thaw >/dev/null; until_ok 10 total_is rx_pause_us 0 3; cat \$FILES/rx_pause \$FILES/rx_pause_us" 2>&1)
is "vanishing names: what is gone is absent, its total goes on when it is back" \
"0 0 0 100 0 0 0 0
- - - 0 - - - -
0 0 0 100 7 0 0 0
- - - - 0 - - -
0 0 0 100 7 0 0 0
- - - 0 - - - -" "$seen"

# Totals under resets and wraps, while frames and pauses come.

seen=$(sh_on initiator "$HOST
	nic plain && settled roce0; sampled
	ping -f -q -w 120 $TARGET >/dev/null & load=\$!
	plant link_down_events_phy \$((0xffffffff - 100)); until_ok 10 total_over link_downs \$((0xffffff00))
	before=\$(total link_downs); echo raw \$(stats roce0 link_down_events_phy)
	plant link_down_events_phy 200
	wrapped() { [[ \$(total link_downs) == \$((before + 200)) ]]; }
	until_ok 10 wrapped; echo wrap \$((\$(total link_downs) - before)) raw \$(stats roce0 link_down_events_phy)
	last=(); back=0 looks=0
	look() {
		local file value i
		for file in rx_bytes tx_bytes rx_packets tx_packets rx_pause link_downs; do
			i=0
			for value in \$(<\$FILES/\$file); do
				[[ \$value -ge \${was[\$file\$i]:-0} ]] || { back=\$((back + 1)); echo \"\$file \$i: \${was[\$file\$i]} then \$value\"; }
				was[\$file\$i]=\$value; i=\$((i + 1))
			done
		done
		looks=\$((looks + 1))
	}
	declare -A was
	for ((turn = 1; turn <= 3; turn++)); do
		plant rx_prio3_pause 1000
		for ((i = 0; i < 8; i++)); do look; nap 0.05; done
		until_ok 10 total_is rx_pause \$((turn * 1000)) 3
		echo reset > \$LABNIC/statistics
		for ((i = 0; i < 8; i++)); do look; nap 0.05; done
	done
	kill \$load; wait \$load 2>/dev/null
	echo back \$back looks \$looks pauses \$(total rx_pause 3) raw \$((\$(stats roce0 rx_prio3_pause) < 1000))" 2>&1)
note "$seen"
like "a 32-bit source wraps: its total goes on" "wrap 200 raw 9[0-9]$" "$(grep wrap <<<"$seen")"
is "a source is reset three times under load: no total goes back, and none is lost" \
	"back 0 looks 48 pauses 3000 raw 1" "$(grep back <<<"$seen")"

# Sets of any size, and sources that fail.

seen=$(sh_on initiator "$HOST
	for n in 750 4000 0; do
		echo \$n > \$LABNIC/statistics
		plant rx_prio3_pause 1; before=\$(total rx_pause 3)
		until_ok 10 total_over rx_pause \$before 3
		ethtool -S roce0 | grep -c : >/run/n; echo \$((\$(</run/n) - 1 >= n)) \$((\$(total rx_pause 3) - before))
	done" 2>&1 | xargs)
is "750 and 4000 statistics, and as few as before: the same counters" "1 1 1 1 1 1" "$seen"

seen=$(sh_on initiator "$HOST
	fault 'begin fail 5'; until_ok 10 total_is tx_bytes - 0
	echo ethtool \$(total tx_bytes 0) \$(total rx_pause 3 | sed 's/[0-9].*/there/') \$(total duplicate_request)
	fault clear; until_ok 15 total_over tx_bytes 0 0 && echo back
	fault 'getpfc fail 22'; sampled; echo dcbnl \$(total tx_bytes 0 | sed 's/[0-9].*/there/')
	fault clear; parameter prio_counters 1; before=\$(total rx_pause 3)
	provided() { [[ \$(calls read_prio) -gt 0 ]]; }; until_ok 15 provided; sampled
	fault 'read_prio fail 22'; until_ok 15 total_is rx_pause - 3
	echo provider \$(total rx_pause 3) \$(total tx_bytes 0 | sed 's/[0-9].*/there/')
	plant rx_prio3_pause 9; fault clear; until_ok 15 total_is rx_pause \$((before + 9)) 3 && echo back
	parameter prio_counters 0; plant rx_prio3_pause 2
	until_ok 15 total_is rx_pause \$((before + 11)) 3 && echo without" 2>&1)
is "a source that fails: its counters are absent, no others are lost, and totals go on" \
"ethtool - - 0
back
dcbnl there
provider - there
back
without" "$seen"

# Detached devices have no driver behind them, and are not called: labnic warns.
seen=$(sh_on initiator "$HOST
	echo 1 > \$LABNIC/detach; nap 1; echo 0 > \$LABNIC/detach; sampled
	journal roce0 | grep -c 'CALLED WHILE DETACHED'; until_ok 15 total_over tx_bytes 0 0 && echo counts" | xargs)
is "a device that is away is left alone, and counted when it is back" "0 counts" "$seen"

# fresh: soon, and not as often as it is asked for.
seen=$(sh_on initiator "$HOST
	every 1000; sampled; before=\$(samples); plant rx_prio3_pause 5; was=\$(total rx_pause 3)
	for ((i = 0; i < 20; i++)); do echo 'counters-get {\"ifname\":\"roce0\",\"fresh\":1}'; done |
		ask | sort | uniq -c | xargs
	until_ok 5 total_over rx_pause \$was 3 && echo soon; echo \$((\$(samples) - before < 20)); every 250" | xargs)
is "fresh asks for a sample and is answered at once" "20 ok soon 1" "$seen"

# The flight recorder.

# 6.1 and older have no words for a dump that does not begin, 6.12 and newer do.
no_words=
[[ $(printf '%s\n' 6.12 "$(on initiator uname -r)" | sort -V | head -n1) == 6.12 ]] ||
	no_words='s/EPERM: no words \[-\]/EPERM: only root (CAP_NET_ADMIN) may clear what is kept [.clear]/'
seen=$(sh_on initiator "$HOST
	history() { roceguard -j counters history roce0 \$1; }
	# moved FROZEN: by how much rx_pause of priority 3 did, each time
	moved() { history | jq -c \"[.[] | select(.frozen == \$1) | .moved[] | select(.counter == \\\"rx_pause\\\" and .priority == 3) | .amount]\"; }
	kept() { [[ \$(history | jq '[.[] | select(.frozen)] | length') -gt 2 ]]; }
	history --clear >/dev/null
	plant rx_prio3_pause 123
	recorded() { moved false | grep -q 123; }
	until_ok 10 recorded; moved false | grep -o 'null\|123'
	history | jq -c '([.[].time_ms] | (. == sort) and length > 2), ([.[] | select(.frozen)] == [])'
	ip link set eth1 down; nap 0.5; ip link set eth1 up; until_ok 10 carrier_is roce0 1
	until_ok 10 kept; history | jq -c '[.[] | select(.frozen) | .cause] | unique'
	moved true | grep -o 123
	ask <<'END' | jq -cR 'fromjson? // . | if type == \"array\" then [.[] | select(.frozen == 1) | .cause] | unique else . end'
incident-report {\"ifname\":\"roce0\",\"cause\":\"reconnect\"}
show:dump:counters-history-get {\"ifname\":\"roce0\",\"clear\":1}
show:dump:counters-history-get {\"ifname\":\"roce0\"}
incident-report {\"ifname\":\"roce0\",\"cause\":\"reconnect\"}
incident-report {\"ifname\":\"roce0\",\"cause\":\"storm\"}
END
	setpriv --reuid 65534 --regid 65534 --clear-groups /src/selftests/ynl-requests $SPEC \
		<<<'dump:counters-history-get {\"clear\":1}' |
		sed '$no_words'
	history --clear | jq -c '[.[] | select(.frozen) | .cause] | unique'; kept || echo read" 2>&1)
is "flight recorder: what moved, oldest first; kept at a lost link until it was read, and at a report" \
"123
true
true
[\"link-down\"]
123
\"ok\"
[\"link-down\"]
[]
\"ok\"
\"EINVAL: reconnect is the cause that is reported; the kernel sees the others itself [.cause]\"
EPERM: only root (CAP_NET_ADMIN) may clear what is kept [.clear]
[\"reconnect\"]
read" "$seen"

# A slow driver is asked more seldom, and its values tell their age.
seen=$(sh_on initiator "$HOST
	fault 'getstats delay 150'; sampled; sampled; fault_calls=\$(calls getstats); nap 2
	echo calls \$((\$(calls getstats) - fault_calls < 3))
	old() {
		ask <<<'show:counters-get {\"ifname\":\"roce0\"}' |
			jq -c '[.counter[] | select(.id == \"tx-bytes\") | .age > 0], [.counter[] | select(.id == \"duplicate-request\") | has(\"age\")]' |
			xargs
	}
	is_old() { seen=\$(old); [[ \$seen == '[true] [false]' ]]; }
	until_ok 10 is_old; echo \$seen
	fault clear" 2>&1 | xargs)
is "150 ms a reading: not more than once in some 3 s, and old values say so" "calls 1 [true] [false]" "$seen"

# However many ports there are, rtnl is there for others: one whose reading is no
# slow one takes as much of it, read often, as many ports do.
seen=$(sh_on initiator "$HOST
	fault 'getstats delay 60'; every 100; sampled; sampled; fault_calls=\$(calls getstats); nap 4
	fault_calls=\$((\$(calls getstats) - fault_calls)); echo some \$((fault_calls > 0)) few \$((fault_calls < 20)) of \$fault_calls
	fault clear; every 250; sampled" 2>&1 | xargs)
like "60 ms a reading, ten times a second: samples have rtnl for a fifth of the time" "^some 1 few 1 of [0-9]+$" "$seen"

# Readers take no rtnl: a driver that hangs has it.
seen=$(sh_on initiator "$HOST
	ms() {
		local begin=\${EPOCHREALTIME//[.,]}
		\"\$@\" >/dev/null 2>&1 || echo \"failed: \$*\"
		took=\$(((\${EPOCHREALTIME//[.,]} - begin) / 1000))
		((took < 1000)) || echo \"\$* took \$took ms\"
	}
	fault 'getstats hang 30000'
	hanging() { [[ \$(journal roce0) == *': hangs = 0'* ]]; }
	until_ok 15 hanging || echo does not hang
	before=\$(samples)
	ms cat \$FILES/*
	ask <<END
counters-get {\"ifname\":\"roce0\",\"fresh\":1}
dump:counters-get {}
dump:counters-history-get {\"ifname\":\"roce0\"}
END
	echo sampled \$((\$(samples) - before))
	fault release; fault clear
	more() { [[ \$(samples) -gt \$before ]]; }
	until_ok 10 more && echo again" 2>&1 | xargs)
is "a hung reading holds up no reader, and no more than itself" "ok ok ok sampled 0 again" "$seen"

# Off is off.
seen=$(sh_on initiator "$HOST
	every 0; nap 0.7; before=\$(samples); nap 1; echo \$((\$(samples) - before))
	every 250; roceguard port apply roce0 >/dev/null; sampled && echo again" | xargs)
is "sample_ms=0: nothing is read, and with 250 it is again after the next pass" "0 again" "$seen"
