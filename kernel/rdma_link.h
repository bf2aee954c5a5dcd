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
 * struct rg_rdma_stats - hardware statistics of an RDMA port, just read
 * @driver: name of the module that drives the device
 * @n: how many
 * @form: changes when other ones are switched on
 * @value: of each
 * @name: what one is called; NULL: it is switched off and has no value
 */
struct rg_rdma_stats {
	const char *driver;
	unsigned int n;
	u32 form;
	const u64 *value;
	const char *(*name)(const struct rg_rdma_stats *stats, unsigned int i);
};

/* Looks at statistics that go when it returns; its answer is the reader's. */
typedef int (*rg_rdma_stats_fn)(void *arg, const struct rg_rdma_stats *stats);

/**
 * struct rg_rdma_ops - look-ups in the RDMA stack
 * @find: the RDMA port of a netdev; under rtnl; false if it has none
 * @read: have @fn look at the statistics of a port; 0, what @fn says, -ENODEV if
 *	the port is gone, -EOPNOTSUPP if it has none. Waits for the driver
 */
struct rg_rdma_ops {
	bool (*find)(struct net_device *dev, struct rg_rdma_port *port);
	int (*read)(const struct rg_rdma_port *port, rg_rdma_stats_fn fn,
		    void *arg);
};

void rg_rdma_register(const struct rg_rdma_ops *ops);
void rg_rdma_unregister(void);
void rg_rdma_changed(struct net_device *dev);

bool rg_rdma_find(struct net_device *dev, struct rg_rdma_port *port);
int rg_rdma_read(const struct rg_rdma_port *port, rg_rdma_stats_fn fn,
		 void *arg);
bool rg_rdma_loaded(void);

#endif /* RG_RDMA_LINK_H */
