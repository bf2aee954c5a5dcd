#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Others change what the policy holds: it is put back at once, told as it
# happens, kept in history, and no endless fight comes of it.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../storage.sh"
ktap_begin

# rival DEV KNOB 'COMMAND': COMMAND changes KNOB behind our back. Prints "MS US
# TRIGGER FROM -> TO": MS from before the command to the entry in history, US
# from the last write of the command to our first, by the NIC's journal; or
# "none" after three seconds.
RIVAL=$(cat <<'HOST'
rival() {
	local seq begin entry
	seq=$(last_seq)
	begin=$(date +%s%N)
	eval "$3" || { echo "failed: $3"; return 1; }
	corrected() {
		entry=$(roceguard -j history | jq -r ".[] |
			select(.seq > $seq and .ifname == \"$1\" and
				.knob == \"$2\" and .action == \"correction\") |
			[((.time_ns - $begin) / 1000000 | floor), .trigger, .from, \"->\", .to] |
			join(\" \")" | head -n 1)
		[[ $entry ]]
	}
	until_ok 3 corrected "$1" "$2" || { echo none; return 1; }
	echo "${entry%% *} $(awk '/ (dcb|ethtool): / { rival = $1; own = 0 }
		/ kworker/ && !/: (link|driver)/ && !own { own = $1 }
		END { printf "%d", 1000000 * (own - rival) }' \
		"/sys/kernel/debug/labnic/$1/journal") ${entry#* }"
}
monitor() {
	setsid roceguard monitor --timeout 120 > /run/monitor 2>&1 < /dev/null &
	echo $! > /run/monitor.pid
	sleep 0.5
}
HOST
)
HOST="$STORAGE; $RIVAL"

# corrected DESCRIPTION KNOB TRIGGER FROM-REGEX COMMAND: put right within a
# second, told by monitor.
corrected() {
	local seen ms us rest
	seen=$(sh_on initiator "$HOST
		rival roce0 $2 '$5' && until_ok 3 state_is roce0 enforced &&
		storage_held roce0" 2>&1)
	ms=${seen%% *}
	if [[ $seen =~ ^[0-9]+\ [0-9]+\ $3\ $4\ -\>\  && $ms -lt 1000 ]]; then
		pass "$1: put right at once, trigger $3"
		read -r ms us rest <<<"$seen"
		note "$us us after its write (within $ms ms of starting the command): $rest"
	else
		fail "$1: put right at once, trigger $3" "$seen"
	fi
	like "... monitor tells it as it happens: trigger, knob, from, to" \
		"roce0 $3 $2 corrected: $4 -> ${seen#*-> }" \
		"$(on initiator cat /run/monitor)"
}

fresh initiator || exit 1
defer 'fresh initiator'
# shellcheck disable=SC2016
defer 'sh_on initiator "kill \$(cat /run/monitor.pid) 2>/dev/null; rm -f /run/monitor*"'
sh_on initiator 'modprobe roceguard audit=0'
governed initiator
ok "the initiator holds the policy" wait_on initiator 10 "$(port_is roce0 enforced)"
sh_on initiator "$HOST; monitor"

corrected "dcb pfc set prio-pfc 3:off" pfc dcb-event none \
	"dcb pfc set dev roce0 prio-pfc 3:off"
# Without apptrust, which came with 6.2, trust follows the table.
if on initiator dcb apptrust show dev roce0 >/dev/null 2>&1; then
	apptrust=yes trust=dscp knobs='pfc dscp ets dscp'
else
	apptrust='' trust=pcp knobs='pfc dscp ets'
fi
corrected "dcb app flush" dscp dcb-event "trust $trust 26:0 48:0" \
	"dcb app flush dev roce0"
corrected "dcb ets set prio-tc 3:0" ets dcb-event '.*' \
	"dcb ets set dev roce0 prio-tc 3:0"
if [[ $apptrust ]]; then
	corrected "dcb apptrust set order pcp" dscp dcb-event 'trust pcp.*' \
		"dcb apptrust set dev roce0 order pcp"
else
	skip "dcb apptrust set order pcp" "this kernel has no apptrust"
fi
is "history -j has the corrections, by what and for which policy" \
	"$knobs dcb-event storage" \
	"$(sh_on initiator "roceguard -j history | jq -r '[.[] |
		select(.action == \"correction\" and .trigger == \"dcb-event\")] |
		([.[].knob] + ([.[].trigger] | unique) + ([.[].policy] | unique)) |
		join(\" \")'")"
like "history tells it to people" 'roce0 +dcb-event +pfc +corrected +none -> 3' \
	"$(on initiator roceguard history)"

# ethtool -A tells nobody.
seen=$(sh_on initiator "$HOST
	rival roce0 pause 'ethtool -A roce0 rx on tx on'; state_is roce0 enforced && echo unnoticed")
is "ethtool -A rx on tx on without audits: nobody is told of it" \
	"none unnoticed" "$(xargs <<<"$seen")"
ok "roceguard port apply" on initiator roceguard port apply roce0
like "... puts it right" 'RX:[[:space:]]+off.*TX:[[:space:]]+off' \
	"$(on initiator ethtool -a roce0)"
ok "with audits of a second: found by the next one" sh_on initiator "$HOST
	echo 1 > /sys/module/roceguard/parameters/audit
	roceguard port apply roce0 && ethtool -A roce0 rx on tx on
	off() { ! ethtool -a roce0 | grep -q 'on\$'; }
	until_ok 5 off"
is "... by the trigger audit, says history" "audit pause rx on tx on rx off tx off" \
	"$(sh_on initiator "roceguard -j history | jq -r '[.[] |
		select(.action == \"correction\")][-1] | [.trigger, .knob, .from, .to] | join(\" \")'")"
sh_on initiator 'echo 0 > /sys/module/roceguard/parameters/audit; roceguard port apply roce0 >/dev/null'

# Freeze: nothing is written, drift is told once.
seq=$(sh_on initiator "$HOST; last_seq")
on initiator roceguard freeze >/dev/null
seen=$(sh_on initiator "$HOST
	journal() { grep -c . /sys/kernel/debug/labnic/roce0/journal; }
	dcb pfc set dev roce0 prio-pfc 3:off
	until_ok 3 state_is roce0 drifted || echo not drifted
	before=\$(journal)
	dcb pfc set dev roce0 prio-pfc 4:on
	nap 0.5
	ip link set roce0 down && ip link set roce0 up
	until_ok 5 carrier_is roce0 1
	nap 0.5
	sed -n \"\$((before + 1)),\\\$p\" /sys/kernel/debug/labnic/roce0/journal | grep kworker | grep -v link
	hw roce0 pfc
	cat /sys/class/net/roce0/roceguard/{state,knobs/pfc}")
is "frozen: PFC stays as the rival set it, the port is drifted" \
	"0x10 drifted drifted" "$(xargs <<<"$seen")"
like "port show: names the remedy" "roceguard thaw" \
	"$(sh_on initiator 'roceguard port show | paste -sd" " | sed "s/  */ /g"')"
is "history: the drift, once" "drift pfc" \
	"$(sh_on initiator "roceguard -j history | jq -r '.[] |
		select(.seq > $seq and .action != \"request\") | .action + \" \" + .knob'")"
on initiator roceguard thaw >/dev/null
ok "thaw heals" sh_on initiator "$HOST
	until_ok 3 state_is roce0 enforced && storage_held roce0"

# Its questions are slowed down, so that events arrive between them.
ok "monitor attaches in a hail of events" sh_on initiator '
	touch /run/hail
	while [ -e /run/hail ]; do roceguard freeze; roceguard thaw; done >/dev/null 2>&1 &
	strace -o /dev/null -e trace=sendmsg -e inject=sendmsg:delay_enter=300000 \
		roceguard monitor --count 1 --timeout 20
	status=$?
	rm /run/hail
	wait
	exit $status'

# A rival that does not stop.
# fight SECONDS COMMAND...: the commands in turn, 20 times a second, but no longer
# than until there is `enough`.
FIGHT=$(cat <<'HOST'
enough() {
	false
}

fight() {
	local end=$((SECONDS + $1 + 1))
	shift
	while ((SECONDS < end)) && ! enough; do
		for command; do
			$command
		done
		nap 0.05
		writes=$((writes + 1))
	done
}
HOST
)
seq=$(sh_on initiator "$HOST; last_seq")
seen=$(sh_on initiator "$HOST; $FIGHT
	writes=0
	fight 6 'dcb pfc set dev roce0 prio-pfc 3:off'
	echo writes \$writes
	cat /sys/class/net/roce0/roceguard/{state,knobs/pfc}
	roceguard port show roce0 | paste -sd' ' | sed 's/  */ /g'
	roceguard -j history | jq '[.[] | select(.seq > $seq and .action == \"correction\")] | length'
	roceguard -j history | jq -r '.[] | select(.seq > $seq and .action == \"contest\") | .knob + \" \" + .verdict'")
{ read -r _ writes; read -r state; read -r knob; read -r show; read -r n; read -r contest; } <<<"$seen"
is "a rival at PFC all the time: contested" "contested contested" "$state $knob"
like "port show names the remedy" "stop it.*roceguard port apply" "$show"
ok "not an endless fight" test "$n" -ge 5 -a "$n" -le 12
note "$n corrections against $writes rounds of the rival"
is "history: contested, once" "pfc contested" "$contest"
like "monitor tells it" 'pfc contested' "$(on initiator cat /run/monitor)"
begin=$SECONDS
ok "the rival stops: enforced again by itself" sh_on initiator "$HOST
	until_ok 25 state_is roce0 enforced && storage_held roce0"
note "enforced $((SECONDS - begin)) s after the rival stopped"

on initiator roceguard port apply roce0 >/dev/null
# By history: the back-off of one may be over before that of the other begins.
seen=$(sh_on initiator "$HOST; $FIGHT
	seq=\$(last_seq)
	contested() {
		roceguard -j history | jq -r \"[.[] | select(.seq > \$seq and
			.action == \\\"contest\\\") | .knob] | unique | join(\\\" \\\")\"
	}
	enough() { [[ \$(contested) == 'dscp pfc' ]]; }
	writes=0
	fight 20 'dcb pfc set dev roce0 prio-pfc 3:off' 'dcb app flush dev roce0'
	contested; cat /sys/class/net/roce0/roceguard/knobs/ets
	until_ok 25 state_is roce0 enforced && storage_held roce0 && echo healed")
is "two knobs fought over: both contested, others held, healed after" \
	"dscp pfc held healed" "$(xargs <<<"$seen")"

# A NIC that drops its link when PFC is written, and whose default map puts
# DSCP 24 to 31 into priority 3. What drops may cost is for another test.
sh_on initiator "$HOST; nic mlx5
	echo 0 > /sys/module/roceguard/parameters/drops_apart
	echo 8 > /sys/module/roceguard/parameters/drops_daily"
# shellcheck disable=SC2016
defer 'sh_on initiator "$HOST; nic plain"'
is "mlx5: it is one" mlx5 "$(on initiator cat /sys/kernel/debug/labnic/roce0/personality)"
# Settled: nothing pending of the second look after register.
ok "mlx5: enforced, dcb agrees" sh_on initiator "$HOST
	settled() { state_is roce0 enforced && carrier_is roce0 1; }
	until_ok 10 settled; nap 2; until_ok 10 settled && storage_held roce0"
is "mlx5: priority 3 carries DSCP 26 and no other, priority 6 DSCP 48" "26:3 48:6" \
	"$(sh_on initiator "$HOST; hw roce0 dscp2prio" | tr ' ' '\n' |
		awk '$1 == 3 || $1 == 6 { printf "%s%d:%d", n++ ? " " : "", NR - 1, $1 }')"

# drops: the link drops that the NIC counts, and those that we count as ours.
# shellcheck disable=SC2016
drops='$(stats roce0 link_down_events_phy) $(cat /sys/class/net/roce0/roceguard/link_drops)'
read -r down ours <<<"$(sh_on initiator "$HOST; echo $drops")"
before=$ours
corrected "mlx5: dcb pfc set prio-pfc 3:off" pfc '(dcb-event|carrier)' none \
	"dcb pfc set dev roce0 prio-pfc 3:off"
seen=$(sh_on initiator "$HOST
	until_ok 5 carrier_is roce0 1; nap 1
	echo $drops; nap 5; echo $drops; state_is roce0 enforced && echo enforced")
{ read -r down1 ours1; read -r down2 ours2; read -r state; } <<<"$seen"
# The rival's write drops the link too: ours comes just before that, or in it.
ok "mlx5: we dropped the link for it once at most" \
	test $((ours1 - before)) -le 1
ok "mlx5: it went down for the rival's write and ours, no more" \
	test $((down1 - down)) -ge 1 -a $((down1 - down)) -le 2
is "mlx5: no loop, the link stays up for the next five seconds" \
	"$down1 $ours1 enforced" "$down2 $ours2 $state"
note "the NIC counts $((down1 - down)) link drops, $((ours1 - before)) of ours"
# Thawed with the link up, so that the drop is ours alone.
seen=$(sh_on initiator "$HOST
	roceguard freeze >/dev/null; dcb pfc set dev roce0 prio-pfc 3:off; nap 1
	until_ok 5 carrier_is roce0 1; echo $drops; roceguard thaw >/dev/null; nap 1
	until_ok 5 carrier_is roce0 1; storage_held roce0; echo $drops; nap 5; echo $drops
	roceguard -j history | jq '.[-1] | .knob == \"pfc\" and .link_drop'")
{ read -r down ours; read -r down1 ours1; read -r down2 ours2; read -r told; } <<<"$seen"
is "mlx5: a correction with the link up costs one link drop, counted as ours" \
	"1 1" "$((down1 - down)) $((ours1 - ours))"
is "mlx5: ... history says so" true "$told"
is "mlx5: ... and no other follows within five seconds" "$down1 $ours1" "$down2 $ours2"
corrected "mlx5: dcb app flush" dscp dcb-event '.*26:[^3].*' \
	"dcb app flush dev roce0"
is "mlx5: ... at no cost of link drops" "$down2 $ours2" \
	"$(sh_on initiator "$HOST; nap 1; echo $drops")"
