#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A policy that nobody confirms is undone by the kernel: the one before it is in
# force again, and ports have back what they had.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../storage.sh"
ktap_begin

CONFIRM=$(cat <<'HOST'
profile=/usr/share/roceguard/profiles/storage.conf
pfc_is() { [[ $(hw roce0 pfc) == "$1" ]]; }
no_policy() { [[ ! $(roceguard -j policy show | jq '.[]') ]]; }
left() { roceguard -j policy show "$1" | jq '.[0].confirm_left // "confirmed"'; }
# other [LINES]: the policy storage, but for another priority and more
other() {
	{ sed 's/^Priority=3/Priority=4/' $profile; printf '\n%b\n' "$1"; } > /run/storage.conf
}
HOST
)
HOST="$STORAGE; $CONFIRM"

fresh initiator || exit 1
defer 'sh_on initiator "rm -f /run/storage.conf" && fresh initiator'
sh_on initiator 'modprobe roceguard audit=0' || exit 1

seen=$(sh_on initiator "$HOST
	roceguard policy load storage --all --confirm-within 4s 2>&1 >/dev/null
	pfc_is 0x08 && echo in force; (( \$(left storage) <= 4 )) && echo counting
	roceguard policy show storage | grep -o 'to be confirmed within [0-9]* s.*'
	until_ok 8 no_policy && echo gone; until_ok 5 pfc_is 0x00 && echo put back
	until_ok 5 state_is roce0 unmanaged && cat /sys/class/net/roce0/roceguard/state
	roceguard -j history | jq -r '[.[] | select(.action == \"request\")][-1] | .request + \" \" + (.uid | tostring)'")
like "says what to do, and counts" \
	"^roceguard: run 'roceguard policy confirm' within 4 s, or all this is undone"$'\n'"in force"$'\n'"counting"$'\n'"to be confirmed within [1-4] s: 'roceguard policy confirm storage'" "$seen"
is "forgotten: the policy goes, the port has back what it had, history says so" \
	"gone|put back|unmanaged|policy storage was not confirmed: deleted 0" \
	"$(tail -n 4 <<<"$seen" | paste -sd'|')"
seen=$(sh_on initiator "$HOST
	roceguard policy load storage --all --confirm-within 3 >/dev/null 2>&1
	roceguard policy confirm; left storage; nap 4; left storage
	state_is roce0 enforced && storage_held roce0 && echo still there
	roceguard policy confirm 2>&1
	roceguard policy confirm nosuch 2>&1")
is "confirmed: it stays" "storage is to stay|\"confirmed\"|\"confirmed\"|still there|roceguard: policy confirm: no policy waits for it" \
	"$(head -n 5 <<<"$seen" | paste -sd'|')"
like "... and one that is none cannot be" 'there is no policy of that name' "$seen"

# In place of a confirmed one, with a knob that this one does not name; and again
# in place of one that was never confirmed.
seen=$(sh_on initiator "$HOST
	other '[MaxRate]\nTC=1:1Gbit'
	roceguard policy load /run/storage.conf --all --confirm-within 60 >/dev/null 2>&1
	other '[MaxRate]\nTC=1:2Gbit'
	roceguard policy load /run/storage.conf --all --confirm-within 2 >/dev/null 2>&1
	pfc_is 0x10 && hw roce0 maxrate_kbps
	until_ok 6 pfc_is 0x08 && until_ok 5 state_is roce0 enforced && storage_held roce0 && echo the first
	left storage; hw roce0 maxrate_kbps
	roceguard -j policy show storage | jq -c '[.[0].class[] | .priority]'")
is "two in a row: the last confirmed one is in force again, what it does not name put back" \
	"0 2000000 0 0 0 0 0 0|the first|\"confirmed\"|0 0 0 0 0 0 0 0|[3,6]" \
	"$(paste -sd'|' <<<"$seen")"
seen=$(sh_on initiator "$HOST
	other; roceguard policy load /run/storage.conf --all --confirm-within 2 >/dev/null 2>&1
	roceguard policy load /run/storage.conf --all >/dev/null; nap 3
	pfc_is 0x10 && left storage
	roceguard policy load storage --all --confirm-within 2 >/dev/null 2>&1
	roceguard policy delete storage >/dev/null; nap 3; no_policy && echo none
	pfc_is 0x08 && echo kept")
is "loaded again without: it stays; deleted meanwhile: nothing comes back" \
	"\"confirmed\" none kept" "$(xargs <<<"$seen" | sed 's/^confirmed/"confirmed"/')"

refused "--confirm-within 0" 1 'use 1s to 8h, as 90s, 5m or 1h$' initiator \
	roceguard policy load storage --all --confirm-within 0
refused "--confirm-within 9h" 1 'use 1s to 8h, as 90s, 5m or 1h$' initiator \
	roceguard policy load storage --all --confirm-within 9h
refused "--confirm-within 5x" 1 'use 1s to 8h, as 90s, 5m or 1h$' initiator \
	roceguard policy load storage --all --confirm-within 5x
# Unload with one that waits: nothing is left to fire.
ok "the module goes while one waits" sh_on initiator "$HOST
	roceguard policy load storage --all --confirm-within 1 >/dev/null 2>&1
	for module in roceguard_rdma roceguard_labnic roceguard; do
		[ ! -d /sys/module/\$module ] || rmmod \$module || exit
	done; nap 2"
