/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RG_COMPAT_DEVLINK_PORT_H
#define RG_COMPAT_DEVLINK_PORT_H

#include <linux/netdevice.h>
#include <net/devlink.h>

/*
 * 6.2: a netdev names its devlink port; before, its driver did. The caller holds
 * rtnl, and the netdev is registered: a driver takes it away before its port, which
 * the core insists on since 6.2, so the port and its devlink stay as long.
 */
static inline const struct devlink_port *
rg_devlink_port(struct net_device *dev)
{
#ifdef RG_HAVE_NETDEV_DEVLINK_PORT
	return dev->devlink_port;
#else
	const struct net_device_ops *ops = dev->netdev_ops;

	return ops->ndo_get_devlink_port ? ops->ndo_get_devlink_port(dev) :
					   NULL;
#endif
}

#endif /* RG_COMPAT_DEVLINK_PORT_H */
