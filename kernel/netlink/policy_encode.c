// SPDX-License-Identifier: GPL-2.0
/* A policy as it goes: what policy-set takes, and what the store knows of it. */
#include <linux/ktime.h>
#include "policy_attrs.h"

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
	    rg_encode_globs(skb, ROCEGUARD_A_MATCH_PCI, match->pci,
			    match->n_pci) ||
	    rg_encode_globs(skb, ROCEGUARD_A_MATCH_RDMA_DEVICE,
			    match->rdma_device, match->n_rdma_device) ||
	    nla_put_u32(skb, ROCEGUARD_A_MATCH_RDMA, match->rdma))
		return -EMSGSIZE;
	if (match->speed_from &&
	    nla_put_u32(skb, ROCEGUARD_A_MATCH_SPEED_FROM, match->speed_from))
		return -EMSGSIZE;
	if (match->speed_to &&
	    nla_put_u32(skb, ROCEGUARD_A_MATCH_SPEED_TO, match->speed_to))
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
	if (class->cable &&
	    nla_put_u32(skb, ROCEGUARD_A_CLASS_CABLE_LENGTH, class->cable))
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

static int rg_encode_maxrate(struct sk_buff *skb, const struct rg_expert *x)
{
	struct nlattr *nest;
	u32 tc;

	if (!(x->set & BIT(RG_EXPERT_RATE)))
		return 0;
	nest = nla_nest_start(skb, ROCEGUARD_A_POLICY_MAXRATE);
	if (!nest)
		return -EMSGSIZE;
	for (tc = 0; tc < RG_TCS; tc++)
		if (x->rated & BIT(tc) &&
		    rg_encode_pair(skb, ROCEGUARD_A_MAXRATE_RATE,
				   ROCEGUARD_A_RATE_TC, tc,
				   ROCEGUARD_A_RATE_KBPS, x->kbps[tc]))
			return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int rg_encode_buffer(struct sk_buff *skb, const struct rg_expert *x)
{
	struct nlattr *nest;
	u32 i;

	if (!(x->set & (BIT(RG_EXPERT_BUFFER_SIZE) | BIT(RG_EXPERT_BUFFER_PRIO))))
		return 0;
	nest = nla_nest_start(skb, ROCEGUARD_A_POLICY_BUFFER);
	if (!nest)
		return -EMSGSIZE;
	for (i = 0; i < RG_BUFFERS; i++)
		if (x->sized & BIT(i) &&
		    rg_encode_pair(skb, ROCEGUARD_A_BUFFER_SIZE,
				   ROCEGUARD_A_SIZE_BUFFER, i,
				   ROCEGUARD_A_SIZE_BYTES, x->buffer_size[i]))
			return -EMSGSIZE;
	for (i = 0; i < RG_PRIORITIES; i++)
		if (x->prio_buffer[i] != RG_UNSET &&
		    rg_encode_pair(skb, ROCEGUARD_A_BUFFER_PRIO,
				   ROCEGUARD_A_PRIO_PRIORITY, i,
				   ROCEGUARD_A_PRIO_BUFFER, x->prio_buffer[i]))
			return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int rg_encode_dcqcn(struct sk_buff *skb, const struct rg_expert *x)
{
	struct nlattr *nest;
	u32 i;

	if (!x->params)
		return 0;
	nest = nla_nest_start(skb, ROCEGUARD_A_POLICY_DCQCN);
	if (!nest)
		return -EMSGSIZE;
	for (i = 0; i < RG_PARAMS; i++)
		if (x->params & BIT(i) &&
		    rg_encode_pair(skb, ROCEGUARD_A_DCQCN_PARAM,
				   ROCEGUARD_A_PARAM_ID, i,
				   ROCEGUARD_A_PARAM_VALUE, x->param[i]))
			return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int rg_encode_expert(struct sk_buff *skb, const struct rg_expert *x)
{
	const struct rg_expert_value pfc[] = {
		{ RG_EXPERT_PFC, ROCEGUARD_A_PFC_PRIORITIES, x->pfc },
		{ RG_EXPERT_CABLE, ROCEGUARD_A_PFC_CABLE_LENGTH, x->cable },
	};
	const struct rg_expert_value ecn[] = {
		{ RG_EXPERT_ECN_NP, ROCEGUARD_A_ECN_NP, x->ecn_np },
		{ RG_EXPERT_ECN_RP, ROCEGUARD_A_ECN_RP, x->ecn_rp },
	};
	const struct rg_expert_value pause[] = {
		{ RG_EXPERT_PAUSE_RX, ROCEGUARD_A_PAUSE_RX, x->pause_rx },
		{ RG_EXPERT_PAUSE_TX, ROCEGUARD_A_PAUSE_TX, x->pause_tx },
	};
	const struct rg_expert_value dcbx[] = {
		{ RG_EXPERT_DCBX, ROCEGUARD_A_DCBX_MODE, x->dcbx },
	};
	const struct rg_expert_value check[] = {
		{ RG_EXPERT_MTU, ROCEGUARD_A_CHECK_MTU, x->mtu },
	};
	const struct rg_expert_value storm[] = {
		{ RG_EXPERT_STORM, ROCEGUARD_A_STORM_PREVENTION_TIMEOUT,
		  x->storm },
	};
	const struct rg_expert_value rdma_cm[] = {
		{ RG_EXPERT_CM_TOS, ROCEGUARD_A_RDMA_CM_TOS, x->cm_tos },
		{ RG_EXPERT_CM_MODE, ROCEGUARD_A_RDMA_CM_MODE, x->cm_mode },
	};
	const struct rg_expert_value vlan[] = {
		{ RG_EXPERT_VLAN_EGRESS, ROCEGUARD_A_VLAN_EGRESS,
		  x->vlan_egress },
	};
	const struct rg_watchdog *w = &x->watchdog;
	const struct rg_expert_value watchdog[] = {
		{ RG_EXPERT_DETECTION, ROCEGUARD_A_WATCHDOG_DETECTION,
		  w->detection_ms },
		{ RG_EXPERT_RESTORATION, ROCEGUARD_A_WATCHDOG_RESTORATION,
		  w->restoration_ms },
		{ RG_EXPERT_STORM_ACTION, ROCEGUARD_A_WATCHDOG_ACTION,
		  w->action },
		{ RG_EXPERT_STORM_FORCE, ROCEGUARD_A_WATCHDOG_FORCE,
		  w->force },
	};

	if (rg_encode_values(skb, x->set, ROCEGUARD_A_POLICY_PFC, pfc,
			     ARRAY_SIZE(pfc)) ||
	    rg_encode_dscp(skb, x) || rg_encode_ets(skb, x) ||
	    rg_encode_values(skb, x->set, ROCEGUARD_A_POLICY_ECN, ecn,
			     ARRAY_SIZE(ecn)) ||
	    rg_encode_values(skb, x->set, ROCEGUARD_A_POLICY_PAUSE, pause,
			     ARRAY_SIZE(pause)) ||
	    rg_encode_values(skb, x->set, ROCEGUARD_A_POLICY_DCBX, dcbx,
			     ARRAY_SIZE(dcbx)) ||
	    rg_encode_values(skb, x->set, ROCEGUARD_A_POLICY_RDMA_CM, rdma_cm,
			     ARRAY_SIZE(rdma_cm)) ||
	    rg_encode_values(skb, x->set, ROCEGUARD_A_POLICY_VLAN, vlan,
			     ARRAY_SIZE(vlan)) ||
	    rg_encode_values(skb, x->set, ROCEGUARD_A_POLICY_WATCHDOG, watchdog,
			     ARRAY_SIZE(watchdog)) ||
	    rg_encode_maxrate(skb, x) || rg_encode_buffer(skb, x) ||
	    rg_encode_values(skb, x->set, ROCEGUARD_A_POLICY_STORM_PREVENTION,
			     storm, ARRAY_SIZE(storm)) ||
	    rg_encode_dcqcn(skb, x) ||
	    rg_encode_values(skb, x->set, ROCEGUARD_A_POLICY_CHECK, check,
			     ARRAY_SIZE(check)))
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

/**
 * rg_policy_fill - fill in a policy
 * @skb: the message
 * @policy: the policy
 *
 * Return: 0 or -EMSGSIZE.
 */
int rg_policy_fill(struct sk_buff *skb, const struct rg_policy *policy)
{
	const struct rg_policy_spec *spec = &policy->spec;
	u64 left = rg_policy_left(policy, ktime_get_ns());
	unsigned int i;

	if (nla_put_string(skb, ROCEGUARD_A_POLICY_NAME, spec->name) ||
	    nla_put_u32(skb, ROCEGUARD_A_POLICY_MODE, spec->observe ?
			ROCEGUARD_POLICY_MODE_OBSERVE :
			ROCEGUARD_POLICY_MODE_ENFORCE) ||
	    nla_put_u32(skb, ROCEGUARD_A_POLICY_DISRUPTIVE,
			spec->disruptive) ||
	    nla_put_u32(skb, ROCEGUARD_A_POLICY_PRIORITY, spec->priority) ||
	    nla_put_u32(skb, ROCEGUARD_A_POLICY_ROLLOUT, spec->rollout) ||
	    nla_put_u32(skb, ROCEGUARD_A_POLICY_ROLLOUT_AT,
			spec->rollout_at) ||
	    (spec->serial[0] &&
	     nla_put_string(skb, ROCEGUARD_A_POLICY_SERIAL, spec->serial)) ||
	    nla_put_u32(skb, ROCEGUARD_A_POLICY_GENERATION,
			policy->generation) ||
	    nla_put_u32(skb, ROCEGUARD_A_POLICY_PORTS,
			rg_ports_governed(spec->name)) ||
	    (left && nla_put_u32(skb, ROCEGUARD_A_POLICY_CONFIRM_LEFT,
				 div_u64(left - 1, NSEC_PER_SEC) + 1)) ||
	    rg_encode_match(skb, &spec->match))
		return -EMSGSIZE;
	for (i = 0; i < spec->n_classes; i++)
		if (rg_encode_class(skb, &spec->class[i]))
			return -EMSGSIZE;
	return rg_encode_expert(skb, &spec->expert) ?:
	       rg_encode_connection(skb, spec);
}
