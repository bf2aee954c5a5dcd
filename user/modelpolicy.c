// SPDX-License-Identifier: GPL-2.0
/* Policies: attributes to structs. */
#include <errno.h>
#include <string.h>

#include "modelfield.h"

/* A number of the wire that must be below @limit to be stored. */
static int below(const struct nlattr *attr, uint32_t limit, uint32_t *value)
{
	*value = 0;
	if (nla_len(attr) < 4)
		return -EBADMSG;
	*value = nla_get_u32(attr);
	return *value < limit ? 0 : -EBADMSG;
}

/* One of the nests of two or three small numbers. */
static int triple(struct nlattr *nest, uint32_t value[3])
{
	struct nlattr *pos;
	int rem;

	memset(value, 0, 3 * sizeof(*value));
	attr_for_each(pos, nla_data(nest), nla_len(nest), rem) {
		int type = nla_type(pos);

		if (type < 1 || type > 3)
			continue;
		if (below(pos, 256, &value[type - 1]))
			return -EBADMSG;
	}
	return 0;
}

static int add_glob(char list[][ROCEGUARD_GLOB_MAX + 1], unsigned int *n,
		    const struct nlattr *attr)
{
	if (*n == ROCEGUARD_GLOBS_MAX)
		return -EBADMSG;
	nla_strlcpy(list[(*n)++], attr, ROCEGUARD_GLOB_MAX + 1);
	return 0;
}

static int read_match(struct nlattr *nest, struct rg_policy_spec *spec)
{
	struct rg_match *m = &spec->match;
	struct nlattr *pos;
	int rem, err = 0;
	uint32_t v;

	attr_for_each(pos, nla_data(nest), nla_len(nest), rem) {
		switch (nla_type(pos)) {
		case ROCEGUARD_A_MATCH_DRIVER:
			err = add_glob(m->driver, &m->n_driver, pos);
			break;
		case ROCEGUARD_A_MATCH_IFNAME:
			err = add_glob(m->ifname, &m->n_ifname, pos);
			break;
		case ROCEGUARD_A_MATCH_RDMA:
			err = below(pos, 2, &v);
			m->rdma = v;
			break;
		case ROCEGUARD_A_MATCH_PCI:
			err = add_glob(m->pci, &m->n_pci, pos);
			break;
		case ROCEGUARD_A_MATCH_RDMA_DEVICE:
			err = add_glob(m->rdma_device, &m->n_rdma_device, pos);
			break;
		case ROCEGUARD_A_MATCH_SPEED_FROM:
			err = below(pos, UINT32_MAX, &m->speed_from);
			break;
		case ROCEGUARD_A_MATCH_SPEED_TO:
			err = below(pos, UINT32_MAX, &m->speed_to);
			break;
		}
		if (err)
			return err;
	}
	return 0;
}

static int read_class_attr(struct nlattr *attr, struct rg_class *class)
{
	uint32_t v = 0;
	int err = 0;

	switch (nla_type(attr)) {
	case ROCEGUARD_A_CLASS_NAME:
		nla_strlcpy(class->name, attr, sizeof(class->name));
		break;
	case ROCEGUARD_A_CLASS_DSCP:
		err = below(attr, RG_DSCPS, &v);
		if (!err)
			class->dscp |= BIT_ULL(v);
		break;
	case ROCEGUARD_A_CLASS_PRIORITY:
		err = below(attr, RG_PRIORITIES, &v);
		class->priority = v;
		break;
	case ROCEGUARD_A_CLASS_LOSSLESS:
		err = below(attr, 2, &v);
		class->lossless = v;
		break;
	case ROCEGUARD_A_CLASS_ECN:
		err = below(attr, 2, &v);
		class->ecn = v ? RG_YES : RG_NO;
		break;
	case ROCEGUARD_A_CLASS_STRICT:
		err = below(attr, 2, &v);
		class->strict = v;
		break;
	case ROCEGUARD_A_CLASS_CNP:
		err = below(attr, 2, &v);
		class->cnp = v;
		break;
	case ROCEGUARD_A_CLASS_SHARE:
		err = below(attr, 101, &v);
		class->share = v;
		break;
	case ROCEGUARD_A_CLASS_CABLE_LENGTH:
		err = below(attr, ROCEGUARD_CABLE_MAX + 1, &v);
		class->cable = (u16)v;
		break;
	}
	return err;
}

static int read_class(struct nlattr *nest, struct rg_policy_spec *spec)
{
	struct rg_class *class;
	struct nlattr *pos;
	int rem, err;

	if (spec->n_classes == ROCEGUARD_CLASSES_MAX)
		return -EBADMSG;
	class = &spec->class[spec->n_classes++];
	rg_class_init(class);
	attr_for_each(pos, nla_data(nest), nla_len(nest), rem) {
		err = read_class_attr(pos, class);
		if (err)
			return err;
	}
	return 0;
}

/* The masks and flags of the expert sections, all below 256. */
static int read_expert_value(struct nlattr *nest, int type, uint32_t limit,
			     struct rg_expert *x, enum rg_expert_bit bit,
			     uint8_t *value)
{
	struct nlattr *attr = nla_find(nla_data(nest), nla_len(nest), type);
	uint32_t v;

	if (!attr)
		return 0;
	if (below(attr, limit, &v))
		return -EBADMSG;
	*value = v;
	x->set |= BIT(bit);
	return 0;
}

static int read_pfc(struct nlattr *nest, struct rg_policy_spec *spec)
{
	struct nlattr *cable = nla_find(nla_data(nest), nla_len(nest),
					ROCEGUARD_A_PFC_CABLE_LENGTH);
	struct rg_expert *x = &spec->expert;
	uint32_t v;

	if (cable) {
		if (below(cable, ROCEGUARD_CABLE_MAX + 1, &v))
			return -EBADMSG;
		x->cable = (u16)v;
		x->set |= BIT(RG_EXPERT_CABLE);
	}
	return read_expert_value(nest, ROCEGUARD_A_PFC_PRIORITIES, 256, x,
				 RG_EXPERT_PFC, &x->pfc);
}

static int read_dscp(struct nlattr *nest, struct rg_policy_spec *spec)
{
	struct rg_expert *x = &spec->expert;
	struct nlattr *pos;
	uint32_t v[3];
	int rem;

	attr_for_each(pos, nla_data(nest), nla_len(nest), rem) {
		if (nla_type(pos) != ROCEGUARD_A_DSCP_MAP)
			continue;
		if (triple(pos, v) ||
		    v[ROCEGUARD_A_DSCP_MAP_DSCP - 1] >= RG_DSCPS)
			return -EBADMSG;
		x->map[v[ROCEGUARD_A_DSCP_MAP_DSCP - 1]] =
			v[ROCEGUARD_A_DSCP_MAP_PRIORITY - 1];
		x->set |= BIT(RG_EXPERT_MAP);
	}
	return read_expert_value(nest, ROCEGUARD_A_DSCP_TRUST,
				 ROCEGUARD_TRUST_DSCP + 1, x, RG_EXPERT_TRUST,
				 &x->trust);
}

static int read_prio_tc(struct nlattr *nest, struct rg_expert *x)
{
	uint32_t v[3];

	if (triple(nest, v) ||
	    v[ROCEGUARD_A_PRIO_TC_PRIORITY - 1] >= RG_PRIORITIES)
		return -EBADMSG;
	x->prio_tc[v[ROCEGUARD_A_PRIO_TC_PRIORITY - 1]] =
		v[ROCEGUARD_A_PRIO_TC_TC - 1];
	x->set |= BIT(RG_EXPERT_PRIO_TC);
	return 0;
}

static int read_tc(struct nlattr *nest, struct rg_expert *x)
{
	uint32_t v[3];

	if (triple(nest, v) || v[ROCEGUARD_A_TC_TC - 1] >= RG_TCS)
		return -EBADMSG;
	x->tsa[v[ROCEGUARD_A_TC_TC - 1]] = v[ROCEGUARD_A_TC_TSA - 1];
	x->bandwidth[v[ROCEGUARD_A_TC_TC - 1]] =
		v[ROCEGUARD_A_TC_BANDWIDTH - 1];
	x->set |= BIT(RG_EXPERT_TC);
	return 0;
}

static int read_ets(struct nlattr *nest, struct rg_policy_spec *spec)
{
	struct nlattr *pos;
	int rem, err = 0;

	attr_for_each(pos, nla_data(nest), nla_len(nest), rem) {
		if (nla_type(pos) == ROCEGUARD_A_ETS_PRIO_TC)
			err = read_prio_tc(pos, &spec->expert);
		else if (nla_type(pos) == ROCEGUARD_A_ETS_TC)
			err = read_tc(pos, &spec->expert);
		if (err)
			return err;
	}
	return 0;
}

static int read_ecn(struct nlattr *nest, struct rg_policy_spec *spec)
{
	struct rg_expert *x = &spec->expert;
	int err;

	err = read_expert_value(nest, ROCEGUARD_A_ECN_NP, 256, x,
				RG_EXPERT_ECN_NP, &x->ecn_np);
	return err ? err : read_expert_value(nest, ROCEGUARD_A_ECN_RP, 256, x,
					     RG_EXPERT_ECN_RP, &x->ecn_rp);
}

static int read_pause(struct nlattr *nest, struct rg_policy_spec *spec)
{
	struct rg_expert *x = &spec->expert;
	uint8_t rx = 0, tx = 0;
	int err;

	err = read_expert_value(nest, ROCEGUARD_A_PAUSE_RX, 2, x,
				RG_EXPERT_PAUSE_RX, &rx);
	if (!err)
		err = read_expert_value(nest, ROCEGUARD_A_PAUSE_TX, 2, x,
					RG_EXPERT_PAUSE_TX, &tx);
	x->pause_rx = rx;
	x->pause_tx = tx;
	return err;
}

static int read_connection(struct nlattr *nest, struct rg_policy_spec *spec)
{
	struct nlattr *pos;
	uint32_t v;
	int rem;

	attr_for_each(pos, nla_data(nest), nla_len(nest), rem) {
		switch (nla_type(pos)) {
		case ROCEGUARD_A_CONNECTION_CLASS:
			nla_strlcpy(spec->connection_class, pos,
				    sizeof(spec->connection_class));
			break;
		case ROCEGUARD_A_CONNECTION_ROCE_MODE:
			if (below(pos, 3, &v))
				return -EBADMSG;
			spec->roce_mode = v;
			break;
		}
	}
	return 0;
}

static int read_dcbx(struct nlattr *nest, struct rg_policy_spec *spec)
{
	return read_expert_value(nest, ROCEGUARD_A_DCBX_MODE,
				 ROCEGUARD_DCBX_MODE_HOST + 1, &spec->expert,
				 RG_EXPERT_DCBX, &spec->expert.dcbx);
}

/* A nest of a small number, which is an index, and a number of any size. */
static int read_indexed(struct nlattr *nest, uint32_t limit, uint32_t *i,
			uint32_t *value)
{
	struct nlattr *a = nla_find(nla_data(nest), nla_len(nest), 1);
	struct nlattr *b = nla_find(nla_data(nest), nla_len(nest), 2);

	if (!a || !b || below(a, limit, i) || nla_len(b) < 4)
		return -EBADMSG;
	*value = nla_get_u32(b);
	return 0;
}

static int read_maxrate(struct nlattr *nest, struct rg_policy_spec *spec)
{
	struct rg_expert *x = &spec->expert;
	struct nlattr *pos;
	uint32_t tc, kbps;
	int rem;

	attr_for_each(pos, nla_data(nest), nla_len(nest), rem) {
		if (nla_type(pos) != ROCEGUARD_A_MAXRATE_RATE)
			continue;
		if (read_indexed(pos, RG_TCS, &tc, &kbps))
			return -EBADMSG;
		x->set |= BIT(RG_EXPERT_RATE);
		x->rated |= BIT(tc);
		x->kbps[tc] = kbps;
	}
	return 0;
}

static int read_buffer_attr(struct nlattr *attr, struct rg_expert *x)
{
	uint32_t i, value;

	switch (nla_type(attr)) {
	case ROCEGUARD_A_BUFFER_SIZE:
		if (read_indexed(attr, RG_BUFFERS, &i, &value))
			return -EBADMSG;
		x->set |= BIT(RG_EXPERT_BUFFER_SIZE);
		x->sized |= BIT(i);
		x->buffer_size[i] = value;
		break;
	case ROCEGUARD_A_BUFFER_PRIO:
		if (read_indexed(attr, RG_PRIORITIES, &i, &value) ||
		    value >= RG_BUFFERS)
			return -EBADMSG;
		x->set |= BIT(RG_EXPERT_BUFFER_PRIO);
		x->prio_buffer[i] = (u8)value;
		break;
	}
	return 0;
}

static int read_buffer(struct nlattr *nest, struct rg_policy_spec *spec)
{
	struct nlattr *pos;
	int rem, err;

	attr_for_each(pos, nla_data(nest), nla_len(nest), rem) {
		err = read_buffer_attr(pos, &spec->expert);
		if (err)
			return err;
	}
	return 0;
}

static int read_storm(struct nlattr *nest, struct rg_policy_spec *spec)
{
	struct nlattr *timeout = nla_find(nla_data(nest), nla_len(nest),
					  ROCEGUARD_A_STORM_PREVENTION_TIMEOUT);
	struct rg_expert *x = &spec->expert;

	if (!timeout)
		return 0;
	if (below(timeout, ROCEGUARD_STORM_AUTO + 1, &x->storm))
		return -EBADMSG;
	x->set |= BIT(RG_EXPERT_STORM);
	return 0;
}

static int read_dcqcn(struct nlattr *nest, struct rg_policy_spec *spec)
{
	struct rg_expert *x = &spec->expert;
	struct nlattr *pos;
	uint32_t i, value;
	int rem;

	attr_for_each(pos, nla_data(nest), nla_len(nest), rem) {
		if (nla_type(pos) != ROCEGUARD_A_DCQCN_PARAM)
			continue;
		if (read_indexed(pos, RG_PARAMS, &i, &value))
			return -EBADMSG;
		x->set |= BIT(RG_EXPERT_PARAMS);
		x->params |= (u32)BIT(i);
		x->param[i] = value;
	}
	return 0;
}

static int read_check(struct nlattr *nest, struct rg_policy_spec *spec)
{
	struct nlattr *mtu = nla_find(nla_data(nest), nla_len(nest),
				      ROCEGUARD_A_CHECK_MTU);
	struct rg_expert *x = &spec->expert;

	if (!mtu)
		return 0;
	if (below(mtu, ROCEGUARD_MTU_MAX + 1, &x->mtu))
		return -EBADMSG;
	x->set |= BIT(RG_EXPERT_MTU);
	return 0;
}

static int read_rdma_cm(struct nlattr *nest, struct rg_policy_spec *spec)
{
	struct rg_expert *x = &spec->expert;
	int err;

	err = read_expert_value(nest, ROCEGUARD_A_RDMA_CM_TOS, 256, x,
				RG_EXPERT_CM_TOS, &x->cm_tos);
	return err ? err : read_expert_value(nest, ROCEGUARD_A_RDMA_CM_MODE, 3,
					     x, RG_EXPERT_CM_MODE,
					     &x->cm_mode);
}

static int read_vlan(struct nlattr *nest, struct rg_policy_spec *spec)
{
	uint8_t egress = 0;
	int err;

	err = read_expert_value(nest, ROCEGUARD_A_VLAN_EGRESS, 2, &spec->expert,
				RG_EXPERT_VLAN_EGRESS, &egress);
	spec->expert.vlan_egress = egress;
	return err;
}

static int read_watchdog_time(struct nlattr *nest, int type, uint32_t most,
			      struct rg_expert *x, enum rg_expert_bit bit,
			      uint32_t *ms)
{
	struct nlattr *attr = nla_find(nla_data(nest), nla_len(nest), type);

	if (!attr)
		return 0;
	if (below(attr, most + 1, ms))
		return -EBADMSG;
	x->set |= BIT(bit);
	return 0;
}

static int read_watchdog(struct nlattr *nest, struct rg_policy_spec *spec)
{
	struct rg_expert *x = &spec->expert;
	struct rg_watchdog *watchdog = &x->watchdog;
	uint8_t force = 0;
	int err;

	err = read_watchdog_time(nest, ROCEGUARD_A_WATCHDOG_DETECTION,
				 ROCEGUARD_DETECTION_MAX, x, RG_EXPERT_DETECTION,
				 &watchdog->detection_ms);
	if (!err)
		err = read_watchdog_time(nest, ROCEGUARD_A_WATCHDOG_RESTORATION,
					 ROCEGUARD_RESTORATION_MAX, x,
					 RG_EXPERT_RESTORATION,
					 &watchdog->restoration_ms);
	if (!err)
		err = read_expert_value(nest, ROCEGUARD_A_WATCHDOG_ACTION,
					ROCEGUARD_STORM_ACTION_PFC_OFF + 1, x,
					RG_EXPERT_STORM_ACTION,
					&watchdog->action);
	if (!err)
		err = read_expert_value(nest, ROCEGUARD_A_WATCHDOG_FORCE, 2, x,
					RG_EXPERT_STORM_FORCE, &force);
	watchdog->force = force;
	return err;
}

static int read_mode(struct nlattr *attr, struct rg_policy_spec *spec)
{
	uint32_t v;

	if (below(attr, ROCEGUARD_POLICY_MODE_OBSERVE + 1, &v))
		return -EBADMSG;
	spec->observe = v == ROCEGUARD_POLICY_MODE_OBSERVE;
	return 0;
}

static int read_disruptive(struct nlattr *attr, struct rg_policy_spec *spec)
{
	uint32_t v;

	if (below(attr, ROCEGUARD_DISRUPTIVE_NOW + 1, &v))
		return -EBADMSG;
	spec->disruptive = (u8)v;
	return 0;
}

static int read_priority(struct nlattr *attr, struct rg_policy_spec *spec)
{
	return below(attr, ROCEGUARD_PRIORITY_MAX + 1, &spec->priority);
}

static int read_rollout(struct nlattr *attr, struct rg_policy_spec *spec)
{
	uint32_t v;

	if (below(attr, 101, &v))
		return -EBADMSG;
	spec->rollout = (u8)v;
	return 0;
}

static int read_rollout_at(struct nlattr *attr, struct rg_policy_spec *spec)
{
	uint32_t v;

	if (below(attr, 100, &v))
		return -EBADMSG;
	spec->rollout_at = (u8)v;
	return 0;
}

static int read_serial(struct nlattr *attr, struct rg_policy_spec *spec)
{
	nla_strlcpy(spec->serial, attr, sizeof(spec->serial));
	return 0;
}

static int read_policy_name(struct nlattr *attr, struct rg_policy_spec *spec)
{
	nla_strlcpy(spec->name, attr, sizeof(spec->name));
	return 0;
}

static int (*const policy_reader[])(struct nlattr *, struct rg_policy_spec *) = {
	[ROCEGUARD_A_POLICY_NAME]	= read_policy_name,
	[ROCEGUARD_A_POLICY_MODE]	= read_mode,
	[ROCEGUARD_A_POLICY_MATCH]	= read_match,
	[ROCEGUARD_A_POLICY_CLASS]	= read_class,
	[ROCEGUARD_A_POLICY_PFC]	= read_pfc,
	[ROCEGUARD_A_POLICY_DSCP]	= read_dscp,
	[ROCEGUARD_A_POLICY_ETS]	= read_ets,
	[ROCEGUARD_A_POLICY_ECN]	= read_ecn,
	[ROCEGUARD_A_POLICY_PAUSE]	= read_pause,
	[ROCEGUARD_A_POLICY_CONNECTION]	= read_connection,
	[ROCEGUARD_A_POLICY_DISRUPTIVE]	= read_disruptive,
	[ROCEGUARD_A_POLICY_PRIORITY]	= read_priority,
	[ROCEGUARD_A_POLICY_ROLLOUT]	= read_rollout,
	[ROCEGUARD_A_POLICY_ROLLOUT_AT]	= read_rollout_at,
	[ROCEGUARD_A_POLICY_SERIAL]	= read_serial,
	[ROCEGUARD_A_POLICY_DCBX]	= read_dcbx,
	[ROCEGUARD_A_POLICY_MAXRATE]	= read_maxrate,
	[ROCEGUARD_A_POLICY_BUFFER]	= read_buffer,
	[ROCEGUARD_A_POLICY_STORM_PREVENTION] = read_storm,
	[ROCEGUARD_A_POLICY_DCQCN]	= read_dcqcn,
	[ROCEGUARD_A_POLICY_CHECK]	= read_check,
	[ROCEGUARD_A_POLICY_RDMA_CM]	= read_rdma_cm,
	[ROCEGUARD_A_POLICY_VLAN]	= read_vlan,
	[ROCEGUARD_A_POLICY_WATCHDOG]	= read_watchdog,
};

static const struct field policy_field[] = {
	FIELD(model_policy, ROCEGUARD_A_POLICY_GENERATION, U32, generation),
	FIELD(model_policy, ROCEGUARD_A_POLICY_PORTS, U32, ports),
	FIELD(model_policy, ROCEGUARD_A_POLICY_CONFIRM_LEFT, U32, confirm_left),
};

int model_decode_policy(struct nlattr *attrs, int len,
			struct model_policy *policy, bool *deleted)
{
	struct nlattr *pos;
	size_t type;
	int rem, err;

	memset(policy, 0, sizeof(*policy));
	rg_policy_init(&policy->spec);
	*deleted = true;
	attr_for_each(pos, attrs, len, rem) {
		type = (size_t)nla_type(pos);
		/* Of a deleted policy only its name and generation are told. */
		if (type == ROCEGUARD_A_POLICY_MATCH ||
		    type == ROCEGUARD_A_POLICY_MODE ||
		    type == ROCEGUARD_A_POLICY_PORTS)
			*deleted = false;
		if (type < ARRAY_SIZE(policy_reader) && policy_reader[type])
			err = policy_reader[type](pos, &policy->spec);
		else
			err = fields_read(policy_field,
					  ARRAY_SIZE(policy_field), pos,
					  policy);
		if (err)
			return err;
	}
	return policy->spec.name[0] ? 0 : -EBADMSG;
}
