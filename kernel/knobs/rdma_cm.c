// SPDX-License-Identifier: GPL-2.0
/*
 * What rdma_cm gives connections that say nothing themselves: ToS and RoCE mode.
 * Its files are in configfs, which the kernel does not write: the agent's.
 */
#include "knob.h"

static bool rg_rdma_cm_delegated(const struct rg_section *section)
{
	return true;
}

static void rg_rdma_cm_describe(const struct rg_section *section,
				struct rg_text *have, struct rg_text *want)
{
	rg_text_rdma_cm(want, section->want->cm_tos, section->want->cm_mode);
}

const struct rg_knob rg_knob_rdma_cm = {
	.id	   = ROCEGUARD_KNOB_RDMA_CM,
	.name	   = "rdma-cm",
	.delegated = rg_rdma_cm_delegated,
	.describe  = rg_rdma_cm_describe,
};
