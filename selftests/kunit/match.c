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
	expect_str(rg_match_misfit(&exact.match, &lossy), "RDMA");
	exact.match.rdma = false;
	expect_true(rg_match_score(&exact.match, &lossy) > 0);
	add(exact.match.driver, &exact.match.n_driver, "ice");
	expect_eq(rg_match_score(&exact.match, &lossy), 0);
	expect_str(rg_match_misfit(&exact.match, &lossy), "Driver");
}

static const struct rg_candidate full = {
	.ifname = "roce0", .bond = "bond0", .driver = "mlx5_core", .rdma = true,
	.pci = "0000:3b:00.0", .rdma_device = "mlx5_0", .speed = 100000,
};

/* Fits @full in nothing but row @row of the documented table, counted from 1. */
static void set_row(struct rg_policy_spec *spec, int row)
{
	struct rg_match *m = &spec->match;

	switch (row) {
	case 1:
		return add(m->ifname, &m->n_ifname, "roce0");
	case 2:
		return add(m->pci, &m->n_pci, "0000:3b:00.0");
	case 3:
		return add(m->rdma_device, &m->n_rdma_device, "mlx5_0");
	case 4:
		return add(m->ifname, &m->n_ifname, "bond0");
	case 5:
		return add(m->ifname, &m->n_ifname, "roce?");
	case 6:
		return add(m->pci, &m->n_pci, "*:00.0");
	case 7:
		return add(m->rdma_device, &m->n_rdma_device, "mlx5_?");
	case 8:
		return add(m->ifname, &m->n_ifname, "bo*");
	case 9:
		return add(m->driver, &m->n_driver, "mlx5_core");
	case 10:
		return add(m->driver, &m->n_driver, "mlx5_*");
	case 11:
		m->speed_from = 100000;
		m->speed_to = 100000;
		break;
	case 12:
		m->speed_from = 25000;
		break;
	case 13:
		m->rdma = true;
		break;
	}
}

#define ROWS 13

CASE(a_row_beats_all_rows_below_it_together)
{
	static struct rg_policy_spec one, rest;
	int row, below;

	for (row = 1; row <= ROWS; row++) {
		rg_policy_init(&one);
		rg_policy_init(&rest);
		one.match.rdma = false;
		rest.match.rdma = false;
		set_row(&one, row);
		/* With the range a single speed would be one as well. */
		for (below = row + 1; below <= ROWS; below++)
			if (below != 12 || row == 11)
				set_row(&rest, below);
		expect_row(rg_match_score(&one.match, &full) >
			   rg_match_score(&rest.match, &full), "row %d", row);
		expect_row(rg_match_score(&rest.match, &full) > 0,
			   "what is below row %d fits", row);
	}
}

CASE(what_is_not_known_does_not_fit_yet)
{
	static const struct rg_candidate early = {
		.ifname = "roce0", .driver = "mlx5_core", .rdma = true,
		.early = true,
	};
	static const struct rg_candidate late = {
		.ifname = "roce0", .driver = "mlx5_core", .rdma = true,
	};
	static const struct { int row; const char *misfit; bool early; } cases[] = {
		{ 2, "PCI", false }, { 6, "PCI", false },
		{ 3, "RDMADevice", true }, { 7, "RDMADevice", true },
		{ 4, "Name", false }, { 8, "Name", false },
		{ 11, "Speed", true }, { 12, "Speed", true },
	};
	static struct rg_policy_spec spec;
	const char *misfit;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		rg_policy_init(&spec);
		set_row(&spec, cases[i].row);
		misfit = rg_match_misfit(&spec.match, &late);
		expect_row(misfit && !strcmp(misfit, cases[i].misfit),
			   "row %d", cases[i].row);
		expect_row(cases[i].early ==
			   !rg_match_misfit(&spec.match, &early),
			   "early, row %d", cases[i].row);
	}
}

CASE(speeds_have_ends)
{
	static const struct { u32 least, most, speed; bool fits; const char *text; } cases[] = {
		{ 25000, 0, 24999, false, ">=25G" },
		{ 25000, 0, 25000, true, ">=25G" },
		{ 0, 2500, 2500, true, "<=2500M" },
		{ 0, 2500, 2501, false, "<=2500M" },
		{ 100000, 100000, 100000, true, "100G" },
		{ 100000, 100000, 100001, false, "100G" },
		{ 1000, 25000, 10000, true, ">=1G <=25G" },
		{ 1000, 25000, 999, false, ">=1G <=25G" },
		{ 9999999, 10000000, 10000000, true, ">=9999999M <=10000G" },
	};
	static struct rg_policy_spec spec;
	char text[32];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct rg_candidate port = full;

		port.speed = cases[i].speed;
		rg_policy_init(&spec);
		spec.match.speed_from = cases[i].least;
		spec.match.speed_to = cases[i].most;
		expect_row(!rg_match_score(&spec.match, &port) != cases[i].fits,
			   "speed %u on %s", cases[i].speed, cases[i].text);
		rg_speed_text(text, sizeof(text), cases[i].least,
			      cases[i].most);
		expect_str(text, cases[i].text);
	}
}

CASE(the_choice_is_explained)
{
	static struct rg_policy_spec name, driver, twin;
	static struct rg_choice choice;
	const struct rg_policy_spec *order[] = { &name, &driver, &twin };

	rg_policy_init(&name);
	rg_policy_init(&driver);
	rg_policy_init(&twin);
	strcpy(name.name, "n");
	strcpy(driver.name, "d");
	strcpy(twin.name, "t");
	add(name.match.ifname, &name.match.n_ifname, "x*");
	add(name.match.ifname, &name.match.n_ifname, "ro*");
	add(driver.match.driver, &driver.match.n_driver, "mlx5_core");
	twin.match = driver.match;

	rg_match_explain(&choice, order, 1, &full);
	expect_str(choice.why, "the only one that fits: Name=ro*");
	expect_eq(choice.n_lost, 0);
	rg_match_explain(&choice, order, 2, &full);
	expect_str(choice.why, "the closest by Name=ro*");
	expect_eq(choice.n_lost, 1);
	expect_str(choice.lost[0].policy, "d");
	expect_str(choice.lost[0].why, "Name=ro* is closer");

	expect_true(rg_match_beats(&driver, 1, &twin, 1));
	expect_false(rg_match_beats(&twin, 1, &driver, 1));
	rg_match_explain(&choice, order + 1, 2, &full);
	expect_str(choice.why, "as close as others, of the same priority, first by name");
	expect_str(choice.lost[0].why, "as close, of the same priority, later by name");

	twin.priority = 1000;
	driver.priority = 999;
	expect_true(rg_match_beats(&twin, 1, &driver, 1));
	expect_true(rg_match_beats(&driver, 2, &twin, 1));
	order[0] = &twin;
	rg_match_explain(&choice, order, 2, &full);
	expect_str(choice.why, "as close as others, and of Priority=1000");
	expect_str(choice.lost[0].why, "as close, but of Priority=999");

	rg_policy_init(&twin);
	twin.match.rdma = false;
	rg_match_explain(&choice, order, 1, &full);
	expect_str(choice.why, "the only one that fits: it takes every port");
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
      case_of(the_closest_policy_wins),
      case_of(a_row_beats_all_rows_below_it_together),
      case_of(what_is_not_known_does_not_fit_yet),
      case_of(speeds_have_ends),
      case_of(the_choice_is_explained));
