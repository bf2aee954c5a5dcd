#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Every call to the driver and its provider fails once, in turn; every operation
# fails for good; drivers ignore, alter, lie and hang. The verdict and history have
# to say so, what could be held is, and all is when the fault has gone.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../storage.sh"
ktap_begin

FAULTS=$(cat <<'HOST'
shopt -s extglob
HW=/sys/kernel/debug/labnic/roce0/hw
FAULTS=/sys/kernel/debug/labnic/roce0/faults
SYS=/sys/class/net/roce0/roceguard

settings() { settings=$(<"$HW"); settings=${settings#*recovering}; }

# still: the driver has been called, and is no longer.
still() {
	local before= after=
	for ((i = 0; i < 100; i++)); do
		nap 0.06
		after=$(<"$FAULTS")
		[[ $after != "$before" || ! $after =~ (get|set)[a-z]*:\ [1-9] ]] || return 0
		before=$after
	done
	return 1
}

# lose: the hardware has lost everything, and a pass is due. One MTU and another,
# for nothing else is told of it in this way.
lose() {
	mtu=$((mtu == 1400 ? 1300 : 1400))
	ip link set roce0 mtu $mtu
	still
}

# verdicts: not held, "KNOB:VERDICT ..."
verdicts() {
	local knob verdict
	verdicts=
	for knob in "$SYS"/knobs/*; do
		read -r verdict < "$knob"
		[[ $verdict == @(held|corrected|unmanaged) ]] ||
			verdicts+="${knob##*/}:$verdict "
	done
}

# rules: what has to be true whatever has failed. The power-on state has global
# pause on and PFC off.
rules() {
	local hw pfc pause
	hw=$(<"$HW")
	[[ $hw =~ pfc:\ (0x[0-9a-f]+) ]] && pfc=${BASH_REMATCH[1]}
	[[ $hw =~ pause_rx:\ ([01]).*pause_tx:\ ([01]) ]] && pause=${BASH_REMATCH[1]}${BASH_REMATCH[2]}
	# Never without either.
	[[ $pfc == 0x00 && $pause != 11 ]] && echo "neither PFC nor pause: $verdicts"
	[[ $verdicts ]] || return 0
	[[ $verdicts == *pfc:* || $pfc == 0x08 ]] || echo "PFC $pfc is not what its verdict says: $verdicts"
}

# healed: without the fault all is held, as it was: by itself what is pending, the
# rest at the latest when it is asked for.
healed() {
	local state
	fault clear
	read -r state < "$SYS/state"
	settings
	[[ $state != enforced || $settings != "$golden" ]] || return
	[[ $state == pending ]] || roceguard port apply roce0 > /dev/null 2>&1
	until_ok 5 state_is roce0 enforced || { echo "stays $(<"$SYS/state") ($verdicts)"; return; }
	settings
	[[ $settings == "$golden" ]] || echo "settings differ ($verdicts)"
}

# try WHAT ERRNO: lets WHAT fail in a pass that corrects everything. Once more where
# this machine is so busy that a call takes a second and the port is sick of it.
try() {
	local again
	for again in 1 2 3; do
		fault clear
		fault "$1"
		lose
		read -r state < "$SYS/state"
		[[ $state == sick && $2 != 5 ]] || break
		healed > /dev/null
	done
	verdicts
}

# each CALLS ERRNO FROM STEP: fails call FROM, FROM + STEP ... in turn. Prints what
# is wrong, and a count of states and verdicts.
each() {
	local n state trouble seen=
	for ((n = $3; n < 400; n += $4)); do
		try "$1 fail $2 nth $n" $2
		[[ $(<"$FAULTS") == *' hits 1'* ]] || break
		seen+="$state ${verdicts:-all held}"$'\n'
		trouble=$(rules; healed)
		[[ -z $trouble ]] || echo "call $n: $trouble" | paste -sd' '
	done
	echo "$((n - $3)) calls"
	sort <<<"${seen%$'\n'}" | uniq -c
}

# prepare: a NIC that has all that the policy says, and loses it with its MTU.
prepare() {
	nic plain; settled roce0
	echo 'all mtu' > /sys/kernel/debug/labnic/roce0/lose
	ip link set roce0 mtu 1400
	settled roce0
	settings; echo "$settings" > /run/golden
}

again() {
	fault clear
	golden=$(</run/golden)
	read -r mtu < /sys/class/net/roce0/mtu
}

HOST
)
HOST="$STORAGE; $FAULTS"

fresh initiator || exit 1
# shellcheck disable=SC2016
defer 'sh_on initiator "$HOST; rm -f /run/all.conf /run/golden; ip link del veth0 2>/dev/null; nic plain" && fresh initiator'
sh_on initiator "$HOST; modprobe roceguard audit=0 sample_ms=0 drops_apart=0 drops_daily=8; load_all; prepare" || exit 1

# turn NAME ERRNO CALLS FROM STEP STATES: each call in turn; STATES may be seen.
turn() {
	local out wrong
	out=$(sh_on initiator "$HOST; again; seq=\$(last_seq)
		each $3 $2 $4 $5
		echo \"history \$(roceguard -j history | jq -r \"[.[] | select(.seq > \$seq and .errno) |
			\\\"\\(.errno) \\(.verdict)\\\"] | unique | join(\\\", \\\")\")\"" 2>&1)
	note "$1: $out"
	wrong=$(grep -E 'call [0-9]+:' <<<"$out")
	if [[ -z $wrong && $out =~ ([0-9]+)\ calls && ${BASH_REMATCH[1]} -ge 40 ]]; then
		pass "$1 for each call in turn: never neither PFC nor pause, all held after it"
	else
		fail "$1 for each call in turn: never neither PFC nor pause, all held after it" "$out"
	fi
	unlike "$1: ... no other state than $6" \
		"(^|"$'\n'") +[0-9]+ (${7})" "$out"
	like "$1: ... and history has no other errno and verdict" "history ($8)?"$'\n'"?$" "$out"
}
# Each call meets one of them.
turn EINVAL 22 any 1 2 'enforced or degraded' 'sick|pending|drifted|contested' '22 refused'
turn EBUSY 16 any 2 8 'enforced or pending' 'sick|degraded|drifted|contested' '16 pending'
turn EIO 5 any 4 8 'sick' 'degraded|pending|drifted|contested' '5 refused'
turn EOPNOTSUPP 95 any 6 8 'enforced or degraded' 'sick|pending|drifted|contested' '95 unsupported'
turn ENOMEM 12 any 8 8 'enforced or pending' 'sick|degraded|drifted|contested' '12 pending'

# An operation that never works again: its knob alone suffers, and PFC and pause
# for each other.
seen=$(sh_on initiator "$HOST; again
	for op in \$(sed -n 's/: [0-9]*\$//p' \$FAULTS); do
		try \"\$op fail 22\" 22
		echo \"\$op: \${verdicts:-all held}\" \$(rules)
		trouble=\$(healed); [[ -z \$trouble ]] || echo \"\$op: \$trouble\"
	done")
note "$seen"
is "an operation that always fails: its knob is refused, all others are held" \
"getets: ets:refused
setets: ets:refused
getmaxrate: maxrate:refused
setmaxrate: maxrate:refused
getpfc: pause:refused pfc:refused
setpfc: pause:refused pfc:refused
setapp: dscp:refused
delapp: dscp:refused
getdcbx: dcbx:refused
setdcbx: all held
getbuffer: buffer:refused
setbuffer: buffer:refused
getapptrust: dscp:refused
setapptrust: dscp:refused
begin: pause:refused storm-prevention:refused
getpause: all held
setpause: pause:refused
getstorm: storm-prevention:refused
setstorm: storm-prevention:refused
getstats: all held
read_hw: all held
read_prio: all held
getecn: ecn:refused
setecn: ecn:refused
getparam: cnp:refused dcqcn:refused
setparam: dcqcn:refused" "$(sed 's/ *$//' <<<"$seen")"

# lying FAULT: the verdict, its words, how often it was written, global pause.
lying() {
	sh_on initiator "$HOST; again; fault '$1 $2'; lose
		knob $3 verdict; knob $3 reason; calls $4; rules
		roceguard port apply roce0 >/dev/null 2>&1; still; calls $4
		echo pause \$(hw roce0 pause_rx) pfc \$(hw roce0 pfc)
		healed; echo healed" | paste -sd'|'
}
words='the driver took it and reads back otherwise; see the kernel log and its firmware'
is "a lying read-back is refused in words, after two writes a pass; pause stays" \
	"refused|$words|2|4|pause 1 pfc 0x08|healed" "$(lying getpfc alter pfc setpfc)"
is "hardware that lies likewise" \
	"refused|$words|2|4|pause 1 pfc 0x08|healed" "$(lying read_hw alter pfc setpfc)"
is "a setting that is silently ignored likewise" \
	"refused|$words|2|4|pause 1 pfc 0x00|healed" "$(lying setpfc ignore pfc setpfc)"
is "a setting that is silently changed likewise" \
	"refused|$words|2|4|pause 0 pfc 0x08|healed" "$(lying setets alter ets setets)"

# A call that hangs has rtnl, by the core's rules. Nothing else waits for it.
seen=$(sh_on initiator "$HOST
	ip link add veth0 type veth peer name veth1 && ip link set veth1 up
	ip link add link veth0 name roce1 type labnic && ip link set roce1 up
	again; settled roce1
	ms() {
		local begin=\${EPOCHREALTIME//[.,]}
		\"\$@\" >/dev/null 2>&1 || echo \"failed: \$*\"
		took=\$(((\${EPOCHREALTIME//[.,]} - begin) / 1000))
		((took < 1000)) && within+=\"\$took \" || echo \"\$* took \$took ms\"
	}
	fault 'setpfc hang 30000'
	ip link set roce0 mtu \$((mtu == 1400 ? 1300 : 1400))
	hanging() { [[ \$(journal roce0) == *': hangs = 0'* ]]; }
	until_ok 5 hanging || echo does not hang
	echo 1 > /sys/kernel/debug/labnic/roce1/reset
	ms roceguard port show
	ms roceguard -j port show
	ms roceguard policy show
	ms roceguard history
	ms cat /sys/class/net/roce{0,1}/roceguard/{state,policy,corrections}
	ms eval 'roceguard port apply roce1 --wait 0 || :'
	nap 1.1		# over a second: sick
	echo during \$(</sys/class/net/roce1/roceguard/state)
	begin=\${EPOCHREALTIME//[.,]}
	fault release
	corrected() { [[ \$(hw roce1 pfc) == 0x08 ]]; }
	until_ok 5 corrected || echo roce1 is not corrected
	took=\$(((\${EPOCHREALTIME//[.,]} - begin) / 1000))
	until_ok 5 state_is roce0 sick; echo roce0 \$(<\$SYS/state)
	until_ok 5 state_is roce1 enforced; echo roce1 \$(</sys/class/net/roce1/roceguard/state)
	fault clear; roceguard port apply roce0 >/dev/null; until_ok 5 state_is roce0 enforced
	echo roce0 \$(<\$SYS/state)
	echo \"+ answered within \$within ms; roce1 right \$took ms after the release\"
	ip link del veth0" 2>&1)
note "while a call hangs: $(sed -n 's/^+ //p' <<<"$seen")"
is "a hung call: questions are answered within a second, its port is sick, the other is right after it" \
	"during enforced roce0 sick roce1 enforced roce0 enforced" "$(grep -v '^+' <<<"$seen" | xargs)"

seen=$(sh_on initiator "$HOST; again; fault 'setpfc delay 200'; lose
	until_ok 5 state_is roce0 enforced && roceguard -j history |
		jq '[.[] | select(.knob == \"pfc\" and .action == \"correction\")][-1].duration_us >= 200000'
	healed")
is "a slow call is no fault, and history says how long it took" true "$(xargs <<<"$seen")"
