#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# port show DEV says what would suffer if the link of a port dropped.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../storage.sh"
ktap_begin
fresh initiator target || exit 1
# shellcheck disable=SC2016
defer 'sh_on initiator "ip link del vlan7; ip link del bad0"
	sh_on target "rmmod roceguard_rdma; rmmod roceguard_labnic; rmmod roceguard"
	fresh initiator'
sh_on initiator 'modprobe roceguard; modprobe nvme-rdma' || exit 1
sh_on target 'modprobe roceguard' || exit 1
lab target >/dev/null || fail "the target exports"

USE='used() { roceguard port show "${1-roce0}" | sed -n "/^  in use/,/^  \(VLAN\|[a-z]*  *unmanaged\)/p" |
		sed "/^  \(VLAN\|[a-z]*  *unmanaged\)/d; s/^ *//" | paste -sd" "; }
	json() { roceguard -j port show "${1-roce0}" | jq -c ".[0].in_use"; }'
HOST="$STORAGE; $USE"

is "nothing uses a port" 'in use: nothing|{"qps":0,"controllers":[],"listeners":[],"default_route":false}' \
	"$(sh_on initiator "$HOST; used; json" | paste -sd'|')"
# one queue pair for administration, and one for each queue of I/O
seen=$(sh_on initiator "$HOST
	nvme connect -t rdma -a $TARGET -s $PORT -n $NQN --nr-io-queues=1 >/dev/null
	until_ok 10 grep -qx live /sys/class/nvme/*/state
	used; json
	ip link add bad0 type dummy; ip link set bad0 up; ip link add link bad0 name roce7 type labnic
	ip address add 192.0.2.1/24 dev roce7; ip link set roce7 up; used roce7
	ip route add default dev roce7 metric 5; used roce7; used | grep -c default
	ip link add link roce7 name vlan7 type vlan id 7; ip link set vlan7 up
	ip route del default dev roce7 metric 5; used roce7
	ip route add default dev vlan7 metric 5; used roce7
	nvme disconnect-all >/dev/null; until_ok 10 [ ! -e /sys/class/nvme/nvme0/state ]; used")
is "a controller, its queue pairs, and a default route through a VLAN" \
	"in use: 2 QPs, nvme0 ($NQN)
{\"qps\":2,\"controllers\":[{\"name\":\"nvme0\",\"nqn\":\"$NQN\"}],\"listeners\":[],\"default_route\":false}
in use: nothing
in use: default route
0
in use: nothing
in use: default route
in use: nothing" "$seen"
like "an export" "^in use: .*NVMe exported on $TARGET:$PORT" \
	"$(sh_on target "$HOST; used")"
is "an ordinary user sees it as well" 'true' \
	"$(sh_on target "setpriv --reuid 1000 --regid 1000 --clear-groups roceguard -j port show roce0 | jq '.[0].in_use.listeners | length > 0'")"
