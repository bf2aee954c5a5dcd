#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Who may not write, cannot, whatever the way; a namespace sees its own ports
# and hears of no others.
. "$(dirname "$0")/../lib.sh"
ktap_begin
fresh initiator || exit 1
defer 'fresh initiator'
SPEC=/src/Documentation/netlink/specs/roceguard.yaml
user=(setpriv --reuid 65534 --regid 65534 --clear-groups)

ok "a policy is in force" governed initiator
ok "... and enforced" wait_on initiator 20 "$(port_is roce0 enforced)"

# Two network namespaces with a port each: one is root's, one a user's own.
defer 'on initiator /src/selftests/guest/namespaces down'
pid=$(on initiator /src/selftests/guest/namespaces up) ||
	fail "namespaces with a port can be made"
ordinary="${user[*]}"
userns="$ordinary unshare --user --map-root-user"
own="nsenter --target $pid --user --net --mount -S 0 -G 0"
box="ip netns exec box"
in_force() {
	sh_on initiator "roceguard -j policy show; ynl --spec $SPEC --no-schema --output-json --do mode-get"
}
before=$(in_force)

# Every command and every group, by netlink. The answers are those of
# ynl-requests: "ok", or the errno and the kernel's words.

# requests PORT
requests() {
	cat <<-END
		read policy-get {"name":"storage"}
		read dump:policy-get
		read port-get {"ifname":"$1"}
		read dump:port-get
		read mode-get
		read dump:history-get
		read counters-get {"ifname":"$1"}
		read counters-get {"ifname":"$1","fresh":1}
		read dump:counters-get
		read dump:counters-history-get
		clear dump:counters-history-get {"clear":1}
		apply incident-report {"ifname":"$1","cause":"reconnect"}
		write policy-set {"name":"mine","pfc":{"priorities":8}}
		write policy-set {"name":"storage","pfc":{"priorities":8}}
		write policy-del {"name":"storage"}
		write policy-confirm {"name":"storage"}
		write policy-set {"name":"mine","pfc":{"priorities":8},"confirm-within":1}
		write mode-set {"frozen":1}
		write mode-set {"mode":"off"}
		apply port-apply {"ifname":"$1"}
		apply port-apply {"ifname":"$1","now":1}
		apply port-restore {"ifname":"$1"}
		write policy-del {"name":"storage","restore":1}
		report delegate-report {"alive":1}
		report delegate-report {"port":1,"generation":1,"knob":"rdma-cm","verdict":"held"}
		join subscribe {"group":"port"}
		join subscribe {"group":"policy"}
		join subscribe {"group":"congestion"}
	END
}

no="EPERM: no words"
not_here="EPERM: policies and the mode are set from the initial network namespace"
agent="EPERM: the agent reports from the initial network namespace"
# may WHO PORT WRITE APPLY JOIN REPORT CMD: what WHO is answered, CMD makes one WHO
may() {
	local -A expected=([read]=ok [write]=$3 [apply]=$4 [join]=$5 [report]=$6)
	local kind request answers i=0
	expected[clear]="EPERM: only root .CAP_NET_ADMIN. may clear what is kept"
	[[ $4 != ok ]] || expected[clear]=ok
	mapfile -t answers < <(sh_on initiator "$7 /src/selftests/ynl-requests $SPEC 2>&1 <<'END'
$(requests "$2" | cut -d' ' -f2-)
END")
	while read -r kind request; do
		like "$1: $request: ${expected[$kind]}" "^${expected[$kind]}( |$)" "${answers[i]-no answer}"
		i=$((i + 1))
	done < <(requests "$2")
}
may "an ordinary user" roce0 "$no" "$no" "EPERM: Operation not permitted" "$no" "$ordinary"
may "root of a user namespace" roce0 "$no" "$no" "EPERM: Operation not permitted" "$no" "$userns"
# in a network namespace of one's own one may hear what is told there
may "root of a user and network namespace" roce8 "$no" "$no" ok "$no" "$own"
may "root, in another network namespace" roce7 "$not_here" ok ok "$agent" "$box"

is "policies, mode and generation are as before" "$before" "$(in_force)"

# What a namespace sees.

# sees WHO PORT CMD
sees() {
	is "$1 sees its own ports" "$2" \
		"$(sh_on initiator "$3 roceguard -s -j port show | jq -r '.[].ifname' | paste -sd' '")"
	for request in port-get port-apply port-restore; do
		like "$1 has no port roce0: $request" "^(ENODEV|EPERM)" \
			"$(sh_on initiator "$3 /src/selftests/ynl-requests $SPEC 2>&1 <<<'$request {\"ifname\":\"roce0\"}'")"
	done
	is "$1 does not read what was done to others" "" \
		"$(sh_on initiator "$3 roceguard -j history | jq -r '.[] | select(.ifname != \"$2\") | .ifname, .request'")"
}
like "the host sees all ports" "roce0.*roce7.*roce8" \
	"$(sh_on initiator 'roceguard -s -j port show | jq -r ".[].ifname" | sort | paste -sd" "')"
sees "root of a user and network namespace" roce8 "$own"
sees "root, in another network namespace" roce7 "$box"

# What it hears: its own ports, while the host's policies come and go.
heard=$(sh_on initiator "
	listen() { $own ynl --spec $SPEC --no-schema --output-json --subscribe \$1 --sleep 25 >/run/own.\$1 2>&1; }
	listen port & listen policy &
	for i in \$(seq 200); do
		[ \$(awk '\$2 == 16 && \$4 !~ /^0*\$/' /proc/$pid/net/netlink | wc -l) -ge 2 ] && break
		sleep 0.1
	done
	{ roceguard policy load storage --all; roceguard freeze; roceguard thaw
	roceguard port apply roce0; roceguard policy load storage --on roce0; } >/dev/null 2>&1
	wait
	jq -r '.[] | .name + \" \" + .msg.ifname' /run/own.port | sort -u; echo; cat /run/own.policy")
is "root of a user and network namespace hears of its own ports only" \
	"port-ntf roce8"$'\n\n'"[]" "$heard"
ok "the policy holds again" wait_on initiator 20 "$(port_is roce0 enforced)"

# The files.
globs='/sys/class/net/PORT/roceguard/* /sys/class/net/PORT/roceguard/knobs/*
	/sys/class/net/PORT/roceguard/counters/*
	/sys/class/net/PORT/ecn/*/*/* /sys/module/roceguard/parameters/*'
globs=${globs//$'\n'/ }
files=$(sh_on initiator "for file in ${globs//PORT/roce0}; do
	[ ! -f \$file ] || echo \$file; done | wc -l")
is "files of ECN are among them" 16 \
	"$(sh_on initiator 'ls /sys/class/net/roce0/ecn/roce_*/enable/* | wc -l')"
for who in ordinary userns own; do
	port=roce0
	[[ $who != own ]] || port=roce8
	# shellcheck disable=SC2016 # for the host
	is "files: $who reads them all, and can neither write nor change one" "$files read" \
		"$(sh_on initiator "${!who} bash -c '
		n=0
		for file in ${globs//PORT/$port}; do
			[ -f \$file ] || continue
			cat \$file >/dev/null && n=\$((n + 1))
			( echo 1 >\$file ) 2>/dev/null && echo \"\$file was written\"
			chmod 666 \$file 2>/dev/null && echo \"\$file was changed\"
		done
		echo \$n read' 2>&1")"
done

# The helper, in one line.
denied="permission denied; run it as root \(CAP_NET_ADMIN\)$"
# shellcheck disable=SC2086 # words
for command in "policy load storage --on roce0" "policy delete storage" "port apply roce0" "port restore roce0" freeze thaw monitor; do
	refused "root of a user namespace: $command" 2 "^roceguard: .*: $denied" initiator \
		$userns roceguard $command
done
# shellcheck disable=SC2086
for command in "policy load storage --on roce7" "policy delete storage" freeze; do
	refused "root, in another network namespace: $command" 2 \
		"policies and the mode are set from the initial network namespace$" initiator \
		$box roceguard $command
done
