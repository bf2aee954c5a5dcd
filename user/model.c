// SPDX-License-Identifier: GPL-2.0
/* Attributes to structs and back, and the requests. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"
#include "nl.h"

/*
 * How one attribute becomes one member: a table for each object instead of a
 * line for each attribute. @flag is the offset of the bool that says the
 * attribute was there, 0 for none: no object begins with such a bool.
 */
enum field_type { FIELD_U32, FIELD_S32, FIELD_U64, FIELD_BOOL, FIELD_TEXT };

struct field {
	uint16_t attr;
	uint8_t type;
	uint16_t offset;
	uint16_t size;
	uint16_t flag;
};

#define FIELD(_object, _attr, _type, _member)				\
	{ .attr = (_attr), .type = FIELD_##_type,			\
	  .offset = offsetof(struct _object, _member),			\
	  .size = sizeof(((struct _object *)NULL)->_member) }
#define FIELD_FLAG(_object, _attr, _type, _member, _flag)		\
	{ .attr = (_attr), .type = FIELD_##_type,			\
	  .offset = offsetof(struct _object, _member),			\
	  .size = sizeof(((struct _object *)NULL)->_member),		\
	  .flag = offsetof(struct _object, _flag) }

/* The shortest payload that a type may have. */
static const int field_length[] = {
	[FIELD_U32] = 4, [FIELD_S32] = 4, [FIELD_U64] = 8, [FIELD_BOOL] = 4,
	[FIELD_TEXT] = 0,
};

static int field_read(const struct field *f, const struct nlattr *attr,
		      char *object)
{
	char *to = object + f->offset;
	uint64_t wide;
	uint32_t value;

	if (nla_len(attr) < field_length[f->type])
		return -EBADMSG;
	switch (f->type) {
	case FIELD_TEXT:
		/* Strings need not end in NUL on the wire. */
		nla_strlcpy(to, attr, f->size);
		break;
	case FIELD_U64:
		wide = nla_get_u64(attr);
		memcpy(to, &wide, sizeof(wide));
		break;
	case FIELD_BOOL:
		*(bool *)to = nla_get_u32(attr);
		break;
	default:
		value = nla_get_u32(attr);
		memcpy(to, &value, sizeof(value));
		break;
	}
	if (f->flag)
		*(bool *)(object + f->flag) = true;
	return 0;
}

/* Attributes that are in no table are of a newer kernel and passed over. */
static int fields_read(const struct field *table, size_t n,
		       const struct nlattr *attr, void *object)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (table[i].attr == nla_type(attr))
			return field_read(&table[i], attr, object);
	return 0;
}

#define attr_for_each(pos, head, len, rem)				\
	for (pos = (head), rem = (len); nla_ok(pos, rem);		\
	     pos = nla_next(pos, &rem))

static int object_read(const struct field *table, size_t n,
		       struct nlattr *attrs, int len, void *object)
{
	struct nlattr *pos;
	int rem, err;

	attr_for_each(pos, attrs, len, rem) {
		err = fields_read(table, n, pos, object);
		if (err)
			return err;
	}
	return 0;
}

static int nest_read(const struct field *table, size_t n, struct nlattr *nest,
		     void *object)
{
	return object_read(table, n, nla_data(nest), nla_len(nest), object);
}

/* Ports */

static const struct field entry_field[] = {
	FIELD(model_entry, ROCEGUARD_A_ENTRY_SEQ, U64, seq),
	FIELD(model_entry, ROCEGUARD_A_ENTRY_TIME, U64, time),
	FIELD(model_entry, ROCEGUARD_A_ENTRY_ACTION, U32, action),
	FIELD_FLAG(model_entry, ROCEGUARD_A_ENTRY_TRIGGER, U32, trigger,
		   has_trigger),
	FIELD(model_entry, ROCEGUARD_A_ENTRY_IFINDEX, U32, ifindex),
	FIELD(model_entry, ROCEGUARD_A_ENTRY_IFNAME, TEXT, ifname),
	FIELD_FLAG(model_entry, ROCEGUARD_A_ENTRY_KNOB, U32, knob, has_knob),
	FIELD_FLAG(model_entry, ROCEGUARD_A_ENTRY_VERDICT, U32, verdict,
		   has_verdict),
	FIELD(model_entry, ROCEGUARD_A_ENTRY_FROM, TEXT, from),
	FIELD(model_entry, ROCEGUARD_A_ENTRY_TO, TEXT, to),
	FIELD_FLAG(model_entry, ROCEGUARD_A_ENTRY_DURATION_US, U32,
		   duration_us, has_duration),
	FIELD(model_entry, ROCEGUARD_A_ENTRY_LINK_DROP, BOOL, link_drop),
	FIELD(model_entry, ROCEGUARD_A_ENTRY_ERRNO, U32, err),
	FIELD(model_entry, ROCEGUARD_A_ENTRY_POLICY, TEXT, policy),
	FIELD(model_entry, ROCEGUARD_A_ENTRY_GENERATION, U32, generation),
	FIELD(model_entry, ROCEGUARD_A_ENTRY_REQUEST, TEXT, request),
	FIELD_FLAG(model_entry, ROCEGUARD_A_ENTRY_UID, U32, uid, has_uid),
	FIELD_FLAG(model_entry, ROCEGUARD_A_ENTRY_PID, U32, pid, has_pid),
	FIELD(model_entry, ROCEGUARD_A_ENTRY_COMM, TEXT, comm),
};

static const struct field knob_field[] = {
	FIELD(model_knob, ROCEGUARD_A_KNOB_ID, U32, id),
	FIELD(model_knob, ROCEGUARD_A_KNOB_VERDICT, U32, verdict),
	FIELD(model_knob, ROCEGUARD_A_KNOB_SOURCE, U32, source),
	FIELD(model_knob, ROCEGUARD_A_KNOB_COST, U32, cost),
	FIELD(model_knob, ROCEGUARD_A_KNOB_ERRNO, U32, err),
	FIELD(model_knob, ROCEGUARD_A_KNOB_REASON, TEXT, reason),
	FIELD(model_knob, ROCEGUARD_A_KNOB_HAVE, TEXT, have),
	FIELD(model_knob, ROCEGUARD_A_KNOB_WANT, TEXT, want),
};

static const struct field port_field[] = {
	FIELD(model_port, ROCEGUARD_A_PORT_ID, U32, id),
	FIELD(model_port, ROCEGUARD_A_PORT_IFINDEX, U32, ifindex),
	FIELD(model_port, ROCEGUARD_A_PORT_IFNAME, TEXT, ifname),
	FIELD_FLAG(model_port, ROCEGUARD_A_PORT_NETNSID, S32, netnsid,
		   has_netnsid),
	FIELD(model_port, ROCEGUARD_A_PORT_DRIVER, TEXT, driver),
	FIELD(model_port, ROCEGUARD_A_PORT_STATE, U32, state),
	FIELD(model_port, ROCEGUARD_A_PORT_REASON, TEXT, reason),
	FIELD(model_port, ROCEGUARD_A_PORT_POLICY, TEXT, policy),
	FIELD(model_port, ROCEGUARD_A_PORT_GENERATION, U32, generation),
	FIELD_FLAG(model_port, ROCEGUARD_A_PORT_TRIGGER, U32, trigger,
		   has_trigger),
	FIELD(model_port, ROCEGUARD_A_PORT_DCB, BOOL, dcb),
	FIELD(model_port, ROCEGUARD_A_PORT_ROCE_CAPABLE, BOOL, roce_capable),
	FIELD(model_port, ROCEGUARD_A_PORT_RDMA_DEVICE, TEXT, rdma_device),
	FIELD(model_port, ROCEGUARD_A_PORT_RDMA_PORT, U32, rdma_port),
	FIELD(model_port, ROCEGUARD_A_PORT_CORRECTIONS, U64, corrections),
	FIELD(model_port, ROCEGUARD_A_PORT_DRIFTS, U64, drifts),
	FIELD(model_port, ROCEGUARD_A_PORT_LINK_DROPS, U64, link_drops),
	FIELD(model_port, ROCEGUARD_A_PORT_PASSES, U64, passes),
	FIELD(model_port, ROCEGUARD_A_PORT_PASS_US, U32, pass_us),
	FIELD(model_port, ROCEGUARD_A_PORT_TICKET, U32, ticket),
	FIELD(model_port, ROCEGUARD_A_PORT_SERVED, U32, served),
};

static int port_read_knob(struct nlattr *nest, struct model_port *port)
{
	struct model_knob knob = { .id = MODEL_KNOBS };
	int err = nest_read(knob_field, ARRAY_SIZE(knob_field), nest, &knob);

	if (!err && knob.id < MODEL_KNOBS)
		port->knob[knob.id] = knob;
	return err;
}

static int port_read(struct nlattr *attr, struct model_port *port)
{
	switch (nla_type(attr)) {
	case ROCEGUARD_A_PORT_KNOB:
		return port_read_knob(attr, port);
	case ROCEGUARD_A_PORT_EVENT:
		port->has_event = true;
		return nest_read(entry_field, ARRAY_SIZE(entry_field), attr,
				 &port->event);
	default:
		return fields_read(port_field, ARRAY_SIZE(port_field), attr,
				   port);
	}
}

int model_decode_port(struct nlattr *attrs, int len, struct model_port *port)
{
	struct nlattr *pos;
	uint32_t i;
	int rem, err;

	memset(port, 0, sizeof(*port));
	for (i = 0; i < MODEL_KNOBS; i++)
		port->knob[i].id = i;
	attr_for_each(pos, attrs, len, rem) {
		err = port_read(pos, port);
		if (err)
			return err;
	}
	return port->ifindex ? 0 : -EBADMSG;
}

/* The host */

static const struct field host_field[] = {
	FIELD(model_host, ROCEGUARD_A_HOST_MODE, U32, mode),
	FIELD(model_host, ROCEGUARD_A_HOST_FROZEN, BOOL, frozen),
	FIELD(model_host, ROCEGUARD_A_HOST_GENERATION, U32, generation),
	FIELD(model_host, ROCEGUARD_A_HOST_POLICIES, U32, policies),
	FIELD(model_host, ROCEGUARD_A_HOST_PORTS, U32, ports),
	FIELD(model_host, ROCEGUARD_A_HOST_VERSION, TEXT, version),
	FIELD(model_host, ROCEGUARD_A_HOST_RDMA, BOOL, rdma),
	FIELD(model_host, ROCEGUARD_A_HOST_RDMA_REASON, TEXT, rdma_reason),
};

int model_decode_host(struct nlattr *attrs, int len, struct model_host *host)
{
	memset(host, 0, sizeof(*host));
	return object_read(host_field, ARRAY_SIZE(host_field), attrs, len,
			   host);
}

/* Policies: decoding */

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
	return read_expert_value(nest, ROCEGUARD_A_PFC_PRIORITIES, 256,
				 &spec->expert, RG_EXPERT_PFC,
				 &spec->expert.pfc);
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

static int read_mode(struct nlattr *attr, struct rg_policy_spec *spec)
{
	uint32_t v;

	if (below(attr, ROCEGUARD_POLICY_MODE_OBSERVE + 1, &v))
		return -EBADMSG;
	spec->observe = v == ROCEGUARD_POLICY_MODE_OBSERVE;
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
};

static const struct field policy_field[] = {
	FIELD(model_policy, ROCEGUARD_A_POLICY_GENERATION, U32, generation),
	FIELD(model_policy, ROCEGUARD_A_POLICY_PORTS, U32, ports),
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

/* Policies: encoding. Each returns 0 or a negative libnl error. */

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
	return err;
}

static int put_pfc(struct nl_msg *msg, const struct rg_policy_spec *spec)
{
	return nla_put_u32(msg, ROCEGUARD_A_PFC_PRIORITIES, spec->expert.pfc);
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
	{ ROCEGUARD_A_POLICY_PFC, BIT(RG_EXPERT_PFC), put_pfc },
	{ ROCEGUARD_A_POLICY_DSCP, BIT(RG_EXPERT_TRUST) | BIT(RG_EXPERT_MAP),
	  put_dscp },
	{ ROCEGUARD_A_POLICY_ETS, BIT(RG_EXPERT_PRIO_TC) | BIT(RG_EXPERT_TC),
	  put_ets },
	{ ROCEGUARD_A_POLICY_ECN,
	  BIT(RG_EXPERT_ECN_NP) | BIT(RG_EXPERT_ECN_RP), put_ecn },
	{ ROCEGUARD_A_POLICY_PAUSE,
	  BIT(RG_EXPERT_PAUSE_RX) | BIT(RG_EXPERT_PAUSE_TX), put_pause },
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

/* Requests */

static int take_port(uint8_t cmd __attribute__((unused)),
		     struct nlattr *attrs, int len, void *arg)
{
	return model_decode_port(attrs, len, arg);
}

static int take_host(uint8_t cmd __attribute__((unused)),
		     struct nlattr *attrs, int len, void *arg)
{
	return model_decode_host(attrs, len, arg);
}

static int take_policy(uint8_t cmd __attribute__((unused)),
		       struct nlattr *attrs, int len, void *arg)
{
	bool deleted;

	return model_decode_policy(attrs, len, arg, &deleted);
}

/* A request that has one string; NULL when there is no memory. */
static struct nl_msg *request_string(struct rgnl *nl, uint8_t cmd, int type,
				     const char *value)
{
	struct nl_msg *msg = rgnl_request(nl, cmd);

	if (!msg || !nla_put_string(msg, type, value))
		return msg;
	nlmsg_free(msg);
	return NULL;
}

int model_port_get(struct rgnl *nl, const char *ifname,
		   struct model_port *port)
{
	return rgnl_do(nl, request_string(nl, ROCEGUARD_CMD_PORT_GET,
					  ROCEGUARD_A_PORT_IFNAME, ifname),
		       take_port, port);
}

int model_port_apply(struct rgnl *nl, const char *ifname,
		     struct model_port *port)
{
	return rgnl_do(nl, request_string(nl, ROCEGUARD_CMD_PORT_APPLY,
					  ROCEGUARD_A_PORT_IFNAME, ifname),
		       take_port, port);
}

int model_policy_get(struct rgnl *nl, const char *name,
		     struct model_policy *policy)
{
	return rgnl_do(nl, request_string(nl, ROCEGUARD_CMD_POLICY_GET,
					  ROCEGUARD_A_POLICY_NAME, name),
		       take_policy, policy);
}

int model_policy_set(struct rgnl *nl, const struct rg_policy_spec *spec,
		     struct model_policy *answer)
{
	struct nl_msg *msg = rgnl_request(nl, ROCEGUARD_CMD_POLICY_SET);

	if (msg && model_encode_policy(msg, spec)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return rgnl_do(nl, msg, take_policy, answer);
}

int model_policy_del(struct rgnl *nl, const char *name, uint32_t *generation)
{
	struct model_policy answer;
	int err;

	err = rgnl_do(nl, request_string(nl, ROCEGUARD_CMD_POLICY_DEL,
					 ROCEGUARD_A_POLICY_NAME, name),
		      take_policy, &answer);
	if (!err)
		*generation = answer.generation;
	return err;
}

int model_mode_get(struct rgnl *nl, struct model_host *host)
{
	return rgnl_do(nl, rgnl_request(nl, ROCEGUARD_CMD_MODE_GET), take_host,
		       host);
}

int model_freeze(struct rgnl *nl, bool frozen, struct model_host *host)
{
	struct nl_msg *msg = rgnl_request(nl, ROCEGUARD_CMD_MODE_SET);

	if (msg && nla_put_u32(msg, ROCEGUARD_A_HOST_FROZEN, frozen)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return rgnl_do(nl, msg, take_host, host);
}

/* Lists. A slot more is made before each object, and kept if it decodes. */

static void *grow(void *array, size_t n, size_t size)
{
	/* Sizes are powers of two, so only there is it full. */
	if (n & (n - 1))
		return array;
	return reallocarray(array, n ? 2 * n : 1, size);
}

static int list_port(uint8_t cmd __attribute__((unused)),
		     struct nlattr *attrs, int len, void *arg)
{
	struct model_ports *list = arg;
	void *array = grow(list->port, list->n, sizeof(*list->port));
	int err;

	if (!array)
		return -ENOMEM;
	list->port = array;
	err = model_decode_port(attrs, len, &list->port[list->n]);
	list->n += !err;
	return err;
}

static void reset_ports(void *arg)
{
	((struct model_ports *)arg)->n = 0;
}

int model_ports(struct rgnl *nl, struct model_ports *ports)
{
	return rgnl_dump(nl, ROCEGUARD_CMD_PORT_GET, list_port, reset_ports,
			 ports);
}

void model_ports_free(struct model_ports *ports)
{
	free(ports->port);
	memset(ports, 0, sizeof(*ports));
}

static int list_policy(uint8_t cmd __attribute__((unused)),
		       struct nlattr *attrs, int len, void *arg)
{
	struct model_policies *list = arg;
	void *array = grow(list->policy, list->n, sizeof(*list->policy));
	bool deleted;
	int err;

	if (!array)
		return -ENOMEM;
	list->policy = array;
	err = model_decode_policy(attrs, len, &list->policy[list->n],
				  &deleted);
	list->n += !err;
	return err;
}

static void reset_policies(void *arg)
{
	((struct model_policies *)arg)->n = 0;
}

int model_policies(struct rgnl *nl, struct model_policies *policies)
{
	return rgnl_dump(nl, ROCEGUARD_CMD_POLICY_GET, list_policy,
			 reset_policies, policies);
}

void model_policies_free(struct model_policies *policies)
{
	free(policies->policy);
	memset(policies, 0, sizeof(*policies));
}

static int list_entry(uint8_t cmd __attribute__((unused)),
		      struct nlattr *attrs, int len, void *arg)
{
	struct model_entries *list = arg;
	void *array = grow(list->entry, list->n, sizeof(*list->entry));
	struct model_entry *entry;
	int err;

	if (!array)
		return -ENOMEM;
	list->entry = array;
	entry = &list->entry[list->n];
	memset(entry, 0, sizeof(*entry));
	err = object_read(entry_field, ARRAY_SIZE(entry_field), attrs, len,
			  entry);
	list->n += !err;
	return err;
}

static void reset_entries(void *arg)
{
	((struct model_entries *)arg)->n = 0;
}

int model_history(struct rgnl *nl, struct model_entries *entries)
{
	return rgnl_dump(nl, ROCEGUARD_CMD_HISTORY_GET, list_entry,
			 reset_entries, entries);
}

void model_entries_free(struct model_entries *entries)
{
	free(entries->entry);
	memset(entries, 0, sizeof(*entries));
}
