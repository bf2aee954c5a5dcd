// SPDX-License-Identifier: GPL-2.0
/* counters-history-get and incident-report: the flight recorder. */
#include <linux/ktime.h>
#include <linux/slab.h>
#include <net/net_namespace.h>
#include <net/sock.h>
#include "../counters/flight.h"
#include "family.h"

const struct nla_policy rg_sample_key[ROCEGUARD_A_SAMPLE_CLEAR + 1] = {
	[ROCEGUARD_A_SAMPLE_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[ROCEGUARD_A_SAMPLE_IFNAME]  = { .type = NLA_NUL_STRING,
					 .len  = IFNAMSIZ - 1 },
	[ROCEGUARD_A_SAMPLE_CLEAR]   = NLA_POLICY_MAX(NLA_U32, 1),
};

const struct nla_policy rg_incident_attrs[ROCEGUARD_A_SAMPLE_CAUSE + 1] = {
	[ROCEGUARD_A_SAMPLE_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[ROCEGUARD_A_SAMPLE_IFNAME]  = { .type = NLA_NUL_STRING,
					 .len  = IFNAMSIZ - 1 },
	[ROCEGUARD_A_SAMPLE_CAUSE]   = NLA_POLICY_MAX(NLA_U32,
						      ROCEGUARD_INCIDENT_RECONNECT),
};

/**
 * struct rg_history_cursor - how far a dump has come, in the callback's context
 * @only: id of the one port that was asked for, 0: all
 * @port: id of the port being told
 * @live: what was kept of it has been told
 * @clear: what is kept goes when it has been told
 * @at_ms: when the last second that was told ended
 */
struct rg_history_cursor {
	u32 only;
	u32 port;
	bool live;
	bool clear;
	u64 at_ms;
};

static struct rg_history_cursor *rg_cursor(struct netlink_callback *cb)
{
	BUILD_BUG_ON(sizeof(struct rg_history_cursor) > sizeof(cb->ctx));
	return (struct rg_history_cursor *)cb->ctx;
}

/* Recorded by the clock that nobody sets. */
static u64 rg_epoch_ms(u64 at_ms)
{
	return ktime_to_ms(ktime_get_real()) -
	       (div_u64(ktime_get_ns(), NSEC_PER_MSEC) - at_ms);
}

static int rg_second_id_put(struct sk_buff *skb, struct rg_port *port,
			    const struct net *net)
{
	char name[IFNAMSIZ];

	if (nla_put_u32(skb, ROCEGUARD_A_SAMPLE_ID, port->id) ||
	    nla_put_u32(skb, ROCEGUARD_A_SAMPLE_IFINDEX, port->ifindex) ||
	    nla_put_string(skb, ROCEGUARD_A_SAMPLE_IFNAME,
			   rg_port_name(port, name)))
		return -EMSGSIZE;
	if (!net_eq(net, port->net) &&
	    nla_put_s32(skb, ROCEGUARD_A_SAMPLE_NETNSID, port->nsid))
		return -EMSGSIZE;
	return 0;
}

static int rg_grown_put(struct sk_buff *skb, const struct rg_recorded *second)
{
	struct nlattr *nest;
	u32 id;

	for (id = 0; id < RG_COUNTERS; id++) {
		if (!rg_marks_any(&second->moved, id))
			continue;
		nest = nla_nest_start(skb, ROCEGUARD_A_SAMPLE_COUNTER);
		if (!nest ||
		    rg_counter_put(skb, id, &second->moved, &second->grown))
			return -EMSGSIZE;
		nla_nest_end(skb, nest);
	}
	return 0;
}

static int rg_second_put(struct sk_buff *skb, struct netlink_callback *cb,
			 struct rg_port *port, const struct rg_recorded *second,
			 enum roceguard_incident cause)
{
	void *hdr;

	hdr = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			  &rg_family, NLM_F_MULTI,
			  ROCEGUARD_CMD_COUNTERS_HISTORY_GET);
	if (!hdr)
		return -EMSGSIZE;
	if (rg_second_id_put(skb, port, sock_net(skb->sk)) ||
	    nla_put_u64_64bit(skb, ROCEGUARD_A_SAMPLE_AT,
			      rg_epoch_ms(second->at_ms), ROCEGUARD_A_SAMPLE_PAD) ||
	    nla_put_u32(skb, ROCEGUARD_A_SAMPLE_FROZEN,
			cause != ROCEGUARD_INCIDENT_NONE) ||
	    nla_put_u32(skb, ROCEGUARD_A_SAMPLE_CAUSE, cause) ||
	    rg_grown_put(skb, second)) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

static int rg_recorder_dump(struct sk_buff *skb, struct netlink_callback *cb,
			    struct rg_port *port,
			    const struct rg_recorder *recorder,
			    enum roceguard_incident cause)
{
	struct rg_history_cursor *cursor = rg_cursor(cb);
	struct rg_playback playback;
	struct rg_recorded *second;
	int err = 0;

	second = kmalloc(sizeof(*second), GFP_KERNEL);
	if (!second)
		return -ENOMEM;
	rg_playback_start(&playback, recorder);
	while (!err && rg_playback_next(&playback, recorder, second)) {
		if (second->at_ms <= cursor->at_ms)
			continue;
		err = rg_second_put(skb, cb, port, second, cause);
		if (!err)
			cursor->at_ms = second->at_ms;
	}
	kfree(second);
	return err;
}

static int rg_flight_dump(struct sk_buff *skb, struct netlink_callback *cb,
			  struct rg_port *port)
{
	struct rg_history_cursor *cursor = rg_cursor(cb);
	const struct rg_recorder *kept;
	struct rg_flight_copy *copy;
	int err = 0;

	copy = kzalloc(sizeof(*copy), GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	rg_flight_get(port, copy);
	kept = &copy->kept.recorder;
	if (!cursor->live) {
		err = rg_recorder_dump(skb, cb, port, kept, copy->cause);
		if (!err && cursor->clear && kept->n)
			rg_flight_clear(port, kept->end_ms);
		if (!err) {
			cursor->live = true;
			cursor->at_ms = 0;
		}
	}
	if (!err)
		err = rg_recorder_dump(skb, cb, port, &copy->live.recorder,
				       ROCEGUARD_INCIDENT_NONE);
	kfree(copy);
	return err;
}

static struct rg_port *rg_history_port(const struct rg_history_cursor *cursor,
				       const struct net *net)
{
	if (!cursor->only)
		return rg_port_get_after(cursor->port, net);
	return cursor->port < cursor->only ? rg_port_by_id(cursor->only) : NULL;
}

/**
 * rg_counters_history_start - before counters-history-get
 * @cb: its request names the port, and whether what is kept is to go
 *
 * Return: 0 or a negative errno; extack has the words.
 */
int rg_counters_history_start(struct netlink_callback *cb)
{
	struct nlattr **attrs = rg_dump_attrs(cb);
	const struct nlattr *ifindex = attrs[ROCEGUARD_A_SAMPLE_IFINDEX];
	const struct nlattr *ifname = attrs[ROCEGUARD_A_SAMPLE_IFNAME];
	const struct nlattr *clear = attrs[ROCEGUARD_A_SAMPLE_CLEAR];
	struct rg_history_cursor *cursor = rg_cursor(cb);
	struct rg_port *port;

	memset(cursor, 0, sizeof(*cursor));
	cursor->clear = clear && nla_get_u32(clear);
	if (cursor->clear && !netlink_capable(cb->skb, CAP_NET_ADMIN)) {
		NL_SET_ERR_MSG_ATTR(cb->extack, clear,
				    "only root (CAP_NET_ADMIN) may clear what is kept");
		return -EPERM;
	}
	cb->min_dump_alloc = RG_ALL_COUNTERS_MSG;
	if (!ifindex && !ifname)
		return 0;
	port = rg_port_asked(sock_net(cb->skb->sk), ifindex, ifname, cb->extack);
	if (IS_ERR(port))
		return PTR_ERR(port);
	cursor->only = port->id;
	rg_port_put(port);
	return 0;
}

/**
 * rg_counters_history_dumpit - counters-history-get
 * @skb: to be filled
 * @cb: has the cursor
 *
 * Return: bytes filled in, or a negative errno.
 */
int rg_counters_history_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct rg_history_cursor *cursor = rg_cursor(cb);
	struct rg_port *port;
	int err = 0;

	while ((port = rg_history_port(cursor, sock_net(skb->sk)))) {
		err = rg_flight_dump(skb, cb, port);
		if (!err) {
			cursor->port = port->id;
			cursor->live = false;
			cursor->at_ms = 0;
		}
		rg_port_put(port);
		if (err)
			break;
	}
	return skb->len ?: err;
}

/**
 * rg_incident_report_doit - incident-report
 * @skb: the request
 * @info: the request
 *
 * Return: 0 or a negative errno.
 */
int rg_incident_report_doit(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *cause = info->attrs[ROCEGUARD_A_SAMPLE_CAUSE];
	struct rg_port *port;
	struct sk_buff *msg;
	void *hdr;
	int err;

	if (!cause || nla_get_u32(cause) != ROCEGUARD_INCIDENT_RECONNECT) {
		NL_SET_ERR_MSG_ATTR(info->extack, cause,
				    "reconnect is the cause that is reported; the kernel sees the others itself");
		return -EINVAL;
	}
	port = rg_port_asked(genl_info_net(info),
			     info->attrs[ROCEGUARD_A_SAMPLE_IFINDEX],
			     info->attrs[ROCEGUARD_A_SAMPLE_IFNAME],
			     info->extack);
	if (IS_ERR(port))
		return PTR_ERR(port);
	msg = rg_reply_begin(info, NLMSG_DEFAULT_SIZE, &hdr);
	if (!msg) {
		rg_port_put(port);
		return -ENOMEM;
	}
	err = rg_second_id_put(msg, port, genl_info_net(info)) ?:
	      nla_put_u32(msg, ROCEGUARD_A_SAMPLE_FROZEN,
			  rg_flight_keep(port, ROCEGUARD_INCIDENT_RECONNECT));
	rg_port_put(port);
	return rg_reply_end(msg, hdr, err, info);
}
