// SPDX-License-Identifier: GPL-2.0
/* policy-get, policy-set, policy-del, policy-ntf. */
#include <net/net_namespace.h>
#include <net/sock.h>
#include "../confirm.h"
#include "netlink.h"
#include "policy_attrs.h"

/* A policy that uses every attribute to the full takes several KiB. */
#define RG_POLICY_MSG	(4 * NLMSG_DEFAULT_SIZE)

static int rg_policy_reply(struct genl_info *info,
			   const struct rg_policy *policy)
{
	struct sk_buff *msg;
	void *hdr;

	msg = rg_reply_begin(info, RG_POLICY_MSG, &hdr);
	if (!msg)
		return -ENOMEM;
	return rg_reply_end(msg, hdr, rg_policy_fill(msg, policy), info);
}

static void rg_policy_ntf(const struct rg_policy *policy)
{
	struct sk_buff *msg;
	void *hdr;

	if (!rg_family_heard(&init_net, RG_MCGRP_POLICY))
		return;
	msg = genlmsg_new(RG_POLICY_MSG, GFP_KERNEL);
	if (!msg)
		return;
	hdr = genlmsg_put(msg, 0, 0, &rg_family, 0, ROCEGUARD_CMD_POLICY_NTF);
	if (!hdr || rg_policy_fill(msg, policy)) {
		nlmsg_free(msg);
		return;
	}
	genlmsg_end(msg, hdr);
	genlmsg_multicast_netns(&rg_family, &init_net, msg, 0, RG_MCGRP_POLICY,
				GFP_KERNEL);
}

static int rg_policy_enact(struct genl_info *info, struct rg_policy *policy)
{
	struct sk_buff *msg;
	void *hdr;
	int err;

	msg = rg_reply_begin(info, RG_POLICY_MSG, &hdr);
	if (!msg)
		return -ENOMEM;
	err = rg_policy_set(policy);
	if (err) {
		nlmsg_free(msg);
		NL_SET_ERR_MSG(info->extack,
			       "there are 256 policies already; delete one");
		return err;
	}
	rg_history_request(policy->generation, "policy set %s%s",
			   policy->spec.name,
			   policy->confirm_by ? ", to be confirmed" : "");
	rg_policy_ntf(policy);
	if (policy->confirm_by)
		rg_confirm_arm();
	rg_ports_rescan();
	return rg_reply_end(msg, hdr, rg_policy_fill(msg, policy), info);
}

/**
 * rg_policy_set_doit - policy-set
 * @skb: the request
 * @info: the request
 *
 * Return: 0 or a negative errno.
 */
int rg_policy_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct rg_policy *policy;
	int err;

	if (!rg_from_init_net(info))
		return -EPERM;
	if (!info->attrs[ROCEGUARD_A_POLICY_NAME]) {
		NL_SET_ERR_MSG(info->extack, "a policy needs a name");
		return -EINVAL;
	}
	policy = rg_policy_alloc();
	if (!policy)
		return -ENOMEM;
	err = rg_policy_decode(info, policy);
	if (!err)
		err = rg_policy_enact(info, policy);
	rg_policy_put(policy);
	return err;
}

static const char *rg_policy_named(struct genl_info *info)
{
	const struct nlattr *name = info->attrs[ROCEGUARD_A_POLICY_NAME];

	if (name)
		return nla_data(name);
	NL_SET_ERR_MSG(info->extack, "name the policy");
	return NULL;
}

static int rg_no_policy(struct genl_info *info)
{
	NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[ROCEGUARD_A_POLICY_NAME],
			    "there is no policy of that name");
	return -ENOENT;
}

static int rg_gone_put(struct sk_buff *skb, const char *name, u32 generation)
{
	if (nla_put_string(skb, ROCEGUARD_A_POLICY_NAME, name) ||
	    nla_put_u32(skb, ROCEGUARD_A_POLICY_GENERATION, generation))
		return -EMSGSIZE;
	return 0;
}

static void rg_gone_ntf(const char *name, u32 generation)
{
	struct sk_buff *msg;
	void *hdr;

	if (!rg_family_heard(&init_net, RG_MCGRP_POLICY))
		return;
	msg = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!msg)
		return;
	hdr = genlmsg_put(msg, 0, 0, &rg_family, 0, ROCEGUARD_CMD_POLICY_NTF);
	if (!hdr || rg_gone_put(msg, name, generation)) {
		nlmsg_free(msg);
		return;
	}
	genlmsg_end(msg, hdr);
	genlmsg_multicast_netns(&rg_family, &init_net, msg, 0, RG_MCGRP_POLICY,
				GFP_KERNEL);
}

/**
 * rg_netlink_policy_ntf - tell of a policy that changed by itself
 * @name: which
 * @policy: what is in force under that name, or NULL
 * @generation: that it began
 */
void rg_netlink_policy_ntf(const char *name, const struct rg_policy *policy,
			   u32 generation)
{
	if (policy)
		rg_policy_ntf(policy);
	else
		rg_gone_ntf(name, generation);
}

/**
 * rg_policy_confirm_doit - policy-confirm
 * @skb: the request
 * @info: the request
 *
 * Return: 0 or a negative errno.
 */
int rg_policy_confirm_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct rg_policy *policy;
	struct sk_buff *msg;
	const char *name;
	void *hdr;
	int err;

	if (!rg_from_init_net(info))
		return -EPERM;
	name = rg_policy_named(info);
	if (!name)
		return -EINVAL;
	msg = rg_reply_begin(info, RG_POLICY_MSG, &hdr);
	if (!msg)
		return -ENOMEM;
	policy = rg_policy_confirm(name);
	if (!policy) {
		nlmsg_free(msg);
		return rg_no_policy(info);
	}
	rg_history_request(policy->generation, "policy confirm %s", name);
	rg_policy_ntf(policy);
	err = rg_reply_end(msg, hdr, rg_policy_fill(msg, policy), info);
	rg_policy_put(policy);
	return err;
}

/**
 * rg_policy_del_doit - policy-del
 * @skb: the request
 * @info: the request
 *
 * Ports keep what they have, and nobody watches it any more; or they get back
 * what they had.
 *
 * Return: 0 or a negative errno.
 */
int rg_policy_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *attr = info->attrs[ROCEGUARD_A_POLICY_RESTORE];
	bool restore = attr && nla_get_u32(attr);
	struct sk_buff *msg;
	const char *name;
	u32 generation;
	void *hdr;

	if (!rg_from_init_net(info))
		return -EPERM;
	name = rg_policy_named(info);
	if (!name)
		return -EINVAL;
	msg = rg_reply_begin(info, GENLMSG_DEFAULT_SIZE, &hdr);
	if (!msg)
		return -ENOMEM;
	if (rg_policy_del(name, restore, &generation)) {
		nlmsg_free(msg);
		return rg_no_policy(info);
	}
	rg_history_request(generation, "policy delete %s%s", name,
			   restore ? " --restore" : "");
	rg_gone_ntf(name, generation);
	if (restore)
		rg_ports_restore(name);
	rg_ports_rescan();
	return rg_reply_end(msg, hdr, rg_gone_put(msg, name, generation), info);
}

/**
 * rg_policy_get_doit - policy-get
 * @skb: the request
 * @info: the request
 *
 * Return: 0 or a negative errno.
 */
int rg_policy_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	const char *name = rg_policy_named(info);
	struct rg_policy *policy;
	int err;

	if (!name)
		return -EINVAL;
	policy = rg_policy_get(name);
	if (!policy)
		return rg_no_policy(info);
	err = rg_policy_reply(info, policy);
	rg_policy_put(policy);
	return err;
}

static int rg_policy_dump(struct sk_buff *skb, struct netlink_callback *cb,
			  const struct rg_policy *policy)
{
	void *hdr;

	hdr = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			  &rg_family, NLM_F_MULTI, ROCEGUARD_CMD_POLICY_GET);
	if (!hdr)
		return -EMSGSIZE;
	genl_dump_check_consistent(cb, hdr);
	if (rg_policy_fill(skb, policy)) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

/**
 * rg_policy_get_start - before policy-get, dump
 * @cb: of the dump
 *
 * The first message of a dump is as small as the core sees fit, and a policy
 * that does not fit would end the dump.
 *
 * Return: 0.
 */
int rg_policy_get_start(struct netlink_callback *cb)
{
	cb->min_dump_alloc = RG_POLICY_MSG;
	return 0;
}

/**
 * rg_policy_get_dumpit - policy-get
 * @skb: to be filled
 * @cb: cb->args[0]: how many were told; names may change, so the order is
 *	checked by generation
 *
 * Return: bytes filled in, or a negative errno.
 */
int rg_policy_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	char name[ROCEGUARD_NAME_MAX + 1] = "";
	struct rg_policy *policy;
	long told = 0;
	int err = 0;

	cb->seq = rg_policy_generation() + 1;
	while ((policy = rg_policy_get_after(name))) {
		strscpy(name, policy->spec.name, sizeof(name));
		if (told++ >= cb->args[0]) {
			err = rg_policy_dump(skb, cb, policy);
			if (!err)
				cb->args[0] = told;
		}
		rg_policy_put(policy);
		if (err)
			break;
	}
	return skb->len ?: err;
}
