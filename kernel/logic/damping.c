// SPDX-License-Identifier: GPL-2.0
#include "damping.h"

static bool rg_damping_full(const struct rg_damping *damping, u64 now)
{
	u64 oldest = damping->hit[damping->next];

	return oldest && now - oldest < RG_DAMPING_WINDOW_NS;
}

static void rg_damping_back_off(struct rg_damping *damping, u64 now)
{
	if (!damping->pause)
		damping->pause = RG_DAMPING_FIRST_NS;
	else
		damping->pause = min(2 * damping->pause,
				     (u64)RG_DAMPING_LAST_NS);
	damping->until = now + damping->pause;
	damping->contested = true;
}

/**
 * rg_damping_hit - a correction that only a rival can have made necessary
 * @damping: the quarrel over this knob
 * @now: time in ns, never 0
 *
 * Return: true if this one is too many, and the knob is now contested.
 */
bool rg_damping_hit(struct rg_damping *damping, u64 now)
{
	bool again = damping->contested;

	if (again || rg_damping_full(damping, now))
		rg_damping_back_off(damping, now);
	damping->hit[damping->next] = now;
	damping->next = (damping->next + 1) % RG_DAMPING_HITS;
	return damping->contested && !again;
}

/**
 * rg_damping_blocked - is the knob to be left alone now?
 * @damping: the quarrel over this knob
 * @now: time in ns
 *
 * Return: true while it is.
 */
bool rg_damping_blocked(const struct rg_damping *damping, u64 now)
{
	return damping->contested && now < damping->until;
}

/**
 * rg_damping_calm - the knob was found right
 * @damping: the quarrel over this knob
 * @now: time in ns
 *
 * The quarrel is over; its back-off is forgotten once a window has passed, so
 * that a rival with pauses meets longer and longer ones.
 */
void rg_damping_calm(struct rg_damping *damping, u64 now)
{
	if (now < damping->until)
		return;
	damping->contested = false;
	if (now - damping->until >= RG_DAMPING_WINDOW_NS)
		damping->pause = 0;
}

/**
 * rg_damping_reset - forget the quarrel, for the operator says so
 * @damping: the quarrel over this knob
 */
void rg_damping_reset(struct rg_damping *damping)
{
	memset(damping, 0, sizeof(*damping));
}
