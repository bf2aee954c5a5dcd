// SPDX-License-Identifier: GPL-2.0
/*
 * The personality "plain": a NIC that does what the standard says. Every write
 * is hitless; of several priorities for one DSCP the highest rules; trust is
 * set by itself where the kernel can say it, else it follows the APP table. And
 * two like it: "late-dcb", which has no DCB yet when it is registered, and
 * "no-dcb", which has none at all.
 */
#include <linux/log2.h>
#include "compat.h"
#include "labnic.h"

static void labnic_plain_load(struct labnic *nic)
{
	memset(&nic->drv, 0, sizeof(nic->drv));
	nic->drv.dcbx = DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_IEEE;
	nic->drv.trust = LABNIC_TRUST_PCP;
}

static int labnic_plain_set_pfc(struct labnic *nic, const struct ieee_pfc *pfc)
{
	nic->drv.delay = pfc->delay;
	labnic_hw_set_pfc(nic, pfc->pfc_en);
	return 0;
}

static int labnic_plain_set_ets(struct labnic *nic, const struct ieee_ets *ets)
{
	labnic_hw_set_ets(nic, ets);
	return 0;
}

/* The highest priority of a mask, 0 if it is empty. */
static u8 labnic_highest(u8 prios)
{
	return prios ? ilog2(prios) : 0;
}

static void labnic_plain_sync_dscp(struct labnic *nic)
{
	struct dcb_ieee_app_dscp_map map;
	unsigned int entries = 0;
	unsigned int i;

	dcb_ieee_getapp_dscp_prio_mask_map(nic->dev, &map);
	for (i = 0; i < LABNIC_DSCPS; i++) {
		entries += hweight8(map.map[i]);
		nic->drv.dscp2prio[i] = labnic_highest(map.map[i]);
		labnic_hw_set_dscp(nic, i, nic->drv.dscp2prio[i]);
	}
	nic->drv.dscp_apps = entries;
#ifndef LABNIC_HAVE_APPTRUST
	nic->drv.trust = entries ? LABNIC_TRUST_DSCP : LABNIC_TRUST_PCP;
	labnic_hw_set_trust(nic, nic->drv.trust);
#endif
}

static void labnic_plain_sync_default(struct labnic *nic)
{
	u8 prios = dcb_ieee_getapp_default_prio_mask(nic->dev);

	labnic_hw_set_default(nic, labnic_highest(prios));
}

/* The table tells the entries of a PCP one by one only, so they are kept. */
static void labnic_plain_sync_pcp(struct labnic *nic, u8 pcp)
{
	u8 prios = nic->drv.pcp_apps[pcp];

	labnic_hw_set_pcp(nic, pcp, prios ? labnic_highest(prios) :
				      labnic_default_pcp(pcp));
}

/* Which entries the hardware can follow. */
static int labnic_plain_check_app(const struct dcb_app *app)
{
	if (app->priority >= LABNIC_PRIORITIES)
		return -EINVAL;
	switch (app->selector) {
	case IEEE_8021QAZ_APP_SEL_DSCP:
		return app->protocol < LABNIC_DSCPS ? 0 : -EINVAL;
	case DCB_APP_SEL_PCP:
		return app->protocol < LABNIC_PCPS ? 0 : -EINVAL;
	case IEEE_8021QAZ_APP_SEL_ETHERTYPE:
		return app->protocol == 0 ? 0 : -EOPNOTSUPP;
	default:
		return -EOPNOTSUPP;
	}
}

static void labnic_plain_sync_app(struct labnic *nic, const struct dcb_app *app,
				  bool there)
{
	switch (app->selector) {
	case IEEE_8021QAZ_APP_SEL_DSCP:
		labnic_plain_sync_dscp(nic);
		break;
	case DCB_APP_SEL_PCP:
		if (there)
			nic->drv.pcp_apps[app->protocol] |= BIT(app->priority);
		else
			nic->drv.pcp_apps[app->protocol] &= ~BIT(app->priority);
		labnic_plain_sync_pcp(nic, app->protocol);
		break;
	default:
		labnic_plain_sync_default(nic);
		break;
	}
}

static int labnic_plain_set_app(struct labnic *nic, struct dcb_app *app)
{
	int err;

	err = labnic_plain_check_app(app);
	if (err)
		return err;
	err = dcb_ieee_setapp(nic->dev, app);
	if (err)
		return err;
	labnic_plain_sync_app(nic, app, true);
	return 0;
}

static int labnic_plain_del_app(struct labnic *nic, struct dcb_app *app)
{
	int err;

	err = labnic_plain_check_app(app);
	if (err)
		return err;
	err = dcb_ieee_delapp(nic->dev, app);
	if (err)
		return err;
	labnic_plain_sync_app(nic, app, false);
	return 0;
}

static int labnic_plain_set_storm(struct labnic *nic, u16 ms)
{
	labnic_hw_set_storm(nic, ms);
	return 0;
}

/* There is no firmware that could speak DCBX, and CEE is not spoken. */
static u8 labnic_plain_set_dcbx(struct labnic *nic, u8 mode)
{
	if (mode != (DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_IEEE))
		return 1;
	nic->drv.dcbx = mode;
	return 0;
}

#ifdef LABNIC_HAVE_APPTRUST
#define LABNIC_PLAIN_DCBNL_OPS	(&labnic_dcbnl_ops)
#else
#define LABNIC_PLAIN_DCBNL_OPS	(&labnic_dcbnl_ops_trust_by_app)
#endif

#define LABNIC_PLAIN				\
	.power_on = labnic_hw_power_on,		\
	.load = labnic_plain_load,		\
	.set_pfc = labnic_plain_set_pfc,	\
	.set_ets = labnic_plain_set_ets,	\
	.set_storm = labnic_plain_set_storm,	\
	.set_app = labnic_plain_set_app,	\
	.del_app = labnic_plain_del_app,	\
	.set_dcbx = labnic_plain_set_dcbx

const struct labnic_personality labnic_plain = {
	.name = "plain",
	.dcbnl_ops = LABNIC_PLAIN_DCBNL_OPS,
	LABNIC_PLAIN,
};

/* As i40e and qede: DCB comes some time after the netdev. */
static void labnic_plain_late(struct labnic *nic)
{
	WRITE_ONCE(nic->dev->dcbnl_ops, LABNIC_PLAIN_DCBNL_OPS);
}

const struct labnic_personality labnic_late_dcb = {
	.name = "late-dcb",
	.late = labnic_plain_late,
	LABNIC_PLAIN,
};

const struct labnic_personality labnic_no_dcb = {
	.name = "no-dcb",
	LABNIC_PLAIN,
};
