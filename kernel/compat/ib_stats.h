/* SPDX-License-Identifier: GPL-2.0 */
/* Hardware statistics of RDMA devices, in a structure of our own. */
#ifndef RG_COMPAT_IB_STATS_H
#define RG_COMPAT_IB_STATS_H

#include <linux/slab.h>
#include <rdma/ib_verbs.h>

/* 5.14: those of a port have an operation of their own, and ports 32 bits. */
#ifdef RG_HAVE_HW_PORT_STATS
static inline struct rdma_hw_stats *rg_ib_stats_alloc(struct ib_device *ibdev,
						      u32 port)
{
	return ibdev->ops.alloc_hw_port_stats ?
		ibdev->ops.alloc_hw_port_stats(ibdev, port) : NULL;
}
#else
static inline struct rdma_hw_stats *rg_ib_stats_alloc(struct ib_device *ibdev,
						      u32 port)
{
	return ibdev->ops.alloc_hw_stats ?
		ibdev->ops.alloc_hw_stats(ibdev, port) : NULL;
}
#endif

/* 5.16: names have descriptions around them, and may be switched off. */
#ifdef RG_HAVE_STAT_DESC
static inline void rg_ib_stats_free(struct rdma_hw_stats *stats)
{
	rdma_free_hw_stats_struct(stats);
}

static inline const char *rg_ib_stat_name(const struct rdma_hw_stats *stats,
					  unsigned int i)
{
	return test_bit(i, stats->is_disabled) ? NULL : stats->descs[i].name;
}
#else
static inline void rg_ib_stats_free(struct rdma_hw_stats *stats)
{
	kfree(stats);
}

static inline const char *rg_ib_stat_name(const struct rdma_hw_stats *stats,
					  unsigned int i)
{
	return stats->names[i];
}
#endif

#endif /* RG_COMPAT_IB_STATS_H */
