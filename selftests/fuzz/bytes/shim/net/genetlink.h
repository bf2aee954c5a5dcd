/* SPDX-License-Identifier: GPL-2.0 */
/*
 * As much of the kernel's netlink as kernel/netlink/policy_{de,en}code.c call,
 * for user space. Reading and writing attributes is here; what is refused
 * before the code under test sees it, in ../validate.c.
 */
#ifndef RG_SHIM_GENETLINK_H
#define RG_SHIM_GENETLINK_H

#include <linux/genetlink.h>
#include <linux/netlink.h>

#include "base.h"

struct netlink_callback;
struct net;

/* Types and limits of attributes */

enum { NLA_REJECT = 1, NLA_U32, NLA_NUL_STRING, NLA_NESTED };

/* Limits that do not fit into a policy of the oldest kernels. */
struct netlink_range_validation {
	u64 min;
	u64 max;
};

/* @min and @max are inclusive, @range is in their place if it is there; @len: bytes of a string, types of a nest. */
struct nla_policy {
	int type;
	int len;
	bool limited;
	u32 min;
	u32 max;
	const struct netlink_range_validation *range;
	const struct nla_policy *nested_policy;
	const char *reject_message;
};

#define NLA_POLICY_RANGE(_type, _min, _max) \
	{ .type = (_type), .limited = true, .min = (_min), .max = (_max) }
#define NLA_POLICY_FULL_RANGE(_type, _range) \
	{ .type = (_type), .limited = true, .range = (_range) }
#define NLA_POLICY_MAX(_type, _max)	NLA_POLICY_RANGE(_type, 0, _max)
#define NLA_POLICY_NESTED(_attrs)					\
	{ .type = NLA_NESTED, .nested_policy = (_attrs),		\
	  .len = ARRAY_SIZE(_attrs) - 1 }

/* Words for whom asks */

struct netlink_ext_ack {
	const char *_msg;
	char buf[80];
	const struct nlattr *bad_attr;
};

#define NL_SET_BAD_ATTR(_extack, _attr)	((_extack)->bad_attr = (_attr))
#define NL_SET_ERR_MSG(_extack, _msg_)	((_extack)->_msg = (_msg_))
#define NL_SET_ERR_MSG_ATTR(_extack, _attr, _msg_)			\
do {									\
	NL_SET_BAD_ATTR(_extack, _attr);				\
	NL_SET_ERR_MSG(_extack, _msg_);					\
} while (0)
#define NL_SET_ERR_MSG_FMT(_extack, _fmt, ...)				\
do {									\
	snprintf((_extack)->buf, sizeof((_extack)->buf), _fmt,		\
		 ##__VA_ARGS__);					\
	(_extack)->_msg = (_extack)->buf;				\
} while (0)

struct genl_info {
	struct nlmsghdr *nlhdr;
	struct nlattr **attrs;
	struct netlink_ext_ack *extack;
};

struct genl_info *genl_info_dump(struct netlink_callback *cb);

/* Reading */

static inline int nla_type(const struct nlattr *attr)
{
	return attr->nla_type & NLA_TYPE_MASK;
}

static inline void *nla_data(const struct nlattr *attr)
{
	return (char *)attr + NLA_HDRLEN;
}

static inline int nla_len(const struct nlattr *attr)
{
	return attr->nla_len - NLA_HDRLEN;
}

static inline bool nla_ok(const struct nlattr *attr, int rem)
{
	return rem >= NLA_HDRLEN && attr->nla_len >= NLA_HDRLEN &&
	       attr->nla_len <= rem;
}

static inline const struct nlattr *nla_next(const struct nlattr *attr, int *rem)
{
	int size = NLA_ALIGN(attr->nla_len);

	*rem -= size;
	return (const struct nlattr *)((const char *)attr + size);
}

#define nla_for_each_attr(_pos, _head, _len, _rem)			\
	for (_pos = (_head), _rem = (_len); nla_ok(_pos, _rem);		\
	     _pos = nla_next(_pos, &(_rem)))
#define nla_for_each_nested(_pos, _nest, _rem)				\
	nla_for_each_attr(_pos, (const struct nlattr *)nla_data(_nest),	\
			  nla_len(_nest), _rem)
#define nlmsg_for_each_attr(_pos, _nlh, _hdrlen, _rem)			\
	nla_for_each_attr(_pos,						\
		(const struct nlattr *)((char *)(_nlh) + NLMSG_HDRLEN + \
					NLMSG_ALIGN(_hdrlen)),		\
		(int)(_nlh)->nlmsg_len - NLMSG_HDRLEN -			\
			(int)NLMSG_ALIGN(_hdrlen), _rem)

static inline const struct nlattr *nla_find_nested(const struct nlattr *nest,
						   int type)
{
	const struct nlattr *pos;
	int rem;

	nla_for_each_nested(pos, nest, rem)
		if (nla_type(pos) == type)
			return pos;
	return NULL;
}

static inline u32 nla_get_u32(const struct nlattr *attr)
{
	u32 value;

	memcpy(&value, nla_data(attr), sizeof(value));
	return value;
}

/* Cuts, ends in NUL, and leaves nothing of before behind that. */
static inline void nla_strscpy(char *to, const struct nlattr *attr, size_t size)
{
	const char *from = nla_data(attr);
	size_t len = nla_len(attr);

	if (len && !from[len - 1])
		len--;
	len = min(len, size - 1);
	memcpy(to, from, len);
	memset(to + len, 0, size - len);
}

/* Writing */

#define GENL_HDRLEN	NLMSG_ALIGN(sizeof(struct genlmsghdr))

struct sk_buff {
	char *data;
	size_t len;
	size_t size;
};

static inline int nla_put(struct sk_buff *skb, int type, int len,
			  const void *data)
{
	struct nlattr attr = { .nla_type = type, .nla_len = NLA_HDRLEN + len };
	size_t all = NLA_ALIGN(attr.nla_len);

	if (skb->size - skb->len < all)
		return -EMSGSIZE;
	memset(skb->data + skb->len, 0, all);
	memcpy(skb->data + skb->len, &attr, sizeof(attr));
	if (len)
		memcpy(skb->data + skb->len + NLA_HDRLEN, data, len);
	skb->len += all;
	return 0;
}

static inline int nla_put_u32(struct sk_buff *skb, int type, u32 value)
{
	return nla_put(skb, type, sizeof(value), &value);
}

static inline int nla_put_string(struct sk_buff *skb, int type, const char *s)
{
	return nla_put(skb, type, strlen(s) + 1, s);
}

static inline struct nlattr *nla_nest_start(struct sk_buff *skb, int type)
{
	struct nlattr *nest = (struct nlattr *)(skb->data + skb->len);

	return nla_put(skb, type | NLA_F_NESTED, 0, NULL) ? NULL : nest;
}

static inline void nla_nest_end(struct sk_buff *skb, struct nlattr *nest)
{
	nest->nla_len = skb->data + skb->len - (char *)nest;
}

/* validate.c: what generic netlink does before a command is called. */
int shim_validate(const struct nlattr *head, int len,
		  const struct nla_policy *policy, int maxtype,
		  const struct nlattr **attrs, struct netlink_ext_ack *extack);

#endif /* RG_SHIM_GENETLINK_H */
