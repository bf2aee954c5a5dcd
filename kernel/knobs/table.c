// SPDX-License-Identifier: GPL-2.0
#include "knob.h"

const struct rg_knob *const rg_knobs[RG_KNOBS] = {
	&rg_knob_dcbx,
	&rg_knob_dscp,
	&rg_knob_ets,
	&rg_knob_buffer,
	&rg_knob_maxrate,
	&rg_knob_storm_prevention,
	&rg_knob_pause,
	&rg_knob_pfc,
	&rg_knob_ecn,
	&rg_knob_dcqcn,
	&rg_knob_cnp,
	&rg_knob_mtu,
	&rg_knob_rdma_cm,
	&rg_knob_vlan_egress,
};

/**
 * rg_knob_by_id - look a knob up
 * @id: enum roceguard_knob
 *
 * Return: the knob.
 */
const struct rg_knob *rg_knob_by_id(enum roceguard_knob id)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rg_knobs) - 1; i++)
		if (rg_knobs[i]->id == id)
			break;
	return rg_knobs[i];
}
