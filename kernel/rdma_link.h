/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What roceguard_rdma.ko tells the core. The core never needs it: an RDMA
 * stack that is replaced or must unload takes only that module along.
 */
#ifndef RG_RDMA_LINK_H
#define RG_RDMA_LINK_H

#include <linux/netdevice.h>

#define RG_RDMA_NAME_MAX 64

/**
 * struct rg_rdma_port - the RDMA port on top of a netdev
 * @device: name of the RDMA device
 * @port: its port, from 1
 */
struct rg_rdma_port {
	char device[RG_RDMA_NAME_MAX];
	u32 port;
};

/**
 * struct rg_rdma_ops - look-ups in the RDMA stack
 * @find: the RDMA port of a netdev; under rtnl; false if it has none
 */
struct rg_rdma_ops {
	bool (*find)(struct net_device *dev, struct rg_rdma_port *port);
};

void rg_rdma_register(const struct rg_rdma_ops *ops);
void rg_rdma_unregister(void);
void rg_rdma_changed(struct net_device *dev);

bool rg_rdma_find(struct net_device *dev, struct rg_rdma_port *port);
bool rg_rdma_loaded(void);

#endif /* RG_RDMA_LINK_H */
