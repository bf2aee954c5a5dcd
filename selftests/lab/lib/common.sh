# shellcheck shell=bash disable=SC2034 # used where this is sourced
# SPDX-License-Identifier: GPL-2.0
# Words, places and checks that all parts of the lab share.

CACHE=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/roceguard
# not the session's own folder: a lab outlives the session that started it
RUN_ROOT=/run/roceguard-lab

# set by image_ensure: the hosts' root folder; and of their kernel: the image to
# build for it in, the layer with its modules, its version, the file to boot
IMAGE=
KERNEL_IMAGE=
LAYER=
KVER=
BOOT=

# locks held by this command, as file descriptors
LAB_LOCK=
IMAGE_LOCK=
BUILD_LOCK=

say() {
	printf 'lab: %s\n' "$*" >&2
}

die() {
	say "$*"
	exit 1
}

need_root() {
	[[ $EUID -eq 0 ]] || die "the lab needs root: sudo $0 $1 ..."
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
	if ! apt_install "${missing[@]}" >&2; then
		die "apt could not install ${missing[*]}, see above"
	fi
}

apt_install() {
	export DEBIAN_FRONTEND=noninteractive
	apt-get -q update &&
		apt-get -q -y --no-install-recommends install "$@"
}

# start time of a process in clock ticks: tells it from a later one of that id
start_time() {
	local stat fields
	read -r stat 2>/dev/null <"/proc/$1/stat" || return 1
	# the name in parentheses may hold blanks; what follows it may not
	read -ra fields <<<"${stat##*) }"
	printf '%s\n' "${fields[19]}"
}

# wait_lock FD WHAT: take a lock that another command may hold for minutes
wait_lock() {
	flock -n "$1" && return
	say "waiting for another command that $2"
	flock -w 1800 "$1" || die "waited 30 min for the one that $2; giving up"
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
