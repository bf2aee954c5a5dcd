/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What was said of single settings of one port, over what its policy says. The
 * last word counts: a policy that comes later and names the knob takes it back.
 */
#ifndef RG_LOGIC_OVERLAY_H
#define RG_LOGIC_OVERLAY_H

#include "policy.h"
#include "text.h"

#define RG_COMM_MAX	16

/**
 * struct rg_said - the last word on a knob
 * @generation: of the policies then
 * @uid: whose it was
 * @pid: whose it was
 * @comm: whose it was
 */
struct rg_said {
	u32 generation;
	u32 uid;
	u32 pid;
	char comm[RG_COMM_MAX];
};

/**
 * struct rg_overlay - what was said
 * @serial: counts what was said and taken back
 * @knobs: bits of enum roceguard_knob: of which
 * @said: by whom, by knob
 * @ecn_on: mask of priorities to have on, by role (0 NP, 1 RP)
 * @ecn_off: mask of priorities to have off, by role
 * @params: mask of enum roceguard_param that @param says something of
 * @param: values of parameters
 */
struct rg_overlay {
	u32 serial;
	u32 knobs;
	struct rg_said said[RG_KNOBS];
	u8 ecn_on[2];
	u8 ecn_off[2];
	u32 params;
	u32 param[RG_PARAMS];
};

void rg_overlay_init(struct rg_overlay *overlay);
bool rg_overlay_say_ecn(struct rg_overlay *overlay, unsigned int role,
			unsigned int prio, bool on, const struct rg_said *said);
bool rg_overlay_say_param(struct rg_overlay *overlay, enum roceguard_param param,
			  u32 value, const struct rg_said *said);
enum rg_tristate rg_overlay_ecn(const struct rg_overlay *overlay,
				unsigned int role, unsigned int prio);
void rg_overlay_yield(struct rg_overlay *overlay, u32 knobs, u32 generation);
void rg_overlay_apply(const struct rg_overlay *overlay, struct rg_want *want);
void rg_overlay_describe(const struct rg_overlay *overlay,
			 enum roceguard_knob knob, struct rg_text *text);

#endif /* RG_LOGIC_OVERLAY_H */
