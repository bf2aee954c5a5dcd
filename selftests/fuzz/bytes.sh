#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The targets of bytes/ inside the hosts' image, without a host, on the copy of
# the checkout that the lab builds from; FUZZ_SECONDS (5) for each target.
set -euo pipefail

lab=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../lab/lab
export LAB_KERNEL=''
build=$(dirname "$("$lab" build)")
exec "$lab" inside "$build" -- \
	/build/tree/selftests/fuzz/bytes/check "${FUZZ_SECONDS:-5}"
