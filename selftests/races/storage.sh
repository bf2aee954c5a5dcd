#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Races beneath NVMe over RDMA: what is connected stays connected, and what
# listens lets go of its netdev.
SELFTESTS=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
# shellcheck source=../races.sh
. "$SELFTESTS/races.sh"
ktap_begin
fresh target || exit 1
races_begin

# A MAD that rdma_rxe sends while the link is down may leave its queue pair 1 in
# error for good, also without roceguard; nothing connects over that device then.
ok "a new RDMA device" sh_on initiator 'rdma link del rxe0 && sleep 0.5 &&
	rdma link add rxe0 type rxe netdev roce0'
lab target >/dev/null || fail "the target exports"
ok "NVMe is connected" on initiator roceguard connect -a "$TARGET" -s "$PORT" \
	-n "$NQN" --reconnect-delay=1 --ctrl-loss-tmo=600
# Flaps of the port itself are for tests/flaps, where there are fewer.
race 10 "flaps at up to a kilohertz beside NVMe I/O" \
	flap:roce1:500 read:/dev/nvme0n1 read:/dev/nvme0n1 ports
race 8 "passes, policies and rivals under NVMe I/O" \
	read:/dev/nvme0n1 read:/dev/nvme0n1 policy:race apply:roce0 rival:roce0
ok "the controller lives" sh_on initiator \
	'grep -qx live /sys/class/nvme/nvme*/state'
ok "NVMe is disconnected" on initiator nvme disconnect -n "$NQN"

# A VLAN of a port with a listener of nvmet on it, deleted under it.
# shellcheck disable=SC2016 # for the host
listen='
	modprobe nvmet-rdma && cd /sys/kernel/config/nvmet/ports &&
	ip link add link roce0 name roce0.9 type vlan id 9 &&
	ip link set roce0.9 up && ip address add 192.168.79.1/24 dev roce0.9 &&
	sleep 0.5 && mkdir 79 && echo rdma >79/addr_trtype && echo ipv4 >79/addr_adrfam &&
	echo 192.168.79.1 >79/addr_traddr && echo 4420 >79/addr_trsvcid &&
	mkdir -p ../subsystems/race79 &&
	ln -s ../subsystems/race79 79/subsystems/race79'
gone='
	ip link del roce0.9 && cd /sys/kernel/config/nvmet/ports &&
	rm 79/subsystems/race79 && rmdir 79 ../subsystems/race79'
turns=0
for ((i = $(rounds 3); i; i--)); do
	sh_on initiator "$listen" >/dev/null && sh_on initiator "$gone" &&
		turns=$((turns + 1))
done
judge "a VLAN is deleted under a listener of nvmet: $turns times" \
	"$turns of $(rounds 3)" "$((turns != $(rounds 3)))"
ok "... and all is as it should be" settled
