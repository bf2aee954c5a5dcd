// SPDX-License-Identifier: GPL-2.0
/* Ports, entries of the history and the host: attributes to structs. */
#include <errno.h>
#include <string.h>

#include "modelfield.h"

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

int model_decode_entry(struct nlattr *attrs, int len,
		       struct model_entry *entry)
{
	memset(entry, 0, sizeof(*entry));
	return object_read(entry_field, ARRAY_SIZE(entry_field), attrs, len,
			   entry);
}

static const struct field knob_field[] = {
	FIELD(model_knob, ROCEGUARD_A_KNOB_ID, U32, id),
	FIELD(model_knob, ROCEGUARD_A_KNOB_VERDICT, U32, verdict),
	FIELD(model_knob, ROCEGUARD_A_KNOB_SOURCE, U32, source),
	FIELD(model_knob, ROCEGUARD_A_KNOB_COST, U32, cost),
	FIELD(model_knob, ROCEGUARD_A_KNOB_ERRNO, U32, err),
	FIELD(model_knob, ROCEGUARD_A_KNOB_REASON, TEXT, reason),
	FIELD(model_knob, ROCEGUARD_A_KNOB_HAVE, TEXT, have),
	FIELD(model_knob, ROCEGUARD_A_KNOB_WANT, TEXT, want),
	FIELD_FLAG(model_knob, ROCEGUARD_A_KNOB_DELEGATED, BOOL, to_hold,
		   delegated),
};

static const struct field overlay_field[] = {
	FIELD(model_overlay, ROCEGUARD_A_OVERLAY_KNOB, U32, id),
	FIELD(model_overlay, ROCEGUARD_A_OVERLAY_WANT, TEXT, want),
	FIELD(model_overlay, ROCEGUARD_A_OVERLAY_UID, U32, uid),
	FIELD_FLAG(model_overlay, ROCEGUARD_A_OVERLAY_PID, U32, pid, has_who),
	FIELD(model_overlay, ROCEGUARD_A_OVERLAY_COMM, TEXT, comm),
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
	FIELD(model_port, ROCEGUARD_A_PORT_DROPS_LEFT, U32, drops_left),
	FIELD(model_port, ROCEGUARD_A_PORT_BOND, TEXT, bond),
	FIELD(model_port, ROCEGUARD_A_PORT_PASSES, U64, passes),
	FIELD(model_port, ROCEGUARD_A_PORT_PASS_US, U32, pass_us),
	FIELD(model_port, ROCEGUARD_A_PORT_TICKET, U32, ticket),
	FIELD(model_port, ROCEGUARD_A_PORT_SERVED, U32, served),
	FIELD(model_port, ROCEGUARD_A_PORT_PCI, TEXT, pci),
	FIELD(model_port, ROCEGUARD_A_PORT_SPEED, U32, speed),
	FIELD(model_port, ROCEGUARD_A_PORT_POLICY_WHY, TEXT, policy_why),
	FIELD(model_port, ROCEGUARD_A_PORT_FITTING, U32, fitting),
	FIELD(model_port, ROCEGUARD_A_PORT_SERIAL, TEXT, serial),
	FIELD(model_port, ROCEGUARD_A_PORT_WATCHDOG, TEXT, watchdog),
};

static const struct field lost_field[] = {
	FIELD(model_lost, ROCEGUARD_A_LOST_POLICY, TEXT, policy),
	FIELD(model_lost, ROCEGUARD_A_LOST_WHY, TEXT, why),
};

static int port_read_lost(struct nlattr *nest, struct model_port *port)
{
	if (port->n_lost == MODEL_LOST)
		return 0;
	return nest_read(lost_field, ARRAY_SIZE(lost_field), nest,
			 &port->lost[port->n_lost++]);
}

static int port_read_knob(struct nlattr *nest, struct model_port *port)
{
	struct model_knob knob = { .id = MODEL_KNOBS };
	int err = nest_read(knob_field, ARRAY_SIZE(knob_field), nest, &knob);

	if (!err && knob.id < MODEL_KNOBS)
		port->knob[knob.id] = knob;
	return err;
}

static int port_read_overlay(struct nlattr *nest, struct model_port *port)
{
	struct model_overlay overlay = { .id = MODEL_KNOBS };
	int err = nest_read(overlay_field, ARRAY_SIZE(overlay_field), nest,
			    &overlay);

	if (!err && overlay.id < MODEL_KNOBS)
		port->overlay[overlay.id] = overlay;
	return err;
}

static int port_read(struct nlattr *attr, struct model_port *port)
{
	switch (nla_type(attr)) {
	case ROCEGUARD_A_PORT_KNOB:
		return port_read_knob(attr, port);
	case ROCEGUARD_A_PORT_OVERLAY:
		return port_read_overlay(attr, port);
	case ROCEGUARD_A_PORT_LOST:
		return port_read_lost(attr, port);
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
		port->knob[i].id = port->overlay[i].id = i;
	attr_for_each(pos, attrs, len, rem) {
		err = port_read(pos, port);
		if (err)
			return err;
	}
	return port->ifindex ? 0 : -EBADMSG;
}

static const struct field host_field[] = {
	FIELD(model_host, ROCEGUARD_A_HOST_MODE, U32, mode),
	FIELD(model_host, ROCEGUARD_A_HOST_FROZEN, BOOL, frozen),
	FIELD(model_host, ROCEGUARD_A_HOST_GENERATION, U32, generation),
	FIELD(model_host, ROCEGUARD_A_HOST_POLICIES, U32, policies),
	FIELD(model_host, ROCEGUARD_A_HOST_PORTS, U32, ports),
	FIELD(model_host, ROCEGUARD_A_HOST_VERSION, TEXT, version),
	FIELD(model_host, ROCEGUARD_A_HOST_RDMA, BOOL, rdma),
	FIELD(model_host, ROCEGUARD_A_HOST_RDMA_REASON, TEXT, rdma_reason),
	FIELD(model_host, ROCEGUARD_A_HOST_FREEZE_LEFT, U32, freeze_left),
};

int model_decode_host(struct nlattr *attrs, int len, struct model_host *host)
{
	memset(host, 0, sizeof(*host));
	return object_read(host_field, ARRAY_SIZE(host_field), attrs, len,
			   host);
}
