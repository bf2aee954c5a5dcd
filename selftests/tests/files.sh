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
defer 'sh_on initiator "$HOST; clean" && fresh initiator'
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
