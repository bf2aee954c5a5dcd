#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What ports, policies, RDMA devices and readers share, changed by all of them at
# once. Each race names the class of bug that it looks for.
SELFTESTS=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
# shellcheck source=../races.sh
. "$SELFTESTS/races.sh"
ktap_begin
races_begin
said=$(mktemp)
defer 'rm -f "$said"'

race 8 "a netdev gone between event and work, work pending" \
	birth:ra birth:rb:500 policy:race rival:roce1
race 5 "a name changes under dumps and reads" \
	rename:roce1 ports slow:port sysfs apply:roce0
race 5 "a dump goes on over what was deleted" \
	birth:ra birth:rb slow:port slow:history
race 5 "policies replaced under dumps" \
	policy:race policies slow:policy freeze
race 5 "a file is read while its port goes" \
	birth:ra:2000 sysfs:ra sysfs apply:ra
without_twins race 12 "namespaces end with NIC and RDMA device" \
	netns:rdma netns policy:race ports
race 8 "a NIC moves between namespaces" \
	move:rm move:rn policy:race ports
race 12 "an RDMA device goes during a pass" \
	rxe:rxe8:roce1:5000 apply:roce1 policy:race
race 10 "addresses change while an RDMA device is made" \
	rxe:rxe8:roce1 mac:roce1 mtu:roce1
race 12 "a netdev goes from under its RDMA device" \
	rdma-orphan:rxe8:ro ports policy:race
race 5 "an RDMA device changes its name under dumps" \
	rdma-rename:rxe0 ports apply:roce0
race 6 "a port is stacked upon and is free again" \
	stack:roce1:macvlan enslave:roce1 ports apply:roce1
on initiator sh -c 'echo 100 >/sys/module/roceguard/parameters/sample_ms'
race 6 "counters are read while their port and its RDMA device go" \
	birth:ra:2000 rxe:rxe8:roce1:5000 sysfs slow:counters slow:counters-history
on initiator sh -c 'echo 1000 >/sys/module/roceguard/parameters/sample_ms'
race 5 "flaps at up to a kilohertz, and rivals" \
	flap:roce1:500 rival:roce1 sysfs:roce1
race 5 "firmware resets under flaps" \
	write:/sys/kernel/debug/labnic/roce1/reset:1:20000 flap:roce1:1000 apply:roce1

# An RDMA device moves between namespaces by itself, if told so before there is
# any. rdma_rxe of 7.3 moves, and then has no queue pair for MADs.
moves() {
	rdma_nets exclusive || return
	# shellcheck disable=SC2016 # for the host
	on initiator bash -c '
		ip netns add race && ip netns attach home 1 || exit
		end=$((SECONDS + $1))
		for ((n = 0; n < 2 || SECONDS < end; n++)); do
			rdma dev set rxe0 netns race &&
				ip netns exec race rdma dev set rxe0 netns home && continue
			echo "refused after $n"
			break
		done
		ip netns del race
		ip netns del home
		echo "rdma-move: $n done"' bash "$(rounds 10)" 2>&1
	rdma_nets shared
	sh_on initiator 'rdma link del rxe0
		rdma link add rxe0 type rxe netdev roce0'
}
moves >"$said" &
mover=$!
race 10 "an RDMA device moves between namespaces" apply:roce0 ports policy:race
wait $mover
if grep -q '^rdma-move: [1-9]' "$said" && ! grep -q '^refused' "$said"; then
	pass "... $(grep '^rdma-move' "$said")"
elif grep -q 'not supported' "$said"; then
	skip "... rdma-move" "this kernel's rdma_rxe cannot"
else
	fail "... rdma-move" "$(cat "$said")"
fi

on initiator sh -c 'echo mlx5 >/sys/module/labnic/parameters/personality'
defer "on initiator sh -c 'echo plain >/sys/module/labnic/parameters/personality'"
without_twins race 20 "all notifiers, with a driver that has mlx5's habits and its locks" \
	birth:ra birth:rb:2000 move:rm netns:rdma rdma-orphan:rxe8:ro policy:race
