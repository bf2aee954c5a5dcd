# shellcheck shell=bash disable=SC2034 # used where this is sourced
# SPDX-License-Identifier: GPL-2.0
# The image: one root folder that all hosts boot and all builds happen in.

PACKAGES=$LAB_SRC/packages
HOOK=$LAB_SRC/guest/image-hook

image_make() {
	local include
	include=$(sed '/^#/d; /^$/d' "$PACKAGES" | paste -sd,)
	# no initrd of Debian's, and no drivers of things that no host has
	INITRD=No unshare -m --propagation private mmdebstrap \
		--mode=root --variant=minbase --include="$include" \
		--dpkgopt='path-exclude=/usr/share/doc/*' \
		--dpkgopt='path-exclude=/usr/share/locale/*' \
		--dpkgopt='path-exclude=/usr/lib/modules/*/kernel/sound/*' \
		--dpkgopt='path-exclude=/usr/lib/modules/*/kernel/drivers/gpu/*' \
		--dpkgopt='path-exclude=/usr/lib/modules/*/kernel/drivers/media/*' \
		--dpkgopt='path-exclude=/usr/lib/modules/*/kernel/drivers/net/wireless/*' \
		--customize-hook="copy-in $HOOK /tmp" \
		--customize-hook="chroot \"\$1\" sh /tmp/image-hook $KERNEL_SERIES" \
		--customize-hook="rm \"\$1/tmp/image-hook\"" \
		"$SUITE" "$1"
}

image_key() {
	{ cat "$PACKAGES" "$HOOK"; declare -f image_make; echo "$SUITE"; } |
		sha256sum | cut -c1-16
}

# Images that no lab has used for two weeks go when a new one comes.
image_prune() {
	local lock root
	find "$CACHE" -maxdepth 1 -name 'image-*.lock' -mtime +14 |
	while read -r lock; do
		root=${lock%.lock}
		[[ $root == "$IMAGE" ]] && continue
		flock -n "$lock" rm -rf --one-file-system "$root" "$lock" ||
			continue
		say "removed the unused image $root"
	done
	find "$CACHE/builds" -mindepth 1 -maxdepth 1 -mtime +60 \
		-exec rm -rf --one-file-system {} +
}

# Keeps the image from being removed as long as this process lives.
image_hold() {
	local use
	exec {use}>>"$IMAGE.lock"
	flock -s "$use"
}

# Sets IMAGE and KVER; builds the image if there is none for this recipe.
image_ensure() {
	local tmp
	IMAGE=$CACHE/image-$SUITE-$(image_key)
	mkdir -p "$CACHE/builds"
	exec {IMAGE_LOCK}>>"$CACHE/image.lock"
	wait_lock "$IMAGE_LOCK" "makes the image"
	if [[ ! -d $IMAGE ]]; then
		say "building the image (once; about 4 minutes)"
		find "$CACHE" -maxdepth 1 -name 'tmp-image-*' \
			-exec rm -rf --one-file-system {} +
		tmp=$(mktemp -d "$CACHE/tmp-image-XXXXXX")
		chmod 755 "$tmp"
		undo "rm -rf --one-file-system '$tmp'"
		image_make "$tmp" >&2 || die "building the image failed, see above"
		mv "$tmp" "$IMAGE"
		say "the image is ready: $IMAGE ($(elapsed))"
		image_prune
	fi
	touch "$IMAGE.lock"
	exec {IMAGE_LOCK}>&-
	KVER=$(basename "$(find "$IMAGE/usr/lib/modules" -mindepth 1 \
		-maxdepth 1 -name "$KERNEL_SERIES*" | sort -V | tail -n1)")
}
