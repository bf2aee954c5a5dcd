// SPDX-License-Identifier: GPL-2.0
/* counters-get: the snapshot, whoever asks and how often. */
#include <linux/ktime.h>
#include <linux/slab.h>
#include <net/net_namespace.h>
#include <net/sock.h>
#include "../counters/counters.h"
#include "../counters/watchdog.h"
#include "../rdma_link.h"
#include "family.h"

const struct nla_policy rg_counters_key[ROCEGUARD_A_COUNTERS_FRESH + 1] = {
	[ROCEGUARD_A_COUNTERS_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[ROCEGUARD_A_COUNTERS_IFNAME]  = { .type = NLA_NUL_STRING,
					   .len	 = IFNAMSIZ - 1 },
	[ROCEGUARD_A_COUNTERS_FRESH]   = NLA_POLICY_MAX(NLA_U32, 1),
};

/* And a storm each way on every priority. */
#define RG_STORM_MSG	(nla_total_size(0) + 4 * nla_total_size(sizeof(u32)))
#define RG_COUNTERS_MSG	(RG_ALL_COUNTERS_MSG + 2 * RG_PRIORITIES * RG_STORM_MSG)

/* Sources are read one after the other; so much later is not older. */
#define RG_AGE_MS	500

static u32 rg_ms_since(u64 now, u64 then)
{
	return min_t(u64, div_u64(now > then ? now - then : 0, NSEC_PER_MSEC),
		     U32_MAX);
}

/* What is out of the mask is 0, not what it was when it was there. */
static int rg_values_put(struct sk_buff *skb, u8 mask, const u64 *values)
{
	u64 value[RG_PRIORITIES] = {};
	int prio;

	for (prio = 0; prio < RG_PRIORITIES; prio++)
		if (mask & BIT(prio))
			value[prio] = values[prio];
	if (nla_put_u32(skb, ROCEGUARD_A_COUNTER_PRIORITIES, mask) ||
	    nla_put(skb, ROCEGUARD_A_COUNTER_VALUES, sizeof(value), value))
		return -EMSGSIZE;
	return 0;
}

/**
 * rg_counter_put - a counter
 * @skb: the message, in a nest of the set counter
 * @id: enum roceguard_counter
 * @have: which counters there are
 * @value: of those
 *
 * Return: 0 or -EMSGSIZE.
 */
int rg_counter_put(struct sk_buff *skb, u32 id, const struct rg_marks *have,
		   const struct rg_totals *value)
{
	if (nla_put_u32(skb, ROCEGUARD_A_COUNTER_ID, id))
		return -EMSGSIZE;
	if (rg_counter_per_priority(id))
		return rg_values_put(skb, have->prio[id], value->prio[id]);
	return nla_put_u64_64bit(skb, ROCEGUARD_A_COUNTER_VALUE,
				 value->port[id - RG_PRIORITY_COUNTERS],
				 ROCEGUARD_A_COUNTER_PAD);
}

/* Older than the sample as a whole: its source is slow, or was not due. */
static int rg_age_put(struct sk_buff *skb, const struct rg_sample *sample, u32 id)
{
	if (rg_ms_since(sample->at_ns, sample->read_ns[id]) < RG_AGE_MS)
		return 0;
	return nla_put_u32(skb, ROCEGUARD_A_COUNTER_AGE,
			   rg_ms_since(ktime_get_ns(), sample->read_ns[id]));
}

static int rg_sample_counter_put(struct sk_buff *skb,
				 const struct rg_sample *sample, u32 id)
{
	struct nlattr *nest = nla_nest_start(skb, ROCEGUARD_A_COUNTERS_COUNTER);

	if (!nest || rg_counter_put(skb, id, &sample->have, &sample->value) ||
	    rg_age_put(skb, sample, id))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int rg_sample_put(struct sk_buff *skb, const struct rg_sample *sample)
{
	u32 id;

	if (!sample->samples)
		return 0;
	if (nla_put_u32(skb, ROCEGUARD_A_COUNTERS_SAMPLED,
			rg_ms_since(ktime_get_ns(), sample->at_ns)) ||
	    nla_put_u64_64bit(skb, ROCEGUARD_A_COUNTERS_SAMPLES,
			      sample->samples, ROCEGUARD_A_COUNTERS_PAD) ||
	    nla_put_u32(skb, ROCEGUARD_A_COUNTERS_READ_US, sample->read_us))
		return -EMSGSIZE;
	for (id = 0; id < RG_COUNTERS; id++)
		if (rg_marks_any(&sample->have, id) &&
		    rg_sample_counter_put(skb, sample, id))
			return -EMSGSIZE;
	return 0;
}

/**
 * rg_counters_id_put - which port it is about
 * @skb: the message, with attributes of the set counters
 * @port: the port
 * @net: who asks, or is told
 *
 * Return: 0 or -EMSGSIZE.
 */
int rg_counters_id_put(struct sk_buff *skb, struct rg_port *port,
		       const struct net *net)
{
	char name[IFNAMSIZ];

	if (nla_put_u32(skb, ROCEGUARD_A_COUNTERS_ID, port->id) ||
	    nla_put_u32(skb, ROCEGUARD_A_COUNTERS_IFINDEX, port->ifindex) ||
	    nla_put_string(skb, ROCEGUARD_A_COUNTERS_IFNAME,
			   rg_port_name(port, name)))
		return -EMSGSIZE;
	if (!net_eq(net, port->net) &&
	    nla_put_s32(skb, ROCEGUARD_A_COUNTERS_NETNSID, port->nsid))
		return -EMSGSIZE;
	return 0;
}

static int rg_devices_put(struct sk_buff *skb, struct rg_port *port)
{
	char driver[RG_DRIVER_MAX], rdma[RG_RDMA_NAME_MAX];
	unsigned long flags;

	spin_lock_irqsave(&port->lock, flags);
	strscpy(driver, port->status.driver, sizeof(driver));
	strscpy(rdma, port->status.rdma_device, sizeof(rdma));
	spin_unlock_irqrestore(&port->lock, flags);
	if (driver[0] && nla_put_string(skb, ROCEGUARD_A_COUNTERS_DRIVER, driver))
		return -EMSGSIZE;
	if (rdma[0] && nla_put_string(skb, ROCEGUARD_A_COUNTERS_RDMA_DEVICE, rdma))
		return -EMSGSIZE;
	return 0;
}

static int rg_storm_put(struct sk_buff *skb, const struct rg_storm_now *storm)
{
	struct nlattr *nest = nla_nest_start(skb, ROCEGUARD_A_COUNTERS_STORM);

	if (!nest ||
	    nla_put_u32(skb, ROCEGUARD_A_STORM_PRIORITY, storm->priority) ||
	    nla_put_u32(skb, ROCEGUARD_A_STORM_DIRECTION, storm->direction) ||
	    nla_put_u32(skb, ROCEGUARD_A_STORM_ACTION, storm->action) ||
	    nla_put_u32(skb, ROCEGUARD_A_STORM_SINCE, storm->since_ms))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int rg_storms_put(struct sk_buff *skb, struct rg_port *port)
{
	struct rg_storm_now storm[RG_STORMS_MAX];
	unsigned int i, n = rg_watchdog_storms(port, storm);
	int err = 0;

	for (i = 0; !err && i < n; i++)
		err = rg_storm_put(skb, &storm[i]);
	return err;
}

static int rg_counters_put(struct sk_buff *skb, struct rg_port *port,
			   const struct net *net)
{
	struct rg_sample *sample;
	int err;

	sample = kzalloc(sizeof(*sample), GFP_KERNEL);
	if (!sample)
		return -ENOMEM;
	rg_counters_get(port, sample);
	err = rg_counters_id_put(skb, port, net);
	if (!err)
		err = rg_devices_put(skb, port);
	if (!err)
		err = rg_sample_put(skb, sample);
	if (!err)
		err = rg_storms_put(skb, port);
	kfree(sample);
	return err;
}

/**
 * rg_counters_get_doit - counters-get
 * @skb: the request
 * @info: the request
 *
 * Return: 0 or a negative errno.
 */
int rg_counters_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *fresh = info->attrs[ROCEGUARD_A_COUNTERS_FRESH];
	struct rg_port *port;
	struct sk_buff *msg;
	void *hdr;
	int err;

	port = rg_port_asked(genl_info_net(info),
			     info->attrs[ROCEGUARD_A_COUNTERS_IFINDEX],
			     info->attrs[ROCEGUARD_A_COUNTERS_IFNAME],
			     info->extack);
	if (IS_ERR(port))
		return PTR_ERR(port);
	msg = rg_reply_begin(info, RG_COUNTERS_MSG, &hdr);
	if (!msg) {
		rg_port_put(port);
		return -ENOMEM;
	}
	err = rg_counters_put(msg, port, genl_info_net(info));
	if (!err && fresh && nla_get_u32(fresh))
		rg_counters_fresh(port);
	rg_port_put(port);
	return rg_reply_end(msg, hdr, err, info);
}

/**
 * rg_counters_get_start - before counters-get, dump
 * @cb: gets messages that any port fits in
 *
 * Return: 0.
 */
int rg_counters_get_start(struct netlink_callback *cb)
{
	cb->min_dump_alloc = RG_COUNTERS_MSG;
	return 0;
}

/**
 * rg_counters_get_dumpit - counters-get
 * @skb: to be filled
 * @cb: cb->args[0]: id of the last port that was told
 *
 * Return: bytes filled in, or a negative errno.
 */
int rg_counters_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return rg_ports_dump(skb, cb, ROCEGUARD_CMD_COUNTERS_GET,
			     rg_counters_put);
}
