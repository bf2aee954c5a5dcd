#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Policy files: the folder of a host, profiles, drop-ins.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../storage.sh"
ktap_begin

FILES=$(cat <<'HOST'
D=/etc/roceguard/policies.d
names() { roceguard -j policy show | jq -c '[.[].name]'; }
# quietly CMD...: what it says on stderr, and its exit status if that is not 0
quietly() {
	local status=0
	"$@" 2>&1 >/dev/null || status=$?
	((status == 0)) || echo "exit $status"
}
clean() { rm -rf ${D:?}/* /run/many /run/three; }
HOST
)
HOST="$STORAGE; $FILES"

fresh initiator || exit 1
# shellcheck disable=SC2016
defer 'sh_on initiator "$HOST; rmmod roceguard_rdma roceguard_labnic roceguard; nic plain; clean" && fresh initiator'
sh_on initiator 'modprobe roceguard audit=0 drops_apart=0 drops_daily=8' || exit 1

# The packaged profiles.

while read -r profile pfc map; do
	seen=$(sh_on initiator "$HOST
		quietly roceguard policy load $profile --all --prune
		quietly roceguard policy load $profile --on roce0
		until_ok 10 state_is roce0 enforced || roceguard port show roce0
		hw roce0 pfc; dcb app show dev roce0 dscp-prio | tr ' ' '\n' | grep ':[1-7]$' | paste -sd' '
		roceguard policy delete $profile --restore >/dev/null; until_ok 5 state_is roce0 unmanaged")
	is "profile $profile is held" \
		"roceguard: policy load: --prune is for a directory, which has all policies of a host|exit 1|$pfc|$map" \
		"$(paste -sd'|' <<<"$seen")"
done <<'END'
storage 0x08 AF31:3 CS6:6
storage-gpu 0x18 AF31:3 AF41:4 CS6:6
target 0x08 AF31:3 CS6:6
ecn-only 0x00 AF31:3 CS6:6
pfc-only 0x08 AF31:3
END

# The folder of the host.

seen=$(sh_on initiator "$HOST
	quietly roceguard policy load
	mkdir -p \$D/storage.conf.d
	printf '[Match]\nName=roce0\n[Class storage]\nDSCP=24\n' > \$D/storage.conf.d/50-here.conf
	printf '[Match]\nName=nosuch*\n[PFC]\nPriorities=4\n' > \$D/other.conf
	quietly roceguard policy load; names
	until_ok 10 state_is roce0 enforced
	cat /sys/class/net/roce0/roceguard/policy
	roceguard -j policy show storage | jq -c '.[0].class[0].dscp'
	roceguard policy load storage >/dev/null && roceguard -j policy show storage | jq -c '.[0].class[0].dscp'")
is "policy load without a word: the folder, drop-ins over a profile" \
	"roceguard: /etc/roceguard/policies.d: no *.conf in it; name a policy file or a profile|exit 1|[\"other\",\"storage\"]|storage|[24,26]|[24,26]" \
	"$(paste -sd'|' <<<"$seen")"

seen=$(sh_on initiator "$HOST
	before=\$(roceguard -j policy show)
	printf '\n[Class storage]\nPriority=8\n' > \$D/storage.conf.d/60-bad.conf
	quietly roceguard policy load; quietly roceguard policy load storage
	printf '[Class storage]\nPriority=6\n' > \$D/storage.conf.d/60-bad.conf
	quietly roceguard policy load
	rm \$D/storage.conf.d/60-bad.conf; printf '[Clas a]\n' > \$D/zz.conf
	quietly roceguard policy load
	rm \$D/zz.conf
	[[ \$(roceguard -j policy show) == \"\$before\" ]] && echo nothing has changed")
is "what is wrong in a drop-in is told with its file and line, and nothing is loaded" \
	"$(paste -sd'|' <<-'END'
		roceguard: /etc/roceguard/policies.d/storage.conf.d/60-bad.conf:3: priority 8 is out of range; use 0 to 7
		exit 1
		roceguard: /etc/roceguard/policies.d/storage.conf.d/60-bad.conf:3: priority 8 is out of range; use 0 to 7
		exit 1
		roceguard: /usr/share/roceguard/profiles/storage.conf:18: priority 6 is class storage's already; it was right before the drop-in /etc/roceguard/policies.d/storage.conf.d/60-bad.conf
		exit 1
		roceguard: /etc/roceguard/policies.d/zz.conf:1: unknown section [Clas a]; did you mean [Class NAME]?
		exit 1
		nothing has changed
	END
	)" "$(paste -sd'|' <<<"$seen")"

seen=$(sh_on initiator "$HOST
	quietly roceguard policy load pfc-only --on roce0
	quietly roceguard policy load --confirm-within 5m --prune
	roceguard policy load --prune 2>&1
	names; rm \$D/other.conf; quietly roceguard policy load; names
	roceguard -j policy load --prune \$D | jq -c '[.policies, .pruned]'; names
	until_ok 10 state_is roce0 enforced && cat /sys/class/net/roce0/roceguard/policy")
like "--prune deletes what has no file, nothing else does" \
	"^roceguard: policy load: --prune and --confirm-within exclude each other; what is deleted would not come back"$'\n'"exit 1"$'\n'"pfc-only deleted, it has no file any more; its ports keep what they have"$'\n'".*\[\"other\",\"storage\"\]"$'\n'"\[\"other\",\"storage\"\]"$'\n'"\[\[\"storage\"\],\[\"other\"\]\]"$'\n'"\[\"storage\"\]"$'\n'"storage$" \
	"$seen"

# The kernel takes no more in the middle of a folder.
seen=$(sh_on initiator "$HOST
	clean; mkdir -p /run/many/{1,2,3,4} /run/three
	for ((i = 0; i < 254; i++)); do
		printf '[Match]\nName=nosuch\n[PFC]\nPriorities=4\n' > /run/many/\$((i / 64 + 1))/p\$i.conf
	done
	for i in 1 2 3 4; do roceguard policy load /run/many/\$i --wait 0 >/dev/null 2>&1; done
	names | jq length
	roceguard -j policy show > /run/before
	for i in p7 q8 q9; do printf '[Match]\nName=nosuch\n[PFC]\nPriorities=5\n' > /run/three/\$i.conf; done
	quietly roceguard policy load /run/three
	generation='.[] | del(.generation)'
	cmp <(jq -S \"\$generation\" /run/before) <(roceguard -j policy show | jq -S \"\$generation\") && echo as before")
is "a folder that the kernel takes half of is put back" \
	"255|roceguard: policy load: /run/three/q9.conf: there are 256 policies already; delete one|roceguard: policy load: put back what was loaded before it; nothing has changed|exit 2|as before" \
	"$(paste -sd'|' <<<"$seen")"

# Policies from ports, and what a policy would change: without the module.

seen=$(sh_on initiator "$HOST
	clean; rmmod roceguard_rdma roceguard_labnic roceguard; nic plain
	before=\$(cat /sys/kernel/debug/labnic/roce0/journal)
	roceguard policy import roce0 > \$D/roce0.conf && sed -n 2p \$D/roce0.conf
	quietly roceguard policy diff \$D/roce0.conf
	quietly roceguard policy diff roce0 roce0
	roceguard policy diff storage; echo exit \$?
	roceguard -j policy diff storage roce0 | jq -r '.[0] | .differ, .link_drops, (.knobs[] | select(.reason) | .knob + \": \" + .status + \": \" + .reason)'
	quietly roceguard policy diff storage eth1
	quietly roceguard policy diff \$D
	quietly roceguard policy import nosuch
	quietly roceguard policy new nosuch
	roceguard policy new target --name mine > \$D/mine.conf && head -n 3 \$D/mine.conf
	[[ \$(cat /sys/kernel/debug/labnic/roce0/journal) == \"\$before\" ]] && echo nothing written")
is "without the module: import, diff, new" "$(cat <<'END'
# Left out: ecn: not readable without the module.
roce0 (driver labnic): 4 of 6 knobs differ; 0 link drops
  KNOB  STATUS  COST    DROPS HAVE                               WANT
  dscp  differs hitless 0     trust pcp 26:0 48:0                trust dscp 26:3 48:6
  ets   differs hitless 0     prio tc 0:strict 1:strict 2:strict prio 3:1 6:2 tc 0:ets:50 1:ets:50 2:strict
  pause differs hitless 0     rx on tx on                        rx off tx off
  pfc   differs hitless 0     none                               3
  ecn   unknown hitless -     not readable without the module    np 3 rp 3
  cnp   unknown hitless -     not readable without the module    np-cnp-dscp 48 np-cnp-priority 6
exit 3
4
0
ecn: unknown: not readable without the module
cnp: unknown: not readable without the module
roceguard: policy diff: eth1 is no port: driver virtio_net has no DCB, and it is not RoCE-capable
exit 1
roceguard: policy diff: /etc/roceguard/policies.d is a directory; name one policy file or a profile
exit 1
roceguard: policy import: nosuch: no such device
exit 2
roceguard: unknown profile "nosuch"; known are ecn-only, pfc-only, storage-gpu, storage, target
exit 1
# roceguard policy mine, from the profile target; keep it as
# /etc/roceguard/policies.d/mine.conf and load it by 'roceguard policy load'.
# SPDX-License-Identifier: GPL-2.0
nothing written
END
)" "$seen"

# What was imported is held at once, whatever the port had.
for state in "as it comes" "with the profile storage" "set by hand"; do
	seen=$(sh_on initiator "$HOST
		rm -f \$D/mine.conf; modprobe roceguard audit=0 drops_apart=0 drops_daily=8
		case '$state' in
		with*) roceguard policy load storage --on roce0 >/dev/null || roceguard port show roce0 ;;
		set*)
			ethtool -A roce0 rx off tx off
			dcb ets set dev roce0 prio-tc all:0 5:1 tc-tsa all:strict 0:ets 1:ets tc-bw all:0 0:30 1:70
			dcb pfc set dev roce0 prio-pfc all:off 5:on
			dcb app add dev roce0 dscp-prio 46:5 8:1
			dcb buffer set dev roce0 buffer-size all:0 0:131072 1:65536 prio-buffer all:0 5:1
			;;
		esac
		roceguard policy import roce0 > \$D/roce0.conf; grep 'Left out' \$D/roce0.conf | grep -v 'only the module'
		before=\$(grep -c . /sys/kernel/debug/labnic/roce0/journal)
		quietly roceguard policy diff \$D/roce0.conf
		roceguard policy delete storage >/dev/null 2>&1
		quietly roceguard policy load \$D/roce0.conf
		roceguard -j port show roce0 | jq -r '.[0] | .state, ([.knobs[].verdict] | unique | join(\" \"))'
		sed 1,\${before}d /sys/kernel/debug/labnic/roce0/journal
		roceguard policy dump roce0 | cmp - <(grep -v '^# As \|^# Left' \$D/roce0.conf) && echo the same
		roceguard policy delete roce0 >/dev/null" 2>&1)
	like "a port $state: imported, held, nothing written, dumped as it was loaded" \
		"^(# Left out: ecn: not readable without the module.\|)?enforced\|held( unmanaged)?\|the same$" \
		"$(paste -sd'|' <<<"$seen")"
done

# On a NIC that drops its link.
seen=$(sh_on initiator "$HOST
	nic mlx5; roceguard policy load storage --on roce0 --observe >/dev/null 2>&1
	roceguard -j policy diff storage | jq -c '.[0] | [.written, .link_drops, (.knobs[] | select(.link_drops > 0) | .knob, .cost, .writes)]'
	roceguard policy diff storage roce0 | head -n 1
	link=\$(< /sys/class/net/roce0/carrier_down_count)
	roceguard policy load storage --on roce0 >/dev/null 2>&1
	until_ok 10 state_is roce0 enforced; until_ok 5 carrier_is roce0 1
	echo \$((\$(< /sys/class/net/roce0/carrier_down_count) - link))
	quietly roceguard policy diff storage")
is "links that drop are counted before, and are as many" \
	"[true,1,\"pfc\",\"link-drop\",1]|roce0 (driver labnic): 5 of 6 knobs differ; 1 link drop|1" \
	"$(paste -sd'|' <<<"$seen")"
