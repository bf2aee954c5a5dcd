# shellcheck shell=bash disable=SC2034 # used where this is sourced
# SPDX-License-Identifier: GPL-2.0
# The image: one root folder that all hosts boot and all builds happen in.

# What makes an image, by its kind: its packages and what runs in it at the end.
declare -A IMAGE_PACKAGES=(
	[host]=$LAB_SRC/packages
	[kernel]=$LAB_SRC/packages.kernel
)
declare -A IMAGE_HOOK=(
	[host]=$LAB_SRC/guest/image-hook
	[kernel]=$LAB_SRC/guest/kernel-hook
)

# image_make KIND ROOT: of the row that was read.
image_make() {
	local include part=() hook=${IMAGE_HOOK[$1]}
	include=$(sed '/^#/d; /^$/d' "${IMAGE_PACKAGES[$1]}" | paste -sd,)
	[[ $EXTRA == - ]] || include+=,$EXTRA
	[[ $RELEASE == "$SUITE" ]] || part=(
		--aptopt="APT::Default-Release \"$RELEASE\""
		--setup-hook="sed -i '/ $SUITE main/{p;s/ $SUITE / $RELEASE /}' \"\$1/etc/apt/sources.list\"")
	# no initrd of Debian's, no drivers of things that no host has, and a mirror
	# that has not been updated for a while will do
	INITRD=No unshare -m --propagation private mmdebstrap \
		--mode=root --variant=minbase --include="$include" \
		--aptopt='Acquire::Check-Valid-Until "false"' \
		--dpkgopt='path-exclude=/usr/share/doc/*' \
		--dpkgopt='path-exclude=/usr/share/locale/*' \
		--dpkgopt='path-exclude=*/lib/modules/*/kernel/sound/*' \
		--dpkgopt='path-exclude=*/lib/modules/*/kernel/drivers/gpu/*' \
		--dpkgopt='path-exclude=*/lib/modules/*/kernel/drivers/media/*' \
		--dpkgopt='path-exclude=*/lib/modules/*/kernel/drivers/net/wireless/*' \
		"${part[@]}" \
		--customize-hook="copy-in $hook /tmp" \
		--customize-hook="chroot \"\$1\" sh /tmp/$(basename "$hook") $ROW" \
		--customize-hook="rm \"\$1/tmp/$(basename "$hook")\"" \
		"$SUITE" "$2"
}

image_key() {
	{
		cat "${IMAGE_PACKAGES[$1]}" "${IMAGE_HOOK[$1]}"
		declare -f image_make
		echo "$RELEASE $EXTRA"
	} | sha256sum | cut -c1-16
}

# Images that no lab has used for two weeks go when a new one comes.
image_prune() {
	local lock root
	find "$CACHE" -maxdepth 1 -name 'image-*.lock' -mtime +14 |
	while read -r lock; do
		root=${lock%.lock}
		[[ $root == "$FOUND" ]] && continue
		flock -n "$lock" rm -rf --one-file-system "$root" "$lock" ||
			continue
		say "removed the unused image $root"
	done
	find "$CACHE/builds" -mindepth 1 -maxdepth 1 -mtime +60 \
		-exec rm -rf --one-file-system {} +
}

# Keeps the images from being removed as long as this process lives.
image_hold() {
	local image use
	for image in "$IMAGE" "$KERNEL_IMAGE"; do
		exec {use}>>"$image.lock"
		flock -s "$use"
	done
}

# image_get KIND: the image of the row that was read, in FOUND; made if there
# is none of this recipe.
image_get() {
	local tmp unfinished=$CACHE/tmp-image-$1-$RELEASE
	FOUND=$CACHE/image-$1-$RELEASE-$(image_key "$1")
	exec {IMAGE_LOCK}>>"$CACHE/making-$1-$RELEASE"
	wait_lock "$IMAGE_LOCK" "makes the $1 image of $RELEASE"
	if [[ ! -d $FOUND ]]; then
		say "building the $1 image of $RELEASE (once; some minutes)"
		rm -rf --one-file-system "$unfinished"-*
		tmp=$(mktemp -d "$unfinished-XXXXXX")
		chmod 755 "$tmp"
		undo "rm -rf --one-file-system '$tmp'"
		image_make "$1" "$tmp" >&2 || die "building the image failed, see above"
		mv "$tmp" "$FOUND"
		say "the image is ready: $FOUND ($(elapsed))"
		image_prune
	fi
	touch "$FOUND.lock"
	exec {IMAGE_LOCK}>&-
}

# Sets IMAGE, the hosts' root folder, and what lib/kernel.sh says of the kernel.
image_ensure() {
	mkdir -p "$CACHE/builds" "$NO_LAYER"
	row_read "$DEFAULT_ROW"
	image_get host
	IMAGE=$FOUND
	kernel_ensure
}
