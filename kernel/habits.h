/* SPDX-License-Identifier: GPL-2.0 */
/* What drivers do differently. */
#ifndef RG_HABITS_H
#define RG_HABITS_H

#include <linux/types.h>
#include "logic/policy.h"

/**
 * enum rg_dscp_remap - how to give a DSCP another priority
 * @RG_REMAP_ADD_DEL: set the new entry, delete the old one, as dcb(8) does
 * @RG_REMAP_REPLACE: set the new entry; the driver drops the old one itself
 * @RG_REMAP_DEL_ADD: delete the old entry first, or the driver refuses
 */
enum rg_dscp_remap {
	RG_REMAP_ADD_DEL,
	RG_REMAP_REPLACE,
	RG_REMAP_DEL_ADD,
};

/**
 * enum rg_cable - what a driver takes ieee_pfc.delay for
 * @RG_CABLE_BITS: bit times on the cable there and back, as the standard says
 * @RG_CABLE_METRES: metres of cable; writing it alone is hitless
 * @RG_CABLE_IGNORED: nothing: its write is lost, or does no more than cost
 */
enum rg_cable {
	RG_CABLE_BITS,
	RG_CABLE_METRES,
	RG_CABLE_IGNORED,
};

/**
 * struct rg_habits - one driver
 * @driver: its name
 * @roce: its NICs can do RoCE
 * @ecn_files: it may come with files for ECN, in a version or another
 * @dscp_shift: a DSCP without an entry goes to priority DSCP >> @dscp_shift;
 *	0: to priority 0
 * @remap: how to give a DSCP another priority
 * @cable: what it takes ieee_pfc.delay for
 * @storm_auto_ms: what it makes of ROCEGUARD_STORM_AUTO; 0: reads back as such
 * @tc_is_priority: as long as DSCP is trusted every priority is a traffic class
 *	of its own
 * @pfc_after_ets: takes PFC only once ETS has been written
 * @not_in_bond: takes no DCB of a port in a bond
 * @locked: bits of enum roceguard_knob: a write closes and opens the device and
 *	has to be made with its instance lock
 * @lldp_off: what 'ethtool --set-priv-flags DEV' is told to take DCB from the
 *	firmware; NULL: it has no such flag
 * @lldp_tool: what to do then; NULL: not known
 * @cost: enum roceguard_cost of a write, by enum roceguard_knob
 */
struct rg_habits {
	const char *driver;
	bool roce;
	bool ecn_files;
	u8 dscp_shift;
	enum rg_dscp_remap remap;
	enum rg_cable cable;
	u16 storm_auto_ms;
	bool tc_is_priority;
	bool pfc_after_ets;
	bool not_in_bond;
	u32 locked;
	const char *lldp_off;
	const char *lldp_tool;
	enum roceguard_cost cost[RG_KNOBS];
};

const struct rg_habits *rg_habits_of(const char *driver);
u8 rg_habits_default_priority(const struct rg_habits *habits, u8 dscp);

#endif /* RG_HABITS_H */
