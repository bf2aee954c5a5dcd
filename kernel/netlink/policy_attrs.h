/* SPDX-License-Identifier: GPL-2.0 */
/* Policies as netlink attributes, both ways. */
#ifndef RG_NETLINK_POLICY_ATTRS_H
#define RG_NETLINK_POLICY_ATTRS_H

#include "../policy.h"
#include "family.h"

int rg_policy_decode(struct genl_info *info, struct rg_policy *policy);
int rg_policy_fill(struct sk_buff *skb, const struct rg_policy *policy);

#endif /* RG_NETLINK_POLICY_ATTRS_H */
