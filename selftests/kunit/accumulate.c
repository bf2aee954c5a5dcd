// SPDX-License-Identifier: GPL-2.0
#include "case.h"
#include "accumulate.h"

#define PRIO	3

static const struct rg_marks none;

static struct rg_slot number(u32 name, u16 index, u8 counter, u8 bits)
{
	return (struct rg_slot){
		.name	  = name,
		.index	  = index,
		.counter  = counter,
		.priority = rg_counter_per_priority(counter) ? PRIO : RG_NO_PRIORITY,
		.wraps	  = bits == 32,
	};
}

/* One number of its own source, told one after the other. */
struct feed {
	struct rg_slot slot;
	struct rg_marks ever;
	struct rg_totals totals;
};

static u64 told(struct feed *feed, u64 raw)
{
	rg_slots_count(&feed->slot, 1, &raw, &none, &feed->ever, &feed->totals);
	return *rg_total(&feed->totals, feed->slot.counter, feed->slot.priority);
}

CASE(a_counter_begins_with_what_the_source_says)
{
	struct feed feed = { .slot = number(1, 0, ROCEGUARD_COUNTER_RX_PAUSE, 64) };

	expect_eq(told(&feed, 1000), 1000);
	expect_eq(told(&feed, 1007), 1007);
	expect_eq(told(&feed, 1007), 1007);
	expect_eq(feed.totals.prio[ROCEGUARD_COUNTER_RX_PAUSE][PRIO], 1007);
	expect_eq(feed.ever.prio[ROCEGUARD_COUNTER_RX_PAUSE], BIT(PRIO));
}

CASE(thirty_two_bits_wrap)
{
	struct feed feed = { .slot = number(1, 0, ROCEGUARD_COUNTER_OUT_OF_BUFFER, 32) };
	u64 total = U32_MAX - 10;
	int i;

	expect_eq(told(&feed, U32_MAX - 10), total);
	expect_eq(told(&feed, 9), total + 20);
	total = told(&feed, 9);
	for (i = 0; i < 12; i++) {
		total += 1U << 29;
		expect_eq(told(&feed, (u32)total), total);
	}
	expect_true(total > U32_MAX);
}

CASE(a_reset_takes_nothing_away)
{
	struct feed feed = { .slot = number(1, 0, ROCEGUARD_COUNTER_CNP_SENT, 64) };
	struct feed narrow = { .slot = number(1, 0, ROCEGUARD_COUNTER_OUT_OF_BUFFER, 32) };

	told(&feed, 5000);
	expect_eq(told(&feed, 0), 5000);
	expect_eq(told(&feed, 3), 5003);
	told(&narrow, 5000);
	expect_eq(told(&narrow, 7), 5007);
	expect_eq(told(&narrow, 8), 5008);
}

CASE(going_back_by_a_few_is_no_reset)
{
	struct feed feed = { .slot = number(1, 0, ROCEGUARD_COUNTER_RX_BYTES, 64) };

	told(&feed, 1000000);
	expect_eq(told(&feed, 999990), 1000000);
	expect_eq(told(&feed, 1000005), 1000005);
}

/* Near its end a reset looks like a wrap, but for what the others say. */
CASE(numbers_of_a_source_are_reset_together)
{
	struct rg_slot slot[] = {
		number(1, 0, ROCEGUARD_COUNTER_OUT_OF_BUFFER, 32),
		number(2, 1, ROCEGUARD_COUNTER_CNP_SENT, 64),
	};
	const u64 before[] = { U32_MAX - 100, 70000 }, after[] = { 50, 2 };
	struct rg_totals totals = {};
	struct rg_marks ever = {};

	rg_slots_count(slot, 2, before, &none, &ever, &totals);
	rg_slots_count(slot, 2, after, &none, &ever, &totals);
	expect_eq(*rg_total(&totals, ROCEGUARD_COUNTER_OUT_OF_BUFFER, 0),
		  U32_MAX - 100 + 50ULL);
	expect_eq(*rg_total(&totals, ROCEGUARD_COUNTER_CNP_SENT, 0), 70002);
}

CASE(parts_add_up)
{
	struct rg_slot slot[] = {
		number(1, 0, ROCEGUARD_COUNTER_RX_DISCARDS, 64),
		number(2, 2, ROCEGUARD_COUNTER_RX_DISCARDS, 64),
	};
	const u64 first[] = { 10, 99, 5 }, second[] = { 11, 99, 7 };
	struct rg_totals totals = {};
	struct rg_marks ever = {};

	rg_slots_count(slot, 2, first, &none, &ever, &totals);
	expect_eq(totals.prio[ROCEGUARD_COUNTER_RX_DISCARDS][PRIO], 15);
	rg_slots_count(slot, 2, second, &none, &ever, &totals);
	expect_eq(totals.prio[ROCEGUARD_COUNTER_RX_DISCARDS][PRIO], 18);
}

/* mlx5 has names for pauses only while PFC is on. */
CASE(what_vanished_goes_on_when_it_is_back)
{
	struct rg_slot slot = number(1, 0, ROCEGUARD_COUNTER_RX_PAUSE, 64);
	struct rg_slot again = number(1, 4, ROCEGUARD_COUNTER_RX_PAUSE, 64);
	struct rg_totals totals = {};
	struct rg_marks ever = {};
	const u64 raw[] = { 100, 0, 0, 0, 130 }, more[] = { 0, 0, 0, 0, 131 };

	rg_slots_count(&slot, 1, raw, &none, &ever, &totals);
	rg_slots_count(&again, 1, raw, &none, &ever, &totals);
	expect_eq(totals.prio[ROCEGUARD_COUNTER_RX_PAUSE][PRIO], 100);
	rg_slots_count(&again, 1, more, &none, &ever, &totals);
	expect_eq(totals.prio[ROCEGUARD_COUNTER_RX_PAUSE][PRIO], 101);
}

CASE(what_moved_is_found_by_name)
{
	struct rg_slot old[] = {
		number(1, 0, ROCEGUARD_COUNTER_RX_PAUSE, 64),
		number(2, 1, ROCEGUARD_COUNTER_TX_PAUSE, 64),
	};
	struct rg_slot slot[] = {
		number(2, 0, ROCEGUARD_COUNTER_TX_PAUSE, 64),
		number(3, 1, ROCEGUARD_COUNTER_RX_BYTES, 64),
	};
	const u64 before[] = { 7, 20 }, after[] = { 26, 1000 };
	struct rg_totals totals = {};
	struct rg_marks ever = {};

	rg_slots_count(old, 2, before, &none, &ever, &totals);
	rg_slots_inherit(slot, 2, old, 2);
	rg_slots_count(slot, 2, after, &none, &ever, &totals);
	expect_eq(totals.prio[ROCEGUARD_COUNTER_TX_PAUSE][PRIO], 26);
	expect_eq(totals.prio[ROCEGUARD_COUNTER_RX_PAUSE][PRIO], 7);
	expect_eq(totals.prio[ROCEGUARD_COUNTER_RX_BYTES][PRIO], 1000);
}

/* What two sources tell is counted once, and goes on if the better one goes. */
CASE(the_better_source_counts)
{
	struct feed better = { .slot = number(1, 0, ROCEGUARD_COUNTER_RX_PAUSE, 64) };
	struct rg_slot other = number(9, 0, ROCEGUARD_COUNTER_RX_PAUSE, 64);
	struct rg_marks taken = {};
	u64 raw = 100;

	told(&better, 100);
	rg_slots_marks(&better.slot, 1, &taken);
	rg_slots_count(&other, 1, &raw, &taken, &better.ever, &better.totals);
	expect_eq(better.totals.prio[ROCEGUARD_COUNTER_RX_PAUSE][PRIO], 100);
	raw = 104;
	rg_slots_count(&other, 1, &raw, &none, &better.ever, &better.totals);
	expect_eq(better.totals.prio[ROCEGUARD_COUNTER_RX_PAUSE][PRIO], 104);
}

CASE(marks_know_priorities)
{
	struct rg_marks marks = {}, more = {};

	rg_mark(&marks, ROCEGUARD_COUNTER_TX_BYTES, 7);
	rg_mark(&more, ROCEGUARD_COUNTER_STORM_EVENTS, RG_NO_PRIORITY);
	rg_marks_add(&marks, &more);
	expect_true(rg_marked(&marks, ROCEGUARD_COUNTER_TX_BYTES, 7));
	expect_false(rg_marked(&marks, ROCEGUARD_COUNTER_TX_BYTES, 0));
	expect_false(rg_marked(&marks, ROCEGUARD_COUNTER_RX_BYTES, 7));
	expect_true(rg_marked(&marks, ROCEGUARD_COUNTER_STORM_EVENTS, RG_NO_PRIORITY));
	expect_false(rg_marked(&marks, ROCEGUARD_COUNTER_LINK_DOWNS, RG_NO_PRIORITY));
}

SUITE(accumulate,
      case_of(a_counter_begins_with_what_the_source_says),
      case_of(thirty_two_bits_wrap),
      case_of(a_reset_takes_nothing_away),
      case_of(going_back_by_a_few_is_no_reset),
      case_of(numbers_of_a_source_are_reset_together),
      case_of(parts_add_up),
      case_of(what_vanished_goes_on_when_it_is_back),
      case_of(what_moved_is_found_by_name),
      case_of(the_better_source_counts),
      case_of(marks_know_priorities));
