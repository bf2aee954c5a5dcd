#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What users of RoCE suffer from, a case each, where no other test has it:
# Documentation/pains.md says which has the others.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../storage.sh"
ktap_begin
HOST=$STORAGE

# dry_run ARGUMENTS: what connect would do, and "exit N"
dry_run() {
	sh_on initiator "roceguard connect -a $TARGET -s $PORT -n $NQN --dry-run $* 2>&1
		echo exit \$?" | tr -s ' \n' '  '
}

fresh initiator || exit 1
# shellcheck disable=SC2016
defer 'sh_on initiator "$HOST; rm -f /run/storage.conf; nic plain" && fresh initiator'
sh_on initiator 'modprobe roceguard audit=1' && governed initiator || exit 1
ok "the policy holds" wait_on initiator 10 "$(port_is roce0 enforced)"

# 1, 2, 14: everything in priority 0, and nobody says so.
seen=$(dry_run --tos 0)
like "ToS 0 beside PFC on priority 3: connect names the broken link" \
	'ToS 0 = DSCP 0 takes priority 0, where policy storage has no PFC' "$seen"
like "... with its remedy, and refuses" "leave --tos out: the policy's is 106 .*exit 3" "$seen"
seen=$(dry_run --tos 32)
like "a ToS of another class: connect says where it would go" \
	"--tos 32 = DSCP 8 takes priority 0; the policy's is 106 = DSCP 26 .* exit 3" "$seen"

# 3: 104 or 106?
like "without --tos: the byte of the policy, in words" \
	'106 = DSCP 26 \+ ECT\(0\).* exit 0' "$(dry_run)"
like "with 104: the same class, and that nobody will mark it" \
	'104 = DSCP 26, given with --tos.* carry no ECT\(0\).* exit 0' "$(dry_run --tos 104)"

# 19: no GID to connect from.
seen=$(sh_on initiator 'rdma link del rxe0' && dry_run
	sh_on initiator 'rdma link add rxe0 type rxe netdev roce0')
like "no RDMA device for the address: connect says so, and what makes one" \
	'no RDMA device has 192.168.20.1 on roce0.*rdma link add rxe0 type rxe netdev roce0.* exit 3' "$seen"

# 10: the file is emptied, as lldpad's was.
: >"${EMPTY:=$(mktemp --suffix=.conf)}"
defer "rm -f $EMPTY"
lab exec --stdin initiator -- tee /run/storage.conf <"$EMPTY" >/dev/null
before=$(sh_on initiator 'roceguard policy dump storage')
seen=$(sh_on initiator 'roceguard policy load /run/storage.conf --on roce0 2>&1; echo exit $?')
like "a policy file that was emptied is refused" 'exit 1$' "$seen"
note "$(head -n 1 <<<"$seen")"
is "... and the kernel holds on to what it has" "$before" \
	"$(sh_on initiator 'roceguard policy dump storage')"

# 9, 28: what is right is not written again, by whatever way it is asked for.
seen=$(sh_on initiator "$HOST
	nic mlx5; until_ok 10 state_is roce0 enforced; nap 2; until_ok 5 state_is roce0 enforced
	until_ok 5 carrier_is roce0 1; nap 1
	journal() { grep -c ' kworker.*: [^l]' /sys/kernel/debug/labnic/roce0/journal; }
	before=\"\$(stats roce0 link_down_events_phy) \$(journal)\" passes=\$(passes roce0)
	for i in 1 2 3; do
		roceguard port apply roce0; roceguard policy load storage --on roce0
		dcb pfc set dev roce0 prio-pfc 3:on
		for role in np rp; do echo 1 > /sys/class/net/roce0/ecn/roce_\$role/enable/3; done
	done >/dev/null
	nap 2.5
	echo \$((\$(passes roce0) - passes)) \
		\"\$before\" - \"\$(stats roce0 link_down_events_phy) \$(journal)\"" 2>&1)
read -r passes before <<<"$seen"
ok "asked for again and again: it was looked at" test "$passes" -ge 8
is "... and nothing was written, no link dropped (link downs, writes)" \
	"${before#* - }" "${before% - *}"
