/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Included before every source of the modules, so that those can be written
 * for the newest kernel. What an older one lacks is supplied here; Kbuild asks
 * its headers, for distributions backport. Each part says since when the
 * kernel has it: it goes when that is the oldest one supported.
 */
#ifndef RG_COMPAT_H
#define RG_COMPAT_H

#include "range.h"
#include <linux/string.h>
#include <net/netlink.h>

/* 5.11: nla_strlcpy() became nla_strscpy(). */
#ifndef RG_HAVE_NLA_STRSCPY
#define nla_strscpy nla_strlcpy
#endif

#endif /* RG_COMPAT_H */
