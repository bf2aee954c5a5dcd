/* SPDX-License-Identifier: GPL-2.0 */
/*
 * dcbnl operations for trusted selectors came with 6.2 (net: dcb: add new
 * apptrust attribute); Kbuild looks for them in <net/dcbnl.h>. Without them
 * trust follows the APP table, as it does in drivers that never got them.
 */
#ifndef RG_COMPAT_APPTRUST_H
#define RG_COMPAT_APPTRUST_H

#include <linux/netdevice.h>
#include <net/dcbnl.h>
#include <uapi/linux/roceguard.h>

#ifdef RG_HAVE_APPTRUST
static inline bool rg_has_apptrust(const struct net_device *dev)
{
	return dev->dcbnl_ops->dcbnl_getapptrust &&
	       dev->dcbnl_ops->dcbnl_setapptrust;
}

/* The first of the trusted selectors is the one that rules. */
static inline int rg_get_apptrust(struct net_device *dev, u8 *trust)
{
	u8 selectors[IEEE_8021QAZ_APP_SEL_MAX + 1] = {};
	int err, n = 0;

	err = dev->dcbnl_ops->dcbnl_getapptrust(dev, selectors, &n);
	if (err < 0)
		return err;
	*trust = n > 0 && selectors[0] == IEEE_8021QAZ_APP_SEL_DSCP ?
		 ROCEGUARD_TRUST_DSCP : ROCEGUARD_TRUST_PCP;
	return 0;
}

static inline int rg_set_apptrust(struct net_device *dev, u8 trust)
{
	u8 selector = trust == ROCEGUARD_TRUST_DSCP ? IEEE_8021QAZ_APP_SEL_DSCP :
						      DCB_APP_SEL_PCP;
	int err = dev->dcbnl_ops->dcbnl_setapptrust(dev, &selector, 1);

	return err < 0 ? err : 0;
}
#else
static inline bool rg_has_apptrust(const struct net_device *dev)
{
	return false;
}

static inline int rg_get_apptrust(struct net_device *dev, u8 *trust)
{
	return -EOPNOTSUPP;
}

static inline int rg_set_apptrust(struct net_device *dev, u8 trust)
{
	return -EOPNOTSUPP;
}
#endif

#endif /* RG_COMPAT_APPTRUST_H */
