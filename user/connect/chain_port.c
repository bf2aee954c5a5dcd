// SPDX-License-Identifier: GPL-2.0
/*
 * The chain through one port: its policy and class, and what the knobs make of
 * the ToS byte. A knob whose verdict is anything but "as the policy says"
 * breaks the chain where frames could be lost by it.
 */

#include <stdio.h>
#include <string.h>
#include "chain.h"
#include "words.h"

static bool verdict_good(uint32_t verdict)
{
	return verdict == ROCEGUARD_VERDICT_HELD ||
	       verdict == ROCEGUARD_VERDICT_CORRECTED;
}

static void judge_carrier(const struct chain_view *v)
{
	const struct conn_link *link = v->link;
	bool bonded = *v->facts->route.bond;
	struct conn_step *step;

	if (link->up && link->carrier) {
		chain_add(v->chain, "carrier", v->ifname, CONN_OK, "up");
		return;
	}
	/* The other ports of the bond carry the frames meanwhile. */
	step = chain_add(v->chain, "carrier", v->ifname,
			 bonded ? CONN_NOTE : CONN_BROKEN, "%s",
			 link->up ? "no carrier" : "set down");
	if (link->up)
		chain_mend(step, "see to the cable and the switch port");
	else
		chain_mend(step, "ip link set dev %s up", v->ifname);
}

static bool judge_policy(const struct chain_view *v)
{
	const struct conn_port *p = v->p;
	struct conn_step *step;

	if (!p->known) {
		step = chain_add(v->chain, "policy", v->ifname, CONN_BROKEN,
				 "roceguard.ko knows no such port: %s",
				 p->why);
		chain_mend(step, "connect by an Ethernet port with an RDMA device");
	} else if (p->late) {
		step = chain_add(v->chain, "policy", v->ifname, CONN_BROKEN,
				 "the port did not answer in time (state %s)",
				 rg_word(&rg_words_state, p->port.state));
		chain_mend(step, "roceguard port show %s", v->ifname);
	} else if (!*p->port.policy) {
		step = chain_add(v->chain, "policy", v->ifname, CONN_BROKEN,
				 "no policy governs this port");
		chain_mend(step, "roceguard policy load storage --on %s",
			   v->ifname);
	} else if (!p->has_policy) {
		step = chain_add(v->chain, "policy", v->ifname, CONN_BROKEN,
				 "policy %s cannot be read: %s", p->port.policy,
				 p->why);
		chain_mend(step, "roceguard policy show");
	} else if (p->port.state == ROCEGUARD_STATE_SICK) {
		step = chain_add(v->chain, "policy", v->ifname, CONN_BROKEN,
				 "the device does not answer: %s",
				 p->port.reason);
		chain_mend(step, "roceguard port apply %s", v->ifname);
	} else {
		chain_add(v->chain, "policy", v->ifname, CONN_OK, "%s, %s%s",
			  p->port.policy,
			  rg_word(&rg_words_state, p->port.state),
			  p->fresh ? "" : " when last looked at");
		return true;
	}
	return false;
}

static void list_lossless(const struct rg_policy_spec *spec, char *buf,
			  size_t size)
{
	size_t len = 0;
	unsigned int i;

	buf[0] = '\0';
	for (i = 0; i < spec->n_classes && len < size; i++)
		if (spec->class[i].lossless)
			len += snprintf(buf + len, size - len, "%s%s",
					len ? ", " : "", spec->class[i].name);
}

/* The user's own ToS needs no class: the map says where it goes. */
static void judge_class(const struct chain_view *v)
{
	const struct rg_policy_spec *spec = &v->p->policy.spec;
	bool own = v->args->tos >= 0;
	const struct rg_class *class;
	struct conn_step *step;
	unsigned int candidates;
	char names[CONN_TEXT / 2];

	class = rg_policy_connections(spec, &candidates);
	if (class && class->dscp) {
		chain_add(v->chain, "class", v->ifname, CONN_OK, "%s%s",
			  class->name, class->lossless ? "" : ", not lossless");
		return;
	}
	list_lossless(spec, names, sizeof(names));
	if (class)
		step = chain_add(v->chain, "class", v->ifname,
				 own ? CONN_NOTE : CONN_BROKEN,
				 "class %s of policy %s has no DSCP",
				 class->name, spec->name);
	else if (candidates > 1)
		step = chain_add(v->chain, "class", v->ifname,
				 own ? CONN_NOTE : CONN_BROKEN,
				 "policy %s has several lossless classes: %s",
				 spec->name, names);
	else
		step = chain_add(v->chain, "class", v->ifname,
				 own ? CONN_NOTE : CONN_BROKEN,
				 "policy %s has no class for connections",
				 spec->name);
	chain_mend(step, "name it in policy %s: [Connection] Class=NAME, or give --tos",
		   spec->name);
}

static void mend_knob(struct conn_step *step, const struct chain_view *v,
		      const struct model_knob *knob)
{
	const struct model_host *host = &v->facts->host;

	switch (knob->verdict) {
	case ROCEGUARD_VERDICT_UNMANAGED:
		chain_mend(step, "name it in policy %s", v->p->port.policy);
		return;
	case ROCEGUARD_VERDICT_DRIFTED:
		if (host->frozen)
			chain_mend(step, "roceguard thaw");
		else if (host->mode == ROCEGUARD_MODE_OBSERVE)
			chain_mend(step, "load roceguard with mode=enforce");
		else if (v->p->policy.spec.observe)
			chain_mend(step, "load policy %s without --observe and with Mode=enforce",
				   v->p->port.policy);
		else if (!rg_policy_rolled_out(&v->p->policy.spec))
			chain_mend(step, "wait for the rollout, or load policy %s with a higher Rollout=",
				   v->p->port.policy);
		else if (v->p->policy.spec.expert.dcbx ==
			 ROCEGUARD_DCBX_MODE_FOLLOW)
			chain_mend(step, "mend what the switch says by DCBX, or load policy %s without [DCBX] Mode=follow",
				   v->p->port.policy);
		else
			chain_mend(step, "roceguard port apply %s", v->ifname);
		return;
	case ROCEGUARD_VERDICT_DEFERRED:
		chain_mend(step, "wait, or roceguard port apply %s --now, which drops its link",
			   v->ifname);
		return;
	case ROCEGUARD_VERDICT_CONTESTED:
		chain_mend(step, "stop the rival (see roceguard history), then roceguard port apply %s",
			   v->ifname);
		return;
	case ROCEGUARD_VERDICT_REFUSED:
	case ROCEGUARD_VERDICT_UNSUPPORTED:
	case ROCEGUARD_VERDICT_DELEGATED:
	case ROCEGUARD_VERDICT_INACTIVE:
		chain_mend(step, "roceguard port show %s says what the driver wants",
			   v->ifname);
		return;
	default:
		chain_mend(step, "roceguard port apply %s", v->ifname);
	}
}

/* "knob pfc is drifted: has off, wants 3; why". */
static void knob_words(const struct model_knob *knob, bool quiet, char *buf,
		       size_t size)
{
	const char *reason = quiet ? "" : knob->reason;
	bool told = *knob->have || *knob->want;

	snprintf(buf, size, "knob %s is %s%s%s%s%s%s%s",
		 rg_word(&rg_words_knob, knob->id),
		 rg_word(&rg_words_verdict, knob->verdict),
		 told ? ": has " : "", told ? knob->have : "",
		 told ? ", wants " : "", told ? knob->want : "",
		 *reason ? "; " : "", reason);
}

static void bad_knob(const struct chain_view *v, const char *name,
		     enum conn_status status, const struct model_knob *knob)
{
	bool drifted = knob->verdict == ROCEGUARD_VERDICT_DRIFTED;
	struct conn_step *step;
	char words[CONN_SEEN];

	/* Why a drift is left alone is what the remedy says. */
	knob_words(knob, drifted, words, sizeof(words));
	step = chain_add(v->chain, name, v->ifname, status, "%s", words);
	mend_knob(step, v, knob);
}

/*
 * What a DSCP becomes. One that the policy does not name is kept out of every
 * priority it holds exclusively, by moving it to priority 0; without such
 * priorities the driver's own map rules, which nothing here knows.
 */
static int priority_by_dscp(const struct rg_want *want, int dscp)
{
	if (want->map[dscp] != RG_UNSET)
		return want->map[dscp];
	return want->exclusive ? 0 : -1;
}

/* rdma_cm fills the tag from the VLAN's egress map, not from the DSCP. */
static int priority_by_tag(const struct conn_route *route, int tos)
{
	return route->tagged ? route->vlan.egress[rg_tos_skprio((u8)tos)] : 0;
}

/* What makes the frames' tag carry the priority that their class has. */
static void mend_tag(struct conn_step *step, const struct chain_view *v,
		     unsigned int priority)
{
	const struct conn_route *route = &v->facts->route;

	chain_mend(step, "ip link set dev %s type vlan egress-qos-map %u:%u",
		   route->vlan.name, rg_tos_skprio((u8)v->chain->tos.byte),
		   priority);
}

/* The port goes by DSCP; a switch may go by the tag all the same. */
static void judge_tag(const struct chain_view *v, unsigned int priority)
{
	const struct conn_route *route = &v->facts->route;
	unsigned int tag = priority_by_tag(route, v->chain->tos.byte);
	struct conn_step *step;

	if (!route->tagged || tag == priority)
		return;
	step = chain_add(v->chain, "tag", v->ifname, CONN_NOTE,
			 "VLAN %s tags these frames with priority %u, their DSCP has %u: a switch that goes by the tag may lose them",
			 route->vlan.name, tag, priority);
	mend_tag(step, v, priority);
}

static int judge_dscp(const struct chain_view *v)
{
	const struct model_knob *knob =
		&v->p->port.knob[ROCEGUARD_KNOB_DSCP];
	const struct rg_want *want = &v->p->want;
	bool tagged = v->facts->route.tagged;
	int tos = v->chain->tos.byte;
	struct conn_step *step;
	int priority;

	if (!verdict_good(knob->verdict)) {
		bad_knob(v, "dscp", CONN_BROKEN, knob);
		return -1;
	}
	if (want->trust == ROCEGUARD_TRUST_PCP) {
		priority = priority_by_tag(&v->facts->route, tos);
		chain_add(v->chain, "dscp", v->ifname, CONN_OK,
			  "the port goes by the VLAN tag, not by DSCP: %s priority %d",
			  tagged ? "tagged" : "untagged frames are",
			  priority);
		return priority;
	}
	priority = priority_by_dscp(want, tos >> 2);
	if (priority < 0) {
		step = chain_add(v->chain, "dscp", v->ifname, CONN_BROKEN,
				 "policy %s does not say what priority DSCP %d has",
				 v->p->port.policy, tos >> 2);
		chain_mend(step, "add DSCP %d to a lossless class, or use another --tos",
			   tos >> 2);
		return -1;
	}
	chain_add(v->chain, "dscp", v->ifname, CONN_OK,
		  "DSCP %d has priority %d, %s (%s)", tos >> 2, priority,
		  rg_word(&rg_words_verdict, knob->verdict),
		  rg_word(&rg_words_source, knob->source));
	judge_tag(v, priority);
	return priority;
}

static void judge_tc(const struct chain_view *v, int priority)
{
	const struct model_knob *knob = &v->p->port.knob[ROCEGUARD_KNOB_ETS];

	if (verdict_good(knob->verdict))
		chain_add(v->chain, "tc", v->ifname, CONN_OK,
			  "priority %d has traffic class %u, %s (%s)", priority,
			  v->p->want.prio_tc[priority],
			  rg_word(&rg_words_verdict, knob->verdict),
			  rg_word(&rg_words_source, knob->source));
	else if (knob->verdict == ROCEGUARD_VERDICT_UNMANAGED ||
		 knob->verdict == ROCEGUARD_VERDICT_UNSUPPORTED)
		bad_knob(v, "tc", CONN_UNKNOWN, knob);
	else
		bad_knob(v, "tc", CONN_BROKEN, knob);
}

/*
 * Where the port goes by the tag, the ToS byte decides by way of the socket
 * priority that the kernel makes of it, and its DSCP by nothing at all.
 */
static bool mend_pcp(struct conn_step *step, const struct chain_view *v)
{
	const struct rg_class *class;
	unsigned int candidates;

	if (v->p->want.trust != ROCEGUARD_TRUST_PCP ||
	    !(v->p->want.knobs & BIT(ROCEGUARD_KNOB_DSCP)))
		return false;
	class = rg_policy_connections(&v->p->policy.spec, &candidates);
	if (!v->facts->route.tagged)
		chain_mend(step, "connect by a VLAN on %s, or let policy %s trust DSCP",
			   v->ifname, v->p->port.policy);
	else if (class && class->lossless)
		mend_tag(step, v, class->priority);
	else
		return false;
	return true;
}

static void judge_pfc(const struct chain_view *v, int priority)
{
	const struct model_knob *knob = &v->p->port.knob[ROCEGUARD_KNOB_PFC];
	struct conn_step *step;
	char words[64];

	if (!verdict_good(knob->verdict)) {
		bad_knob(v, "pfc", CONN_BROKEN, knob);
		return;
	}
	if (v->p->want.pfc & BIT(priority)) {
		chain_add(v->chain, "pfc", v->ifname, CONN_OK,
			  "on for priority %d, %s (%s)", priority,
			  rg_word(&rg_words_verdict, knob->verdict),
			  rg_word(&rg_words_source, knob->source));
		return;
	}
	conn_tos_words(v->chain->tos.byte, words, sizeof(words));
	step = chain_add(v->chain, "pfc", v->ifname, CONN_BROKEN,
			 "ToS %s takes priority %d, where policy %s has no PFC",
			 words, priority, v->p->port.policy);
	if (mend_pcp(step, v))
		return;
	if (v->chain->tos.from_user && v->chain->tos.by_policy >= 0)
		chain_mend(step, "leave --tos out: the policy's is %d",
			   v->chain->tos.by_policy);
	else
		chain_mend(step, "make the class of this priority Lossless=yes in policy %s",
			   v->p->port.policy);
}

static void judge_pause(const struct chain_view *v)
{
	const struct model_knob *knob = &v->p->port.knob[ROCEGUARD_KNOB_PAUSE];
	bool on = v->p->want.pause_rx || v->p->want.pause_tx;

	if (knob->verdict == ROCEGUARD_VERDICT_UNSUPPORTED)
		chain_add(v->chain, "pause", v->ifname, CONN_OK,
			  "the port has no global pause");
	else if (knob->verdict == ROCEGUARD_VERDICT_UNMANAGED)
		bad_knob(v, "pause", CONN_UNKNOWN, knob);
	else if (!verdict_good(knob->verdict))
		bad_knob(v, "pause", CONN_BROKEN, knob);
	else
		chain_add(v->chain, "pause", v->ifname, CONN_OK, "%s, %s (%s)",
			  on ? "on" : "off",
			  rg_word(&rg_words_verdict, knob->verdict),
			  rg_word(&rg_words_source, knob->source));
}

/* ECN makes frames fewer, not lossless: its absence costs ECT(0) only. */
static void judge_ecn(const struct chain_view *v)
{
	const struct model_knob *knob = &v->p->port.knob[ROCEGUARD_KNOB_ECN];
	const struct conn_tos *tos = &v->chain->tos;
	const char *carry = conn_tos_ect0(tos->byte) ? "carry ECT(0)" :
						       "carry no ECT(0)";

	if (tos->ect == CONN_ECT_NOT_HELD)
		bad_knob(v, "ecn", CONN_NOTE, knob);
	else if (tos->ect == CONN_ECT_ON)
		chain_add(v->chain, "ecn", v->ifname, CONN_OK,
			  "reaction point %s (%s): frames %s",
			  rg_word(&rg_words_verdict, knob->verdict),
			  rg_word(&rg_words_source, knob->source), carry);
	else
		chain_add(v->chain, "ecn", v->ifname, CONN_NOTE,
			  "not asked for: frames %s", carry);
}

/**
 * chain_rp_held() - is the reaction point of a class on, as the policy says?
 * @p: the port
 * @class: the class, or NULL
 */
bool chain_rp_held(const struct conn_port *p, const struct rg_class *class)
{
	const struct model_knob *knob = &p->port.knob[ROCEGUARD_KNOB_ECN];

	return class && verdict_good(knob->verdict) &&
	       class->priority < RG_PRIORITIES &&
	       p->want.ecn_on[1] & BIT(class->priority);
}

/**
 * chain_judge_port() - judge everything that belongs to one port
 * @v: the port
 */
void chain_judge_port(const struct chain_view *v)
{
	int priority;

	judge_carrier(v);
	if (!v->facts->module || v->facts->host.mode == ROCEGUARD_MODE_OFF ||
	    !judge_policy(v))
		return;
	judge_class(v);
	if (v->chain->tos.byte < 0)
		return;
	priority = judge_dscp(v);
	if (priority >= 0) {
		judge_tc(v, priority);
		judge_pfc(v, priority);
		v->chain->priority = priority;
	}
	judge_pause(v);
	judge_ecn(v);
}

