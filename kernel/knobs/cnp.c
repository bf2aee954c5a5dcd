// SPDX-License-Identifier: GPL-2.0
/* How a NIC's notification point marks the CNPs that it sends, and how often. */
#include "params.h"

RG_PARAMS_KNOB(rg_knob_cnp, "cnp", ROCEGUARD_KNOB_CNP);
