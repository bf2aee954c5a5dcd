/* SPDX-License-Identifier: GPL-2.0 */
/* RDMA devices, as roceguard_rdma.ko knows them. */
#ifndef RG_RDMA_DEVICES_H
#define RG_RDMA_DEVICES_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <rdma/ib_verbs.h>
#include "../rdma_link.h"

/**
 * struct rg_rdma_device - an RDMA device between add and remove
 * @list: of all
 * @ref: one for the list, one for every reader
 * @ibdev: after remove it is not looked at
 * @name: of the device, as it is now; by the lock of the list
 * @mutex: held while its statistics are read: one reader a device
 * @stats: those of its ports, as they turn out to be wanted; by @mutex
 */
struct rg_rdma_device {
	struct list_head list;
	struct kref ref;
	struct ib_device *ibdev;
	char name[RG_RDMA_NAME_MAX];
	struct mutex mutex;
	struct list_head stats;
};

struct rg_rdma_device *rg_rdma_pin(const char *name);
void rg_rdma_unpin(struct rg_rdma_device *device);

int rg_rdma_read_port(const struct rg_rdma_port *port, rg_rdma_stats_fn fn,
		      void *arg);
void rg_rdma_stats_free(struct rg_rdma_device *device);

#endif /* RG_RDMA_DEVICES_H */
