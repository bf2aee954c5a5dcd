# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Building the checkout inside the image. Each checkout has a copy of its own
# in the cache, so that nothing is written into it and make stays incremental.

build_place() {
	# shellcheck disable=SC2153 # set by image_ensure
	BUILD=$CACHE/builds/$(basename "$TOP")-$(
		printf '%s' "$TOP:$IMAGE:$LAYER" | sha256sum | cut -c1-12)
}

# All files that belong to the checkout, one a line, with what tells a change.
build_list() {
	cd "$TOP" || return
	if [[ -e .git ]] && command -v git >/dev/null; then
		git -c safe.directory="$TOP" ls-files -coz --exclude-standard
	else
		find . -path ./.git -prune -o \( -type f -o -type l \) -printf '%P\0'
	fi | xargs -0r stat --printf='%n\t%s\t%.Z\t%i\n' 2>/dev/null | LC_ALL=C sort
}

build_copy() {
	local old=$BUILD/files new=$BUILD/files.new tree=$BUILD/tree
	mkdir -p "$tree"
	[[ -e $old ]] || : >"$old"
	# stat fails for files that git knows and the checkout has lost: no fault
	build_list >"$new" || [[ -s $new ]] || die "cannot list the files of $TOP"
	LC_ALL=C comm -13 "$old" "$new" | cut -f1 >"$BUILD/changed"
	LC_ALL=C comm -23 <(cut -f1 "$old" | LC_ALL=C sort) \
		<(cut -f1 "$new" | LC_ALL=C sort) >"$BUILD/gone"
	(cd "$tree" && xargs -d '\n' -r rm -f --) <"$BUILD/gone" || return
	(cd "$TOP" && xargs -d '\n' -r cp -d --parents --preserve=mode \
		-t "$tree" --) <"$BUILD/changed" || return
	mv "$new" "$old"
	say "build: $(wc -l <"$BUILD/changed") files have changed"
}

# Runs in a mount namespace of its own, so no mount can be left behind.
inside_namespace() {
	set -e
	local root=$1 layer=$2 dir=$3
	shift 3
	mount --bind "$root" "$root"
	[[ ! -d $root/layer ]] || mount --bind "$layer" "$root/layer"
	mount --bind "$dir" "$root/build"
	mount --rbind /dev "$root/dev"
	mount -t proc proc "$root/proc"
	mount -t tmpfs tmp "$root/tmp"
	mount -t tmpfs run "$root/run"
	mount -o remount,bind,ro "$root"
	exec chroot "$root" /usr/bin/env -i HOME=/tmp LANG=C.UTF-8 \
		PATH=/usr/sbin:/usr/bin:/sbin:/bin KVER="$KVER" "$@"
}

# inside IMAGE DIR CMD: CMD in an image, with DIR at /build and no network.
inside() {
	local image=$1
	shift
	KVER=$KVER unshare -m -n --propagation private bash -c \
		"$(declare -f inside_namespace); inside_namespace \"\$@\"" \
		inside "$image" "$LAYER" "$@"
}

build_unlock() {
	exec {BUILD_LOCK}>&-
}

# Leaves programs in $BUILD/bin, the hosts' upper layer in $BUILD/stage and
# kernel and initrd in $BUILD/boot.
build_tree() {
	local script=/build/tree/selftests/lab/guest
	build_place
	mkdir -p "$BUILD"
	touch "$BUILD"
	exec {BUILD_LOCK}>>"$BUILD/lock"
	wait_lock "$BUILD_LOCK" "builds this checkout"
	build_copy || die "cannot bring $BUILD/tree up to date; remove it and try again"
	# shellcheck disable=SC2153 # KVER comes from kernel_ensure
	{
		inside "$IMAGE" "$BUILD" /bin/sh $script/build &&
			inside "$KERNEL_IMAGE" "$BUILD" /bin/sh \
				$script/build-kernel "$KVER" "$BOOT"
	} >&2 || die "the build failed, see above (tree: $BUILD/tree)"
	say "build: done ($(elapsed))"
}
