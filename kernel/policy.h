/* SPDX-License-Identifier: GPL-2.0 */
/* The policy store: what is wanted, and for which ports. Knows no driver. */
#ifndef RG_POLICY_H
#define RG_POLICY_H

#include <linux/kref.h>
#include <linux/list.h>
#include "logic/match.h"
#include "logic/policy.h"

/**
 * struct rg_policy - a policy in force; what it says never changes once it is in
 * the store
 * @ref: one for the store, one for every holder
 * @list: in the store, by name
 * @generation: of the store, when this one was set
 * @spec: as written
 * @want: what it holds
 * @confirm_by: ns; if nobody confirms it until then, @before comes back; 0: it is
 *	confirmed. Under the mutex of the store, as @before
 * @before: the last one of this name that was confirmed, with a reference, or
 *	NULL: there was none
 * @restore: it has gone, and ports are to have what they had before it
 */
struct rg_policy {
	struct kref ref;
	struct list_head list;
	u32 generation;
	struct rg_policy_spec spec;
	struct rg_want want;
	u64 confirm_by;
	struct rg_policy *before;
	bool restore;
};

struct rg_policy *rg_policy_alloc(void);
void rg_policy_put(struct rg_policy *policy);
int rg_policy_set(struct rg_policy *policy);
int rg_policy_del(const char *name, bool restore, u32 *generation);
struct rg_policy *rg_policy_get(const char *name);
struct rg_policy *rg_policy_get_after(const char *name);
struct rg_policy *rg_policy_find(const struct rg_candidate *candidate,
				 struct rg_choice *choice, u32 *generation);
bool rg_policy_speeds(void);
bool rg_policy_revert(u64 now, char *name, struct rg_policy **back,
		      u32 *generation);
struct rg_policy *rg_policy_confirm(const char *name);
u64 rg_policy_soonest(void);
u64 rg_policy_left(const struct rg_policy *policy, u64 now);
u32 rg_policy_generation(void);
unsigned int rg_policy_count(void);
u32 rg_policy_touch(void);
void rg_policy_exit(void);

#endif /* RG_POLICY_H */
