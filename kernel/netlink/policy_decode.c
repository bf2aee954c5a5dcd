// SPDX-License-Identifier: GPL-2.0
/* A policy as it comes: limits, decoding, and whom to blame. */
#include <linux/ktime.h>
#include <net/genetlink.h>
#include "policy_attrs.h"

/* Limits: everything that one value alone can get wrong. */

#define RG_BOOL		NLA_POLICY_MAX(NLA_U32, 1)
#define RG_PRIORITY	NLA_POLICY_MAX(NLA_U32, RG_PRIORITIES - 1)
#define RG_PRIO_MASK	NLA_POLICY_MAX(NLA_U32, 0xff)
#define RG_TC		NLA_POLICY_MAX(NLA_U32, RG_TCS - 1)
#define RG_DSCP		NLA_POLICY_MAX(NLA_U32, RG_DSCPS - 1)
#define RG_BUFFER	NLA_POLICY_MAX(NLA_U32, RG_BUFFERS - 1)
#define RG_CABLE	NLA_POLICY_RANGE(NLA_U32, 1, ROCEGUARD_CABLE_MAX)
#define RG_NAME		{ .type = NLA_NUL_STRING, .len = ROCEGUARD_NAME_MAX }
#define RG_GLOB		{ .type = NLA_NUL_STRING, .len = ROCEGUARD_GLOB_MAX }
#define RG_READ_ONLY	{ .type = NLA_REJECT, \
			  .reject_message = "read-only; leave it out" }

/* Not const, for the pointer of a policy of Linux 6.1 is none to const. */
static struct netlink_range_validation rg_speeds = {
	.min = 1,
	.max = ROCEGUARD_SPEED_MAX,
};

static const struct nla_policy rg_match_attrs[ROCEGUARD_A_MATCH_MAX + 1] = {
	[ROCEGUARD_A_MATCH_DRIVER]	= RG_GLOB,
	[ROCEGUARD_A_MATCH_IFNAME]	= RG_GLOB,
	[ROCEGUARD_A_MATCH_RDMA]	= RG_BOOL,
	[ROCEGUARD_A_MATCH_PCI]		= RG_GLOB,
	[ROCEGUARD_A_MATCH_RDMA_DEVICE] = RG_GLOB,
	[ROCEGUARD_A_MATCH_SPEED_FROM]	= NLA_POLICY_FULL_RANGE(NLA_U32,
							&rg_speeds),
	[ROCEGUARD_A_MATCH_SPEED_TO]	= NLA_POLICY_FULL_RANGE(NLA_U32,
							&rg_speeds),
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
	[ROCEGUARD_A_CLASS_CABLE_LENGTH] = RG_CABLE,
};

static const struct nla_policy rg_pfc_attrs[ROCEGUARD_A_PFC_MAX + 1] = {
	[ROCEGUARD_A_PFC_PRIORITIES]   = RG_PRIO_MASK,
	[ROCEGUARD_A_PFC_CABLE_LENGTH] = RG_CABLE,
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

static const struct nla_policy rg_dcbx_attrs[ROCEGUARD_A_DCBX_MAX + 1] = {
	[ROCEGUARD_A_DCBX_MODE] = NLA_POLICY_MAX(NLA_U32,
						 ROCEGUARD_DCBX_MODE_HOST),
};

static const struct nla_policy rg_rate_attrs[ROCEGUARD_A_RATE_MAX + 1] = {
	[ROCEGUARD_A_RATE_TC]	= RG_TC,
	[ROCEGUARD_A_RATE_KBPS]	= { .type = NLA_U32 },
};

static const struct nla_policy rg_maxrate_attrs[ROCEGUARD_A_MAXRATE_MAX + 1] = {
	[ROCEGUARD_A_MAXRATE_RATE] = NLA_POLICY_NESTED(rg_rate_attrs),
};

static const struct nla_policy rg_size_attrs[ROCEGUARD_A_SIZE_MAX + 1] = {
	[ROCEGUARD_A_SIZE_BUFFER] = RG_BUFFER,
	[ROCEGUARD_A_SIZE_BYTES]  = { .type = NLA_U32 },
};

static const struct nla_policy rg_prio_attrs[ROCEGUARD_A_PRIO_MAX + 1] = {
	[ROCEGUARD_A_PRIO_PRIORITY] = RG_PRIORITY,
	[ROCEGUARD_A_PRIO_BUFFER]   = RG_BUFFER,
};

static const struct nla_policy rg_buffer_attrs[ROCEGUARD_A_BUFFER_MAX + 1] = {
	[ROCEGUARD_A_BUFFER_SIZE] = NLA_POLICY_NESTED(rg_size_attrs),
	[ROCEGUARD_A_BUFFER_PRIO] = NLA_POLICY_NESTED(rg_prio_attrs),
};

/* Times have gaps between them; rg_policy_derive() knows those. */
static const struct nla_policy
rg_storm_attrs[ROCEGUARD_A_STORM_PREVENTION_MAX + 1] = {
	[ROCEGUARD_A_STORM_PREVENTION_TIMEOUT] = { .type = NLA_U32 },
};

/* What a value may be depends on the parameter; rg_policy_derive() knows. */
static const struct nla_policy rg_param_attrs[ROCEGUARD_A_PARAM_MAX + 1] = {
	[ROCEGUARD_A_PARAM_ID]	  = NLA_POLICY_MAX(NLA_U32, RG_PARAMS - 1),
	[ROCEGUARD_A_PARAM_VALUE] = { .type = NLA_U32 },
};

static const struct nla_policy rg_dcqcn_attrs[ROCEGUARD_A_DCQCN_MAX + 1] = {
	[ROCEGUARD_A_DCQCN_PARAM] = NLA_POLICY_NESTED(rg_param_attrs),
};

static const struct nla_policy rg_check_attrs[ROCEGUARD_A_CHECK_MAX + 1] = {
	[ROCEGUARD_A_CHECK_MTU] = { .type = NLA_U32 },
};

static const struct nla_policy
rg_rdma_cm_attrs[ROCEGUARD_A_RDMA_CM_MAX + 1] = {
	[ROCEGUARD_A_RDMA_CM_TOS]  = NLA_POLICY_MAX(NLA_U32, 0xff),
	[ROCEGUARD_A_RDMA_CM_MODE] = NLA_POLICY_RANGE(NLA_U32, 1, 2),
};

static const struct nla_policy rg_vlan_attrs[ROCEGUARD_A_VLAN_MAX + 1] = {
	[ROCEGUARD_A_VLAN_EGRESS] = RG_BOOL,
};

/* Not const, for the pointer of a policy of Linux 6.1 is none to const. */
static struct netlink_range_validation rg_detections = {
	.min = ROCEGUARD_DETECTION_MIN,
	.max = ROCEGUARD_DETECTION_MAX,
};

static struct netlink_range_validation rg_restorations = {
	.min = ROCEGUARD_RESTORATION_MIN,
	.max = ROCEGUARD_RESTORATION_MAX,
};

static const struct nla_policy
rg_watchdog_attrs[ROCEGUARD_A_WATCHDOG_MAX + 1] = {
	[ROCEGUARD_A_WATCHDOG_DETECTION]   = NLA_POLICY_FULL_RANGE(NLA_U32,
							&rg_detections),
	[ROCEGUARD_A_WATCHDOG_RESTORATION] = NLA_POLICY_FULL_RANGE(NLA_U32,
							&rg_restorations),
	[ROCEGUARD_A_WATCHDOG_ACTION]	   = NLA_POLICY_MAX(NLA_U32,
						ROCEGUARD_STORM_ACTION_PFC_OFF),
	[ROCEGUARD_A_WATCHDOG_FORCE]	   = RG_BOOL,
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
	[ROCEGUARD_A_POLICY_GENERATION] = RG_READ_ONLY,
	[ROCEGUARD_A_POLICY_PORTS]	= RG_READ_ONLY,
	[ROCEGUARD_A_POLICY_DISRUPTIVE]	= NLA_POLICY_MAX(NLA_U32,
						ROCEGUARD_DISRUPTIVE_NOW),
	[ROCEGUARD_A_POLICY_PRIORITY]	= NLA_POLICY_MAX(NLA_U32,
						ROCEGUARD_PRIORITY_MAX),
	[ROCEGUARD_A_POLICY_ROLLOUT]	= NLA_POLICY_MAX(NLA_U32, 100),
	[ROCEGUARD_A_POLICY_ROLLOUT_AT]	= NLA_POLICY_MAX(NLA_U32, 99),
	[ROCEGUARD_A_POLICY_SERIAL]	= RG_NAME,
	[ROCEGUARD_A_POLICY_DCBX]	= NLA_POLICY_NESTED(rg_dcbx_attrs),
	[ROCEGUARD_A_POLICY_MAXRATE]	= NLA_POLICY_NESTED(rg_maxrate_attrs),
	[ROCEGUARD_A_POLICY_BUFFER]	= NLA_POLICY_NESTED(rg_buffer_attrs),
	[ROCEGUARD_A_POLICY_RDMA_CM]	= NLA_POLICY_NESTED(rg_rdma_cm_attrs),
	[ROCEGUARD_A_POLICY_VLAN]	= NLA_POLICY_NESTED(rg_vlan_attrs),
	[ROCEGUARD_A_POLICY_WATCHDOG]	= NLA_POLICY_NESTED(rg_watchdog_attrs),
	[ROCEGUARD_A_POLICY_RESTORE]	= { .type = NLA_REJECT, .reject_message =
					    "for policy-del; leave it out" },
	[ROCEGUARD_A_POLICY_CONFIRM_WITHIN] = NLA_POLICY_RANGE(NLA_U32, 1,
						ROCEGUARD_CONFIRM_MAX),
	[ROCEGUARD_A_POLICY_CONFIRM_LEFT] = RG_READ_ONLY,
	[ROCEGUARD_A_POLICY_STORM_PREVENTION] =
					  NLA_POLICY_NESTED(rg_storm_attrs),
	[ROCEGUARD_A_POLICY_DCQCN]	= NLA_POLICY_NESTED(rg_dcqcn_attrs),
	[ROCEGUARD_A_POLICY_CHECK]	= NLA_POLICY_NESTED(rg_check_attrs),
};

const struct nla_policy rg_policy_del_attrs[ROCEGUARD_A_POLICY_RESTORE + 1] = {
	[ROCEGUARD_A_POLICY_NAME]    = RG_NAME,
	[ROCEGUARD_A_POLICY_RESTORE] = RG_BOOL,
};

const struct nla_policy rg_policy_key[ROCEGUARD_A_POLICY_NAME + 1] = {
	[ROCEGUARD_A_POLICY_NAME] = RG_NAME,
};

/* Decoding */

/**
 * struct rg_decoder - a policy being decoded
 * @policy: into which
 * @spec: of it
 * @extack: for what the tables above can't refuse
 */
struct rg_decoder {
	struct rg_policy *policy;
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
		case ROCEGUARD_A_MATCH_PCI:
			err = rg_decode_glob(d, attr, match->pci,
					     &match->n_pci);
			break;
		case ROCEGUARD_A_MATCH_RDMA_DEVICE:
			err = rg_decode_glob(d, attr, match->rdma_device,
					     &match->n_rdma_device);
			break;
		case ROCEGUARD_A_MATCH_SPEED_FROM:
			match->speed_from = nla_get_u32(attr);
			break;
		case ROCEGUARD_A_MATCH_SPEED_TO:
			match->speed_to = nla_get_u32(attr);
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
		case ROCEGUARD_A_CLASS_CABLE_LENGTH:
			class->cable = nla_get_u32(attr);
			break;
		}
	}
	return 0;
}

static int rg_decode_pfc(struct rg_decoder *d, const struct nlattr *nest)
{
	struct rg_expert *x = &d->spec->expert;
	const struct nlattr *priorities, *cable;

	priorities = nla_find_nested(nest, ROCEGUARD_A_PFC_PRIORITIES);
	cable = nla_find_nested(nest, ROCEGUARD_A_PFC_CABLE_LENGTH);
	if (priorities) {
		x->set |= BIT(RG_EXPERT_PFC);
		x->pfc = nla_get_u32(priorities);
	}
	if (cable) {
		x->set |= BIT(RG_EXPERT_CABLE);
		x->cable = nla_get_u32(cable);
	}
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

static int rg_decode_disruptive(struct rg_decoder *d, const struct nlattr *attr)
{
	d->spec->disruptive = nla_get_u32(attr);
	return 0;
}

static int rg_decode_priority(struct rg_decoder *d, const struct nlattr *attr)
{
	d->spec->priority = nla_get_u32(attr);
	return 0;
}

static int rg_decode_rollout(struct rg_decoder *d, const struct nlattr *attr)
{
	d->spec->rollout = nla_get_u32(attr);
	return 0;
}

static int rg_decode_rollout_at(struct rg_decoder *d, const struct nlattr *attr)
{
	d->spec->rollout_at = nla_get_u32(attr);
	return 0;
}

static int rg_decode_serial(struct rg_decoder *d, const struct nlattr *attr)
{
	nla_strscpy(d->spec->serial, attr, sizeof(d->spec->serial));
	return 0;
}

static int rg_decode_dcbx(struct rg_decoder *d, const struct nlattr *nest)
{
	const struct nlattr *mode;

	mode = nla_find_nested(nest, ROCEGUARD_A_DCBX_MODE);
	if (mode) {
		d->spec->expert.set |= BIT(RG_EXPERT_DCBX);
		d->spec->expert.dcbx = nla_get_u32(mode);
	}
	return 0;
}

/* The two numbers of a nest, both of which must be there. */
static int rg_decode_two(struct rg_decoder *d, const struct nlattr *nest,
			 int first, int second, u32 value[2])
{
	const struct nlattr *a = nla_find_nested(nest, first);
	const struct nlattr *b = nla_find_nested(nest, second);

	if (!a || !b) {
		NL_SET_ERR_MSG_ATTR(d->extack, nest,
				    "both of its numbers are needed");
		return -EINVAL;
	}
	value[0] = nla_get_u32(a);
	value[1] = nla_get_u32(b);
	return 0;
}

static int rg_decode_twice(struct rg_decoder *d, const struct nlattr *nest)
{
	NL_SET_ERR_MSG_ATTR(d->extack, nest, "it stands twice; remove one");
	return -EINVAL;
}

static int rg_decode_maxrate(struct rg_decoder *d, const struct nlattr *nest)
{
	struct rg_expert *x = &d->spec->expert;
	const struct nlattr *attr;
	int rem, err;
	u32 v[2];

	nla_for_each_nested(attr, nest, rem) {
		err = rg_decode_two(d, attr, ROCEGUARD_A_RATE_TC,
				    ROCEGUARD_A_RATE_KBPS, v);
		if (err)
			return err;
		if (x->rated & BIT(v[0]))
			return rg_decode_twice(d, attr);
		x->set |= BIT(RG_EXPERT_RATE);
		x->rated |= BIT(v[0]);
		x->kbps[v[0]] = v[1];
	}
	return 0;
}

static int rg_decode_size(struct rg_decoder *d, const struct nlattr *nest)
{
	struct rg_expert *x = &d->spec->expert;
	u32 v[2];
	int err;

	err = rg_decode_two(d, nest, ROCEGUARD_A_SIZE_BUFFER,
			    ROCEGUARD_A_SIZE_BYTES, v);
	if (err)
		return err;
	if (x->sized & BIT(v[0]))
		return rg_decode_twice(d, nest);
	x->set |= BIT(RG_EXPERT_BUFFER_SIZE);
	x->sized |= BIT(v[0]);
	x->buffer_size[v[0]] = v[1];
	return 0;
}

static int rg_decode_prio(struct rg_decoder *d, const struct nlattr *nest)
{
	struct rg_expert *x = &d->spec->expert;
	u32 v[2];
	int err;

	err = rg_decode_two(d, nest, ROCEGUARD_A_PRIO_PRIORITY,
			    ROCEGUARD_A_PRIO_BUFFER, v);
	if (err)
		return err;
	if (x->prio_buffer[v[0]] != RG_UNSET)
		return rg_decode_twice(d, nest);
	x->set |= BIT(RG_EXPERT_BUFFER_PRIO);
	x->prio_buffer[v[0]] = v[1];
	return 0;
}

static int rg_decode_buffer(struct rg_decoder *d, const struct nlattr *nest)
{
	const struct nlattr *attr;
	int rem, err;

	nla_for_each_nested(attr, nest, rem) {
		err = nla_type(attr) == ROCEGUARD_A_BUFFER_SIZE ?
			rg_decode_size(d, attr) : rg_decode_prio(d, attr);
		if (err)
			return err;
	}
	return 0;
}

static int rg_decode_storm(struct rg_decoder *d, const struct nlattr *nest)
{
	const struct nlattr *timeout;

	timeout = nla_find_nested(nest, ROCEGUARD_A_STORM_PREVENTION_TIMEOUT);
	if (timeout) {
		d->spec->expert.set |= BIT(RG_EXPERT_STORM);
		d->spec->expert.storm = nla_get_u32(timeout);
	}
	return 0;
}

static int rg_decode_dcqcn(struct rg_decoder *d, const struct nlattr *nest)
{
	struct rg_expert *x = &d->spec->expert;
	const struct nlattr *attr;
	int rem, err;
	u32 v[2];

	nla_for_each_nested(attr, nest, rem) {
		err = rg_decode_two(d, attr, ROCEGUARD_A_PARAM_ID,
				    ROCEGUARD_A_PARAM_VALUE, v);
		if (err)
			return err;
		if (x->params & BIT(v[0]))
			return rg_decode_twice(d, attr);
		x->set |= BIT(RG_EXPERT_PARAMS);
		x->params |= BIT(v[0]);
		x->param[v[0]] = v[1];
	}
	return 0;
}

static int rg_decode_check(struct rg_decoder *d, const struct nlattr *nest)
{
	const struct nlattr *mtu;

	mtu = nla_find_nested(nest, ROCEGUARD_A_CHECK_MTU);
	if (mtu) {
		d->spec->expert.set |= BIT(RG_EXPERT_MTU);
		d->spec->expert.mtu = nla_get_u32(mtu);
	}
	return 0;
}

static int rg_decode_rdma_cm(struct rg_decoder *d, const struct nlattr *nest)
{
	struct rg_expert *x = &d->spec->expert;
	const struct nlattr *tos, *mode;

	tos = nla_find_nested(nest, ROCEGUARD_A_RDMA_CM_TOS);
	mode = nla_find_nested(nest, ROCEGUARD_A_RDMA_CM_MODE);
	if (tos) {
		x->set |= BIT(RG_EXPERT_CM_TOS);
		x->cm_tos = nla_get_u32(tos);
	}
	if (mode) {
		x->set |= BIT(RG_EXPERT_CM_MODE);
		x->cm_mode = nla_get_u32(mode);
	}
	return 0;
}

static int rg_decode_vlan(struct rg_decoder *d, const struct nlattr *nest)
{
	const struct nlattr *egress;

	egress = nla_find_nested(nest, ROCEGUARD_A_VLAN_EGRESS);
	if (egress) {
		d->spec->expert.set |= BIT(RG_EXPERT_VLAN_EGRESS);
		d->spec->expert.vlan_egress = nla_get_u32(egress);
	}
	return 0;
}

static int rg_decode_watchdog(struct rg_decoder *d, const struct nlattr *nest)
{
	struct rg_expert *x = &d->spec->expert;
	const struct nlattr *attr;
	int rem;

	nla_for_each_nested(attr, nest, rem) {
		switch (nla_type(attr)) {
		case ROCEGUARD_A_WATCHDOG_DETECTION:
			x->set |= BIT(RG_EXPERT_DETECTION);
			x->watchdog.detection_ms = nla_get_u32(attr);
			break;
		case ROCEGUARD_A_WATCHDOG_RESTORATION:
			x->set |= BIT(RG_EXPERT_RESTORATION);
			x->watchdog.restoration_ms = nla_get_u32(attr);
			break;
		case ROCEGUARD_A_WATCHDOG_ACTION:
			x->set |= BIT(RG_EXPERT_STORM_ACTION);
			x->watchdog.action = nla_get_u32(attr);
			break;
		case ROCEGUARD_A_WATCHDOG_FORCE:
			x->set |= BIT(RG_EXPERT_STORM_FORCE);
			x->watchdog.force = nla_get_u32(attr);
			break;
		}
	}
	return 0;
}

static int rg_decode_confirm(struct rg_decoder *d, const struct nlattr *attr)
{
	d->policy->confirm_by = ktime_get_ns() +
				(u64)nla_get_u32(attr) * NSEC_PER_SEC;
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
	[ROCEGUARD_A_POLICY_DISRUPTIVE] = rg_decode_disruptive,
	[ROCEGUARD_A_POLICY_PRIORITY]	= rg_decode_priority,
	[ROCEGUARD_A_POLICY_ROLLOUT]	= rg_decode_rollout,
	[ROCEGUARD_A_POLICY_ROLLOUT_AT]	= rg_decode_rollout_at,
	[ROCEGUARD_A_POLICY_SERIAL]	= rg_decode_serial,
	[ROCEGUARD_A_POLICY_DCBX]	= rg_decode_dcbx,
	[ROCEGUARD_A_POLICY_MAXRATE]	= rg_decode_maxrate,
	[ROCEGUARD_A_POLICY_BUFFER]	= rg_decode_buffer,
	[ROCEGUARD_A_POLICY_RDMA_CM]	= rg_decode_rdma_cm,
	[ROCEGUARD_A_POLICY_VLAN]	= rg_decode_vlan,
	[ROCEGUARD_A_POLICY_WATCHDOG]	= rg_decode_watchdog,
	[ROCEGUARD_A_POLICY_CONFIRM_WITHIN] = rg_decode_confirm,
	[ROCEGUARD_A_POLICY_STORM_PREVENTION] = rg_decode_storm,
	[ROCEGUARD_A_POLICY_DCQCN]	= rg_decode_dcqcn,
	[ROCEGUARD_A_POLICY_CHECK]	= rg_decode_check,
};

/* What may stand more than once, by the set that it belongs to. */
static const struct {
	const struct nla_policy *set;
	u32 types;
} rg_lists[] = {
	{ rg_policy_attrs, BIT(ROCEGUARD_A_POLICY_CLASS) },
	{ rg_match_attrs, BIT(ROCEGUARD_A_MATCH_DRIVER) |
			  BIT(ROCEGUARD_A_MATCH_IFNAME) |
			  BIT(ROCEGUARD_A_MATCH_PCI) |
			  BIT(ROCEGUARD_A_MATCH_RDMA_DEVICE) },
	{ rg_class_attrs, BIT(ROCEGUARD_A_CLASS_DSCP) },
	{ rg_dscp_attrs, BIT(ROCEGUARD_A_DSCP_MAP) },
	{ rg_ets_attrs, BIT(ROCEGUARD_A_ETS_PRIO_TC) |
			BIT(ROCEGUARD_A_ETS_TC) },
	{ rg_maxrate_attrs, BIT(ROCEGUARD_A_MAXRATE_RATE) },
	{ rg_dcqcn_attrs, BIT(ROCEGUARD_A_DCQCN_PARAM) },
	{ rg_buffer_attrs, BIT(ROCEGUARD_A_BUFFER_SIZE) |
			   BIT(ROCEGUARD_A_BUFFER_PRIO) },
};

static bool rg_is_list(const struct nla_policy *set, int type)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rg_lists); i++)
		if (rg_lists[i].set == set)
			return rg_lists[i].types & BIT(type);
	return false;
}

static int rg_check_once(struct rg_decoder *d, const struct nlattr *attr,
			 const struct nla_policy *set, u64 *seen);

/* As deep as the sets are nested. */
static int rg_check_nest(struct rg_decoder *d, const struct nlattr *nest,
			 const struct nla_policy *set)
{
	const struct nlattr *attr;
	int rem, err = 0;
	u64 seen = 0;

	nla_for_each_nested(attr, nest, rem) {
		err = rg_check_once(d, attr, set, &seen);
		if (err)
			break;
	}
	return err;
}

/* Of two, one would be lost without a word. */
static int rg_check_once(struct rg_decoder *d, const struct nlattr *attr,
			 const struct nla_policy *set, u64 *seen)
{
	int type = nla_type(attr);

	if (*seen & BIT_ULL(type) && !rg_is_list(set, type))
		return rg_decode_twice(d, attr);
	*seen |= BIT_ULL(type);
	if (set[type].type != NLA_NESTED)
		return 0;
	return rg_check_nest(d, attr, set[type].nested_policy);
}

static int rg_decode(struct rg_decoder *d, const struct genl_info *info)
{
	const struct nlattr *attr;
	int rem, err;
	u64 seen = 0;

	nlmsg_for_each_attr(attr, info->nlhdr, GENL_HDRLEN, rem) {
		err = rg_check_once(d, attr, rg_policy_attrs, &seen);
		if (!err)
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
	[RG_WHERE_DCBX]	      = ROCEGUARD_A_POLICY_DCBX,
	[RG_WHERE_MAXRATE]    = ROCEGUARD_A_POLICY_MAXRATE,
	[RG_WHERE_BUFFER]     = ROCEGUARD_A_POLICY_BUFFER,
	[RG_WHERE_STORM]      = ROCEGUARD_A_POLICY_STORM_PREVENTION,
	[RG_WHERE_DCQCN]      = ROCEGUARD_A_POLICY_DCQCN,
	[RG_WHERE_CHECK]      = ROCEGUARD_A_POLICY_CHECK,
	[RG_WHERE_RDMA_CM]    = ROCEGUARD_A_POLICY_RDMA_CM,
	[RG_WHERE_VLAN]	      = ROCEGUARD_A_POLICY_VLAN,
	[RG_WHERE_WATCHDOG]   = ROCEGUARD_A_POLICY_WATCHDOG,
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

/* Parameters stand in any order. */
static const struct nlattr *rg_blamed_param(const struct nlattr *nest,
					    u32 param)
{
	const struct nlattr *attr, *id;
	int rem;

	nla_for_each_nested(attr, nest, rem) {
		id = nla_find_nested(attr, ROCEGUARD_A_PARAM_ID);
		if (id && nla_get_u32(id) == param)
			return attr;
	}
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
	if (nest && problem->where == RG_WHERE_DCQCN)
		attr = rg_blamed_param(nest, problem->key - 1);
	else if (nest && problem->key)
		attr = nla_find_nested(nest, problem->key);
	return attr ?: nest;
}

/**
 * rg_policy_decode - make a policy of a request, and check it
 * @info: the request; on error its extack has words and the attribute to blame
 * @policy: empty
 *
 * Return: 0 or a negative errno.
 */
int rg_policy_decode(struct genl_info *info, struct rg_policy *policy)
{
	struct rg_decoder decoder = {
		.policy	= policy,
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
