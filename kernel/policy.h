/* SPDX-License-Identifier: GPL-2.0 */
/* The policy store: what is wanted, and for which ports. Knows no driver. */
#ifndef RG_POLICY_H
#define RG_POLICY_H

#include <linux/kref.h>
#include <linux/list.h>
#include "logic/match.h"
#include "logic/policy.h"

/**
 * struct rg_policy - a policy in force; never changed once it is in the store
 * @ref: one for the store, one for every holder
 * @list: in the store, by name
 * @generation: of the store, when this one was set
 * @spec: as written
 * @want: what it holds
 */
struct rg_policy {
	struct kref ref;
	struct list_head list;
	u32 generation;
	struct rg_policy_spec spec;
	struct rg_want want;
};

struct rg_policy *rg_policy_alloc(void);
void rg_policy_put(struct rg_policy *policy);
int rg_policy_set(struct rg_policy *policy);
int rg_policy_del(const char *name, u32 *generation);
struct rg_policy *rg_policy_get(const char *name);
struct rg_policy *rg_policy_get_after(const char *name);
struct rg_policy *rg_policy_find(const struct rg_candidate *candidate,
				 u32 *generation);
u32 rg_policy_generation(void);
unsigned int rg_policy_count(void);
u32 rg_policy_touch(void);
void rg_policy_exit(void);

#endif /* RG_POLICY_H */
