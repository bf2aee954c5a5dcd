// SPDX-License-Identifier: GPL-2.0
#include "budget.h"

/**
 * rg_budget_left - how many drops are left
 * @budget: of the port
 * @limits: what the operator allows
 * @now: time in ns, never 0
 *
 * Return: of those that @limits allow in the 24 hours up to @now.
 */
unsigned int rg_budget_left(const struct rg_budget *budget,
			    const struct rg_budget_limits *limits, u64 now)
{
	unsigned int i, spent = 0;

	if (budget->over)
		return 0;
	for (i = 0; i < RG_BUDGET_MAX; i++)
		if (budget->spent[i] && now - budget->spent[i] < RG_BUDGET_DAY_NS)
			spent++;
	return spent < limits->daily ? limits->daily - spent : 0;
}

/**
 * rg_budget_wait - a drop is wanted: when may it be?
 * @budget: of the port
 * @limits: what the operator allows
 * @now: time in ns, never 0
 *
 * Return: 0: now; U64_MAX: none is left, and none will be until
 * rg_budget_reset(); otherwise in so many ns.
 */
u64 rg_budget_wait(struct rg_budget *budget,
		   const struct rg_budget_limits *limits, u64 now)
{
	u64 last = budget->spent[(budget->next + RG_BUDGET_MAX - 1) %
				 RG_BUDGET_MAX];

	if (!rg_budget_left(budget, limits, now))
		budget->over = true;
	if (budget->over)
		return U64_MAX;
	if (last && now - last < limits->apart_ns)
		return limits->apart_ns - (now - last);
	return 0;
}

/**
 * rg_budget_spend - a drop is made
 * @budget: of the port
 * @now: time in ns, never 0
 */
void rg_budget_spend(struct rg_budget *budget, u64 now)
{
	budget->spent[budget->next] = now;
	budget->next = (budget->next + 1) % RG_BUDGET_MAX;
}

/**
 * rg_budget_refund - the drop last spent was not made after all
 * @budget: of the port
 */
void rg_budget_refund(struct rg_budget *budget)
{
	budget->next = (budget->next + RG_BUDGET_MAX - 1) % RG_BUDGET_MAX;
	budget->spent[budget->next] = 0;
}

/**
 * rg_budget_reset - begin anew, for the operator says so
 * @budget: of the port
 */
void rg_budget_reset(struct rg_budget *budget)
{
	memset(budget, 0, sizeof(*budget));
}
