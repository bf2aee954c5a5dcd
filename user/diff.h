/* SPDX-License-Identifier: GPL-2.0 */
/* What a policy would change on a port, knob by knob, and what that costs. */
#ifndef RG_DIFF_H
#define RG_DIFF_H

#include "have.h"
#include "model.h"
#include "text.h"

enum diff_status {
	DIFF_SAME,
	DIFF_DIFFERS,
	DIFF_UNKNOWN,		/* it cannot be read here */
};

/**
 * struct diff - one knob
 * @knob: enum roceguard_knob
 * @status: does it differ?
 * @cost: enum roceguard_cost of a write on this driver
 * @writes: how often the driver would be called
 * @link_drops: how often that would drop the link that is there
 * @have: in words, "" if unknown
 * @want: in words, "" if this program has none
 * @reason: why it is unknown
 */
struct diff {
	u32 knob;
	enum diff_status status;
	u32 cost;
	unsigned int writes;
	unsigned int link_drops;
	struct rg_text have;
	struct rg_text want;
	char reason[MODEL_TEXT];
};

/**
 * struct diff_port - one port
 * @have: what it has
 * @known: the module knows it; NULL without the module
 * @n: how many of @diff are used
 * @diff: of each knob that the policy names
 * @differ: how many of them differ
 * @link_drops: in all
 */
struct diff_port {
	struct have have;
	const struct model_port *known;
	unsigned int n;
	struct diff diff[RG_KNOBS];
	unsigned int differ;
	unsigned int link_drops;
};

/**
 * diff_port() - compare
 * @port: @have and @known are set, the rest is filled in
 * @want: what the policy holds
 */
void diff_port(struct diff_port *port, const struct rg_want *want);

/**
 * diff_same() - is a knob as wanted?
 * @knob: enum roceguard_knob
 * @have: the port
 * @want: what a policy holds
 *
 * Return: what is known of it.
 */
enum diff_status diff_same(u32 knob, const struct have *have,
			   const struct rg_want *want);

#endif /* RG_DIFF_H */
