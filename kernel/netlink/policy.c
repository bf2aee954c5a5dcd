// SPDX-License-Identifier: GPL-2.0
/* policy-get, policy-set, policy-del, policy-ntf. */
#include <linux/slab.h>
#include <net/net_namespace.h>
#include "../policy.h"
#include "family.h"

/* Limits: everything that one value alone can get wrong. */

#define RG_BOOL		NLA_POLICY_MAX(NLA_U32, 1)
#define RG_PRIORITY	NLA_POLICY_MAX(NLA_U32, RG_PRIORITIES - 1)
#define RG_PRIO_MASK	NLA_POLICY_MAX(NLA_U32, 0xff)
#define RG_TC		NLA_POLICY_MAX(NLA_U32, RG_TCS - 1)
#define RG_DSCP		NLA_POLICY_MAX(NLA_U32, RG_DSCPS - 1)
#define RG_NAME		{ .type = NLA_NUL_STRING, .len = ROCEGUARD_NAME_MAX }
#define RG_GLOB		{ .type = NLA_NUL_STRING, .len = ROCEGUARD_GLOB_MAX }

static const struct nla_policy rg_match_attrs[ROCEGUARD_A_MATCH_MAX + 1] = {
	[ROCEGUARD_A_MATCH_DRIVER] = RG_GLOB,
	[ROCEGUARD_A_MATCH_IFNAME] = RG_GLOB,
	[ROCEGUARD_A_MATCH_RDMA]   = RG_BOOL,
};

static const struct nla_policy rg_class_attrs[ROCEGUARD_A_CLASS_MAX + 1] = {
	[ROCEGUARD_A_CLASS_NAME]     = RG_NAME,
	[ROCEGUARD_A_CLASS_DSCP]     = RG_DSCP,
	[ROCEGUARD_A_CLASS_PRIORITY] = RG_PRIORITY,
	[ROCEGUARD_A_CLASS_LOSSLESS] = RG_BOOL,
	[ROCEGUARD_A_CLASS_ECN]	     = RG_BOOL,
	[ROCEGUARD_A_CLASS_STRICT]   = RG_BOOL,
	[ROCEGUARD_A_CLASS_CNP]	     = RG_BOOL,
	[ROCEGUARD_A_CLASS_SHARE]    = NLA_POLICY_RANGE(NLA_U32, 1, 100),
};

static const struct nla_policy rg_pfc_attrs[ROCEGUARD_A_PFC_MAX + 1] = {
	[ROCEGUARD_A_PFC_PRIORITIES] = RG_PRIO_MASK,
};

static const struct nla_policy
rg_dscp_map_attrs[ROCEGUARD_A_DSCP_MAP_MAX + 1] = {
	[ROCEGUARD_A_DSCP_MAP_DSCP]	= RG_DSCP,
	[ROCEGUARD_A_DSCP_MAP_PRIORITY] = RG_PRIORITY,
};

static const struct nla_policy rg_dscp_attrs[ROCEGUARD_A_DSCP_MAX + 1] = {
	[ROCEGUARD_A_DSCP_TRUST] = NLA_POLICY_MAX(NLA_U32, ROCEGUARD_TRUST_DSCP),
	[ROCEGUARD_A_DSCP_MAP]	 = NLA_POLICY_NESTED(rg_dscp_map_attrs),
};

static const struct nla_policy
rg_prio_tc_attrs[ROCEGUARD_A_PRIO_TC_MAX + 1] = {
	[ROCEGUARD_A_PRIO_TC_PRIORITY] = RG_PRIORITY,
	[ROCEGUARD_A_PRIO_TC_TC]       = RG_TC,
};

static const struct nla_policy rg_tc_attrs[ROCEGUARD_A_TC_MAX + 1] = {
	[ROCEGUARD_A_TC_TC]	   = RG_TC,
	[ROCEGUARD_A_TC_TSA]	   = NLA_POLICY_MAX(NLA_U32, ROCEGUARD_TSA_ETS),
	[ROCEGUARD_A_TC_BANDWIDTH] = NLA_POLICY_MAX(NLA_U32, 100),
};

static const struct nla_policy rg_ets_attrs[ROCEGUARD_A_ETS_MAX + 1] = {
	[ROCEGUARD_A_ETS_PRIO_TC] = NLA_POLICY_NESTED(rg_prio_tc_attrs),
	[ROCEGUARD_A_ETS_TC]	  = NLA_POLICY_NESTED(rg_tc_attrs),
};

static const struct nla_policy rg_ecn_attrs[ROCEGUARD_A_ECN_MAX + 1] = {
	[ROCEGUARD_A_ECN_NP] = RG_PRIO_MASK,
	[ROCEGUARD_A_ECN_RP] = RG_PRIO_MASK,
};

static const struct nla_policy rg_pause_attrs[ROCEGUARD_A_PAUSE_MAX + 1] = {
	[ROCEGUARD_A_PAUSE_RX] = RG_BOOL,
	[ROCEGUARD_A_PAUSE_TX] = RG_BOOL,
};

static const struct nla_policy
rg_connection_attrs[ROCEGUARD_A_CONNECTION_MAX + 1] = {
	[ROCEGUARD_A_CONNECTION_CLASS]	   = RG_NAME,
	[ROCEGUARD_A_CONNECTION_ROCE_MODE] = NLA_POLICY_RANGE(NLA_U32, 1, 2),
};

const struct nla_policy rg_policy_attrs[ROCEGUARD_A_POLICY_MAX + 1] = {
	[ROCEGUARD_A_POLICY_NAME]	= RG_NAME,
	[ROCEGUARD_A_POLICY_MODE]	= NLA_POLICY_MAX(NLA_U32,
						ROCEGUARD_POLICY_MODE_OBSERVE),
	[ROCEGUARD_A_POLICY_MATCH]	= NLA_POLICY_NESTED(rg_match_attrs),
	[ROCEGUARD_A_POLICY_CLASS]	= NLA_POLICY_NESTED(rg_class_attrs),
	[ROCEGUARD_A_POLICY_PFC]	= NLA_POLICY_NESTED(rg_pfc_attrs),
	[ROCEGUARD_A_POLICY_DSCP]	= NLA_POLICY_NESTED(rg_dscp_attrs),
	[ROCEGUARD_A_POLICY_ETS]	= NLA_POLICY_NESTED(rg_ets_attrs),
	[ROCEGUARD_A_POLICY_ECN]	= NLA_POLICY_NESTED(rg_ecn_attrs),
	[ROCEGUARD_A_POLICY_PAUSE]	= NLA_POLICY_NESTED(rg_pause_attrs),
	[ROCEGUARD_A_POLICY_CONNECTION] = NLA_POLICY_NESTED(rg_connection_attrs),
	[ROCEGUARD_A_POLICY_GENERATION] = { .type = NLA_REJECT },
	[ROCEGUARD_A_POLICY_PORTS]	= { .type = NLA_REJECT },
};

const struct nla_policy rg_policy_key[ROCEGUARD_A_POLICY_NAME + 1] = {
	[ROCEGUARD_A_POLICY_NAME] = RG_NAME,
};

/* Decoding */

/**
 * struct rg_decoder - a policy being decoded
 * @spec: into which
 * @extack: for what the tables above can't refuse
 */
struct rg_decoder {
	struct rg_policy_spec *spec;
	struct netlink_ext_ack *extack;
};

static int rg_decode_glob(struct rg_decoder *d, const struct nlattr *attr,
			  char list[][ROCEGUARD_GLOB_MAX + 1], unsigned int *n)
{
	if (*n == ROCEGUARD_GLOBS_MAX) {
		NL_SET_ERR_MSG_ATTR(d->extack, attr,
				    "more than 16 patterns of one kind");
		return -E2BIG;
	}
	if (!nla_len(attr) || !*(char *)nla_data(attr)) {
		NL_SET_ERR_MSG_ATTR(d->extack, attr,
				    "an empty pattern matches nothing");
		return -EINVAL;
	}
	nla_strscpy(list[(*n)++], attr, ROCEGUARD_GLOB_MAX + 1);
	return 0;
}

static int rg_decode_match(struct rg_decoder *d, const struct nlattr *nest)
{
	struct rg_match *match = &d->spec->match;
	const struct nlattr *attr;
	int rem, err = 0;

	nla_for_each_nested(attr, nest, rem) {
		switch (nla_type(attr)) {
		case ROCEGUARD_A_MATCH_DRIVER:
			err = rg_decode_glob(d, attr, match->driver,
					     &match->n_driver);
			break;
		case ROCEGUARD_A_MATCH_IFNAME:
			err = rg_decode_glob(d, attr, match->ifname,
					     &match->n_ifname);
			break;
		case ROCEGUARD_A_MATCH_RDMA:
			match->rdma = nla_get_u32(attr);
			break;
		}
		if (err)
			return err;
	}
	return 0;
}

static int rg_decode_class(struct rg_decoder *d, const struct nlattr *nest)
{
	const struct nlattr *attr;
	struct rg_class *class;
	int rem;

	if (d->spec->n_classes == ROCEGUARD_CLASSES_MAX) {
		NL_SET_ERR_MSG_ATTR(d->extack, nest, "more than 8 classes");
		return -E2BIG;
	}
	class = &d->spec->class[d->spec->n_classes++];
	rg_class_init(class);
	nla_for_each_nested(attr, nest, rem) {
		switch (nla_type(attr)) {
		case ROCEGUARD_A_CLASS_NAME:
			nla_strscpy(class->name, attr, sizeof(class->name));
			break;
		case ROCEGUARD_A_CLASS_DSCP:
			class->dscp |= BIT_ULL(nla_get_u32(attr));
			break;
		case ROCEGUARD_A_CLASS_PRIORITY:
			class->priority = nla_get_u32(attr);
			break;
		case ROCEGUARD_A_CLASS_LOSSLESS:
			class->lossless = nla_get_u32(attr);
			break;
		case ROCEGUARD_A_CLASS_ECN:
			class->ecn = nla_get_u32(attr) ? RG_YES : RG_NO;
			break;
		case ROCEGUARD_A_CLASS_STRICT:
			class->strict = nla_get_u32(attr);
			break;
		case ROCEGUARD_A_CLASS_CNP:
			class->cnp = nla_get_u32(attr);
			break;
		case ROCEGUARD_A_CLASS_SHARE:
			class->share = nla_get_u32(attr);
			break;
		}
	}
	return 0;
}

static int rg_decode_pfc(struct rg_decoder *d, const struct nlattr *nest)
{
	const struct nlattr *attr;

	attr = nla_find_nested(nest, ROCEGUARD_A_PFC_PRIORITIES);
	if (!attr)
		return 0;
	d->spec->expert.set |= BIT(RG_EXPERT_PFC);
	d->spec->expert.pfc = nla_get_u32(attr);
	return 0;
}

static int rg_decode_map(struct rg_decoder *d, const struct nlattr *nest)
{
	const struct nlattr *dscp, *prio;
	u8 *map = d->spec->expert.map;

	dscp = nla_find_nested(nest, ROCEGUARD_A_DSCP_MAP_DSCP);
	prio = nla_find_nested(nest, ROCEGUARD_A_DSCP_MAP_PRIORITY);
	if (!dscp || !prio) {
		NL_SET_ERR_MSG_ATTR(d->extack, nest,
				    "a map entry needs a DSCP and a priority");
		return -EINVAL;
	}
	if (map[nla_get_u32(dscp)] != RG_UNSET) {
		NL_SET_ERR_MSG_ATTR(d->extack, dscp,
				    "this DSCP is mapped twice");
		return -EINVAL;
	}
	map[nla_get_u32(dscp)] = nla_get_u32(prio);
	d->spec->expert.set |= BIT(RG_EXPERT_MAP);
	return 0;
}

static int rg_decode_dscp(struct rg_decoder *d, const struct nlattr *nest)
{
	const struct nlattr *attr;
	int rem, err;

	nla_for_each_nested(attr, nest, rem) {
		if (nla_type(attr) == ROCEGUARD_A_DSCP_TRUST) {
			d->spec->expert.set |= BIT(RG_EXPERT_TRUST);
			d->spec->expert.trust = nla_get_u32(attr);
			continue;
		}
		err = rg_decode_map(d, attr);
		if (err)
			return err;
	}
	return 0;
}

static int rg_decode_prio_tc(struct rg_decoder *d, const struct nlattr *nest)
{
	const struct nlattr *prio, *tc;

	prio = nla_find_nested(nest, ROCEGUARD_A_PRIO_TC_PRIORITY);
	tc = nla_find_nested(nest, ROCEGUARD_A_PRIO_TC_TC);
	if (!prio || !tc) {
		NL_SET_ERR_MSG_ATTR(d->extack, nest,
				    "a priority and its TC go together");
		return -EINVAL;
	}
	d->spec->expert.prio_tc[nla_get_u32(prio)] = nla_get_u32(tc);
	d->spec->expert.set |= BIT(RG_EXPERT_PRIO_TC);
	return 0;
}

static int rg_decode_tc(struct rg_decoder *d, const struct nlattr *nest)
{
	const struct nlattr *tc, *tsa, *bandwidth;
	u32 n;

	tc = nla_find_nested(nest, ROCEGUARD_A_TC_TC);
	tsa = nla_find_nested(nest, ROCEGUARD_A_TC_TSA);
	bandwidth = nla_find_nested(nest, ROCEGUARD_A_TC_BANDWIDTH);
	if (!tc || !tsa) {
		NL_SET_ERR_MSG_ATTR(d->extack, nest,
				    "a TC needs its number and its TSA");
		return -EINVAL;
	}
	n = nla_get_u32(tc);
	d->spec->expert.tsa[n] = nla_get_u32(tsa);
	d->spec->expert.bandwidth[n] = bandwidth ? nla_get_u32(bandwidth) : 0;
	d->spec->expert.set |= BIT(RG_EXPERT_TC);
	return 0;
}

static int rg_decode_ets(struct rg_decoder *d, const struct nlattr *nest)
{
	const struct nlattr *attr;
	int rem, err;

	nla_for_each_nested(attr, nest, rem) {
		err = nla_type(attr) == ROCEGUARD_A_ETS_PRIO_TC ?
			rg_decode_prio_tc(d, attr) : rg_decode_tc(d, attr);
		if (err)
			return err;
	}
	return 0;
}

static int rg_decode_ecn(struct rg_decoder *d, const struct nlattr *nest)
{
	struct rg_expert *x = &d->spec->expert;
	const struct nlattr *np, *rp;

	np = nla_find_nested(nest, ROCEGUARD_A_ECN_NP);
	rp = nla_find_nested(nest, ROCEGUARD_A_ECN_RP);
	if (np) {
		x->set |= BIT(RG_EXPERT_ECN_NP);
		x->ecn_np = nla_get_u32(np);
	}
	if (rp) {
		x->set |= BIT(RG_EXPERT_ECN_RP);
		x->ecn_rp = nla_get_u32(rp);
	}
	return 0;
}

static int rg_decode_pause(struct rg_decoder *d, const struct nlattr *nest)
{
	struct rg_expert *x = &d->spec->expert;
	const struct nlattr *rx, *tx;

	rx = nla_find_nested(nest, ROCEGUARD_A_PAUSE_RX);
	tx = nla_find_nested(nest, ROCEGUARD_A_PAUSE_TX);
	if (rx) {
		x->set |= BIT(RG_EXPERT_PAUSE_RX);
		x->pause_rx = nla_get_u32(rx);
	}
	if (tx) {
		x->set |= BIT(RG_EXPERT_PAUSE_TX);
		x->pause_tx = nla_get_u32(tx);
	}
	return 0;
}

static int rg_decode_connection(struct rg_decoder *d, const struct nlattr *nest)
{
	const struct nlattr *class, *mode;

	class = nla_find_nested(nest, ROCEGUARD_A_CONNECTION_CLASS);
	mode = nla_find_nested(nest, ROCEGUARD_A_CONNECTION_ROCE_MODE);
	if (class)
		nla_strscpy(d->spec->connection_class, class,
			    sizeof(d->spec->connection_class));
	if (mode)
		d->spec->roce_mode = nla_get_u32(mode);
	return 0;
}

static int rg_decode_name(struct rg_decoder *d, const struct nlattr *attr)
{
	nla_strscpy(d->spec->name, attr, sizeof(d->spec->name));
	return 0;
}

static int rg_decode_mode(struct rg_decoder *d, const struct nlattr *attr)
{
	d->spec->observe = nla_get_u32(attr) == ROCEGUARD_POLICY_MODE_OBSERVE;
	return 0;
}

static int (*const rg_decoders[])(struct rg_decoder *d,
				  const struct nlattr *attr) = {
	[ROCEGUARD_A_POLICY_NAME]	= rg_decode_name,
	[ROCEGUARD_A_POLICY_MODE]	= rg_decode_mode,
	[ROCEGUARD_A_POLICY_MATCH]	= rg_decode_match,
	[ROCEGUARD_A_POLICY_CLASS]	= rg_decode_class,
	[ROCEGUARD_A_POLICY_PFC]	= rg_decode_pfc,
	[ROCEGUARD_A_POLICY_DSCP]	= rg_decode_dscp,
	[ROCEGUARD_A_POLICY_ETS]	= rg_decode_ets,
	[ROCEGUARD_A_POLICY_ECN]	= rg_decode_ecn,
	[ROCEGUARD_A_POLICY_PAUSE]	= rg_decode_pause,
	[ROCEGUARD_A_POLICY_CONNECTION] = rg_decode_connection,
};

static int rg_decode(struct rg_decoder *d, const struct genl_info *info)
{
	const struct nlattr *attr;
	int rem, err;

	nlmsg_for_each_attr(attr, info->nlhdr, GENL_HDRLEN, rem) {
		err = rg_decoders[nla_type(attr)](d, attr);
		if (err)
			return err;
	}
	return 0;
}

/* Blame */

static const int rg_where_attr[] = {
	[RG_WHERE_MATCH]      = ROCEGUARD_A_POLICY_MATCH,
	[RG_WHERE_CLASS]      = ROCEGUARD_A_POLICY_CLASS,
	[RG_WHERE_PFC]	      = ROCEGUARD_A_POLICY_PFC,
	[RG_WHERE_DSCP]	      = ROCEGUARD_A_POLICY_DSCP,
	[RG_WHERE_ETS]	      = ROCEGUARD_A_POLICY_ETS,
	[RG_WHERE_ECN]	      = ROCEGUARD_A_POLICY_ECN,
	[RG_WHERE_PAUSE]      = ROCEGUARD_A_POLICY_PAUSE,
	[RG_WHERE_CONNECTION] = ROCEGUARD_A_POLICY_CONNECTION,
};

static const struct nlattr *rg_nth_attr(const struct genl_info *info, int type,
					unsigned int n)
{
	const struct nlattr *attr;
	int rem;

	nlmsg_for_each_attr(attr, info->nlhdr, GENL_HDRLEN, rem)
		if (nla_type(attr) == type && !n--)
			return attr;
	return NULL;
}

/* The attribute that a problem is about, as closely as it can be named. */
static const struct nlattr *rg_blamed(const struct genl_info *info,
				      const struct rg_problem *problem)
{
	const struct nlattr *nest, *attr = NULL;

	if (problem->where == RG_WHERE_POLICY)
		return problem->key ? info->attrs[problem->key] : NULL;
	nest = rg_nth_attr(info, rg_where_attr[problem->where],
			   problem->index);
	if (nest && problem->key)
		attr = nla_find_nested(nest, problem->key);
	return attr ?: nest;
}

/* Encoding */

static int rg_encode_globs(struct sk_buff *skb, int type,
			   const char list[][ROCEGUARD_GLOB_MAX + 1],
			   unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (nla_put_string(skb, type, list[i]))
			return -EMSGSIZE;
	return 0;
}

static int rg_encode_match(struct sk_buff *skb, const struct rg_match *match)
{
	struct nlattr *nest = nla_nest_start(skb, ROCEGUARD_A_POLICY_MATCH);

	if (!nest ||
	    rg_encode_globs(skb, ROCEGUARD_A_MATCH_DRIVER, match->driver,
			    match->n_driver) ||
	    rg_encode_globs(skb, ROCEGUARD_A_MATCH_IFNAME, match->ifname,
			    match->n_ifname) ||
	    nla_put_u32(skb, ROCEGUARD_A_MATCH_RDMA, match->rdma))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int rg_encode_class(struct sk_buff *skb, const struct rg_class *class)
{
	struct nlattr *nest = nla_nest_start(skb, ROCEGUARD_A_POLICY_CLASS);
	u32 dscp;

	if (!nest || nla_put_string(skb, ROCEGUARD_A_CLASS_NAME, class->name))
		return -EMSGSIZE;
	for (dscp = 0; dscp < RG_DSCPS; dscp++)
		if (class->dscp & BIT_ULL(dscp) &&
		    nla_put_u32(skb, ROCEGUARD_A_CLASS_DSCP, dscp))
			return -EMSGSIZE;
	if (nla_put_u32(skb, ROCEGUARD_A_CLASS_PRIORITY, class->priority) ||
	    nla_put_u32(skb, ROCEGUARD_A_CLASS_LOSSLESS, class->lossless) ||
	    nla_put_u32(skb, ROCEGUARD_A_CLASS_STRICT, class->strict) ||
	    nla_put_u32(skb, ROCEGUARD_A_CLASS_CNP, class->cnp))
		return -EMSGSIZE;
	if (class->ecn != RG_NOT_SAID &&
	    nla_put_u32(skb, ROCEGUARD_A_CLASS_ECN, class->ecn == RG_YES))
		return -EMSGSIZE;
	if (class->share &&
	    nla_put_u32(skb, ROCEGUARD_A_CLASS_SHARE, class->share))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/* One u32 of an expert section, if it was said. */
struct rg_expert_value {
	enum rg_expert_bit bit;
	int attr;
	u32 value;
};

static int rg_encode_values(struct sk_buff *skb, u32 set, int section,
			    const struct rg_expert_value *v, size_t n)
{
	struct nlattr *nest = NULL;
	size_t i;

	for (i = 0; i < n; i++) {
		if (!(set & BIT(v[i].bit)))
			continue;
		if (!nest)
			nest = nla_nest_start(skb, section);
		if (!nest || nla_put_u32(skb, v[i].attr, v[i].value))
			return -EMSGSIZE;
	}
	if (nest)
		nla_nest_end(skb, nest);
	return 0;
}

static int rg_encode_pair(struct sk_buff *skb, int section, int a, u32 a_value,
			  int b, u32 b_value)
{
	struct nlattr *nest = nla_nest_start(skb, section);

	if (!nest || nla_put_u32(skb, a, a_value) || nla_put_u32(skb, b, b_value))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int rg_encode_dscp(struct sk_buff *skb, const struct rg_expert *x)
{
	struct nlattr *nest;
	u32 dscp;

	if (!(x->set & (BIT(RG_EXPERT_TRUST) | BIT(RG_EXPERT_MAP))))
		return 0;
	nest = nla_nest_start(skb, ROCEGUARD_A_POLICY_DSCP);
	if (!nest)
		return -EMSGSIZE;
	if (x->set & BIT(RG_EXPERT_TRUST) &&
	    nla_put_u32(skb, ROCEGUARD_A_DSCP_TRUST, x->trust))
		return -EMSGSIZE;
	for (dscp = 0; dscp < RG_DSCPS; dscp++)
		if (x->map[dscp] != RG_UNSET &&
		    rg_encode_pair(skb, ROCEGUARD_A_DSCP_MAP,
				   ROCEGUARD_A_DSCP_MAP_DSCP, dscp,
				   ROCEGUARD_A_DSCP_MAP_PRIORITY, x->map[dscp]))
			return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int rg_encode_tc(struct sk_buff *skb, const struct rg_expert *x, u32 tc)
{
	struct nlattr *nest = nla_nest_start(skb, ROCEGUARD_A_ETS_TC);

	if (!nest || nla_put_u32(skb, ROCEGUARD_A_TC_TC, tc) ||
	    nla_put_u32(skb, ROCEGUARD_A_TC_TSA, x->tsa[tc]))
		return -EMSGSIZE;
	if (x->tsa[tc] == ROCEGUARD_TSA_ETS &&
	    nla_put_u32(skb, ROCEGUARD_A_TC_BANDWIDTH, x->bandwidth[tc]))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int rg_encode_ets(struct sk_buff *skb, const struct rg_expert *x)
{
	struct nlattr *nest;
	u32 i;

	if (!(x->set & (BIT(RG_EXPERT_PRIO_TC) | BIT(RG_EXPERT_TC))))
		return 0;
	nest = nla_nest_start(skb, ROCEGUARD_A_POLICY_ETS);
	if (!nest)
		return -EMSGSIZE;
	for (i = 0; i < RG_PRIORITIES; i++)
		if (x->prio_tc[i] != RG_UNSET &&
		    rg_encode_pair(skb, ROCEGUARD_A_ETS_PRIO_TC,
				   ROCEGUARD_A_PRIO_TC_PRIORITY, i,
				   ROCEGUARD_A_PRIO_TC_TC, x->prio_tc[i]))
			return -EMSGSIZE;
	for (i = 0; i < RG_TCS; i++)
		if (x->tsa[i] != RG_UNSET && rg_encode_tc(skb, x, i))
			return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int rg_encode_expert(struct sk_buff *skb, const struct rg_expert *x)
{
	const struct rg_expert_value pfc[] = {
		{ RG_EXPERT_PFC, ROCEGUARD_A_PFC_PRIORITIES, x->pfc },
	};
	const struct rg_expert_value ecn[] = {
		{ RG_EXPERT_ECN_NP, ROCEGUARD_A_ECN_NP, x->ecn_np },
		{ RG_EXPERT_ECN_RP, ROCEGUARD_A_ECN_RP, x->ecn_rp },
	};
	const struct rg_expert_value pause[] = {
		{ RG_EXPERT_PAUSE_RX, ROCEGUARD_A_PAUSE_RX, x->pause_rx },
		{ RG_EXPERT_PAUSE_TX, ROCEGUARD_A_PAUSE_TX, x->pause_tx },
	};

	if (rg_encode_values(skb, x->set, ROCEGUARD_A_POLICY_PFC, pfc,
			     ARRAY_SIZE(pfc)) ||
	    rg_encode_dscp(skb, x) || rg_encode_ets(skb, x) ||
	    rg_encode_values(skb, x->set, ROCEGUARD_A_POLICY_ECN, ecn,
			     ARRAY_SIZE(ecn)) ||
	    rg_encode_values(skb, x->set, ROCEGUARD_A_POLICY_PAUSE, pause,
			     ARRAY_SIZE(pause)))
		return -EMSGSIZE;
	return 0;
}

static int rg_encode_connection(struct sk_buff *skb,
				const struct rg_policy_spec *spec)
{
	struct nlattr *nest;

	if (!spec->connection_class[0] && !spec->roce_mode)
		return 0;
	nest = nla_nest_start(skb, ROCEGUARD_A_POLICY_CONNECTION);
	if (!nest)
		return -EMSGSIZE;
	if (spec->connection_class[0] &&
	    nla_put_string(skb, ROCEGUARD_A_CONNECTION_CLASS,
			   spec->connection_class))
		return -EMSGSIZE;
	if (spec->roce_mode &&
	    nla_put_u32(skb, ROCEGUARD_A_CONNECTION_ROCE_MODE,
			spec->roce_mode))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int rg_policy_fill(struct sk_buff *skb, const struct rg_policy *policy)
{
	const struct rg_policy_spec *spec = &policy->spec;
	unsigned int i;

	if (nla_put_string(skb, ROCEGUARD_A_POLICY_NAME, spec->name) ||
	    nla_put_u32(skb, ROCEGUARD_A_POLICY_MODE, spec->observe ?
			ROCEGUARD_POLICY_MODE_OBSERVE :
			ROCEGUARD_POLICY_MODE_ENFORCE) ||
	    nla_put_u32(skb, ROCEGUARD_A_POLICY_GENERATION,
			policy->generation) ||
	    nla_put_u32(skb, ROCEGUARD_A_POLICY_PORTS,
			rg_ports_governed(spec->name)) ||
	    rg_encode_match(skb, &spec->match))
		return -EMSGSIZE;
	for (i = 0; i < spec->n_classes; i++)
		if (rg_encode_class(skb, &spec->class[i]))
			return -EMSGSIZE;
	return rg_encode_expert(skb, &spec->expert) ?:
	       rg_encode_connection(skb, spec);
}

/* A policy that uses every attribute to the full takes several KiB. */
#define RG_POLICY_MSG	(4 * NLMSG_DEFAULT_SIZE)

static struct sk_buff *rg_policy_msg(struct genl_info *info, u8 cmd,
				     const struct rg_policy *policy)
{
	struct sk_buff *msg = genlmsg_new(RG_POLICY_MSG, GFP_KERNEL);
	void *hdr;

	if (!msg)
		return NULL;
	hdr = genlmsg_put(msg, info ? info->snd_portid : 0,
			  info ? info->snd_seq : 0, &rg_family, 0, cmd);
	if (!hdr || rg_policy_fill(msg, policy)) {
		nlmsg_free(msg);
		return NULL;
	}
	genlmsg_end(msg, hdr);
	return msg;
}

static int rg_policy_reply(struct genl_info *info,
			   const struct rg_policy *policy)
{
	struct sk_buff *msg = rg_policy_msg(info, info->genlhdr->cmd, policy);

	return msg ? genlmsg_reply(msg, info) : -ENOMEM;
}

static void rg_policy_ntf(const struct rg_policy *policy)
{
	struct sk_buff *msg;

	if (!rg_family_heard(&init_net, RG_MCGRP_POLICY))
		return;
	msg = rg_policy_msg(NULL, ROCEGUARD_CMD_POLICY_NTF, policy);
	if (msg)
		genlmsg_multicast_netns(&rg_family, &init_net, msg, 0,
					RG_MCGRP_POLICY, GFP_KERNEL);
}

/* Commands */

static int rg_policy_decode(struct genl_info *info, struct rg_policy *policy)
{
	struct rg_decoder decoder = {
		.spec	= &policy->spec,
		.extack = info->extack,
	};
	struct rg_problem problem = {};
	int err;

	err = rg_decode(&decoder, info);
	if (err)
		return err;
	err = rg_policy_derive(&policy->spec, &policy->want, &problem);
	if (err)
		RG_SET_ERR_MSG_ATTR_FMT(info->extack,
					rg_blamed(info, &problem),
					"the policy contradicts itself",
					"%s", problem.text);
	return err;
}

/**
 * rg_policy_set_doit - policy-set
 * @skb: the request
 * @info: the request
 *
 * Return: 0 or a negative errno.
 */
int rg_policy_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct rg_policy *policy;
	int err;

	if (!rg_from_init_net(info))
		return -EPERM;
	if (!info->attrs[ROCEGUARD_A_POLICY_NAME]) {
		NL_SET_ERR_MSG(info->extack, "a policy needs a name");
		return -EINVAL;
	}
	policy = rg_policy_alloc();
	if (!policy)
		return -ENOMEM;
	err = rg_policy_decode(info, policy);
	if (!err) {
		err = rg_policy_set(policy);
		if (err)
			NL_SET_ERR_MSG(info->extack,
				       "there are 256 policies already; delete one");
	}
	if (!err) {
		rg_history_request(policy->generation, "policy set %s",
				   policy->spec.name);
		rg_policy_ntf(policy);
		rg_ports_rescan();
		err = rg_policy_reply(info, policy);
	}
	rg_policy_put(policy);
	return err;
}

static const char *rg_policy_named(struct genl_info *info)
{
	const struct nlattr *name = info->attrs[ROCEGUARD_A_POLICY_NAME];

	if (name)
		return nla_data(name);
	NL_SET_ERR_MSG(info->extack, "name the policy");
	return NULL;
}

static int rg_no_policy(struct genl_info *info)
{
	NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[ROCEGUARD_A_POLICY_NAME],
			    "there is no policy of that name");
	return -ENOENT;
}

static int rg_gone_put(struct sk_buff *skb, const char *name, u32 generation)
{
	if (nla_put_string(skb, ROCEGUARD_A_POLICY_NAME, name) ||
	    nla_put_u32(skb, ROCEGUARD_A_POLICY_GENERATION, generation))
		return -EMSGSIZE;
	return 0;
}

static void rg_gone_ntf(const char *name, u32 generation)
{
	struct sk_buff *msg;
	void *hdr;

	if (!rg_family_heard(&init_net, RG_MCGRP_POLICY))
		return;
	msg = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!msg)
		return;
	hdr = genlmsg_put(msg, 0, 0, &rg_family, 0, ROCEGUARD_CMD_POLICY_NTF);
	if (!hdr || rg_gone_put(msg, name, generation)) {
		nlmsg_free(msg);
		return;
	}
	genlmsg_end(msg, hdr);
	genlmsg_multicast_netns(&rg_family, &init_net, msg, 0, RG_MCGRP_POLICY,
				GFP_KERNEL);
}

/**
 * rg_policy_del_doit - policy-del
 * @skb: the request
 * @info: the request
 *
 * Ports keep what they have; nobody watches it any more.
 *
 * Return: 0 or a negative errno.
 */
int rg_policy_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct sk_buff *msg;
	const char *name;
	u32 generation;
	void *hdr;

	if (!rg_from_init_net(info))
		return -EPERM;
	name = rg_policy_named(info);
	if (!name)
		return -EINVAL;
	if (rg_policy_del(name, &generation))
		return rg_no_policy(info);
	rg_history_request(generation, "policy delete %s", name);
	rg_gone_ntf(name, generation);
	rg_ports_rescan();
	msg = rg_reply_begin(info, &hdr);
	if (!msg)
		return -ENOMEM;
	return rg_reply_end(msg, hdr, rg_gone_put(msg, name, generation), info);
}

/**
 * rg_policy_get_doit - policy-get
 * @skb: the request
 * @info: the request
 *
 * Return: 0 or a negative errno.
 */
int rg_policy_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	const char *name = rg_policy_named(info);
	struct rg_policy *policy;
	int err;

	if (!name)
		return -EINVAL;
	policy = rg_policy_get(name);
	if (!policy)
		return rg_no_policy(info);
	err = rg_policy_reply(info, policy);
	rg_policy_put(policy);
	return err;
}

static int rg_policy_dump(struct sk_buff *skb, struct netlink_callback *cb,
			  const struct rg_policy *policy)
{
	void *hdr;

	hdr = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			  &rg_family, NLM_F_MULTI, ROCEGUARD_CMD_POLICY_GET);
	if (!hdr)
		return -EMSGSIZE;
	genl_dump_check_consistent(cb, hdr);
	if (rg_policy_fill(skb, policy)) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

/**
 * rg_policy_get_dumpit - policy-get
 * @skb: to be filled
 * @cb: cb->args[0]: how many were told; names may change, so the order is
 *	checked by generation
 *
 * Return: bytes filled in, or a negative errno.
 */
int rg_policy_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	char name[ROCEGUARD_NAME_MAX + 1] = "";
	struct rg_policy *policy;
	long told = 0;
	int err = 0;

	cb->seq = rg_policy_generation() + 1;
	while ((policy = rg_policy_get_after(name))) {
		strscpy(name, policy->spec.name, sizeof(name));
		if (told++ >= cb->args[0]) {
			err = rg_policy_dump(skb, cb, policy);
			if (!err)
				cb->args[0] = told;
		}
		rg_policy_put(policy);
		if (err)
			break;
	}
	return skb->len ?: err;
}
