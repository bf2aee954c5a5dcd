#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The netlink family under whatever can be sent to it, by those who may write
# and by those who may not. FUZZ_SEED in the environment repeats a run.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
ktap_begin
TOP=$(dirname "$SELFTESTS")
SEED=${FUZZ_SEED:-$RANDOM$RANDOM}
SHARE=100 ROUNDS=$(rounds 20000)
# a kernel with checkers is a hundred times slower
if on_debug_kernel; then
	SHARE=10 ROUNDS=$(rounds 1000)
fi

# What makes sense, where the spec only says what is possible.
HINTS='policy.name=storage policy.confirm-within=28800 class.name=a class.dscp=26 class.priority=3
	class.lossless=1 class.ecn=1 class.share=100 pfc.priorities=8 dscp.trust=1
	dscp-map.dscp=10 dscp-map.priority=1 prio-tc.priority=3 prio-tc.tc=0
	tc.tc=0 tc.tsa=1 tc.bandwidth=100 ecn.np=8 ecn.rp=8 connection.class=a
	connection.roce-mode=2 match.ifname=roce0 match.driver=labnic match.rdma=1
	host.frozen=0 sample.cause=3'
HINTS=$(tr -s ' \t\n' ' ' <<<"$HINTS")

# Built in the hosts' image, which is that of no other kernel, and brought to one.
build() {
	local dir
	dir=$(mktemp -d) || return
	cp "$SELFTESTS"/fuzz/genl/* "$TOP/Documentation/netlink/specs/roceguard.yaml" "$dir" &&
		LAB_KERNEL='' lab inside "$dir" -- sh -c 'cd /build &&
			gcc -std=gnu11 -O2 -g -Wall -Wextra -Werror -D_GNU_SOURCE -o genl ./*.c &&
			python3 table roceguard.yaml >genl.table' &&
		tar -C "$dir" -c genl genl.table |
		lab exec --stdin initiator -- tar -C /run -x
	local status=$?
	rm -rf "$dir"
	return $status
}

# fuzz WHO ROLE PORT SHARE ROUNDS CMD...: as whom CMD runs it
fuzz() {
	local who=$1 role=$2 port=$3 share=$4 rounds=$5 begin=$SECONDS out status=0
	shift 5
	# shellcheck disable=SC2086 # HINTS are words
	out=$(timeout 900 "$SELFTESTS/lab/lab" exec initiator -- "$@" \
		/run/genl /run/genl.table "$role" "$SEED" "$share" "$rounds" "port.ifname=$port" \
		"counters.ifname=$port" "sample.ifname=$port" $HINTS 2>&1) || status=$?
	note "genl, $who: seed $SEED, $share % of all forms, $rounds rounds in $((SECONDS - begin)) s"
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
defer 'on initiator /src/selftests/guest/namespaces down'
pid=$(on initiator /src/selftests/guest/namespaces up) ||
	fail "namespaces with a port can be made"

fuzz "an ordinary user" stranger roce0 "$SHARE" "$ROUNDS" "${user[@]}"
fuzz "root of a user namespace" stranger roce0 "$SHARE" "$ROUNDS" \
	"${user[@]}" unshare --user --map-root-user
fuzz "root of a user and network namespace" stranger roce8 "$SHARE" "$ROUNDS" \
	nsenter --target "$pid" --user --net -S 0 -G 0
fuzz "root, in another network namespace" neighbour roce7 "$SHARE" "$ROUNDS" \
	ip netns exec box
ok "what was in force still is" sh_on initiator \
	'roceguard -j policy show | jq -e "[.[].name] == [\"storage\"]" && grep -qx enforced /sys/class/net/roce0/roceguard/state'
fuzz "root" writer roce0 100 $((ROUNDS * 2)) env

ok "a policy is in force again" sh_on initiator '
	/src/selftests/ynl-requests /src/Documentation/netlink/specs/roceguard.yaml \
		<<<"mode-set {\"mode\":\"enforce\",\"frozen\":0}" | grep -qx ok &&
	roceguard policy load storage --on roce0'
ok "... and enforced" wait_on initiator 30 "$(port_is roce0 enforced)"
