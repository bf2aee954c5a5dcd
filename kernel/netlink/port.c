// SPDX-License-Identifier: GPL-2.0
/* port-get, port-apply, port-ntf. */
#include <linux/slab.h>
#include <net/net_namespace.h>
#include <net/sock.h>
#include "../counters/watchdog.h"
#include "../knobs/knob.h"
#include "../mode.h"
#include "../policy.h"
#include "../status.h"
#include "family.h"

const struct nla_policy rg_port_key[ROCEGUARD_A_PORT_IFNAME + 1] = {
	[ROCEGUARD_A_PORT_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[ROCEGUARD_A_PORT_IFNAME]  = { .type = NLA_NUL_STRING,
				       .len  = IFNAMSIZ - 1 },
};

const struct nla_policy rg_port_apply_attrs[ROCEGUARD_A_PORT_NOW + 1] = {
	[ROCEGUARD_A_PORT_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[ROCEGUARD_A_PORT_IFNAME]  = { .type = NLA_NUL_STRING,
				       .len  = IFNAMSIZ - 1 },
	[ROCEGUARD_A_PORT_NOW]	   = NLA_POLICY_MAX(NLA_U32, 1),
};

/* With every word of every knob as long as it can be. */
#define RG_PORT_MSG	(NLMSG_DEFAULT_SIZE + RG_WATCHDOG_WORDS_MAX +	\
			 RG_KNOBS * (6 * nla_total_size(sizeof(u32)) +	\
				     2 * nla_total_size(RG_TEXT_MAX) +	\
				     nla_total_size(RG_REASON_MAX)))

static int rg_knob_put(struct sk_buff *skb, enum roceguard_knob id,
		       const struct rg_knob_status *knob)
{
	struct nlattr *nest = nla_nest_start(skb, ROCEGUARD_A_PORT_KNOB);

	if (!nest)
		return -EMSGSIZE;
	if (nla_put_u32(skb, ROCEGUARD_A_KNOB_ID, id) ||
	    nla_put_u32(skb, ROCEGUARD_A_KNOB_VERDICT, knob->verdict) ||
	    nla_put_u32(skb, ROCEGUARD_A_KNOB_SOURCE, knob->source) ||
	    nla_put_u32(skb, ROCEGUARD_A_KNOB_COST, knob->cost))
		return -EMSGSIZE;
	if (knob->err && nla_put_u32(skb, ROCEGUARD_A_KNOB_ERRNO, knob->err))
		return -EMSGSIZE;
	if (knob->delegated != RG_NOT_SAID &&
	    nla_put_u32(skb, ROCEGUARD_A_KNOB_DELEGATED,
			knob->delegated == RG_YES))
		return -EMSGSIZE;
	if (knob->reason[0] &&
	    nla_put_string(skb, ROCEGUARD_A_KNOB_REASON, knob->reason))
		return -EMSGSIZE;
	if (knob->have[0] &&
	    nla_put_string(skb, ROCEGUARD_A_KNOB_HAVE, knob->have))
		return -EMSGSIZE;
	if (knob->want[0] &&
	    nla_put_string(skb, ROCEGUARD_A_KNOB_WANT, knob->want))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int rg_knobs_put(struct sk_buff *skb, const struct rg_port_status *status)
{
	size_t i;
	int err;

	for (i = 0; i < ARRAY_SIZE(rg_knobs); i++) {
		enum roceguard_knob id = rg_knobs[i]->id;

		if (status->knob[id].verdict == ROCEGUARD_VERDICT_UNMANAGED)
			continue;
		err = rg_knob_put(skb, id, &status->knob[id]);
		if (err)
			return err;
	}
	return 0;
}

static int rg_said_put(struct sk_buff *skb, const struct rg_said *said)
{
	if (nla_put_u32(skb, ROCEGUARD_A_OVERLAY_UID, said->uid) ||
	    nla_put_u32(skb, ROCEGUARD_A_OVERLAY_PID, said->pid) ||
	    nla_put_string(skb, ROCEGUARD_A_OVERLAY_COMM, said->comm))
		return -EMSGSIZE;
	return 0;
}

static int rg_overlay_put(struct sk_buff *skb, const struct rg_overlay *overlay,
			  enum roceguard_knob id, const struct net *net)
{
	struct nlattr *nest = nla_nest_start(skb, ROCEGUARD_A_PORT_OVERLAY);
	struct rg_text text;

	if (!nest)
		return -EMSGSIZE;
	rg_text_init(&text);
	rg_overlay_describe(overlay, id, &text);
	if (nla_put_u32(skb, ROCEGUARD_A_OVERLAY_KNOB, id) ||
	    nla_put_string(skb, ROCEGUARD_A_OVERLAY_WANT, text.buf))
		return -EMSGSIZE;
	/* As with requests in history, no business of a container's. */
	if (net_eq(net, &init_net) && rg_said_put(skb, &overlay->said[id]))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int rg_overlays_put(struct sk_buff *skb, const struct rg_overlay *overlay,
			   const struct net *net)
{
	int err = 0, id;

	for (id = 0; !err && id < RG_KNOBS; id++)
		if (overlay->knobs & BIT(id))
			err = rg_overlay_put(skb, overlay, id, net);
	return err;
}

static int rg_port_id_put(struct sk_buff *skb, const struct rg_port *port,
			  const struct net *net)
{
	if (nla_put_u32(skb, ROCEGUARD_A_PORT_ID, port->id) ||
	    nla_put_u32(skb, ROCEGUARD_A_PORT_IFINDEX, port->ifindex))
		return -EMSGSIZE;
	if (!net_eq(net, port->net) &&
	    nla_put_s32(skb, ROCEGUARD_A_PORT_NETNSID, port->nsid))
		return -EMSGSIZE;
	return 0;
}

static int rg_optional_put(struct sk_buff *skb, int attr, const char *string)
{
	return string[0] ? nla_put_string(skb, attr, string) : 0;
}

static int rg_choice_put(struct sk_buff *skb, const struct rg_port_status *s)
{
	const struct rg_choice *choice = &s->choice;
	struct nlattr *nest;
	u32 i;

	if (!s->policy[0])
		return 0;
	if (nla_put_string(skb, ROCEGUARD_A_PORT_POLICY_WHY, choice->why) ||
	    nla_put_u32(skb, ROCEGUARD_A_PORT_FITTING, choice->n_fit))
		return -EMSGSIZE;
	for (i = 0; i < choice->n_lost; i++) {
		nest = nla_nest_start(skb, ROCEGUARD_A_PORT_LOST);
		if (!nest ||
		    nla_put_string(skb, ROCEGUARD_A_LOST_POLICY,
				   choice->lost[i].policy) ||
		    nla_put_string(skb, ROCEGUARD_A_LOST_WHY,
				   choice->lost[i].why))
			return -EMSGSIZE;
		nla_nest_end(skb, nest);
	}
	return 0;
}

static int rg_status_put(struct sk_buff *skb, const struct rg_port_status *s)
{
	if (nla_put_string(skb, ROCEGUARD_A_PORT_IFNAME, s->name) ||
	    rg_optional_put(skb, ROCEGUARD_A_PORT_DRIVER, s->driver) ||
	    nla_put_u32(skb, ROCEGUARD_A_PORT_STATE, s->state) ||
	    rg_optional_put(skb, ROCEGUARD_A_PORT_REASON, s->reason) ||
	    rg_optional_put(skb, ROCEGUARD_A_PORT_POLICY, s->policy) ||
	    rg_optional_put(skb, ROCEGUARD_A_PORT_SERIAL, s->serial) ||
	    rg_optional_put(skb, ROCEGUARD_A_PORT_PCI, s->pci) ||
	    nla_put_u32(skb, ROCEGUARD_A_PORT_GENERATION, s->generation) ||
	    nla_put_u32(skb, ROCEGUARD_A_PORT_TRIGGER, s->trigger) ||
	    nla_put_u32(skb, ROCEGUARD_A_PORT_DCB, s->dcb) ||
	    nla_put_u32(skb, ROCEGUARD_A_PORT_ROCE_CAPABLE, s->roce) ||
	    nla_put_u32(skb, ROCEGUARD_A_PORT_SERVED, s->served))
		return -EMSGSIZE;
	if (rg_optional_put(skb, ROCEGUARD_A_PORT_BOND, s->bond))
		return -EMSGSIZE;
	if (s->rdma_device[0] &&
	    (nla_put_string(skb, ROCEGUARD_A_PORT_RDMA_DEVICE,
			    s->rdma_device) ||
	     nla_put_u32(skb, ROCEGUARD_A_PORT_RDMA_PORT, s->rdma_port)))
		return -EMSGSIZE;
	if (s->speed && nla_put_u32(skb, ROCEGUARD_A_PORT_SPEED, s->speed))
		return -EMSGSIZE;
	return rg_choice_put(skb, s);
}

static int rg_watchdog_put(struct sk_buff *skb, struct rg_port *port)
{
	char words[RG_WATCHDOG_WORDS_MAX];

	rg_watchdog_describe(port, words, sizeof(words));
	return rg_optional_put(skb, ROCEGUARD_A_PORT_WATCHDOG, words);
}

static int rg_totals_put(struct sk_buff *skb, const struct rg_port_status *s)
{
	if (nla_put_u64_64bit(skb, ROCEGUARD_A_PORT_CORRECTIONS,
			      s->corrections, ROCEGUARD_A_PORT_PAD) ||
	    nla_put_u64_64bit(skb, ROCEGUARD_A_PORT_DRIFTS, s->drifts,
			      ROCEGUARD_A_PORT_PAD) ||
	    nla_put_u64_64bit(skb, ROCEGUARD_A_PORT_LINK_DROPS, s->link_drops,
			      ROCEGUARD_A_PORT_PAD) ||
	    nla_put_u64_64bit(skb, ROCEGUARD_A_PORT_PASSES, s->passes,
			      ROCEGUARD_A_PORT_PAD) ||
	    nla_put_u32(skb, ROCEGUARD_A_PORT_DROPS_LEFT, s->drops_left) ||
	    nla_put_u32(skb, ROCEGUARD_A_PORT_PASS_US, s->pass_us))
		return -EMSGSIZE;
	return 0;
}

/* As @net sees it; from a copy, for the port may change meanwhile. */
static int rg_port_put_attrs(struct sk_buff *skb, struct rg_port *port,
			     const struct net *net)
{
	struct rg_port_status *status;
	int err;

	status = kzalloc(sizeof(*status), GFP_KERNEL);
	if (!status)
		return -ENOMEM;
	rg_status_get(port, status);
	err = rg_port_id_put(skb, port, net);
	if (!err)
		err = rg_status_put(skb, status);
	if (!err)
		err = rg_totals_put(skb, status);
	if (!err)
		err = rg_watchdog_put(skb, port);
	if (!err)
		err = rg_knobs_put(skb, status);
	if (!err)
		err = rg_overlays_put(skb, &status->overlay, net);
	kfree(status);
	return err;
}

/**
 * rg_port_asked - the port that a request names
 * @net: the netns that it came from
 * @ifindex: its attribute, or NULL
 * @ifname: likewise
 * @extack: for words
 *
 * Return: it, with a reference, or an ERR_PTR; @extack has the words.
 */
struct rg_port *rg_port_asked(struct net *net, const struct nlattr *ifindex,
			      const struct nlattr *ifname,
			      struct netlink_ext_ack *extack)
{
	struct rg_port *port;

	if (!ifindex == !ifname) {
		NL_SET_ERR_MSG(extack,
			       "name the port by ifindex or by ifname");
		return ERR_PTR(-EINVAL);
	}
	port = rg_port_find(net,
			    ifindex ? nla_get_u32(ifindex) : 0,
			    ifname ? nla_data(ifname) : NULL);
	if (port)
		return port;
	NL_SET_ERR_MSG_ATTR(extack, ifindex ?: ifname,
			    "no such port; a port is an Ethernet device with DCB, or matched by a policy");
	return ERR_PTR(-ENODEV);
}

static struct rg_port *rg_port_named(struct genl_info *info)
{
	return rg_port_asked(genl_info_net(info),
			     info->attrs[ROCEGUARD_A_PORT_IFINDEX],
			     info->attrs[ROCEGUARD_A_PORT_IFNAME],
			     info->extack);
}

/* A reply with all but the ticket of an apply in it, or an ERR_PTR. */
static struct sk_buff *rg_port_reply(struct genl_info *info,
				     struct rg_port *port, void **hdr)
{
	struct sk_buff *msg;
	int err;

	msg = rg_reply_begin(info, RG_PORT_MSG, hdr);
	if (!msg)
		return ERR_PTR(-ENOMEM);
	err = rg_port_put_attrs(msg, port, genl_info_net(info));
	if (err) {
		nlmsg_free(msg);
		return ERR_PTR(err);
	}
	return msg;
}

/**
 * rg_port_get_doit - port-get
 * @skb: the request
 * @info: the request
 *
 * Return: 0 or a negative errno.
 */
int rg_port_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct rg_port *port = rg_port_named(info);
	struct sk_buff *msg;
	void *hdr;

	if (IS_ERR(port))
		return PTR_ERR(port);
	msg = rg_port_reply(info, port, &hdr);
	rg_port_put(port);
	if (IS_ERR(msg))
		return PTR_ERR(msg);
	return rg_reply_end(msg, hdr, 0, info);
}

/**
 * rg_port_apply_doit - port-apply
 * @skb: the request
 * @info: the request
 *
 * Return: 0 or a negative errno.
 */
int rg_port_apply_doit(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *attr = info->attrs[ROCEGUARD_A_PORT_NOW];
	struct rg_port *port = rg_port_named(info);
	char name[IFNAMSIZ];
	struct sk_buff *msg;
	bool now = attr && nla_get_u32(attr);
	void *hdr;
	u32 ticket;

	if (IS_ERR(port))
		return PTR_ERR(port);
	msg = rg_port_reply(info, port, &hdr);
	if (IS_ERR(msg)) {
		rg_port_put(port);
		return PTR_ERR(msg);
	}
	rg_history_request(rg_policy_generation(), "port apply %s%s",
			   rg_port_name(port, name), now ? " --now" : "");
	ticket = rg_port_apply(port, now);
	rg_port_put(port);
	return rg_reply_end(msg, hdr,
			    nla_put_u32(msg, ROCEGUARD_A_PORT_TICKET, ticket),
			    info);
}

/* Would what is put back be written again? */
static int rg_port_is_held(struct rg_port *port, struct netlink_ext_ack *extack)
{
	char name[ROCEGUARD_NAME_MAX + 1];
	struct rg_policy *policy;
	unsigned long flags;
	bool held;

	if (rg_mode_frozen()) {
		NL_SET_ERR_MSG(extack,
			       "the host is frozen, nothing is written; thaw it first");
		return -EBUSY;
	}
	if (rg_mode() == ROCEGUARD_MODE_OFF) {
		NL_SET_ERR_MSG(extack,
			       "the mode of this host is off, nothing is written; let it observe first");
		return -EBUSY;
	}
	spin_lock_irqsave(&port->lock, flags);
	strscpy(name, port->status.policy, sizeof(name));
	spin_unlock_irqrestore(&port->lock, flags);
	policy = rg_policy_get(name);
	held = policy && rg_mode() == ROCEGUARD_MODE_ENFORCE &&
	       !policy->spec.observe && !policy->want.follow &&
	       rg_policy_rolled_out(&policy->spec);
	rg_policy_put(policy);
	if (!held)
		return 0;
	NL_SET_ERR_MSG(extack,
		       "a policy holds this port; delete that with restore, or let it observe");
	return -EBUSY;
}

/**
 * rg_port_restore_doit - port-restore
 * @skb: the request
 * @info: the request
 *
 * Return: 0 or a negative errno.
 */
int rg_port_restore_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct rg_port *port = rg_port_named(info);
	char name[IFNAMSIZ];
	struct sk_buff *msg;
	void *hdr;
	u32 ticket;
	int err;

	if (IS_ERR(port))
		return PTR_ERR(port);
	err = rg_port_is_held(port, info->extack);
	if (err)
		goto out;
	msg = rg_port_reply(info, port, &hdr);
	if (IS_ERR(msg)) {
		err = PTR_ERR(msg);
		goto out;
	}
	rg_history_request(rg_policy_generation(), "port restore %s",
			   rg_port_name(port, name));
	ticket = rg_port_restore(port);
	err = rg_reply_end(msg, hdr,
			   nla_put_u32(msg, ROCEGUARD_A_PORT_TICKET, ticket),
			   info);
out:
	rg_port_put(port);
	return err;
}

static int rg_port_dump(struct sk_buff *skb, struct netlink_callback *cb,
			struct rg_port *port, u8 cmd, rg_port_put_fn put)
{
	void *hdr;
	int err;

	hdr = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			  &rg_family, NLM_F_MULTI, cmd);
	if (!hdr)
		return -EMSGSIZE;
	genl_dump_check_consistent(cb, hdr);
	err = put(skb, port, sock_net(skb->sk));
	if (err) {
		genlmsg_cancel(skb, hdr);
		return err;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

/**
 * rg_ports_dump - a message about each port that is seen from here
 * @skb: to be filled
 * @cb: cb->args[0]: id of the last port that was told
 * @cmd: enum roceguard_cmd of the messages
 * @put: their attributes
 *
 * Return: bytes filled in, or a negative errno.
 */
int rg_ports_dump(struct sk_buff *skb, struct netlink_callback *cb, u8 cmd,
		  rg_port_put_fn put)
{
	const struct net *net = sock_net(skb->sk);
	struct rg_port *port;
	int err = 0;

	cb->seq = rg_ports_seq() + 1;
	while ((port = rg_port_get_after(cb->args[0], net))) {
		err = rg_port_dump(skb, cb, port, cmd, put);
		if (!err)
			cb->args[0] = port->id;
		rg_port_put(port);
		if (err)
			break;
	}
	return skb->len ?: err;
}

/**
 * rg_port_get_start - before port-get, dump
 * @cb: gets messages that any port fits in
 *
 * Return: 0.
 */
int rg_port_get_start(struct netlink_callback *cb)
{
	cb->min_dump_alloc = RG_PORT_MSG;
	return 0;
}

/**
 * rg_port_get_dumpit - port-get
 * @skb: to be filled
 * @cb: cb->args[0]: id of the last port that was told
 *
 * Return: bytes filled in, or a negative errno.
 */
int rg_port_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return rg_ports_dump(skb, cb, ROCEGUARD_CMD_PORT_GET, rg_port_put_attrs);
}

static struct sk_buff *rg_port_ntf_msg(struct rg_port *port, struct net *net,
				       const struct rg_entry *entry)
{
	struct nlattr *nest;
	struct sk_buff *msg;
	void *hdr;

	msg = genlmsg_new(RG_PORT_MSG, GFP_KERNEL);
	if (!msg)
		return NULL;
	hdr = genlmsg_put(msg, 0, 0, &rg_family, 0, ROCEGUARD_CMD_PORT_NTF);
	if (!hdr || rg_port_put_attrs(msg, port, net))
		goto err_free;
	if (entry) {
		nest = nla_nest_start(msg, ROCEGUARD_A_PORT_EVENT);
		if (!nest || rg_entry_put(msg, entry))
			goto err_free;
		nla_nest_end(msg, nest);
	}
	genlmsg_end(msg, hdr);
	return msg;

err_free:
	nlmsg_free(msg);
	return NULL;
}

static void rg_port_ntf_to(struct rg_port *port, struct net *net,
			   const struct rg_entry *entry)
{
	struct sk_buff *msg;

	if (!rg_family_heard(net, RG_MCGRP_PORT))
		return;
	msg = rg_port_ntf_msg(port, net, entry);
	if (!msg)
		return;
	genlmsg_multicast_netns(&rg_family, net, msg, 0, RG_MCGRP_PORT,
				GFP_KERNEL);
}

/**
 * rg_netlink_port_ntf - tell the listeners of a port's netns and of the host
 * @port: as it was when its last pass ended
 * @net: its netns, held by rtnl
 * @entry: what has just happened to it, or NULL: that pass ended
 */
void rg_netlink_port_ntf(struct rg_port *port, struct net *net,
			 const struct rg_entry *entry)
{
	rg_port_ntf_to(port, net, entry);
	if (!net_eq(net, &init_net))
		rg_port_ntf_to(port, &init_net, entry);
}
