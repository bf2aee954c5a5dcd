// SPDX-License-Identifier: GPL-2.0
/*
 * Each row was read in the driver's source, of 6.12: which write toggles the link,
 * closes and opens the device or resets the function, what it refuses and when,
 * which drivers have RoCE, and what becomes of ieee_pfc.delay.
 *
 * mlx5	en_dcbnl.c: setpfc toggles the link if the mask differs.
 * ice	ice_dcb_nl.c: whatever changes closes and opens the device; in DSCP mode
 *	prio_tc is that of the driver. ice_ethtool.c: pause restarts the link.
 * i40e	i40e_dcb_nl.c: quiesces all queues; no DSCP in hardware; iWARP only.
 * hns3	hclge_dcb.c: PFC takes the client down and up, another ETS map too.
 * bnxt	bnxt_dcb.c: ETS and PFC close and open the device (bnxt_setup_mq_tc,
 *	bnxt_queue_remap), to which the instance lock belongs since 6.15. An entry
 *	of the map is deleted by its DSCP alone. Firmware DCBX is an NVM setting.
 * qede	qede_dcbnl.c: no way to delete APP entries; pause sets the link up anew.
 */
#include <linux/string.h>
#include "habits.h"

static const struct rg_habits rg_habits_table[] = {
	{
		.driver	    = "mlx5_core",
		.roce	    = true,
		.ecn_files  = true,
		.dscp_shift = 3,
		.remap	    = RG_REMAP_REPLACE,
		.cable	    = RG_CABLE_METRES,
		.storm_auto_ms = 100,
		.cost	    = { [ROCEGUARD_KNOB_PFC] = ROCEGUARD_COST_LINK_DROP },
	},
	{
		.driver		= "ice",
		.roce		= true,
		.dscp_shift	= 3,
		.remap		= RG_REMAP_DEL_ADD,
		.cable		= RG_CABLE_IGNORED,
		.tc_is_priority	= true,
		.not_in_bond	= true,
		.lldp_off	= "fw-lldp-agent off",
		.cost		= {
			[ROCEGUARD_KNOB_DSCP]  = ROCEGUARD_COST_RESET,
			[ROCEGUARD_KNOB_ETS]   = ROCEGUARD_COST_RESET,
			[ROCEGUARD_KNOB_PAUSE] = ROCEGUARD_COST_LINK_DROP,
			[ROCEGUARD_KNOB_PFC]   = ROCEGUARD_COST_RESET,
		},
	},
	{
		.driver	  = "i40e",
		.cable	  = RG_CABLE_IGNORED,
		.lldp_off = "disable-fw-lldp on",
		.cost	  = {
			[ROCEGUARD_KNOB_DSCP] = ROCEGUARD_COST_RESET,
			[ROCEGUARD_KNOB_ETS]  = ROCEGUARD_COST_RESET,
			[ROCEGUARD_KNOB_PFC]  = ROCEGUARD_COST_RESET,
		},
	},
	{
		.driver	= "hns3",
		.roce	= true,
		.remap	= RG_REMAP_REPLACE,
		.cable	= RG_CABLE_IGNORED,
		.cost	= {
			[ROCEGUARD_KNOB_ETS] = ROCEGUARD_COST_LINK_DROP,
			[ROCEGUARD_KNOB_PFC] = ROCEGUARD_COST_LINK_DROP,
		},
	},
	{
		.driver	       = "bnxt_en",
		.roce	       = true,
		.ecn_files     = true,
		.remap	       = RG_REMAP_DEL_ADD,
		.cable	       = RG_CABLE_IGNORED,
		.pfc_after_ets = true,
		.locked	       = BIT(ROCEGUARD_KNOB_ETS) | BIT(ROCEGUARD_KNOB_PFC),
		.lldp_tool     = "switch LLDP and DCBX off in its NVM with Broadcom's niccli, then reboot",
		.cost	       = {
			[ROCEGUARD_KNOB_ETS]   = ROCEGUARD_COST_LINK_DROP,
			[ROCEGUARD_KNOB_PAUSE] = ROCEGUARD_COST_LINK_DROP,
			[ROCEGUARD_KNOB_PFC]   = ROCEGUARD_COST_LINK_DROP,
		},
	},
	{
		.driver	= "qede",
		.roce	= true,
		.cost	= { [ROCEGUARD_KNOB_PAUSE] = ROCEGUARD_COST_LINK_DROP },
	},
	{ .driver = "mlx4_en",	.roce = true },
	{ .driver = "mlx4_core", .roce = true },
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
