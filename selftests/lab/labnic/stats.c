// SPDX-License-Identifier: GPL-2.0
/* The counters: written per CPU without a lock, summed up by readers. */
#include <linux/percpu.h>
#include "labnic.h"

struct labnic_cpu_stats __percpu *labnic_stats_alloc(void)
{
	return netdev_alloc_pcpu_stats(struct labnic_cpu_stats);
}

static void labnic_stats_copy(const struct labnic_cpu_stats *stats,
			      struct labnic_counters *copy)
{
	unsigned int prio, i;

	for (prio = 0; prio < LABNIC_PRIORITIES; prio++)
		for (i = 0; i < LABNIC_PRIO_STATS; i++)
			copy->prio[prio][i] =
				u64_stats_read(&stats->prio[prio][i]);
	for (i = 0; i < LABNIC_PORT_STATS; i++)
		copy->port[i] = u64_stats_read(&stats->port[i]);
}

static void labnic_stats_sum(struct labnic_counters *sum,
			     const struct labnic_counters *part)
{
	unsigned int prio, i;

	for (prio = 0; prio < LABNIC_PRIORITIES; prio++)
		for (i = 0; i < LABNIC_PRIO_STATS; i++)
			sum->prio[prio][i] += part->prio[prio][i];
	for (i = 0; i < LABNIC_PORT_STATS; i++)
		sum->port[i] += part->port[i];
}

static void labnic_stats_subtract(struct labnic_counters *sum,
				  const struct labnic_counters *base)
{
	unsigned int prio, i;

	for (prio = 0; prio < LABNIC_PRIORITIES; prio++)
		for (i = 0; i < LABNIC_PRIO_STATS; i++)
			sum->prio[prio][i] -= base->prio[prio][i];
	for (i = 0; i < LABNIC_PORT_STATS; i++)
		sum->port[i] -= base->port[i];
}

/* Since the NIC is there. */
static void labnic_stats_read_all(struct labnic *nic,
				  struct labnic_counters *sum)
{
	const struct labnic_cpu_stats *stats;
	struct labnic_counters copy;
	unsigned int start;
	int cpu;

	memset(sum, 0, sizeof(*sum));
	for_each_possible_cpu(cpu) {
		stats = per_cpu_ptr(nic->stats, cpu);
		do {
			start = u64_stats_fetch_begin(&stats->syncp);
			labnic_stats_copy(stats, &copy);
		} while (u64_stats_fetch_retry(&stats->syncp, start));
		labnic_stats_sum(sum, &copy);
	}
	labnic_pause_read(nic, sum);
}

/**
 * labnic_stats_read - sum up the counters of all CPUs
 * @nic: the NIC
 * @sum: the sum, since they were last reset
 */
void labnic_stats_read(struct labnic *nic, struct labnic_counters *sum)
{
	spin_lock_bh(&nic->stats_lock);
	labnic_stats_read_all(nic, sum);
	labnic_stats_subtract(sum, &nic->stats_base);
	spin_unlock_bh(&nic->stats_lock);
}

/**
 * labnic_stats_reset - all counters begin with 0 again
 * @nic: the NIC
 */
void labnic_stats_reset(struct labnic *nic)
{
	spin_lock_bh(&nic->stats_lock);
	labnic_stats_read_all(nic, &nic->stats_base);
	spin_unlock_bh(&nic->stats_lock);
}

/**
 * labnic_stats_pause_sent - count a PFC frame that was sent
 * @nic: the NIC
 * @mask: of the priorities that it speaks of
 */
void labnic_stats_pause_sent(struct labnic *nic, u8 mask)
{
	struct labnic_cpu_stats *stats;
	unsigned int prio;

	local_bh_disable();
	stats = this_cpu_ptr(nic->stats);
	u64_stats_update_begin(&stats->syncp);
	for (prio = 0; prio < LABNIC_PRIORITIES; prio++)
		if (mask & BIT(prio))
			u64_stats_inc(&stats->prio[prio][LABNIC_TX_PAUSE]);
	u64_stats_update_end(&stats->syncp);
	local_bh_enable();
}

/**
 * labnic_stats_port_inc - count one event of the port
 * @nic: the NIC
 * @stat: which
 */
void labnic_stats_port_inc(struct labnic *nic, enum labnic_port_stat stat)
{
	struct labnic_cpu_stats *stats;

	local_bh_disable();
	stats = this_cpu_ptr(nic->stats);
	u64_stats_update_begin(&stats->syncp);
	u64_stats_inc(&stats->port[stat]);
	u64_stats_update_end(&stats->syncp);
	local_bh_enable();
}

/**
 * labnic_stats_add - let a counter grow
 * @nic: the NIC
 * @prio: its priority, -1: one of the port
 * @stat: enum labnic_prio_stat or enum labnic_port_stat
 * @by: by how much
 */
void labnic_stats_add(struct labnic *nic, int prio, unsigned int stat, u64 by)
{
	struct labnic_cpu_stats *stats;

	local_bh_disable();
	stats = this_cpu_ptr(nic->stats);
	u64_stats_update_begin(&stats->syncp);
	u64_stats_add(prio < 0 ? &stats->port[stat] : &stats->prio[prio][stat],
		      by);
	u64_stats_update_end(&stats->syncp);
	local_bh_enable();
}
