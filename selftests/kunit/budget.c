// SPDX-License-Identifier: GPL-2.0
#include "case.h"
#include "budget.h"

#define S 1000000000ULL

static const struct rg_budget_limits limits = { 3, 600 * S };

CASE(drops_keep_their_distance)
{
	struct rg_budget b = {};
	u64 now = S;

	expect_eq(rg_budget_wait(&b, &limits, now), 0);
	rg_budget_spend(&b, now);
	expect_eq(rg_budget_wait(&b, &limits, now), 600 * S);
	expect_eq(rg_budget_wait(&b, &limits, now + 600 * S - 1), 1);
	expect_eq(rg_budget_wait(&b, &limits, now + 600 * S), 0);
	expect_eq(rg_budget_left(&b, &limits, now), 2);
}

CASE(the_fourth_of_a_day_waits_for_the_operator)
{
	struct rg_budget b = {};
	u64 now = S;
	unsigned int i;

	for (i = 0; i < limits.daily; i++) {
		expect_eq(rg_budget_wait(&b, &limits, now), 0);
		rg_budget_spend(&b, now);
		now += limits.apart_ns;
	}
	expect_eq(rg_budget_left(&b, &limits, now), 0);
	expect_eq(rg_budget_wait(&b, &limits, now), U64_MAX);
	/* The day is over, the quarrel need not be. */
	now += RG_BUDGET_DAY_NS;
	expect_eq(rg_budget_wait(&b, &limits, now), U64_MAX);
	expect_eq(rg_budget_left(&b, &limits, now), 0);
	rg_budget_reset(&b);
	expect_eq(rg_budget_wait(&b, &limits, now), 0);
	expect_eq(rg_budget_left(&b, &limits, now), limits.daily);
}

CASE(what_was_not_made_costs_nothing)
{
	struct rg_budget b = {};
	u64 now = S;

	rg_budget_spend(&b, now);
	rg_budget_spend(&b, now + 600 * S);
	rg_budget_refund(&b);
	expect_eq(rg_budget_left(&b, &limits, now + 600 * S), 2);
	expect_eq(rg_budget_wait(&b, &limits, now + 600 * S), 0);
	expect_eq(rg_budget_wait(&b, &limits, now + 599 * S), S);
}

CASE(a_day_later_it_is_as_new)
{
	struct rg_budget b = {};
	u64 now = S;
	unsigned int i;

	for (i = 0; i < limits.daily; i++)
		rg_budget_spend(&b, now + i);
	expect_eq(rg_budget_left(&b, &limits, now + RG_BUDGET_DAY_NS - 1), 0);
	expect_eq(rg_budget_left(&b, &limits, now + RG_BUDGET_DAY_NS), 1);
	expect_eq(rg_budget_wait(&b, &limits, now + RG_BUDGET_DAY_NS), 0);
	expect_eq(rg_budget_left(&b, &limits, now + RG_BUDGET_DAY_NS + 2), 3);
}

CASE(limits_may_change_on_the_way)
{
	static const struct rg_budget_limits none = { 0, 0 };
	static const struct rg_budget_limits most = { RG_BUDGET_MAX, 0 };
	struct rg_budget b = {};
	unsigned int i;

	expect_eq(rg_budget_left(&b, &none, S), 0);
	for (i = 0; i < 2 * RG_BUDGET_MAX; i++) {
		expect_eq(rg_budget_left(&b, &most, S),
			  i < RG_BUDGET_MAX ? RG_BUDGET_MAX - i : 0);
		rg_budget_spend(&b, S);
	}
	expect_eq(rg_budget_wait(&b, &none, S), U64_MAX);
}

SUITE(budget,
      case_of(drops_keep_their_distance),
      case_of(the_fourth_of_a_day_waits_for_the_operator),
      case_of(what_was_not_made_costs_nothing),
      case_of(a_day_later_it_is_as_new),
      case_of(limits_may_change_on_the_way));
