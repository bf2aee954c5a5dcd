// SPDX-License-Identifier: GPL-2.0
/*
 * Each row was read in the driver's source: which write toggles the link or
 * resets the function (mlx5: en_dcbnl.c; ice: ice_dcb_nl.c; hns3:
 * hclge_dcb.c; i40e: i40e_dcb_nl.c), which drivers have an RDMA part, and what
 * becomes of ieee_pfc.delay.
 */
#include <linux/string.h>
#include "habits.h"

static const struct rg_habits rg_habits_table[] = {
	{
		.driver	    = "mlx5_core",
		.roce	    = true,
		.dscp_shift = 3,
		.remap	    = RG_REMAP_REPLACE,
		.cable	    = RG_CABLE_METRES,
		.storm_auto_ms = 100,
		.cost	    = { [ROCEGUARD_KNOB_PFC] = ROCEGUARD_COST_LINK_DROP },
	},
	{
		.driver	= "ice",
		.roce	= true,
		.remap	= RG_REMAP_DEL_ADD,
		.cable	= RG_CABLE_IGNORED,
		.cost	= {
			[ROCEGUARD_KNOB_DSCP] = ROCEGUARD_COST_RESET,
			[ROCEGUARD_KNOB_ETS]  = ROCEGUARD_COST_RESET,
			[ROCEGUARD_KNOB_PFC]  = ROCEGUARD_COST_RESET,
		},
	},
	{
		.driver	= "i40e",
		.roce	= true,
		.cable	= RG_CABLE_IGNORED,
		.cost	= {
			[ROCEGUARD_KNOB_DSCP] = ROCEGUARD_COST_RESET,
			[ROCEGUARD_KNOB_ETS]  = ROCEGUARD_COST_RESET,
			[ROCEGUARD_KNOB_PFC]  = ROCEGUARD_COST_RESET,
		},
	},
	{
		.driver	= "hns3",
		.roce	= true,
		.cable	= RG_CABLE_IGNORED,
		.cost	= {
			[ROCEGUARD_KNOB_ETS] = ROCEGUARD_COST_LINK_DROP,
			[ROCEGUARD_KNOB_PFC] = ROCEGUARD_COST_LINK_DROP,
		},
	},
	{
		.driver	= "bnxt_en",
		.roce	= true,
		.cable	= RG_CABLE_IGNORED,
		.cost	= { [ROCEGUARD_KNOB_ETS] = ROCEGUARD_COST_LINK_DROP },
	},
	{ .driver = "mlx4_en",	.roce = true },
	{ .driver = "mlx4_core", .roce = true },
	{ .driver = "qede",	.roce = true },
	{ .driver = "ionic",	.roce = true },
};

static const struct rg_habits rg_habits_unknown = { .driver = "" };

/**
 * rg_habits_of - the habits of a driver
 * @driver: its name
 *
 * Return: its row, or one that assumes nothing for a driver without.
 */
const struct rg_habits *rg_habits_of(const char *driver)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rg_habits_table); i++)
		if (!strcmp(rg_habits_table[i].driver, driver))
			return &rg_habits_table[i];
	return &rg_habits_unknown;
}

/**
 * rg_habits_default_priority - where a DSCP without an entry goes
 * @habits: of the driver
 * @dscp: 0..63
 *
 * Return: the priority.
 */
u8 rg_habits_default_priority(const struct rg_habits *habits, u8 dscp)
{
	return habits->dscp_shift ? dscp >> habits->dscp_shift : 0;
}
