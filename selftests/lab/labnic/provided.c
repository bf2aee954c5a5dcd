// SPDX-License-Identifier: GPL-2.0
/* What the roceguard provider is given: the hardware as it is, and DCQCN. */
#include <linux/module.h>
#include "labnic.h"

/**
 * labnic_read_hw - read the hardware past the driver
 * @dev: any netdev
 * @hw: a copy of its state
 *
 * Return: 0, or -ENODEV if @dev is not a labnic.
 */
int labnic_read_hw(struct net_device *dev, struct labnic_hw *hw)
{
	if (!labnic_is(dev))
		return -ENODEV;
	labnic_hw_get(netdev_priv(dev), hw);
	return 0;
}
EXPORT_SYMBOL_GPL(labnic_read_hw);

static int labnic_check_ecn(const struct net_device *dev, enum labnic_role role,
			    u8 prio)
{
	if (!labnic_is(dev))
		return -ENODEV;
	if (role >= LABNIC_ROLES || prio >= LABNIC_PRIORITIES)
		return -EINVAL;
	return 0;
}

/**
 * labnic_get_ecn - is an end of DCQCN on?
 * @dev: any netdev
 * @role: the end
 * @prio: the priority
 * @on: the answer
 *
 * Return: 0, -ENODEV if @dev is not a labnic, -EINVAL.
 */
int labnic_get_ecn(struct net_device *dev, enum labnic_role role, u8 prio,
		   bool *on)
{
	struct labnic *nic = netdev_priv(dev);
	int err;

	err = labnic_check_ecn(dev, role, prio);
	if (err)
		return err;
	labnic_hw_begin(nic);
	*on = nic->hw.ecn[role] & BIT(prio);
	labnic_hw_end(nic);
	return 0;
}
EXPORT_SYMBOL_GPL(labnic_get_ecn);

/**
 * labnic_set_ecn - switch an end of DCQCN
 * @dev: any netdev
 * @role: the end
 * @prio: the priority
 * @on: on or off
 *
 * Return: 0, -ENODEV if @dev is not a labnic, -EINVAL.
 */
int labnic_set_ecn(struct net_device *dev, enum labnic_role role, u8 prio,
		   bool on)
{
	struct labnic *nic = netdev_priv(dev);
	int err;

	err = labnic_check_ecn(dev, role, prio);
	if (err)
		return err;
	labnic_hw_begin(nic);
	if (on)
		nic->hw.ecn[role] |= BIT(prio);
	else
		nic->hw.ecn[role] &= ~BIT(prio);
	labnic_hw_end(nic);
	labnic_journal(nic, 0, "ecn %s prio %u %s",
		       role == LABNIC_NP ? "np" : "rp", prio,
		       on ? "on" : "off");
	return 0;
}
EXPORT_SYMBOL_GPL(labnic_set_ecn);

/**
 * labnic_habits - the real driver that a NIC behaves like
 * @dev: any netdev
 *
 * Return: its name, or NULL: none.
 */
const char *labnic_habits(struct net_device *dev)
{
	const struct labnic *nic = netdev_priv(dev);

	return labnic_is(dev) ? nic->personality->habits : NULL;
}
EXPORT_SYMBOL_GPL(labnic_habits);
