/* SPDX-License-Identifier: GPL-2.0 */
/*
 * On the include path only where the kernel has no <net/netdev_lock.h>: before
 * 6.15 netdev operations know no instance lock.
 */
#ifndef RG_COMPAT_NETDEV_LOCK_H
#define RG_COMPAT_NETDEV_LOCK_H

#include <linux/netdevice.h>

static inline void netdev_lock_ops(struct net_device *dev)
{
}

static inline void netdev_unlock_ops(struct net_device *dev)
{
}

#endif /* RG_COMPAT_NETDEV_LOCK_H */
