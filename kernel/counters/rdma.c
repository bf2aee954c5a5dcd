// SPDX-License-Identifier: GPL-2.0
/*
 * The hardware statistics of the RDMA port on top, through roceguard_rdma.ko.
 * The netdev is not asked, and rtnl not held.
 */
#include <linux/slab.h>
#include "../rdma_link.h"
#include "source.h"

static bool rg_rdma_number(const void *numbers, unsigned int index,
			   struct rg_slot *slot)
{
	const struct rg_rdma_stats *stats = numbers;
	const char *name = stats->name(stats, index);

	return name && rg_slot_name(slot, RG_COUNTER_RDMA, stats->driver, name);
}

/* Called by roceguard_rdma.ko while the names are sure to be there. */
static int rg_rdma_take(void *arg, const struct rg_rdma_stats *stats)
{
	struct rg_source *source = arg;
	int err;

	if (!source->given || source->given != stats->n ||
	    source->form != stats->form) {
		err = rg_source_make(source, stats->n, rg_rdma_number, stats);
		if (err)
			return err;
		source->form = stats->form;
	}
	err = rg_source_room(source);
	if (!err)
		memcpy(source->raw, stats->value, stats->n * sizeof(u64));
	return err;
}

int rg_read_rdma(struct rg_sampling *s, struct rg_source *source)
{
	struct rg_rdma_port rdma;
	unsigned long flags;
	int err;

	spin_lock_irqsave(&s->port->lock, flags);
	strscpy(rdma.device, s->port->status.rdma_device, sizeof(rdma.device));
	rdma.port = s->port->status.rdma_port;
	spin_unlock_irqrestore(&s->port->lock, flags);
	if (!rdma.device[0])
		return -EOPNOTSUPP;
	s->begin_ns = ktime_get_ns();
	err = rg_rdma_read(&rdma, rg_rdma_take, source);
	s->took_ns += ktime_get_ns() - s->begin_ns;
	return err;
}
