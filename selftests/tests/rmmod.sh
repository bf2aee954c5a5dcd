#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The modules go and come at the worst moments: NVMe traffic, a storm of link
# flaps, firmware resets, RDMA devices that come and go, monitors attached. And
# the core lives without roceguard_rdma, and says so.
. "$(dirname "$0")/../lib.sh"
ktap_begin
fresh initiator || exit 1
defer 'fresh initiator'
BAD='WARNING:|BUG:|Oops|Call Trace|unreferenced|waiting for .* to become free|possible (recursive|circular) locking'

# storm ROUNDS PART...: reload ROUNDS times in a storm of PARTs, each of which
# must have done something.
storm() {
	local rounds=$1 begin=$SECONDS part counts
	shift
	ok "the storm begins: $*" on initiator /src/selftests/guest/storm "$@"
	is "modules unloaded and loaded, $rounds times in $*" "$rounds rounds" \
		"$(on initiator /src/selftests/guest/reload "$rounds" 2>&1)"
	counts=$(on initiator /src/selftests/guest/storm stop)
	for part in "$@"; do
		like "... with $part all the time" "$part:[1-9]" "$counts"
	done
	note "$rounds rounds in $((SECONDS - begin)) s; done meanwhile: ${counts//$'\n'/ }"
}

sh_on initiator 'ip link add storm0 type dummy && ip link set storm0 up &&
	ip link add link storm0 name roce1 type labnic && ip link set roce1 up' ||
	fail "a second port can be made"
defer 'sh_on initiator "ip link del storm0"'
lab target >/dev/null || fail "the target exports"
ok "a policy is in force" governed initiator
ok "NVMe is connected" on initiator roceguard connect -a "$TARGET" \
	-s "$PORT" -n "$NQN" --ctrl-loss-tmo=600 --reconnect-delay=1
defer 'sh_on initiator "[ ! -d /run/storm ] || /src/selftests/guest/storm stop"'
before=$(lab console initiator | wc -l)

storm "$(rounds 15)" traffic rival
ok "the controller lives" sh_on initiator \
	'grep -qx live /sys/class/nvme/nvme*/state'
ok "NVMe is disconnected" on initiator nvme disconnect -n "$NQN"
storm "$(rounds 35)" flaps resets rdma
ok "the port is up again" wait_on initiator 20 \
	'ip -br link show roce0 | grep -q LOWER_UP'
ok "a policy holds again" governed initiator
ok "NVMe is connected again" on initiator roceguard connect -a "$TARGET" \
	-s "$PORT" -n "$NQN"
unlike "the kernel reported nothing" "$BAD" \
	"$(lab console initiator | tail -n +$((before + 1)))"

# The RDMA part cannot be loaded: a blacklisted or broken module.
sh_on initiator 'rmmod roceguard_rdma && rmmod roceguard_labnic &&
	rmmod roceguard' || fail "the modules go"
sh_on initiator 'echo "install roceguard_rdma /bin/false" >/etc/modprobe.d/test.conf'
defer 'sh_on initiator "rm -f /etc/modprobe.d/test.conf"'
ok "without roceguard_rdma a policy loads" sh_on initiator \
	'modprobe roceguard && roceguard policy load storage --on roce0'
ok "... and is enforced" wait_on initiator 10 "$(port_is roce0 enforced)"
on initiator dcb pfc set dev roce0 prio-pfc 3:off
ok "... against rivals, too" wait_on initiator 5 \
	'dcb pfc show dev roce0 | grep -q 3:on'
like "... and port show says what is missing" \
	"without roceguard_rdma .*: modprobe roceguard_rdma failed; see the kernel log" "$(sh_on initiator 'roceguard port show 2>&1')"
like "... and so does thaw, in JSON" \
	'"rdma_reason": ?"[^"]*modprobe roceguard_rdma failed' \
	"$(sh_on initiator 'roceguard -j thaw')"
like "... and the kernel log" "roceguard_rdma can't be loaded; ports are governed without" \
	"$(lab console initiator | tail -n 20)"
ok "put back, it loads" sh_on initiator \
	'rm /etc/modprobe.d/test.conf && modprobe roceguard_rdma'
ok "... and the port has its RDMA device again" wait_on initiator 5 \
	'roceguard port show roce0 | grep -q rxe0'
