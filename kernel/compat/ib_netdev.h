/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RG_COMPAT_IB_NETDEV_H
#define RG_COMPAT_IB_NETDEV_H

#include <linux/netdevice.h>
#include <rdma/ib_verbs.h>

#ifdef RG_HAVE_IB_DEVICE_GET_NETDEV
static inline struct net_device *rg_ib_netdev(struct ib_device *ibdev, u32 port)
{
	return ib_device_get_netdev(ibdev, port);
}

#define RG_IB_NETDEV_KNOWN(ibdev)	true
#else
/* For everybody since 6.12; before, drivers answered, of several ports at least. */
static inline struct net_device *rg_ib_netdev(struct ib_device *ibdev, u32 port)
{
	return ibdev->ops.get_netdev(ibdev, port);
}

#define RG_IB_NETDEV_KNOWN(ibdev)	((ibdev)->ops.get_netdev)
#endif

/**
 * rg_ib_port_is - whether a port of an RDMA device is on top of a netdev
 * @ibdev: ib_device_get_by_netdev() gave it for @dev
 * @port: its number
 * @dev: the netdev
 *
 * Return: true if it is.
 */
static inline bool rg_ib_port_is(struct ib_device *ibdev, u32 port,
				 const struct net_device *dev)
{
	struct net_device *ndev;

	if (!RG_IB_NETDEV_KNOWN(ibdev))
		return rdma_start_port(ibdev) == rdma_end_port(ibdev);
	ndev = rg_ib_netdev(ibdev, port);
	if (ndev)
		dev_put(ndev);
	return ndev == dev;
}

#endif /* RG_COMPAT_IB_NETDEV_H */
