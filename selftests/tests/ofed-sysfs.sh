#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The scripts that the field has for MLNX_OFED's files in sysfs run unchanged on a
# NIC whose driver is not OFED's: what they write is in the NIC, is enforced, and
# is told with who wrote it.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../storage.sh"
ktap_begin

OFED=$(cat <<'HOST'
ECN=/sys/class/net/roce0/ecn
there() { [[ -e $ECN/roce_rp/enable/7 ]]; }
gone() { [[ ! -e $ECN ]]; }
# in_nic NP RP: the masks that the hardware has
in_nic() { [[ "$(hw roce0 ecn_np) $(hw roce0 ecn_rp)" == "$1 $2" ]]; }
files() { (cd "$ECN" && find . -type f | sort | paste -sd' '); }
enabled() { cat "$ECN/$1"/enable/* | paste -sd' '; }
overlay() { roceguard -j port show roce0 | jq -r '.[0].overlay[] | .knob + " " + .want'; }
knob() { roceguard -j port show roce0 | jq -r ".[0].knobs[] | select(.knob == \"$1\") | .$2"; }
requests() {
	roceguard -j history | jq -r "[.[] | select(.seq > $1 and .action == \"request\") | .request] | join(\"|\")"
}
HOST
)
HOST="$STORAGE; $OFED"

# As found on many a host: nobody has written it for us.
SCRIPT=$(mktemp)
cat >"$SCRIPT" <<'USUAL'
#!/bin/bash
set -euo pipefail
DEV=${1:-roce0}
PRIO=${2:-3}
echo 1 > /sys/class/net/$DEV/ecn/roce_np/enable/$PRIO
echo 1 > /sys/class/net/$DEV/ecn/roce_rp/enable/$PRIO
for role in roce_np roce_rp; do
	[[ $(cat /sys/class/net/$DEV/ecn/$role/enable/$PRIO) == 1 ]]
done
USUAL
defer "rm -f $SCRIPT"

fresh initiator || exit 1
# shellcheck disable=SC2016
defer 'sh_on initiator "$HOST; rm -f /run/usual /run/storage.conf" && fresh initiator'
lab exec --stdin initiator -- tee /run/usual <"$SCRIPT" >/dev/null
sh_on initiator 'modprobe roceguard audit=0' || exit 1

# Without a policy.
ok "the files are there once the provider is" sh_on initiator "$HOST; until_ok 10 there"
seen=$(sh_on initiator "$HOST; files; stat -c %a $(printf '$ECN/roce_np/enable/%s ' 0 7)")
for role in np rp; do
	like "... enable/0 to 7 of roce_$role" \
		"./roce_$role/enable/0 .*./roce_$role/enable/7" "$seen"
done
like "... writable for root" $'\n644\n644$' "$seen"
is "... and of the parameters, as the NIC has them" \
	"4 48 6|0 1 300 32767 1 0 5 50 11 50 1 0 1019 1 4 1023" \
	"$(sh_on initiator "$HOST; cd \$ECN
		cat roce_np/{min_time_between_cnps,cnp_dscp,cnp_802p_prio} | xargs
		cat roce_rp/{clamp_tgt_rate,clamp_tgt_rate_after_time_inc,rpg_time_reset,rpg_byte_reset,rpg_threshold} \
			roce_rp/{rpg_max_rate,rpg_ai_rate,rpg_hai_rate,rpg_gd,rpg_min_dec_fac,rpg_min_rate} \
			roce_rp/{rate_to_set_on_first_cnp,dce_tcp_g,dce_tcp_rtt,rate_reduce_monitor_period,initial_alpha_value} | xargs" |
		paste -sd'|')"
seen=$(sh_on initiator "$HOST
	seq=\$(last_seq)
	for i in 1 2; do bash /run/usual || echo \"run \$i failed\"; done
	until_ok 5 in_nic 0x08 0x08 && echo in the NIC
	until_ok 5 state_is roce0 enforced
	cat /sys/class/net/roce0/roceguard/{state,policy,knobs/ecn}; overlay
	requests \$seq; enabled roce_np
	roceguard -j history | jq -r '[.[] | select(.action == \"correction\")][-1] |
		[.knob, .trigger, .to] | join(\" \")'" 2>&1)
is "the usual script, twice: in the NIC, enforced without a policy, told once" \
	"in the NIC|enforced||corrected|ecn np 3 rp 3|sysfs roce0/ecn/roce_np/enable/3 = 1|sysfs roce0/ecn/roce_rp/enable/3 = 1|0 0 0 1 0 0 0 0|ecn policy np 3 rp 3" \
	"$(paste -sd'|' <<<"$seen" | sed 's/|held|/|corrected|/')"
for dev in '' roce0; do
	like "port show $dev: the overlay, and who said so" \
		'overlay: ecn np 3 rp 3, from sysfs by [0-9]+/bash' \
		"$(on initiator roceguard port show $dev)"
done
like "history: with user, process and command" '^0 [0-9]+ bash$' \
	"$(sh_on initiator "roceguard -j history | jq -r '[.[] | select(.action == \"request\")][-1] |
		[.uid, .pid, .comm] | map(tostring) | join(\" \")'")"
seen=$(sh_on initiator "$HOST
	seq=\$(last_seq)
	echo 1 > /sys/kernel/debug/labnic/roce0/reset
	again() {
		roceguard -j history | jq -e \".[] | select(.seq > \$seq and .knob == \\\"ecn\\\")\"
	}
	until_ok 10 again && until_ok 10 carrier_is roce0 1 && in_nic 0x08 0x08 && echo again
	roceguard -j history | jq -r '.[-1] | [.trigger, .from, .to] | join(\" \")'" 2>&1)
is "a reset NIC has it back" "again|carrier np none rp none np 3 rp 3" \
	"$(paste -sd'|' <<<"$seen")"
ok "off again, and the rest as it was" sh_on initiator "$HOST
	echo 0 > \$ECN/roce_np/enable/3; until_ok 5 in_nic 0x00 0x08 &&
	[[ \$(overlay) == 'ecn np off 3 rp 3' && \$(<\$ECN/roce_np/enable/3) == 0 ]]"

# What is not taken.
for value in 2 -1 yes '' '1 1'; do
	seen=$(sh_on initiator "$HOST; seq=\$(last_seq)
		echo '$value' 2>&1 > \$ECN/roce_np/enable/4 && echo taken
		requests \$seq; overlay" 2>&1)
	like "'$value' is not taken" '(Invalid argument|out of range).*|ecn np off 3 rp 3$' \
		"$(paste -sd'|' <<<"$seen")"
done
# shellcheck disable=SC2016
is "root of a user namespace reads, and cannot write" "0 no" \
	"$(sh_on initiator "setpriv --reuid 65534 --regid 65534 --clear-groups \
		unshare --user --map-root-user bash -c '
			cat /sys/class/net/roce0/ecn/roce_np/enable/3
			echo 1 2>/dev/null > /sys/class/net/roce0/ecn/roce_np/enable/3 || echo no' 2>/dev/null" | xargs)"
# shellcheck disable=SC2016
like "nor can root without CAP_NET_ADMIN" 'Operation not permitted' \
	"$(sh_on initiator 'setpriv --bounding-set -net_admin --inh-caps -net_admin \
		bash -c "echo 1 > /sys/class/net/roce0/ecn/roce_np/enable/3" 2>&1')"

# Parameters.
seen=$(sh_on initiator "$HOST; cd \$ECN
	seq=\$(last_seq)
	echo 46 > roce_np/cnp_dscp; echo 20 > roce_rp/rpg_ai_rate; cat roce_np/cnp_dscp roce_rp/rpg_ai_rate
	asked() { [[ \$(knob dcqcn verdict) == corrected && \$(knob cnp verdict) == corrected ]]; }
	until_ok 5 asked; cat roce_np/cnp_dscp roce_rp/rpg_ai_rate; overlay; requests \$seq
	cat /sys/kernel/debug/labnic/roce0/cc_params/*{cnp_dscp,_ai_rate}
	roceguard port restore roce0 >/dev/null; roceguard port apply roce0 >/dev/null
	cat roce_np/cnp_dscp roce_rp/rpg_ai_rate; overlay" 2>&1)
is "parameters: in the NIC, held, told; put back by port restore" \
	"46|20|46|20|ecn np off 3 rp 3|dcqcn rp-ai-rate 20|cnp np-cnp-dscp 46|sysfs roce0/ecn/roce_np/cnp_dscp = 46|sysfs roce0/ecn/roce_rp/rpg_ai_rate = 20|46|20|48|5" \
	"$(paste -sd'|' <<<"$seen")"
for file in roce_np/cnp_dscp=64 roce_rp/rpg_gd=9 roce_np/cnp_802p_prio=8; do
	like "${file/=/: } is out of range" 'out of range' \
		"$(sh_on initiator "echo ${file#*=} 2>&1 > /sys/class/net/roce0/ecn/${file%=*}" 2>&1)"
done

# With a policy: the last word counts.
seen=$(sh_on initiator "$HOST
	roceguard policy load storage --on roce0 >/dev/null; until_ok 10 state_is roce0 enforced
	in_nic 0x08 0x08 && echo policy; overlay
	echo 0 > \$ECN/roce_rp/enable/3; echo 1 > \$ECN/roce_np/enable/5
	until_ok 5 in_nic 0x28 0x00 && echo overlay; overlay
	until_ok 5 state_is roce0 enforced && storage_held roce0 && echo the rest is held
	knob ecn want
	roceguard policy load storage --on roce0 >/dev/null; until_ok 5 state_is roce0 enforced
	[[ \$(hw roce0 ecn_rp) == 0x08 ]] && echo policy; overlay" 2>&1)
is "the last word counts: policy, then file, then policy" \
	"policy|overlay|ecn np 5 rp off 3|the rest is held|np 3 5 rp none|policy" "$(paste -sd'|' <<<"$seen")"

seen=$(sh_on initiator "$HOST
	roceguard freeze >/dev/null
	echo 0 > \$ECN/roce_rp/enable/3 && until_ok 5 state_is roce0 drifted
	cat \$ECN/roce_rp/enable/3; hw roce0 ecn_rp; overlay 2>/dev/null
	roceguard thaw >/dev/null; until_ok 5 in_nic 0x28 0x00 && echo thawed" 2>&1)
is "frozen: taken down, not written, read as it is; written at thaw" \
	"1|0x08|ecn rp off 3|thawed" "$(paste -sd'|' <<<"$seen")"

# Back to what there was.
like "restore is refused while a policy holds the port" 'a policy holds this port' \
	"$(sh_on initiator 'roceguard port restore roce0 2>&1')"
seen=$(sh_on initiator "$HOST
	roceguard policy delete storage >/dev/null
	until_ok 5 state_is roce0 enforced; overlay
	roceguard port restore roce0 >/dev/null; until_ok 5 in_nic 0x00 0x00 && echo back
	cat /sys/class/net/roce0/roceguard/state; overlay
	roceguard -j history | jq -r '[.[] | select(.action == \"request\")][-1].request'" 2>&1)
is "port restore: overlay and settings go" \
	"ecn rp off 3|back|unmanaged|port restore roce0" "$(paste -sd'|' <<<"$seen")"

# It comes and goes with what it stands on.
seen=$(sh_on initiator "$HOST
	rmmod roceguard_labnic; until_ok 5 gone && echo gone
	modprobe roceguard_labnic; until_ok 5 there && echo there
	ip link set roce0 down; ip link set roce0 name roce9
	ECN=/sys/class/net/roce9/ecn; there && echo 1 > \$ECN/roce_np/enable/6 && ECN=/sys/class/net/roce0/ecn
	gone; ip link set roce9 name roce0; ip link set roce0 up
	until_ok 5 in_nic 0x40 0x00 && echo renamed; overlay" 2>&1)
is "without the provider no files; they follow the name" \
	"gone|there|renamed|ecn np 6" "$(paste -sd'|' <<<"$seen")"

# Unregistered, unloaded, while files are open and written.
seen=$(sh_on initiator "$HOST
	exec {held}<\$ECN/roce_np/enable/6 {writer}>\$ECN/roce_rp/enable/6
	hammer() { while [[ -e /run/hammer ]]; do
		for i in 0 1 2 3 4 5 6 7; do
			{ echo 1 > \$ECN/roce_np/enable/\$i; cat \$ECN/roce_rp/enable/\$i; } >/dev/null 2>&1
		done
	done; }
	touch /run/hammer; hammer & hammer &
	for i in 1 2 3 4 5; do
		nic plain; until_ok 10 there || echo not there
	done
	read -ru \$held x 2>/dev/null && echo read of a device that is gone
	{ echo 1 >&\$writer; } 2>/dev/null && echo written to a device that is gone
	for i in 1 2 3; do
		rmmod roceguard_rdma roceguard_labnic roceguard 2>/dev/null; until_ok 5 gone || echo still there
		modprobe roceguard audit=0; until_ok 10 there || echo not there
	done
	rm /run/hammer; wait
	rmmod roceguard_rdma roceguard_labnic roceguard && gone && echo gone" 2>&1)
is "unregister and unload with files open and in use" gone "$(paste -sd'|' <<<"$seen")"

# Not where it is not wanted.
is "ofed_sysfs=off: no files" "none" "$(sh_on initiator "$HOST
	modprobe roceguard audit=0 ofed_sysfs=off; roceguard policy load storage --on roce0 >/dev/null
	until_ok 10 state_is roce0 enforced && gone && echo none
	rmmod roceguard_rdma roceguard_labnic roceguard" 2>&1)"
like "ofed_sysfs=maybe: refused in words" 'ofed_sysfs=maybe is unknown; use auto or off' \
	"$(sh_on initiator 'modprobe roceguard ofed_sysfs=maybe 2>/dev/null && echo loaded; dmesg | tail -n 3')"
