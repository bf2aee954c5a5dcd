#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# 512 ports: made, governed, renamed, moved between namespaces and deleted while the
# policy is replaced and the ports are dumped in a loop. None is forgotten or stuck,
# no dump tells of a port twice, and all memory comes back.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../storage.sh"
ktap_begin

PORTS=512
# How many of them are renamed, moved and made anew meanwhile.
MOVED=$(rounds 64)
((MOVED <= PORTS / 4)) || MOVED=$((PORTS / 4))
MANY=$(cat <<'HOST'
# batch FIRST LAST LINE...: ip, with these lines for each number, in place of @
batch() {
	local i line first=$1 last=$2
	shift 2
	for ((i = first; i <= last; i++)); do
		for line; do
			echo "${line//@/$i}"
		done
	done | ip -batch -
}
dump() { roceguard -j -s port show; }
# states: of the many, "COUNT STATE POLICY", those of a kind on a line
states() {
	dump | jq -r '.[] | select(.ifname | startswith("many")) | "\(.state) \(.policy)"' |
		sort | uniq -c | awk '{ print $1, $2, $3 }'
}
all_are() { [[ $(states) == "$1" ]]; }
count() { dump | jq length; }
uptime_ms() { local s; read -r s _ < /proc/uptime; echo $((10#${s/./} * 10)); }
# policy PRIORITY: the profile for all of them, with that one in place of 3
policy() {
	sed "s/^Priority=3/Priority=$1/;/^\[Match\]/a Name=many*" \
		/usr/share/roceguard/profiles/storage.conf > /run/many.conf
	roceguard policy load /run/many.conf --wait 0 >/dev/null
}
# Chunks of kernel memory of the size of a port, whatever has been added to it.
chunks() {
	local size n sum=0
	for size in 1k 2k 4k 8k; do
		echo 1 > /sys/kernel/slab/kmalloc-$size/shrink
		read -r n _ < /sys/kernel/slab/kmalloc-$size/objects
		sum=$((sum + n))
	done
	echo $sum
}
# turn: the policy replaced, the ports dumped, until /run/turning goes. Some dumps
# give up, for the list changes each time; the others have to be whole.
turn() {
	local n=0 loads=0 dumps=0
	while [[ -e /run/turning ]]; do
		policy $((3 + n++ % 2)) 2>/dev/null && loads=$((loads + 1))
		dump > /run/dump 2>/dev/null && dumps=$((dumps + 1)) || continue
		jq -r '[.[] | [.netnsid, .ifindex]] | length - (unique | length) |
			if . > 0 then "\(.) ports twice" else empty end' /run/dump
		echo "$loads $dumps" > /run/turns
	done
}
# turned N: both were done so often
turned() {
	local loads dumps
	read -r loads dumps < /run/turns && ((loads >= $1 && dumps >= $1))
}
# heal: where a call took over a second, as on a busy machine one may, the port is
# left alone until it is told to be looked at. How many that were.
heal() {
	local dev n=0
	for dev in $(dump | jq -r '.[] | select(.state == "sick") | .ifname'); do
		roceguard port apply "$dev" >/dev/null
		n=$((n + 1))
	done
	echo "$n"
}
HOST
)
HOST="$STORAGE; $MANY"

fresh initiator || exit 1
# shellcheck disable=SC2016
defer 'sh_on initiator "$HOST
	rm -f /run/turning /run/turns /run/dump /run/bad /run/many.conf; ip netns del many
	batch 1 $PORTS \"link del under@\"" >/dev/null 2>&1; fresh initiator'
sh_on initiator "modprobe roceguard audit=0 && ip netns add many" || exit 1

# The wires go with their NICs' namespace, the NICs with their wires.
seen=$(sh_on initiator "$HOST
	count; chunks; policy 3 2>/dev/null
	batch 1 $PORTS 'link add under@ type dummy' 'link set under@ up'
	begin=\$(uptime_ms)
	batch 1 $PORTS 'link add link under@ name many@ type labnic' 'link set many@ up'
	made=\$(uptime_ms)
	until_ok 120 all_are '$PORTS enforced many'
	echo \$((made - begin)) \$((\$(uptime_ms) - made))
	states; count; chunks")
{
	read -r before
	read -r chunks_before
	read -r made held
	read -r state
	read -r after
	read -r chunks
} <<<"$seen"
is "$PORTS ports made: all are governed" "$PORTS enforced many" "$state"
is "... and no other port came with them" "$PORTS" $((after - before))
note "made in $made ms, all enforced $held ms after the last"

seen=$(sh_on initiator "$HOST
	touch /run/turning; turn > /run/bad 2>&1 & turning=\$!
	begin=\$(uptime_ms)
	batch 1 $MOVED 'link set many@ down' 'link set many@ name other@'
	until_ok 30 turned 1
	batch 1 $MOVED 'link set other@ netns many'
	until_ok 30 turned 2
	for step in 'link set other@ name many@' 'link set many@ netns 1'; do
		for i in \$(seq $MOVED); do echo \"\${step//@/\$i}\"; done |
			ip -n many -batch -
	done
	until_ok 30 turned 3
	batch 1 $MOVED 'link set many@ up'
	batch \$(($PORTS - $MOVED + 1)) $PORTS 'link del many@' \
		'link add link under@ name many@ type labnic' 'link set many@ up'
	echo \$((\$(uptime_ms) - begin))
	rm /run/turning; wait \$turning
	policy 3; until_ok 60 all_are '$PORTS enforced many'
	heal; states; count; cat /run/turns /run/bad
	for i in 1 $((PORTS / 2)) $PORTS; do storage_held many\$i; done" 2>&1)
{
	read -r took
	read -r sick
	read -r state
	read -r after
	read -r loads dumps
} <<<"$seen"
is "$MOVED renamed, moved to a namespace, renamed there and moved back, $MOVED made anew: all $PORTS are governed" \
	"$PORTS enforced many" "$state"
is "... none was forgotten, none came" "$PORTS" $((after - before))
is "meanwhile no dump told of a port twice, and the hardware has what the last policy says" "" \
	"$(tail -n +6 <<<"$seen")"
ok "... and both went on all the time" test "${loads:-0}" -ge 3 -a "${dumps:-0}" -ge 3
note "in $took ms, while the policy was replaced $loads times and $dumps dumps were whole; $sick ports were sick for a call over 1 s"

seen=$(sh_on initiator "$HOST
	begin=\$(uptime_ms)
	batch 1 $PORTS 'link del many@'
	echo \$((\$(uptime_ms) - begin)); roceguard policy delete many >/dev/null; nap 1
	states; count; chunks" 2>&1)
{
	read -r took
	read -r after
	read -r chunks_after
} <<<"$seen"
is "deleted: no port is left" "$before" "$after"
note "in $took ms; chunks of 1 to 8 KiB: $chunks_before, $chunks with the ports, $chunks_after after"
ok "... and their memory has come back" test $((chunks - chunks_before)) -ge $PORTS -a \
	$((chunks_after - chunks_before)) -lt $((PORTS / 8))
