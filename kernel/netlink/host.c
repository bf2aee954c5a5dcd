// SPDX-License-Identifier: GPL-2.0
/* mode-get, mode-set, mode-ntf: the host as a whole. */
#include "../companions.h"
#include "../freeze.h"
#include "../mode.h"
#include "../policy.h"
#include "../rdma_link.h"
#include "family.h"

/* Before 6.1 a command without a policy took anything. */
const struct nla_policy rg_no_attrs[ROCEGUARD_A_HOST_MODE + 1] = {
	[ROCEGUARD_A_HOST_MODE] = { .type = NLA_REJECT,
				    .reject_message = "mode-get takes nothing" },
};

#define RG_READ_ONLY	{ .type = NLA_REJECT, \
			  .reject_message = "read-only; leave it out" }

/* Not const, for the pointer of a policy of Linux 6.1 is none to const. */
static struct netlink_range_validation rg_freeze_times = {
	.min = 1,
	.max = ROCEGUARD_FREEZE_MAX,
};

const struct nla_policy rg_host_attrs[ROCEGUARD_A_HOST_FREEZE_FOR + 1] = {
	[ROCEGUARD_A_HOST_MODE]		= NLA_POLICY_MAX(NLA_U32,
							 ROCEGUARD_MODE_OFF),
	[ROCEGUARD_A_HOST_FROZEN]	= NLA_POLICY_MAX(NLA_U32, 1),
	[ROCEGUARD_A_HOST_GENERATION]	= RG_READ_ONLY,
	[ROCEGUARD_A_HOST_POLICIES]	= RG_READ_ONLY,
	[ROCEGUARD_A_HOST_PORTS]	= RG_READ_ONLY,
	[ROCEGUARD_A_HOST_VERSION]	= RG_READ_ONLY,
	[ROCEGUARD_A_HOST_RDMA]		= RG_READ_ONLY,
	[ROCEGUARD_A_HOST_RDMA_REASON]	= RG_READ_ONLY,
	[ROCEGUARD_A_HOST_FREEZE_FOR]	= NLA_POLICY_FULL_RANGE(NLA_U32,
							&rg_freeze_times),
};

static int rg_host_put(struct sk_buff *skb, const struct net *net)
{
	bool rdma = rg_rdma_loaded();
	u32 left = rg_freeze_left();

	if (nla_put_u32(skb, ROCEGUARD_A_HOST_MODE, rg_mode()) ||
	    nla_put_u32(skb, ROCEGUARD_A_HOST_FROZEN, rg_mode_frozen()) ||
	    nla_put_u32(skb, ROCEGUARD_A_HOST_GENERATION,
			rg_policy_generation()) ||
	    nla_put_u32(skb, ROCEGUARD_A_HOST_POLICIES, rg_policy_count()) ||
	    nla_put_u32(skb, ROCEGUARD_A_HOST_PORTS, rg_ports_count(net)) ||
	    nla_put_string(skb, ROCEGUARD_A_HOST_VERSION, RG_VERSION) ||
	    nla_put_u32(skb, ROCEGUARD_A_HOST_RDMA, rdma))
		return -EMSGSIZE;
	if (left && nla_put_u32(skb, ROCEGUARD_A_HOST_FREEZE_LEFT, left))
		return -EMSGSIZE;
	if (!rdma && nla_put_string(skb, ROCEGUARD_A_HOST_RDMA_REASON,
				    rg_companions_rdma_reason()))
		return -EMSGSIZE;
	return 0;
}

/**
 * rg_mode_get_doit - mode-get
 * @skb: the request
 * @info: the request
 *
 * Return: 0 or a negative errno.
 */
int rg_mode_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct sk_buff *msg;
	void *hdr;

	msg = rg_reply_begin(info, GENLMSG_DEFAULT_SIZE, &hdr);
	if (!msg)
		return -ENOMEM;
	return rg_reply_end(msg, hdr, rg_host_put(msg, genl_info_net(info)),
			    info);
}

/**
 * rg_netlink_mode_ntf - tell that the mode of the host has changed
 */
void rg_netlink_mode_ntf(void)
{
	struct sk_buff *msg;
	void *hdr;

	if (!rg_family_heard(&init_net, RG_MCGRP_POLICY))
		return;
	msg = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!msg)
		return;
	hdr = genlmsg_put(msg, 0, 0, &rg_family, 0, ROCEGUARD_CMD_MODE_NTF);
	if (!hdr || rg_host_put(msg, &init_net)) {
		nlmsg_free(msg);
		return;
	}
	genlmsg_end(msg, hdr);
	genlmsg_multicast_netns(&rg_family, &init_net, msg, 0, RG_MCGRP_POLICY,
				GFP_KERNEL);
}

static void rg_mode_apply(struct genl_info *info)
{
	const struct nlattr *mode = info->attrs[ROCEGUARD_A_HOST_MODE];
	const struct nlattr *frozen = info->attrs[ROCEGUARD_A_HOST_FROZEN];
	const struct nlattr *time = info->attrs[ROCEGUARD_A_HOST_FREEZE_FOR];
	u32 seconds = time ? nla_get_u32(time) : 0;
	static const char *const modes[] = { "enforce", "observe", "off" };
	u32 generation;

	if (mode)
		rg_mode_set(nla_get_u32(mode));
	if (frozen && nla_get_u32(frozen))
		rg_freeze(seconds);
	else if (frozen)
		rg_thaw();
	generation = rg_policy_touch();
	if (mode)
		rg_history_request(generation, "mode %s",
				   modes[nla_get_u32(mode)]);
	if (frozen && seconds)
		rg_history_request(generation, "freeze for %u s", seconds);
	else if (frozen)
		rg_history_request(generation, "%s", nla_get_u32(frozen) ?
						     "freeze" : "thaw");
	rg_netlink_mode_ntf();
	rg_ports_kick(ROCEGUARD_TRIGGER_POLICY);
}

/**
 * rg_mode_set_doit - mode-set
 * @skb: the request
 * @info: the request
 *
 * Return: 0 or a negative errno.
 */
int rg_mode_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *frozen = info->attrs[ROCEGUARD_A_HOST_FROZEN];
	struct sk_buff *msg;
	void *hdr;

	if (!rg_from_init_net(info))
		return -EPERM;
	if (!info->attrs[ROCEGUARD_A_HOST_MODE] && !frozen) {
		NL_SET_ERR_MSG(info->extack, "give a mode, frozen, or both");
		return -EINVAL;
	}
	if (info->attrs[ROCEGUARD_A_HOST_FREEZE_FOR] &&
	    (!frozen || !nla_get_u32(frozen))) {
		NL_SET_ERR_MSG_ATTR(info->extack,
				    info->attrs[ROCEGUARD_A_HOST_FREEZE_FOR],
				    "freeze-for goes with frozen 1");
		return -EINVAL;
	}
	msg = rg_reply_begin(info, GENLMSG_DEFAULT_SIZE, &hdr);
	if (!msg)
		return -ENOMEM;
	rg_mode_apply(info);
	return rg_reply_end(msg, hdr, rg_host_put(msg, genl_info_net(info)),
			    info);
}
