#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# NVMe over RDMA over IPv4 and IPv6 rides its class, on the wire and by the
# NIC's counters, and what was written is read.
# shellcheck source-path=SCRIPTDIR
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=../path.sh
. "$SELFTESTS/path.sh"
# Enough for thousands of frames each way; the demo moves 64.
# shellcheck disable=SC2034 # for path.sh
PATH_MIB=16

# step LABEL CMD...: an assertion that tells what it saw
step() {
	local label=$1 seen
	shift
	if seen=$("$@" 2>&1); then
		pass "$label: $seen"
	else
		fail "$label: $*" "${seen:-nothing}"
	fi
}

# By frames really sent: the DSCPs of the policy in their priority and in no
# other; the rest of their rows (DSCP >> 3, what a NIC would put there by
# itself) and one of each other row in priority 0. All 64 are dcb app's step.
sweep_is_right() {
	local seen dscps=(0 8 16 {24..31} 32 40 46 {48..55} 56 63)
	seen=$(guest sweep "$TARGET" "${dscps[@]}") || {
		echo "$seen"
		return 1
	}
	tr ' ' '\n' <<<"$seen" | grep -v ':0$' | paste -sd' ' | sed 's/ *$//'
	[[ $(tr ' ' '\n' <<<"$seen" | grep -c ':0$') == $((${#dscps[@]} - 2)) &&
		" $seen" == *" 26:3 "* && " $seen" == *" 48:6 "* ]]
}

ktap_begin
defer path_clean
fresh target initiator || exit 1
defer 'fresh target initiator'
ok "lab target" lab target

step "before" guest before "$TARGET" 0 26 48
ok "policy on the target" governed target
ok "policy on the initiator" governed initiator
path_agrees
step "DSCPs sent, those not in priority 0" sweep_is_right
path_walk "$TARGET" "$INITIATOR" 0
path_walk "$TARGET6" "$INITIATOR6" 1
step "connect" guest connect "$TARGET" "$PORT" "$NQN"
step "link flap" path_flap 2
guest disconnect
