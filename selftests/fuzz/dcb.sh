#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Words of DCB writes that do not come from the kernel: whoever may send to the
# group that roceguard listens to, it believes none of them.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
ktap_begin
SEED=${FUZZ_SEED:-$RANDOM$RANDOM}
ROUNDS=$(rounds 4000)

build() {
	local dir status=0
	dir=$(mktemp -d) || return
	cp "$SELFTESTS/fuzz/dcb.c" "$dir" &&
		LAB_KERNEL='' lab inside "$dir" -- \
			gcc -std=gnu11 -O2 -Wall -Wextra -Werror -o /build/dcb /build/dcb.c &&
		lab exec --stdin initiator -- sh -c 'cat >/run/dcb && chmod 755 /run/dcb' \
			<"$dir/dcb" || status=$?
	rm -rf "$dir"
	return $status
}

fresh initiator || exit 1
defer 'fresh initiator'
build || {
	fail "the sender can be built"
	exit 1
}
defer 'on initiator rm -f /run/dcb'
defer 'on initiator /src/selftests/guest/namespaces down'
pid=$(on initiator /src/selftests/guest/namespaces up) || fail "namespaces with a port can be made"
user="setpriv --reuid 65534 --regid 65534 --clear-groups"
own="nsenter --target $pid --user --net --mount -S 0 -G 0"
ok "a policy is in force" sh_on initiator 'modprobe roceguard && roceguard policy load storage --all'
ok "... in the namespace, too" wait_on initiator 30 \
	"$own $(port_is roce8 enforced)"

# sends WHO PORT CMD NET: what WHO sends moves nobody; NET is root, where PORT is
sends() {
	local begin=$SECONDS seen
	seen=$(sh_on initiator "
		$4 roceguard port apply $2 >/dev/null
		status() { $4 roceguard -j port show $2 | jq -c '.[0] | [.state, .corrections, .drifts]'; }
		status >/run/before
		$3 /run/dcb $2 $SEED $ROUNDS || exit
		sleep 1
		status | diff /run/before - &&
			$4 roceguard -j port show $2 | jq -r '.[0] | .state + \" \" + .trigger'")
	note "dcb, $1: $ROUNDS rounds in $((SECONDS - begin)) s, seed $SEED, $(head -n 1 <<<"$seen")"
	like "$1: none of it is believed" "^enforced (user|audit)$" "$(tail -n +2 <<<"$seen")"
}
net="nsenter --target $pid --net"
sends "an ordinary user" roce0 "$user" ""
sends "root of a user and network namespace" roce8 "$own" "$net"

# heard PORT NET: the kernel's own word is, after all that
heard() {
	ok "$1: what the kernel says is heard" sh_on initiator "
		$2 dcb pfc set dev $1 prio-pfc 3:off || exit
		for i in \$(seq 100); do
			$2 roceguard -j history | jq -e '[.[] | select(.ifname == \"$1\" and
				.trigger == \"dcb-event\")] | length > 0' && exit 0
			sleep 0.1
		done
		exit 1"
}
heard roce0 ""
heard roce8 "$net"
