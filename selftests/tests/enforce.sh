#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A policy is loaded: iproute2 and ethtool see what it says, and nothing else.
. "$(dirname "$0")/../lib.sh"
ktap_begin
fresh initiator || exit 1
defer 'fresh initiator'

sh_on initiator 'modprobe roceguard'
is "before: PFC is off" "0:off 1:off 2:off 3:off 4:off 5:off 6:off 7:off" \
	"$(sh_on initiator "dcb -j pfc show dev roce0 | jq -r '.prio_pfc | to_entries | map(\"\(.key):\(if .value then \"on\" else \"off\" end)\") | join(\" \")'")"
ok "policy load storage" on initiator roceguard policy load storage --on roce0
like "dcb pfc: on for priority 3 alone" \
	"0:off 1:off 2:off 3:on 4:off 5:off 6:off 7:off" \
	"$(on initiator dcb pfc show dev roce0)"
is "dcb app: DSCP 26 to 3 and 48 to 6, no other" "dscp-prio AF31:3 CS6:6 " \
	"$(on initiator dcb app show dev roce0)"
ets=$(on initiator dcb ets show dev roce0)
like "dcb ets: priority 3 and 6 in classes of their own" \
	"prio-tc 0:0 1:0 2:0 3:1 4:0 5:0 6:2 7:0" "$ets"
like "dcb ets: half for storage, strict for CNPs" \
	"tc-bw 0:50 1:50 2:0" "$ets"
like "dcb ets: TSA" "tc-tsa 0:ets 1:ets 2:strict" "$ets"
pause=$(on initiator ethtool -a roce0)
like "ethtool -a: no global pause" "RX:[[:space:]]+off.*TX:[[:space:]]+off" "$pause"
is "sysfs: enforced" enforced \
	"$(on initiator cat /sys/class/net/roce0/roceguard/state)"
is "sysfs: every knob of its classes is right, the others are not its business" \
	"buffer dcbx dcqcn maxrate mtu rdma-cm storm-prevention vlan-egress" "$(sh_on initiator 'cd /sys/class/net/roce0/roceguard/knobs
		grep -LxE "held|corrected" * | xargs grep -lx unmanaged | xargs')"
before=$(on initiator cat /sys/class/net/roce0/roceguard/corrections)
ok "the same policy again" on initiator roceguard policy load storage --on roce0
is "... writes nothing" "$before" \
	"$(on initiator cat /sys/class/net/roce0/roceguard/corrections)"
