// SPDX-License-Identifier: GPL-2.0
/* The kernel's APP table, emptied. */
#include "compat.h"
#include "labnic.h"

static void labnic_app_del_all(struct net_device *dev, u8 selector,
			       u16 protocol, u8 prios)
{
	struct dcb_app app = { .selector = selector, .protocol = protocol };

	for (app.priority = 0; app.priority < LABNIC_PRIORITIES; app.priority++)
		/* -ENOENT is fine: nothing but the table itself knows better. */
		if (prios & BIT(app.priority))
			dcb_ieee_delapp(dev, &app);
}

/**
 * labnic_app_flush - take all entries of a NIC out of the APP table
 * @nic: the NIC; rtnl is held
 *
 * That is what a driver does when it unloads.
 */
void labnic_app_flush(struct labnic *nic)
{
	struct dcb_ieee_app_dscp_map by_dscp;
	struct net_device *dev = nic->dev;
	unsigned int i;

	dcb_ieee_getapp_dscp_prio_mask_map(dev, &by_dscp);
	for (i = 0; i < LABNIC_DSCPS; i++)
		labnic_app_del_all(dev, IEEE_8021QAZ_APP_SEL_DSCP, i,
				   by_dscp.map[i]);
	for (i = 0; i < LABNIC_PCPS; i++)
		labnic_app_del_all(dev, DCB_APP_SEL_PCP, i,
				   nic->drv.pcp_apps[i]);
	labnic_app_del_all(dev, IEEE_8021QAZ_APP_SEL_ETHERTYPE, 0,
			   dcb_ieee_getapp_default_prio_mask(dev));
}
