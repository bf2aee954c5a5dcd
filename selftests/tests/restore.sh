#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What a port had before roceguard first wrote to it comes back when it is asked
# for: by the NIC's own words, nothing is left that was not there before.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../storage.sh"
ktap_begin

BEFORE=$(cat <<'HOST'
# settings: all that a policy can change, as the NIC, iproute2 and ethtool tell
settings() {
	grep -E '^(pfc|trust|dscp2prio|prio_tc|tsa|bandwidth|maxrate|prio2buffer|buffer|pause|ecn)' \
		/sys/kernel/debug/labnic/roce0/hw
	dcb dcbx show dev roce0
	# mlx5 forgets its default with the entry that was in its place: where DSCPs
	# go is above, the entry stays
	grep -q mlx5 /sys/kernel/debug/labnic/roce0/personality || dcb app show dev roce0
	dcb ets show dev roce0 | grep -E '^(prio-tc|tc-tsa|tc-bw)'
	ethtool -a roce0
}
# as_before: those of /run/before, once the port is left alone
as_before() {
	settings > /run/after
	diff /run/before /run/after
}
pfc_3() { [[ $(hw roce0 pfc) == 0x08 ]]; }
# full NAME [LINES]: a policy with every knob
full() {
	{ cat /usr/share/roceguard/profiles/storage.conf
		printf '[DCBX]\nMode=host\n[MaxRate]\nTC=1:10Gbit\n[Buffer]\nSize=0:20480 1:131072\nPriority=3:1\n%b' "$2"
	} > "/run/$1.conf"
	roceguard policy load "/run/$1.conf" --all >/dev/null
}
HOST
)
HOST="$STORAGE; $BEFORE"

fresh initiator || exit 1
# shellcheck disable=SC2016
defer 'sh_on initiator "$HOST; rm -f /run/{full,other}.conf /run/before /run/after; nic plain" &&
	fresh initiator'
sh_on initiator 'modprobe roceguard audit=0 drops_apart=0 drops_daily=8' || exit 1

# Somebody's own settings, none of them the NIC's at power-on.
OWN='dcb pfc set dev roce0 prio-pfc 5:on; dcb app add dev roce0 dscp-prio 10:5 26:2
	dcb ets set dev roce0 tc-tsa 0:ets 1:ets tc-bw all:0 0:70 1:30 prio-tc 5:1
	dcb maxrate set dev roce0 tc-maxrate 1:1Gbit
	dcb buffer set dev roce0 buffer-size 0:65536 prio-buffer all:0
	ethtool -A roce0 rx on tx off; nap 0.5; until_ok 5 carrier_is roce0 1'

for personality in plain mlx5; do
	seen=$(sh_on initiator "$HOST
		nic $personality; $OWN
		settings > /run/before
		full full; until_ok 10 state_is roce0 enforced; nap 2; until_ok 5 state_is roce0 enforced
		settings | diff -q - /run/before >/dev/null || echo changed
		roceguard port restore roce0 2>&1
		dcb pfc set dev roce0 prio-pfc 3:off; nap 1; until_ok 5 carrier_is roce0 1
		until_ok 5 pfc_3 && echo still held
		seq=\$(last_seq)
		roceguard policy delete full --restore
		until_ok 10 as_before; nap 2; as_before && echo as before
		cat /sys/class/net/roce0/roceguard/state
		roceguard -j history | jq -r \"[.[] | select(.seq > \$seq and .action == \\\"restore\\\") | .knob] | sort | join(\\\" \\\")\"
		roceguard -j history | jq -r \"[.[] | select(.seq > \$seq and .action == \\\"refusal\\\")] | length\"" 2>&1)
	like "$personality: a policy with every knob changes what was there" '^changed' "$seen"
	like "$personality: port restore is refused while it rules" \
		'port restore: a policy holds this port; delete that with restore, or let it observe' "$seen"
	like "$personality: ... and nothing has come of it" 'still held' "$seen"
	like "$personality: policy delete --restore: all is as before, and stays so" \
		$'\nas before\nunmanaged\n' "$seen"
	like "$personality: ... in history, knob by knob, none refused" \
		$'buffer (dcbx )?dscp ecn ets maxrate pause pfc\n0$' "$seen"
done

# What was written by several policies goes back to what was before the first.
seen=$(sh_on initiator "$HOST
	nic plain; $OWN; settings > /run/before
	full full; until_ok 10 state_is roce0 enforced
	roceguard policy delete full >/dev/null
	full other '[ECN]\nNP=3 4\nRP=3 4\n'; until_ok 10 state_is roce0 enforced
	roceguard policy delete other --restore >/dev/null
	until_ok 10 as_before; as_before && echo as before" 2>&1)
is "after two policies: as before the first" "as before" "$seen"
seen=$(sh_on initiator "$HOST
	full full; until_ok 10 state_is roce0 enforced
	roceguard policy delete full >/dev/null; nap 0.5; pfc_3 && echo kept
	roceguard port restore roce0 >/dev/null; echo \$?; as_before && echo as before
	roceguard port restore roce0 >/dev/null; echo \$?; as_before && echo as before
	roceguard port restore nosuch 2>&1" 2>&1)
is "port restore of one that no policy holds, twice" "kept 0 as before 0 as before" \
	"$(head -n 5 <<<"$seen" | xargs)"
like "... of one that is none: no such port" 'no such port' "$seen"
seen=$(sh_on initiator "$HOST
	full full; until_ok 10 state_is roce0 enforced; roceguard freeze >/dev/null
	roceguard policy delete full --restore >/dev/null; nap 1
	pfc_3 && echo not while frozen
	roceguard port restore roce0 2>&1
	roceguard thaw >/dev/null; until_ok 10 as_before; as_before && echo as before" 2>&1)
is "a frozen host is left alone; at thaw it is done" \
	"not while frozen|roceguard: port restore: the host is frozen, nothing is written; thaw it first|as before" \
	"$(paste -sd'|' <<<"$seen")"
