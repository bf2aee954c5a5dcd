#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The link flaps, the NIC's firmware is reset: the kernel alone puts the policy
# back each time, under an NVMe/RDMA connection in use. Audits are off, so that
# only link events can be what makes it do so.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../storage.sh"
ktap_begin

FLAPS=20
RESETS=20
KIB=8192	# of data that lie still on the disk
DISK=/dev/nvme0n1

fresh target initiator || exit 1
defer 'fresh initiator target'
lab target >/dev/null || exit 1
governed target
ok "the target holds the policy" wait_on target 10 "$(port_is roce0 enforced)"
sh_on initiator 'modprobe roceguard audit=0'
governed initiator
ok "the initiator holds the policy" wait_on initiator 10 "$(port_is roce0 enforced)"
ok "roceguard connect" on initiator roceguard connect -a "$TARGET" -s "$PORT" \
	-n "$NQN" --reconnect-delay 1 --ctrl-loss-tmo 120 --keep-alive-tmo 5
ok "the disk is there" wait_on initiator 10 "[ -b $DISK ]"

# frames HOST: RoCE frames sent, those without PFC, those of connection set-up
# without PFC.
frames() {
	sh_on "$1" "$STORAGE; echo \$(for i in frames unprotected unprotected_cm; do
		stats roce0 tx_roce_\$i; done)"
}

# The first part lies still, the second is written and read back all the time:
# "bad" tells of what failed or came back changed.
sh_on initiator "
	mkdir -p /run/flaps && cd /run/flaps || exit
	head -c $((KIB * 1024)) /dev/urandom > data
	dd if=data of=$DISK bs=1M oflag=direct status=none || exit
	sha256sum < data > still
	cat > load <<-'LOAD'
		cd /run/flaps
		n=0
		while [ -e on ]; do
			head -c 262144 /dev/urandom > new
			dd if=new of=$DISK bs=64k seek=1024 oflag=direct status=none &&
			dd if=$DISK bs=64k skip=1024 count=4 iflag=direct status=none |
				cmp -s - new || echo bad >> bad
			n=\$((n + 1))
			echo \$n > count
			sleep 0.2
		done
		touch ended
	LOAD
	touch on
	setsid bash load > load.log 2>&1 < /dev/null &" || exit 1
defer 'sh_on initiator "rm -rf /run/flaps"'
# shellcheck disable=SC2016
ok "the disk is in use" wait_on initiator 10 '(($(cat /run/flaps/count) > 1))'
is "the helper is not running" "" "$(on initiator pgrep -x roceguard)"

# Runs in the host. "down" and "up" ask for the cable to be pulled and put
# back, "good" and "bad" tell how a flap went.
flaps() {
	sh_on initiator "$STORAGE
	anew() {
		state_is roce0 enforced && trigger_is roce0 carrier &&
		((\$(passes roce0) > before))
	}
	flap() {
		echo down
		until_ok 5 carrier_is roce0 0 || { echo 'bad: the link stays up'; return; }
		nap 0.2
		before=\$(passes roce0)
		echo up
		until_ok 5 carrier_is roce0 1 || { echo 'bad: the link stays down'; return; }
		until_ok 5 anew || {
			echo bad: \$(cat /sys/class/net/roce0/roceguard/{state,trigger}) \
				\"\$(passes roce0) passes, \$before with the link down\"
			return
		}
		seen=\$(storage_held roce0) && echo good || echo bad: \$seen
	}
	for i in \$(seq $FLAPS); do
		flap
	done"
}

read -r sent none none_cm <<<"$(frames initiator)"
read -r _ target_none _ <<<"$(frames target)"
good=0 begin=$SECONDS
while read -r word rest; do
	case $word in
	up | down) lab link initiator "$word" </dev/null ;;
	good) good=$((good + 1)) ;;
	*) note "$word $rest" ;;
	esac
done < <(flaps 2>&1)
lab link initiator up
is "$FLAPS link flaps: each time a pass by the link, port enforced, dcb agrees" \
	$FLAPS $good
note "$FLAPS flaps in $((SECONDS - begin)) s"
read -r now now_none now_cm <<<"$(frames initiator)"
ok "RoCE frames left between the flaps" test "$now" -gt "$sent"
note "RoCE frames over $FLAPS flaps: $((now - sent)), without PFC on their priority: $((now_none - none)), connection set-up without PFC: $((now_cm - none_cm))"
is "none of them left while PFC on its priority was off" 0 $((now_none - none))
sent=$now none=$now_none none_cm=$now_cm

# Resets, all inside the host. A line each: what was wrong, or how many ms after
# the loss of its settings the NIC had PFC back, and how many before link-up.
resets() {
	sh_on initiator "$STORAGE
	nic=/sys/kernel/debug/labnic/roce0
	up() { [[ \$(hw roce0 link) == up ]]; }
	whole() { state_is roce0 enforced && [[ \$(hw roce0 pfc) == 0x08 ]]; }
	# One pass as the link goes down, one as it is up again. A reset before that
	# one has run would let it find a NIC whose driver has noticed nothing.
	passed() { ((\$(passes roce0) >= before + 2)); }
	for i in \$(seq $RESETS); do
		before=\$(passes roce0)
		echo 1 > \$nic/reset
		until_ok 5 up || { echo \"bad \$i: the link stays down\"; continue; }
		until_ok 5 passed || { echo \"bad \$i: no pass at link-up\"; continue; }
		until_ok 5 whole || { echo \"bad \$i: not enforced\"; continue; }
		seen=\$(storage_held roce0) || { echo \"bad \$i:\" \$seen; continue; }
		awk '/: firmware reset/ { reset = \$1; up = pfc = 0 }
			/: link up/ { up = \$1 }
			/ kworker.*: pfc 0x08/ { pfc = \$1 }
			END { printf \"good %d %d\\n\", 1000 * (pfc - reset), 1000 * (up - pfc) }' \$nic/journal
	done"
}

seq=$(sh_on initiator "$STORAGE; last_seq")
begin=$SECONDS
seen=$(resets)
is "$RESETS firmware resets: each time the port is enforced again, dcb agrees" \
	$RESETS "$(grep -c '^good' <<<"$seen")"
grep '^bad' <<<"$seen" | sed 's/^/# /'
note "$RESETS resets in $((SECONDS - begin)) s"
note "$(awk '/^good/ { n++; sum += $2; if ($2 > max) max = $2
			if (n == 1 || $3 < least) least = $3 }
	END { if (n) printf "PFC is back %.0f ms after the loss on average, %d ms at worst, and that at least %d ms before link-up", sum / n, max, least }' <<<"$seen")"
is "history: all five knobs put back each time, by link events alone" \
	"carrier dscp $RESETS,carrier ecn $RESETS,carrier ets $RESETS,carrier pause $RESETS,carrier pfc $RESETS" \
	"$(sh_on initiator "roceguard -j history | jq -r '.[] |
		select(.seq > $seq and .action == \"correction\") |
		.trigger + \" \" + .knob' | sort | uniq -c | awk '{ print \$2, \$3, \$1 }' | paste -sd,")"
read -r now now_none now_cm <<<"$(frames initiator)"
note "RoCE frames over $RESETS resets: $((now - sent)), without PFC on their priority: $((now_none - none)), connection set-up without PFC: $((now_cm - none_cm))"
is "no rival is seen in it" 0 \
	"$(on initiator cat /sys/class/net/roce0/roceguard/drifts)"
is "no link was dropped by us" 0 \
	"$(on initiator cat /sys/class/net/roce0/roceguard/link_drops)"

on initiator rm -f /run/flaps/on
ok "the load ends" wait_on initiator 60 '[ -e /run/flaps/ended ]'
ok "the controller is live" wait_on initiator 60 'grep -qx live /sys/class/nvme/nvme0/state'
is "what was written meanwhile was read back, $(on initiator cat /run/flaps/count) times" \
	"" "$(sh_on initiator 'cd /run/flaps && [ ! -e bad ] || cat bad; cat load.log')"
is "the data written before are intact (sha256)" \
	"$(on initiator cat /run/flaps/still)" \
	"$(sh_on initiator "dd if=$DISK bs=1M count=$((KIB / 1024)) iflag=direct status=none | sha256sum")"
read -r _ now_none _ <<<"$(frames target)"
is "the target sent none without PFC either" 0 $((now_none - target_none))
