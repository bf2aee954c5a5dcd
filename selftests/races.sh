# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Shared by the races: a second port, a race with its counts, what must be true
# after it whatever it was.
# shellcheck source=lib.sh
. "$SELFTESTS/lib.sh"

# races_begin: policies in force on roce0 and roce1, the racer at /run/race.
races_begin() {
	fresh initiator || exit 1
	defer 'fresh initiator'
	bring races race nth || {
		fail "the racers can be built"
		exit 1
	}
	defer 'sh_on initiator "rm -f /run/race /run/nth"'
	sh_on initiator 'ip link add race0 type dummy && ip link set race0 up &&
		ip link add link race0 name roce1 type labnic &&
		ip link set roce1 up && modprobe nvme-rdma' || {
		fail "a second port can be made"
		exit 1
	}
	defer 'sh_on initiator "ip link del race0"'
	ok "policies are in force" governed_again
	console_lines=$(lab console initiator | wc -l)
}

# complaints: what the kernel has said since the last call that is no good.
complaints() {
	local log lines
	log=$(lab console initiator)
	lines=$(wc -l <<<"$log")
	tail -n "+$((console_lines + 1))" <<<"$log" | "$SELFTESTS/reports"
	console_lines=$lines
}

# governed_again: a policy for all ports, for a race may have taken it along.
governed_again() {
	sh_on initiator 'modprobe roceguard && modprobe roceguard_rdma &&
		modprobe roceguard_labnic && roceguard policy load storage --all'
}

# by_hand: no module brings others along; by_itself: it does again.
by_hand() {
	on initiator sh -c 'cat /proc/sys/kernel/modprobe >/run/modprobe
		echo >/proc/sys/kernel/modprobe'
	defer by_itself
}

by_itself() {
	on initiator sh -c '[ ! -s /run/modprobe ] ||
		cat /run/modprobe >/proc/sys/kernel/modprobe'
}

# rdma_nets exclusive|shared: shared, the default, gives each RDMA device a twin in
# every netns; exclusive is possible while there is no other netns.
rdma_nets() {
	on initiator sh -c 'for i in $(seq 100); do
			words=$(rdma system set netns "$1" 2>&1) && exit
			sleep 0.1
		done
		echo "rdma system set netns $1: $words"
		exit 1' sh "$1"
}

# without_twins CMD...: CMD where RDMA devices have none, if the kernel has KASAN:
# 7.3 uses the netns of a twin after it was freed, when the RDMA device goes as
# the netns does (check-debug --baseline), and panic_on_warn ends the host.
without_twins() {
	if ! on_debug_kernel; then
		"$@"
		return
	fi
	ok "... RDMA devices are of one netns each" rdma_nets exclusive
	"$@"
	ok "... and of all again" rdma_nets shared
}

# settled: every netdev with DCB is a port, no other is, and all are as they
# should be.
settled() {
	# shellcheck disable=SC2016 # for the host
	sh_on initiator '
		end=$((SECONDS + 90))
		until
			ports=$(roceguard -j port show | jq -r ".[] | select(.dcb) | .ifname" | sort)
			[ "$ports" = "$(ls -d /sys/class/net/roce*/ | xargs -n1 basename | sort)" ] &&
				! grep -Lx enforced /sys/class/net/roce*/roceguard/state | grep -q .
		do
			((SECONDS < end)) || { roceguard port show; exit 1; }
			sleep 0.2
		done'
}

# judge DESCRIPTION OUTPUT STATUS: what a racer has come to.
judge() {
	local seen
	seen=$(complaints)
	if (($3)) || [[ $seen ]]; then
		fail "$1" "exit $3: $2"$'\n'"$seen"
		return
	fi
	note "$2"
	pass "$1"
}

# race SECONDS DESCRIPTION RACER...: the racers at once, see races/racer. RACES in
# the environment, a regular expression, leaves others out.
race() {
	local seconds what=$2 out status=0
	[[ $what =~ ${RACES:-} ]] || return 0
	seconds=$(rounds "$1")
	shift 2
	out=$(timeout -k 10 $((seconds + 240)) "$SELFTESTS/lab/lab" exec initiator -- \
		/run/race "$seconds" "$@" 2>&1) || status=$?
	judge "$what: $(counts <<<"$out") in $seconds s" "$out" "$status"
	governed_again >/dev/null
	ok "... and all is as it should be" settled
}

# counts: "birth 120, policy 33" of what racers have printed.
counts() {
	sed -n 's/^\([a-z-]*\)[^ ]*: \([0-9]*\) done.*/\1 \2/p' | paste -sd, | sed 's/,/, /g'
}
