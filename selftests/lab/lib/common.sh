# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Words, places and checks that all parts of the lab share.

SUITE=trixie
KERNEL_SERIES=6.12

CACHE=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/roceguard
RUN_ROOT=${XDG_RUNTIME_DIR:-/run}/roceguard-lab

say() {
	printf 'lab: %s\n' "$*" >&2
}

die() {
	say "$*"
	exit 1
}

need_root() {
	[[ $EUID -eq 0 ]] || die "$1 needs root: sudo ${0##*/} $1"
}

# seconds since the script began, for progress lines
elapsed() {
	printf '%d s' "$SECONDS"
}

# The machine itself needs only these.
need_tools() {
	local tool missing=()
	declare -A package=(
		[qemu-system-x86_64]=qemu-system-x86
		[mmdebstrap]=mmdebstrap
		[make]=make
	)

	for tool in "${!package[@]}"; do
		command -v "$tool" >/dev/null || missing+=("${package[$tool]}")
	done
	[[ ${#missing[@]} -gt 0 ]] || return 0
	command -v apt-get >/dev/null ||
		die "missing on this machine: ${missing[*]}; install them"
	say "installing on this machine by apt: ${missing[*]}"
	DEBIAN_FRONTEND=noninteractive apt-get -q update >&2 &&
		DEBIAN_FRONTEND=noninteractive apt-get -q -y \
			--no-install-recommends install "${missing[@]}" >&2 ||
		die "apt could not install ${missing[*]}"
}

# start time of a process in clock ticks: tells it from a later one of that id
start_time() {
	local stat
	read -r stat 2>/dev/null <"/proc/$1/stat" || return 1
	# the name in parentheses may hold blanks; what follows it may not
	set -- ${stat##*) }
	printf '%s\n' "${20}"
}

# process_lives FILE: whether the process noted in FILE still runs
process_lives() {
	local pid since
	[[ -r $1 ]] && read -r pid since <"$1" || return 1
	[[ $(start_time "$pid") == "$since" ]]
}

note_process() {
	printf '%s %s\n' "$2" "$(start_time "$2")" >"$1"
}
