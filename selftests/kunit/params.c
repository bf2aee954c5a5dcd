// SPDX-License-Identifier: GPL-2.0
#include "case.h"
#include "params.h"

/* Policies are large, and the stack of a kernel is not. */
static struct rg_policy_spec spec;
static struct rg_want want;
static struct rg_problem problem;

CASE(every_row_is_whole)
{
	int i, k;

	for (i = 0; i < RG_PARAMS; i++) {
		const struct rg_param *param = &rg_params[i];

		expect_row(param->name && param->key && param->unit,
			   "row %d has no words", i);
		expect_row(param->min <= param->usual &&
			   param->usual <= param->max &&
			   param->min < param->max, "row %d: limits", i);
		for (k = 0; k < i; k++)
			expect_row(strcmp(rg_params[k].name, param->name) &&
				   (rg_params[k].knob != param->knob ||
				    strcmp(rg_params[k].key, param->key)),
				   "rows %d and %d are called the same", k, i);
	}
	expect_eq(rg_params_of(ROCEGUARD_KNOB_DCQCN) &
		  rg_params_of(ROCEGUARD_KNOB_CNP), 0);
	expect_eq(rg_params_of(ROCEGUARD_KNOB_DCQCN) |
		  rg_params_of(ROCEGUARD_KNOB_CNP), BIT(RG_PARAMS) - 1);
}

static int derive(int param, u32 value)
{
	rg_policy_init(&spec);
	strcpy(spec.name, "x");
	spec.expert.set = BIT(RG_EXPERT_PARAMS);
	spec.expert.params = BIT(param);
	spec.expert.param[param] = value;
	return rg_policy_derive(&spec, &want, &problem);
}

CASE(limits_hold_on_both_sides)
{
	int i;

	for (i = 0; i < RG_PARAMS; i++) {
		const struct rg_param *param = &rg_params[i];

		expect_row(!derive(i, param->min) && !derive(i, param->max),
			   "%s: a limit is refused", param->name);
		expect_row(want.knobs == BIT(param->knob) &&
			   want.params == BIT(i) &&
			   want.param[i] == param->max, "%s", param->name);
		expect_row(!param->min || derive(i, param->min - 1),
			   "%s: less than the least", param->name);
		expect_row(param->max == 0xffffffff ||
			   derive(i, param->max + 1),
			   "%s: more than the greatest", param->name);
		if (param->max == 0xffffffff)
			continue;
		expect_eq(problem.where, RG_WHERE_DCQCN);
		expect_eq(problem.key, i + 1);
		expect_row(strlen(problem.text) < RG_PROBLEM_MAX - 1,
			   "'%s' is cut", problem.text);
	}
}

SUITE(params,
      case_of(every_row_is_whole),
      case_of(limits_hold_on_both_sides));
