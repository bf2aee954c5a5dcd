#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The NIC goes and comes back: it has its policy before it is first up. It is
# renamed and moved to another netns: the policy follows.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../storage.sh"
ktap_begin

TIMES=5
NETNS=rg-test

# The NIC as `lab up` makes it.
RECREATE=$(cat <<'HOST'
remove_nic() {
	ip link del "${1:-roce0}"
}
address_nic() {
	ip address add 192.168.20.1/24 dev roce0
	ip address add fd00:20::1/64 dev roce0 nodad
}
# In the order of any set-up script, no step waits for anything.
make_nic() {
	ip link add link eth1 name roce0 mtu $(cat /sys/class/net/eth1/mtu) type labnic &&
	rdma link add rxe0 type rxe netdev roce0 &&
	address_nic && ip link set roce0 up
}
# before_first_open: how many us before its first open the NIC had the
# last setting that was put right.
before_first_open() {
	awk '/: first open/ { open = $1 }
		/ kworker.*: (pfc 0x08|ets|trust|pause|app add|ecn)/ { last = $1 }
		END { if (open && last) printf "%d\n", 1000000 * (open - last) }' \
		/sys/kernel/debug/labnic/roce0/journal
}
HOST
)

fresh target initiator || exit 1
# shellcheck disable=SC2016
defer 'fresh initiator target'
# shellcheck disable=SC2016
defer 'sh_on initiator "$RECREATE; ip netns del $NETNS 2>/dev/null; nvme disconnect-all
	for dev in roce0 roce1; do [ ! -e /sys/class/net/\$dev ] || remove_nic \$dev; done
	for i in \$(seq 50); do ip link show roce0 >/dev/null 2>&1 || break; sleep 0.1; done
	make_nic" >/dev/null'
lab target >/dev/null || exit 1
governed target
sh_on initiator "modprobe roceguard && roceguard policy load storage --all" >/dev/null
ok "the initiator holds the policy" wait_on initiator 10 "$(port_is roce0 enforced)"

# One round inside the host: "good US FRAMES" or what was wrong.
round() {
	sh_on initiator "$STORAGE; $RECREATE
		remove_nic && make_nic || { echo 'it cannot be made'; exit 1; }
		until_ok 5 carrier_is roce0 1 || { echo 'no link'; exit 1; }
		until_ok 5 state_is roce0 enforced || {
			roceguard port show roce0
			exit 1
		}
		us=\$(before_first_open)
		# a new NIC knows no neighbour: see fresh
		ping -c 1 -W 5 $TARGET >/dev/null || { echo 'no neighbour'; exit 1; }
		roceguard connect -a $TARGET -s $PORT -n $NQN > /run/connect 2>&1 || {
			cat /run/connect
			exit 1
		}
		nvme disconnect -n $NQN >/dev/null
		storage_held roce0 || exit
		echo good \$us \$(for i in frames unprotected cm unprotected_cm; do
			stats roce0 tx_roce_\$i; done)"
}

seq=$(sh_on initiator "$STORAGE; last_seq")
seen=
for ((i = 0; i < TIMES; i++)); do
	seen+="$(round 2>&1)"$'\n'
done
is "roce0 deleted and made $TIMES times: enforced, dcb agrees, connects" $TIMES \
	"$(grep -c '^good' <<<"$seen")"
grep -v '^good' <<<"$seen" | sed '/^$/d; s/^/# /'
is "each time the last setting was right before the NIC was first up" $TIMES \
	"$(awk '/^good/ && $2 > 0' <<<"$seen" | wc -l)"
note "$(awk '/^good/ { if (!n++ || $2 < least) least = $2; sum += $2 }
	END { if (n) printf "all was right %d us before the first open on average, %d us at least", sum / n, least }' <<<"$seen")"
# shellcheck disable=SC2016
ok "each time RoCE frames were sent" awk -v times=$TIMES \
	'/^good/ && $3 { n++ } END { exit n != times }' <<<"$seen"
is "none of them while PFC on their priority was off" "0 0" \
	"$(awk '/^good/ { data += $4; cm += $6 } END { print data + 0, cm + 0 }' <<<"$seen")"
note "RoCE frames sent: $(awk '/^good/ { data += $3; cm += $5 } END { print data, "data,", cm, "connection set-up" }' <<<"$seen")"
unlike "history: by the NIC's own events, no rival and no audit needed" \
	"audit|dcb-event|user|policy|^$" \
	"$(sh_on initiator "roceguard -j history | jq -r '.[] |
		select(.seq > $seq and .action == \"correction\") | .trigger'" | sort -u | xargs)"

# Made and set up by one process: nothing can come between if both share one
# hold of rtnl. What happened is told; that it ends well is asserted.
seen=$(sh_on initiator "$STORAGE; $RECREATE
	remove_nic
	mtu=\$(cat /sys/class/net/eth1/mtu)
	printf 'link add link eth1 name roce0 mtu %s type labnic\nlink set roce0 up\n' \$mtu > /run/batch
	ip -batch /run/batch && until_ok 5 state_is roce0 enforced || exit
	echo batch \$(before_first_open)
	remove_nic
	ip link add link eth1 name roce0 mtu \$mtu up type labnic &&
	until_ok 5 state_is roce0 enforced || exit
	echo single \$(before_first_open)
	rdma link add rxe0 type rxe netdev roce0 && address_nic &&
	until_ok 5 state_is roce0 enforced && storage_held roce0 &&
	echo whole \$(stats roce0 tx_roce_unprotected)" 2>&1)
like "made and set up at once: enforced in the end, dcb agrees" 'whole 0$' "$seen"
awk '$1 == "batch" || $1 == "single" { printf "# made and set up %s: the policy was whole %d us %s the first open\n",
	$1 == "batch" ? "by ip -batch" : "by one request", $2 < 0 ? -$2 : $2, $2 < 0 ? "after" : "before" }' <<<"$seen"

# Renames. A policy without names follows, one with a name takes hold.
seen=$(sh_on initiator "$STORAGE
	# quiet first, lest the trigger of another change be told in place of this
	ip link set roce0 down && sleep 2 && ip link set roce0 name roce1 || exit
	until_ok 5 trigger_is roce1 rename && until_ok 5 state_is roce1 enforced &&
	cat /sys/class/net/roce1/roceguard/policy && storage_held roce1
	roceguard -j port show roce1 | jq -r '.[0].ifname'")
is "renamed: the port keeps its policy, under its new name" "storage roce1" \
	"$(xargs <<<"$seen")"
sh_on initiator "roceguard policy delete storage &&
	sed '/^\\[Match\\]/a Name=roce0' /usr/share/roceguard/profiles/storage.conf > /run/storage.conf &&
	roceguard policy load /run/storage.conf" >/dev/null 2>&1
ok "a policy for roce0 alone: roce1 is let go" wait_on initiator 5 \
	"$(port_is roce1 unmanaged)"
ok "... and changed by hand, nobody minds" sh_on initiator \
	"dcb pfc set dev roce1 prio-pfc 3:off && sleep 1 &&
	dcb pfc show dev roce1 | grep -q ' 3:off '"
ok "renamed to roce0: enforced" sh_on initiator "$STORAGE
	ip link set roce1 name roce0 && until_ok 5 state_is roce0 enforced &&
	storage_held roce0"
is "... by the trigger rename, says history" "rename pfc none 3" \
	"$(sh_on initiator "roceguard -j history | jq -r '[.[] |
		select(.action == \"correction\")][-1] | [.trigger, .knob, .from, .to] | join(\" \")'")"

# Another netns and back.
sh_on initiator "roceguard policy delete storage &&
	roceguard policy load storage --all" >/dev/null
seen=$(sh_on initiator "$STORAGE
	ip netns add $NETNS && ip link set roce0 netns $NETNS || exit
	declare -f > /run/storage.functions
	ip netns exec $NETNS bash -c '
		exec {never}<>/run/never
		. /run/storage.functions
		ip link set roce0 up
		until_ok 5 state_is roce0 enforced && storage_held roce0 &&
		echo held in \$(cat /sys/class/net/roce0/roceguard/policy)
		dcb pfc set dev roce0 prio-pfc 3:off
		until_ok 5 storage_held roce0 && echo corrected'
	[ -e /sys/class/net/roce0 ] || echo gone here" 2>&1)
is "in another netns: enforced, its folder in sysfs there, rivals corrected" \
	"held in storage corrected gone here" "$(xargs <<<"$seen")"
is "the initial netns sees the port too, with the netns it is in" true \
	"$(sh_on initiator "roceguard -j port show | jq '.[] | select(.ifname == \"roce0\") | has(\"netnsid\")'")"
seen=$(sh_on initiator "$STORAGE
	ip netns exec $NETNS ip link set roce0 netns 1 || exit
	until_ok 5 state_is roce0 enforced && storage_held roce0 && echo held" 2>&1)
is "... and back: enforced here" held "$seen"

# What was done in a netns that has gone is none of a later one's business, be it
# at the same address and of the same inode number.
is "history tells a netns what was done in it" true "$(sh_on initiator "
	ip netns exec $NETNS roceguard -j history | jq 'length > 0'
	ip netns del $NETNS")"
is "... and nothing to 20 later ones" "0" "$(sh_on initiator "
	for i in {1..20}; do
		ip netns add $NETNS
		ip netns exec $NETNS roceguard -j history
		ip netns del $NETNS
	done | jq -s 'add | length'")"
