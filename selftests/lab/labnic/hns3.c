// SPDX-License-Identifier: GPL-2.0
/*
 * The personality "hns3": the habits of hns3.
 *
 * - Another PFC mask, or ETS map or algorithm, takes the client down and up; the
 *   same one does nothing, and bandwidth alone no harm.
 * - ETS only for traffic classes that some priority goes to, and never with 0
 *   percent.
 * - A DSCP entry replaces the one of the same DSCP; only that can be deleted.
 * - There is no global pause with PFC.
 * - -EBUSY as long as it is being reset.
 */
#include "compat.h"
#include "labnic.h"

#define LABNIC_HNS3_NO_ENTRY	0xff

static void labnic_hns3_load(struct labnic *nic)
{
	struct labnic_hw hw;

	labnic_hw_get(nic, &hw);
	memset(&nic->drv, 0, sizeof(nic->drv));
	nic->drv.dcbx = DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_IEEE;
	nic->drv.trust = hw.trust;
	memset(nic->drv.dscp2prio, LABNIC_HNS3_NO_ENTRY,
	       sizeof(nic->drv.dscp2prio));
}

static void labnic_hns3_client(struct labnic *nic)
{
	labnic_journal(nic, 0, "client down and up");
	labnic_wire_drop(nic, labnic_toggle_ms);
}

static int labnic_hns3_set_pfc(struct labnic *nic, const struct ieee_pfc *pfc)
{
	struct labnic_hw hw;

	if (!(nic->drv.dcbx & DCB_CAP_DCBX_VER_IEEE))
		return -EINVAL;
	labnic_hw_get(nic, &hw);
	if (pfc->pfc_en == hw.pfc)
		return 0;
	labnic_hw_set_pfc(nic, pfc->pfc_en);
	if (pfc->pfc_en)
		labnic_hw_set_pause(nic, false, false);
	labnic_hns3_client(nic);
	return 0;
}

static int labnic_hns3_set_pause(struct labnic *nic,
				 const struct ethtool_pauseparam *pause)
{
	struct labnic_hw hw;

	labnic_hw_get(nic, &hw);
	if (pause->autoneg || hw.pfc)
		return -EOPNOTSUPP;
	labnic_hw_set_pause(nic, pause->rx_pause, pause->tx_pause);
	return 0;
}

static int labnic_hns3_check_ets(const struct ieee_ets *ets)
{
	u8 used = 0;
	int i;

	for (i = 0; i < LABNIC_PRIORITIES; i++)
		used = max_t(u8, used, ets->prio_tc[i] + 1);
	for (i = 0; i < LABNIC_TCS; i++)
		if (ets->tc_tsa[i] == IEEE_8021QAZ_TSA_ETS &&
		    (i >= used || !ets->tc_tx_bw[i]))
			return -EINVAL;
	return 0;
}

static int labnic_hns3_set_ets(struct labnic *nic, const struct ieee_ets *ets)
{
	struct labnic_hw hw;
	int err;

	if (!(nic->drv.dcbx & DCB_CAP_DCBX_VER_IEEE))
		return -EINVAL;
	err = labnic_hns3_check_ets(ets);
	if (err)
		return err;
	labnic_hw_get(nic, &hw);
	labnic_hw_set_ets(nic, ets);
	if (memcmp(ets->prio_tc, hw.prio_tc, sizeof(hw.prio_tc)) ||
	    memcmp(ets->tc_tsa, hw.tsa, sizeof(hw.tsa)))
		labnic_hns3_client(nic);
	return 0;
}

static void labnic_hns3_map(struct labnic *nic, u8 dscp, u8 prio, int entries)
{
	nic->drv.dscp2prio[dscp] = prio;
	nic->drv.dscp_apps += entries;
	nic->drv.trust = nic->drv.dscp_apps ? LABNIC_TRUST_DSCP :
					      LABNIC_TRUST_PCP;
	labnic_hw_set_dscp(nic, dscp,
			   prio == LABNIC_HNS3_NO_ENTRY ? 0 : prio);
	labnic_hw_set_trust(nic, nic->drv.trust);
}

static bool labnic_hns3_takes_app(const struct dcb_app *app)
{
	return app->selector == IEEE_8021QAZ_APP_SEL_DSCP &&
	       app->protocol < LABNIC_DSCPS &&
	       app->priority < LABNIC_PRIORITIES;
}

static int labnic_hns3_set_app(struct labnic *nic, struct dcb_app *app)
{
	struct dcb_app old = *app;
	int err;

	if (!labnic_hns3_takes_app(app))
		return -EINVAL;
	old.priority = nic->drv.dscp2prio[app->protocol];
	if (app->priority == old.priority)
		return 0;
	err = dcb_ieee_setapp(nic->dev, app);
	if (err)
		return err;
	labnic_hns3_map(nic, app->protocol, app->priority,
			old.priority == LABNIC_HNS3_NO_ENTRY);
	return old.priority == LABNIC_HNS3_NO_ENTRY ? 0 :
	       dcb_ieee_delapp(nic->dev, &old);
}

static int labnic_hns3_del_app(struct labnic *nic, struct dcb_app *app)
{
	int err;

	if (!labnic_hns3_takes_app(app) ||
	    app->priority != nic->drv.dscp2prio[app->protocol])
		return -EINVAL;
	err = dcb_ieee_delapp(nic->dev, app);
	if (!err)
		labnic_hns3_map(nic, app->protocol, LABNIC_HNS3_NO_ENTRY, -1);
	return err;
}

static u8 labnic_hns3_set_dcbx(struct labnic *nic, u8 mode)
{
	if (mode & (DCB_CAP_DCBX_LLD_MANAGED | DCB_CAP_DCBX_VER_CEE) ||
	    !(mode & DCB_CAP_DCBX_HOST))
		return 1;
	nic->drv.dcbx = mode;
	return 0;
}

const struct labnic_personality labnic_hns3 = {
	.name = "hns3",
	.habits = "hns3",
	.busy_in_reset = true,
	.dcbnl_ops = &labnic_dcbnl_ops_few,
	.power_on = labnic_hw_power_on,
	.load = labnic_hns3_load,
	.set_pfc = labnic_hns3_set_pfc,
	.set_ets = labnic_hns3_set_ets,
	.set_pause = labnic_hns3_set_pause,
	.set_app = labnic_hns3_set_app,
	.del_app = labnic_hns3_del_app,
	.set_dcbx = labnic_hns3_set_dcbx,
};
