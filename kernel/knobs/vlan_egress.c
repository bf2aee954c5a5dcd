// SPDX-License-Identifier: GPL-2.0
/*
 * The egress maps of VLANs on top, by which rdma_cm finds the priority of a
 * connection's frames. They are rtnetlink's to change, and so the agent's.
 */
#include "knob.h"

static bool rg_vlan_egress_delegated(const struct rg_section *section)
{
	return true;
}

static void rg_vlan_egress_describe(const struct rg_section *section,
				    struct rg_text *have, struct rg_text *want)
{
	rg_text_egress(want, section->want->egress);
}

const struct rg_knob rg_knob_vlan_egress = {
	.id	   = ROCEGUARD_KNOB_VLAN_EGRESS,
	.name	   = "vlan-egress",
	.delegated = rg_vlan_egress_delegated,
	.describe  = rg_vlan_egress_describe,
};
