#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Every attribute of every request wrong in every way, generated from the spec: the
# kernel says what is wrong in words, and changes nothing.
. "$(dirname "$0")/../lib.sh"
ktap_begin
fresh initiator || exit 1
defer 'fresh initiator'

ok "a good policy is in force" governed initiator
ok "... and enforced" wait_on initiator 10 "$(port_is roce0 enforced)"

# shellcheck disable=SC2016 # for the host
out=$(sh_on initiator '
	spec=/src/Documentation/netlink/specs/roceguard.yaml
	snapshot() {
		roceguard -j policy show
		grep . /sys/class/net/roce0/roceguard/{corrections,drifts,link_drops,policy,state}
		cat /sys/kernel/debug/labnic/roce0/{hw,journal}
	}
	/src/selftests/bad-attributes $spec > /tmp/wrong || exit
	snapshot > /tmp/before
	cut -f3 /tmp/wrong | /src/selftests/ynl-requests $spec > /tmp/answers
	snapshot > /tmp/after
	cut -f1,2 /tmp/wrong | paste - /tmp/answers
	rm -f /tmp/wrong /tmp/answers
	[ -s /tmp/before ] && diff /tmp/before /tmp/after && echo the same')
while IFS=$'\t' read -r what regex answer; do
	# not a shell pattern: words that must not follow
	if [[ -n $answer ]] && grep -qP -- "$regex" <<<"$answer"; then
		pass "$what: $answer"
	else
		fail "$what" "nothing like '$regex' in '$answer'"
	fi
done < <(grep -P '\t' <<<"$out")
is "nothing has changed" "the same" "$(tail -n 1 <<<"$out")"
