/* SPDX-License-Identifier: GPL-2.0 */
/* card.c: there since a netdev names its devlink port, with 6.2. */
#ifndef LABNIC_CARD_H
#define LABNIC_CARD_H

#include <linux/debugfs.h>
#include <linux/netdevice.h>

#ifdef LABNIC_HAVE_NETDEV_DEVLINK_PORT
extern const struct file_operations labnic_function_fops;

int labnic_card_seat(struct net_device *dev, struct netlink_ext_ack *extack);
void labnic_card_take(struct net_device *dev);
void labnic_card_leave(struct net_device *dev);
void labnic_card_exit(void);

static inline void labnic_card_debugfs(struct dentry *root)
{
	debugfs_create_file("function", 0600, root, NULL, &labnic_function_fops);
}
#else
static inline int labnic_card_seat(struct net_device *dev,
				   struct netlink_ext_ack *extack)
{
	return 0;
}

static inline void labnic_card_take(struct net_device *dev)
{
}

static inline void labnic_card_leave(struct net_device *dev)
{
}

static inline void labnic_card_exit(void)
{
}

static inline void labnic_card_debugfs(struct dentry *root)
{
}
#endif

#endif /* LABNIC_CARD_H */
