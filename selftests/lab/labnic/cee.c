// SPDX-License-Identifier: GPL-2.0
/*
 * The personality "cee-only": a NIC of before 802.1Qaz, as bnx2x serves them. Its
 * firmware speaks DCBX; what the host may say is CEE, and setall makes it so.
 */
#include "compat.h"
#include "labnic.h"

static void labnic_cee_load(struct labnic *nic)
{
	memset(&nic->drv, 0, sizeof(nic->drv));
	nic->drv.dcbx = DCB_CAP_DCBX_LLD_MANAGED | DCB_CAP_DCBX_VER_CEE;
	nic->drv.trust = LABNIC_TRUST_PCP;
}

static u8 labnic_cee_set_dcbx(struct labnic *nic, u8 mode)
{
	return mode == nic->drv.dcbx ? 0 : 1;
}

static u8 labnic_cee_getstate(struct net_device *dev)
{
	return 1;
}

static u8 labnic_cee_setstate(struct net_device *dev, u8 state)
{
	return !state;
}

static void labnic_cee_getpfccfg(struct net_device *dev, int prio, u8 *setting)
{
	struct labnic_hw hw;

	labnic_hw_get(netdev_priv(dev), &hw);
	*setting = !!(hw.pfc & BIT(prio));
}

static void labnic_cee_setpfccfg(struct net_device *dev, int prio, u8 setting)
{
	struct labnic *nic = netdev_priv(dev);

	if (setting)
		nic->drv.pfc |= BIT(prio);
	else
		nic->drv.pfc &= ~BIT(prio);
}

static u8 labnic_cee_getpfcstate(struct net_device *dev)
{
	struct labnic_hw hw;

	labnic_hw_get(netdev_priv(dev), &hw);
	return !!hw.pfc;
}

static u8 labnic_cee_setall(struct net_device *dev)
{
	struct labnic *nic = netdev_priv(dev);

	labnic_hw_set_pfc(nic, nic->drv.pfc);
	labnic_journal(nic, 0, "cee pfc 0x%02x", nic->drv.pfc);
	return 0;
}

static u8 labnic_cee_getcap(struct net_device *dev, int capid, u8 *cap)
{
	struct labnic *nic = netdev_priv(dev);

	switch (capid) {
	case DCB_CAP_ATTR_PFC:
		*cap = true;
		return 0;
	case DCB_CAP_ATTR_DCBX:
		*cap = nic->drv.dcbx;
		return 0;
	default:
		*cap = 0;
		return 1;
	}
}

static const struct dcbnl_rtnl_ops labnic_dcbnl_ops_cee = {
	.getstate = labnic_cee_getstate,
	.setstate = labnic_cee_setstate,
	.getpfccfg = labnic_cee_getpfccfg,
	.setpfccfg = labnic_cee_setpfccfg,
	.getpfcstate = labnic_cee_getpfcstate,
	.setall = labnic_cee_setall,
	.getcap = labnic_cee_getcap,
	.getdcbx = labnic_getdcbx,
	.setdcbx = labnic_setdcbx,
};

const struct labnic_personality labnic_cee = {
	.name = "cee-only",
	.habits = "bnx2x",
	.no_pause_us = true,
	.dcbnl_ops = &labnic_dcbnl_ops_cee,
	.power_on = labnic_hw_power_on,
	.load = labnic_cee_load,
	.set_dcbx = labnic_cee_set_dcbx,
};
