// SPDX-License-Identifier: GPL-2.0
/*
 * The host's side of the path, judged link by link in the order a frame meets
 * them: ToS -> DSCP -> priority -> traffic class -> PFC, and what must be
 * there for RDMA at all. Pure: facts in, verdicts out. A verdict of the kernel
 * is not repeated but read: what may be wrong right now is a broken link.
 */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "connect.h"
#include "words.h"

/* RoCE v2 headers and checksum around the payload, as the kernel counts. */
#define ROCE_OVERHEAD	96
#define ROCE_MTU_MIN	256
#define ROCE_MTU_MAX	4096

const char *conn_status_word(enum conn_status status)
{
	static const char *const words[] = {
		[CONN_OK] = "ok", [CONN_BROKEN] = "broken",
		[CONN_UNKNOWN] = "unknown", [CONN_NOTE] = "note",
	};

	return words[status];
}

/* What every judge of one port needs. */
struct view {
	const struct conn_args *args;
	const struct conn_facts *facts;
	const struct conn_port *p;
	const char *ifname;
	struct conn_chain *chain;
};

static struct conn_step * __attribute__((format(printf, 5, 6)))
add(struct conn_chain *chain, const char *name, const char *port,
    enum conn_status status, const char *fmt, ...)
{
	struct conn_step *step = &chain->step[chain->n++];
	va_list list;

	memset(step, 0, sizeof(*step));
	step->name = name;
	step->status = status;
	snprintf(step->port, sizeof(step->port), "%s", port);
	va_start(list, fmt);
	vsnprintf(step->seen, sizeof(step->seen), fmt, list);
	va_end(list);
	chain->broken += status == CONN_BROKEN;
	return step;
}

static void __attribute__((format(printf, 2, 3)))
mend(struct conn_step *step, const char *fmt, ...)
{
	va_list list;

	va_start(list, fmt);
	vsnprintf(step->remedy, sizeof(step->remedy), fmt, list);
	va_end(list);
}

static bool verdict_good(uint32_t verdict)
{
	return verdict == ROCEGUARD_VERDICT_HELD ||
	       verdict == ROCEGUARD_VERDICT_CORRECTED;
}

/* ---- the host ---- */

static void judge_module(const struct conn_facts *facts,
			 struct conn_chain *chain)
{
	struct conn_step *step;

	if (!facts->module) {
		step = add(chain, "module", "", CONN_BROKEN, "%s",
			   facts->module_why);
		mend(step, "modprobe roceguard");
		return;
	}
	if (facts->host.mode == ROCEGUARD_MODE_OFF) {
		step = add(chain, "module", "", CONN_BROKEN,
			   "roceguard.ko has mode off: it looks at no port");
		mend(step, "load roceguard with mode=enforce");
		return;
	}
	add(chain, "module", "", CONN_OK, "roceguard.ko, mode %s%s",
	    word(&words_mode, facts->host.mode),
	    facts->host.frozen ? ", frozen: writes nothing" : "");
}

static void judge_route(const struct conn_args *args,
			const struct conn_facts *facts,
			struct conn_chain *chain)
{
	const struct conn_route *route = &facts->route;
	char source[CONN_ADDRESS];
	struct conn_step *step;

	conn_address_print(&route->source, source);
	if (*route->why) {
		step = add(chain, "route", "", CONN_BROKEN,
			   "%s leaves by %s, but %s", args->address,
			   route->egress.name, route->why);
		mend(step, "give the address of a target behind a port of this host");
		return;
	}
	add(chain, "route", "", CONN_OK, "%s leaves by %s from %s%s%s",
	    args->address, route->egress.name, source,
	    *route->gateway ? ", router " : "", route->gateway);
}

/* ---- one port ---- */

static void judge_carrier(const struct view *v, const struct conn_link *link)
{
	bool bonded = *v->facts->route.bond;
	struct conn_step *step;

	if (link->up && link->carrier) {
		add(v->chain, "carrier", v->ifname, CONN_OK, "up");
		return;
	}
	/* The other ports of the bond carry the frames meanwhile. */
	step = add(v->chain, "carrier", v->ifname,
		   bonded ? CONN_NOTE : CONN_BROKEN, "%s",
		   link->up ? "no carrier" : "set down");
	if (link->up)
		mend(step, "see to the cable and the switch port");
	else
		mend(step, "ip link set dev %s up", v->ifname);
}

static bool judge_policy(const struct view *v)
{
	const struct conn_port *p = v->p;
	struct conn_step *step;

	if (!p->known) {
		step = add(v->chain, "policy", v->ifname, CONN_BROKEN,
			   "roceguard.ko knows no such port: %s", p->why);
		mend(step, "connect by an Ethernet port with an RDMA device");
	} else if (p->late) {
		step = add(v->chain, "policy", v->ifname, CONN_BROKEN,
			   "the port did not answer in time (state %s)",
			   word(&words_state, p->port.state));
		mend(step, "roceguard port show %s", v->ifname);
	} else if (!*p->port.policy) {
		step = add(v->chain, "policy", v->ifname, CONN_BROKEN,
			   "no policy governs this port");
		mend(step, "roceguard policy load storage --on %s", v->ifname);
	} else if (!p->has_policy) {
		step = add(v->chain, "policy", v->ifname, CONN_BROKEN,
			   "policy %s cannot be read: %s", p->port.policy,
			   p->why);
		mend(step, "roceguard policy show");
	} else if (p->port.state == ROCEGUARD_STATE_SICK) {
		step = add(v->chain, "policy", v->ifname, CONN_BROKEN,
			   "the device does not answer: %s", p->port.reason);
		mend(step, "roceguard port apply %s", v->ifname);
	} else {
		add(v->chain, "policy", v->ifname, CONN_OK, "%s, %s%s",
		    p->port.policy, word(&words_state, p->port.state),
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

static const struct rg_class *pick_class(const struct rg_policy_spec *spec,
					 unsigned int *candidates)
{
	const struct rg_class *class = NULL;
	unsigned int i;

	*candidates = 1;
	if (*spec->connection_class)
		return rg_policy_class(spec, spec->connection_class);
	*candidates = 0;
	for (i = 0; i < spec->n_classes; i++) {
		if (!spec->class[i].lossless)
			continue;
		class = &spec->class[i];
		++*candidates;
	}
	return *candidates == 1 ? class : NULL;
}

/* The user's own ToS needs no class: the map says where it goes. */
static const struct rg_class *judge_class(const struct view *v)
{
	const struct rg_policy_spec *spec = &v->p->policy.spec;
	bool own = v->args->tos >= 0;
	const struct rg_class *class;
	struct conn_step *step;
	unsigned int candidates;
	char names[CONN_TEXT / 2];

	class = pick_class(spec, &candidates);
	if (class && class->dscp) {
		add(v->chain, "class", v->ifname, CONN_OK, "%s%s", class->name,
		    class->lossless ? "" : ", not lossless");
		return class;
	}
	list_lossless(spec, names, sizeof(names));
	if (class)
		step = add(v->chain, "class", v->ifname,
			   own ? CONN_NOTE : CONN_BROKEN,
			   "class %s of policy %s has no DSCP", class->name,
			   spec->name);
	else if (candidates > 1)
		step = add(v->chain, "class", v->ifname,
			   own ? CONN_NOTE : CONN_BROKEN,
			   "policy %s has several lossless classes: %s",
			   spec->name, names);
	else
		step = add(v->chain, "class", v->ifname,
			   own ? CONN_NOTE : CONN_BROKEN,
			   "policy %s has no class for connections",
			   spec->name);
	mend(step, "name it in policy %s: [Connection] Class=NAME, or give --tos",
	     spec->name);
	return NULL;
}

static void mend_knob(struct conn_step *step, const struct view *v,
		      const struct model_knob *knob)
{
	const struct model_host *host = &v->facts->host;

	switch (knob->verdict) {
	case ROCEGUARD_VERDICT_UNMANAGED:
		mend(step, "name it in policy %s", v->p->port.policy);
		return;
	case ROCEGUARD_VERDICT_DRIFTED:
		if (host->frozen)
			mend(step, "roceguard thaw");
		else if (host->mode == ROCEGUARD_MODE_OBSERVE)
			mend(step, "load roceguard with mode=enforce");
		else if (v->p->policy.spec.observe)
			mend(step, "load policy %s without --observe and with Mode=enforce",
			     v->p->port.policy);
		else
			mend(step, "roceguard port apply %s", v->ifname);
		return;
	case ROCEGUARD_VERDICT_CONTESTED:
		mend(step, "stop the rival (see roceguard history), then roceguard port apply %s",
		     v->ifname);
		return;
	case ROCEGUARD_VERDICT_REFUSED:
	case ROCEGUARD_VERDICT_UNSUPPORTED:
	case ROCEGUARD_VERDICT_DELEGATED:
	case ROCEGUARD_VERDICT_INACTIVE:
		mend(step, "roceguard port show %s says what the driver wants",
		     v->ifname);
		return;
	default:
		mend(step, "roceguard port apply %s", v->ifname);
	}
}

/* "pfc drifted: is off, should be 3 (why)". */
static void knob_words(const struct model_knob *knob, char *buf, size_t size)
{
	bool told = *knob->have || *knob->want;

	snprintf(buf, size, "knob %s is %s%s%s%s%s%s%s",
		 word(&words_knob, knob->id),
		 word(&words_verdict, knob->verdict),
		 told ? ": has " : "", told ? knob->have : "",
		 told ? ", wants " : "", told ? knob->want : "",
		 *knob->reason ? "; " : "", knob->reason);
}

static void bad_knob(const struct view *v, const char *name,
		     enum conn_status status, const struct model_knob *knob)
{
	char words[CONN_SEEN];

	knob_words(knob, words, sizeof(words));
	mend_knob(add(v->chain, name, v->ifname, status, "%s", words), v, knob);
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
	return route->tagged ? route->vlan.egress[conn_tos_skprio(tos)] : 0;
}

static int judge_dscp(const struct view *v)
{
	const struct model_knob *knob =
		&v->p->port.knob[ROCEGUARD_KNOB_DSCP];
	const struct rg_want *want = &v->p->want;
	int tos = v->chain->tos.byte;
	struct conn_step *step;
	int priority;

	if (!verdict_good(knob->verdict)) {
		bad_knob(v, "dscp", CONN_BROKEN, knob);
		return -1;
	}
	if (want->trust == ROCEGUARD_TRUST_PCP) {
		priority = priority_by_tag(&v->facts->route, tos);
		add(v->chain, "dscp", v->ifname, CONN_OK,
		    "the port goes by the VLAN tag, not by DSCP: %s priority %d",
		    v->facts->route.tagged ? "tagged" : "untagged frames are",
		    priority);
		return priority;
	}
	priority = priority_by_dscp(want, tos >> 2);
	if (priority < 0) {
		step = add(v->chain, "dscp", v->ifname, CONN_BROKEN,
			   "policy %s does not say what priority DSCP %d has",
			   v->p->port.policy, tos >> 2);
		mend(step, "add DSCP %d to a lossless class, or use another --tos",
		     tos >> 2);
		return -1;
	}
	add(v->chain, "dscp", v->ifname, CONN_OK,
	    "DSCP %d has priority %d, %s (%s)", tos >> 2, priority,
	    word(&words_verdict, knob->verdict),
	    word(&words_source, knob->source));
	return priority;
}

static void judge_tc(const struct view *v, int priority)
{
	const struct model_knob *knob = &v->p->port.knob[ROCEGUARD_KNOB_ETS];

	if (verdict_good(knob->verdict))
		add(v->chain, "tc", v->ifname, CONN_OK,
		    "priority %d has traffic class %u, %s (%s)", priority,
		    v->p->want.prio_tc[priority],
		    word(&words_verdict, knob->verdict),
		    word(&words_source, knob->source));
	else if (knob->verdict == ROCEGUARD_VERDICT_UNMANAGED ||
		 knob->verdict == ROCEGUARD_VERDICT_UNSUPPORTED)
		bad_knob(v, "tc", CONN_UNKNOWN, knob);
	else
		bad_knob(v, "tc", CONN_BROKEN, knob);
}

static void judge_pfc(const struct view *v, int priority)
{
	const struct model_knob *knob = &v->p->port.knob[ROCEGUARD_KNOB_PFC];
	struct conn_step *step;
	char words[64];

	if (!verdict_good(knob->verdict)) {
		bad_knob(v, "pfc", CONN_BROKEN, knob);
		return;
	}
	if (v->p->want.pfc & BIT(priority)) {
		add(v->chain, "pfc", v->ifname, CONN_OK,
		    "on for priority %d, %s (%s)", priority,
		    word(&words_verdict, knob->verdict),
		    word(&words_source, knob->source));
		return;
	}
	conn_tos_words(v->chain->tos.byte, words, sizeof(words));
	step = add(v->chain, "pfc", v->ifname, CONN_BROKEN,
		   "ToS %s takes priority %d, where policy %s has no PFC",
		   words, priority, v->p->port.policy);
	if (v->chain->tos.from_user && v->chain->tos.by_policy >= 0)
		mend(step, "leave --tos out: the policy's is %d",
		     v->chain->tos.by_policy);
	else
		mend(step, "make the class of this priority Lossless=yes in policy %s",
		     v->p->port.policy);
}

static void judge_pause(const struct view *v)
{
	const struct model_knob *knob = &v->p->port.knob[ROCEGUARD_KNOB_PAUSE];

	if (knob->verdict == ROCEGUARD_VERDICT_UNSUPPORTED)
		add(v->chain, "pause", v->ifname, CONN_OK,
		    "the port has no global pause");
	else if (knob->verdict == ROCEGUARD_VERDICT_UNMANAGED)
		bad_knob(v, "pause", CONN_UNKNOWN, knob);
	else if (!verdict_good(knob->verdict))
		bad_knob(v, "pause", CONN_BROKEN, knob);
	else
		add(v->chain, "pause", v->ifname, CONN_OK, "%s, %s (%s)",
		    v->p->want.pause_rx || v->p->want.pause_tx ? "on" : "off",
		    word(&words_verdict, knob->verdict),
		    word(&words_source, knob->source));
}

/* ECN makes frames fewer, not lossless: its absence costs ECT(0) only. */
static void judge_ecn(const struct view *v)
{
	const struct model_knob *knob = &v->p->port.knob[ROCEGUARD_KNOB_ECN];

	switch (v->chain->tos.ect) {
	case CONN_ECT_ON:
		add(v->chain, "ecn", v->ifname, CONN_OK,
		    "reaction point %s (%s): frames carry ECT(0)",
		    word(&words_verdict, knob->verdict),
		    word(&words_source, knob->source));
		return;
	case CONN_ECT_NOT_HELD:
		bad_knob(v, "ecn", CONN_NOTE, knob);
		return;
	case CONN_ECT_NOT_ASKED:
	case CONN_ECT_UNKNOWN:
		add(v->chain, "ecn", v->ifname, CONN_NOTE,
		    "not asked for: frames carry no ECT(0)");
	}
}

static bool rp_held(const struct conn_port *p, const struct rg_class *class)
{
	return class && verdict_good(p->port.knob[ROCEGUARD_KNOB_ECN].verdict) &&
	       class->priority < RG_PRIORITIES &&
	       p->want.ecn_on[1] & BIT(class->priority);
}

static void judge_tos(const struct view *v)
{
	static const char *const why[] = {
		[CONN_ECT_ON] = "",
		[CONN_ECT_NOT_ASKED] = ": the class does not ask for ECN",
		[CONN_ECT_NOT_HELD] = ": no ECT(0), the reaction point is not held",
		[CONN_ECT_UNKNOWN] = "",
	};
	const struct conn_tos *tos = &v->chain->tos;
	char words[64];

	conn_tos_words(tos->byte, words, sizeof(words));
	add(v->chain, "tos", "", CONN_OK, "%s%s", words,
	    tos->from_user ? ", given with --tos" : why[tos->ect]);
}

/* ---- the RDMA side ---- */

static void judge_rdma(const struct conn_facts *facts,
		       struct conn_chain *chain)
{
	const struct conn_route *route = &facts->route;
	const struct conn_gid *gid = &facts->gid;
	char source[CONN_ADDRESS];
	struct conn_step *step;

	conn_address_print(&route->source, source);
	if (!*gid->device) {
		step = add(chain, "rdma", "", CONN_BROKEN,
			   "no RDMA device has %s on %s", source,
			   route->egress.name);
		mend(step, "load the RDMA driver of the NIC (software: rdma link add rxe0 type rxe netdev %s)",
		     route->egress.name);
		return;
	}
	add(chain, "rdma", "", CONN_OK, "%s port %u", gid->device, gid->port);
	if (gid->index >= 0) {
		add(chain, "gid", "", CONN_OK, "%s is GID %d, RoCE v2", source,
		    gid->index);
		return;
	}
	step = add(chain, "gid", "", CONN_BROKEN, "%s has no RoCE v2 GID for %s%s",
		   gid->device, source, gid->v1_only ? ", only RoCE v1" : "");
	if (gid->v1_only)
		mend(step, "switch the NIC to RoCE v2");
	else
		mend(step, "put %s on %s itself, or connect from another address with -w",
		     source, route->egress.name);
}

static void judge_tclass(const struct conn_facts *facts,
			 struct conn_chain *chain)
{
	const struct conn_gid *gid = &facts->gid;
	struct conn_step *step;

	if (gid->ofed_tclass < 0 || gid->ofed_tclass == chain->tos.byte)
		return;
	step = add(chain, "tclass", "", CONN_BROKEN,
		   "OFED's global traffic class %d overrides every ToS on %s",
		   gid->ofed_tclass, gid->device);
	mend(step, "echo 0 > /sys/class/infiniband/%s/tc/%u/traffic_class",
	     gid->device, gid->port);
}

static void judge_mtu(const struct conn_facts *facts, struct conn_chain *chain)
{
	unsigned int mtu = facts->route.egress.mtu;
	unsigned int payload = ROCE_MTU_MAX;
	struct conn_step *step;

	while (payload >= ROCE_MTU_MIN && payload + ROCE_OVERHEAD > mtu)
		payload /= 2;
	if (payload < ROCE_MTU_MIN) {
		step = add(chain, "mtu", "", CONN_BROKEN,
			   "%u bytes on %s are too few for RoCE v2", mtu,
			   facts->route.egress.name);
		mend(step, "ip link set dev %s mtu 1500",
		     facts->route.egress.name);
		return;
	}
	step = add(chain, "mtu", "", payload < ROCE_MTU_MAX ? CONN_NOTE :
							      CONN_OK,
		   "%u bytes: RDMA payload %u bytes a frame", mtu, payload);
	if (payload < ROCE_MTU_MAX)
		mend(step, "MTU 4200 on both hosts and the switch carries %d",
		     ROCE_MTU_MAX);
}

/* ---- the chain ---- */

static void choose_tos(const struct conn_args *args,
		       const struct conn_facts *facts,
		       struct conn_chain *chain)
{
	const struct rg_class *class = NULL;
	unsigned int candidates;
	bool held = true;
	unsigned int i;

	for (i = 0; i < facts->route.n_ports; i++) {
		const struct conn_port *p = &facts->port[i];

		if (!p->has_policy)
			continue;
		if (!class)
			class = pick_class(&p->policy.spec, &candidates);
		held = held && rp_held(p, class);
	}
	conn_tos_choose(&chain->tos, class, class && held, args->tos);
}

static void judge_port(const struct view *v, unsigned int i)
{
	int priority;

	judge_carrier(v, &v->facts->route.port[i]);
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

/**
 * conn_chain_judge() - judge the host's side of the path
 * @args: resolved arguments
 * @facts: what was read
 * @chain: filled in
 */
void conn_chain_judge(const struct conn_args *args,
		      const struct conn_facts *facts, struct conn_chain *chain)
{
	struct view v = { .args = args, .facts = facts, .chain = chain };
	unsigned int i;

	chain->n = 0;
	chain->broken = 0;
	chain->priority = -1;
	choose_tos(args, facts, chain);
	judge_module(facts, chain);
	judge_route(args, facts, chain);
	if (chain->tos.byte >= 0)
		judge_tos(&v);
	for (i = 0; i < facts->route.n_ports; i++) {
		v.p = &facts->port[i];
		v.ifname = facts->route.port[i].name;
		judge_port(&v, i);
	}
	judge_rdma(facts, chain);
	judge_tclass(facts, chain);
	judge_mtu(facts, chain);
}
