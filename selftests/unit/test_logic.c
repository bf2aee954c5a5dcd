// SPDX-License-Identifier: GPL-2.0
/* The logic that kernel and helper share: match, damping, words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "damping.h"
#include "match.h"
#include "text.h"

#define S 1000000000ULL

static void test_glob(void **state)
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

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++)
		if (rg_glob(cases[i].pattern, cases[i].text) !=
		    cases[i].matches)
			fail_msg("'%s' on '%s'", cases[i].pattern,
				 cases[i].text);
}

static void add(char list[][ROCEGUARD_GLOB_MAX + 1], unsigned int *n,
		const char *pattern)
{
	strcpy(list[(*n)++], pattern);
}

static void test_match(void **state)
{
	const struct rg_candidate port = { "roce0", "mlx5_core", true };
	const struct rg_candidate lossy = { "roce0", "mlx5_core", false };
	struct rg_policy_spec any, driver, glob, exact;

	(void)state;
	rg_policy_init(&any);
	rg_policy_init(&driver);
	rg_policy_init(&glob);
	rg_policy_init(&exact);
	add(driver.match.driver, &driver.match.n_driver, "mlx5_core");
	add(glob.match.ifname, &glob.match.n_ifname, "ens*");
	add(glob.match.ifname, &glob.match.n_ifname, "roce*");
	add(exact.match.ifname, &exact.match.n_ifname, "roce0");

	assert_true(rg_match_score(&any.match, &port) > 0);
	assert_true(rg_match_score(&driver.match, &port) >
		    rg_match_score(&any.match, &port));
	assert_true(rg_match_score(&glob.match, &port) >
		    rg_match_score(&driver.match, &port));
	assert_true(rg_match_score(&exact.match, &port) >
		    rg_match_score(&glob.match, &port));
	assert_int_equal(rg_match_score(&exact.match, &lossy), 0);
	exact.match.rdma = false;
	assert_true(rg_match_score(&exact.match, &lossy) > 0);
	add(exact.match.driver, &exact.match.n_driver, "ice");
	assert_int_equal(rg_match_score(&exact.match, &lossy), 0);
}

static void test_damping_tolerates(void **state)
{
	struct rg_damping d = {};
	u64 now = S;
	int i;

	(void)state;
	/* Five in a minute are not a rival, for however many minutes. */
	for (i = 0; i < 100; i++) {
		assert_false(rg_damping_hit(&d, now));
		assert_false(rg_damping_blocked(&d, now));
		now += RG_DAMPING_WINDOW_NS / RG_DAMPING_HITS;
	}
}

static void test_damping_contests(void **state)
{
	struct rg_damping d = {};
	u64 now = S, pause = RG_DAMPING_FIRST_NS;
	int i;

	(void)state;
	for (i = 0; i < RG_DAMPING_HITS; i++)
		assert_false(rg_damping_hit(&d, now));
	assert_true(rg_damping_hit(&d, now));
	for (i = 0; i < 20; i++) {
		assert_true(rg_damping_blocked(&d, now + pause - 1));
		assert_false(rg_damping_blocked(&d, now + pause));
		now += pause;
		/* Told once; the pause doubles up to its limit. */
		assert_false(rg_damping_hit(&d, now));
		pause = min(2 * pause, (u64)RG_DAMPING_LAST_NS);
		assert_int_equal(d.until, now + pause);
	}
	assert_int_equal(pause, RG_DAMPING_LAST_NS);
}

static void test_damping_calms(void **state)
{
	struct rg_damping d = {};
	u64 now = S;
	int i;

	(void)state;
	for (i = 0; i <= RG_DAMPING_HITS; i++)
		rg_damping_hit(&d, now);
	rg_damping_calm(&d, d.until - 1);
	assert_true(d.contested);
	now = d.until;
	rg_damping_calm(&d, now);
	assert_false(d.contested);
	assert_false(rg_damping_blocked(&d, now));
	/* Back at once: it meets a longer pause. */
	assert_true(rg_damping_hit(&d, now));
	assert_int_equal(d.pause, 2 * RG_DAMPING_FIRST_NS);
	/* Back after a calm minute: it begins anew. */
	now = d.until + RG_DAMPING_WINDOW_NS;
	rg_damping_calm(&d, now);
	assert_int_equal(d.pause, 0);
	assert_false(rg_damping_hit(&d, now));
	rg_damping_reset(&d);
	assert_int_equal(d.hit[0], 0);
}

static void test_text(void **state)
{
	const u8 prio_tc[RG_PRIORITIES] = { [3] = 1, [6] = 2 };
	const u8 tsa[RG_TCS] = { ROCEGUARD_TSA_ETS, ROCEGUARD_TSA_STRICT, 9 };
	const u8 bandwidth[RG_TCS] = { 100 };
	struct rg_text text;
	int i;

	(void)state;
	rg_text_init(&text);
	rg_text_priorities(&text, 0);
	assert_string_equal(text.buf, "none");
	rg_text_init(&text);
	rg_text_priorities(&text, 0x88);
	assert_string_equal(text.buf, "3 7");
	rg_text_init(&text);
	rg_text_ecn(&text, 0x08, 0);
	assert_string_equal(text.buf, "np 3 rp none");
	rg_text_init(&text);
	rg_text_ets(&text, prio_tc, tsa, bandwidth, 3);
	assert_string_equal(text.buf,
			    "prio 3:1 6:2 tc 0:ets:100 1:strict 2:other");
	rg_text_init(&text);
	for (i = 0; i < 64; i++)
		rg_text_add(&text, "%d:3 ", i);
	assert_int_equal(strlen(text.buf), RG_TEXT_MAX - 1);
	assert_string_equal(text.buf + RG_TEXT_MAX - 4, "...");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_glob),
		cmocka_unit_test(test_match),
		cmocka_unit_test(test_damping_tolerates),
		cmocka_unit_test(test_damping_contests),
		cmocka_unit_test(test_damping_calms),
		cmocka_unit_test(test_text),
	};

	return cmocka_run_group_tests_name("logic", tests, NULL, NULL);
}
