/* SPDX-License-Identifier: GPL-2.0 */
/* How many link drops a port may cost its host, and when the next may be. */
#ifndef RG_LOGIC_BUDGET_H
#define RG_LOGIC_BUDGET_H

#include "base.h"

#define RG_BUDGET_MAX		8	/* drops a day, at most */
#define RG_BUDGET_DAY_NS	(86400 * 1000000000ULL)

/**
 * struct rg_budget_limits - what the operator allows
 * @daily: drops in 24 hours, 0..RG_BUDGET_MAX
 * @apart_ns: from one to the next, at least
 */
struct rg_budget_limits {
	unsigned int daily;
	u64 apart_ns;
};

/**
 * struct rg_budget - what one port has spent
 * @spent: times of the last drops in ns, 0: none
 * @next: which of @spent is the oldest
 * @over: there was none left when one was wanted; until the operator acts
 */
struct rg_budget {
	u64 spent[RG_BUDGET_MAX];
	unsigned int next;
	bool over;
};

unsigned int rg_budget_left(const struct rg_budget *budget,
			    const struct rg_budget_limits *limits, u64 now);
u64 rg_budget_wait(struct rg_budget *budget,
		   const struct rg_budget_limits *limits, u64 now);
void rg_budget_spend(struct rg_budget *budget, u64 now);
void rg_budget_refund(struct rg_budget *budget);
void rg_budget_reset(struct rg_budget *budget);

#endif /* RG_LOGIC_BUDGET_H */
