// SPDX-License-Identifier: GPL-2.0
#include "case.h"
#include "match.h"

CASE(a_pattern_stands_for_the_whole_text)
{
	static const struct {
		const char *pattern, *text;
		bool matches;
	} cases[] = {
		{ "roce0", "roce0", true },   { "roce0", "roce01", false },
		{ "roce0", "roce", false },   { "roce*", "roce", true },
		{ "roce*", "roce12", true },  { "*", "", true },
		{ "?", "", false },	      { "?", "a", true },
		{ "e*np?", "enp1", true },    { "e*np?", "ens1np12", false },
		{ "*np*s0", "enp3s0", true }, { "*np*s0", "enp3s1", false },
		{ "a*b*c", "aXbXbXc", true }, { "**", "x", true },
		{ "*a", "aaab", false },      { "[x]", "x", false },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		expect_row(rg_glob(cases[i].pattern, cases[i].text) ==
			   cases[i].matches, "'%s' on '%s'", cases[i].pattern,
			   cases[i].text);
}

static void add(char list[][ROCEGUARD_GLOB_MAX + 1], unsigned int *n,
		const char *pattern)
{
	strcpy(list[(*n)++], pattern);
}

CASE(the_closest_policy_wins)
{
	const struct rg_candidate port = {
		.ifname = "roce0", .driver = "mlx5_core", .rdma = true,
	};
	const struct rg_candidate lossy = {
		.ifname = "roce0", .driver = "mlx5_core",
	};
	static struct rg_policy_spec any, driver, glob, exact;

	rg_policy_init(&any);
	rg_policy_init(&driver);
	rg_policy_init(&glob);
	rg_policy_init(&exact);
	add(driver.match.driver, &driver.match.n_driver, "mlx5_core");
	add(glob.match.ifname, &glob.match.n_ifname, "ens*");
	add(glob.match.ifname, &glob.match.n_ifname, "roce*");
	add(exact.match.ifname, &exact.match.n_ifname, "roce0");

	expect_true(rg_match_score(&any.match, &port) > 0);
	expect_true(rg_match_score(&driver.match, &port) >
		    rg_match_score(&any.match, &port));
	expect_true(rg_match_score(&glob.match, &port) >
		    rg_match_score(&driver.match, &port));
	expect_true(rg_match_score(&exact.match, &port) >
		    rg_match_score(&glob.match, &port));
	expect_eq(rg_match_score(&exact.match, &lossy), 0);
	exact.match.rdma = false;
	expect_true(rg_match_score(&exact.match, &lossy) > 0);
	add(exact.match.driver, &exact.match.n_driver, "ice");
	expect_eq(rg_match_score(&exact.match, &lossy), 0);
}

static int score_by_name(const char *pattern, const char *bond)
{
	const struct rg_candidate leg = {
		.ifname = "roce0", .bond = bond, .driver = "mlx5_core",
		.rdma = true,
	};
	static struct rg_policy_spec spec;

	rg_policy_init(&spec);
	if (pattern)
		add(spec.match.ifname, &spec.match.n_ifname, pattern);
	return rg_match_score(&spec.match, &leg);
}

/* From the farthest to the closest. */
CASE(a_bonds_name_is_good_for_its_legs)
{
	static const char *const patterns[] = {
		NULL, "bo*", "roce*", "bond0", "roce0",
	};
	size_t i;

	expect_eq(score_by_name("bond0", NULL), 0);
	expect_eq(score_by_name("bond0", ""), 0);
	expect_eq(score_by_name("*d0", ""), 0);
	expect_eq(score_by_name("bond1", "bond0"), 0);
	for (i = 1; i < ARRAY_SIZE(patterns); i++)
		expect_row(score_by_name(patterns[i - 1], "bond0") <
			   score_by_name(patterns[i], "bond0"),
			   "'%s' is closer than what is before it", patterns[i]);
	expect_eq(score_by_name("roce0", "bond0"), score_by_name("roce0", ""));
}

SUITE(match,
      case_of(a_bonds_name_is_good_for_its_legs),
      case_of(a_pattern_stands_for_the_whole_text),
      case_of(the_closest_policy_wins));
