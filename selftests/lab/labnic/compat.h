/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The few kernel interfaces that labnic uses and that changed their form
 * between 5.10 and 7.x. Kbuild asks the headers which form they have.
 */
#ifndef LABNIC_COMPAT_H
#define LABNIC_COMPAT_H

#include <linux/dcbnl.h>
#include <linux/debugfs.h>
#include <linux/etherdevice.h>
#include <linux/netdevice.h>
#ifdef LABNIC_HAVE_OPS_LOCK
#include <net/netdev_lock.h>
#endif

/* Absent before 6.2, where the core refuses it before a driver sees it. */
#ifndef LABNIC_HAVE_APP_SEL_PCP
#define DCB_APP_SEL_PCP 255
#endif

/* 5.15 made dev_addr constant. */
#ifndef LABNIC_HAVE_HW_ADDR_SET
static inline void eth_hw_addr_set(struct net_device *dev, const u8 *addr)
{
	ether_addr_copy(dev->dev_addr, addr);
}
#endif

/* 6.15 dropped debugfs_rename(). */
static inline void labnic_debugfs_rename(struct dentry *dentry,
					 const char *name)
{
#ifdef LABNIC_HAVE_CHANGE_NAME
	debugfs_change_name(dentry, "%s", name);
#else
	debugfs_rename(dentry->d_parent, dentry, dentry->d_parent, name);
#endif
}

/* The instance lock, that 6.15 and later take for drivers that ask for it. */
static inline void labnic_request_ops_lock(struct net_device *dev)
{
#ifdef LABNIC_HAVE_OPS_LOCK
	dev->request_ops_lock = true;
#endif
}

static inline void labnic_instance_lock(struct net_device *dev)
{
#ifdef LABNIC_HAVE_OPS_LOCK
	netdev_lock(dev);
#endif
}

static inline void labnic_instance_unlock(struct net_device *dev)
{
#ifdef LABNIC_HAVE_OPS_LOCK
	netdev_unlock(dev);
#endif
}

static inline bool labnic_instance_is_locked(struct net_device *dev)
{
#ifdef LABNIC_HAVE_OPS_LOCK
	return mutex_is_locked(&dev->lock);
#else
	return true;
#endif
}

/* 5.14 lets frames be of pages that go back to the driver they came from. */
static inline bool labnic_is_of_pool(const struct sk_buff *skb)
{
#ifdef LABNIC_HAVE_PP_RECYCLE
	return skb->pp_recycle;
#else
	return false;
#endif
}

/*
 * 7.2 hands address lists to drivers with the instance lock in process context,
 * without the lists' own lock.
 */
#ifdef LABNIC_HAVE_RX_MODE_ASYNC
#define LABNIC_DEFINE_RX_MODE(fn)					\
static int fn##_async(struct net_device *dev,				\
		      struct netdev_hw_addr_list *uc,			\
		      struct netdev_hw_addr_list *mc)			\
{									\
	netif_addr_lock_bh(dev);					\
	fn(dev);							\
	netif_addr_unlock_bh(dev);					\
	return 0;							\
}
#define LABNIC_RX_MODE(fn)	.ndo_set_rx_mode_async = fn##_async
#else
#define LABNIC_DEFINE_RX_MODE(fn)
#define LABNIC_RX_MODE(fn)	.ndo_set_rx_mode = fn
#endif

#endif /* LABNIC_COMPAT_H */
