# shellcheck shell=bash disable=SC2034 # used where this is sourced
# SPDX-License-Identifier: GPL-2.0
# The kernel that hosts boot: a row of the table `kernels`.

KERNELS=$LAB_SRC/kernels
NO_LAYER=$CACHE/no-layer

kernel_rows() {
	awk '!/^#/ && NF { print $1 }' "$KERNELS"
}

DEFAULT_ROW=$(kernel_rows | head -n 1)

LAB_KERNEL=${LAB_KERNEL:-$DEFAULT_ROW}

# row_read ROW: sets ROW, and SUITE, RELEASE (of a part of it) and EXTRA packages
# for its image; BUILT_ROW if its kernel is built from sources in that image.
row_read() {
	local name part
	name=$(awk -v row="$1" '$1 == row && $2 ~ /^=/ { print substr($2, 2) }' "$KERNELS")
	BUILT_ROW=${name:+$1}
	read -r ROW SUITE part EXTRA < <(awk -v row="${name:-$1}" '$1 == row' "$KERNELS") ||
		die "there is no kernel '$1'; there are: $(kernel_rows | paste -sd' ')"
	RELEASE=$SUITE
	[[ $part == - ]] || RELEASE+=-$part
}

# The newest version in a folder of modules.
newest_version() {
	find "$1" -mindepth 1 -maxdepth 1 -printf '%f\n' | sort -V | tail -n1
}

# The kernel of a suite is in an image of its own, but the hosts' one.
kernel_of_suite() {
	if [[ $ROW == "$DEFAULT_ROW" ]]; then
		KERNEL_IMAGE=$IMAGE
		LAYER=$NO_LAYER
		KVER=$(newest_version "$IMAGE/usr/lib/modules")
	else
		image_get kernel
		KERNEL_IMAGE=$FOUND
		LAYER=$KERNEL_IMAGE/layer
		KVER=$(newest_version "$LAYER/usr/lib/modules")
	fi
	BOOT=/boot/vmlinuz-$KVER
}

# Sets KERNEL_IMAGE, LAYER, KVER and BOOT by LAB_KERNEL.
kernel_ensure() {
	row_read "$LAB_KERNEL"
	kernel_of_suite
	[[ -z $BUILT_ROW ]] || kernel_built "$BUILT_ROW"
}
