// SPDX-License-Identifier: GPL-2.0
#include "case.h"
#include "damping.h"

#define S 1000000000ULL

CASE(five_a_minute_are_no_rival)
{
	struct rg_damping d = {};
	u64 now = S;
	int i;

	/* Five in a minute are not a rival, for however many minutes. */
	for (i = 0; i < 100; i++) {
		expect_false(rg_damping_hit(&d, now));
		expect_false(rg_damping_blocked(&d, now));
		now += RG_DAMPING_WINDOW_NS / RG_DAMPING_HITS;
	}
}

CASE(the_sixth_is_a_rival_and_meets_longer_pauses)
{
	struct rg_damping d = {};
	u64 now = S, pause = RG_DAMPING_FIRST_NS;
	int i;

	for (i = 0; i < RG_DAMPING_HITS; i++)
		expect_false(rg_damping_hit(&d, now));
	expect_true(rg_damping_hit(&d, now));
	for (i = 0; i < 20; i++) {
		expect_true(rg_damping_blocked(&d, now + pause - 1));
		expect_false(rg_damping_blocked(&d, now + pause));
		now += pause;
		/* Told once; the pause doubles up to its limit. */
		expect_false(rg_damping_hit(&d, now));
		pause = min(2 * pause, (u64)RG_DAMPING_LAST_NS);
		expect_eq(d.until, now + pause);
	}
	expect_eq(pause, RG_DAMPING_LAST_NS);
}

CASE(a_quarrel_ends)
{
	struct rg_damping d = {};
	u64 now = S;
	int i;

	for (i = 0; i <= RG_DAMPING_HITS; i++)
		rg_damping_hit(&d, now);
	rg_damping_calm(&d, d.until - 1);
	expect_true(d.contested);
	now = d.until;
	rg_damping_calm(&d, now);
	expect_false(d.contested);
	expect_false(rg_damping_blocked(&d, now));
	/* Back at once: it meets a longer pause. */
	expect_true(rg_damping_hit(&d, now));
	expect_eq(d.pause, 2 * RG_DAMPING_FIRST_NS);
	/* Back after a calm minute: it begins anew. */
	now = d.until + RG_DAMPING_WINDOW_NS;
	rg_damping_calm(&d, now);
	expect_eq(d.pause, 0);
	expect_false(rg_damping_hit(&d, now));
	rg_damping_reset(&d);
	expect_eq(d.hit[0], 0);
}

SUITE(damping,
      case_of(five_a_minute_are_no_rival),
      case_of(the_sixth_is_a_rival_and_meets_longer_pauses),
      case_of(a_quarrel_ends));
