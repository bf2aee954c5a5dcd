// SPDX-License-Identifier: GPL-2.0
#ifndef __KERNEL__
#include <assert.h>
#endif
#include "accumulate.h"

static_assert(RG_COUNTERS <= 32, "a slot has 5 bits for the counter");

/* A 32-bit number that came so far in one second did not wrap: it was reset. */
#define RG_WRAP_MAX	(1U << 30)

/**
 * rg_marked - is a counter in a set?
 * @marks: the set
 * @counter: enum roceguard_counter
 * @priority: of one per priority
 *
 * Return: true if it is.
 */
bool rg_marked(const struct rg_marks *marks, u8 counter, u8 priority)
{
	if (rg_counter_per_priority(counter))
		return marks->prio[counter] & BIT(priority);
	return marks->port & BIT(counter - RG_PRIORITY_COUNTERS);
}

/**
 * rg_mark - put a counter into a set
 * @marks: the set
 * @counter: enum roceguard_counter
 * @priority: of one per priority
 */
void rg_mark(struct rg_marks *marks, u8 counter, u8 priority)
{
	if (rg_counter_per_priority(counter))
		marks->prio[counter] |= BIT(priority);
	else
		marks->port |= BIT(counter - RG_PRIORITY_COUNTERS);
}

/**
 * rg_unmark - take a counter out of a set
 * @marks: the set
 * @counter: enum roceguard_counter
 * @priority: of one per priority
 */
void rg_unmark(struct rg_marks *marks, u8 counter, u8 priority)
{
	if (rg_counter_per_priority(counter))
		marks->prio[counter] &= ~BIT(priority);
	else
		marks->port &= ~BIT(counter - RG_PRIORITY_COUNTERS);
}

/**
 * rg_marks_add - put a set into another
 * @marks: the set
 * @more: what comes into it
 */
void rg_marks_add(struct rg_marks *marks, const struct rg_marks *more)
{
	int i;

	for (i = 0; i < RG_PRIORITY_COUNTERS; i++)
		marks->prio[i] |= more->prio[i];
	marks->port |= more->port;
}

/**
 * rg_marks_keep - leave in a set only what is in another, too
 * @marks: the set
 * @other: the other
 */
void rg_marks_keep(struct rg_marks *marks, const struct rg_marks *other)
{
	int i;

	for (i = 0; i < RG_PRIORITY_COUNTERS; i++)
		marks->prio[i] &= other->prio[i];
	marks->port &= other->port;
}

/**
 * rg_total - where the value of a counter is
 * @totals: of all
 * @counter: enum roceguard_counter
 * @priority: of one per priority
 *
 * Return: it.
 */
u64 *rg_total(struct rg_totals *totals, u8 counter, u8 priority)
{
	if (rg_counter_per_priority(counter))
		return &totals->prio[counter][priority];
	return &totals->port[counter - RG_PRIORITY_COUNTERS];
}

/**
 * rg_slots_inherit - the numbers of a source are others, or in other places
 * @slot: those that it has now; takes over what is known of those it had
 * @n: how many
 * @old: those that it had
 * @n_old: how many
 */
void rg_slots_inherit(struct rg_slot *slot, size_t n, const struct rg_slot *old,
		      size_t n_old)
{
	size_t i, j;

	for (i = 0; i < n; i++) {
		for (j = 0; j < n_old; j++) {
			if (slot[i].name != old[j].name ||
			    slot[i].counter != old[j].counter ||
			    slot[i].priority != old[j].priority)
				continue;
			slot[i].known = old[j].known;
			slot[i].last = old[j].last;
			break;
		}
	}
}

/**
 * rg_slots_marks - what a source tells
 * @slot: its numbers
 * @n: how many
 * @marks: the counters that they are, are added
 */
void rg_slots_marks(const struct rg_slot *slot, size_t n, struct rg_marks *marks)
{
	size_t i;

	for (i = 0; i < n; i++)
		rg_mark(marks, slot[i].counter, slot[i].priority);
}

static bool rg_slot_may_wrap(const struct rg_slot *slot, u64 raw)
{
	return slot->wraps && slot->last <= U32_MAX &&
	       (u32)(raw - slot->last) <= RG_WRAP_MAX;
}

/* Drivers that add numbers up go back by a few at times; that is no reset. */
static bool rg_slot_was_reset(const struct rg_slot *slot, u64 raw)
{
	return slot->known && raw < slot->last / 2 &&
	       !rg_slot_may_wrap(slot, raw);
}

/* By how much it grew; what it is to be compared with next goes along. */
static u64 rg_slot_step(struct rg_slot *slot, u64 raw, bool reset)
{
	u64 last = slot->last;

	if (raw >= last || reset) {
		slot->last = raw;
		return raw >= last ? raw - last : raw;
	}
	if (!rg_slot_may_wrap(slot, raw))
		return 0;
	slot->last = raw;
	return (u32)(raw - last);
}

/**
 * rg_slots_count - take in what a source tells
 * @slot: its numbers
 * @n: how many
 * @raw: what it tells, by @index of a slot
 * @taken: counters that a better source tells: these are not counted here
 * @ever: counters that have been counted, by whatever source; grows
 * @totals: grow
 *
 * A counter begins with what the source says. One that was counted before goes
 * on from there. All numbers of a source are reset together: if one of them says
 * so, what looks like a wrap in the others is none.
 */
void rg_slots_count(struct rg_slot *slot, size_t n, const u64 *raw,
		    const struct rg_marks *taken, struct rg_marks *ever,
		    struct rg_totals *totals)
{
	struct rg_marks before = *ever;
	bool reset = false;
	size_t i;
	u64 step;

	for (i = 0; i < n; i++)
		reset |= rg_slot_was_reset(&slot[i], raw[slot[i].index]);
	for (i = 0; i < n; i++, slot++) {
		bool first = !rg_marked(&before, slot->counter, slot->priority);

		if (!slot->known)
			slot->last = first ? 0 : raw[slot->index];
		step = rg_slot_step(slot, raw[slot->index], reset);
		slot->known = true;
		if (rg_marked(taken, slot->counter, slot->priority))
			continue;
		rg_mark(ever, slot->counter, slot->priority);
		*rg_total(totals, slot->counter, slot->priority) += step;
	}
}
