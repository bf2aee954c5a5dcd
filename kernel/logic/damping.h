/* SPDX-License-Identifier: GPL-2.0 */
/* When to stop fighting a rival over a knob, and when to try again. */
#ifndef RG_LOGIC_DAMPING_H
#define RG_LOGIC_DAMPING_H

#include "base.h"

#define RG_DAMPING_HITS		5	/* tolerated in the window */
#define RG_DAMPING_WINDOW_NS	60000000000ULL
#define RG_DAMPING_FIRST_NS	1000000000ULL
#define RG_DAMPING_LAST_NS	300000000000ULL

/**
 * struct rg_damping - the quarrel over one knob
 * @hit: times of the last corrections that a rival caused, in ns
 * @next: which of @hit is the oldest
 * @pause: length of the last back-off in ns, 0: never backed off
 * @until: backed off until then
 * @contested: backed off and not seen right since
 */
struct rg_damping {
	u64 hit[RG_DAMPING_HITS];
	unsigned int next;
	u64 pause;
	u64 until;
	bool contested;
};

bool rg_damping_hit(struct rg_damping *damping, u64 now);
bool rg_damping_blocked(const struct rg_damping *damping, u64 now);
void rg_damping_calm(struct rg_damping *damping, u64 now);
void rg_damping_reset(struct rg_damping *damping);

#endif /* RG_LOGIC_DAMPING_H */
