# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# What the tests are written with: KTAP, hosts of the lab, undo, waiting.
# A test is selftests/tests/NAME.sh, run on the machine with a lab already up.

SELFTESTS=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck disable=SC2034 # for the tests
TARGET=192.168.20.100 TARGET6=fd00:20::100 PORT=4420
# shellcheck disable=SC2034
INITIATOR=192.168.20.1 INITIATOR6=fd00:20::1
# shellcheck disable=SC2034
NQN=nqn.2026-08.com.winwinhost:nvme.pool01

ktap_n=0
ktap_failed=0
defer_list=()

lab() {
	"$SELFTESTS/lab/lab" "$@"
}

# on HOST CMD...: output and exit status are those of CMD.
on() {
	local host=$1
	shift
	lab exec "$host" -- "$@"
}

# sh_on HOST 'script': several commands for the price of one.
sh_on() {
	lab exec "$1" -- bash -c "$2"
}

# defer 'command': undone at the end of the test, last first.
defer() {
	defer_list=("$1" "${defer_list[@]}")
}

ktap_begin() {
	echo "KTAP version 1"
	# shellcheck disable=SC2154
	trap 'status=$?; trap - EXIT; ktap_end; exit $status' EXIT
	trap 'exit 130' INT TERM
}

ktap_end() {
	local step
	for step in "${defer_list[@]}"; do
		eval "$step" || echo "# could not undo: $step"
	done
	echo "1..$ktap_n"
	((ktap_failed)) && status=1
	return 0
}

# note TEXT: a figure or a fact for the reader, on lines of their own.
note() {
	sed 's/^/# /' <<<"$*"
}

pass() {
	ktap_n=$((ktap_n + 1))
	echo "ok $ktap_n $1"
}

# fail DESCRIPTION [WHAT WAS SEEN]
fail() {
	ktap_n=$((ktap_n + 1))
	ktap_failed=$((ktap_failed + 1))
	[[ $# -lt 2 ]] || note "$2"
	echo "not ok $ktap_n $1"
}

skip() {
	ktap_n=$((ktap_n + 1))
	echo "ok $ktap_n $1 # SKIP $2"
}

# rounds N: how often a loop turns; ROUNDS_PERCENT in the environment makes a
# run shorter or longer.
rounds() {
	local n=$(($1 * ${ROUNDS_PERCENT:-100} / 100))
	echo $((n ? n : 1))
}

# ok DESCRIPTION CMD...: CMD must succeed; its output is shown if it does not.
ok() {
	local what=$1 out
	shift
	if out=$("$@" 2>&1); then
		pass "$what"
	else
		fail "$what" "$* (exit $?): $out"
	fi
}

# is DESCRIPTION EXPECTED SEEN
is() {
	if [[ $3 == "$2" ]]; then
		pass "$1"
	else
		fail "$1" "expected '$2', saw '$3'"
	fi
}

# like DESCRIPTION REGEX SEEN
like() {
	if [[ $3 =~ $2 ]]; then
		pass "$1"
	else
		fail "$1" "nothing like '$2' in '$3'"
	fi
}

# unlike DESCRIPTION REGEX SEEN
unlike() {
	if [[ $3 =~ $2 ]]; then
		fail "$1" "'$2' found in '$3'"
	else
		pass "$1"
	fi
}

# refused DESCRIPTION STATUS REGEX HOST CMD...: CMD must exit with STATUS and
# say one line on stderr that matches REGEX.
refused() {
	local what=$1 status=$2 regex=$3 host=$4 err seen
	shift 4
	err=$(on "$host" "$@" 2>&1 >/dev/null) && seen=0 || seen=$?
	if [[ $seen == "$status" && $err =~ $regex && $err != *$'\n'* ]]; then
		pass "$what: $err"
	else
		fail "$what" "expected exit $status and one line like '$regex', saw exit $seen: $err"
	fi
}

# bring FOLDER PROGRAM...: what the folder's Makefile builds in the hosts' image,
# which need not be that of their kernel, to the initiator's /run.
bring() {
	local build folder=$1
	shift
	build=$(dirname "$(lab build 2> >(sed 's/^/# /' >&2))") || return
	LAB_KERNEL='' lab inside "$build" -- \
		make -s -C "/build/tree/selftests/$folder" >&2 &&
		tar -C "$build/tree/selftests/$folder/build" -c "$@" |
		lab exec --stdin initiator -- tar -C /run -xm
}

# on_debug_kernel: every step takes ten times as long there.
on_debug_kernel() {
	[[ ${LAB_KERNEL:-} == @(debug|kcsan) ]]
}

# wait_for SECONDS CMD...: until CMD succeeds.
wait_for() {
	local end=$((SECONDS + $1))
	shift
	until "$@" >/dev/null 2>&1; do
		((SECONDS < end)) || return 1
		sleep 0.2
	done
}

# wait_on HOST SECONDS 'script': until it succeeds in HOST, polled in there.
wait_on() {
	sh_on "$1" "for i in \$(seq $(($2 * 10))); do { $3; } >/dev/null 2>&1 && exit 0; sleep 0.1; done; exit 1"
}

# The state file of a port, for wait_on.
port_is() {
	echo "grep -qx $2 /sys/class/net/$1/roceguard/state"
}

# A host as `lab up` leaves it: no policy, nothing connected, power-on NIC. The
# hosts know each other as neighbours: ib_core looks for one and only then waits
# for news of it, so it misses what comes in between, and nvme-rdma gives up
# after 3 s.
# rmmod, for modprobe -r would take labnic along with its provider. Bounded, for
# a host that hangs must not hang the tests.
fresh() {
	local host
	for host in "${@:-initiator}"; do
		timeout -k 10 90 "$SELFTESTS/lab/lab" exec "$host" -- bash -c '
			nvme disconnect-all
			for module in roceguard_rdma roceguard_labnic roceguard; do
				[ ! -d /sys/module/$module ] || rmmod $module || exit
			done
			echo 1 > /sys/kernel/debug/labnic/roce0/reset || exit
			# IPv6 addresses go when a device is set down
			ip link set roce0 up || exit
			awk -v host="$(hostname)" "\$2 == host { print \$1 }" /etc/hosts |
			while read -r address; do
				case $address in
				*:*) ip address replace "$address/64" dev roce0 nodad ;;
				*) ip address replace "$address/24" dev roce0 ;;
				esac || exit
			done || exit
			for i in $(seq 50); do
				sleep 0.1
				ip -br link show roce0 | grep -q LOWER_UP && break
			done
			ip -br link show roce0 | grep -q LOWER_UP || {
				echo "roce0 does not come up"
				exit 1
			}
			for address; do
				ping -c 1 -W 5 "$address" >/dev/null || echo "$address does not answer"
			done' fresh "$TARGET" "$TARGET6" "$INITIATOR" "$INITIATOR6" 2>&1 | sed 's/^/# fresh: /'
		[[ ${PIPESTATUS[0]} == 0 ]] || return 1
	done
}

# governed HOST [PROFILE]: roceguard loaded and the profile in force.
governed() {
	sh_on "$1" "modprobe roceguard && roceguard policy load ${2:-storage} --on roce0" >/dev/null
}
