// SPDX-License-Identifier: GPL-2.0
#include <linux/module.h>
#include <linux/rwsem.h>
#include "port.h"
#include "rdma_link.h"

static DECLARE_RWSEM(rg_rdma_sem);
static const struct rg_rdma_ops *rg_rdma_ops;
/* Apart from the look-ups, which hold rtnl and must not wait for a driver. */
static DECLARE_RWSEM(rg_rdma_reading);

/**
 * rg_rdma_register - roceguard_rdma.ko is there
 * @ops: valid until rg_rdma_unregister()
 */
void rg_rdma_register(const struct rg_rdma_ops *ops)
{
	down_write(&rg_rdma_sem);
	rg_rdma_ops = ops;
	up_write(&rg_rdma_sem);
	rg_ports_kick(ROCEGUARD_TRIGGER_RDMA);
}
EXPORT_SYMBOL_GPL(rg_rdma_register);

/**
 * rg_rdma_unregister - roceguard_rdma.ko goes; waits for look-ups under way
 */
void rg_rdma_unregister(void)
{
	down_write(&rg_rdma_sem);
	rg_rdma_ops = NULL;
	up_write(&rg_rdma_sem);
	down_write(&rg_rdma_reading);
	up_write(&rg_rdma_reading);
	rg_ports_kick(ROCEGUARD_TRIGGER_RDMA);
}
EXPORT_SYMBOL_GPL(rg_rdma_unregister);

/**
 * rg_rdma_changed - an RDMA device came, went or was renamed
 * @dev: the netdev below it, alive, or NULL if it is not known
 */
void rg_rdma_changed(struct net_device *dev)
{
	if (dev)
		rg_port_kick_dev(dev, ROCEGUARD_TRIGGER_RDMA);
	else
		rg_ports_kick(ROCEGUARD_TRIGGER_RDMA);
}
EXPORT_SYMBOL_GPL(rg_rdma_changed);

/**
 * rg_rdma_find - the RDMA port of a netdev
 * @dev: under rtnl
 * @port: filled in
 *
 * Return: false if it has none, or if nobody can tell.
 */
bool rg_rdma_find(struct net_device *dev, struct rg_rdma_port *port)
{
	bool found;

	down_read(&rg_rdma_sem);
	found = rg_rdma_ops && rg_rdma_ops->find(dev, port);
	up_read(&rg_rdma_sem);
	return found;
}

/**
 * rg_rdma_read - look at the hardware statistics of an RDMA port
 * @port: which
 * @fn: looks at them
 * @arg: for @fn
 *
 * Waits for the driver; not under rtnl. One that has been read within the last
 * second is not read again.
 *
 * Return: 0; what @fn says; -EOPNOTSUPP if there are none; or another negative errno.
 */
int rg_rdma_read(const struct rg_rdma_port *port, rg_rdma_stats_fn fn, void *arg)
{
	const struct rg_rdma_ops *ops;
	int err = -EOPNOTSUPP;

	down_read(&rg_rdma_reading);
	ops = READ_ONCE(rg_rdma_ops);
	if (ops)
		err = ops->read(port, fn, arg);
	up_read(&rg_rdma_reading);
	return err;
}

/**
 * rg_rdma_loaded - is roceguard_rdma.ko there?
 *
 * Return: true if it is.
 */
bool rg_rdma_loaded(void)
{
	return READ_ONCE(rg_rdma_ops);
}
