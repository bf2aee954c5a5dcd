#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What ../reports makes of kernel logs: each complaint is told, what
# ../lab/kernel/allow knows is not, and neither hides the other.
# shellcheck source=../lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"
ktap_begin

# told DESCRIPTION EXPECTED: the first lines, without times, of what is told of
# the log on standard input.
told() {
	local seen
	seen=$("$SELFTESTS/reports" | sed 's/^\[ *[0-9.]*\] //' |
		grep -E 'WARNING|BUG|unreferenced|ref_tracker|waiting|INFO' | paste -sd'|')
	is "$1" "$2" "$seen"
}

TRACE='[    1.000001] Call Trace:
[    1.000002]  <TASK>
[    1.000003]  some_function+0x1/0x2'
OURS='[    1.000003]  rg_enforce+0x1/0x2 [roceguard]'
ALLOWED='[    1.000000] ref_tracker: memory allocation failure, unreliable refcount tracker.'
NVMET='[    1.000000] WARNING: possible circular locking dependency detected
[    1.000001] Call Trace:
[    1.000002]  rdma_destroy_id+0x1/0x2
[    1.000003]  nvmet_rdma_disable_port+0x1/0x2
[    1.000004]  nvmet_port_subsys_drop_link+0x1/0x2'

told "a quiet log" "" <<<'[    1.000000] roceguard: roce0: pfc: none -> 3'
told "a warning" "WARNING: CPU: 0 at foo.c:1" \
	<<<"[    1.000000] WARNING: CPU: 0 at foo.c:1"$'\n'"$TRACE"
told "a leak" "unreferenced object 0xff (size 8):" \
	<<<'unreferenced object 0xff (size 8):'
told "a netdev that does not go" \
	"unregister_netdevice: waiting for ra to become free. Usage count = 2" \
	<<<'[    1.000000] unregister_netdevice: waiting for ra to become free. Usage count = 2'
told "what is allowed, alone" "" <<<"$NVMET"
told "... with a module of ours in its stack" \
	"WARNING: possible circular locking dependency detected" <<<"$NVMET"$'\n'"$OURS"
told "a line that is allowed does not hide what comes next" \
	"WARNING: CPU: 0 at foo.c:1" \
	<<<"$ALLOWED"$'\n'"[    1.000000] WARNING: CPU: 0 at foo.c:1"$'\n'"$TRACE"
told "nor does a trace that is allowed" "BUG: KASAN: use-after-free in x" \
	<<<"$NVMET"$'\n'"[    1.100000] BUG: KASAN: use-after-free in x"$'\n'"$TRACE"
told "a data race of whomever: only what is built for row kcsan is looked at" \
	"BUG: KCSAN: data-race in a / b" \
	<<<"[    1.000000] BUG: KCSAN: data-race in a / b"$'\n'"$TRACE"
told "a data race of ours" "BUG: KCSAN: data-race in rg_enforce / b" \
	<<<"[    1.000000] BUG: KCSAN: data-race in rg_enforce / b"$'\n'"$TRACE"$'\n'"$OURS"
is "a complaint ends where the kernel pauses" "" "$("$SELFTESTS/reports" \
	<<<"[    1.000000] WARNING: CPU: 0 at foo.c:1"$'\n'"$TRACE"$'\n''[    9.000000] later' | grep later)"
