#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Of several policies the one that fits a port most closely rules it, the port says
# why, and a policy for a port that is not there waits for it.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../storage.sh"
ktap_begin

MATCH=$(cat <<'HOST'
cd /run
# policy NAME 'match lines' ['policy lines']: PFC on priority 3, only looked at
policy() {
	printf '[Match]\n%b\n[PFC]\nPriorities=3\n[Policy]\nMode=observe\n%b\n' "$2" "$3" > "/run/$1.conf"
	roceguard policy load "/run/$1.conf" --all >/dev/null 2>&1
}
# rules [DEV]: which policy rules the port, and why
rules() { roceguard -j port show "${1-roce0}" | jq -r '.[0] | "\(.policy // "none"): \(.policy_why // "-")"'; }
lost() { roceguard -j port show roce0 | jq -r '.[0].policies_lost[] | "\(.policy): \(.why)"'; }
# rollout PERCENT: the profile storage for so many hosts
rollout() {
	sed "s/^\[Policy\]\$/&\nSerial=r$1\nRollout=$1%/" \
		/usr/share/roceguard/profiles/storage.conf > stepped.conf
	roceguard policy load stepped.conf --all >/dev/null 2>&1
}
ruled_by() { value_is /sys/class/net/roce0/roceguard/policy "$1"; }
HOST
)
HOST="$STORAGE; $MATCH"

fresh initiator || exit 1
# shellcheck disable=SC2016
defer 'sh_on initiator "$HOST; rm -f /run/*.conf; ip link del bad0; [[ -d /sys/class/net/roce0 ]] || nic plain" &&
	fresh initiator'
sh_on initiator 'modprobe roceguard audit=0' || exit 1

# Each closer than those before.
seen=$(sh_on initiator "$HOST
	policy every RDMA=no; rules
	policy capable; rules
	policy range 'Speed=>=25G'; rules
	policy speed Speed=100G; rules
	policy drivers 'Driver=lab*'; rules
	policy driver Driver=labnic; rules
	policy rdmas 'RDMADevice=rx*'; rules
	policy names 'Name=ens* roce?'; rules
	policy rdma RDMADevice=rxe0; rules
	policy name Name=roce0; rules")
is "the closest policy rules, and the port says by what" "every: the only one that fits: it takes every port
capable: the closest by RDMA=yes
range: the closest by Speed=>=25G
speed: the closest by Speed=100G
drivers: the closest by Driver=lab*
driver: the closest by Driver=labnic
rdmas: the closest by RDMADevice=rx*
names: the closest by Name=roce?
rdma: the closest by RDMADevice=rxe0
name: the closest by Name=roce0" "$seen"
seen=$(sh_on initiator "$HOST; lost; roceguard port show roce0 | sed -n 2,6p")
is "... and which others fit" "rdma: Name=roce0 is closer
names: Name=roce0 is closer
rdmas: Name=roce0 is closer
  policy name is the closest by Name=roce0
    not rdma: Name=roce0 is closer
    not names: Name=roce0 is closer
    not rdmas: Name=roce0 is closer
    and 6 more that fit less" "$seen"
is "as close: by priority, then by name" "a: as close as others, of the same priority, first by name
b: as close as others, and of Priority=10
name: as close, but of Priority=0" \
	"$(sh_on initiator "$HOST
	policy a Name=roce0; rules
	policy b Name=roce0 Priority=10; rules
	roceguard policy delete a >/dev/null; until_ok 5 ruled_by b; lost | sed -n 1p")"
is "a policy that loses says to whom" \
	"roceguard: roce0 is held by policy b: as close as others, and of Priority=10" \
	"$(sh_on initiator "$HOST; roceguard policy load name.conf --all 2>&1 >/dev/null")"
is "policy dump: what loads back" "the same" "$(sh_on initiator "$HOST
	policy full 'Name=a*\nPCI=0000:3b:00.* 0000:5e:*\nRDMADevice=mlx5_*\nSpeed=>=25G <=1T' Priority=1000
	mkdir -p again; roceguard policy dump full > again/full.conf
	roceguard -j policy show full | jq 'del(.[].generation)' > full.1
	roceguard policy load again/full.conf --all >/dev/null 2>&1
	roceguard -j policy show full | jq 'del(.[].generation)' | diff full.1 - && echo the same
	rm -r again full.1; roceguard policy delete full >/dev/null")"

# The wire of roce0 is a NIC on PCI.
is "by PCI address" "pci: the closest by PCI=seen
no [Match] PCI= leaves it out" "$(sh_on initiator "$HOST
	address=\$(roceguard -j -s port show eth1 | jq -r '.[0].pci')
	[[ -e /sys/bus/pci/devices/\$address ]] || echo \"no such address: \$address\"
	policy pci \"RDMA=no\nPCI=\$address\"; rules eth1 | sed s/\$address/seen/
	printf '[Match]\nPCI=0000:ff:*\n[PFC]\nPriorities=3\n' > elsewhere.conf
	roceguard policy load elsewhere.conf --on roce0 2>&1 >/dev/null | grep -o '\[Match\] PCI= leaves it out' | sed 's/^/no /'
	roceguard policy delete elsewhere >/dev/null; roceguard policy delete pci >/dev/null")"

# A speed is known once the link has been up, and then stays known.
seen=$(sh_on initiator "$HOST
	for name in \$(roceguard -j policy show | jq -r '.[].name'); do roceguard policy delete \$name >/dev/null; done
	policy slow Speed=25G; rules
	ip link set roce0 down; ethtool -s roce0 speed 25000 autoneg off
	policy fast 'Speed=>=100G'; rules
	ip link set roce0 up; until_ok 5 ruled_by slow; rules
	roceguard -j port show roce0 | jq '.[0].speed_mbps'
	ip link set roce0 down; nap 0.3; roceguard port apply roce0 >/dev/null; rules
	nic plain; until_ok 5 ruled_by fast; rules
	ip link del roce0; ip link add link eth1 name roce0 type labnic
	until_ok 5 test -d /sys/class/net/roce0/roceguard; roceguard port apply roce0 >/dev/null; rules; nic plain")
is "speed: known once the link has been up, and kept while it is down" "none: -
fast: the only one that fits: Speed=>=100G
slow: the only one that fits: Speed=25G
25000
slow: the only one that fits: Speed=25G
fast: the only one that fits: Speed=>=100G
none: -" "$seen"

# Policies for what is not there yet.
seen=$(sh_on initiator "$HOST
	roceguard policy delete slow >/dev/null; roceguard policy delete fast >/dev/null
	policy later 'Name=roce7'; policy device 'RDMADevice=rxe7'; rules
	ip link add bad0 type dummy; ip link set bad0 up
	ip link add link bad0 name roce7 type labnic
	until_ok 5 value_is /sys/class/net/roce7/roceguard/policy later; rules roce7
	rdma link del rxe0; rdma link add rxe7 type rxe netdev roce0
	until_ok 5 ruled_by device; rules
	rdma dev set rxe7 name other7; until_ok 5 ruled_by ''; rules
	rdma link del other7; rdma link add rxe0 type rxe netdev roce0
	ip link set roce0 down; ip link set roce0 name roce8
	ip link del roce7; ip link set roce8 name roce7; until_ok 5 value_is /sys/class/net/roce7/roceguard/policy later
	rules roce7; ip link set roce7 name roce0; ip link set roce0 up")
is "policies for ports and RDMA devices that do not exist yet are kept" "none: -
later: the only one that fits: Name=roce7
device: the only one that fits: RDMADevice=rxe7
none: -
later: the only one that fits: Name=roce7" "$seen"

# Whether a host is among the first ones follows from its machine-id.
# shellcheck disable=SC2016
defer 'sh_on initiator "umount /etc/machine-id; rm -f /run/machine-id"'
seen=$(sh_on initiator "$HOST
	for name in later device; do roceguard policy delete \$name >/dev/null; done
	echo b08dfa6083e7567a1921a715000001fb > machine-id
	mount --bind machine-id /etc/machine-id
	rollout 0; roceguard port show roce0 | grep -o 'policy stepped@[0-9]*:r0'
	cat /sys/class/net/roce0/roceguard/state; hw roce0 pfc
	roceguard -j port show roce0 | jq -r '.[0].knobs[] | select(.knob == \"pfc\").reason'
	rollout 10; cat /sys/class/net/roce0/roceguard/state
	rollout 11; cat /sys/class/net/roce0/roceguard/state; hw roce0 pfc
	roceguard policy dump stepped | grep '^Rollout=\|^Serial='
	roceguard policy show stepped | grep -o 'rollout:.*'")
like "rollout: others observe and say so, the serial is shown" \
	"^policy stepped@[0-9]+:r0
drifted
0x00
not in this rollout step: 0% \(Rollout=\), this host comes after 10%
drifted
enforced
0x08
Rollout=11%
Serial=r11
rollout: 11% of the hosts; this one comes after 10% and is in$" "$seen"
is "rollout: without a machine-id it is not guessed" \
	"roceguard: policy load: /etc/machine-id: No data available; Rollout=11% of policy stepped needs the machine-id, see machine-id(5) 2" \
	"$(sh_on initiator 'cd /run; echo uninitialized > machine-id
	roceguard policy load stepped.conf --all 2>&1; echo $?' | paste -sd' ')"
