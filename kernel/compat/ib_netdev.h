/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RG_COMPAT_IB_NETDEV_H
#define RG_COMPAT_IB_NETDEV_H

#include <rdma/ib_verbs.h>

/* ib_device_get_netdev() is for everybody since 6.12; before, drivers answer. */
#ifndef RG_HAVE_IB_DEVICE_GET_NETDEV
static inline struct net_device *ib_device_get_netdev(struct ib_device *ibdev,
						      u32 port)
{
	return ibdev->ops.get_netdev ? ibdev->ops.get_netdev(ibdev, port) : NULL;
}
#endif

#endif /* RG_COMPAT_IB_NETDEV_H */
