// SPDX-License-Identifier: GPL-2.0
/*
 * The personality "bnxt": the habits of bnxt_en.
 *
 * - Nothing is set but in IEEE mode and by the host. Where the firmware's agent
 *   rules (module parameter fw_lldp, for real a setting in its NVM), the mode
 *   can't be changed either.
 * - PFC is refused until ETS has been written once, and for priorities of more
 *   traffic classes than there are lossless queues.
 * - In host mode ETS and PFC are answered from the driver's own copy, and not at
 *   all before the first write.
 * - Another number of traffic classes, or a class that becomes lossless, closes
 *   and opens the device, which has to be called with its instance lock for that.
 * - Global pause is negotiated until it is set.
 * - The hardware knows one entry for a DSCP; to delete any for it deletes that.
 */
#include "compat.h"
#include "labnic.h"

#define LABNIC_BNXT_LOSSLESS	2

static void labnic_bnxt_load(struct labnic *nic)
{
	struct labnic_hw hw;

	labnic_hw_get(nic, &hw);
	memset(&nic->drv, 0, sizeof(nic->drv));
	nic->drv.dcbx = DCB_CAP_DCBX_VER_IEEE |
			(nic->fw_lldp ? DCB_CAP_DCBX_LLD_MANAGED :
					DCB_CAP_DCBX_HOST);
	nic->drv.trust = hw.trust;
	nic->drv.pause_autoneg = true;
}

static bool labnic_bnxt_is_host(const struct labnic *nic)
{
	return nic->drv.dcbx & DCB_CAP_DCBX_HOST &&
	       nic->drv.dcbx & DCB_CAP_DCBX_VER_IEEE;
}

static void labnic_bnxt_reopen(struct labnic *nic, const char *why)
{
	if (!netif_running(nic->dev))
		return;
	labnic_journal(nic, labnic_instance_is_locked(nic->dev) ? 0 : -EDEADLK,
		       "close and open for %s", why);
	labnic_wire_drop(nic, labnic_toggle_ms);
}

static u8 labnic_bnxt_count_tcs(const struct ieee_ets *ets)
{
	u8 n = 0;
	int i;

	for (i = 0; i < LABNIC_PRIORITIES; i++)
		n = max_t(u8, n, ets->prio_tc[i] + 1);
	return n;
}

static int labnic_bnxt_set_ets(struct labnic *nic, const struct ieee_ets *ets)
{
	struct labnic_driver *drv = &nic->drv;
	u8 before = drv->wrote_ets ? labnic_bnxt_count_tcs(&drv->ets) : 0;

	if (!labnic_bnxt_is_host(nic))
		return -EINVAL;
	if (labnic_bnxt_count_tcs(ets) != before)
		labnic_bnxt_reopen(nic, "ETS");
	labnic_hw_set_ets(nic, ets);
	drv->ets = *ets;
	drv->wrote_ets = true;
	return 0;
}

static int labnic_bnxt_get_ets(struct labnic *nic, struct ieee_ets *ets)
{
	struct labnic_driver *drv = &nic->drv;
	struct labnic_hw hw;

	if (!drv->wrote_ets && labnic_bnxt_is_host(nic))
		return 0;
	if (!drv->wrote_ets) {
		labnic_hw_get(nic, &hw);
		memcpy(drv->ets.prio_tc, hw.prio_tc, sizeof(hw.prio_tc));
		memcpy(drv->ets.tc_tsa, hw.tsa, sizeof(hw.tsa));
		memcpy(drv->ets.tc_tx_bw, hw.bandwidth, sizeof(hw.bandwidth));
		drv->wrote_ets = true;
	}
	memcpy(ets->prio_tc, drv->ets.prio_tc, sizeof(ets->prio_tc));
	memcpy(ets->tc_tsa, drv->ets.tc_tsa, sizeof(ets->tc_tsa));
	memcpy(ets->tc_tx_bw, drv->ets.tc_tx_bw, sizeof(ets->tc_tx_bw));
	return 0;
}

static u8 labnic_bnxt_lossless_tcs(const struct labnic *nic, u8 pfc)
{
	u8 tcs = 0;
	int i;

	for (i = 0; i < LABNIC_PRIORITIES; i++)
		if (pfc & BIT(i))
			tcs |= BIT(nic->drv.ets.prio_tc[i]);
	return tcs;
}

static int labnic_bnxt_set_pfc(struct labnic *nic, const struct ieee_pfc *pfc)
{
	struct labnic_driver *drv = &nic->drv;
	u8 tcs;

	if (!labnic_bnxt_is_host(nic) || !drv->wrote_ets)
		return -EINVAL;
	tcs = labnic_bnxt_lossless_tcs(nic, pfc->pfc_en);
	if (hweight8(tcs) > LABNIC_BNXT_LOSSLESS)
		return -EINVAL;
	if (tcs & ~drv->lossless_tcs) {
		labnic_bnxt_reopen(nic, "PFC");
		drv->lossless_tcs = tcs;
	}
	labnic_hw_set_pfc(nic, pfc->pfc_en);
	drv->pfc = pfc->pfc_en;
	drv->delay = pfc->delay;
	drv->wrote_pfc = true;
	return 0;
}

static void labnic_bnxt_get_pfc(struct labnic *nic, struct ieee_pfc *pfc)
{
	struct labnic_driver *drv = &nic->drv;
	struct labnic_hw hw;

	if (!drv->wrote_pfc && labnic_bnxt_is_host(nic))
		return;
	if (!drv->wrote_pfc) {
		labnic_hw_get(nic, &hw);
		drv->pfc = hw.pfc;
		drv->wrote_pfc = true;
	}
	pfc->pfc_en = drv->pfc;
	pfc->delay = drv->delay;
}

static int labnic_bnxt_set_pause(struct labnic *nic,
				 const struct ethtool_pauseparam *pause)
{
	if (nic->drv.pause_autoneg && !pause->autoneg)
		labnic_wire_drop(nic, labnic_toggle_ms);
	nic->drv.pause_autoneg = pause->autoneg;
	labnic_hw_set_pause(nic, pause->rx_pause, pause->tx_pause);
	return 0;
}

static void labnic_bnxt_map(struct labnic *nic, const struct dcb_app *app,
			    u8 prio, int entries)
{
	if (app->selector != IEEE_8021QAZ_APP_SEL_DSCP)
		return;
	nic->drv.dscp_apps += entries;
	nic->drv.trust = nic->drv.dscp_apps ? LABNIC_TRUST_DSCP :
					      LABNIC_TRUST_PCP;
	labnic_hw_set_dscp(nic, app->protocol, prio);
	labnic_hw_set_trust(nic, nic->drv.trust);
}

static int labnic_bnxt_check_app(const struct labnic *nic,
				 const struct dcb_app *app)
{
	if (!labnic_bnxt_is_host(nic) || app->priority >= LABNIC_PRIORITIES)
		return -EINVAL;
	if (app->selector == IEEE_8021QAZ_APP_SEL_DSCP &&
	    app->protocol >= LABNIC_DSCPS)
		return -EINVAL;
	return 0;
}

static int labnic_bnxt_set_app(struct labnic *nic, struct dcb_app *app)
{
	int err;

	err = labnic_bnxt_check_app(nic, app);
	if (!err)
		err = dcb_ieee_setapp(nic->dev, app);
	if (!err)
		labnic_bnxt_map(nic, app, app->priority, 1);
	return err;
}

static int labnic_bnxt_del_app(struct labnic *nic, struct dcb_app *app)
{
	int err;

	err = labnic_bnxt_check_app(nic, app);
	if (!err)
		err = dcb_ieee_delapp(nic->dev, app);
	if (!err)
		labnic_bnxt_map(nic, app, 0, -1);
	return err;
}

static u8 labnic_bnxt_set_dcbx(struct labnic *nic, u8 mode)
{
	if (nic->drv.dcbx & DCB_CAP_DCBX_LLD_MANAGED)
		return 1;
	if (mode & DCB_CAP_DCBX_HOST &&
	    (mode & DCB_CAP_DCBX_VER_CEE || !(mode & DCB_CAP_DCBX_VER_IEEE)))
		return 1;
	nic->drv.dcbx = mode;
	return 0;
}

const struct labnic_personality labnic_bnxt = {
	.name = "bnxt",
	.habits = "bnxt_en",
	.ops_lock = true,
	.pfc_cap = LABNIC_BNXT_LOSSLESS,
	.dcbnl_ops = &labnic_dcbnl_ops_few,
	.power_on = labnic_hw_power_on,
	.load = labnic_bnxt_load,
	.set_pfc = labnic_bnxt_set_pfc,
	.get_pfc = labnic_bnxt_get_pfc,
	.set_ets = labnic_bnxt_set_ets,
	.get_ets = labnic_bnxt_get_ets,
	.set_pause = labnic_bnxt_set_pause,
	.set_app = labnic_bnxt_set_app,
	.del_app = labnic_bnxt_del_app,
	.set_dcbx = labnic_bnxt_set_dcbx,
};
