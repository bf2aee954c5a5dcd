# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# What a host's own tools say of a port that holds the profile storage.
# Functions to run inside a host: sh_on HOST "$STORAGE; ...". Those that are
# polled start no process: hosts are slow.
# shellcheck disable=SC2034 # for the tests
STORAGE=$(cat <<'HOST'
[[ -p /run/never ]] || mkfifo /run/never
exec {never}<>/run/never
nap() { read -rt "${1:-0.02}" -u "$never"; true; }

# until_ok SECONDS CMD...: fails if CMD does not succeed in time.
until_ok() {
	local end=$((SECONDS + $1 + 1))
	shift
	until "$@" >/dev/null 2>&1; do
		((SECONDS < end)) || return 1
		nap
	done
}

value_is() { local seen; read -r seen < "$1" && [[ $seen == "$2" ]]; }
carrier_is() { value_is "/sys/class/net/$1/carrier" "$2"; }
state_is() { value_is "/sys/class/net/$1/roceguard/state" "$2"; }
trigger_is() { value_is "/sys/class/net/$1/roceguard/trigger" "$2"; }

# hw DEV KEY: what the NIC's hardware says.
hw() {
	local key value
	while IFS= read -r value; do
		key=${value%%: *}
		[[ $key != "$2" ]] || echo "${value#*: }"
	done < "/sys/kernel/debug/labnic/$1/hw"
}

# nic PERSONALITY: roce0 anew, as `lab up` makes it, with the habits of another.
nic() {
	echo "$1" > /sys/module/labnic/parameters/personality
	ip link del roce0
	ip link add link eth1 name roce0 mtu "$(cat /sys/class/net/eth1/mtu)" type labnic
	rdma link add rxe0 type rxe netdev roce0
	ip address add 192.168.20.1/24 dev roce0
	ip address add fd00:20::1/64 dev roce0 nodad
	ip link set roce0 up && until_ok 5 carrier_is roce0 1
}

# load_all: a policy that names all knobs; matched by name, for what has no DCB is
# not known to have RoCE.
load_all() {
	{
		sed 's/^RDMA=yes/Name=roce*\nRDMA=no/' /usr/share/roceguard/profiles/storage.conf
		printf '[DCBX]\nMode=host\n[MaxRate]\nTC=0:none 1:2550Mbit\n'
		printf '[Buffer]\nSize=0:20480 1:131072\nPriority=3:1\n'
		printf '[StormPrevention]\nTimeout=100ms\n[DCQCN]\nRateAI=10\n'
		printf '[Check]\nMTU=1280\n'
	} > /run/all.conf
	roceguard policy load /run/all.conf >/dev/null
}

# parameter NAME VALUE: of the NIC's module.
parameter() { echo "$2" > "/sys/module/labnic/parameters/$1"; }

# fault LINE: what is to come of calls to roce0 (selftests/lab/labnic/README).
fault() { echo "$1" > /sys/kernel/debug/labnic/roce0/faults; }
# calls WHAT: how often that was called; hits: how many met a fault.
calls() { sed -n "s/^$1: //p" /sys/kernel/debug/labnic/roce0/faults; }
hits() { sed -n 's/^fault: .* hits //p' /sys/kernel/debug/labnic/roce0/faults; }
journal() { cat "/sys/kernel/debug/labnic/$1/journal"; }

knob() {
	roceguard -j port show "${3:-roce0}" |
		jq -r ".[0].knobs[] | select(.knob == \"$1\") | .$2"
}

# settled DEV: the second look after register is over, too.
settled() {
	until_ok 15 at_rest "$1" || return
	nap 1.2
	until_ok 15 at_rest "$1"
}
at_rest() {
	local state
	read -r state < "/sys/class/net/$1/roceguard/state" &&
		[[ $state == @(enforced|degraded|sick) ]]
}

stats() { ethtool -S "$1" | sed -n "s/^ *$2: //p"; }
passes() { roceguard -j port show "$1" | jq '.[0].passes'; }
last_seq() { roceguard -j history | jq '.[-1].seq // 0'; }

# storage_held DEV: iproute2 agrees with the policy, nothing else is in the
# priorities of its classes. Says what differs.
storage_held() {
	local seen line words=
	printf "%s show dev $1\n" pfc app ets > /run/dcb-batch
	seen=$(dcb -b /run/dcb-batch) || return
	for line in $(grep '^dscp-prio' <<<"$seen"); do
		[[ $line != *:[1-7] ]] || words+="$line "
	done
	[[ $seen == *"prio-pfc 0:off 1:off 2:off 3:on 4:off 5:off 6:off 7:off"* &&
		$seen == *"prio-tc 0:0 1:0 2:0 3:1 4:0 5:0 6:2 7:0"* &&
		$seen == *$'\ntc-bw 0:50 1:50 '* &&
		$seen == *$'\ntc-tsa 0:ets 1:ets 2:strict '* &&
		$words == "AF31:3 CS6:6 " ]] && return
	echo "$seen"
	return 1
}
HOST
)
