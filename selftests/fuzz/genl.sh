#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The netlink family under whatever can be sent to it, by those who may write
# and by those who may not. FUZZ_SEED in the environment repeats a run.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
ktap_begin
TOP=$(dirname "$SELFTESTS")
SEED=${FUZZ_SEED:-$RANDOM$RANDOM}
ROUNDS=$(rounds 20000)

# What makes sense, where the spec only says what is possible.
HINTS='policy.name=storage class.name=a class.dscp=26 class.priority=3
	class.lossless=1 class.ecn=1 class.share=100 pfc.priorities=8 dscp.trust=1
	dscp-map.dscp=10 dscp-map.priority=1 prio-tc.priority=3 prio-tc.tc=0
	tc.tc=0 tc.tsa=1 tc.bandwidth=100 ecn.np=8 ecn.rp=8 connection.class=a
	connection.roce-mode=2 match.ifname=roce0 match.driver=labnic match.rdma=1
	host.frozen=0'
HINTS=$(tr -s ' \t\n' ' ' <<<"$HINTS")

# Built in the image, and brought to the host.
build() {
	local dir
	dir=$(mktemp -d) || return
	cp "$SELFTESTS"/fuzz/genl/* "$TOP/Documentation/netlink/specs/roceguard.yaml" "$dir" &&
		lab inside "$dir" -- sh -c 'cd /build &&
			gcc -std=gnu11 -O2 -g -Wall -Wextra -Werror -D_GNU_SOURCE -o genl ./*.c &&
			python3 table roceguard.yaml >genl.table' &&
		tar -C "$dir" -c genl genl.table |
		lab exec --stdin initiator -- tar -C /run -x
	local status=$?
	rm -rf "$dir"
	return $status
}

# fuzz WHO ROLE PORT ROUNDS [CMD...]: as whom CMD runs it
fuzz() {
	local who=$1 role=$2 port=$3 rounds=$4 begin=$SECONDS out status=0
	shift 4
	# shellcheck disable=SC2086 # HINTS are words
	out=$(timeout 900 "$SELFTESTS/lab/lab" exec initiator -- "$@" \
		/run/genl /run/genl.table "$role" "$SEED" "$rounds" "port.ifname=$port" $HINTS 2>&1) || status=$?
	note "genl, $who: seed $SEED, $rounds rounds in $((SECONDS - begin)) s"
	note "$(grep -v '^[0-9]* messages$' <<<"$out")"
	if ((status)); then
		fail "$who: nothing wrong" "exit $status; the kernel's last words: $(lab console initiator | tail -n 5)"
	else
		pass "$who: nothing wrong"
	fi
	ok "$who: the kernel answers" on initiator roceguard port show
}

fresh initiator || exit 1
defer 'fresh initiator'
build || {
	fail "the fuzzer can be built"
	exit 1
}
defer 'sh_on initiator "rm -f /run/genl /run/genl.table"'
ok "a policy is in force" governed initiator
ok "... and enforced" wait_on initiator 20 "$(port_is roce0 enforced)"

# Two network namespaces with a port each: one is root's, one a user's own.
user=(setpriv --reuid 65534 --regid 65534 --clear-groups)
defer 'sh_on initiator "kill \$(cat /run/genl.pid); rm /run/genl.pid; ip netns del box
	ip link del box0; ip link del box1"'
# shellcheck disable=SC2016 # for the host
sh_on initiator '
	[ ! -e /proc/sys/kernel/unprivileged_userns_clone ] ||
		echo 1 >/proc/sys/kernel/unprivileged_userns_clone
	'"${user[*]}"' unshare --user --map-root-user --net sleep 3600 >/dev/null 2>&1 </dev/null &
	echo $! >/run/genl.pid
	for i in 0 1; do
		ip link add box$i type dummy && ip link set box$i up || exit
	done
	ip netns add box && ip link add link box0 name roce7 type labnic &&
		ip link set roce7 netns box && ip link add link box1 name roce8 type labnic || exit
	for i in $(seq 100); do
		[ "$(readlink /proc/$!/ns/net)" != "$(readlink /proc/self/ns/net)" ] && break
		sleep 0.1
	done
	ip link set roce8 netns $! &&
		nsenter --target $! --user --net -S 0 -G 0 ip -br link show roce8' >/dev/null ||
	fail "namespaces with a port can be made"
pid=$(on initiator cat /run/genl.pid)

fuzz "an ordinary user" stranger roce0 "$ROUNDS" "${user[@]}"
fuzz "root of a user namespace" stranger roce0 "$ROUNDS" \
	"${user[@]}" unshare --user --map-root-user
fuzz "root of a user and network namespace" stranger roce8 "$ROUNDS" \
	nsenter --target "$pid" --user --net -S 0 -G 0
fuzz "root, in another network namespace" neighbour roce7 "$ROUNDS" \
	ip netns exec box
ok "what was in force still is" sh_on initiator \
	'roceguard -j policy show | jq -e "[.[].name] == [\"storage\"]" && grep -qx enforced /sys/class/net/roce0/roceguard/state'
fuzz "root" writer roce0 $((ROUNDS * 2)) env

ok "a policy is in force again" sh_on initiator '
	/src/selftests/ynl-requests /src/Documentation/netlink/specs/roceguard.yaml \
		<<<"mode-set {\"mode\":\"enforce\",\"frozen\":0}" | grep -qx ok &&
	roceguard policy load storage --on roce0'
ok "... and enforced" wait_on initiator 30 "$(port_is roce0 enforced)"
