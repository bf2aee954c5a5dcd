/* SPDX-License-Identifier: GPL-2.0 */
/* A policy from a port as it is now. */
#ifndef RG_IMPORT_H
#define RG_IMPORT_H

#include "have.h"

/**
 * struct import - a policy, and what it leaves out
 * @spec: holds all of the port that a policy can, as it is
 * @left_out: bits of enum roceguard_knob: what it does not hold
 * @why: of each of them, in words
 */
struct import {
	struct rg_policy_spec spec;
	u32 left_out;
	char why[RG_KNOBS][RG_PROBLEM_MAX];
};

/**
 * import_port() - make a policy that writes nothing to this port
 * @import: filled in
 * @have: the port
 * @name: of the policy
 *
 * Return: 0, or -1 if nothing of it can be held.
 */
int import_port(struct import *import, const struct have *have,
		const char *name);

#endif /* RG_IMPORT_H */
