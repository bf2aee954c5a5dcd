// SPDX-License-Identifier: GPL-2.0
/* From a policy as written to what it holds on a port. */
#include "params.h"

/* Where in a policy something is wrong. */
struct rg_at {
	enum rg_where where;
	unsigned int index;
	int key;
};

static __printf(3, 4) int rg_refuse(struct rg_problem *problem, struct rg_at at,
				    const char *fmt, ...)
{
	va_list args;

	problem->where = at.where;
	problem->index = at.index;
	problem->key = at.key;
	va_start(args, fmt);
	vscnprintf(problem->text, sizeof(problem->text), fmt, args);
	va_end(args);
	return -EINVAL;
}

#define rg_at(_where, _key) \
	((struct rg_at){ .where = (_where), .key = (_key) })
#define rg_at_class(_index, _key) \
	((struct rg_at){ .where = RG_WHERE_CLASS, .index = (_index), \
			 .key = (_key) })

/* Names are shown in messages of bounded length: this much of them. */
#define RG_NAME_FMT "%.16s"

static bool rg_expert_has(const struct rg_policy_spec *spec,
			  enum rg_expert_bit bit)
{
	return spec->expert.set & BIT(bit);
}

/**
 * rg_class_init - an empty class
 * @class: to be set up
 */
void rg_class_init(struct rg_class *class)
{
	memset(class, 0, sizeof(*class));
	class->priority = RG_UNSET;
}

/**
 * rg_policy_init - an empty policy for every RoCE-capable port
 * @spec: to be set up
 */
void rg_policy_init(struct rg_policy_spec *spec)
{
	memset(spec, 0, sizeof(*spec));
	spec->match.rdma = true;
	spec->rollout = 100;
	spec->rollout_at = 99;
	memset(spec->expert.map, RG_UNSET, sizeof(spec->expert.map));
	memset(spec->expert.prio_tc, RG_UNSET, sizeof(spec->expert.prio_tc));
	memset(spec->expert.tsa, RG_UNSET, sizeof(spec->expert.tsa));
	memset(spec->expert.prio_buffer, RG_UNSET,
	       sizeof(spec->expert.prio_buffer));
}

/**
 * rg_name_valid - may a policy or a class be called so?
 * @name: NUL-terminated
 *
 * Return: true for 1..ROCEGUARD_NAME_MAX letters, digits, dots, dashes and
 * underscores that do not begin with a dot or a dash.
 */
bool rg_name_valid(const char *name)
{
	size_t i;

	if (name[0] == '.' || name[0] == '-')
		return false;
	for (i = 0; name[i]; i++) {
		char c = name[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		      (c >= '0' && c <= '9') || c == '.' || c == '_' ||
		      c == '-'))
			return false;
	}
	return i > 0 && i <= ROCEGUARD_NAME_MAX;
}

/**
 * rg_policy_rolled_out - has the rollout of a policy come to this host?
 * @spec: the policy
 *
 * Return: false if it only observes here.
 */
bool rg_policy_rolled_out(const struct rg_policy_spec *spec)
{
	return spec->rollout_at < spec->rollout;
}

/**
 * rg_policy_class - look a class up by name
 * @spec: the policy
 * @name: the name
 *
 * Return: the class or NULL.
 */
const struct rg_class *rg_policy_class(const struct rg_policy_spec *spec,
				       const char *name)
{
	unsigned int i;

	for (i = 0; i < spec->n_classes; i++)
		if (!strcmp(spec->class[i].name, name))
			return &spec->class[i];
	return NULL;
}

/**
 * rg_policy_connections - the class that connections take
 * @spec: the policy
 * @candidates: set to how many there are to choose from
 *
 * The one that [Connection] names, else the only lossless one.
 *
 * Return: the class or NULL.
 */
const struct rg_class *rg_policy_connections(const struct rg_policy_spec *spec,
					     unsigned int *candidates)
{
	const struct rg_class *class = NULL;
	unsigned int i;

	*candidates = 1;
	if (spec->connection_class[0])
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

/**
 * rg_tos_skprio - the socket priority the kernel makes of a ToS byte
 * @tos: the byte
 *
 * What rdma_cm looks up in a VLAN's egress map: four values by two bits in the
 * middle (ip_tos2prio), and not DSCP >> 3.
 *
 * Return: below RG_SKPRIOS.
 */
u8 rg_tos_skprio(u8 tos)
{
	static const u8 by_tos[] = { 0, 2, 6, 4 };

	return by_tos[(tos >> 3) & 3];
}

static int rg_first_dscp(u64 mask)
{
	int dscp = 0;

	while (!(mask & BIT_ULL(dscp)))
		dscp++;
	return dscp;
}

static int rg_check_class(const struct rg_policy_spec *spec, unsigned int i,
			  struct rg_problem *problem)
{
	const struct rg_class *class = &spec->class[i];

	if (!rg_name_valid(class->name))
		return rg_refuse(problem,
				 rg_at_class(i, ROCEGUARD_A_CLASS_NAME),
				 "class name: use letters, digits, '.', '_' and '-', at most %d",
				 ROCEGUARD_NAME_MAX);
	if (class->priority == RG_UNSET)
		return rg_refuse(problem, rg_at_class(i, 0),
				 "class " RG_NAME_FMT " has no priority (0 to 7)",
				 class->name);
	if (class->priority >= RG_PRIORITIES)
		return rg_refuse(problem,
				 rg_at_class(i, ROCEGUARD_A_CLASS_PRIORITY),
				 "priority %u is out of range, use 0 to 7",
				 class->priority);
	if (!class->dscp)
		return rg_refuse(problem, rg_at_class(i, 0),
				 "class " RG_NAME_FMT " has no DSCP (0 to 63)",
				 class->name);
	if (class->share > 100)
		return rg_refuse(problem,
				 rg_at_class(i, ROCEGUARD_A_CLASS_SHARE),
				 "share %u%% is out of range, use 1 to 100",
				 class->share);
	if (class->share && class->strict)
		return rg_refuse(problem,
				 rg_at_class(i, ROCEGUARD_A_CLASS_STRICT),
				 "class " RG_NAME_FMT " is strict and has a share; drop one",
				 class->name);
	if (class->lossless && !class->priority)
		return rg_refuse(problem,
				 rg_at_class(i, ROCEGUARD_A_CLASS_PRIORITY),
				 "priority 0 takes all other traffic and can't be lossless");
	if (class->cable && !class->lossless)
		return rg_refuse(problem,
				 rg_at_class(i, ROCEGUARD_A_CLASS_CABLE_LENGTH),
				 "class " RG_NAME_FMT " is not lossless and needs no cable length",
				 class->name);
	if (class->cable > ROCEGUARD_CABLE_MAX)
		return rg_refuse(problem,
				 rg_at_class(i, ROCEGUARD_A_CLASS_CABLE_LENGTH),
				 "a cable of %u m is out of range, use 1 to %d",
				 class->cable, ROCEGUARD_CABLE_MAX);
	return 0;
}

static int rg_check_pair(const struct rg_policy_spec *spec, unsigned int i,
			 unsigned int k, struct rg_problem *problem)
{
	const struct rg_class *a = &spec->class[k];
	const struct rg_class *b = &spec->class[i];

	if (!strcmp(a->name, b->name))
		return rg_refuse(problem,
				 rg_at_class(i, ROCEGUARD_A_CLASS_NAME),
				 "class " RG_NAME_FMT " stands twice", b->name);
	if (a->dscp & b->dscp)
		return rg_refuse(problem,
				 rg_at_class(i, ROCEGUARD_A_CLASS_DSCP),
				 "DSCP %d is in class " RG_NAME_FMT " and in class "
				 RG_NAME_FMT, rg_first_dscp(a->dscp & b->dscp),
				 a->name, b->name);
	if (a->priority == b->priority)
		return rg_refuse(problem,
				 rg_at_class(i, ROCEGUARD_A_CLASS_PRIORITY),
				 "priority %u is class " RG_NAME_FMT "'s already",
				 b->priority, a->name);
	return 0;
}

static int rg_check_classes(const struct rg_policy_spec *spec,
			    struct rg_problem *problem)
{
	unsigned int i, k;
	int err;

	for (i = 0; i < spec->n_classes; i++) {
		err = rg_check_class(spec, i, problem);
		for (k = 0; !err && k < i; k++)
			err = rg_check_pair(spec, i, k, problem);
		if (err)
			return err;
	}
	return 0;
}

static int rg_check_match(const struct rg_policy_spec *spec,
			  struct rg_problem *problem)
{
	const struct rg_match *match = &spec->match;

	if (!match->speed_to || match->speed_from <= match->speed_to)
		return 0;
	return rg_refuse(problem,
			 rg_at(RG_WHERE_MATCH, ROCEGUARD_A_MATCH_SPEED_TO),
			 "no speed is both at least %u and at most %u Mbit/s",
			 match->speed_from, match->speed_to);
}

static int rg_derive_pfc(const struct rg_policy_spec *spec,
			 struct rg_want *want, struct rg_problem *problem)
{
	const struct rg_expert *x = &spec->expert;
	bool expert = rg_expert_has(spec, RG_EXPERT_PFC);
	bool by_pause = x->pause_rx && x->pause_tx;
	unsigned int i;

	for (i = 0; i < spec->n_classes; i++) {
		const struct rg_class *class = &spec->class[i];
		bool on = x->pfc & BIT(class->priority);

		if (class->lossless)
			want->pfc |= BIT(class->priority);
		/* Lossless by global pause alone is what rg_derive_pause judges. */
		if (!expert || on == class->lossless || !x->pfc)
			continue;
		return rg_refuse(problem,
				 rg_at(RG_WHERE_PFC, ROCEGUARD_A_PFC_PRIORITIES),
				 "PFC on priority %u is to be %s, class " RG_NAME_FMT
				 " says %slossless", class->priority,
				 on ? "on" : "off", class->name,
				 class->lossless ? "" : "not ");
	}
	if (expert) {
		if (want->pfc && !x->pfc && !by_pause)
			return rg_refuse(problem,
					 rg_at(RG_WHERE_PFC,
					       ROCEGUARD_A_PFC_PRIORITIES),
					 "a lossless class with neither PFC nor global pause both ways");
		want->pfc = x->pfc;
	}
	if (want->pfc || expert)
		want->knobs |= BIT(ROCEGUARD_KNOB_PFC);
	return 0;
}

/* All lossless traffic of a port leaves by one cable: the longest that is said. */
static int rg_derive_cable(const struct rg_policy_spec *spec,
			   struct rg_want *want, struct rg_problem *problem)
{
	struct rg_at at = rg_at(RG_WHERE_PFC, ROCEGUARD_A_PFC_CABLE_LENGTH);
	const struct rg_expert *x = &spec->expert;
	unsigned int i;

	for (i = 0; i < spec->n_classes; i++)
		if (want->pfc & BIT(spec->class[i].priority))
			want->cable = max(want->cable, spec->class[i].cable);
	if (!rg_expert_has(spec, RG_EXPERT_CABLE))
		return 0;
	if (!x->cable || x->cable > ROCEGUARD_CABLE_MAX)
		return rg_refuse(problem, at,
				 "a cable of %u m is out of range, use 1 to %d",
				 x->cable, ROCEGUARD_CABLE_MAX);
	if (want->cable && want->cable != x->cable)
		return rg_refuse(problem, at,
				 "a cable of %u m, the classes say %u m",
				 x->cable, want->cable);
	if (!want->pfc)
		return rg_refuse(problem, at,
				 "a cable length without a priority that has PFC; name one");
	want->cable = x->cable;
	return 0;
}

static int rg_derive_pause(const struct rg_policy_spec *spec,
			   struct rg_want *want, struct rg_problem *problem)
{
	const struct rg_expert *x = &spec->expert;
	bool rx_said = rg_expert_has(spec, RG_EXPERT_PAUSE_RX);
	bool tx_said = rg_expert_has(spec, RG_EXPERT_PAUSE_TX);

	want->pause_rx = rx_said && x->pause_rx;
	want->pause_tx = tx_said && x->pause_tx;
	if (want->pfc && (want->pause_rx || want->pause_tx))
		return rg_refuse(problem,
				 rg_at(RG_WHERE_PAUSE,
				       want->pause_rx ? ROCEGUARD_A_PAUSE_RX :
							ROCEGUARD_A_PAUSE_TX),
				 "global pause and PFC exclude each other; switch pause off");
	if (want->pfc || rx_said || tx_said)
		want->knobs |= BIT(ROCEGUARD_KNOB_PAUSE);
	return 0;
}

static int rg_check_expert_map(const struct rg_policy_spec *spec, u8 dscp,
			       struct rg_problem *problem)
{
	u8 prio = spec->expert.map[dscp];
	unsigned int i;

	if (prio >= RG_PRIORITIES)
		return rg_refuse(problem,
				 rg_at(RG_WHERE_DSCP, ROCEGUARD_A_DSCP_MAP),
				 "priority %u is out of range, use 0 to 7", prio);
	for (i = 0; i < spec->n_classes; i++) {
		const struct rg_class *class = &spec->class[i];
		bool member = class->dscp & BIT_ULL(dscp);

		if (member && prio != class->priority)
			return rg_refuse(problem,
					 rg_at(RG_WHERE_DSCP,
					       ROCEGUARD_A_DSCP_MAP),
					 "DSCP %u to priority %u, class "
					 RG_NAME_FMT " says priority %u", dscp,
					 prio, class->name, class->priority);
		if (!member && prio && prio == class->priority)
			return rg_refuse(problem,
					 rg_at(RG_WHERE_DSCP,
					       ROCEGUARD_A_DSCP_MAP),
					 "DSCP %u to priority %u, which is class "
					 RG_NAME_FMT "'s alone", dscp, prio,
					 class->name);
	}
	return 0;
}

static int rg_derive_dscp(const struct rg_policy_spec *spec,
			  struct rg_want *want, struct rg_problem *problem)
{
	bool map = rg_expert_has(spec, RG_EXPERT_MAP);
	bool trust = rg_expert_has(spec, RG_EXPERT_TRUST);
	unsigned int i;
	int err, dscp;

	memset(want->map, RG_UNSET, sizeof(want->map));
	want->trust = ROCEGUARD_TRUST_DSCP;
	if (!spec->n_classes && !map && !trust)
		return 0;
	want->knobs |= BIT(ROCEGUARD_KNOB_DSCP);

	if (trust && spec->expert.trust == ROCEGUARD_TRUST_PCP) {
		if (spec->n_classes || map)
			return rg_refuse(problem,
					 rg_at(RG_WHERE_DSCP,
					       ROCEGUARD_A_DSCP_TRUST),
					 "trust pcp, but %s needs trust dscp",
					 map ? "the DSCP map" : "a class");
		want->trust = ROCEGUARD_TRUST_PCP;
		return 0;
	}
	for (i = 0; i < spec->n_classes; i++) {
		const struct rg_class *class = &spec->class[i];

		for (dscp = 0; dscp < RG_DSCPS; dscp++)
			if (class->dscp & BIT_ULL(dscp))
				want->map[dscp] = class->priority;
		want->exclusive |= BIT(class->priority);
	}
	for (dscp = 0; map && dscp < RG_DSCPS; dscp++) {
		if (spec->expert.map[dscp] == RG_UNSET)
			continue;
		err = rg_check_expert_map(spec, dscp, problem);
		if (err)
			return err;
		want->map[dscp] = spec->expert.map[dscp];
	}
	if (spec->n_classes || map)
		want->exclusive |= want->pfc;
	/* Where strays are moved to cannot be closed to them. */
	want->exclusive &= ~BIT(0);
	return 0;
}

/* Bandwidth of the ETS classes that did not ask for a share. */
static int rg_fill_shares(struct rg_want *want, unsigned int total,
			  struct rg_at at, struct rg_problem *problem)
{
	unsigned int left = 100 - total, n = 0, each;
	int tc;

	for (tc = 0; tc < want->n_tcs; tc++)
		n += want->tsa[tc] == ROCEGUARD_TSA_ETS && !want->bandwidth[tc];
	if (!n) {
		if (left)
			return rg_refuse(problem, at,
					 "the shares make %u%%, and every class has one; make them 100%%",
					 total);
		return 0;
	}
	each = left / n;
	if (!each)
		return rg_refuse(problem, at,
				 "the shares make %u%%, which leaves nothing for other traffic",
				 total);
	for (tc = want->n_tcs - 1; tc >= 0; tc--) {
		if (want->tsa[tc] != ROCEGUARD_TSA_ETS || want->bandwidth[tc])
			continue;
		/* The lowest one, all other traffic, takes what is left over. */
		want->bandwidth[tc] = n == 1 ? left : each;
		left -= want->bandwidth[tc];
		n--;
	}
	return 0;
}

static void rg_add_tc(struct rg_want *want, const struct rg_class *class)
{
	u8 tc = class->priority ? want->n_tcs++ : 0;

	want->prio_tc[class->priority] = tc;
	want->tsa[tc] = class->strict ? ROCEGUARD_TSA_STRICT :
					ROCEGUARD_TSA_ETS;
	want->bandwidth[tc] = class->share;
}

/*
 * Traffic class 0 takes what no class names; every class has one of its own,
 * the strict ones the highest, since strict classes are served top down.
 */
static int rg_derive_class_ets(const struct rg_policy_spec *spec,
			       struct rg_want *want,
			       struct rg_problem *problem)
{
	struct rg_at at = rg_at_class(0, 0);
	unsigned int i, total = 0;
	int strict;

	want->n_tcs = 1;
	want->tsa[0] = ROCEGUARD_TSA_ETS;
	for (strict = 0; strict <= 1; strict++) {
		for (i = 0; i < spec->n_classes; i++) {
			const struct rg_class *class = &spec->class[i];

			if (class->strict != !!strict)
				continue;
			rg_add_tc(want, class);
			total += class->share;
			if (class->share)
				at = rg_at_class(i, ROCEGUARD_A_CLASS_SHARE);
		}
	}
	if (total > 100)
		return rg_refuse(problem, at,
				 "the shares make %u%%, at most 100%% can be given",
				 total);
	return rg_fill_shares(want, total, at, problem);
}

static int rg_check_class_tc(const struct rg_policy_spec *spec,
			     const struct rg_want *want,
			     struct rg_problem *problem)
{
	unsigned int i;

	for (i = 0; i < spec->n_classes; i++) {
		const struct rg_class *class = &spec->class[i];
		u8 tc = want->prio_tc[class->priority];
		bool strict = want->tsa[tc] == ROCEGUARD_TSA_STRICT;

		if (class->strict && !strict)
			return rg_refuse(problem,
					 rg_at(RG_WHERE_ETS, ROCEGUARD_A_ETS_TC),
					 "TC %u has TSA ets, class " RG_NAME_FMT
					 " says strict", tc, class->name);
		if (class->share && (strict || want->bandwidth[tc] != class->share))
			return rg_refuse(problem,
					 rg_at(RG_WHERE_ETS, ROCEGUARD_A_ETS_TC),
					 "TC %u does not have the %u%% of class "
					 RG_NAME_FMT, tc, class->share,
					 class->name);
	}
	return 0;
}

static int rg_derive_expert_ets(const struct rg_policy_spec *spec,
				struct rg_want *want,
				struct rg_problem *problem)
{
	const struct rg_expert *x = &spec->expert;
	unsigned int total = 0;
	bool any_ets = false;
	int prio, tc;

	if (!rg_expert_has(spec, RG_EXPERT_PRIO_TC) ||
	    !rg_expert_has(spec, RG_EXPERT_TC))
		return rg_refuse(problem, rg_at(RG_WHERE_ETS, 0),
				 "priority to TC and TC settings go together; one is missing");
	for (prio = 0; prio < RG_PRIORITIES; prio++) {
		tc = x->prio_tc[prio] == RG_UNSET ? 0 : x->prio_tc[prio];
		if (tc >= RG_TCS || x->tsa[tc] == RG_UNSET)
			return rg_refuse(problem,
					 rg_at(RG_WHERE_ETS,
					       ROCEGUARD_A_ETS_PRIO_TC),
					 "priority %d goes to TC %d, which has no settings",
					 prio, tc);
		want->prio_tc[prio] = tc;
		want->n_tcs = max(want->n_tcs, (u8)(tc + 1));
	}
	for (tc = 0; tc < RG_TCS; tc++) {
		if (x->tsa[tc] == RG_UNSET) {
			want->tsa[tc] = ROCEGUARD_TSA_STRICT;
			continue;
		}
		want->n_tcs = max(want->n_tcs, (u8)(tc + 1));
		want->tsa[tc] = x->tsa[tc];
		if (x->tsa[tc] != ROCEGUARD_TSA_ETS)
			continue;
		any_ets = true;
		want->bandwidth[tc] = x->bandwidth[tc];
		total += x->bandwidth[tc];
	}
	if (any_ets && total != 100)
		return rg_refuse(problem, rg_at(RG_WHERE_ETS, ROCEGUARD_A_ETS_TC),
				 "bandwidth of the TCs with TSA ets makes %u%%, not 100%%",
				 total);
	return rg_check_class_tc(spec, want, problem);
}

static int rg_derive_ets(const struct rg_policy_spec *spec,
			 struct rg_want *want, struct rg_problem *problem)
{
	bool expert = rg_expert_has(spec, RG_EXPERT_PRIO_TC) ||
		      rg_expert_has(spec, RG_EXPERT_TC);
	bool named = expert;
	unsigned int i;

	for (i = 0; i < spec->n_classes; i++)
		named |= spec->class[i].share || spec->class[i].strict;
	if (!named)
		return 0;
	want->knobs |= BIT(ROCEGUARD_KNOB_ETS);
	return expert ? rg_derive_expert_ets(spec, want, problem) :
			rg_derive_class_ets(spec, want, problem);
}

static int rg_derive_ecn_role(const struct rg_policy_spec *spec,
			      struct rg_want *want, int role,
			      struct rg_problem *problem)
{
	bool expert = rg_expert_has(spec, role ? RG_EXPERT_ECN_RP :
						 RG_EXPERT_ECN_NP);
	u8 mask = role ? spec->expert.ecn_rp : spec->expert.ecn_np;
	unsigned int i;

	for (i = 0; i < spec->n_classes; i++) {
		const struct rg_class *class = &spec->class[i];
		bool on = mask & BIT(class->priority);

		if (class->ecn == RG_NOT_SAID)
			continue;
		if (expert && on != (class->ecn == RG_YES))
			return rg_refuse(problem,
					 rg_at(RG_WHERE_ECN,
					       role ? ROCEGUARD_A_ECN_RP :
						      ROCEGUARD_A_ECN_NP),
					 "ECN %s on priority %u is %s, class "
					 RG_NAME_FMT " says %s",
					 role ? "RP" : "NP", class->priority,
					 on ? "on" : "off", class->name,
					 on ? "no" : "yes");
		if (class->ecn == RG_YES)
			want->ecn_on[role] |= BIT(class->priority);
		else
			want->ecn_off[role] |= BIT(class->priority);
	}
	if (expert)
		want->ecn_on[role] |= mask;
	if (want->ecn_on[role] || want->ecn_off[role])
		want->knobs |= BIT(ROCEGUARD_KNOB_ECN);
	return 0;
}

static void rg_derive_dcbx(const struct rg_policy_spec *spec,
			   struct rg_want *want)
{
	u8 mode = rg_expert_has(spec, RG_EXPERT_DCBX) ?
			  spec->expert.dcbx : ROCEGUARD_DCBX_MODE_KEEP;

	want->follow = mode == ROCEGUARD_DCBX_MODE_FOLLOW;
	if (mode == ROCEGUARD_DCBX_MODE_HOST)
		want->knobs |= BIT(ROCEGUARD_KNOB_DCBX);
}

static void rg_derive_maxrate(const struct rg_policy_spec *spec,
			      struct rg_want *want)
{
	if (!rg_expert_has(spec, RG_EXPERT_RATE))
		return;
	want->knobs |= BIT(ROCEGUARD_KNOB_MAXRATE);
	want->rated = spec->expert.rated;
	memcpy(want->kbps, spec->expert.kbps, sizeof(want->kbps));
}

static int rg_derive_buffer(const struct rg_policy_spec *spec,
			    struct rg_want *want, struct rg_problem *problem)
{
	const struct rg_expert *x = &spec->expert;
	int prio, buffer;

	memcpy(want->prio_buffer, x->prio_buffer, sizeof(want->prio_buffer));
	if (!rg_expert_has(spec, RG_EXPERT_BUFFER_SIZE) &&
	    !rg_expert_has(spec, RG_EXPERT_BUFFER_PRIO))
		return 0;
	want->knobs |= BIT(ROCEGUARD_KNOB_BUFFER);
	want->sized = x->sized;
	memcpy(want->buffer_size, x->buffer_size, sizeof(want->buffer_size));
	for (prio = 0; prio < RG_PRIORITIES; prio++) {
		buffer = x->prio_buffer[prio];
		if (buffer != RG_UNSET && x->sized & BIT(buffer) &&
		    !x->buffer_size[buffer])
			return rg_refuse(problem,
					 rg_at(RG_WHERE_BUFFER,
					       ROCEGUARD_A_BUFFER_PRIO),
					 "priority %d goes to buffer %d, which has no bytes",
					 prio, buffer);
	}
	return 0;
}

static int rg_derive_storm(const struct rg_policy_spec *spec,
			   struct rg_want *want, struct rg_problem *problem)
{
	u32 ms = spec->expert.storm;

	if (!rg_expert_has(spec, RG_EXPERT_STORM))
		return 0;
	if (ms != ROCEGUARD_STORM_OFF && ms != ROCEGUARD_STORM_AUTO &&
	    (ms < ROCEGUARD_STORM_MIN || ms > ROCEGUARD_STORM_MAX))
		return rg_refuse(problem,
				 rg_at(RG_WHERE_STORM,
				       ROCEGUARD_A_STORM_PREVENTION_TIMEOUT),
				 "%u ms is out of range, use %d to %d, 0 (off) or %d (auto)",
				 ms, ROCEGUARD_STORM_MIN, ROCEGUARD_STORM_MAX,
				 ROCEGUARD_STORM_AUTO);
	want->knobs |= BIT(ROCEGUARD_KNOB_STORM_PREVENTION);
	want->storm = ms;
	return 0;
}

static int rg_check_watchdog_time(const char *what, u32 ms, u32 least, u32 most,
				  int key, struct rg_problem *problem)
{
	if (ms >= least && ms <= most)
		return 0;
	return rg_refuse(problem, rg_at(RG_WHERE_WATCHDOG, key),
			 "%s %u ms is out of range, use %u to %u", what, ms,
			 least, most);
}

/* PFC that the policy does not hold is not the watchdog's to take off. */
static int rg_check_watchdog(const struct rg_want *want,
			     struct rg_problem *problem)
{
	const struct rg_watchdog *watchdog = &want->watchdog;
	bool off = watchdog->action == ROCEGUARD_STORM_ACTION_PFC_OFF;
	int err;

	err = rg_check_watchdog_time("detection time", watchdog->detection_ms,
				     ROCEGUARD_DETECTION_MIN,
				     ROCEGUARD_DETECTION_MAX,
				     ROCEGUARD_A_WATCHDOG_DETECTION, problem);
	if (!err)
		err = rg_check_watchdog_time("restoration time",
					     watchdog->restoration_ms,
					     ROCEGUARD_RESTORATION_MIN,
					     ROCEGUARD_RESTORATION_MAX,
					     ROCEGUARD_A_WATCHDOG_RESTORATION,
					     problem);
	if (err)
		return err;
	if (off && !want->pfc)
		return rg_refuse(problem,
				 rg_at(RG_WHERE_WATCHDOG,
				       ROCEGUARD_A_WATCHDOG_ACTION),
				 "pfc-off, but no priority of the policy has PFC; use alert");
	if (watchdog->force && !off)
		return rg_refuse(problem,
				 rg_at(RG_WHERE_WATCHDOG,
				       ROCEGUARD_A_WATCHDOG_FORCE),
				 "nothing to force: it needs the action pfc-off");
	return 0;
}

static int rg_derive_watchdog(const struct rg_policy_spec *spec,
			      struct rg_want *want, struct rg_problem *problem)
{
	want->watchdog = spec->expert.watchdog;
	if (!rg_expert_has(spec, RG_EXPERT_DETECTION))
		want->watchdog.detection_ms = RG_DETECTION_MS;
	if (!rg_expert_has(spec, RG_EXPERT_RESTORATION))
		want->watchdog.restoration_ms = RG_RESTORATION_MS;
	want->watched = spec->expert.set & (BIT(RG_EXPERT_DETECTION) |
					    BIT(RG_EXPERT_RESTORATION) |
					    BIT(RG_EXPERT_STORM_ACTION) |
					    BIT(RG_EXPERT_STORM_FORCE));
	return rg_check_watchdog(want, problem);
}

static int rg_check_params(const struct rg_policy_spec *spec,
			   struct rg_problem *problem)
{
	const struct rg_expert *x = &spec->expert;
	int i;

	for (i = 0; i < RG_PARAMS; i++) {
		const struct rg_param *param = &rg_params[i];

		if (x->params & BIT(i) &&
		    (x->param[i] < param->min || x->param[i] > param->max))
			return rg_refuse(problem, rg_at(RG_WHERE_DCQCN, i + 1),
					 "%s %u is out of range, use %u to %u",
					 param->name, x->param[i], param->min,
					 param->max);
	}
	return 0;
}

/* CNPs are marked as those of their class, if there is one. */
static int rg_derive_cnp_class(const struct rg_policy_spec *spec,
			       unsigned int i, struct rg_want *want,
			       struct rg_problem *problem)
{
	const struct rg_class *class = &spec->class[i];
	u32 dscp = want->param[ROCEGUARD_PARAM_NP_CNP_DSCP];
	u32 prio = want->param[ROCEGUARD_PARAM_NP_CNP_PRIORITY];

	if (!(want->params & BIT(ROCEGUARD_PARAM_NP_CNP_DSCP)))
		dscp = rg_first_dscp(class->dscp);
	else if (!(class->dscp & BIT_ULL(dscp)))
		return rg_refuse(problem,
				 rg_at(RG_WHERE_DCQCN,
				       ROCEGUARD_PARAM_NP_CNP_DSCP + 1),
				 "CNPs with DSCP %u, which is not of class "
				 RG_NAME_FMT, dscp, class->name);
	if (!(want->params & BIT(ROCEGUARD_PARAM_NP_CNP_PRIORITY)))
		prio = class->priority;
	else if (prio != class->priority)
		return rg_refuse(problem,
				 rg_at(RG_WHERE_DCQCN,
				       ROCEGUARD_PARAM_NP_CNP_PRIORITY + 1),
				 "CNPs on priority %u, class " RG_NAME_FMT
				 " says %u", prio, class->name,
				 class->priority);
	want->params |= BIT(ROCEGUARD_PARAM_NP_CNP_DSCP) |
			BIT(ROCEGUARD_PARAM_NP_CNP_PRIORITY);
	want->param[ROCEGUARD_PARAM_NP_CNP_DSCP] = dscp;
	want->param[ROCEGUARD_PARAM_NP_CNP_PRIORITY] = prio;
	return 0;
}

static int rg_derive_params(const struct rg_policy_spec *spec,
			    struct rg_want *want, struct rg_problem *problem)
{
	const struct rg_class *first = NULL;
	unsigned int i;
	int err;

	err = rg_check_params(spec, problem);
	if (err)
		return err;
	want->params = spec->expert.params;
	memcpy(want->param, spec->expert.param, sizeof(want->param));
	for (i = 0; i < spec->n_classes; i++) {
		if (!spec->class[i].cnp)
			continue;
		if (first)
			return rg_refuse(problem,
					 rg_at_class(i, ROCEGUARD_A_CLASS_CNP),
					 "CNPs are of class " RG_NAME_FMT
					 " already", first->name);
		first = &spec->class[i];
		err = rg_derive_cnp_class(spec, i, want, problem);
		if (err)
			return err;
	}
	if (want->params & rg_params_of(ROCEGUARD_KNOB_DCQCN))
		want->knobs |= BIT(ROCEGUARD_KNOB_DCQCN);
	if (want->params & rg_params_of(ROCEGUARD_KNOB_CNP))
		want->knobs |= BIT(ROCEGUARD_KNOB_CNP);
	return 0;
}

static int rg_derive_mtu(const struct rg_policy_spec *spec,
			 struct rg_want *want, struct rg_problem *problem)
{
	u32 mtu = spec->expert.mtu;

	if (!rg_expert_has(spec, RG_EXPERT_MTU))
		return 0;
	if (mtu < ROCEGUARD_MTU_MIN || mtu > ROCEGUARD_MTU_MAX)
		return rg_refuse(problem,
				 rg_at(RG_WHERE_CHECK, ROCEGUARD_A_CHECK_MTU),
				 "an MTU of %u is out of range, use %d to %d",
				 mtu, ROCEGUARD_MTU_MIN, ROCEGUARD_MTU_MAX);
	want->knobs |= BIT(ROCEGUARD_KNOB_MTU);
	want->mtu = mtu;
	return 0;
}

static int rg_check_cm_class(const struct rg_policy_spec *spec,
			     struct rg_problem *problem)
{
	const struct rg_expert *x = &spec->expert;
	const struct rg_class *class;
	unsigned int n;

	class = rg_policy_connections(spec, &n);
	if (class && !(class->dscp & BIT_ULL(x->cm_tos >> 2)))
		return rg_refuse(problem,
				 rg_at(RG_WHERE_RDMA_CM, ROCEGUARD_A_RDMA_CM_TOS),
				 "ToS %u is DSCP %u, not one of class " RG_NAME_FMT
				 "; try ToS %u", x->cm_tos, x->cm_tos >> 2,
				 class->name, rg_first_dscp(class->dscp) << 2);
	return 0;
}

static int rg_derive_rdma_cm(const struct rg_policy_spec *spec,
			     struct rg_want *want, struct rg_problem *problem)
{
	const struct rg_expert *x = &spec->expert;

	want->cm_tos = RG_UNSET;
	want->cm_mode = RG_UNSET;
	if (rg_expert_has(spec, RG_EXPERT_CM_MODE)) {
		if (spec->roce_mode && spec->roce_mode != x->cm_mode)
			return rg_refuse(problem,
					 rg_at(RG_WHERE_RDMA_CM,
					       ROCEGUARD_A_RDMA_CM_MODE),
					 "RoCE mode %u, but connections are to take mode %u",
					 x->cm_mode, spec->roce_mode);
		want->cm_mode = x->cm_mode;
		want->knobs |= BIT(ROCEGUARD_KNOB_RDMA_CM);
	}
	if (!rg_expert_has(spec, RG_EXPERT_CM_TOS))
		return 0;
	if ((x->cm_tos & 3) == 3)
		return rg_refuse(problem,
				 rg_at(RG_WHERE_RDMA_CM, ROCEGUARD_A_RDMA_CM_TOS),
				 "ToS %u says congestion was met (CE); use %u, or %u for ECT(0)",
				 x->cm_tos, x->cm_tos - 3, x->cm_tos - 1);
	want->cm_tos = x->cm_tos;
	want->knobs |= BIT(ROCEGUARD_KNOB_RDMA_CM);
	return rg_check_cm_class(spec, problem);
}

static int rg_derive_egress(const struct rg_policy_spec *spec,
			    struct rg_want *want, struct rg_problem *problem)
{
	struct rg_at at = rg_at(RG_WHERE_VLAN, ROCEGUARD_A_VLAN_EGRESS);
	const struct rg_class *class;
	unsigned int n;
	u8 dscp, skprio;

	memset(want->egress, RG_UNSET, sizeof(want->egress));
	if (!spec->expert.vlan_egress)
		return 0;
	class = rg_policy_connections(spec, &n);
	if (!class)
		return rg_refuse(problem, at,
				 "which class is for VLANs? say so: [Connection] Class=");
	for (dscp = 0; dscp < RG_DSCPS; dscp++) {
		if (!(class->dscp & BIT_ULL(dscp)))
			continue;
		skprio = rg_tos_skprio(dscp << 2);
		/* Mapping that would move everything else along. */
		if (!skprio && class->priority)
			return rg_refuse(problem, at,
					 "DSCP %u has socket priority 0 as all other traffic; take %u",
					 dscp, dscp | 2);
		want->egress[skprio] = class->priority;
	}
	want->knobs |= BIT(ROCEGUARD_KNOB_VLAN_EGRESS);
	return 0;
}

static int rg_check_connection(const struct rg_policy_spec *spec,
			       struct rg_problem *problem)
{
	if (spec->connection_class[0] &&
	    !rg_policy_class(spec, spec->connection_class))
		return rg_refuse(problem,
				 rg_at(RG_WHERE_CONNECTION,
				       ROCEGUARD_A_CONNECTION_CLASS),
				 "there is no class " RG_NAME_FMT " in this policy",
				 spec->connection_class);
	if (spec->roce_mode > 2)
		return rg_refuse(problem,
				 rg_at(RG_WHERE_CONNECTION,
				       ROCEGUARD_A_CONNECTION_ROCE_MODE),
				 "RoCE mode %u does not exist, use 1 or 2",
				 spec->roce_mode);
	return 0;
}

/**
 * rg_policy_derive - work out what a policy holds on a port
 * @spec: the policy
 * @want: filled in
 * @problem: filled in on error: what is wrong, where, in words
 *
 * Return: 0, or -EINVAL if the policy contradicts itself, leaves something out
 * or is out of range.
 */
int rg_policy_derive(const struct rg_policy_spec *spec, struct rg_want *want,
		     struct rg_problem *problem)
{
	int err;

	memset(want, 0, sizeof(*want));
	if (!rg_name_valid(spec->name))
		return rg_refuse(problem,
				 rg_at(RG_WHERE_POLICY, ROCEGUARD_A_POLICY_NAME),
				 "policy name: use letters, digits, '.', '_' and '-', at most %d",
				 ROCEGUARD_NAME_MAX);
	if (spec->serial[0] && !rg_name_valid(spec->serial))
		return rg_refuse(problem,
				 rg_at(RG_WHERE_POLICY,
				       ROCEGUARD_A_POLICY_SERIAL),
				 "serial: use letters, digits, '.', '_' and '-', at most %d",
				 ROCEGUARD_NAME_MAX);
	err = rg_check_match(spec, problem);
	if (!err)
		err = rg_check_classes(spec, problem);
	if (!err)
		err = rg_derive_pfc(spec, want, problem);
	if (!err)
		err = rg_derive_cable(spec, want, problem);
	if (!err)
		err = rg_derive_pause(spec, want, problem);
	if (!err)
		err = rg_derive_dscp(spec, want, problem);
	if (!err)
		err = rg_derive_ets(spec, want, problem);
	if (!err)
		err = rg_derive_ecn_role(spec, want, 0, problem);
	if (!err)
		err = rg_derive_ecn_role(spec, want, 1, problem);
	if (!err)
		err = rg_derive_buffer(spec, want, problem);
	if (!err)
		err = rg_derive_storm(spec, want, problem);
	if (!err)
		err = rg_derive_watchdog(spec, want, problem);
	if (!err)
		err = rg_derive_params(spec, want, problem);
	if (!err)
		err = rg_derive_mtu(spec, want, problem);
	if (!err)
		err = rg_check_connection(spec, problem);
	if (!err)
		err = rg_derive_rdma_cm(spec, want, problem);
	if (!err)
		err = rg_derive_egress(spec, want, problem);
	if (err)
		return err;
	rg_derive_dcbx(spec, want);
	rg_derive_maxrate(spec, want);
	if (!want->knobs)
		return rg_refuse(problem, rg_at(RG_WHERE_POLICY, 0),
				 "the policy holds nothing; give it a class or an expert section");
	return 0;
}
