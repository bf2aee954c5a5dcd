// SPDX-License-Identifier: GPL-2.0
#include "storm.h"

#define RG_US_PER_MS		1000ULL
/* The longest pause that one frame can ask for: 65535 quanta of 512 bits. */
#define RG_PAUSE_BITS		(65535U * 512)

static bool rg_counts_have(const struct rg_storm_counts *counts,
			   enum rg_storm_have what)
{
	return counts->have & BIT(what);
}

/* What the NIC says of another time, or another source, can't be subtracted. */
static bool rg_counts_follow(const struct rg_storm_counts *last,
			     const struct rg_storm_counts *now)
{
	return now->have == last->have && now->frames >= last->frames &&
	       now->us >= last->us && now->packets >= last->packets;
}

/*
 * Frames alone say how long it was paused at most: some of them end a pause. It was
 * no storm if packets went through.
 */
static u64 rg_paused_by_frames(const struct rg_storm_counts *last,
			       const struct rg_storm_counts *now, u64 elapsed,
			       u32 mbps)
{
	u64 frames = now->frames - last->frames;

	if (!mbps || now->packets != last->packets)
		return 0;
	/* More than one in a us are as good as that. */
	return min(min(frames, elapsed) * (RG_PAUSE_BITS / mbps), elapsed);
}

static u64 rg_paused_us(const struct rg_storm_counts *last,
			const struct rg_storm_counts *now, u64 elapsed, u32 mbps)
{
	return rg_counts_have(now, RG_STORM_HAVE_US) ? now->us - last->us :
		rg_paused_by_frames(last, now, elapsed, mbps);
}

static bool rg_counts_are_sure(const struct rg_storm_counts *counts)
{
	return counts->have & (BIT(RG_STORM_HAVE_US) |
			       BIT(RG_STORM_HAVE_PACKETS));
}

static u64 rg_detection_us(const struct rg_storm_limits *limits,
			   const struct rg_storm_counts *counts)
{
	u64 us = limits->detection_ms * RG_US_PER_MS;

	return rg_counts_are_sure(counts) ? us : RG_STORM_PATIENCE * us;
}

static void rg_run_anew(struct rg_storm_state *state, u64 now)
{
	state->run_us = now;
	state->paused_us = 0;
}

/*
 * What is missing adds up, what is read too late does not.
 *
 * Return: true if it has been paused for as long as makes a storm.
 */
static bool rg_run_on(struct rg_storm_state *state, u64 need, u64 paused,
		      const struct rg_storm_sample *sample)
{
	u64 run = sample->now_us - state->run_us;
	u64 slack = min((u64)sample->slack_us,
			need / 100 * RG_STORM_SLACK_PERCENT);

	state->paused_us = min(state->paused_us + paused, run + slack);
	if (run * 100 > state->paused_us * 100 + slack * 100 +
			max(run, need) * (100 - RG_STORM_PERCENT))
		rg_run_anew(state, sample->now_us);
	return sample->now_us - state->run_us >= need;
}

/* A storm that is back soon is held on for longer than the last time. */
static void rg_hold(struct rg_storm_state *state,
		    const struct rg_storm_limits *limits, u64 now)
{
	u64 least = limits->restoration_ms * RG_US_PER_MS;
	u64 most = max(least, (u64)RG_STORM_FLAP_US);

	if (state->ended_us && now - state->ended_us < RG_STORM_FLAP_US)
		state->hold_us = min(2 * state->hold_us, most);
	else
		state->hold_us = least;
	state->hold_us = max(state->hold_us, least);
}

static u32 rg_state_feed(struct rg_storm_state *state,
			 const struct rg_storm_limits *limits,
			 const struct rg_storm_sample *sample, u64 elapsed,
			 enum rg_storm_way way)
{
	const struct rg_storm_counts *counts = &sample->way[way];
	u64 paused = rg_paused_us(&state->last, counts, elapsed, sample->mbps);
	u64 need = rg_detection_us(limits, counts), now = sample->now_us;
	bool storms = rg_run_on(state, need, paused, sample);

	if (storms || (state->on && paused * 100 >=
				    elapsed * RG_STORM_ON_PERCENT))
		state->seen_us = now;
	if (storms && !state->on) {
		rg_hold(state, limits, now);
		state->on = true;
		state->since_us = state->run_us;
		return RG_STORM_BEGAN(way);
	}
	if (state->on && now - state->seen_us >= state->hold_us) {
		state->on = false;
		state->ended_us = now;
		return RG_STORM_ENDED(way);
	}
	return 0;
}

static void rg_storm_give_back(struct rg_storm *storm, u64 now)
{
	int way;

	storm->off = false;
	storm->given_us = now;
	storm->sampled_us = now;
	for (way = 0; way < RG_STORM_WAYS; way++) {
		rg_run_anew(&storm->way[way], now);
		storm->way[way].seen_us = now;
	}
}

/**
 * rg_storm_feed - a priority was read
 * @storm: of the priority, all zero at first
 * @limits: of the policy; may have changed
 * @sample: its totals; as often or as seldom as it happens
 *
 * A storm that is shorter than the time between two samples is not seen.
 *
 * Return: RG_STORM_ bits: what has happened; 0: nothing.
 */
u32 rg_storm_feed(struct rg_storm *storm, const struct rg_storm_limits *limits,
		  const struct rg_storm_sample *sample)
{
	u64 now = sample->now_us, elapsed = now - storm->sampled_us;
	bool first = !storm->sampled_us;
	struct rg_storm_state *state;
	u32 news = 0;
	int way;

	if (!first && now <= storm->sampled_us)
		return 0;
	storm->sampled_us = now;
	for (way = 0; way < RG_STORM_WAYS; way++) {
		state = &storm->way[way];
		if (first || storm->off ||
		    !rg_counts_follow(&state->last, &sample->way[way]))
			rg_run_anew(state, now);
		else
			news |= rg_state_feed(state, limits, sample, elapsed,
					      way);
		state->last = sample->way[way];
	}
	return rg_storm_try_again(storm, now) ? RG_STORM_GIVE_BACK : news;
}

/**
 * rg_storm_rages - is it storming right now?
 * @storm: of the priority
 * @limits: of the policy
 *
 * Return: false if it is none just now, though it may not be over.
 */
bool rg_storm_rages(const struct rg_storm *storm,
		    const struct rg_storm_limits *limits)
{
	const struct rg_storm_state *state;
	int way;

	for (way = 0; way < RG_STORM_WAYS && !storm->off; way++) {
		state = &storm->way[way];
		if (state->on && storm->sampled_us - state->run_us >=
				 rg_detection_us(limits, &state->last))
			return true;
	}
	return false;
}

/**
 * rg_storm_is_sure - is it certain enough to act upon?
 * @storm: of a priority that has a storm
 *
 * Return: false if it shows in the number of pauses alone.
 */
bool rg_storm_is_sure(const struct rg_storm *storm)
{
	int way;

	for (way = 0; way < RG_STORM_WAYS; way++)
		if (storm->way[way].on &&
		    rg_counts_are_sure(&storm->way[way].last))
			return true;
	return false;
}

/**
 * rg_storm_take - PFC is taken off a priority for its storm
 * @storm: of the priority
 * @limits: of the policy, and the host
 *
 * What its counters say now is no sign that the storm is over: most stop when PFC
 * is off. rg_storm_feed() and rg_storm_try_again() say when to try again.
 */
void rg_storm_take(struct rg_storm *storm, const struct rg_storm_limits *limits)
{
	u32 off_ms = max(limits->restoration_ms, limits->off_ms);

	storm->off = true;
	storm->back_us = storm->sampled_us + off_ms * RG_US_PER_MS;
	if (storm->given_us)
		storm->back_us = max(storm->back_us, storm->given_us +
				     limits->back_ms * RG_US_PER_MS);
}

/**
 * rg_storm_try_again - is PFC that was taken off to be on again?
 * @storm: of the priority
 * @now_us: time
 *
 * Return: true once, when it is.
 */
bool rg_storm_try_again(struct rg_storm *storm, u64 now_us)
{
	if (!storm->off || now_us < storm->back_us)
		return false;
	rg_storm_give_back(storm, now_us);
	return true;
}

/**
 * rg_storm_let_go - PFC is to be on again, for the policy has changed
 * @storm: of the priority
 */
void rg_storm_let_go(struct rg_storm *storm)
{
	if (storm->off)
		rg_storm_give_back(storm, storm->sampled_us);
}
