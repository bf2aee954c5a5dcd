#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A port that stands for a VF or SF, or is one: its QoS is that of the uplink. Every
# knob is refused in words that name the uplink as it is called now, and nothing is
# written; the uplink itself is governed.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../storage.sh"
ktap_begin

CARD=$(cat <<'HOST'
FUNCTION=/sys/kernel/debug/labnic/function
# on_card NAME FUNCTION: a NIC that is this function of the host's card
on_card() {
	echo "$2" > $FUNCTION
	ip link add "under$1" type dummy && ip link set "under$1" up
	ip link add link "under$1" name "$1" type labnic && ip link set "$1" up
}
off_card() { ip link del "under$1"; }
# with_all_knobs: a policy for all that is on the card
with_all_knobs() {
	{
		sed 's/^RDMA=yes/Name=card*\nRDMA=no/' /usr/share/roceguard/profiles/storage.conf
		printf '[DCBX]\nMode=host\n[MaxRate]\nTC=0:none 1:2550Mbit\n'
		printf '[Buffer]\nSize=0:20480 1:131072\nPriority=3:1\n'
	} > /run/card.conf
	roceguard policy load /run/card.conf --wait 0 >/dev/null 2>&1
}
# words NAME: what the knobs that the policy names have in common, and their number
words() {
	roceguard -j port show "$1" | jq -r '[.[0].knobs[] | select(.verdict != "unmanaged")] |
		"\([.[] | .verdict + ": " + .reason] | unique | join(", ")) \(length > 6)"'
}
# blames NAME WORDS
blames() { [[ $(words "$1") == "refused: this is $2; set it there true" ]]; }
# calls NAME: those that reached its driver and ask for DCB or set anything; its
# statistics are its own
calls() {
	awk '$2 > 0 && !/getstats/ && /dcb|ieee|pfc|ets|app|maxrate|buffer|pause|set|ecn|param/' "/sys/kernel/debug/labnic/$1/faults"
}
again() { roceguard port apply "$1" >/dev/null; }
HOST
)
HOST="$STORAGE; $CARD"

fresh initiator || exit 1
sh_on initiator "$HOST; [[ -e \$FUNCTION ]]" || {
	skip "representors" "not on this kernel: a netdev names its devlink port since 6.2"
	exit
}
# shellcheck disable=SC2016
defer 'sh_on initiator "$HOST
	for dev in up vf sf pf guest; do off_card card\$dev; done 2>/dev/null
	rm -f /run/card.conf; echo none > \$FUNCTION" && fresh initiator'
sh_on initiator 'modprobe roceguard audit=0' || exit 1

ABSENT="a representor: QoS belongs to its PF, which has no netdev on this host"
seen=$(sh_on initiator "$HOST
	with_all_knobs
	on_card cardvf vf; until_ok 10 blames cardvf '$ABSENT'
	words cardvf; cat /sys/class/net/cardvf/roceguard/state" 2>&1)
is "the representor of a VF whose uplink has no netdev here: every knob is refused in words" \
	"refused: this is $ABSENT; set it there true|degraded" "$(paste -sd'|' <<<"$seen")"

seen=$(sh_on initiator "$HOST
	on_card cardup physical; until_ok 10 state_is cardup enforced
	cat /sys/class/net/cardup/roceguard/state; hw cardup pfc; hw cardup trust" 2>&1)
is "the uplink is governed" "enforced|0x08|dscp" "$(paste -sd'|' <<<"$seen")"

OWNED="QoS belongs to the PF cardup"
seen=$(sh_on initiator "$HOST
	on_card cardsf sf; on_card cardpf pf; on_card cardguest virtual
	for dev in cardvf cardsf cardpf; do
		again \$dev; until_ok 10 blames \$dev 'a representor: $OWNED'; words \$dev
	done
	until_ok 10 blames cardguest 'a VF or SF: $OWNED'; words cardguest" 2>&1)
is "representors of a VF, an SF and a PF: the uplink is named" \
	"refused: this is a representor: $OWNED; set it there true" "$(head -n 3 <<<"$seen" | uniq)"
is "... and by a VF or SF itself" \
	"refused: this is a VF or SF: $OWNED; set it there true" "$(tail -n +4 <<<"$seen")"

seen=$(sh_on initiator "$HOST
	for dev in cardvf cardsf cardpf cardguest; do
		calls \$dev; hw \$dev pfc; hw \$dev trust; hw \$dev maxrate_kbps
		roceguard -j history | jq \"[.[] | select(.ifname == \\\"\$dev\\\" and .action != \\\"refusal\\\")] | length\"
	done" 2>&1)
is "nothing was written to any of them, nor was DCB asked for" "0x00|pcp|0 0 0 0 0 0 0 0|0" \
	"$(paste -d'|' - - - - <<<"$seen" | uniq)"

seen=$(sh_on initiator "$HOST
	ip link set cardup name cardnew
	for dev in cardvf cardsf; do
		again \$dev; until_ok 10 blames \$dev 'a representor: ${OWNED/cardup/cardnew}' && echo new
	done
	ip link set cardnew name cardup; off_card cardup
	for dev in cardvf cardsf; do
		again \$dev; until_ok 10 blames \$dev '$ABSENT' && echo absent
	done" 2>&1)
is "the uplink renamed, then gone: the words follow" "new|new|absent|absent" \
	"$(paste -sd'|' <<<"$seen")"

# The uplink and its representors come and go while passes look for it.
seen=$(sh_on initiator "$HOST
	for i in \$(seq $(rounds 6)); do
		on_card cardup physical
		roceguard port apply >/dev/null 2>&1 &
		off_card cardsf; on_card cardsf sf; again cardvf
		off_card cardup
	done
	wait
	on_card cardup physical; until_ok 10 state_is cardup enforced
	again cardsf; until_ok 10 blames cardsf 'a representor: $OWNED' && echo found
	dmesg | grep -cE 'BUG|WARNING|Oops'" 2>&1)
is "all come and go while they are looked at: found again, and no word in the kernel log" \
	"found|0" "$(paste -sd'|' <<<"$seen")"
