// SPDX-License-Identifier: GPL-2.0
/* How a NIC's reaction point slows down and speeds up. */
#include "params.h"

RG_PARAMS_KNOB(rg_knob_dcqcn, "dcqcn", ROCEGUARD_KNOB_DCQCN);
