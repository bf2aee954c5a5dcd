// SPDX-License-Identifier: GPL-2.0
/*
 * The core's own dance around an ethtool operation (net/ethtool/netlink.c,
 * ethnl_ops_begin), which it does not export.
 */
#include <linux/ethtool.h>
#include <linux/pm_runtime.h>
#include <linux/rtnetlink.h>
#include <net/netdev_lock.h>
#include "ethtool_call.h"

/**
 * rg_ethtool_begin - make a device ready for ethtool operations
 * @dev: registered, under rtnl
 *
 * Return: 0, with rg_ethtool_end() to follow, or a negative errno.
 */
int rg_ethtool_begin(struct net_device *dev)
{
	int err = 0;

	ASSERT_RTNL();
	if (dev->dev.parent)
		pm_runtime_get_sync(dev->dev.parent);
	netdev_lock_ops(dev);
	if (!netif_device_present(dev))
		err = -ENODEV;
	else if (dev->ethtool_ops->begin)
		err = dev->ethtool_ops->begin(dev);
	if (!err)
		return 0;
	netdev_unlock_ops(dev);
	if (dev->dev.parent)
		pm_runtime_put(dev->dev.parent);
	return err;
}

/**
 * rg_ethtool_end - undo rg_ethtool_begin()
 * @dev: the device
 */
void rg_ethtool_end(struct net_device *dev)
{
	if (dev->ethtool_ops->complete)
		dev->ethtool_ops->complete(dev);
	netdev_unlock_ops(dev);
	if (dev->dev.parent)
		pm_runtime_put(dev->dev.parent);
}
