// SPDX-License-Identifier: GPL-2.0
#include "case.h"
#include "recorder.h"

#define BEGIN	1000000ULL

/* Too much for a kernel's stack, and one case runs at a time. */
static union rg_recorder_page page;
static struct rg_recorder *const recorder = &page.recorder;
static struct rg_recorded second;
static const struct rg_totals nothing;

static void forget(u64 at_ms)
{
	memset(&second, 0, sizeof(second));
	second.at_ms = at_ms;
}

static void grew(u8 counter, u8 priority, u64 by)
{
	rg_mark(&second.moved, counter, priority);
	*rg_total(&second.grown, counter, priority) = by;
}

static void record(void)
{
	expect_true(rg_recorder_add(recorder, second.at_ms, &second.moved,
				    &nothing, &second.grown));
}

CASE(what_is_recorded_is_played_back)
{
	struct rg_playback playback;

	rg_recorder_start(recorder, sizeof(page), BEGIN);
	forget(BEGIN + 1003);
	grew(ROCEGUARD_COUNTER_RX_PAUSE, 3, 1);
	grew(ROCEGUARD_COUNTER_RX_BYTES, 7, 127);
	grew(ROCEGUARD_COUNTER_TX_BYTES, 0, 128);
	grew(ROCEGUARD_COUNTER_RX_GLOBAL_PAUSE, RG_NO_PRIORITY, U64_MAX);
	grew(ROCEGUARD_COUNTER_STORM_EVENTS, RG_NO_PRIORITY, 1ULL << 35);
	record();
	forget(BEGIN + 1990);
	record();
	forget(BEGIN + 9000);
	grew(ROCEGUARD_COUNTER_RX_MARKED, 7, 5);
	record();

	rg_playback_start(&playback, recorder);
	expect_true(rg_playback_next(&playback, recorder, &second));
	expect_eq(second.at_ms, BEGIN + 1003);
	expect_eq(second.grown.prio[ROCEGUARD_COUNTER_RX_PAUSE][3], 1);
	expect_eq(second.grown.prio[ROCEGUARD_COUNTER_RX_BYTES][7], 127);
	expect_eq(second.grown.prio[ROCEGUARD_COUNTER_TX_BYTES][0], 128);
	expect_eq(second.grown.port[0], U64_MAX);
	expect_eq(*rg_total(&second.grown, ROCEGUARD_COUNTER_STORM_EVENTS, 0),
		  1ULL << 35);
	expect_eq(second.moved.prio[ROCEGUARD_COUNTER_RX_PAUSE], BIT(3));
	expect_eq(second.moved.prio[ROCEGUARD_COUNTER_TX_PAUSE], 0);
	expect_true(rg_playback_next(&playback, recorder, &second));
	expect_eq(second.at_ms, BEGIN + 1990);
	expect_eq(second.moved.port, 0);
	expect_true(rg_playback_next(&playback, recorder, &second));
	expect_eq(second.at_ms, BEGIN + 9000);
	expect_eq(second.grown.prio[ROCEGUARD_COUNTER_RX_MARKED][7], 5);
	expect_false(rg_playback_next(&playback, recorder, &second));
}

CASE(what_stood_still_is_left_out)
{
	struct rg_playback playback;
	static struct rg_totals was;

	rg_recorder_start(recorder, sizeof(page), BEGIN);
	forget(BEGIN + 1000);
	grew(ROCEGUARD_COUNTER_RX_PAUSE, 3, 100);
	grew(ROCEGUARD_COUNTER_RX_PAUSE, 4, 100);
	grew(ROCEGUARD_COUNTER_CNP_SENT, RG_NO_PRIORITY, 0);
	was.prio[ROCEGUARD_COUNTER_RX_PAUSE][3] = 100;
	was.prio[ROCEGUARD_COUNTER_RX_PAUSE][4] = 99;
	expect_true(rg_recorder_add(recorder, second.at_ms, &second.moved,
				    &was, &second.grown));
	rg_playback_start(&playback, recorder);
	expect_true(rg_playback_next(&playback, recorder, &second));
	expect_eq(second.moved.prio[ROCEGUARD_COUNTER_RX_PAUSE], BIT(4));
	expect_eq(second.grown.prio[ROCEGUARD_COUNTER_RX_PAUSE][4], 1);
	expect_eq(second.moved.port, 0);
}

CASE(packets_are_left_out)
{
	struct rg_playback playback;

	rg_recorder_start(recorder, sizeof(page), BEGIN);
	forget(BEGIN + 1000);
	grew(ROCEGUARD_COUNTER_RX_PACKETS, 0, 9);
	grew(ROCEGUARD_COUNTER_TX_PACKETS, 0, 9);
	record();
	rg_playback_start(&playback, recorder);
	expect_true(rg_playback_next(&playback, recorder, &second));
	expect_eq(second.moved.prio[ROCEGUARD_COUNTER_RX_PACKETS], 0);
	expect_eq(second.moved.prio[ROCEGUARD_COUNTER_TX_PACKETS], 0);
}

/* A RoCE port under congestion: sixteen values, as large as they get. */
static void busy_second(u64 at_ms)
{
	u8 prio;

	forget(at_ms);
	for (prio = 3; prio < 6; prio++) {
		grew(ROCEGUARD_COUNTER_RX_BYTES, prio, 12500000000ULL);
		grew(ROCEGUARD_COUNTER_TX_BYTES, prio, 12500000000ULL);
	}
	grew(ROCEGUARD_COUNTER_RX_PAUSE, 3, 200000);
	grew(ROCEGUARD_COUNTER_TX_PAUSE, 3, 200000);
	grew(ROCEGUARD_COUNTER_RX_PAUSE_US, 3, 990000);
	grew(ROCEGUARD_COUNTER_TX_PAUSE_US, 3, 990000);
	grew(ROCEGUARD_COUNTER_CNP_SENT, RG_NO_PRIORITY, 20000);
	grew(ROCEGUARD_COUNTER_CNP_HANDLED, RG_NO_PRIORITY, 20000);
	grew(ROCEGUARD_COUNTER_ECN_MARKED, RG_NO_PRIORITY, 20000);
	grew(ROCEGUARD_COUNTER_HOST_STALLS, RG_NO_PRIORITY, 100);
}

CASE(a_minute_is_kept_and_no_more)
{
	struct rg_playback playback;
	u64 last = 0;
	int i, n = 0;

	rg_recorder_start(recorder, sizeof(page), BEGIN);
	for (i = 1; i <= 500; i++) {
		busy_second(BEGIN + i * 1001);
		record();
	}
	rg_playback_start(&playback, recorder);
	while (rg_playback_next(&playback, recorder, &second)) {
		if (last)
			expect_eq(second.at_ms, last + 1001);
		last = second.at_ms;
		expect_eq(second.grown.prio[ROCEGUARD_COUNTER_RX_BYTES][5],
			  12500000000ULL);
		n++;
	}
	expect_eq(last, BEGIN + 500 * 1001);
	expect_true(n >= 59 && n <= 61);
}

/* More than there is room for: what is kept is whole, and ends now. */
CASE(too_much_shortens_it)
{
	struct rg_playback playback;
	u64 last = 0;
	int i, n = 0;
	u8 prio, counter;

	rg_recorder_start(recorder, sizeof(page), BEGIN);
	for (i = 1; i <= 100; i++) {
		forget(BEGIN + i * 1000);
		for (counter = 0; counter < RG_PRIORITY_COUNTERS; counter++)
			for (prio = 0; prio < RG_PRIORITIES; prio++)
				grew(counter, prio, U64_MAX - i);
		for (; counter < RG_COUNTERS; counter++)
			grew(counter, RG_NO_PRIORITY, U64_MAX - i);
		record();
	}
	rg_playback_start(&playback, recorder);
	while (rg_playback_next(&playback, recorder, &second)) {
		last = second.at_ms;
		expect_eq(second.grown.prio[ROCEGUARD_COUNTER_RX_PAUSE][7],
			  U64_MAX - (last - BEGIN) / 1000);
		n++;
	}
	expect_eq(last, BEGIN + 100000);
	expect_true(n >= 3);
}

CASE(after_a_long_pause_it_begins_anew)
{
	struct rg_playback playback;
	int i, n = 0;

	rg_recorder_start(recorder, sizeof(page), BEGIN);
	for (i = 1; i <= 10; i++) {
		busy_second(BEGIN + i * 1000);
		record();
	}
	busy_second(BEGIN + 10 * 1000 + 3600000);
	record();
	rg_playback_start(&playback, recorder);
	while (rg_playback_next(&playback, recorder, &second))
		n++;
	expect_eq(n, 1);
	expect_eq(second.at_ms, BEGIN + 10 * 1000 + 3600000);
}

/* It has wrapped by then: seconds that were over a minute ago made room. */
CASE(it_grows_and_loses_nothing)
{
	static union rg_recorder_page small_page;
	struct rg_recorder *small = &small_page.recorder;
	struct rg_playback playback;
	u64 last = 0;
	int i, n = 0;

	rg_recorder_start(small, RG_RECORDER_LEAST, BEGIN);
	for (i = 1; i <= 200; i++) {
		forget(BEGIN + i * 1000);
		grew(ROCEGUARD_COUNTER_RX_PAUSE, 3, 1000);
		expect_true(rg_recorder_add(small, second.at_ms, &second.moved,
					    &nothing, &second.grown));
	}
	busy_second(BEGIN + 201 * 1000);
	while (rg_recorder_add(small, second.at_ms, &second.moved, &nothing,
			       &second.grown))
		busy_second(BEGIN + (++i) * 1000);
	expect_eq(rg_recorder_room(small), RG_RECORDER_LEAST);
	rg_recorder_start(recorder, sizeof(page), 0);
	rg_recorder_move(recorder, small);
	record();
	rg_playback_start(&playback, recorder);
	while (rg_playback_next(&playback, recorder, &second)) {
		if (last)
			expect_eq(second.at_ms, last + 1000);
		last = second.at_ms;
		expect_true(second.grown.prio[ROCEGUARD_COUNTER_RX_PAUSE][3] >= 1000);
		n++;
	}
	expect_eq(last, BEGIN + i * 1000);
	expect_true(n >= 60);
}

SUITE(recorder,
      case_of(it_grows_and_loses_nothing),
      case_of(what_is_recorded_is_played_back),
      case_of(what_stood_still_is_left_out),
      case_of(packets_are_left_out),
      case_of(a_minute_is_kept_and_no_more),
      case_of(too_much_shortens_it),
      case_of(after_a_long_pause_it_begins_anew));
