// SPDX-License-Identifier: GPL-2.0
/* history-get. */
#include <linux/slab.h>
#include <net/net_namespace.h>
#include <net/sock.h>
#include "family.h"

const struct nla_policy rg_entry_key[ROCEGUARD_A_ENTRY_SEQ + 1] = {
	[ROCEGUARD_A_ENTRY_SEQ] = { .type = NLA_U64 },
};

static int rg_request_put(struct sk_buff *skb, const struct rg_entry *entry)
{
	if (nla_put_string(skb, ROCEGUARD_A_ENTRY_REQUEST, entry->request) ||
	    nla_put_u32(skb, ROCEGUARD_A_ENTRY_UID, entry->uid) ||
	    nla_put_u32(skb, ROCEGUARD_A_ENTRY_PID, entry->pid) ||
	    nla_put_string(skb, ROCEGUARD_A_ENTRY_COMM, entry->comm))
		return -EMSGSIZE;
	return 0;
}

static int rg_storm_put(struct sk_buff *skb, const struct rg_entry *entry)
{
	if (nla_put_u32(skb, ROCEGUARD_A_ENTRY_IFINDEX, entry->ifindex) ||
	    nla_put_string(skb, ROCEGUARD_A_ENTRY_IFNAME, entry->ifname) ||
	    nla_put_u32(skb, ROCEGUARD_A_ENTRY_KNOB, entry->knob) ||
	    nla_put_string(skb, ROCEGUARD_A_ENTRY_REQUEST, entry->request) ||
	    nla_put_string(skb, ROCEGUARD_A_ENTRY_POLICY, entry->policy))
		return -EMSGSIZE;
	return 0;
}

static int rg_deed_put(struct sk_buff *skb, const struct rg_entry *entry)
{
	if (nla_put_u32(skb, ROCEGUARD_A_ENTRY_IFINDEX, entry->ifindex) ||
	    nla_put_string(skb, ROCEGUARD_A_ENTRY_IFNAME, entry->ifname) ||
	    nla_put_u32(skb, ROCEGUARD_A_ENTRY_KNOB, entry->knob) ||
	    nla_put_u32(skb, ROCEGUARD_A_ENTRY_VERDICT, entry->verdict) ||
	    nla_put_string(skb, ROCEGUARD_A_ENTRY_FROM, entry->from) ||
	    nla_put_string(skb, ROCEGUARD_A_ENTRY_TO, entry->to) ||
	    nla_put_u32(skb, ROCEGUARD_A_ENTRY_LINK_DROP, entry->link_drop) ||
	    nla_put_u32(skb, ROCEGUARD_A_ENTRY_ERRNO, entry->err) ||
	    nla_put_string(skb, ROCEGUARD_A_ENTRY_POLICY, entry->policy))
		return -EMSGSIZE;
	/* Only what was written took time. */
	if (entry->duration_us &&
	    nla_put_u32(skb, ROCEGUARD_A_ENTRY_DURATION_US, entry->duration_us))
		return -EMSGSIZE;
	return 0;
}

/**
 * rg_entry_put - fill in a history entry
 * @skb: the message, in the nest or at the top
 * @entry: the entry
 *
 * Return: 0 or -EMSGSIZE.
 */
int rg_entry_put(struct sk_buff *skb, const struct rg_entry *entry)
{
	if (nla_put_u64_64bit(skb, ROCEGUARD_A_ENTRY_SEQ, entry->seq,
			      ROCEGUARD_A_ENTRY_PAD) ||
	    nla_put_u64_64bit(skb, ROCEGUARD_A_ENTRY_TIME, entry->time,
			      ROCEGUARD_A_ENTRY_PAD) ||
	    nla_put_u32(skb, ROCEGUARD_A_ENTRY_ACTION, entry->action) ||
	    nla_put_u32(skb, ROCEGUARD_A_ENTRY_TRIGGER, entry->trigger) ||
	    nla_put_u32(skb, ROCEGUARD_A_ENTRY_GENERATION, entry->generation))
		return -EMSGSIZE;
	switch (entry->action) {
	case ROCEGUARD_ACTION_REQUEST:
		return rg_request_put(skb, entry);
	case ROCEGUARD_ACTION_STORM:
		return rg_storm_put(skb, entry);
	default:
		return rg_deed_put(skb, entry);
	}
}

/* What was done to the ports of others is not a container's business. */
static bool rg_entry_visible(const struct rg_entry *entry,
			     const struct net *net)
{
	return net_eq(net, &init_net) || entry->netns == rg_history_netns(net);
}

static int rg_entry_dump(struct sk_buff *skb, struct netlink_callback *cb,
			 const struct rg_entry *entry)
{
	void *hdr;

	hdr = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			  &rg_family, NLM_F_MULTI, ROCEGUARD_CMD_HISTORY_GET);
	if (!hdr)
		return -EMSGSIZE;
	if (rg_entry_put(skb, entry)) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

/**
 * rg_history_get_dumpit - history-get
 * @skb: to be filled
 * @cb: cb->args[0]: the next sequence number
 *
 * Return: bytes filled in, or a negative errno.
 */
int rg_history_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct nlattr *from = rg_dump_attrs(cb)[ROCEGUARD_A_ENTRY_SEQ];
	struct net *net = sock_net(skb->sk);
	struct rg_entry *entry;
	u64 seq = cb->args[0];

	if (!seq)
		seq = from ? nla_get_u64(from) : 1;
	entry = kmalloc(sizeof(*entry), GFP_KERNEL);
	if (!entry)
		return -ENOMEM;
	while (rg_history_get(seq, entry)) {
		if (rg_entry_visible(entry, net) &&
		    rg_entry_dump(skb, cb, entry))
			break;
		seq = entry->seq + 1;
	}
	cb->args[0] = seq;
	kfree(entry);
	return skb->len;
}
