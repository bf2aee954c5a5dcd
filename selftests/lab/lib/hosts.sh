# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Hosts, and the supervisor that holds all processes of a lab.
#
# The supervisor is the first process of a PID namespace, so that nothing of a
# lab outlives it, and of a network namespace, so that nothing of a lab can
# listen on the network.

MTU=9000

# host_name INDEX: target, initiator, initiator2 ...
host_name() {
	case $1 in
	0) echo target ;;
	1) echo initiator ;;
	*) echo "initiator$1" ;;
	esac
}

# host_number INDEX: the last part of its addresses
host_number() {
	[[ $1 -eq 0 ]] && echo 100 || echo "$1"
}

host_pairs() {
	local i pairs=()
	for ((i = 0; i < $1; i++)); do
		pairs+=("$(host_name "$i")=$(host_number "$i")")
	done
	(IFS=,; echo "${pairs[*]}")
}

# Where this machine is a virtual one itself, /dev/kvm may be there and not do:
# guests crawl, or die of an instruction that it does not know.
accelerator() {
	if [[ -n ${LAB_ACCEL:-} ]]; then
		[[ $LAB_ACCEL == @(kvm|tcg) ]] ||
			die "LAB_ACCEL is kvm or tcg, not '$LAB_ACCEL'"
		echo "$LAB_ACCEL"
	elif [[ -w /dev/kvm ]] && grep -qwE 'vmx|svm' /proc/cpuinfo &&
		! grep -qw hypervisor /proc/cpuinfo; then
		echo kvm
	else
		echo tcg
	fi
}

host_command() {
	local index=$1 count=$2 bare=$3 name number dir append accel=(-accel tcg) cpus=1
	name=$(host_name "$index")
	number=$(host_number "$index")
	dir=$STATE/$name
	((index == 0)) || cpus=${LAB_CPUS:-1}
	[[ $(accelerator) == tcg ]] || accel=(-accel kvm -accel tcg)
	append="console=ttyS0 panic=-1 oops=panic mitigations=off"
	# A kernel counts timer interrupts while it boots and panics ("IO-APIC +
	# timer doesn't work") when an emulated CPU was kept waiting meanwhile.
	append+=" random.trust_cpu=on net.ifnames=0 nokaslr tsc=reliable no_timer_check"
	append+=" lab.host=$name lab.number=$number lab.mtu=$MTU lab.bare=$bare"
	append+=" lab.hosts=$(host_pairs "$count") ${LAB_APPEND:-}"
	# QEMU 7.2 leaves garbage in the flags after cmpxchg16b, and an interrupt
	# right then ends in a double fault: kernels do without it if told so. And
	# with five levels of page tables KASAN once ended a 7.3 in early boot, where
	# the kernel patches itself to them; never since they are off.
	qemu=(qemu-system-x86_64 -nodefaults -no-user-config -display none
		-name "$LAB-$name" -machine q35 "${accel[@]}"
		-cpu "max,-cx16,-la57"
		-smp "$cpus" -m "$(host_memory)" -no-reboot -pidfile "$dir/qemu.pid"
		-kernel "$BUILD/boot/kernel" -initrd "$STATE/initrd"
		-append "$append" -serial "file:$dir/console.log"
		-serial "file:$dir/verdict.log"
		-qmp "unix:$dir/qmp.sock,server=on,wait=off"
		-chardev "socket,id=ga,path=$dir/ga.sock,server=on,wait=off"
		-device virtio-serial-pci -device virtio-rng-pci
		-device "virtserialport,chardev=ga,name=org.qemu.guest_agent.0"
		-netdev "dgram,id=wire,local.type=unix,local.path=$dir/wire.sock,remote.type=unix,remote.path=$dir/port.sock"
		-device "virtio-net-pci,id=eth1,netdev=wire,romfile=,mac=52:54:00:00:20:$(printf %02x "$number")"
		-virtfs "local,path=$IMAGE,mount_tag=image,security_model=none,multidevs=remap,readonly=on"
		-virtfs "local,path=$LAYER,mount_tag=kernel,security_model=none,multidevs=remap,readonly=on"
		-virtfs "local,path=$STATE/stage,mount_tag=stage,security_model=none,multidevs=remap,readonly=on"
		-virtfs "local,path=$TOP,mount_tag=src,security_model=none,multidevs=remap,readonly=on"
		-virtfs "local,path=$dir/share,mount_tag=lab,security_model=none,multidevs=remap")
}

# run_noted PREFIX CMD: leaves CMD's words in PREFIX.log, its status in PREFIX.end
run_noted() {
	local prefix=$1 status=0
	shift
	"$@" >"$prefix.log" 2>&1 </dev/null || status=$?
	echo "$status" >"$prefix.end"
}

# supervise COUNT BARE: runs inside the namespaces, as their first process
supervise() {
	local count=$1 bare=$2 i name ports=() qemu
	# a frame that finds the receiver's queue full waits in the sender
	echo 512 >/proc/sys/net/unix/max_dgram_qlen
	for ((i = 0; i < count; i++)); do
		name=$(host_name "$i")
		ports+=("$name=$STATE/$name/port.sock,$STATE/$name/wire.sock")
	done
	run_noted "$STATE/switch" "$STATE/bin/labswitch" "$STATE/switch.sock" \
		"${ports[@]}" &
	for ((i = 0; i < 100; i++)); do
		[[ -S $STATE/switch.sock ]] && break
		sleep 0.02
	done
	for ((i = 0; i < count; i++)); do
		host_command "$i" "$count" "$bare"
		run_noted "$STATE/$(host_name "$i")/qemu" "${qemu[@]}" &
	done
	wait
}

start_supervisor() {
	local alive
	# every process of the lab inherits this lock: it is free when all are gone
	exec {alive}>"$STATE/alive"
	flock "$alive"
	setsid unshare --fork --pid --net --mount --mount-proc --kill-child \
		"$LAB_SRC/lab" --lab "$LAB" --kernel "$LAB_KERNEL" __supervise \
		"$IMAGE" "$KERNEL_IMAGE" "$LAYER" "$BUILD" "$@" \
		</dev/null >"$STATE/supervisor.log" 2>&1 {LAB_LOCK}>&- &
	note_process "$STATE/supervisor" $!
	disown $!
	exec {alive}>&-
}

hosts_of_lab() {
	[[ -r $STATE/hosts ]] && cat "$STATE/hosts"
}

host_dir() {
	local name
	lab_lives || die "lab '$LAB' is not up (lab up starts it)"
	while read -r name; do
		[[ $name == "$1" ]] || continue
		printf '%s\n' "$STATE/$name"
		return
	done <"$STATE/hosts"
	die "no host '${1:-}' in lab '$LAB'; there are: $(paste -sd' ' "$STATE/hosts")"
}

lab_lives() {
	process_lives "$STATE/supervisor"
}

show_failure() {
	say "$1"
	[[ -e $2/console.log ]] && tail -n 12 "$2/console.log" >&2
	[[ -s $2/qemu.log ]] && cat "$2/qemu.log" >&2
	[[ -s $STATE/supervisor.log ]] && cat "$STATE/supervisor.log" >&2
	exit 1
}

# wait_for_host NAME LIMIT: until it says it is ready, or LIMIT seconds are over
wait_for_host() {
	local name=$1 limit=$2 dir=$STATE/$1
	while [[ ! -e $dir/share/ready ]]; do
		[[ -e $dir/share/failed ]] &&
			show_failure "$name: $(cat "$dir/share/failed")" "$dir"
		[[ $SECONDS -lt $limit ]] ||
			show_failure "$name is not up after $(boot_seconds) s; its console:" "$dir"
		lab_lives || show_failure "the lab's supervisor has ended" "$dir"
		[[ -e $dir/qemu.end ]] &&
			show_failure "$name has ended while it booted; its console:" "$dir"
		sleep 0.1
	done
	say "$name is up ($(elapsed))"
}

# host_pid DIR: QEMU's process id as the machine sees it
host_pid() {
	local file
	# the pattern comes by a pipe, lest grep find itself
	file=$(grep -lzxFs -f <(printf '%s' "$1/qemu.pid") \
		/proc/[0-9]*/cmdline | head -n1) || :
	file=${file#/proc/}
	printf '%s\n' "${file%/cmdline}"
}

# Ends all processes of the lab and forgets it; the consoles stay for a look.
end_lab() {
	local pid _ name i
	if lab_lives; then
		read -r pid _ <"$STATE/supervisor"
		while read -r name; do
			"$STATE/bin/labctl" switch "$STATE/switch.sock" pcap \
				"$name" stop >/dev/null 2>&1 || :
		done < <(hosts_of_lab)
		kill -KILL "$pid"
		for ((i = 0; i < 100; i++)); do
			lab_ended && break
			sleep 0.1
		done
		lab_ended || die "lab '$LAB' does not end; its supervisor was $pid"
	fi
	rm -rf "$STATE.last"
	mkdir -p "$STATE.last"
	while read -r name; do
		[[ -e $STATE/$name/console.log ]] &&
			mv "$STATE/$name/console.log" "$STATE.last/$name.log"
	done < <(hosts_of_lab)
	rm -rf --one-file-system "$STATE"
}

# The kernel ends a PID namespace some time after its first process.
lab_ended() {
	[[ ! -e $STATE/alive ]] || flock -n "$STATE/alive" true
}
