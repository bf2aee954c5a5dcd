/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RG_COMPAT_GENETLINK_H
#define RG_COMPAT_GENETLINK_H

#include <net/genetlink.h>

/* 6.6 put a whole genl_info into the dump info, in place of its parts. */
#ifdef RG_HAVE_GENL_INFO_DUMP
static inline struct nlattr **rg_dump_attrs(struct netlink_callback *cb)
{
	return genl_info_dump(cb)->attrs;
}
#else
static inline struct nlattr **rg_dump_attrs(struct netlink_callback *cb)
{
	return genl_dumpit_info(cb)->attrs;
}
#endif

/* 6.7 gave groups flags of their own; before, they had those of commands. */
#ifndef GENL_MCAST_CAP_NET_ADMIN
#define GENL_MCAST_CAP_NET_ADMIN GENL_UNS_ADMIN_PERM
#endif

/* Formatted words in extack came with 6.3; before, the constant part remains. */
#ifdef NL_SET_ERR_MSG_FMT
#define RG_SET_ERR_MSG_ATTR_FMT(extack, attr, fallback, fmt, ...)	\
do {									\
	NL_SET_BAD_ATTR(extack, attr);					\
	NL_SET_ERR_MSG_FMT(extack, fmt, ##__VA_ARGS__);			\
} while (0)
#else
#define RG_SET_ERR_MSG_ATTR_FMT(extack, attr, fallback, fmt, ...)	\
	NL_SET_ERR_MSG_ATTR(extack, attr, fallback)
#endif

#endif /* RG_COMPAT_GENETLINK_H */
