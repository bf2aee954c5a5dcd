#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The modules go and come while everything that calls them does.
SELFTESTS=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
# shellcheck source=../races.sh
. "$SELFTESTS/races.sh"
ktap_begin
races_begin
# shellcheck disable=SC2016 # for the host
folder=$(on initiator sh -c 'echo /usr/lib/modules/$(uname -r)/updates')

# By themselves they would come by modprobe, which takes longer than all else.
by_hand
race 15 "unload and load under flaps and requests" \
	reload:"$folder":2000 flap:roce1:1000 ports policy:race apply:roce1
race 15 "unload and load while NICs and namespaces come and go" \
	reload:"$folder":2000 birth:ra:500 move:rm netns sysfs
race 15 "unload and load while RDMA devices come and go" \
	reload:"$folder":5000 rxe:rxe8:roce1:1000 rdma-orphan:rxe7:ro
