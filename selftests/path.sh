# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# One path of NVMe over RDMA, looked at from both ends and from the wire: what
# the demo tells and tests/path.sh asserts. Whoever sources this defines
#   step LABEL CMD...   CMD says in one line what it saw, and fails if wrong
# Needs lib.sh.

PATH_MIB=64

# What one walk leaves for its checks, on the machine.
PATH_DIR=$(mktemp -d "${TMPDIR:-/tmp}/roceguard-path-XXXXXX")

path_clean() {
	rm -rf "$PATH_DIR"
}

guest() {
	on initiator /src/selftests/guest/path "$@"
}

# path_agrees: iproute2 and ethtool see what the policy says, nothing else
path_agrees() {
	step "dcb pfc" guest pfc
	step "dcb app" guest app
	step "dcb ets" guest ets
	step "ethtool -a" guest pause
}

# path_dissect ADDRESS: the recording as "KIND DIRECTION DSCP ECN COUNT" of RoCE
# frames to or from ADDRESS, and "other PROTOCOL COUNT".
# Queue pair 1 is for management: connection set-up (CM) and no data. Opcode 129
# is a CNP. All the rest is data, or acknowledges data.
path_dissect() {
	# tshark is in the hosts' image, whatever kernel they run
	LAB_KERNEL='' lab inside "$PATH_DIR" -- tshark -n -r /build/wire.pcap -T fields \
		-E occurrence=f -E separator=, \
		-e ip.src -e ipv6.src -e ip.dsfield.dscp -e ip.dsfield.ecn \
		-e ipv6.tclass.dscp -e ipv6.tclass.ecn \
		-e infiniband.bth.destqp -e infiniband.bth.opcode \
		-e _ws.col.protocol 2>"$PATH_DIR/tshark.err" |
	awk -F, -v self="$1" '
		$7 == "" { n["other " $9]++; next }
		{
			kind = $7 == "0x000001" ? "cm" : $8 == 129 ? "cnp" : "data"
			n[kind " " ($1 $2 == self ? "out" : "in") " " $3 $5 " " $4 $6]++
		}
		END { for (k in n) print k, n[k] }' | sort >"$PATH_DIR/frames"
}

# path_count KIND DIRECTION
path_count() {
	awk -v kind="$1" -v way="$2" \
		'$1 == kind && $2 == way { n += $5 } END { print n + 0 }' \
		"$PATH_DIR/frames"
}

# path_marks KIND: which "DSCP n ECT(0)" its frames carry, all of them
path_marks() {
	awk -v kind="$1" '
		BEGIN { split("Not-ECT,ECT(1),ECT(0),CE", word, ",") }
		$1 == kind { mark["DSCP " $3 " " word[$4 + 1]] += $5 }
		END {
			for (m in mark)
				s = s (s ? ", " : "") m
			print s ? s : "none"
		}' "$PATH_DIR/frames"
}

path_moved() {
	awk -v name="$1" '$1 == name { print $2; found = 1 }
		END { if (!found) print 0 }' "$PATH_DIR/moved"
}

# Every data frame has the class's DSCP and ECT(0), and the NIC counts as many.
path_data_frames() {
	local out in marks
	out=$(path_count data out) in=$(path_count data in)
	marks=$(path_marks data)
	echo "$out data frames out, $in in: all $marks"
	[[ $marks == "DSCP $PATH_DSCP ECT(0)" ]] &&
		((out > PATH_FRAMES && in > PATH_FRAMES)) &&
		[[ $out == "$(path_moved tx_roce_frames)" &&
			$in == "$(path_moved rx_roce_frames)" ]]
}

# Connection set-up is no data; what it carries is told, and counted apart.
path_cm_frames() {
	local out in
	out=$(path_count cm out) in=$(path_count cm in)
	echo "CM frames (to QP 1) $out out, $in in: $(path_marks cm); CNPs: $(($(path_count cnp out) + $(path_count cnp in)))"
	((out > 0 && in > 0)) &&
		[[ $out == "$(path_moved tx_roce_cm)" &&
			$in == "$(path_moved rx_roce_cm)" ]]
}

# No RoCE frame outside the class's priority: only what is none, by the wire.
path_counters() {
	local out in other prio0 way prio wrong=0
	out=$(path_moved "tx_prio${PATH_PRIO}_roce_frames")
	in=$(path_moved "rx_prio${PATH_PRIO}_roce_frames")
	for way in tx rx; do
		for prio in 0 1 2 3 4 5 6 7; do
			((prio == PATH_PRIO)) && continue
			wrong=$((wrong + $(path_moved "${way}_prio${prio}_roce_frames")))
		done
	done
	prio0=$(($(path_moved tx_prio0_packets) + $(path_moved rx_prio0_packets)))
	other=$(awk '$1 == "other" { n += $NF; printf "%s%s", s++ ? " " : "", $2 }
		END { if (!s) printf "none" }' "$PATH_DIR/frames")
	echo "priority $PATH_PRIO: $((out + in)) RoCE; others: $wrong RoCE, $prio0 $other"
	((out > PATH_FRAMES && in > PATH_FRAMES && wrong == 0)) &&
		[[ $out == "$(path_moved tx_roce_frames)" &&
			$in == "$(path_moved rx_roce_frames)" ]]
}

# path_walk ADDRESS SELF REGION: connect, data, disconnect, and what was seen.
path_walk() {
	read -r PATH_DSCP PATH_PRIO < <(guest class)
	# each frame carries 4 KiB at most, and data go both ways
	PATH_FRAMES=$((PATH_MIB * 256 / 2))
	guest begin
	lab pcap initiator "$PATH_DIR/wire.pcap"
	step "connect" guest connect "$1" "$PORT" "$NQN"
	step "data" guest data "$PATH_MIB" "$3"
	guest disconnect
	guest moved >"$PATH_DIR/moved"
	lab pcap initiator stop
	path_dissect "$2"
	step "wire" path_data_frames
	step "wire" path_cm_frames
	step "counters" path_counters
	rm -f "$PATH_DIR/wire.pcap"
}

path_after_flap() {
	cat "$PATH_DIR/up"
	guest live && guest intact 4 || return
	guest pfc >/dev/null && return
	echo "PFC is not what the policy says"
	return 1
}

# path_flap SECONDS: the wire is pulled, and put back after that time
path_flap() {
	local up marked=0 status=0 seen
	lab link initiator down
	guest mark && marked=1
	guest up >"$PATH_DIR/up" &
	up=$!
	sleep "$1"
	lab link initiator up
	wait "$up" && ((marked)) || status=1
	seen=$(path_after_flap) || status=1
	echo "${seen//$'\n'/, }"
	return $status
}
