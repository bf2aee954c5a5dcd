#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# How the helper shows counters: columns, widths, JSON, what moved, lines and the
# full screen of watch, the time stamps of monitor, and what is no way to ask.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../storage.sh"
ktap_begin

SHOW=$(cat <<'HOST'
# widest: columns of the longest line
widest() { LC_ALL=C.UTF-8 awk '{ n = length($0); if (n > most) most = n } END { print most + 0 }'; }
talk() { ping -q -i 0.2 -Q 104 -c "${1:-15}" 192.168.20.100 >/dev/null; }
HOST
)
HOST="$STORAGE; $SHOW"

fresh initiator || exit 1
defer 'fresh initiator'
governed initiator || exit 1
ok "the initiator holds the policy" wait_on initiator 10 "$(port_is roce0 enforced)"
ok "roce0 is sampled" wait_on initiator 10 \
	"roceguard -j counters show roce0 | jq -e '.[0].samples > 1'"

seen=$(sh_on initiator "$HOST; talk 5; sleep 2; roceguard counters show roce0")
like "counters show: who counts, and how old that is" \
	'roce0: driver labnic, RDMA rxe0, sampled [0-9.]+ m?s ago, sample [0-9]+, read in [0-9]+ us' \
	"$(tr '\n' ' ' <<<"$seen")"
like "... a column for each priority that counted" \
	$'\n''  PER PRIORITY      UNIT        AGE +PRIO 0.* +PRIO 3' "$seen"
like "... a row for each counter, with unit and age" \
	$'\n''  tx_bytes          bytes   +[0-9.]+ m?s +[0-9]+.* +[1-9][0-9]+' "$seen"
like "... and those of the port" $'\n''  link_downs        events  +[0-9.]+ m?s +[0-9]+' "$seen"
like "... others are named in a line" $'\n''  all is 0 on priority.* 7' "$seen"
is "... in 80 columns, and in 60 if there are no more" "80 60" "$(sh_on initiator "$HOST
	for n in 80 60; do
		seen=\$(COLUMNS=\$n roceguard counters show roce0 | tail -n +3 | widest)
		((seen <= n)) && echo \$n || echo \"\$seen, not \$n\"
	done" | paste -sd' ')"
is "... and all of it without a name, too" yes "$(sh_on initiator \
	'roceguard counters show | grep -q "^roce0:" && echo yes')"

is "JSON is stable: what there is to a port" \
	"age_ms ages_ms driver ifindex ifname port priorities rdma_device read_us samples storms" \
	"$(sh_on initiator 'roceguard -j counters show roce0 | jq -r ".[0] | keys | join(\" \")"')"
is "... eight priorities, and numbers are numbers" "0 1 2 3 4 5 6 7 number" \
	"$(sh_on initiator 'roceguard -j counters show roce0 | jq -r ".[0].priorities |
		([.[].priority] | join(\" \")) + \" \" + (.[3].tx_bytes | type)"')"
is "... as the driver says it" same "$(sh_on initiator "$HOST
	for i in 1 2 3 4 5; do
		driver=\$(stats roce0 tx_prio3_packets)
		sleep 2.5
		shown=\$(roceguard -j counters show roce0 | jq '.[0].priorities[3].tx_packets')
		[ \"\$shown\" = \"\$driver\" ] && break
	done
	[ \"\$shown\" = \"\$driver\" ] && echo same || echo \"\$shown, not \$driver\"")"
is "... what is absent is neither there nor 0" absent "$(sh_on initiator '
	roceguard -j counters show roce0 | jq -r ".[0].priorities[3] |
		if has(\"rx_marked\") then \"there\" else \"absent\" end"')"

seen=$(sh_on initiator "$HOST; talk & roceguard counters show roce0 -d 3; wait")
like "-d: what moved, by how much and at what rate" \
	$'roce0, in [0-9.]+ s:\n''  COUNTER           PRIO +AMOUNT +RATE.*''  tx_packets +3 +[0-9]+ packets +[0-9.]+/s' "$seen"
unlike "... and only that" ' 0 (packets|frames|events)| 0 B' "$seen"
is "... in JSON with the rate that follows from it" true "$(sh_on initiator "$HOST
	talk & roceguard -j counters show roce0 -d 3 | jq '[.[0].moved[] |
		select(.counter == \"tx_packets\" and .priority == 3) |
		.amount > 0 and .ms > 0 and
		(.per_second - .amount * 1000 / .ms | fabs) < 0.01] == [true]'
	wait")"

seen=$(sh_on initiator "$HOST; talk 25 & COLUMNS=80 roceguard counters watch roce0 -n 4; wait")
like "watch: a line for each priority, under a heading" \
	'TIME     PORT       PRIO RX_PAUSE RX_PSD TX_PAUSE TX_PSD         RX         TX' "$seen"
like "... with rates" '[0-9:]{8} roce0 +3 +[0-9.-]+(/s)? +[0-9.%-]+ +[0-9.-]+(/s)? +[0-9.%-]+ +[0-9.kM]+bit/s +[1-9][0-9.kM]*bit/s' "$seen"
is "... in 80 columns, and in 40" "80 40" "$(sh_on initiator "$HOST
	for n in 80 40; do
		seen=\$(COLUMNS=\$n roceguard counters watch -n 2 | widest)
		((seen <= n && seen)) && echo \$n || echo \"\$seen, not \$n\"
	done" | paste -sd' ')"
is "... with -j an object a line: priorities, and the port" "object true" "$(sh_on initiator "$HOST
	talk 15 & roceguard -j counters watch roce0 -n 3 > /tmp/watch; wait
	jq -r 'type' /tmp/watch | sort -u
	jq -s 'any(.priority == 3 and .per_second.tx_packets > 0) and any(has(\"priority\") | not) and all(.time_ns > 0)' /tmp/watch" | paste -sd' ')"
seen=$(sh_on initiator "$HOST; talk 25 &
	TERM=xterm LANG=C.UTF-8 timeout 60 script -qec 'stty rows 24 cols 90; roceguard counters watch roce0 -n 5' /dev/null < /dev/null; wait")
like "on a terminal it has the whole screen" $'\e\\[[?]1049h.*roce0.*prio 3.*\e\\[[?]1049l' "$seen"
like "... with bars for the past" '[▁▂▃▄▅▆▇█]' \
	"$(sh_on initiator "$HOST; talk 25 &
	(sleep 1; for i in 1 2 3 4 5; do printf s; sleep 0.2; done; sleep 3; printf q) |
	TERM=xterm LANG=C.UTF-8 timeout 60 script -qec 'stty rows 24 cols 90; roceguard counters watch roce0' /dev/null; wait")"
like "... and a terminal that cannot do that has lines" '[0-9:]{8} roce0 +3 ' \
	"$(sh_on initiator "TERM=nonsense timeout 60 script -qec 'roceguard counters watch roce0 -n 2' /dev/null < /dev/null")"

seen=$(sh_on initiator 'roceguard monitor --count 1 --timeout 30 > /tmp/text &
	roceguard -j monitor --count 1 --timeout 30 > /tmp/json &
	sleep 1; dcb pfc set dev roce0 prio-pfc 3:off; wait
	grep -Ec "^[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3} " /tmp/text
	jq -s "length, all(.time_ns > 1000000000000000000 and (.event | type) == \"string\")" /tmp/json')
is "monitor: a time before every line, with -j an object a line with its time" \
	"1 1 true" "$(xargs <<<"$seen")"

misused() {
	local what=$1 regex=$2 seen status
	shift 2
	seen=$(on initiator roceguard "$@" 2>&1 >/dev/null) && status=0 || status=$?
	if [[ $status == 1 && $seen =~ ^roceguard:\ $regex ]]; then
		pass "$what: ${seen%%$'\n'*}"
	else
		fail "$what" "exit $status: $seen"
	fi
}
misused "no command" 'a word is missing' counters
misused "another word" 'what is "sow"\?' counters sow
misused "two ports" 'what is "roce1"\?' counters show roce0 roce1
misused "no time" '-d needs a value' counters show -d
misused "no number" '-d 0: use a number from 1 to 3600' counters show -d 0
misused "no round" '-n 0: use a number from 1 to' counters watch -n 0
misused "too long" '-i 3601: use a number from 1 to 3600' counters watch -i 3601
misused "an option of another" 'what is "--clear"\?' counters show --clear
for command in "counters show" "counters watch -n 1" "counters history" check doctor; do
	# shellcheck disable=SC2086
	refused "no such port, $command" 2 "^roceguard: ${command%% -*}: " initiator \
		roceguard $command nosuch0
done
