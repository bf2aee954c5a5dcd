/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Totals that never go back, of sources that do: their numbers wrap, start
 * anew when a driver or a link is reset, come and go, and are told by several of
 * them at once.
 */
#ifndef RG_LOGIC_ACCUMULATE_H
#define RG_LOGIC_ACCUMULATE_H

#include "counter.h"
#include "policy.h"

/**
 * struct rg_marks - a set of counters, those per priority by priority
 * @prio: mask of priorities, by counter
 * @port: mask of counters, the first per port being bit 0
 */
struct rg_marks {
	u8 prio[RG_PRIORITY_COUNTERS];
	u32 port;
};

/**
 * struct rg_totals - a value of each counter
 * @prio: by counter and priority
 * @port: by counter, from the first per port on
 */
struct rg_totals {
	u64 prio[RG_PRIORITY_COUNTERS][RG_PRIORITIES];
	u64 port[RG_PORT_COUNTERS];
};

/**
 * struct rg_slot - one number of a source
 * @last: what it was when it was read
 * @name: a hash of what the source calls it
 * @index: which of its numbers it is
 * @priority: or RG_NO_PRIORITY
 * @counter: enum roceguard_counter
 * @wraps: it starts anew after 32 bits, not after 64
 * @adds: one part of a counter, which is the sum of them
 * @known: it has been read
 *
 * There are some hundred a port: hence the bits.
 */
struct rg_slot {
	u64 last;
	u32 name;
	u16 index;
	u8 priority;
	u8 counter : 5;
	u8 wraps : 1;
	u8 adds : 1;
	u8 known : 1;
};

/**
 * rg_marks_any - is a counter in a set, of any priority?
 * @marks: the set
 * @counter: enum roceguard_counter
 *
 * Return: true if it is.
 */
static inline bool rg_marks_any(const struct rg_marks *marks, u32 counter)
{
	return rg_counter_per_priority(counter) ?
		marks->prio[counter] :
		marks->port & BIT(counter - RG_PRIORITY_COUNTERS);
}

bool rg_marked(const struct rg_marks *marks, u8 counter, u8 priority);
void rg_mark(struct rg_marks *marks, u8 counter, u8 priority);
void rg_unmark(struct rg_marks *marks, u8 counter, u8 priority);
void rg_marks_add(struct rg_marks *marks, const struct rg_marks *more);
void rg_marks_keep(struct rg_marks *marks, const struct rg_marks *other);
u64 *rg_total(struct rg_totals *totals, u8 counter, u8 priority);

void rg_slots_inherit(struct rg_slot *slot, size_t n, const struct rg_slot *old,
		      size_t n_old);
void rg_slots_marks(const struct rg_slot *slot, size_t n,
		    struct rg_marks *marks);
void rg_slots_count(struct rg_slot *slot, size_t n, const u64 *raw,
		    const struct rg_marks *taken, struct rg_marks *ever,
		    struct rg_totals *totals);

#endif /* RG_LOGIC_ACCUMULATE_H */
