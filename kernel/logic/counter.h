/* SPDX-License-Identifier: GPL-2.0 */
/* How many counters there are, and of which kind. */
#ifndef RG_LOGIC_COUNTER_H
#define RG_LOGIC_COUNTER_H

#include "base.h"
#ifdef __KERNEL__
#include <uapi/linux/roceguard.h>
#else
#include <linux/roceguard.h>
#endif

/* All, and those of them that there are one of each priority of; these come first. */
#define RG_COUNTERS		(ROCEGUARD_COUNTER_STORM_EVENTS + 1)
#define RG_PRIORITY_COUNTERS	(ROCEGUARD_COUNTER_RX_MARKED + 1)
#define RG_PORT_COUNTERS	(RG_COUNTERS - RG_PRIORITY_COUNTERS)

/* In place of a priority, for a counter per port. */
#define RG_NO_PRIORITY		0xff

/**
 * rg_counter_per_priority - is there one of each priority?
 * @counter: enum roceguard_counter
 *
 * Return: true if there is; false: one for the port.
 */
static inline bool rg_counter_per_priority(u32 counter)
{
	return counter < RG_PRIORITY_COUNTERS;
}

#endif /* RG_LOGIC_COUNTER_H */
