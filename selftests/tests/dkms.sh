#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# DKMS adds, builds, installs and removes the modules, and they build without a
# warning. Compiling is done in the image on this machine, by the very root
# folder that the host then installs, loads and removes in.
. "$(dirname "$0")/../lib.sh"
ktap_begin
TOP=$(cd "$SELFTESTS/.." && pwd)
VERSION=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' "$TOP/dkms.conf")
MODULE=roceguard/$VERSION
fresh initiator || exit 1
work=$(mktemp -d)
defer 'rm -rf "$work"'
mkdir "$work/dkms"

ok "the sources that DKMS needs" make -s -C "$TOP" dkms-source \
	DESTDIR="$work" PREFIX=
# With all warnings, and sparse where everyday tests run: the newest kernels want
# a newer one than their suite has. make takes MAKEFLAGS from the environment as
# it takes its command line.
checks="W=1 C=1"
[[ -z ${LAB_KERNEL:-} ]] || checks="W=1"
inside=(lab inside "$work" --)
dkms="dkms --dkmstree /build/dkms --sourcetree /build/src"
ok "dkms add" "${inside[@]}" sh -c "$dkms add $MODULE"
ok "dkms build, with $checks" "${inside[@]}" sh -c \
	"MAKEFLAGS='$checks' $dkms build $MODULE -k \$KVER"
like "dkms status: built" "built" \
	"$("${inside[@]}" sh -c "$dkms status $MODULE" 2>&1)"
log=$(cat "$work"/dkms/"$MODULE"/*/*/log/make.log)
complaints=$(grep -E '(warning|error):|^WARNING|^ERROR' <<<"$log")
is "... without a warning" "" "$complaints"
note "$(grep -c . <<<"$complaints") warnings"
[[ $checks != *C=1* ]] ||
	like "... sparse has looked at the modules" "CHECK .*kernel/enforce.c" "$log"

# What the lab has built itself must not be what is loaded.
sh_on initiator 'cd /usr/lib/modules/$(uname -r) && mkdir -p /run/kept && cp -a modules.* /run/kept &&
	mv updates/roceguard.ko updates/roceguard_rdma.ko /run/kept' ||
	fail "the lab's own modules step aside"
defer 'fresh initiator'
# shellcheck disable=SC2016 # for the host
defer 'sh_on initiator "rm -rf /usr/src/roceguard-* /var/lib/dkms/roceguard
	cd /usr/lib/modules/\$(uname -r) && rm -rf updates/dkms &&
	mv /run/kept/*.ko updates && cp -a /run/kept/modules.* . && rm -r /run/kept"'
defer 'sh_on initiator "for module in roceguard_rdma roceguard_labnic roceguard; do
	[ ! -d /sys/module/\$module ] || rmmod \$module; done"'
# depmod, which DKMS runs twice, reads every module there is: minutes on an
# emulated host. What the modules at hand do not need is out of its sight.
sh_on initiator 'cd /usr/lib/modules/$(uname -r)/kernel &&
	for dir in */ drivers/*/; do
		[[ $dir == drivers/ || $dir == drivers/infiniband/ ]] ||
			mount -t tmpfs hidden "$dir" || exit
	done' || fail "other modules are hidden"
defer 'sh_on initiator "findmnt -rno TARGET -S hidden | xargs -r umount"'
ok "what was built comes to the host" eval \
	'tar -C "$work" -c dkms src | lab exec --stdin initiator -- sh -c "
		mkdir -p /run/dkms && tar -C /run/dkms --no-same-owner -x &&
		mv /run/dkms/src/* /usr/src && mkdir -p /var/lib/dkms &&
		mv /run/dkms/dkms/roceguard /var/lib/dkms &&
		ln -sfn /usr/src/roceguard-$VERSION /var/lib/dkms/$MODULE/source"'
ok "before: there is no such module" sh_on initiator '! modprobe roceguard 2>/dev/null'
ok "dkms install" sh_on initiator "dkms install $MODULE -k \$(uname -r)"
like "modprobe finds DKMS's" "/updates/dkms/roceguard.ko" \
	"$(on initiator modinfo -F filename roceguard)"
like "... of this version" "^$VERSION$" "$(on initiator modinfo -F version roceguard)"
# what dkms status reads; the script itself takes long on an emulated host
ok "dkms has it as installed" sh_on initiator \
	'[[ -L /var/lib/dkms/roceguard/kernel-$(uname -r)-$(uname -m) ]]'
ok "it loads" on initiator modprobe roceguard
ok "... and loads its RDMA part" wait_on initiator 10 \
	'[ -d /sys/module/roceguard_rdma ]'
ok "... and governs" sh_on initiator \
	"roceguard policy load storage --on roce0 && $(port_is roce0 enforced)"
ok "it unloads" sh_on initiator \
	'rmmod roceguard_rdma; [ ! -d /sys/module/roceguard_labnic ] || rmmod roceguard_labnic; rmmod roceguard'
ok "dkms remove" sh_on initiator "dkms remove $MODULE --all"
is "nothing is left of it" "" "$(sh_on initiator "modinfo -F filename roceguard 2>/dev/null
	find /usr/lib/modules /var/lib/dkms -name 'roceguard.ko*' -o -path '*/dkms/roceguard'")"
