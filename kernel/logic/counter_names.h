/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What drivers call their statistics, and which counter of the contract each is.
 * A driver is rows of a table, no code.
 *
 * A row is there only for what is the counter, in its unit. hns3's xoff_time
 * counts cycles of a clock that nobody tells of, mlx5's outbound_pci_stalled_rd is
 * a percentage and bnxt's rx_discard_packets_cosN goes by queue, not by priority:
 * such counters are absent.
 */
#ifndef RG_LOGIC_COUNTER_NAMES_H
#define RG_LOGIC_COUNTER_NAMES_H

#include "counter.h"

/**
 * enum rg_counter_source - whose names they are
 * @RG_COUNTER_ETHTOOL: the statistics strings of a netdev, ETH_SS_STATS
 * @RG_COUNTER_RDMA: the hardware statistics of an RDMA device's port
 */
enum rg_counter_source {
	RG_COUNTER_ETHTOOL,
	RG_COUNTER_RDMA,
};

/**
 * struct rg_counter_at - what a statistic is
 * @counter: enum roceguard_counter
 * @priority: 0..7, or RG_NO_PRIORITY
 * @bits: the driver's value begins anew after so many: 32 or 64
 * @adds: one part of the counter, which is the sum of all that have this;
 *	without it the statistic is the whole counter
 */
struct rg_counter_at {
	u8 counter;
	u8 priority;
	u8 bits;
	bool adds;
};

bool rg_counter_name(enum rg_counter_source source, const char *driver,
		     const char *name, struct rg_counter_at *at);

#endif /* RG_LOGIC_COUNTER_NAMES_H */
