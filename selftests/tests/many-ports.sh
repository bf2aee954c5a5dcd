#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# 512 ports: made, governed, renamed, moved between namespaces and deleted while the
# policy is replaced and the ports are dumped in a loop. None is forgotten or stuck,
# no dump tells of a port twice, and all memory comes back.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../storage.sh"
ktap_begin

PORTS=512
# How many of them are renamed, moved, and made anew.
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
# policy NAME PRIORITY: the profile for all of them, with that one in place of 3
policy() {
	sed "s/^Priority=3/Priority=$2/;/^\[Match\]/a Name=many*" \
		/usr/share/roceguard/profiles/storage.conf > "/run/$1.conf"
	roceguard policy load "/run/$1.conf" --wait 0 >/dev/null
}
# kib: of kernel memory in chunks as large as a port, as near as the kernel tells
kib() {
	local slab
	for slab in /sys/kernel/slab/kmalloc-{1k,2k,4k,8k}; do
		echo 1 > $slab/shrink
		echo $(($(cut -d' ' -f1 $slab/objects) * $(cat $slab/slab_size) / 1024))
	done | paste -sd+ | bc
}
HOST
)
HOST="$STORAGE; $MANY"

fresh initiator || exit 1
# shellcheck disable=SC2016
defer 'sh_on initiator "$HOST
	rm -f /run/turning /run/many.conf; ip netns del many
	for kind in many other; do batch 1 $PORTS \"link del \$kind@\"; done
	batch 1 $PORTS \"link del under@\"" >/dev/null 2>&1; fresh initiator'
sh_on initiator "modprobe roceguard audit=0 && ip netns add many" || exit 1

seen=$(sh_on initiator "$HOST
	count; kib; policy many 3
	batch 1 $PORTS 'link add under@ type dummy' 'link set under@ up'
	begin=\$(uptime_ms)
	batch 1 $PORTS 'link add link under@ name many@ type labnic' 'link set many@ up'
	made=\$(uptime_ms)
	until_ok 60 all_are '$PORTS enforced many'
	echo \$((made - begin)) \$((\$(uptime_ms) - made))
	states; count; kib")
{ read -r before; read -r kib_before; read -r made held; read -r state; read -r after; read -r kib; } <<<"$seen"
is "$PORTS ports made: all are governed" "$PORTS enforced many" "$state"
is "... and no other is there" "$PORTS" $((after - before))
note "made in $made ms, all enforced $held ms after the last; $((kib - kib_before)) KiB more in the kernel"
