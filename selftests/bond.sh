# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# A bond of two NICs that drop their link when PFC is written, in a host with one
# wire: sh_on HOST "$STORAGE; $BOND; ...".
#
#     bond0 = roce0 + roce1     balance-xor, addressed, rxe0 on top
#     roce0 - wire0 = plug0 \
#     roce1 - wire1 = plug1  wires (a bridge) - eth1
#
# Not active-backup: at each failover of that ib_core takes the bond's GIDs away and
# adds them again, and rdma_rxe, which looks them up for each frame, gives its queue
# pairs up.
# shellcheck disable=SC2034 # for the tests
BOND=$(cat <<'HOST'
# make_bond: in place of roce0 as `lab up` makes it
make_bond() {
	local mtu i
	read -r mtu < /sys/class/net/eth1/mtu
	ip link del roce0
	modprobe bonding max_bonds=0
	ip link add wires mtu "$mtu" type bridge
	ip link set eth1 master wires
	ip link set wires up
	echo mlx5 > /sys/module/labnic/parameters/personality
	ip link add bond0 mtu "$mtu" type bond mode balance-xor miimon 100
	for i in 0 1; do
		ip link add wire$i mtu "$mtu" type veth peer name plug$i mtu "$mtu"
		ip link set plug$i master wires up
		bridge link set dev plug$i isolated on
		ip link add link wire$i name roce$i type labnic
		ip link set roce$i master bond0
	done
	ip address add 192.168.20.1/24 dev bond0
	ip link set bond0 up
	rdma link add rxe0 type rxe netdev bond0
	until_ok 5 both_carry
}
unmake_bond() {
	ip link del bond0
	ip link del wire0
	ip link del wire1
	ip link del wires
	ip link set eth1 up
	# where the next one is made of it
	ip link add link eth1 name roce0 type labnic
	nic plain
} 2>/dev/null

# carries DEV: the bond counts on this leg
carries() { value_is "/sys/class/net/$1/bonding_slave/mii_status" up; }
both_carry() { carries roce0 && carries roce1; }
both_are() { state_is roce0 "$1" && state_is roce1 "$1"; }

# drifted DEV: PFC is wrong behind our back. The rival's write drops the link, too,
# and is waited for.
drifted() {
	dcb pfc set dev "$1" prio-pfc 3:off && nap 0.1 && until_ok 5 carrier_is "$1" 1 &&
		nap 0.5 && until_ok 5 carries "$1"
}
# drifted_quietly DEV: ... one whose write costs no link
drifted_quietly() {
	local ms=/sys/module/labnic/parameters/toggle_ms
	echo 0 > $ms
	dcb pfc set dev "$1" prio-pfc 3:off
	echo 200 > $ms
}

# times: when a leg had no link, from the journals of both: "LEG FROM TO", a line
# each, in order. A write that drops it counts from its beginning.
times() {
	local leg
	for leg in roce0 roce1; do
		awk -v leg=$leg '
			/: pfc 0x/ || /: link down/ { if (!from) from = $1 }
			/: link up/ { if (from) print leg, from, $1; from = 0 }
			END { if (from) print leg, from, "never" }' \
			/sys/kernel/debug/labnic/$leg/journal
	done | sort -k 2,2n
}
HOST
)
