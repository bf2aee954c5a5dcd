#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# While a host is frozen, or only observes, nothing is written; a freeze can end by
# itself and is kept over a reboot, for which the module is loaded anew here.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../storage.sh"
ktap_begin

FREEZE=$(cat <<'HOST'
unload() {
	for module in roceguard_rdma roceguard_labnic roceguard; do
		[ ! -d /sys/module/$module ] || rmmod $module || return
	done
}
# The worker may just be loading a provider: then it is not unloaded yet.
reload() { until_ok 10 unload; modprobe roceguard audit=0 "$@"; }
# left: seconds, or "no end", or "not frozen"
left() {
	local seen
	seen=$(roceguard port show roce0 2>&1 >/dev/null)
	case $seen in
	*'frozen for another '*) seen=${seen#*another }; echo "${seen%% s*}" ;;
	*'is frozen;'*) echo no end ;;
	*) echo not frozen ;;
	esac
}
between() { (($1 <= $3 && $3 <= $2)) && echo "$1 to $2" || echo "$3, not $1 to $2"; }
kept() { cat /var/lib/roceguard/frozen 2>/dev/null || echo nothing kept; }
pfc_is() { [[ $(hw roce0 pfc) == "$1" ]]; }
spoil() { dcb pfc set dev roce0 prio-pfc 3:off; until_ok 5 state_is roce0 drifted && echo drifted; }
HOST
)
HOST="$STORAGE; $FREEZE"

fresh initiator || exit 1
defer 'sh_on initiator "rm -rf /var/lib/roceguard" && fresh initiator'
sh_on initiator "$HOST; rm -rf /var/lib/roceguard; reload && roceguard policy load storage --all >/dev/null" || exit 1

seen=$(sh_on initiator "$HOST
	roceguard freeze --for 15s | sed 's/, mode.*//; s/[0-9]* s left/N s left/'
	between 1 15 \$(left); spoil
	roceguard port show 2>&1 >/dev/null | sed 's/[0-9]* s;/N s;/'
	until_ok 40 state_is roce0 enforced && pfc_is 0x08 && left
	roceguard -j history | jq -r '[.[] | select(.action == \"request\")][-2,-1].request'")
is "freeze --for: says what is left, and thaws by itself" "frozen, N s left
no port is written until 'roceguard thaw', or until the time is over
1 to 15
drifted
roceguard: the host is frozen for another N s; nothing is written until then, or 'roceguard thaw'
not frozen
freeze for 15 s
thaw: the time of the freeze is over" "$seen"
is "the last word counts: no end, another end, thawed before its end" \
	"no end|3500 to 3600|not frozen|no end" \
	"$(sh_on initiator "$HOST
	roceguard freeze --for 1s >/dev/null; roceguard freeze >/dev/null; nap 2; left
	roceguard freeze --for 1h >/dev/null; between 3500 3600 \$(left)
	roceguard freeze --for 2s >/dev/null; nap 3; left
	roceguard freeze --for 2s >/dev/null; roceguard thaw >/dev/null; roceguard freeze >/dev/null; nap 3; left
	roceguard thaw >/dev/null" | paste -sd'|')"

seen=$(sh_on initiator "$HOST
	roceguard freeze >/dev/null; kept; reload; left
	roceguard freeze --restore >/dev/null; left
	roceguard policy load storage --all >/dev/null 2>&1; pfc_is 0x08 && spoil; pfc_is 0x00 && echo left alone
	roceguard thaw >/dev/null; kept; until_ok 5 pfc_is 0x08 && echo healed
	reload; roceguard freeze --restore; left")
is "a freeze is kept over a reboot, a thaw as well" "until=thaw|not frozen|no end|drifted|left alone|nothing kept|healed|not frozen" \
	"$(paste -sd'|' <<<"$seen")"
seen=$(sh_on initiator "$HOST
	roceguard freeze --for 1h >/dev/null; between 3500 3600 \$((\$(kept | sed s/until=//) - \$(date +%s)))
	reload; roceguard freeze --restore >/dev/null; between 3500 3600 \$(left)
	reload; echo until=\$((\$(date +%s) - 1)) > /var/lib/roceguard/frozen
	roceguard freeze --restore; left; kept
	echo until=99999999999 > /var/lib/roceguard/frozen
	roceguard freeze --restore >/dev/null; between 604700 604800 \$(left); roceguard thaw >/dev/null")
is "... for what is left of its time: not when it is over, at most 7 days" \
	"3500 to 3600|3500 to 3600|not frozen|nothing kept|604700 to 604800" "$(paste -sd'|' <<<"$seen")"
is "a file that says nothing useful: frozen all the same, and told" \
	"roceguard: freeze --restore: /var/lib/roceguard/frozen: Bad message; frozen until 'roceguard thaw' 2 no end" \
	"$(sh_on initiator "$HOST
	echo until=tomorrow > /var/lib/roceguard/frozen
	roceguard freeze --restore 2>&1 >/dev/null; echo \$?; left; roceguard thaw >/dev/null" | paste -sd' ')"
is "where it cannot be kept: frozen all the same, and told" \
	"roceguard: freeze: done, but not for after a reboot: /proc/none/frozen: No such file or directory 2 no end" \
	"$(sh_on initiator "$HOST
	ROCEGUARD_FROZEN=/proc/none/frozen roceguard freeze 2>&1 >/dev/null; echo \$?; left; roceguard thaw >/dev/null" | paste -sd' ')"
ok "the module goes while a freeze waits for its end" sh_on initiator "$HOST
	roceguard freeze --for 1s >/dev/null && reload && nap 2 && [[ \$(left) == 'not frozen' ]]"

seen=$(sh_on initiator "$HOST
	rm -f /var/lib/roceguard/frozen
	dcb pfc set dev roce0 prio-pfc 3:off
	why() { roceguard -j port show roce0 | jq -r '.[0] | \"\(.state): \(.reason // .knobs[3].reason)\"'; }
	reload mode=observe; roceguard policy load storage --all >/dev/null 2>&1; why; hw roce0 pfc
	reload mode=off; roceguard policy load storage --all >/dev/null 2>&1; why; hw roce0 pfc
	echo \"\$(cat /proc/cmdline) roceguard.mode=observe\" > /run/cmdline
	mount --bind /run/cmdline /proc/cmdline; reload; umount /proc/cmdline; rm /run/cmdline
	cat /sys/module/roceguard/parameters/mode
	roceguard policy load storage --all >/dev/null 2>&1; why; hw roce0 pfc
	until_ok 10 unload
	modprobe roceguard mode=no 2>/dev/null || dmesg | tail -n 3 | grep -o 'mode=no is unknown.*'; modprobe roceguard")
is "mode=observe, off, from the kernel command line, and one that is none" \
	"drifted: the host only observes (mode=observe)|0x00|unmanaged: the mode of this host is off|0x00|observe|drifted: the host only observes (mode=observe)|0x00|mode=no is unknown; use enforce, observe or off" \
	"$(paste -sd'|' <<<"$seen")"
