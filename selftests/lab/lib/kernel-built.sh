# shellcheck shell=bash disable=SC2034 # used where this is sourced
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

# Checkers take memory and time.
host_memory() {
	kernel_is_built "$LAB_KERNEL" && echo 2560M || echo 1536M
}

boot_seconds() {
	kernel_is_built "$LAB_KERNEL" && echo 900 || echo 180
}

# Kernels that no lab has used for two weeks go when a new one comes.
kernel_prune() {
	find "$CACHE" -maxdepth 1 -name 'kernel-*' -type d ! -path "$1" \
		-mtime +14 -exec rm -rf --one-file-system {} +
}

kernel_make() {
	local row=$1 image=$2 built=$3 tmp
	tmp=$(mktemp -d "$CACHE/tmp-kernel-XXXXXX")
	undo "rm -rf --one-file-system '$tmp'"
	mkdir "$tmp/recipe"
	cp "$KERNEL_RECIPE/"{build,host.config,"$row.config"} "$tmp/recipe/"
	inside "$image" "$tmp" /bin/sh /build/recipe/build "$row" >&2 ||
		die "building kernel '$row' failed, see above"
	chmod 755 "$tmp"
	mv "$tmp" "$built"
}

# kernel_built ROW: sets LAYER, KVER and BOOT; makes the row's kernel, inside
# KERNEL_IMAGE, if there is none of this recipe.
kernel_built() {
	local row=$1 lock built
	built=$CACHE/kernel-$row-$(kernel_key "$row" "$KERNEL_IMAGE") || return
	exec {lock}>>"$CACHE/kernel-$row.lock"
	wait_lock "$lock" "builds kernel '$row'"
	if [[ ! -d $built ]]; then
		say "building kernel '$row' (once; some 20 minutes on two processors)"
		find "$CACHE" -maxdepth 1 -name 'tmp-kernel-*' -mmin +240 \
			-exec rm -rf --one-file-system {} +
		kernel_make "$row" "$KERNEL_IMAGE" "$built"
		say "kernel '$row' is ready: $built ($(elapsed))"
		kernel_prune "$built"
	fi
	touch "$built"
	exec {lock}>&-
	LAYER=$built
	KVER=$(newest_version "$LAYER/usr/lib/modules")
	BOOT=/layer/vmlinuz
}
