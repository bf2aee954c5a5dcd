#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The cases of this folder inside a kernel, by roceguard_kunit.ko. Row debug has
# KUnit; Debian's own kernels do not.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
ktap_begin
MARK="roceguard-kunit-$$-$RANDOM"

# What the kernel has said since MARK, without times.
said() {
	sh_on initiator "dmesg -t | sed '1,/$MARK/d'"
}

# KTAP of KUnit to lines "ok|not|skip|suite SUITE CASE", and "plan N" of each
# plan: a case is told one level deeper than its suite.
cases() {
	awk '
		$1 == "#" && $2 == "Subtest:" { suite = $3 }
		/^ *1\.\.[0-9]+$/ { sub(/^ *1\.\./, ""); print "plan", $0 }
		/^(not )?ok [0-9]+ / { print "suite", $NF, $1 }
		/^ +(not )?ok [0-9]+ / {
			word = $1 == "not" ? "not" : /# SKIP/ ? "skip" : "ok"
			print word, suite, $1 == "not" ? $4 : $3
		}'
}

if ! on initiator modinfo kunit >/dev/null 2>&1; then
	skip "KUnit: the logic inside a kernel" "this kernel has no KUnit (CONFIG_KUNIT); row debug has"
	exit 0
fi
defer 'sh_on initiator "[ ! -d /sys/module/roceguard_kunit ] || rmmod roceguard_kunit"'
sh_on initiator "[ ! -d /sys/module/roceguard_kunit ] || rmmod roceguard_kunit"
sh_on initiator "echo $MARK >/dev/kmsg"
# Built as a module it runs nothing unless told so; what a kernel does not know of
# this it ignores.
sh_on initiator '[ ! -d /sys/module/kunit ] || rmmod kunit
	modprobe kunit enable=1 autorun=1'
ok "roceguard_kunit.ko can be loaded" on initiator modprobe roceguard_kunit
log=$(said)
planned=0 seen=0
while read -r word suite name; do
	case $word in
	plan) planned=$((planned + suite)) ;;
	suite) seen=$((seen + 1)) ;;
	*)
		seen=$((seen + 1))
		case $word in
		ok) pass "$suite: $name" ;;
		skip) skip "$suite: $name" "KUnit skipped it" ;;
		not) fail "$suite: $name" "$(grep -A 6 "# $name:" <<<"$log")" ;;
		esac
		;;
	esac
done < <(cases <<<"$log")
is "every planned suite and case was run" "$planned" "$seen"
ok "there are some" test "$seen" -gt 0
ok "roceguard_kunit.ko can be unloaded" on initiator rmmod roceguard_kunit
