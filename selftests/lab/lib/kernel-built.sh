# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Kernels that no suite has: built once for each recipe, and kept in the cache.
# kernel/ROW.config is what makes a row one of these.

KERNEL_RECIPE=$LAB_SRC/kernel

kernel_is_built() {
	[[ -e $KERNEL_RECIPE/$1.config ]]
}

# The sources that an image brings: Debian's name and version of them.
kernel_sources() {
	awk -v RS= '/^Package: linux-source-[0-9]/ && match($0, /\nVersion: [^\n]*/) {
		print $2, substr($0, RSTART + 10, RLENGTH - 10) }' \
		"$1/var/lib/dpkg/status"
}

kernel_key() {
	{ cat "$KERNEL_RECIPE/"{build,host.config,"$1.config"} &&
		kernel_sources "$2"; } | sha256sum | cut -c1-16
}

# Old kernels go when a new one of their row comes; the one in use is locked.
kernel_prune() {
	local dir
	find "$CACHE" -maxdepth 1 -name "kernel-$1-*" -type d ! -path "$2" -mtime +14 |
	while read -r dir; do
		flock -n "$dir.lock" rm -rf --one-file-system "$dir" "$dir.lock" &&
			say "removed the unused kernel $dir"
	done
}

kernel_make() {
	local row=$1 image=$2 tmp
	tmp=$(mktemp -d "$CACHE/tmp-kernel-XXXXXX")
	undo "rm -rf --one-file-system '$tmp'"
	mkdir "$tmp/recipe"
	cp "$KERNEL_RECIPE/"{build,host.config,"$row.config"} "$tmp/recipe/"
	IMAGE=$image inside "$tmp" /bin/sh /build/recipe/build "$row" >&2 ||
		die "building kernel '$row' failed, see above"
	mv "$tmp" "$BUILT"
	touch "$BUILT"
}

# kernel_built ROW IMAGE: sets BUILT, the folder with the row's kernel, made
# inside IMAGE if there is none of this recipe.
kernel_built() {
	local row=$1 image=$2 lock
	BUILT=$CACHE/kernel-$row-$(kernel_key "$row" "$image") || return
	exec {lock}>>"$CACHE/kernel-$row.lock"
	wait_lock "$lock" "builds kernel '$row'"
	if [[ ! -d $BUILT ]]; then
		say "building kernel '$row' (once; some 20 minutes on two processors)"
		find "$CACHE" -maxdepth 1 -name 'tmp-kernel-*' -mmin +240 \
			-exec rm -rf --one-file-system {} +
		kernel_make "$row" "$image"
		say "kernel '$row' is ready: $BUILT ($(elapsed))"
		kernel_prune "$row" "$BUILT"
	fi
	exec {lock}>&-
}
