/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's side of a policy on the wire, for programs of user space. */
#ifndef RG_FUZZ_KERNEL_H
#define RG_FUZZ_KERNEL_H

#include <stddef.h>

#include "policy.h"

/* What kernel/netlink/policy.c has room for, where pages have 4 KiB. */
#define KERNEL_MESSAGE	(4 * 3760)

/**
 * struct kernel_policy - what the kernel makes of a request
 * @want: what it holds on a port
 * @wire: how the kernel tells it
 * @len: of @wire
 */
struct kernel_policy {
	struct rg_want want;
	char wire[KERNEL_MESSAGE];
	size_t len;
};

/**
 * kernel_take() - policy-set, up to where the store would take it
 * @attrs: of the request; any bytes
 * @len: of @attrs
 * @policy: filled in if it is accepted
 *
 * Return: 0 or a negative errno. Ends the program if a refusal has no words,
 * blames what is not in the request, or if an accepted policy cannot be told.
 */
int kernel_take(const void *attrs, size_t len, struct kernel_policy *policy);

#endif /* RG_FUZZ_KERNEL_H */
