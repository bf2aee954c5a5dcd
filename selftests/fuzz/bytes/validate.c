// SPDX-License-Identifier: GPL-2.0
/*
 * Strict validation, as generic netlink has it for families that do not opt
 * out: unknown and zero types, lengths that are not the type's, bytes left
 * over, a nested flag that is missing or too much, values out of limits, nests
 * by their own policy.
 */
#include <net/genetlink.h>

static int refuse(struct netlink_ext_ack *extack, const struct nlattr *attr,
		  int err, const char *words)
{
	NL_SET_ERR_MSG_ATTR(extack, attr, words);
	return err;
}

static int validate_u32(const struct nlattr *attr,
			const struct nla_policy *policy,
			struct netlink_ext_ack *extack)
{
	const struct netlink_range_validation *range = policy->range;
	u64 least = range ? range->min : policy->min;
	u64 most = range ? range->max : policy->max;
	u32 value;

	if (nla_len(attr) != sizeof(u32))
		return refuse(extack, attr, -EINVAL, "invalid length");
	value = nla_get_u32(attr);
	if (policy->limited && (value < least || value > most))
		return refuse(extack, attr, -ERANGE, "out of range");
	return 0;
}

/* A NUL must come early enough; one at the end does not count as length. */
static int validate_string(const struct nlattr *attr,
			   const struct nla_policy *policy,
			   struct netlink_ext_ack *extack)
{
	const char *s = nla_data(attr);
	int len = nla_len(attr);

	if (!len || !memchr(s, 0, min(len, policy->len + 1)))
		return refuse(extack, attr, -EINVAL, "no NUL");
	if (!s[len - 1])
		len--;
	if (len > policy->len)
		return refuse(extack, attr, -ERANGE, "too long");
	return 0;
}

static int validate_nest(const struct nlattr *attr,
			 const struct nla_policy *policy,
			 struct netlink_ext_ack *extack)
{
	if (!nla_len(attr))
		return 0;
	if (nla_len(attr) < NLA_HDRLEN)
		return refuse(extack, attr, -ERANGE, "no attribute in it");
	return shim_validate(nla_data(attr), nla_len(attr),
			     policy->nested_policy, policy->len, NULL, extack);
}

static int validate(const struct nlattr *attr, const struct nla_policy *policy,
		    struct netlink_ext_ack *extack)
{
	bool nested = attr->nla_type & NLA_F_NESTED;

	if (policy->type == NLA_REJECT)
		return refuse(extack, attr, -EINVAL, policy->reject_message);
	if (nested != (policy->type == NLA_NESTED))
		return refuse(extack, attr, -EINVAL, "NLA_F_NESTED");
	switch (policy->type) {
	case NLA_U32:
		return validate_u32(attr, policy, extack);
	case NLA_NUL_STRING:
		return validate_string(attr, policy, extack);
	case NLA_NESTED:
		return validate_nest(attr, policy, extack);
	default:
		return refuse(extack, attr, -EINVAL, "not in the policy");
	}
}

int shim_validate(const struct nlattr *head, int len,
		  const struct nla_policy *policy, int maxtype,
		  const struct nlattr **attrs, struct netlink_ext_ack *extack)
{
	const struct nlattr *attr;
	int rem, type, err;

	nla_for_each_attr(attr, head, len, rem) {
		type = nla_type(attr);
		if (!type || type > maxtype)
			return refuse(extack, attr, -EINVAL, "unknown type");
		err = validate(attr, &policy[type], extack);
		if (err)
			return err;
		if (attrs)
			attrs[type] = attr;
	}
	if (rem > 0)
		return refuse(extack, NULL, -EINVAL, "bytes left over");
	return 0;
}
