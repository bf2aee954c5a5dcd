/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is counted of ports. A sampler asks the drivers, once a second and never
 * while a reader waits; readers copy what it last found.
 *
 * Walk: sources of a port (source.h) -> rg_slots_count() -> struct rg_sample, the
 * snapshot, which netlink and sysfs copy.
 */
#ifndef RG_COUNTERS_H
#define RG_COUNTERS_H

#include <linux/types.h>
#include "../logic/accumulate.h"

struct attribute_group;
struct rg_counters;
struct rg_port;

/**
 * struct rg_sample - the counters of a port at one moment
 * @at_ns: when the newest of them was read, ktime; 0: never
 * @samples: taken so far
 * @read_us: what the last one took, all of its driver's calls
 * @have: which counters there are; the others are absent, not 0
 * @value: of those
 * @read_ns: when a counter was read, ktime; of one per priority the oldest
 */
struct rg_sample {
	u64 at_ns;
	u64 samples;
	u32 read_us;
	struct rg_marks have;
	struct rg_totals value;
	u64 read_ns[RG_COUNTERS];
};

int rg_counters_init(void);
void rg_counters_exit(void);

extern const struct attribute_group rg_counter_group;
void rg_counters_sysfs_init(void);

void rg_counters_judge(struct rg_port *port);
void rg_counters_death(struct rg_port *port);
void rg_counters_free(struct rg_port *port);

void rg_counters_get(struct rg_port *port, struct rg_sample *sample);
void rg_counters_fresh(struct rg_port *port);
void rg_counters_hurry(struct rg_port *port, u32 ms);
void rg_counters_own(struct rg_port *port, enum roceguard_counter counter,
		     u64 more);

#endif /* RG_COUNTERS_H */
