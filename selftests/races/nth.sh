#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Every allocation fails once: of loading, of each request, of each pass, of each
# notifier and of ib_client's calls. Needs a kernel with fault injection.
SELFTESTS=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
# shellcheck source=../races.sh
. "$SELFTESTS/races.sh"
ktap_begin
races_begin

# faults_in WHERE: those whose stack goes through module WHERE, or through the
# kernel's own function WHERE(); without: all.
faults_in() {
	# shellcheck disable=SC2016 # for the host
	on initiator bash -c '
		start=0 end=$((-1))
		case $1 in
		?*"()")
			read -r start end <<-EOF
				$(sort /proc/kallsyms | awk -v name="${1%()}" "
					found { print found, \$1; exit }
					\$3 == name { found = \$1 }")
			EOF
			start=$((0x$start)) end=$((0x$end))
			;;
		?*)
			read -r start end <<-EOF
				$(awk -v name="[$1]" "tolower(\$2) == \"t\" && \$4 == name {
					print \$1 }" /proc/kallsyms | sort | sed -n "1p;\$p" | xargs)
			EOF
			start=$((0x$start)) end=$((0x$end))
			;;
		esac
		for fault in failslab fail_page_alloc; do
			cd /sys/kernel/debug/$fault || exit
			echo 0 >probability
			echo 0 >verbose
			echo N >ignore-gfp-wait
			echo 32 >stacktrace-depth
			printf %u $end >require-end
			printf %u $start >require-start
		done
		echo N >/sys/kernel/debug/fail_page_alloc/ignore-gfp-highmem
		echo 0 >/sys/kernel/debug/fail_page_alloc/min-order' bash "$1"
}

# nth STRIDE DESCRIPTION ARGUMENT...: every STRIDEth allocation, or each if there
# is time, with ROUNDS_PERCENT=1000.
nth() {
	local stride=$(($1 * 100 / ${ROUNDS_PERCENT:-100})) what=$2 out status=0
	shift 2
	out=$(timeout -k 10 3000 "$SELFTESTS/lab/lab" exec initiator -- \
		/run/nth $((stride ? stride : 1)) "$@" 2>&1) || status=$?
	judge "$what" "$out" "$status"
}

if ! on initiator test -d /sys/kernel/debug/failslab; then
	skip "faults of every allocation" "this kernel has no fault injection"
	exit
fi
defer 'faults_in ""'
updates=$(on initiator sh -c 'echo /usr/lib/modules/$(uname -r)/updates')

faults_in ""
nth 2 "requests, all allocations on their way" requests
ok "... and all is as it should be" settled
faults_in roceguard
nth 1 "passes, their own allocations" passes
nth 8 "notifiers, their own allocations" links
ok "... and all is as it should be" settled
faults_in roceguard_rdma
nth 1 "calls of ib_client, their own allocations" rdma
ok "... and all is as it should be" settled

# Its parts would come by themselves after every load.
by_hand
on initiator rmmod roceguard_labnic roceguard_rdma roceguard
faults_in "do_one_initcall()"
nth 5 "loading roceguard" load "$updates/roceguard.ko" roceguard
ok "... and it loads after that" on initiator modprobe roceguard
nth 2 "loading roceguard_rdma" load "$updates/roceguard_rdma.ko" roceguard_rdma
ok "policies are in force" governed_again
ok "... and all is as it should be" settled
