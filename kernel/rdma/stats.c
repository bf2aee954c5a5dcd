// SPDX-License-Identifier: GPL-2.0
/*
 * Hardware statistics of RDMA ports. ib_core has its own copy of them, behind its own
 * lock, which it does not share: this is another one. Some drivers add up on the
 * way, and would count twice for two readers at once, so that there is one a
 * device and not more than once a second; ports that share an RDMA port, as the
 * legs of a bond do, share what was read.
 */
#include <linux/jhash.h>
#include <linux/ktime.h>
#include <linux/slab.h>
#include "../compat/ib_stats.h"
#include "devices.h"

#define RG_STATS_AGE_NS	(900ULL * NSEC_PER_MSEC)

/**
 * struct rg_port_stats - the statistics of a port
 * @list: of its device
 * @port: which
 * @stats: of ib_core's kind
 * @read_ns: when they were read; 0: never
 * @err: what came of it
 */
struct rg_port_stats {
	struct list_head list;
	u32 port;
	struct rdma_hw_stats *stats;
	u64 read_ns;
	int err;
};

/**
 * struct rg_stats_view - what a reader is shown
 * @told: as the core has it
 * @stats: what it is of
 */
struct rg_stats_view {
	struct rg_rdma_stats told;
	const struct rdma_hw_stats *stats;
};

static const char *rg_stats_name(const struct rg_rdma_stats *told,
				 unsigned int i)
{
	const struct rg_stats_view *view =
		container_of(told, struct rg_stats_view, told);

	return rg_ib_stat_name(view->stats, i);
}

static u32 rg_stats_form(const struct rdma_hw_stats *stats)
{
	u32 form = stats->num_counters;
	int i;

	for (i = 0; i < stats->num_counters; i++)
		form = jhash_1word(!rg_ib_stat_name(stats, i), form);
	return form;
}

static struct rg_port_stats *rg_port_stats_of(struct rg_rdma_device *device,
					      u32 port)
{
	struct rg_port_stats *stats;

	list_for_each_entry(stats, &device->stats, list)
		if (stats->port == port)
			return stats;
	stats = kzalloc(sizeof(*stats), GFP_KERNEL);
	if (!stats)
		return NULL;
	stats->port = port;
	stats->stats = rg_ib_stats_alloc(device->ibdev, port);
	list_add(&stats->list, &device->stats);
	return stats;
}

static void rg_port_stats_read(struct ib_device *ibdev,
			       struct rg_port_stats *stats)
{
	int n;

	if (stats->read_ns && ktime_get_ns() - stats->read_ns < RG_STATS_AGE_NS)
		return;
	n = ibdev->ops.get_hw_stats(ibdev, stats->stats, stats->port,
				    stats->stats->num_counters);
	stats->err = n < 0 ? n : 0;
	stats->read_ns = ktime_get_ns();
}

static int rg_device_read(struct rg_rdma_device *device, u32 port,
			  rg_rdma_stats_fn fn, void *arg)
{
	struct ib_device *ibdev = device->ibdev;
	struct rg_port_stats *stats;
	struct rg_stats_view view;

	if (!ibdev)
		return -ENODEV;
	if (!ibdev->ops.get_hw_stats || !rdma_is_port_valid(ibdev, port))
		return -EOPNOTSUPP;
	stats = rg_port_stats_of(device, port);
	if (!stats)
		return -ENOMEM;
	if (IS_ERR_OR_NULL(stats->stats))
		return -EOPNOTSUPP;
	rg_port_stats_read(ibdev, stats);
	if (stats->err)
		return stats->err;
	view.stats = stats->stats;
	view.told = (struct rg_rdma_stats){
		.driver = module_name(ibdev->ops.owner),
		.n	= stats->stats->num_counters,
		.form	= rg_stats_form(stats->stats),
		.value	= stats->stats->value,
		.name	= rg_stats_name,
	};
	return fn(arg, &view.told);
}

/**
 * rg_rdma_read_port - as @read of struct rg_rdma_ops
 * @port: which
 * @fn: looks at its statistics
 * @arg: for @fn
 *
 * Return: as there.
 */
int rg_rdma_read_port(const struct rg_rdma_port *port, rg_rdma_stats_fn fn,
		      void *arg)
{
	struct rg_rdma_device *device = rg_rdma_pin(port->device);
	int err;

	if (!device)
		return -ENODEV;
	mutex_lock(&device->mutex);
	err = rg_device_read(device, port->port, fn, arg);
	mutex_unlock(&device->mutex);
	rg_rdma_unpin(device);
	return err;
}

/**
 * rg_rdma_stats_free - a device goes; waits for a reader of it
 * @device: out of the list; its driver is still there
 */
void rg_rdma_stats_free(struct rg_rdma_device *device)
{
	struct rg_port_stats *stats, *next;

	mutex_lock(&device->mutex);
	device->ibdev = NULL;
	list_for_each_entry_safe(stats, next, &device->stats, list) {
		if (!IS_ERR_OR_NULL(stats->stats))
			rg_ib_stats_free(stats->stats);
		kfree(stats);
	}
	INIT_LIST_HEAD(&device->stats);
	mutex_unlock(&device->mutex);
}
