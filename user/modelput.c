// SPDX-License-Identifier: GPL-2.0
/* Policies: structs to attributes. Each returns 0 or a negative libnl error. */
#include "model.h"
#include "nl.h"

static int put_match(struct nl_msg *msg, const struct rg_policy_spec *spec)
{
	const struct rg_match *m = &spec->match;
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < m->n_driver; i++)
		err = nla_put_string(msg, ROCEGUARD_A_MATCH_DRIVER,
				     m->driver[i]);
	for (i = 0; !err && i < m->n_ifname; i++)
		err = nla_put_string(msg, ROCEGUARD_A_MATCH_IFNAME,
				     m->ifname[i]);
	for (i = 0; !err && i < m->n_pci; i++)
		err = nla_put_string(msg, ROCEGUARD_A_MATCH_PCI, m->pci[i]);
	for (i = 0; !err && i < m->n_rdma_device; i++)
		err = nla_put_string(msg, ROCEGUARD_A_MATCH_RDMA_DEVICE,
				     m->rdma_device[i]);
	if (!err && m->speed_from)
		err = nla_put_u32(msg, ROCEGUARD_A_MATCH_SPEED_FROM,
				  m->speed_from);
	if (!err && m->speed_to)
		err = nla_put_u32(msg, ROCEGUARD_A_MATCH_SPEED_TO,
				  m->speed_to);
	return err ? err : nla_put_u32(msg, ROCEGUARD_A_MATCH_RDMA, m->rdma);
}

static int put_class(struct nl_msg *msg, const struct rg_class *class)
{
	unsigned int dscp;
	int err;

	err = nla_put_string(msg, ROCEGUARD_A_CLASS_NAME, class->name);
	for (dscp = 0; !err && dscp < RG_DSCPS; dscp++)
		if (class->dscp & BIT_ULL(dscp))
			err = nla_put_u32(msg, ROCEGUARD_A_CLASS_DSCP, dscp);
	if (!err)
		err = nla_put_u32(msg, ROCEGUARD_A_CLASS_PRIORITY,
				  class->priority);
	if (!err)
		err = nla_put_u32(msg, ROCEGUARD_A_CLASS_LOSSLESS,
				  class->lossless);
	if (!err && class->ecn != RG_NOT_SAID)
		err = nla_put_u32(msg, ROCEGUARD_A_CLASS_ECN,
				  class->ecn == RG_YES);
	if (!err)
		err = nla_put_u32(msg, ROCEGUARD_A_CLASS_STRICT,
				  class->strict);
	if (!err)
		err = nla_put_u32(msg, ROCEGUARD_A_CLASS_CNP, class->cnp);
	if (!err && class->share)
		err = nla_put_u32(msg, ROCEGUARD_A_CLASS_SHARE, class->share);
	if (!err && class->cable)
		err = nla_put_u32(msg, ROCEGUARD_A_CLASS_CABLE_LENGTH,
				  class->cable);
	return err;
}

static int put_pfc(struct nl_msg *msg, const struct rg_policy_spec *spec)
{
	const struct rg_expert *x = &spec->expert;
	int err = 0;

	if (x->set & BIT(RG_EXPERT_PFC))
		err = nla_put_u32(msg, ROCEGUARD_A_PFC_PRIORITIES, x->pfc);
	if (!err && x->set & BIT(RG_EXPERT_CABLE))
		err = nla_put_u32(msg, ROCEGUARD_A_PFC_CABLE_LENGTH, x->cable);
	return err;
}

/* A nest of @n numbers, whose attributes count from 1. */
static int put_numbers(struct nl_msg *msg, int type, const uint32_t *v, int n)
{
	struct nlattr *nest = nla_nest_start(msg, type | NLA_F_NESTED);
	int i, err = 0;

	if (!nest)
		return -NLE_MSGSIZE;
	for (i = 0; !err && i < n; i++)
		err = nla_put_u32(msg, i + 1, v[i]);
	return err ? err : nla_nest_end(msg, nest);
}

static int put_dscp(struct nl_msg *msg, const struct rg_policy_spec *spec)
{
	const struct rg_expert *x = &spec->expert;
	uint32_t dscp;
	int err = 0;

	if (x->set & BIT(RG_EXPERT_TRUST))
		err = nla_put_u32(msg, ROCEGUARD_A_DSCP_TRUST, x->trust);
	for (dscp = 0; !err && dscp < RG_DSCPS; dscp++)
		if (x->map[dscp] != RG_UNSET)
			err = put_numbers(msg, ROCEGUARD_A_DSCP_MAP,
					  (uint32_t[]){ dscp, x->map[dscp] },
					  2);
	return err;
}

static int put_ets(struct nl_msg *msg, const struct rg_policy_spec *spec)
{
	const struct rg_expert *x = &spec->expert;
	int err = 0;
	uint32_t i;

	for (i = 0; !err && i < RG_PRIORITIES; i++)
		if (x->prio_tc[i] != RG_UNSET)
			err = put_numbers(msg, ROCEGUARD_A_ETS_PRIO_TC,
					  (uint32_t[]){ i, x->prio_tc[i] }, 2);
	for (i = 0; !err && i < RG_TCS; i++)
		if (x->tsa[i] != RG_UNSET)
			err = put_numbers(msg, ROCEGUARD_A_ETS_TC,
					  (uint32_t[]){ i, x->tsa[i],
							x->bandwidth[i] }, 3);
	return err;
}

static int put_ecn(struct nl_msg *msg, const struct rg_policy_spec *spec)
{
	const struct rg_expert *x = &spec->expert;
	int err = 0;

	if (x->set & BIT(RG_EXPERT_ECN_NP))
		err = nla_put_u32(msg, ROCEGUARD_A_ECN_NP, x->ecn_np);
	if (!err && x->set & BIT(RG_EXPERT_ECN_RP))
		err = nla_put_u32(msg, ROCEGUARD_A_ECN_RP, x->ecn_rp);
	return err;
}

static int put_pause(struct nl_msg *msg, const struct rg_policy_spec *spec)
{
	const struct rg_expert *x = &spec->expert;
	int err = 0;

	if (x->set & BIT(RG_EXPERT_PAUSE_RX))
		err = nla_put_u32(msg, ROCEGUARD_A_PAUSE_RX, x->pause_rx);
	if (!err && x->set & BIT(RG_EXPERT_PAUSE_TX))
		err = nla_put_u32(msg, ROCEGUARD_A_PAUSE_TX, x->pause_tx);
	return err;
}

static int put_dcbx(struct nl_msg *msg, const struct rg_policy_spec *spec)
{
	return nla_put_u32(msg, ROCEGUARD_A_DCBX_MODE, spec->expert.dcbx);
}

static int put_maxrate(struct nl_msg *msg, const struct rg_policy_spec *spec)
{
	const struct rg_expert *x = &spec->expert;
	int err = 0;
	uint32_t i;

	for (i = 0; !err && i < RG_TCS; i++)
		if (x->rated & BIT(i))
			err = put_numbers(msg, ROCEGUARD_A_MAXRATE_RATE,
					  (uint32_t[]){ i, x->kbps[i] }, 2);
	return err;
}

static int put_buffer(struct nl_msg *msg, const struct rg_policy_spec *spec)
{
	const struct rg_expert *x = &spec->expert;
	int err = 0;
	uint32_t i;

	for (i = 0; !err && i < RG_BUFFERS; i++)
		if (x->sized & BIT(i))
			err = put_numbers(msg, ROCEGUARD_A_BUFFER_SIZE,
					  (uint32_t[]){ i, x->buffer_size[i] },
					  2);
	for (i = 0; !err && i < RG_PRIORITIES; i++)
		if (x->prio_buffer[i] != RG_UNSET)
			err = put_numbers(msg, ROCEGUARD_A_BUFFER_PRIO,
					  (uint32_t[]){ i, x->prio_buffer[i] },
					  2);
	return err;
}

static int put_storm(struct nl_msg *msg, const struct rg_policy_spec *spec)
{
	return nla_put_u32(msg, ROCEGUARD_A_STORM_PREVENTION_TIMEOUT,
			   spec->expert.storm);
}

static int put_dcqcn(struct nl_msg *msg, const struct rg_policy_spec *spec)
{
	const struct rg_expert *x = &spec->expert;
	int err = 0;
	uint32_t i;

	for (i = 0; !err && i < RG_PARAMS; i++)
		if (x->params & BIT(i))
			err = put_numbers(msg, ROCEGUARD_A_DCQCN_PARAM,
					  (uint32_t[]){ i, x->param[i] }, 2);
	return err;
}

static int put_check(struct nl_msg *msg, const struct rg_policy_spec *spec)
{
	return nla_put_u32(msg, ROCEGUARD_A_CHECK_MTU, spec->expert.mtu);
}

static int put_rdma_cm(struct nl_msg *msg, const struct rg_policy_spec *spec)
{
	const struct rg_expert *x = &spec->expert;
	int err = 0;

	if (x->set & BIT(RG_EXPERT_CM_TOS))
		err = nla_put_u32(msg, ROCEGUARD_A_RDMA_CM_TOS, x->cm_tos);
	if (!err && x->set & BIT(RG_EXPERT_CM_MODE))
		err = nla_put_u32(msg, ROCEGUARD_A_RDMA_CM_MODE, x->cm_mode);
	return err;
}

static int put_vlan(struct nl_msg *msg, const struct rg_policy_spec *spec)
{
	return nla_put_u32(msg, ROCEGUARD_A_VLAN_EGRESS,
			   spec->expert.vlan_egress);
}

static int put_watchdog(struct nl_msg *msg, const struct rg_policy_spec *spec)
{
	const struct rg_watchdog *watchdog = &spec->expert.watchdog;
	const struct {
		enum rg_expert_bit bit;
		int type;
		u32 value;
	} part[] = {
		{ RG_EXPERT_DETECTION, ROCEGUARD_A_WATCHDOG_DETECTION,
		  watchdog->detection_ms },
		{ RG_EXPERT_RESTORATION, ROCEGUARD_A_WATCHDOG_RESTORATION,
		  watchdog->restoration_ms },
		{ RG_EXPERT_STORM_ACTION, ROCEGUARD_A_WATCHDOG_ACTION,
		  watchdog->action },
		{ RG_EXPERT_STORM_FORCE, ROCEGUARD_A_WATCHDOG_FORCE,
		  watchdog->force },
	};
	int err = 0;
	size_t i;

	for (i = 0; !err && i < ARRAY_SIZE(part); i++)
		if (spec->expert.set & BIT(part[i].bit))
			err = nla_put_u32(msg, part[i].type, part[i].value);
	return err;
}

static int put_connection(struct nl_msg *msg,
			  const struct rg_policy_spec *spec)
{
	int err = 0;

	if (spec->connection_class[0])
		err = nla_put_string(msg, ROCEGUARD_A_CONNECTION_CLASS,
				     spec->connection_class);
	if (!err && spec->roce_mode)
		err = nla_put_u32(msg, ROCEGUARD_A_CONNECTION_ROCE_MODE,
				  spec->roce_mode);
	return err;
}

/* The sections of a policy: sent if any of @bits is set, or always. */
static const struct {
	int type;
	uint32_t bits;
	int (*put)(struct nl_msg *msg, const struct rg_policy_spec *spec);
} policy_section[] = {
	{ ROCEGUARD_A_POLICY_MATCH, 0, put_match },
	{ ROCEGUARD_A_POLICY_PFC, BIT(RG_EXPERT_PFC) | BIT(RG_EXPERT_CABLE),
	  put_pfc },
	{ ROCEGUARD_A_POLICY_DSCP, BIT(RG_EXPERT_TRUST) | BIT(RG_EXPERT_MAP),
	  put_dscp },
	{ ROCEGUARD_A_POLICY_ETS, BIT(RG_EXPERT_PRIO_TC) | BIT(RG_EXPERT_TC),
	  put_ets },
	{ ROCEGUARD_A_POLICY_ECN,
	  BIT(RG_EXPERT_ECN_NP) | BIT(RG_EXPERT_ECN_RP), put_ecn },
	{ ROCEGUARD_A_POLICY_PAUSE,
	  BIT(RG_EXPERT_PAUSE_RX) | BIT(RG_EXPERT_PAUSE_TX), put_pause },
	{ ROCEGUARD_A_POLICY_DCBX, BIT(RG_EXPERT_DCBX), put_dcbx },
	{ ROCEGUARD_A_POLICY_MAXRATE, BIT(RG_EXPERT_RATE), put_maxrate },
	{ ROCEGUARD_A_POLICY_BUFFER,
	  BIT(RG_EXPERT_BUFFER_SIZE) | BIT(RG_EXPERT_BUFFER_PRIO), put_buffer },
	{ ROCEGUARD_A_POLICY_STORM_PREVENTION, BIT(RG_EXPERT_STORM),
	  put_storm },
	{ ROCEGUARD_A_POLICY_DCQCN, BIT(RG_EXPERT_PARAMS), put_dcqcn },
	{ ROCEGUARD_A_POLICY_CHECK, BIT(RG_EXPERT_MTU), put_check },
	{ ROCEGUARD_A_POLICY_RDMA_CM,
	  BIT(RG_EXPERT_CM_TOS) | BIT(RG_EXPERT_CM_MODE), put_rdma_cm },
	{ ROCEGUARD_A_POLICY_VLAN, BIT(RG_EXPERT_VLAN_EGRESS), put_vlan },
	{ ROCEGUARD_A_POLICY_WATCHDOG,
	  BIT(RG_EXPERT_DETECTION) | BIT(RG_EXPERT_RESTORATION) |
	  BIT(RG_EXPERT_STORM_ACTION) | BIT(RG_EXPERT_STORM_FORCE),
	  put_watchdog },
};

static int put_section(struct nl_msg *msg, int type,
		       int (*put)(struct nl_msg *, const struct rg_policy_spec *),
		       const struct rg_policy_spec *spec)
{
	struct nlattr *nest = nla_nest_start(msg, type | NLA_F_NESTED);
	int err;

	if (!nest)
		return -NLE_MSGSIZE;
	err = put(msg, spec);
	return err ? err : nla_nest_end(msg, nest);
}

static int put_classes(struct nl_msg *msg, const struct rg_policy_spec *spec)
{
	struct nlattr *nest;
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < spec->n_classes; i++) {
		nest = nla_nest_start(msg, ROCEGUARD_A_POLICY_CLASS |
				      NLA_F_NESTED);
		if (!nest)
			return -NLE_MSGSIZE;
		err = put_class(msg, &spec->class[i]);
		if (!err)
			err = nla_nest_end(msg, nest);
	}
	return err;
}

int model_encode_policy(struct nl_msg *msg, const struct rg_policy_spec *spec)
{
	size_t i;
	int err;

	err = nla_put_string(msg, ROCEGUARD_A_POLICY_NAME, spec->name);
	if (!err)
		err = nla_put_u32(msg, ROCEGUARD_A_POLICY_MODE,
				  spec->observe ?
				  ROCEGUARD_POLICY_MODE_OBSERVE :
				  ROCEGUARD_POLICY_MODE_ENFORCE);
	if (!err)
		err = nla_put_u32(msg, ROCEGUARD_A_POLICY_DISRUPTIVE,
				  spec->disruptive);
	if (!err)
		err = nla_put_u32(msg, ROCEGUARD_A_POLICY_PRIORITY,
				  spec->priority);
	if (!err)
		err = nla_put_u32(msg, ROCEGUARD_A_POLICY_ROLLOUT,
				  spec->rollout);
	if (!err)
		err = nla_put_u32(msg, ROCEGUARD_A_POLICY_ROLLOUT_AT,
				  spec->rollout_at);
	if (!err && spec->serial[0])
		err = nla_put_string(msg, ROCEGUARD_A_POLICY_SERIAL,
				     spec->serial);
	if (!err)
		err = put_classes(msg, spec);
	for (i = 0; !err && i < ARRAY_SIZE(policy_section); i++)
		if (!policy_section[i].bits ||
		    spec->expert.set & policy_section[i].bits)
			err = put_section(msg, policy_section[i].type,
					  policy_section[i].put, spec);
	if (!err && (spec->connection_class[0] || spec->roce_mode))
		err = put_section(msg, ROCEGUARD_A_POLICY_CONNECTION,
				  put_connection, spec);
	return err;
}
