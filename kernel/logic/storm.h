/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When a priority is in a pause storm, when that is over, and how long PFC stays
 * off that was taken off for it. Knows no driver: it is fed with totals.
 */
#ifndef RG_LOGIC_STORM_H
#define RG_LOGIC_STORM_H

#include "base.h"

/* Paused so much of the detection time is a storm, ... */
#define RG_STORM_PERCENT	99
/* ... and one that has begun goes on above this. */
#define RG_STORM_ON_PERCENT	50
/* So much of the detection time is put down to when it was read, at most. */
#define RG_STORM_SLACK_PERCENT	5
/* Without durations or packets to go by it takes so many detection times. */
#define RG_STORM_PATIENCE	10
/* A storm that is back sooner flaps, and is held on for longer and longer. */
#define RG_STORM_FLAP_US	600000000ULL
/* PFC that was taken off stays off so long, and comes back so seldom, usually. */
#define RG_STORM_OFF_MS		60000
#define RG_STORM_BACK_MS	600000

/* Who sends the pauses; as DIRECTION of netlink. */
enum rg_storm_way { RG_STORM_RX, RG_STORM_TX, RG_STORM_WAYS };

/* What is known of a direction: bits of rg_storm_counts.have. */
enum rg_storm_have {
	RG_STORM_HAVE_FRAMES,
	RG_STORM_HAVE_US,
	RG_STORM_HAVE_PACKETS,
};

/**
 * struct rg_storm_counts - totals of one direction of a priority
 * @have: bits of enum rg_storm_have: what below is known
 * @frames: PFC frames for it
 * @us: that it was paused, if the NIC counts them
 * @packets: that the pauses are to hold up: sent ones, where pauses are received
 */
struct rg_storm_counts {
	u8 have;
	u64 frames;
	u64 us;
	u64 packets;
};

/**
 * struct rg_storm_sample - a priority at one moment
 * @now_us: when it was read; any clock that does not go back
 * @slack_us: @now_us may be so wrong, for that is what reading took
 * @mbps: speed of the link, 0: not known
 * @way: by enum rg_storm_way
 */
struct rg_storm_sample {
	u64 now_us;
	u32 slack_us;
	u32 mbps;
	struct rg_storm_counts way[RG_STORM_WAYS];
};

/**
 * struct rg_storm_limits - what the policy says, and the host
 * @detection_ms: paused for so long it is a storm
 * @restoration_ms: over once it was none for so long
 * @off_ms: PFC that was taken off stays off for so long at least
 * @back_ms: from one time that it is given back to the next, at least
 */
struct rg_storm_limits {
	u32 detection_ms;
	u32 restoration_ms;
	u32 off_ms;
	u32 back_ms;
};

/**
 * struct rg_storm_state - one direction of a priority
 * @last: its totals at the last sample
 * @run_us: since then it has been paused without a break
 * @paused_us: of that time
 * @on: a storm goes on
 * @since_us: since when
 * @seen_us: it last was one
 * @ended_us: when the last one was over, 0: never
 * @hold_us: how long it has to be none until it is over
 */
struct rg_storm_state {
	struct rg_storm_counts last;
	u64 run_us;
	u64 paused_us;
	bool on;
	u64 since_us;
	u64 seen_us;
	u64 ended_us;
	u64 hold_us;
};

/**
 * struct rg_storm - one priority
 * @sampled_us: time of the last sample, 0: none
 * @way: by enum rg_storm_way
 * @off: PFC was taken off it, and its counters say nothing
 * @back_us: until then
 * @given_us: when PFC was last given back, 0: never
 */
struct rg_storm {
	u64 sampled_us;
	struct rg_storm_state way[RG_STORM_WAYS];
	bool off;
	u64 back_us;
	u64 given_us;
};

/* What has come of a sample: bits of what rg_storm_feed() returns. */
#define RG_STORM_BEGAN(way)	BIT(way)
#define RG_STORM_ENDED(way)	BIT(2 + (way))
#define RG_STORM_GIVE_BACK	BIT(4)	/* PFC is to be tried again */

u32 rg_storm_feed(struct rg_storm *storm, const struct rg_storm_limits *limits,
		  const struct rg_storm_sample *sample);
bool rg_storm_rages(const struct rg_storm *storm,
		    const struct rg_storm_limits *limits);
bool rg_storm_is_sure(const struct rg_storm *storm);
void rg_storm_take(struct rg_storm *storm, const struct rg_storm_limits *limits);
bool rg_storm_try_again(struct rg_storm *storm, u64 now_us);
void rg_storm_let_go(struct rg_storm *storm);

#endif /* RG_LOGIC_STORM_H */
