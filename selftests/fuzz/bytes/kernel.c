// SPDX-License-Identifier: GPL-2.0
/* policy_decode.c and policy_encode.c on the shim. */
#include <net/genetlink.h>

/* Of the port layer the encoder knows one number. */
#define RG_NETLINK_H
struct rg_entry;

static unsigned int rg_ports_governed(const char *policy)
{
	(void)policy;
	return 0;
}

#include "../../../kernel/netlink/policy_decode.c"
#include "../../../kernel/netlink/policy_encode.c"

#include "kernel.h"
#include "must.h"

/* Without the store, and so without its lock. */
u64 rg_policy_left(const struct rg_policy *policy, u64 now)
{
	return policy->confirm_by > now ? policy->confirm_by - now : 0;
}

/* A request as generic netlink hands it to policy-set. */
static int take(struct nlmsghdr *nlh, int len, struct rg_policy *policy)
{
	const struct nlattr *attrs[ROCEGUARD_A_POLICY_MAX + 1] = {};
	const char *head = (char *)nlh + NLMSG_HDRLEN + GENL_HDRLEN;
	struct netlink_ext_ack extack = {};
	struct genl_info info = {
		.nlhdr	= nlh,
		.attrs	= (struct nlattr **)attrs,
		.extack = &extack,
	};
	int err;

	err = shim_validate((const struct nlattr *)head, len, rg_policy_attrs,
			    ROCEGUARD_A_POLICY_MAX, attrs, &extack);
	if (err)
		return err;
	if (!attrs[ROCEGUARD_A_POLICY_NAME])
		return -EINVAL;
	err = rg_policy_decode(&info, policy);
	if (err) {
		must(extack._msg && extack._msg[0]);
		must(!extack.bad_attr ||
		     ((char *)extack.bad_attr >= head &&
		      (char *)extack.bad_attr < head + len));
	}
	return err;
}

int kernel_take(const void *attrs, size_t len, struct kernel_policy *out)
{
	size_t all = NLMSG_HDRLEN + GENL_HDRLEN + len;
	struct nlmsghdr *nlh = malloc(all);
	struct rg_policy *policy = calloc(1, sizeof(*policy));
	struct sk_buff skb = { .data = out->wire, .size = sizeof(out->wire) };
	int err;

	must(nlh && policy);
	memset(nlh, 0, NLMSG_HDRLEN + GENL_HDRLEN);
	nlh->nlmsg_len = all;
	if (len)
		memcpy((char *)nlh + NLMSG_HDRLEN + GENL_HDRLEN, attrs, len);
	rg_policy_init(&policy->spec);
	err = take(nlh, len, policy);
	if (!err) {
		/* The time left is of the store, and does not come back. */
		policy->confirm_by = 0;
		must(!rg_policy_fill(&skb, policy));
		out->want = policy->want;
		out->len = skb.len;
	}
	free(policy);
	free(nlh);
	return err;
}
