// SPDX-License-Identifier: GPL-2.0
/* The family: its commands, groups and what they share. */
#include <net/net_namespace.h>
#include "family.h"

static const struct genl_ops rg_ops[] = {
	{
		.cmd	 = ROCEGUARD_CMD_POLICY_GET,
		.doit	 = rg_policy_get_doit,
		.start	 = rg_policy_get_start,
		.dumpit	 = rg_policy_get_dumpit,
		.policy	 = rg_policy_key,
		.maxattr = ARRAY_SIZE(rg_policy_key) - 1,
	},
	{
		.cmd	 = ROCEGUARD_CMD_POLICY_SET,
		.doit	 = rg_policy_set_doit,
		.policy	 = rg_policy_attrs,
		.maxattr = ARRAY_SIZE(rg_policy_attrs) - 1,
		.flags	 = GENL_ADMIN_PERM,
	},
	{
		.cmd	 = ROCEGUARD_CMD_POLICY_DEL,
		.doit	 = rg_policy_del_doit,
		.policy	 = rg_policy_del_attrs,
		.maxattr = ARRAY_SIZE(rg_policy_del_attrs) - 1,
		.flags	 = GENL_ADMIN_PERM,
	},
	{
		.cmd	 = ROCEGUARD_CMD_POLICY_CONFIRM,
		.doit	 = rg_policy_confirm_doit,
		.policy	 = rg_policy_key,
		.maxattr = ARRAY_SIZE(rg_policy_key) - 1,
		.flags	 = GENL_ADMIN_PERM,
	},
	{
		.cmd	 = ROCEGUARD_CMD_PORT_GET,
		.doit	 = rg_port_get_doit,
		.start	 = rg_port_get_start,
		.dumpit	 = rg_port_get_dumpit,
		.policy	 = rg_port_key,
		.maxattr = ARRAY_SIZE(rg_port_key) - 1,
	},
	{
		.cmd	 = ROCEGUARD_CMD_PORT_APPLY,
		.doit	 = rg_port_apply_doit,
		.policy	 = rg_port_apply_attrs,
		.maxattr = ARRAY_SIZE(rg_port_apply_attrs) - 1,
		.flags	 = GENL_ADMIN_PERM,
	},
	{
		.cmd	 = ROCEGUARD_CMD_PORT_RESTORE,
		.doit	 = rg_port_restore_doit,
		.policy	 = rg_port_key,
		.maxattr = ARRAY_SIZE(rg_port_key) - 1,
		.flags	 = GENL_ADMIN_PERM,
	},
	{
		.cmd	 = ROCEGUARD_CMD_MODE_GET,
		.doit	 = rg_mode_get_doit,
		.policy	 = rg_no_attrs,
		.maxattr = ARRAY_SIZE(rg_no_attrs) - 1,
	},
	{
		.cmd	 = ROCEGUARD_CMD_MODE_SET,
		.doit	 = rg_mode_set_doit,
		.policy	 = rg_host_attrs,
		.maxattr = ARRAY_SIZE(rg_host_attrs) - 1,
		.flags	 = GENL_ADMIN_PERM,
	},
	{
		.cmd	 = ROCEGUARD_CMD_DELEGATE_REPORT,
		.doit	 = rg_delegate_report_doit,
		.policy	 = rg_report_attrs,
		.maxattr = ARRAY_SIZE(rg_report_attrs) - 1,
		.flags	 = GENL_ADMIN_PERM,
	},
	{
		.cmd	 = ROCEGUARD_CMD_COUNTERS_GET,
		.doit	 = rg_counters_get_doit,
		.start	 = rg_counters_get_start,
		.dumpit	 = rg_counters_get_dumpit,
		.policy	 = rg_counters_key,
		.maxattr = ARRAY_SIZE(rg_counters_key) - 1,
	},
	{
		.cmd	 = ROCEGUARD_CMD_COUNTERS_HISTORY_GET,
		.start	 = rg_counters_history_start,
		.dumpit	 = rg_counters_history_dumpit,
		.policy	 = rg_sample_key,
		.maxattr = ARRAY_SIZE(rg_sample_key) - 1,
	},
	{
		.cmd	 = ROCEGUARD_CMD_INCIDENT_REPORT,
		.doit	 = rg_incident_report_doit,
		.policy	 = rg_incident_attrs,
		.maxattr = ARRAY_SIZE(rg_incident_attrs) - 1,
		.flags	 = GENL_ADMIN_PERM,
	},
	{
		.cmd	 = ROCEGUARD_CMD_HISTORY_GET,
		.dumpit	 = rg_history_get_dumpit,
		.policy	 = rg_entry_key,
		.maxattr = ARRAY_SIZE(rg_entry_key) - 1,
	},
};

static const struct genl_multicast_group rg_mcgrps[] = {
	[RG_MCGRP_PORT]	  = { .name  = ROCEGUARD_MCGRP_PORT,
			      .flags = GENL_MCAST_CAP_NET_ADMIN },
	[RG_MCGRP_POLICY] = { .name  = ROCEGUARD_MCGRP_POLICY,
			      .flags = GENL_MCAST_CAP_NET_ADMIN },
	[RG_MCGRP_CONGESTION] = { .name	 = ROCEGUARD_MCGRP_CONGESTION,
				  .flags = GENL_MCAST_CAP_NET_ADMIN },
};

struct genl_family rg_family __ro_after_init = {
	.name	      = ROCEGUARD_FAMILY_NAME,
	.version      = ROCEGUARD_FAMILY_VERSION,
	.netnsok      = true,
	.parallel_ops = true,
	.module	      = THIS_MODULE,
	.ops	      = rg_ops,
	.n_ops	      = ARRAY_SIZE(rg_ops),
	.mcgrps	      = rg_mcgrps,
	.n_mcgrps     = ARRAY_SIZE(rg_mcgrps),
};

/* Ports pass before the family is there and after it has gone. */
static bool rg_family_up;

/**
 * rg_family_heard - does anybody listen?
 * @net: in which netns
 * @group: to which group
 *
 * Return: true if a message is worth making.
 */
bool rg_family_heard(struct net *net, enum rg_mcgrp group)
{
	return READ_ONCE(rg_family_up) &&
	       genl_has_listeners(&rg_family, net, group);
}

/**
 * rg_from_init_net - policies and the mode are the host's
 * @info: the request
 *
 * Return: true if it came from the initial netns; else extack has the words.
 */
bool rg_from_init_net(struct genl_info *info)
{
	if (net_eq(genl_info_net(info), &init_net))
		return true;
	NL_SET_ERR_MSG(info->extack,
		       "policies and the mode are set from the initial network namespace");
	return false;
}

/**
 * rg_reply_begin - a reply to a request, with the request's command
 * @info: the request
 * @size: what it must have room for, in bytes
 * @hdr: set to its header
 *
 * A request that changes something begins its reply first: once it is done, it
 * must not be refused for want of memory to say so.
 *
 * Return: the message, for rg_reply_end() or nlmsg_free(), or NULL.
 */
struct sk_buff *rg_reply_begin(struct genl_info *info, size_t size, void **hdr)
{
	struct sk_buff *msg = genlmsg_new(size, GFP_KERNEL);

	if (!msg)
		return NULL;
	*hdr = genlmsg_put_reply(msg, info, &rg_family, 0,
				 info->genlhdr->cmd);
	if (!*hdr) {
		nlmsg_free(msg);
		return NULL;
	}
	return msg;
}

/**
 * rg_reply_end - send a reply, or throw it away
 * @msg: from rg_reply_begin()
 * @hdr: its header
 * @err: what came of filling it
 * @info: the request
 *
 * Return: 0 or a negative errno.
 */
int rg_reply_end(struct sk_buff *msg, void *hdr, int err,
		 struct genl_info *info)
{
	if (err) {
		nlmsg_free(msg);
		NL_SET_ERR_MSG(info->extack, "the answer does not fit");
		return err;
	}
	genlmsg_end(msg, hdr);
	return genlmsg_reply(msg, info);
}

/**
 * rg_netlink_init - offer the family
 *
 * Return: 0 or a negative errno.
 */
int rg_netlink_init(void)
{
	int err = genl_register_family(&rg_family);

	WRITE_ONCE(rg_family_up, !err);
	return err;
}

/**
 * rg_netlink_exit - withdraw the family
 */
void rg_netlink_exit(void)
{
	WRITE_ONCE(rg_family_up, false);
	genl_unregister_family(&rg_family);
}
