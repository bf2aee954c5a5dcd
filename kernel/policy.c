// SPDX-License-Identifier: GPL-2.0
#include <linux/mutex.h>
#include <linux/slab.h>
#include "policy.h"

static DEFINE_MUTEX(rg_policy_mutex);
static LIST_HEAD(rg_policies);
static unsigned int rg_n_policies;
static u32 rg_generation;

/**
 * rg_policy_alloc - an empty policy, not in the store
 *
 * Return: it, with one reference, or NULL.
 */
struct rg_policy *rg_policy_alloc(void)
{
	struct rg_policy *policy = kzalloc(sizeof(*policy), GFP_KERNEL);

	if (!policy)
		return NULL;
	kref_init(&policy->ref);
	INIT_LIST_HEAD(&policy->list);
	rg_policy_init(&policy->spec);
	return policy;
}

static void rg_policy_free(struct kref *ref)
{
	struct rg_policy *policy = container_of(ref, struct rg_policy, ref);

	rg_policy_put(policy->before);
	kfree(policy);
}

/**
 * rg_policy_put - drop a reference
 * @policy: may be NULL
 */
void rg_policy_put(struct rg_policy *policy)
{
	if (policy)
		kref_put(&policy->ref, rg_policy_free);
}

static struct rg_policy *rg_policy_lookup(const char *name)
{
	struct rg_policy *policy;

	list_for_each_entry(policy, &rg_policies, list)
		if (!strcmp(policy->spec.name, name))
			return policy;
	return NULL;
}

static void rg_policy_drop(struct rg_policy *policy)
{
	list_del(&policy->list);
	rg_n_policies--;
	rg_policy_put(policy);
}

/* Sorted, so that a dump can go on after the name it stopped at. */
static void rg_policy_insert(struct rg_policy *policy)
{
	struct list_head *at = &rg_policies;
	struct rg_policy *other;

	list_for_each_entry(other, &rg_policies, list) {
		if (strcmp(other->spec.name, policy->spec.name) > 0) {
			at = &other->list;
			break;
		}
	}
	list_add_tail(&policy->list, at);
	rg_n_policies++;
}

/* What comes back if @policy is not confirmed: never one that was not, either. */
static void rg_policy_succeed(struct rg_policy *policy, struct rg_policy *old)
{
	if (!policy->confirm_by)
		return;
	if (old->confirm_by) {
		policy->before = old->before;
		old->before = NULL;
	} else {
		kref_get(&old->ref);
		policy->before = old;
	}
}

/**
 * rg_policy_set - put a policy into the store, in place of its namesake
 * @policy: derived and checked; the store takes a reference of its own
 *
 * Return: 0 or -ENOSPC, if there are ROCEGUARD_POLICIES_MAX already.
 */
int rg_policy_set(struct rg_policy *policy)
{
	struct rg_policy *old;

	mutex_lock(&rg_policy_mutex);
	old = rg_policy_lookup(policy->spec.name);
	if (!old && rg_n_policies == ROCEGUARD_POLICIES_MAX) {
		mutex_unlock(&rg_policy_mutex);
		return -ENOSPC;
	}
	if (old) {
		rg_policy_succeed(policy, old);
		rg_policy_drop(old);
	}
	policy->generation = ++rg_generation;
	kref_get(&policy->ref);
	rg_policy_insert(policy);
	mutex_unlock(&rg_policy_mutex);
	return 0;
}

/**
 * rg_policy_del - take a policy out of the store
 * @name: which
 * @restore: for those that still hold it: ports are to have what they had
 * @generation: set to that of the store afterwards
 *
 * Return: 0 or -ENOENT.
 */
int rg_policy_del(const char *name, bool restore, u32 *generation)
{
	struct rg_policy *policy;

	mutex_lock(&rg_policy_mutex);
	policy = rg_policy_lookup(name);
	if (policy) {
		WRITE_ONCE(policy->restore, restore);
		rg_policy_drop(policy);
		*generation = ++rg_generation;
	}
	mutex_unlock(&rg_policy_mutex);
	return policy ? 0 : -ENOENT;
}

static struct rg_policy *rg_policy_due(u64 now)
{
	struct rg_policy *policy;

	list_for_each_entry(policy, &rg_policies, list)
		if (policy->confirm_by && policy->confirm_by <= now)
			return policy;
	return NULL;
}

/**
 * rg_policy_revert - undo a policy that nobody has confirmed in time
 * @now: ns
 * @name: set to its name, ROCEGUARD_NAME_MAX + 1 bytes
 * @back: set to the one that is in force in its place, with a reference, or NULL
 * @generation: set to that of the store afterwards
 *
 * Return: false if there is none.
 */
bool rg_policy_revert(u64 now, char *name, struct rg_policy **back,
		      u32 *generation)
{
	struct rg_policy *policy;

	mutex_lock(&rg_policy_mutex);
	policy = rg_policy_due(now);
	if (policy) {
		strscpy(name, policy->spec.name, ROCEGUARD_NAME_MAX + 1);
		*back = policy->before;
		policy->before = NULL;
		*generation = ++rg_generation;
		WRITE_ONCE(policy->restore, true);
		rg_policy_drop(policy);
		if (*back) {
			(*back)->generation = *generation;
			kref_get(&(*back)->ref);
			rg_policy_insert(*back);
		}
	}
	mutex_unlock(&rg_policy_mutex);
	return policy;
}

/**
 * rg_policy_confirm - a policy is to stay
 * @name: which
 *
 * Return: it, with a reference, or NULL if there is none of that name.
 */
struct rg_policy *rg_policy_confirm(const char *name)
{
	struct rg_policy *policy, *before = NULL;

	mutex_lock(&rg_policy_mutex);
	policy = rg_policy_lookup(name);
	if (policy) {
		kref_get(&policy->ref);
		policy->confirm_by = 0;
		before = policy->before;
		policy->before = NULL;
	}
	mutex_unlock(&rg_policy_mutex);
	rg_policy_put(before);
	return policy;
}

/**
 * rg_policy_soonest - when does the next policy have to be confirmed?
 *
 * Return: ns; U64_MAX: none has.
 */
u64 rg_policy_soonest(void)
{
	struct rg_policy *policy;
	u64 soonest = U64_MAX;

	mutex_lock(&rg_policy_mutex);
	list_for_each_entry(policy, &rg_policies, list)
		if (policy->confirm_by)
			soonest = min(soonest, policy->confirm_by);
	mutex_unlock(&rg_policy_mutex);
	return soonest;
}

/**
 * rg_policy_left - how long may a policy yet be confirmed?
 * @policy: the policy
 * @now: ns
 *
 * Return: ns, at least 1; 0: it is confirmed.
 */
u64 rg_policy_left(const struct rg_policy *policy, u64 now)
{
	u64 by;

	mutex_lock(&rg_policy_mutex);
	by = policy->confirm_by;
	mutex_unlock(&rg_policy_mutex);
	if (!by)
		return 0;
	return by > now ? by - now : 1;
}

/**
 * rg_policy_get - look a policy up by name
 * @name: which
 *
 * Return: it, with a reference, or NULL.
 */
struct rg_policy *rg_policy_get(const char *name)
{
	struct rg_policy *policy;

	mutex_lock(&rg_policy_mutex);
	policy = rg_policy_lookup(name);
	if (policy)
		kref_get(&policy->ref);
	mutex_unlock(&rg_policy_mutex);
	return policy;
}

/**
 * rg_policy_get_after - the next policy in the order of names
 * @name: after this one; "": the first
 *
 * Return: it, with a reference, or NULL.
 */
struct rg_policy *rg_policy_get_after(const char *name)
{
	struct rg_policy *policy, *next = NULL;

	mutex_lock(&rg_policy_mutex);
	list_for_each_entry(policy, &rg_policies, list) {
		if (strcmp(policy->spec.name, name) > 0) {
			kref_get(&policy->ref);
			next = policy;
			break;
		}
	}
	mutex_unlock(&rg_policy_mutex);
	return next;
}

/* Put a policy that fits into its place among the best, if it has one there. */
static bool rg_policy_rank(const struct rg_policy_spec *top[1 + RG_LOST_MAX],
			   unsigned int *n, const struct rg_policy_spec *spec,
			   const struct rg_candidate *candidate)
{
	u32 score = rg_match_score(&spec->match, candidate);
	unsigned int i;

	if (!score)
		return false;
	for (i = 0; i < *n; i++)
		if (rg_match_beats(spec, score, top[i],
				   rg_match_score(&top[i]->match, candidate)))
			break;
	if (i == 1 + RG_LOST_MAX)
		return true;
	*n = min_t(unsigned int, *n + 1, 1 + RG_LOST_MAX);
	memmove(&top[i + 1], &top[i], (*n - i - 1) * sizeof(*top));
	top[i] = spec;
	return true;
}

/**
 * rg_policy_find - the policy for a port: see rg_match_beats()
 * @candidate: the port
 * @choice: filled in, if one fits; or NULL
 * @generation: set to that of the store, of which the answer is true
 *
 * Return: it, with a reference, or NULL if none fits.
 */
struct rg_policy *rg_policy_find(const struct rg_candidate *candidate,
				 struct rg_choice *choice, u32 *generation)
{
	const struct rg_policy_spec *top[1 + RG_LOST_MAX];
	unsigned int n = 0, n_fit = 0;
	struct rg_policy *policy, *best = NULL;

	mutex_lock(&rg_policy_mutex);
	*generation = rg_generation;
	list_for_each_entry(policy, &rg_policies, list) {
		if (!rg_policy_rank(top, &n, &policy->spec, candidate))
			continue;
		n_fit++;
		if (top[0] == &policy->spec)
			best = policy;
	}
	if (best)
		kref_get(&best->ref);
	if (best && choice) {
		choice->n_fit = n_fit;
		rg_match_explain(choice, top, n, candidate);
	}
	mutex_unlock(&rg_policy_mutex);
	return best;
}

/**
 * rg_policy_speeds - does any policy ask for the speed of a port?
 *
 * Return: true if it is worth finding out.
 */
bool rg_policy_speeds(void)
{
	struct rg_policy *policy;
	bool any = false;

	mutex_lock(&rg_policy_mutex);
	list_for_each_entry(policy, &rg_policies, list)
		any |= policy->spec.match.speed_from ||
		       policy->spec.match.speed_to;
	mutex_unlock(&rg_policy_mutex);
	return any;
}

/**
 * rg_policy_generation - how often policies or the mode have changed
 *
 * Return: the generation of the store.
 */
u32 rg_policy_generation(void)
{
	return READ_ONCE(rg_generation);
}

/**
 * rg_policy_touch - begin a generation without a change of policy
 *
 * A change of the mode is one for every port, too.
 *
 * Return: the new generation.
 */
u32 rg_policy_touch(void)
{
	u32 generation;

	mutex_lock(&rg_policy_mutex);
	generation = ++rg_generation;
	mutex_unlock(&rg_policy_mutex);
	return generation;
}

/**
 * rg_policy_count - how many policies there are
 *
 * Return: their number.
 */
unsigned int rg_policy_count(void)
{
	return READ_ONCE(rg_n_policies);
}

/**
 * rg_policy_exit - empty the store
 */
void rg_policy_exit(void)
{
	struct rg_policy *policy, *next;

	list_for_each_entry_safe(policy, next, &rg_policies, list)
		rg_policy_drop(policy);
}
