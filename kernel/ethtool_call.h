/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RG_ETHTOOL_CALL_H
#define RG_ETHTOOL_CALL_H

#include <linux/netdevice.h>

int rg_ethtool_begin(struct net_device *dev);
void rg_ethtool_end(struct net_device *dev);

#endif /* RG_ETHTOOL_CALL_H */
