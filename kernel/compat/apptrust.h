/* SPDX-License-Identifier: GPL-2.0 */
/*
 * dcbnl operations for trusted selectors came with 6.3 (net: dcb: add new
 * apptrust attribute); Kbuild looks for them in <net/dcbnl.h>. Without them
 * trust follows the APP table, as it does in drivers that never got them.
 */
#ifndef RG_COMPAT_APPTRUST_H
#define RG_COMPAT_APPTRUST_H

#include <linux/netdevice.h>
#include <net/dcbnl.h>

#ifdef RG_HAVE_APPTRUST
static inline bool rg_has_apptrust(const struct net_device *dev)
{
	return dev->dcbnl_ops->dcbnl_getapptrust &&
	       dev->dcbnl_ops->dcbnl_setapptrust;
}

static inline int rg_get_apptrust(struct net_device *dev, u8 *selectors, int *n)
{
	return dev->dcbnl_ops->dcbnl_getapptrust(dev, selectors, n);
}

static inline int rg_set_apptrust(struct net_device *dev, u8 *selectors, int n)
{
	return dev->dcbnl_ops->dcbnl_setapptrust(dev, selectors, n);
}
#else
static inline bool rg_has_apptrust(const struct net_device *dev)
{
	return false;
}

static inline int rg_get_apptrust(struct net_device *dev, u8 *selectors, int *n)
{
	return -EOPNOTSUPP;
}

static inline int rg_set_apptrust(struct net_device *dev, u8 *selectors, int n)
{
	return -EOPNOTSUPP;
}
#endif

#endif /* RG_COMPAT_APPTRUST_H */
