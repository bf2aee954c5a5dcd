// SPDX-License-Identifier: GPL-2.0
/*
 * A policy from a port as it is now: knob by knob as expert sections. One that
 * the policy could not hold without a write is left out, with the reason.
 */
#include <stdio.h>
#include <string.h>

#include "../kernel/habits.h"
#include "diff.h"
#include "import.h"

/* Each puts what the port has of a knob into a policy; false: it can't be said. */

static bool put_dscp(struct rg_expert *x, const struct have *have)
{
	u8 dscp, prio;

	x->trust = have->trust;
	x->set |= BIT(RG_EXPERT_TRUST);
	for (dscp = 0; have->trust == ROCEGUARD_TRUST_DSCP && dscp < RG_DSCPS;
	     dscp++) {
		if (!have->map[dscp])
			continue;
		for (prio = 0; !(have->map[dscp] & BIT(prio)); prio++)
			;
		if (have->map[dscp] != BIT(prio))
			return false;
		x->map[dscp] = prio;
		x->set |= BIT(RG_EXPERT_MAP);
	}
	return true;
}

/* Up to the last traffic class that has a priority, and then all that share. */
static bool put_ets(struct rg_expert *x, const struct have *have)
{
	u8 i, last = 0;

	for (i = 0; i < RG_PRIORITIES; i++) {
		x->prio_tc[i] = have->prio_tc[i];
		last = max(last, have->prio_tc[i]);
	}
	if (last >= RG_TCS)
		return false;
	for (i = 0; i < RG_TCS; i++) {
		if (i > last && (have->tsa[i] != ROCEGUARD_TSA_ETS ||
				 !have->bandwidth[i]))
			continue;
		if (have->tsa[i] == RG_UNSET)
			return false;
		x->tsa[i] = have->tsa[i];
		if (have->tsa[i] == ROCEGUARD_TSA_ETS)
			x->bandwidth[i] = have->bandwidth[i];
	}
	x->set |= BIT(RG_EXPERT_PRIO_TC) | BIT(RG_EXPERT_TC);
	return true;
}

static bool put_pause(struct rg_expert *x, const struct have *have)
{
	x->pause_rx = have->pause_rx;
	x->pause_tx = have->pause_tx;
	x->set |= BIT(RG_EXPERT_PAUSE_RX) | BIT(RG_EXPERT_PAUSE_TX);
	return true;
}

/* With the cable length, where the driver says it in metres. */
static bool put_pfc(struct rg_expert *x, const struct have *have)
{
	bool metres = rg_habits_of(have->driver)->cable == RG_CABLE_METRES;

	x->pfc = have->pfc;
	x->set |= BIT(RG_EXPERT_PFC);
	if (!have->pfc || !metres || !have->delay ||
	    have->delay > ROCEGUARD_CABLE_MAX)
		return true;
	x->cable = have->delay;
	x->set |= BIT(RG_EXPERT_CABLE);
	return true;
}

static bool put_storm(struct rg_expert *x, const struct have *have)
{
	x->storm = have->storm;
	x->set |= BIT(RG_EXPERT_STORM);
	return true;
}

static bool put_ecn(struct rg_expert *x, const struct have *have)
{
	x->ecn_np = have->ecn[0];
	x->ecn_rp = have->ecn[1];
	x->set |= BIT(RG_EXPERT_ECN_NP) | BIT(RG_EXPERT_ECN_RP);
	return true;
}

static bool put_rates(struct rg_expert *x, const struct have *have)
{
	int tc;

	for (tc = 0; tc < RG_TCS; tc++) {
		if (have->kbps[tc] > UINT32_MAX)
			return false;
		x->kbps[tc] = (u32)have->kbps[tc];
	}
	x->rated = 0xff;
	x->set |= BIT(RG_EXPERT_RATE);
	return true;
}

static bool put_buffers(struct rg_expert *x, const struct have *have)
{
	memcpy(x->buffer_size, have->buffer_size, sizeof(x->buffer_size));
	memcpy(x->prio_buffer, have->prio_buffer, sizeof(x->prio_buffer));
	x->sized = 0xff;
	x->set |= BIT(RG_EXPERT_BUFFER_SIZE) | BIT(RG_EXPERT_BUFFER_PRIO);
	return true;
}

/*
 * PFC before the map, for the map is judged by it. Who sets DCB is left alone:
 * a policy need not own it to hold the rest.
 */
static const struct {
	u32 knob;
	bool (*put)(struct rg_expert *x, const struct have *have);
} knobs[] = {
	{ ROCEGUARD_KNOB_PFC, put_pfc },
	{ ROCEGUARD_KNOB_PAUSE, put_pause },
	{ ROCEGUARD_KNOB_ETS, put_ets },
	{ ROCEGUARD_KNOB_DSCP, put_dscp },
	{ ROCEGUARD_KNOB_MAXRATE, put_rates },
	{ ROCEGUARD_KNOB_BUFFER, put_buffers },
	{ ROCEGUARD_KNOB_STORM_PREVENTION, put_storm },
	{ ROCEGUARD_KNOB_ECN, put_ecn },
};

/* The knob that would be written, RG_KNOBS if none; unread ones are none. */
static u32 written(const struct have *have, const struct rg_want *want)
{
	u32 id;

	for (id = 0; id < RG_KNOBS; id++)
		if (want->knobs & BIT(id) &&
		    diff_same(id, have, want) == DIFF_DIFFERS)
			break;
	return id;
}

static void leave_out(struct import *import, u32 knob, const char *why)
{
	import->left_out |= BIT(knob);
	snprintf(import->why[knob], sizeof(import->why[knob]), "%s", why);
}

static void import_knob(struct import *import, const struct have *have, size_t i)
{
	struct rg_policy_spec with = import->spec;
	u32 knob = knobs[i].knob;
	struct rg_problem problem;
	struct rg_want want;
	u32 other;

	if (!(have->read & BIT(knob)))
		leave_out(import, knob, knob == ROCEGUARD_KNOB_ECN ?
			  "not readable without the module" :
			  "the driver does not answer for it");
	else if (!knobs[i].put(&with.expert, have))
		leave_out(import, knob, "no policy can say what it is");
	else if (rg_policy_derive(&with, &want, &problem))
		leave_out(import, knob, problem.text);
	else if ((other = written(have, &want)) == ROCEGUARD_KNOB_DSCP)
		leave_out(import, knob, "DSCPs that go to a lossless priority unnamed would be moved");
	else if (other < RG_KNOBS)
		leave_out(import, knob, "with it, another setting would be written");
	else
		import->spec = with;
}

int import_port(struct import *import, const struct have *have,
		const char *name)
{
	struct rg_match *m = &import->spec.match;
	size_t i;

	memset(import, 0, sizeof(*import));
	rg_policy_init(&import->spec);
	snprintf(import->spec.name, sizeof(import->spec.name), "%s", name);
	snprintf(m->ifname[m->n_ifname++], sizeof(m->ifname[0]), "%s",
		 have->ifname);
	m->rdma = false;
	for (i = 0; i < ARRAY_SIZE(knobs); i++)
		import_knob(import, have, i);
	leave_out(import, ROCEGUARD_KNOB_DCQCN, "only the module can read it");
	leave_out(import, ROCEGUARD_KNOB_CNP, "only the module can read it");
	return import->spec.expert.set ? 0 : -1;
}
