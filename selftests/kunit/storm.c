// SPDX-License-Identifier: GPL-2.0
#include "case.h"
#include "storm.h"

#define MS		1000ULL
#define S		(1000 * MS)

#define NIC_SPEED	100000
/* A pause of that speed lasts 335 us at most. */
#define REFRESH_US	300

#define DETECTION_MS	200
#define RESTORATION_MS	1000
#define OFF		(RG_STORM_OFF_MS * MS)
#define BACK		(RG_STORM_BACK_MS * MS)

/**
 * struct wire - a priority, the pauses on it, and who watches
 * @storm: what is tested
 * @limits: of the policy
 * @sample: the totals, as they grow
 * @way: in which direction pauses go
 * @sample_us: between two looks at it
 * @began: alarms so far
 * @ended: ends so far
 * @gave_back: how often it was
 * @began_us: time of the last alarm
 * @ended_us: time of the last end
 * @gave_us: when PFC was last given back
 */
struct wire {
	struct rg_storm storm;
	struct rg_storm_limits limits;
	struct rg_storm_sample sample;
	enum rg_storm_way way;
	u64 sample_us;
	unsigned int began;
	unsigned int ended;
	unsigned int gave_back;
	u64 began_us;
	u64 ended_us;
	u64 gave_us;
};

/* A wire of a NIC that counts what @have says. */
static struct wire wire_of(u8 have)
{
	struct wire wire = {
		.limits = { DETECTION_MS, RESTORATION_MS, RG_STORM_OFF_MS,
			    RG_STORM_BACK_MS },
		.sample = { .now_us = S, .mbps = NIC_SPEED },
		.sample_us = 50 * MS,
	};

	wire.sample.way[RG_STORM_RX].have = have;
	wire.sample.way[RG_STORM_TX].have = have;
	rg_storm_feed(&wire.storm, &wire.limits, &wire.sample);
	return wire;
}

static void look(struct wire *wire)
{
	u32 news = rg_storm_feed(&wire->storm, &wire->limits, &wire->sample);
	u64 now = wire->sample.now_us;

	if (news & RG_STORM_BEGAN(wire->way)) {
		wire->began++;
		wire->began_us = now;
	}
	if (news & RG_STORM_ENDED(wire->way)) {
		wire->ended++;
		wire->ended_us = now;
	}
	if (news & RG_STORM_GIVE_BACK) {
		wire->gave_back++;
		wire->gave_us = now;
	}
}

/* So long it is paused, or not: counted bit by bit, looked at now and then. */
static void let_pass(struct wire *wire, u64 us, bool paused)
{
	struct rg_storm_counts *counts = &wire->sample.way[wire->way];
	u64 end = wire->sample.now_us + us, step;

	while (wire->sample.now_us < end) {
		step = wire->storm.sampled_us + wire->sample_us -
		       wire->sample.now_us;
		step = min(step, end - wire->sample.now_us);
		wire->sample.now_us += step;
		if (paused) {
			counts->us += step;
			counts->frames += step / REFRESH_US + 1;
		} else {
			counts->packets += step;
		}
		if (wire->sample.now_us - wire->storm.sampled_us >=
		    wire->sample_us)
			look(wire);
	}
}

static void pause_on_and_off(struct wire *wire, unsigned int times, u64 on,
			     u64 off)
{
	while (times--) {
		let_pass(wire, on, true);
		let_pass(wire, off, false);
	}
}

#define ALL	(BIT(RG_STORM_HAVE_FRAMES) | BIT(RG_STORM_HAVE_US) | \
		 BIT(RG_STORM_HAVE_PACKETS))

CASE(continuous_xoff_is_a_storm_after_the_detection_time)
{
	struct wire wire = wire_of(ALL);

	let_pass(&wire, 10 * S + 20 * MS, false);
	let_pass(&wire, 5 * S, true);
	expect_eq(wire.began, 1);
	/* From the first look that finds it paused all the time. */
	expect_true(wire.began_us - (11 * S + 20 * MS) <=
		    DETECTION_MS * MS + wire.sample_us);
	expect_true(wire.began_us - (11 * S + 20 * MS) >= DETECTION_MS * MS);
	expect_eq(wire.ended, 0);
	let_pass(&wire, 5 * S, false);
	expect_eq(wire.began, 1);
	expect_eq(wire.ended, 1);
	expect_true(wire.ended_us - (16 * S + 20 * MS) <=
		    RESTORATION_MS * MS + wire.sample_us);
	expect_true(wire.ended_us - (16 * S + 20 * MS) >=
		    RESTORATION_MS * MS - wire.sample_us);
}

CASE(slow_sampling_sees_it_later_but_sees_it)
{
	struct wire wire = wire_of(ALL);

	wire.sample_us = S;
	let_pass(&wire, 400 * MS, false);
	let_pass(&wire, 5 * S, true);
	expect_eq(wire.began, 1);
	expect_eq(wire.began_us, 3 * S);
	let_pass(&wire, 5 * S, false);
	expect_eq(wire.ended, 1);
}

CASE(half_the_time_is_no_storm)
{
	struct wire wire = wire_of(ALL);

	pause_on_and_off(&wire, 600, 50 * MS, 50 * MS);
	pause_on_and_off(&wire, 600, 5 * MS, 5 * MS);
	pause_on_and_off(&wire, 100, 99 * MS, 99 * MS);
	expect_eq(wire.began, 0);
}

CASE(nor_are_bursts_under_100_ms)
{
	struct wire wire = wire_of(ALL);

	pause_on_and_off(&wire, 300, 95 * MS, 20 * MS);
	expect_eq(wire.began, 0);
	/* Not even where nobody looks more often than once a second. */
	wire.sample_us = S;
	pause_on_and_off(&wire, 300, 95 * MS, 20 * MS);
	expect_eq(wire.began, 0);
}

/* Many senders, one receiver: pauses come by the thousand, and packets go. */
CASE(a_lawful_incast_is_none)
{
	struct wire wire = wire_of(ALL);
	struct wire frames = wire_of(BIT(RG_STORM_HAVE_FRAMES) |
				     BIT(RG_STORM_HAVE_PACKETS));

	pause_on_and_off(&wire, 30000, 900, 100);
	expect_eq(wire.began, 0);
	pause_on_and_off(&frames, 30000, 900, 100);
	expect_eq(frames.began, 0);
}

CASE(a_storm_with_gaps_is_one_alarm)
{
	struct wire wire = wire_of(ALL);

	pause_on_and_off(&wire, 100, 400 * MS, 800 * MS);
	expect_eq(wire.began, 1);
	expect_eq(wire.ended, 0);
}

/* 170 alarms in 20 minutes, they were once. */
CASE(a_flapping_storm_is_held_on_for_longer_and_longer)
{
	struct wire wire = wire_of(ALL);

	wire.limits.restoration_ms = 200;
	pause_on_and_off(&wire, 20 * 60 * 1000 / 924, 300 * MS, 624 * MS);
	expect_true(wire.began <= 3);
	expect_eq(wire.ended, wire.began - 1);
	/* However long it flapped: it is over some time, and then forgotten. */
	let_pass(&wire, RG_STORM_FLAP_US + 1 * S, false);
	expect_eq(wire.ended, wire.began);
	let_pass(&wire, RG_STORM_FLAP_US, false);
	let_pass(&wire, 1 * S, true);
	wire.ended = 0;
	let_pass(&wire, 300 * MS, false);
	expect_eq(wire.ended, 1);
}

CASE(the_hold_off_has_an_end)
{
	struct wire wire = wire_of(ALL);

	wire.limits.restoration_ms = 100;
	wire.limits.detection_ms = 100;
	while (wire.storm.way[RG_STORM_RX].hold_us < RG_STORM_FLAP_US) {
		let_pass(&wire, 300 * MS, true);
		let_pass(&wire, wire.storm.way[RG_STORM_RX].hold_us + 100 * MS,
			 false);
		if (wire.began > 20)
			break;
	}
	expect_eq(wire.storm.way[RG_STORM_RX].hold_us, RG_STORM_FLAP_US);
	/* 0.1 s doubled up to 600 s. */
	expect_eq(wire.began, 14);
}

CASE(without_durations_it_shows_in_packets_that_stand_still)
{
	struct wire wire = wire_of(BIT(RG_STORM_HAVE_FRAMES) |
				   BIT(RG_STORM_HAVE_PACKETS));

	let_pass(&wire, 5 * S, false);
	let_pass(&wire, 300 * MS, true);
	expect_eq(wire.began, 1);
	expect_true(rg_storm_is_sure(&wire.storm));
	let_pass(&wire, 2 * S, false);
	expect_eq(wire.ended, 1);
}

CASE(too_few_frames_do_not_keep_it_paused)
{
	struct wire wire = wire_of(BIT(RG_STORM_HAVE_FRAMES) |
				   BIT(RG_STORM_HAVE_PACKETS));
	struct rg_storm_counts *counts = &wire.sample.way[RG_STORM_RX];
	int i;

	/* One each 350 us, each good for 335 us at most. */
	for (i = 0; i < 1000; i++) {
		wire.sample.now_us += 35 * MS;
		counts->frames += 100;
		look(&wire);
	}
	expect_eq(wire.began, 0);
	/* Slower links are paused for longer by the same frames. */
	wire.sample.mbps = NIC_SPEED / 4;
	for (i = 0; i < 10; i++) {
		wire.sample.now_us += 35 * MS;
		counts->frames += 100;
		look(&wire);
	}
	expect_eq(wire.began, 1);
}

CASE(no_speed_no_guess)
{
	struct wire wire = wire_of(BIT(RG_STORM_HAVE_FRAMES));

	wire.sample.mbps = 0;
	let_pass(&wire, 60 * S, true);
	expect_eq(wire.began, 0);
}

CASE(frames_alone_take_patience_and_are_not_acted_upon)
{
	struct wire wire = wire_of(BIT(RG_STORM_HAVE_FRAMES));

	let_pass(&wire, RG_STORM_PATIENCE * DETECTION_MS * MS - 100 * MS, true);
	expect_eq(wire.began, 0);
	let_pass(&wire, 200 * MS, true);
	expect_eq(wire.began, 1);
	expect_false(rg_storm_is_sure(&wire.storm));
}

CASE(a_host_that_sends_the_pauses)
{
	struct wire wire = wire_of(ALL);

	wire.way = RG_STORM_TX;
	let_pass(&wire, 300 * MS, true);
	expect_eq(wire.began, 1);
	expect_true(wire.storm.way[RG_STORM_TX].on);
	expect_false(wire.storm.way[RG_STORM_RX].on);
	let_pass(&wire, 2 * S, false);
	expect_eq(wire.ended, 1);
}

CASE(a_reset_of_the_counters_is_no_storm_and_hides_none)
{
	struct wire wire = wire_of(ALL);
	struct rg_storm_counts *counts = &wire.sample.way[RG_STORM_RX];
	int i;

	let_pass(&wire, 10 * S, false);
	counts->us = 5 * S;
	for (i = 0; i < 100; i++) {
		counts->us = 0;
		counts->frames = 0;
		counts->packets = 0;
		let_pass(&wire, 60 * MS, false);
	}
	expect_eq(wire.began, 0);
	let_pass(&wire, 120 * MS, true);
	counts->us = 0;
	let_pass(&wire, 400 * MS, true);
	expect_eq(wire.began, 1);
	expect_eq(wire.ended, 0);
	/* The same while it lasts. */
	counts->us = 0;
	let_pass(&wire, 5 * S, true);
	expect_eq(wire.began, 1);
	expect_eq(wire.ended, 0);
}

/* What is counted is right, and when that was is known by some ms. */
CASE(reading_takes_time)
{
	static const u64 late[] = { 4, 0, 5, 1, 0, 5, 3 };
	struct wire wire = wire_of(ALL);
	unsigned int i;
	u64 at;

	wire.sample.slack_us = 5 * MS;
	for (i = 0; i < 100; i++) {
		at = wire.sample.now_us + 50 * MS;
		wire.sample.way[RG_STORM_RX].us += 50 * MS;
		wire.sample.now_us = at + late[i % ARRAY_SIZE(late)] * MS;
		look(&wire);
		wire.sample.now_us = at;
	}
	expect_eq(wire.began, 1);
	expect_true(wire.began_us - S <= (DETECTION_MS + 60) * MS);
	/* That is no excuse for a pause that is none. */
	wire = wire_of(ALL);
	wire.sample.slack_us = 200 * MS;
	for (i = 0; i < 300; i++) {
		let_pass(&wire, 46 * MS, true);
		let_pass(&wire, 4 * MS, false);
	}
	expect_eq(wire.began, 0);
}

CASE(another_source_begins_anew)
{
	struct wire wire = wire_of(BIT(RG_STORM_HAVE_FRAMES));
	struct rg_storm_counts *counts = &wire.sample.way[RG_STORM_RX];

	counts->have = ALL;
	counts->us = 3600 * S;
	let_pass(&wire, 100 * MS, false);
	expect_eq(wire.began, 0);
}

CASE(sampling_may_be_irregular)
{
	static const u64 steps[] = { 1, 70, 3, 500, 20, 2000, 49, 150, 8, 333 };
	struct wire wire = wire_of(ALL);
	unsigned int i;

	for (i = 0; i < 200; i++) {
		wire.sample_us = steps[i % ARRAY_SIZE(steps)] * MS;
		pause_on_and_off(&wire, 3, 60 * MS, 40 * MS);
	}
	expect_eq(wire.began, 0);
	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		wire.sample_us = steps[i] * MS;
		let_pass(&wire, 500 * MS, true);
	}
	expect_eq(wire.began, 1);
	/* The clock stands still, or the same sample comes twice. */
	look(&wire);
	look(&wire);
	wire.sample_us = 50 * MS;
	let_pass(&wire, 2 * S, false);
	expect_eq(wire.ended, 1);
}

/* As most do: PFC is off, and the counter of pauses stands still. */
static void stay_off(struct wire *wire, u64 us)
{
	u64 end = wire->sample.now_us + us;

	while (wire->sample.now_us < end && wire->storm.off)
		let_pass(wire, wire->sample_us, false);
}

CASE(pfc_comes_back_after_a_minute_and_not_for_a_silent_counter)
{
	struct wire wire = wire_of(ALL);
	u64 taken;

	let_pass(&wire, 400 * MS, true);
	expect_eq(wire.began, 1);
	rg_storm_take(&wire.storm, &wire.limits);
	taken = wire.storm.sampled_us;
	stay_off(&wire, 3600 * S);
	expect_eq(wire.gave_back, 1);
	expect_true(wire.gave_us - taken >= OFF);
	expect_true(wire.gave_us - taken <= OFF + wire.sample_us);
	/* Only what is seen with PFC on says that it is over. */
	expect_eq(wire.ended, 0);
	let_pass(&wire, 5 * S, false);
	expect_eq(wire.ended, 1);
	expect_true(wire.ended_us - wire.gave_us >= RESTORATION_MS * MS);
	expect_eq(wire.began, 1);
}

CASE(a_longer_restoration_time_keeps_it_off_for_longer)
{
	struct wire wire = wire_of(ALL);
	u64 taken;

	wire.limits.restoration_ms = 3 * 60 * 1000;
	let_pass(&wire, 400 * MS, true);
	rg_storm_take(&wire.storm, &wire.limits);
	taken = wire.storm.sampled_us;
	stay_off(&wire, 3600 * S);
	expect_true(wire.gave_us - taken >= 180 * S);
}

CASE(pfc_comes_back_once_in_ten_minutes)
{
	struct wire wire = wire_of(ALL);
	u64 first;

	let_pass(&wire, 400 * MS, true);
	rg_storm_take(&wire.storm, &wire.limits);
	stay_off(&wire, 3600 * S);
	first = wire.gave_us;
	expect_false(rg_storm_rages(&wire.storm, &wire.limits));
	let_pass(&wire, 400 * MS, true);
	expect_true(rg_storm_rages(&wire.storm, &wire.limits));
	rg_storm_take(&wire.storm, &wire.limits);
	stay_off(&wire, 3600 * S);
	expect_eq(wire.gave_back, 2);
	expect_true(wire.gave_us - first >= BACK);
	/* All that is one storm. */
	expect_eq(wire.began, 1);
	expect_eq(wire.ended, 0);
}

CASE(pfc_comes_back_though_nobody_counts_any_more)
{
	struct wire wire = wire_of(ALL);

	let_pass(&wire, 400 * MS, true);
	rg_storm_take(&wire.storm, &wire.limits);
	expect_false(rg_storm_rages(&wire.storm, &wire.limits));
	expect_false(rg_storm_try_again(&wire.storm, wire.storm.back_us - 1));
	expect_true(rg_storm_try_again(&wire.storm, wire.storm.back_us));
	expect_false(rg_storm_try_again(&wire.storm, wire.storm.back_us));
}

CASE(the_policy_may_want_it_back_at_once)
{
	struct wire wire = wire_of(ALL);

	let_pass(&wire, 400 * MS, true);
	rg_storm_take(&wire.storm, &wire.limits);
	let_pass(&wire, 1 * S, false);
	rg_storm_let_go(&wire.storm);
	expect_false(wire.storm.off);
	let_pass(&wire, 2 * S, false);
	expect_eq(wire.gave_back, 0);
	expect_eq(wire.ended, 1);
}

SUITE(storm,
      case_of(continuous_xoff_is_a_storm_after_the_detection_time),
      case_of(slow_sampling_sees_it_later_but_sees_it),
      case_of(half_the_time_is_no_storm),
      case_of(nor_are_bursts_under_100_ms),
      case_of(a_lawful_incast_is_none),
      case_of(a_storm_with_gaps_is_one_alarm),
      case_of(a_flapping_storm_is_held_on_for_longer_and_longer),
      case_of(the_hold_off_has_an_end),
      case_of(without_durations_it_shows_in_packets_that_stand_still),
      case_of(too_few_frames_do_not_keep_it_paused),
      case_of(no_speed_no_guess),
      case_of(frames_alone_take_patience_and_are_not_acted_upon),
      case_of(a_host_that_sends_the_pauses),
      case_of(a_reset_of_the_counters_is_no_storm_and_hides_none),
      case_of(reading_takes_time),
      case_of(another_source_begins_anew),
      case_of(sampling_may_be_irregular),
      case_of(pfc_comes_back_after_a_minute_and_not_for_a_silent_counter),
      case_of(a_longer_restoration_time_keeps_it_off_for_longer),
      case_of(pfc_comes_back_once_in_ten_minutes),
      case_of(pfc_comes_back_though_nobody_counts_any_more),
      case_of(the_policy_may_want_it_back_at_once));
