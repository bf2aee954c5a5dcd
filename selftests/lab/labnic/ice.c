// SPDX-License-Identifier: GPL-2.0
/*
 * The personality "ice": the habits of ice.
 *
 * - While the firmware's LLDP agent runs (private flag fw-lldp-agent), and in a
 *   bond, everything is refused with -EINVAL.
 * - Success may be a positive number; the mode it has already is a failure.
 * - What changes anything closes and opens the device.
 * - The first DSCP entry trusts DSCP, sends DSCP d to d >> 3 and rewrites ETS: each
 *   priority is a traffic class of its own, and stays so until the last one goes.
 * - A DSCP that has an entry takes no other; without its entry it goes to d % 8.
 * - Global pause is negotiated, which is not to be changed with it; there is none
 *   with PFC; to set it takes the link down.
 * - -EBUSY as long as it is being reset.
 */
#include "compat.h"
#include "labnic.h"

/* What it answers for success, but for the 0 of a device closed and opened. */
#define LABNIC_ICE_UNCHANGED	1
#define LABNIC_ICE_CHANGED	2

static void labnic_ice_power_on(struct labnic_hw *hw)
{
	unsigned int i;

	labnic_hw_power_on(hw);
	for (i = 0; i < LABNIC_TCS; i++)
		hw->tsa[i] = IEEE_8021QAZ_TSA_ETS;
	hw->bandwidth[0] = 100;
}

static void labnic_ice_agent(struct labnic *nic)
{
	nic->drv.dcbx &= ~(DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_LLD_MANAGED);
	nic->drv.dcbx |= nic->fw_lldp ? DCB_CAP_DCBX_LLD_MANAGED :
					DCB_CAP_DCBX_HOST;
}

static void labnic_ice_load(struct labnic *nic)
{
	struct labnic_hw hw;

	labnic_hw_get(nic, &hw);
	memset(&nic->drv, 0, sizeof(nic->drv));
	nic->drv.dcbx = DCB_CAP_DCBX_VER_IEEE;
	nic->drv.trust = hw.trust;
	nic->drv.pause_autoneg = true;
	labnic_ice_agent(nic);
}

static int labnic_ice_check(const struct labnic *nic)
{
	if (nic->drv.dcbx & DCB_CAP_DCBX_LLD_MANAGED ||
	    !(nic->drv.dcbx & DCB_CAP_DCBX_VER_IEEE))
		return -EINVAL;
	if (netif_is_lag_port(nic->dev)) {
		netdev_err(nic->dev, "no DCB changes in a bond\n");
		return -EINVAL;
	}
	return 0;
}

static void labnic_ice_reopen(struct labnic *nic)
{
	struct net_device *dev = nic->dev;

	labnic_journal(nic, 0, "close and open");
	if (!netif_running(dev))
		return;
	dev_close(dev);
	netdev_state_change(dev);
	if (dev_open(dev, NULL))
		netdev_err(dev, "does not open again\n");
	netdev_state_change(dev);
	labnic_wire_drop(nic, labnic_toggle_ms);
}

static int labnic_ice_set_ets(struct labnic *nic, const struct ieee_ets *ets)
{
	struct ieee_ets new = *ets;
	unsigned int sum = 0, i;
	struct labnic_hw hw;
	int err;

	err = labnic_ice_check(nic);
	if (err)
		return err;
	labnic_hw_get(nic, &hw);
	if (hw.trust == LABNIC_TRUST_DSCP)
		memcpy(new.prio_tc, hw.prio_tc, sizeof(new.prio_tc));
	for (i = 0; i < LABNIC_TCS; i++)
		sum += new.tc_tx_bw[i];
	if (!sum)
		new.tc_tx_bw[0] = 100;
	else if (sum != 100)
		return -EINVAL;
	if (!memcmp(new.prio_tc, hw.prio_tc, sizeof(new.prio_tc)) &&
	    !memcmp(new.tc_tsa, hw.tsa, sizeof(new.tc_tsa)) &&
	    !memcmp(new.tc_tx_bw, hw.bandwidth, sizeof(new.tc_tx_bw)))
		return 0;
	labnic_hw_set_ets(nic, &new);
	labnic_ice_reopen(nic);
	return 0;
}

static int labnic_ice_set_pfc(struct labnic *nic, const struct ieee_pfc *pfc)
{
	struct labnic_hw hw;
	int err;

	err = labnic_ice_check(nic);
	if (err)
		return err;
	labnic_hw_get(nic, &hw);
	if (hw.pfc == pfc->pfc_en)
		return LABNIC_ICE_CHANGED;
	labnic_hw_set_pfc(nic, pfc->pfc_en);
	if (pfc->pfc_en)
		labnic_hw_set_pause(nic, false, false);
	labnic_ice_reopen(nic);
	return 0;
}

static int labnic_ice_set_pause(struct labnic *nic,
				const struct ethtool_pauseparam *pause)
{
	struct labnic_hw hw;

	labnic_hw_get(nic, &hw);
	if (pause->autoneg != nic->drv.pause_autoneg || hw.pfc)
		return -EOPNOTSUPP;
	labnic_hw_set_pause(nic, pause->rx_pause, pause->tx_pause);
	labnic_wire_drop(nic, labnic_toggle_ms);
	return 0;
}

static void labnic_ice_trust_dscp(struct labnic *nic)
{
	struct ieee_ets ets = { };
	unsigned int i;

	for (i = 0; i < LABNIC_TCS; i++) {
		ets.prio_tc[i] = i;
		ets.tc_tsa[i] = IEEE_8021QAZ_TSA_ETS;
	}
	ets.tc_tx_bw[0] = 100;
	labnic_hw_set_ets(nic, &ets);
	for (i = 0; i < LABNIC_DSCPS; i++)
		labnic_hw_set_dscp(nic, i, i >> 3);
	nic->drv.trust = LABNIC_TRUST_DSCP;
	labnic_hw_set_trust(nic, LABNIC_TRUST_DSCP);
}

static void labnic_ice_trust_pcp(struct labnic *nic)
{
	struct ieee_ets ets = { };
	unsigned int i;

	for (i = 0; i < LABNIC_TCS; i++)
		ets.tc_tsa[i] = IEEE_8021QAZ_TSA_ETS;
	ets.tc_tx_bw[0] = 100;
	labnic_hw_set_ets(nic, &ets);
	labnic_hw_set_pfc(nic, 0);
	nic->drv.trust = LABNIC_TRUST_PCP;
	labnic_hw_set_trust(nic, LABNIC_TRUST_PCP);
}

static int labnic_ice_set_app(struct labnic *nic, struct dcb_app *app)
{
	struct dcb_ieee_app_dscp_map map;
	struct labnic_hw hw;
	int err;

	if (app->selector != IEEE_8021QAZ_APP_SEL_DSCP ||
	    app->protocol >= LABNIC_DSCPS || app->priority >= LABNIC_TCS)
		return -EINVAL;
	err = labnic_ice_check(nic);
	if (err)
		return err;
	dcb_ieee_getapp_dscp_prio_mask_map(nic->dev, &map);
	if (map.map[app->protocol]) {
		netdev_err(nic->dev, "DSCP %u has an entry\n", app->protocol);
		return -EINVAL;
	}
	err = dcb_ieee_setapp(nic->dev, app);
	if (err)
		return err;
	labnic_hw_get(nic, &hw);
	if (!nic->drv.dscp_apps++)
		labnic_ice_trust_dscp(nic);
	else if (hw.dscp2prio[app->protocol] == app->priority)
		return LABNIC_ICE_UNCHANGED;
	labnic_hw_set_dscp(nic, app->protocol, app->priority);
	labnic_ice_reopen(nic);
	return 0;
}

static int labnic_ice_del_app(struct labnic *nic, struct dcb_app *app)
{
	struct labnic_hw hw;
	u8 after = app->protocol % LABNIC_TCS;
	int err;

	if (app->selector != IEEE_8021QAZ_APP_SEL_DSCP ||
	    app->protocol >= LABNIC_DSCPS)
		return -EINVAL;
	err = labnic_ice_check(nic);
	if (!err)
		err = dcb_ieee_delapp(nic->dev, app);
	if (err)
		return err;
	labnic_hw_get(nic, &hw);
	labnic_hw_set_dscp(nic, app->protocol, after);
	if (!--nic->drv.dscp_apps)
		labnic_ice_trust_pcp(nic);
	else if (hw.dscp2prio[app->protocol] == after)
		return LABNIC_ICE_CHANGED;
	labnic_ice_reopen(nic);
	return 0;
}

static u8 labnic_ice_set_dcbx(struct labnic *nic, u8 mode)
{
	if (nic->fw_lldp || mode & DCB_CAP_DCBX_LLD_MANAGED ||
	    (mode & DCB_CAP_DCBX_VER_IEEE && mode & DCB_CAP_DCBX_VER_CEE) ||
	    !(mode & DCB_CAP_DCBX_HOST) || mode == nic->drv.dcbx ||
	    netif_is_lag_port(nic->dev) || nic->drv.dscp_apps)
		return LABNIC_ICE_UNCHANGED;
	nic->drv.dcbx = mode;
	return 0;
}

const struct labnic_personality labnic_ice = {
	.name = "ice",
	.habits = "ice",
	.no_pause_us = true,
	.busy_in_reset = true,
	.agent_flag = "fw-lldp-agent",
	.set_agent = labnic_ice_agent,
	.dcbnl_ops = &labnic_dcbnl_ops_few,
	.power_on = labnic_ice_power_on,
	.load = labnic_ice_load,
	.set_pfc = labnic_ice_set_pfc,
	.set_ets = labnic_ice_set_ets,
	.set_pause = labnic_ice_set_pause,
	.set_app = labnic_ice_set_app,
	.del_app = labnic_ice_del_app,
	.set_dcbx = labnic_ice_set_dcbx,
};
