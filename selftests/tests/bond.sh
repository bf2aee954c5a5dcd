#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A policy for a bond reaches its legs, which are never down at the same time for
# our writes: not while the bond is in use over NVMe/RDMA, not while one is missing
# anyway.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../storage.sh"
. "$(dirname "$0")/../bond.sh"
ktap_begin

HOST="$STORAGE; $BOND; $(cat <<'HOST'
drops() { cat /sys/class/net/roce[01]/roceguard/link_drops | paste -sd' '; }
policies() { cat /sys/class/net/roce[01]/roceguard/policy | paste -sd' '; }
# policy NAME MATCH
policy() {
	{ sed "/^\[Match\]/a Name=$2" /usr/share/roceguard/profiles/storage.conf
		printf '\n[Policy]\nDisruptive=now\n'; } > "/run/$1.conf"
	roceguard policy load "/run/$1.conf" >/dev/null
}
HOST
)"
ROUNDS=$(rounds 2)

fresh target initiator || exit 1
# shellcheck disable=SC2016
defer 'sh_on initiator "nvme disconnect-all; rm -f /run/*.conf /run/fio* /run/links
	rmmod roceguard_rdma roceguard_labnic roceguard
	$HOST; unmake_bond" >/dev/null 2>&1; fresh initiator target'
lab link initiator up
lab target >/dev/null || exit 1
governed target
ok "the bond is there" sh_on initiator "$HOST; make_bond && modprobe roceguard audit=0" ||
	exit 1

# Which policy.
seen=$(sh_on initiator "$HOST
	policy storage bond0; until_ok 10 both_are enforced; policies
	storage_held roce0 && storage_held roce1 && echo held
	roceguard -j port show | jq -r '[.[] | .bond, .rdma_device] | join(\" \")'
	roceguard port show bond0 | awk '{ print \$1, \$2 }'
	policy closer roce1; until_ok 5 both_are enforced; policies
	roceguard policy delete closer >/dev/null; until_ok 10 both_are enforced; policies" 2>&1)
is "a policy for the bond holds both legs, the bond's RDMA device is theirs, port show BOND lists them" \
	"storage storage|held|bond0 rxe0 bond0 rxe0|PORT STATE|roce0 enforced|roce1 enforced" \
	"$(head -n 6 <<<"$seen" | paste -sd'|')"
is "one for a leg is closer, as long as it is there" \
	"storage closer|storage storage" "$(tail -n +7 <<<"$seen" | paste -sd'|')"
seen=$(sh_on initiator "$HOST
	ip link add link bond0 name bond0.5 type vlan id 5 egress-qos-map 2:3
	seen=\$(roceguard port show roce1)
	grep -o 'leg of bond0' <<<\"\$seen\"; grep VLAN <<<\"\$seen\"
	roceguard -j port show roce1 | jq -c '.[0].vlans[0]'; ip link del bond0.5
	roceguard port apply bond0 >/dev/null; cat /sys/class/net/roce[01]/roceguard/trigger
	roceguard port show nosuch 2>&1; echo \$?")
is "port show says whose leg it is and which VLANs stand on it; port apply BOND looks at both" \
	'leg of bond0|  VLAN bond0.5, id 5, egress-qos-map 2:3|{"ifname":"bond0.5","id":5,"egress_qos_map":"2:3"}|user|user' \
	"$(head -n 5 <<<"$seen" | paste -sd'|')"
like "a name that is neither port nor bond is refused" $'no such port;[^\n]*\n2$' "$seen"

# In use, both drifted.
ok "roceguard connect over the bond" on initiator roceguard connect -a "$TARGET" \
	-s "$PORT" -n "$NQN" --reconnect-delay 1 --ctrl-loss-tmo 120
ok "the disk is there" wait_on initiator 10 "[ -b /dev/nvme0n1 ]"
seen=$(sh_on initiator "$HOST
	read -r before0 before1 <<<\"\$(drops)\"
	fio --name=load --filename=/dev/nvme0n1 --rw=randrw --bs=16k --direct=1 \
		--ioengine=libaio --iodepth=4 --time_based --runtime=600 \
		--output-format=json --output=/run/fio.json >/run/fio.log 2>&1 &
	fio=\$!
	ip -o -ts monitor link > /run/links &
	monitor=\$!
	nap 2
	for i in \$(seq $ROUNDS); do
		roceguard freeze >/dev/null
		drifted roce0 && drifted roce1 || echo bad \$i: no link
		both_carry || echo bad \$i: not both carry
		roceguard thaw >/dev/null
		until_ok 10 both_are enforced || echo bad \$i: not enforced
		until_ok 10 both_carry || echo bad \$i: not both carry in the end
		storage_held roce0 && storage_held roce1 || echo bad \$i
	done
	until_ok 60 value_is /sys/class/nvme/nvme0/state live; nap 1
	kill -INT \$fio; wait \$fio
	kill \$monitor; wait \$monitor 2>/dev/null
	read -r after0 after1 <<<\"\$(drops)\"
	echo drops \$((after0 - before0)) \$((after1 - before1))
	cat /sys/class/nvme/nvme0/state" 2>&1)
note "the controller had to connect again $(sh_on initiator 'dmesg | grep -c "nvme0: Successfully reconnected"') times"
is "both legs drifted $ROUNDS times under fio: each put right, one link drop of ours each" \
	"drops $ROUNDS $ROUNDS|live" "$(paste -sd'|' <<<"$seen")"
is "fio: no I/O error" 0 \
	"$(sh_on initiator "sed -n '/^{/,\$p' /run/fio.json | jq '.jobs[0].error'")"
note "$(sh_on initiator "sed -n '/^{/,\$p' /run/fio.json | jq -r '.jobs[0] | \"fio: \(.read.total_ios + .write.total_ios) I/Os, longest \(([.read.clat_ns.max, .write.clat_ns.max] | max) / 1000000 | floor) ms\"'")"
times=$(sh_on initiator "$HOST; times")
note "$(awk 'NR == 1 { zero = $2 }
	{ printf "%s without link from %7.3f s to %7.3f s\n", $1, $2 - zero, $3 - zero }' <<<"$times")"
# shellcheck disable=SC2016
ok "never both down: no leg's time without link meets the other's" awk '
	$3 == "never" || ($2 < until && leg != $1) { bad = 1 }
	$3 > until { until = $3; leg = $1 }
	END { exit bad || NR < '$((4 * ROUNDS))' }' <<<"$times"
# What a listener saw: the state of all three after each event.
# shellcheck disable=SC2016
like "ip monitor saw legs go, never both of them, and never the bond" \
	'^gone [1-9][0-9]* both 0 bond 0$' "$(sh_on initiator 'awk "
		match(\$0, /(roce0|roce1|bond0): <[^>]*>/) {
			split(substr(\$0, RSTART, RLENGTH), part, \": \")
			down = part[2] !~ /LOWER_UP/
			if (part[1] == \"bond0\")
				bond += down
			else if (down && !is[part[1]])
				gone++
			is[part[1]] = down
			both += is[\"roce0\"] && is[\"roce1\"]
		}
		END { print \"gone\", gone + 0, \"both\", both + 0, \"bond\", bond + 0 }" /run/links')"
sh_on initiator "nvme disconnect-all" >/dev/null

# One is missing anyway.
seen=$(sh_on initiator "$HOST
	ip link set plug1 down; until_ok 5 carrier_is roce1 0
	drifted_quietly roce0; until_ok 5 state_is roce0 deferred; nap 1
	cat /sys/class/net/roce0/roceguard/state /sys/class/net/roce0/carrier
	roceguard -j port show roce0 | jq -r '.[0].knobs[] | select(.knob == \"pfc\") | .reason'
	before=\$(cat /sys/class/net/roce0/roceguard/link_drops)
	ip link set plug1 up; until_ok 10 state_is roce0 enforced
	cat /sys/class/net/roce0/roceguard/state
	roceguard -j history | jq -r '[.[] | select(.knob == \"pfc\" and .action == \"correction\")][-1] | .trigger'
	echo \$((\$(cat /sys/class/net/roce0/roceguard/link_drops) - before))
	until_ok 5 both_carry")
is "while a leg is down the other's link is not dropped, whatever Disruptive= says: deferred, and says for whom" \
	"deferred|1|the write drops the link, and roce1 of bond0 is down or just coming back; mend it, or 'roceguard port apply roce0 --now'" \
	"$(head -n 3 <<<"$seen" | paste -sd'|')"
is "... as soon as the bond counts on it again the write is made, by the trigger topology" \
	"enforced|topology|1" "$(tail -n +4 <<<"$seen" | paste -sd'|')"
seen=$(sh_on initiator "$HOST
	ip link set plug1 down; until_ok 5 carrier_is roce1 0
	drifted_quietly roce0; until_ok 5 state_is roce0 deferred
	read -r begin _ < /proc/uptime
	roceguard port apply roce0 --now >/dev/null; cat /sys/class/net/roce0/roceguard/state
	until_ok 20 state_is roce0 enforced; cat /sys/class/net/roce0/roceguard/state
	read -r end _ < /proc/uptime; echo \$((\${end%.*} - \${begin%.*}))
	ip link set plug1 up; until_ok 5 both_carry")
read -r first last took <<<"$(xargs <<<"$seen")"
is "port apply --now waits for the leg, but not for ever" "deferred enforced" "$first $last"
ok "... for ten seconds" test "${took:-0}" -ge 9
note "it was made after $took s"

# Legs come and go.
seen=$(sh_on initiator "$HOST
	ip link set roce1 nomaster; until_ok 5 state_is roce1 unmanaged
	cat /sys/class/net/roce1/roceguard/{state,trigger} /sys/class/net/roce0/roceguard/state
	roceguard -j port show roce1 | jq '.[0] | .bond, .rdma_device'
	ip link set roce1 down; ip link set roce1 master bond0
	until_ok 10 state_is roce1 enforced && storage_held roce1
	cat /sys/class/net/roce1/roceguard/state")
is "a leg that is released is let go, by the trigger topology; enslaved again it is held" \
	"unmanaged topology enforced null null enforced" "$(xargs <<<"$seen")"
seen=$(sh_on initiator "$HOST
	until_ok 5 both_carry
	ip link set bond0 down; ip link set bond0 name other0; until_ok 5 both_are unmanaged
	cat /sys/class/net/roce[01]/roceguard/state
	ip link set other0 name bond0; ip link set bond0 up; until_ok 10 both_are enforced
	cat /sys/class/net/roce[01]/roceguard/state")
is "a bond that is renamed is another to its policy" \
	"unmanaged unmanaged enforced enforced" "$(xargs <<<"$seen")"
