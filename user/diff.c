// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's comparison (kernel/knobs), of what can be read from outside. The
 * words are the same, so is the logic below it.
 */
#include <linux/dcbnl.h>
#include <stdio.h>
#include <string.h>

#include "../kernel/habits.h"
#include "compare.h"
#include "diff.h"
#include "params.h"

/**
 * struct view - a port and what a policy wants of it
 * @have: the port
 * @want: of the policy
 * @habits: of the driver
 */
struct view {
	const struct have *have;
	const struct rg_want *want;
	const struct rg_habits *habits;
};

/* dscp */

static struct rg_dscp_entry entry_of(const struct view *v, u8 dscp)
{
	return (struct rg_dscp_entry){
		.table	  = v->have->map[dscp],
		.fallback = rg_habits_default_priority(v->habits, dscp),
		.hw	  = RG_UNSET,
	};
}

static bool dscp_right(const struct view *v, u8 dscp)
{
	struct rg_dscp_entry entry = entry_of(v, dscp);

	return rg_dscp_fits(v->want, dscp, &entry);
}

static bool dscp_same(const struct view *v)
{
	u8 dscp;

	if (v->have->trust != v->want->trust)
		return false;
	if (v->want->trust == ROCEGUARD_TRUST_PCP)
		return true;
	for (dscp = 0; dscp < RG_DSCPS; dscp++)
		if (!dscp_right(v, dscp))
			return false;
	return true;
}

static void describe_entry(const struct view *v, struct rg_text *text, u8 dscp)
{
	struct rg_dscp_entry entry = entry_of(v, dscp);

	rg_text_dscp(text, dscp, rg_dscp_landing(&entry));
}

static void dscp_describe(const struct view *v, struct rg_text *have,
			  struct rg_text *want)
{
	const u8 *map = v->want->map;
	u8 dscp;

	rg_text_add(have, "trust %s", rg_text_trust(v->have->trust));
	rg_text_add(want, "trust %s", rg_text_trust(v->want->trust));
	if (v->want->trust == ROCEGUARD_TRUST_PCP)
		return;
	for (dscp = 0; dscp < RG_DSCPS; dscp++) {
		if (map[dscp] == RG_UNSET)
			continue;
		describe_entry(v, have, dscp);
		rg_text_add(want, " %u:%u", dscp, map[dscp]);
	}
	for (dscp = 0; dscp < RG_DSCPS; dscp++) {
		if (map[dscp] != RG_UNSET || dscp_right(v, dscp))
			continue;
		describe_entry(v, have, dscp);
		rg_text_add(want, " %u:0", dscp);
	}
}

/* Each entry is a call of the driver; one that replaces needs no deletion. */
static unsigned int dscp_writes_of(const struct view *v, u8 dscp)
{
	u8 prio = v->want->map[dscp] == RG_UNSET ? 0 : v->want->map[dscp];
	u8 table = v->have->map[dscp];
	unsigned int n = !(table & BIT(prio));

	if (v->habits->remap != RG_REMAP_REPLACE)
		n += (unsigned int)hweight8(table & ~BIT(prio));
	return n;
}

static unsigned int dscp_writes(const struct view *v)
{
	bool trust = v->have->trust != v->want->trust;
	unsigned int n = trust && v->have->apptrust;
	u8 dscp;

	for (dscp = 0; dscp < RG_DSCPS; dscp++) {
		if (v->want->trust == ROCEGUARD_TRUST_DSCP)
			n += dscp_right(v, dscp) ? 0 : dscp_writes_of(v, dscp);
		else if (!v->have->apptrust)
			n += (unsigned int)hweight8(v->have->map[dscp]);
	}
	return n;
}

/* The others */

static bool has_dscp(const struct view *v)
{
	u8 dscp;

	for (dscp = 0; dscp < RG_DSCPS; dscp++)
		if (v->have->map[dscp])
			return true;
	return v->want->knobs & BIT(ROCEGUARD_KNOB_DSCP) &&
	       v->want->trust == ROCEGUARD_TRUST_DSCP;
}

/* As the port can hold it when the policy's map is there. */
static struct rg_tcs ets_wanted(const struct view *v)
{
	return v->habits->tc_is_priority && has_dscp(v) ?
	       rg_tcs_by_priority(v->want) : rg_tcs_wanted(v->want);
}

static bool ets_same(const struct view *v)
{
	struct rg_tcs want = ets_wanted(v);

	return rg_tcs_fit(&want, v->have->prio_tc, v->have->tsa,
			  v->have->bandwidth);
}

static void ets_describe(const struct view *v, struct rg_text *have,
			 struct rg_text *want)
{
	struct rg_tcs w = ets_wanted(v);

	rg_text_ets(have, v->have->prio_tc, v->have->tsa, v->have->bandwidth,
		    w.n);
	rg_text_ets(want, w.prio_tc, w.tsa, w.bandwidth, w.n);
}

static bool pause_same(const struct view *v)
{
	return v->have->pause_rx == v->want->pause_rx &&
	       v->have->pause_tx == v->want->pause_tx;
}

static void pause_describe(const struct view *v, struct rg_text *have,
			   struct rg_text *want)
{
	rg_text_pause(have, v->have->pause_rx, v->have->pause_tx);
	rg_text_pause(want, v->want->pause_rx, v->want->pause_tx);
}

/* What the driver is told of the cable; 0: nothing, or not yet. */
static u16 pfc_delay(const struct view *v)
{
	u16 cable = v->want->cable;
	u32 bits;

	if (v->habits->cable == RG_CABLE_METRES)
		return cable;
	if (v->habits->cable == RG_CABLE_IGNORED)
		return 0;
	bits = rg_cable_bits(cable, v->have->mbps);
	return (u16)min(bits, (u32)UINT16_MAX);
}

static bool pfc_same(const struct view *v)
{
	u16 delay = pfc_delay(v);

	return v->have->pfc == v->want->pfc &&
	       (!delay || delay == v->have->delay);
}

static bool pfc_hitless(const struct view *v)
{
	return v->habits->cable == RG_CABLE_METRES &&
	       v->have->pfc == v->want->pfc;
}

static void pfc_describe(const struct view *v, struct rg_text *have,
			 struct rg_text *want)
{
	bool metres = v->habits->cable == RG_CABLE_METRES;
	u16 delay = pfc_delay(v);

	rg_text_priorities(have, v->have->pfc);
	rg_text_priorities(want, v->want->pfc);
	if (!delay)
		return;
	rg_text_delay(have, v->have->delay, metres);
	rg_text_delay(want, delay, metres);
}

/* Of the priorities that the policy names; the others are none of its business. */
static u8 ecn_named(const struct view *v, int role)
{
	u8 named = v->want->ecn_on[role] | v->want->ecn_off[role];

	return v->have->ecn[role] & named;
}

static bool ecn_same(const struct view *v)
{
	return ecn_named(v, 0) == v->want->ecn_on[0] &&
	       ecn_named(v, 1) == v->want->ecn_on[1];
}

static void ecn_describe(const struct view *v, struct rg_text *have,
			 struct rg_text *want)
{
	const u8 on[] = { ecn_named(v, 0), ecn_named(v, 1) };

	rg_text_ecn(have, on, NULL);
	rg_text_ecn(want, v->want->ecn_on, NULL);
}

static unsigned int ecn_writes(const struct view *v)
{
	return (unsigned int)(hweight8(ecn_named(v, 0) ^ v->want->ecn_on[0]) +
			      hweight8(ecn_named(v, 1) ^ v->want->ecn_on[1]));
}

#define DCBX_OURS	(DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_IEEE)

static bool dcbx_same(const struct view *v)
{
	return (v->have->dcbx & DCBX_OURS) == DCBX_OURS &&
	       !(v->have->dcbx & DCB_CAP_DCBX_LLD_MANAGED);
}

static void dcbx_text(struct rg_text *text, u8 dcbx)
{
	bool host = dcbx & DCB_CAP_DCBX_HOST &&
		    !(dcbx & DCB_CAP_DCBX_LLD_MANAGED);

	rg_text_add(text, "%s %s", host ? "host" : "firmware",
		    dcbx & DCB_CAP_DCBX_VER_IEEE ? "ieee" :
		    dcbx & DCB_CAP_DCBX_VER_CEE ? "cee" : "none");
}

static void dcbx_describe(const struct view *v, struct rg_text *have,
			  struct rg_text *want)
{
	dcbx_text(have, v->have->dcbx);
	dcbx_text(want, DCBX_OURS);
}

static bool maxrate_same(const struct view *v)
{
	return rg_rates_fit(v->want, v->have->kbps);
}

static void maxrate_describe(const struct view *v, struct rg_text *have,
			     struct rg_text *want)
{
	u64 kbps[RG_TCS];
	int tc;

	for (tc = 0; tc < RG_TCS; tc++)
		kbps[tc] = v->want->kbps[tc];
	rg_text_rates(have, v->want->rated, v->have->kbps);
	rg_text_rates(want, v->want->rated, kbps);
}

static bool buffer_same(const struct view *v)
{
	return rg_buffers_fit(v->want, v->have->buffer_size,
			      v->have->prio_buffer);
}

static void buffer_describe(const struct view *v, struct rg_text *have,
			    struct rg_text *want)
{
	u8 prio_buffer[RG_PRIORITIES];
	int i;

	for (i = 0; i < RG_PRIORITIES; i++)
		prio_buffer[i] = v->want->prio_buffer[i] == RG_UNSET ?
				 RG_UNSET : v->have->prio_buffer[i];
	rg_text_buffers(have, v->want->sized, v->have->buffer_size,
			prio_buffer);
	rg_text_buffers(want, v->want->sized, v->want->buffer_size,
			v->want->prio_buffer);
}

static bool mtu_same(const struct view *v)
{
	return v->have->mtu >= v->want->mtu;
}

static void mtu_describe(const struct view *v, struct rg_text *have,
			 struct rg_text *want)
{
	rg_text_mtu(have, v->have->mtu);
	rg_text_mtu(want, v->want->mtu);
}

static unsigned int mtu_writes(const struct view *v)
{
	(void)v;
	return 0;
}

static bool storm_same(const struct view *v)
{
	u16 have = v->have->storm, want = v->want->storm;

	return have == want || (want == ROCEGUARD_STORM_AUTO && have &&
				have == v->habits->storm_auto_ms);
}

static void storm_describe(const struct view *v, struct rg_text *have,
			   struct rg_text *want)
{
	rg_text_storm(have, v->have->storm);
	rg_text_storm(want, v->want->storm);
}

/* Only the module can read these, and knows them by the same words. */

static void dcqcn_describe(const struct view *v, struct rg_text *have,
			   struct rg_text *want)
{
	(void)have;
	rg_text_params(want,
		       v->want->params & rg_params_of(ROCEGUARD_KNOB_DCQCN),
		       v->want->param);
}

static void cnp_describe(const struct view *v, struct rg_text *have,
			 struct rg_text *want)
{
	(void)have;
	rg_text_params(want, v->want->params & rg_params_of(ROCEGUARD_KNOB_CNP),
		       v->want->param);
}

static void rdma_cm_describe(const struct view *v, struct rg_text *have,
			     struct rg_text *want)
{
	(void)have;
	rg_text_rdma_cm(want, v->want->cm_tos, v->want->cm_mode);
}

static void egress_describe(const struct view *v, struct rg_text *have,
			    struct rg_text *want)
{
	(void)have;
	rg_text_egress(want, v->want->egress);
}

/**
 * struct knob - how a knob is compared
 * @same: is it as wanted? NULL: only the module can read it
 * @describe: have and want in words
 * @writes: how many calls of the driver mend it; NULL: one
 * @hitless: do they cost less than the driver's habits say? NULL: no
 */
struct knob {
	bool (*same)(const struct view *v);
	void (*describe)(const struct view *v, struct rg_text *have,
			 struct rg_text *want);
	unsigned int (*writes)(const struct view *v);
	bool (*hitless)(const struct view *v);
};

static const struct knob knobs[RG_KNOBS] = {
	[ROCEGUARD_KNOB_DCBX]	 = { dcbx_same, dcbx_describe },
	[ROCEGUARD_KNOB_DSCP]	 = { dscp_same, dscp_describe, dscp_writes },
	[ROCEGUARD_KNOB_ETS]	 = { ets_same, ets_describe },
	[ROCEGUARD_KNOB_BUFFER]	 = { buffer_same, buffer_describe },
	[ROCEGUARD_KNOB_MAXRATE] = { maxrate_same, maxrate_describe },
	[ROCEGUARD_KNOB_STORM_PREVENTION] = { storm_same, storm_describe },
	[ROCEGUARD_KNOB_PAUSE]	 = { pause_same, pause_describe },
	[ROCEGUARD_KNOB_PFC]	 = { pfc_same, pfc_describe, NULL,
				     pfc_hitless },
	[ROCEGUARD_KNOB_ECN]	 = { ecn_same, ecn_describe, ecn_writes },
	[ROCEGUARD_KNOB_DCQCN]	 = { NULL, dcqcn_describe },
	[ROCEGUARD_KNOB_CNP]	 = { NULL, cnp_describe },
	[ROCEGUARD_KNOB_MTU]	 = { mtu_same, mtu_describe, mtu_writes },
	[ROCEGUARD_KNOB_RDMA_CM] = { NULL, rdma_cm_describe },
	[ROCEGUARD_KNOB_VLAN_EGRESS] = { NULL, egress_describe },
};

enum diff_status diff_same(u32 knob, const struct have *have,
			   const struct rg_want *want)
{
	const struct view v = { have, want, rg_habits_of(have->driver) };

	if (!(have->read & BIT(knob)) || !knobs[knob].same)
		return DIFF_UNKNOWN;
	return knobs[knob].same(&v) ? DIFF_SAME : DIFF_DIFFERS;
}

/* What the module read of a knob, if it wants the same of it already. */
static bool ask_module(struct diff *d, const struct model_port *port)
{
	const struct model_knob *knob = &port->knob[d->knob];

	if (!knob->have[0] || !knob->want[0] ||
	    strcmp(knob->want, d->want.buf))
		return false;
	rg_text_init(&d->have);
	rg_text_add(&d->have, "%s", knob->have);
	d->status = knob->verdict == ROCEGUARD_VERDICT_HELD ||
		    knob->verdict == ROCEGUARD_VERDICT_CORRECTED ?
		    DIFF_SAME : DIFF_DIFFERS;
	d->writes = d->status == DIFF_DIFFERS;
	return true;
}

static void unreadable(struct diff *d, const struct diff_port *port)
{
	const struct model_knob *knob = port->known ?
					&port->known->knob[d->knob] : NULL;

	rg_text_init(&d->have);
	d->status = DIFF_UNKNOWN;
	if (knob && knob->verdict == ROCEGUARD_VERDICT_UNSUPPORTED)
		snprintf(d->reason, sizeof(d->reason), "%s", knob->reason);
	else if (knobs[d->knob].same && d->knob != ROCEGUARD_KNOB_ECN)
		snprintf(d->reason, sizeof(d->reason), "driver %s does not answer for it",
			 port->have.driver[0] ? port->have.driver : "-");
	else if (!knob)
		snprintf(d->reason, sizeof(d->reason), "not readable without the module");
	else
		snprintf(d->reason, sizeof(d->reason), "read by the module once a policy says so");
}

/* A provider may know better than the driver's name. */
static u32 cost_of(const struct diff_port *port, const struct rg_habits *habits,
		   u32 id)
{
	const struct model_port *known = port->known;

	if (known && known->knob[id].verdict != ROCEGUARD_VERDICT_UNMANAGED)
		return known->knob[id].cost;
	return habits->cost[id];
}

static void diff_one(struct diff_port *port, const struct view *v, u32 id)
{
	struct diff *d = &port->diff[port->n++];
	const struct knob *knob = &knobs[id];

	memset(d, 0, sizeof(*d));
	d->knob = id;
	d->cost = knob->hitless && knob->hitless(v) ?
		  ROCEGUARD_COST_HITLESS : cost_of(port, v->habits, id);
	d->status = diff_same(id, v->have, v->want);
	knob->describe(v, &d->have, &d->want);
	if (d->status == DIFF_DIFFERS)
		d->writes = knob->writes ? knob->writes(v) : 1;
	if (d->status == DIFF_UNKNOWN &&
	    !(port->known && ask_module(d, port->known)))
		unreadable(d, port);
	if (d->cost != ROCEGUARD_COST_HITLESS && v->have->linked)
		d->link_drops = d->writes;
	port->differ += d->status == DIFF_DIFFERS;
	port->link_drops += d->link_drops;
}

void diff_port(struct diff_port *port, const struct rg_want *want)
{
	const struct view v = { &port->have, want,
				rg_habits_of(port->have.driver) };
	u32 id;

	port->n = port->differ = port->link_drops = 0;
	for (id = 0; id < RG_KNOBS; id++)
		if (want->knobs & BIT(id))
			diff_one(port, &v, id);
}
