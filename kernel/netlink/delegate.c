// SPDX-License-Identifier: GPL-2.0
/* delegate-report: the agent's word. */
#include <linux/ctype.h>
#include <linux/slab.h>
#include <net/net_namespace.h>
#include "../delegate.h"
#include "family.h"

#define RG_TEXT		{ .type = NLA_NUL_STRING, .len = ROCEGUARD_REPORT_TEXT_MAX }
#define RG_REASON	{ .type = NLA_NUL_STRING, .len = ROCEGUARD_REPORT_REASON_MAX }

const struct nla_policy rg_report_attrs[ROCEGUARD_A_REPORT_ALIVE + 1] = {
	[ROCEGUARD_A_REPORT_PORT]	= NLA_POLICY_MIN(NLA_U32, 1),
	[ROCEGUARD_A_REPORT_GENERATION]	= { .type = NLA_U32 },
	[ROCEGUARD_A_REPORT_KNOB]	= NLA_POLICY_MAX(NLA_U32, RG_KNOBS - 1),
	[ROCEGUARD_A_REPORT_VERDICT]	= NLA_POLICY_MAX(NLA_U32,
						ROCEGUARD_VERDICT_CONTESTED),
	[ROCEGUARD_A_REPORT_ERRNO]	= NLA_POLICY_RANGE(NLA_U32, 1, 4095),
	[ROCEGUARD_A_REPORT_FROM]	= RG_TEXT,
	[ROCEGUARD_A_REPORT_HAVE]	= RG_TEXT,
	[ROCEGUARD_A_REPORT_REASON]	= RG_REASON,
	[ROCEGUARD_A_REPORT_ALIVE]	= NLA_POLICY_RANGE(NLA_U32, 1, 1),
};

/* What the agent cannot know, or what says that it is not at work. */
static const u32 rg_verdicts_of_kernel = BIT(ROCEGUARD_VERDICT_UNMANAGED) |
					 BIT(ROCEGUARD_VERDICT_DEFERRED) |
					 BIT(ROCEGUARD_VERDICT_DELEGATED);

/* It ends up on terminals. */
static int rg_report_text(struct genl_info *info, int type, char *to,
			  size_t size)
{
	const struct nlattr *attr = info->attrs[type];
	const char *c;

	if (!attr)
		return 0;
	nla_strscpy(to, attr, size);
	for (c = to; *c; c++) {
		if (isascii(*c) && isprint(*c))
			continue;
		NL_SET_ERR_MSG_ATTR(info->extack, attr,
				    "not plain text; use printable ASCII");
		return -EINVAL;
	}
	return 0;
}

static int rg_report_complete(struct genl_info *info)
{
	static const int needed[] = {
		ROCEGUARD_A_REPORT_PORT, ROCEGUARD_A_REPORT_GENERATION,
		ROCEGUARD_A_REPORT_KNOB, ROCEGUARD_A_REPORT_VERDICT,
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(needed); i++) {
		if (info->attrs[needed[i]])
			continue;
		NL_SET_ERR_MSG(info->extack,
			       "a report needs port, generation, knob and verdict");
		return -EINVAL;
	}
	return 0;
}

static int rg_report_decode(struct genl_info *info, struct rg_report *report)
{
	const struct nlattr *err = info->attrs[ROCEGUARD_A_REPORT_ERRNO];
	const struct nlattr *verdict = info->attrs[ROCEGUARD_A_REPORT_VERDICT];

	report->generation =
		nla_get_u32(info->attrs[ROCEGUARD_A_REPORT_GENERATION]);
	report->knob = nla_get_u32(info->attrs[ROCEGUARD_A_REPORT_KNOB]);
	report->verdict = nla_get_u32(verdict);
	report->err = err ? nla_get_u32(err) : 0;
	if (rg_verdicts_of_kernel & BIT(report->verdict)) {
		NL_SET_ERR_MSG_ATTR(info->extack, verdict,
				    "the kernel says that itself");
		return -EINVAL;
	}
	return rg_report_text(info, ROCEGUARD_A_REPORT_FROM, report->from,
			      sizeof(report->from)) ?:
	       rg_report_text(info, ROCEGUARD_A_REPORT_HAVE, report->have,
			      sizeof(report->have)) ?:
	       rg_report_text(info, ROCEGUARD_A_REPORT_REASON, report->reason,
			      sizeof(report->reason));
}

static bool rg_report_is_sign_of_life(const struct genl_info *info)
{
	int type;

	if (!info->attrs[ROCEGUARD_A_REPORT_ALIVE])
		return false;
	for (type = 1; type <= ROCEGUARD_A_REPORT_REASON; type++)
		if (info->attrs[type])
			return false;
	return true;
}

static int rg_report_take_over(struct genl_info *info)
{
	struct rg_report *report;
	int err = rg_report_complete(info);

	if (err)
		return err;
	report = kzalloc(sizeof(*report), GFP_KERNEL);
	if (!report)
		return -ENOMEM;
	err = rg_report_decode(info, report);
	if (err) {
		kfree(report);
		return err;
	}
	return rg_delegate_report(nla_get_u32(info->attrs[ROCEGUARD_A_REPORT_PORT]),
				  report, info->extack);
}

/**
 * rg_delegate_report_doit - delegate-report
 * @skb: the request
 * @info: the request
 *
 * Return: 0 or a negative errno.
 */
int rg_delegate_report_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct sk_buff *msg;
	void *hdr;
	int err;

	if (!net_eq(genl_info_net(info), &init_net)) {
		NL_SET_ERR_MSG(info->extack,
			       "the agent reports from the initial network namespace");
		return -EPERM;
	}
	msg = rg_reply_begin(info, GENLMSG_DEFAULT_SIZE, &hdr);
	if (!msg)
		return -ENOMEM;
	err = rg_report_is_sign_of_life(info) ? 0 : rg_report_take_over(info);
	if (err) {
		nlmsg_free(msg);
		return err;
	}
	rg_agent_lives();
	return rg_reply_end(msg, hdr,
			    nla_put_u32(msg, ROCEGUARD_A_REPORT_TIMEOUT,
					rg_agent_timeout_s()),
			    info);
}
