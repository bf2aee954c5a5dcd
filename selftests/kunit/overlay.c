// SPDX-License-Identifier: GPL-2.0
#include "case.h"
#include "overlay.h"
#include "params.h"

enum { NP, RP };

static const struct rg_said root = { .generation = 5, .pid = 7, .comm = "sh" };

static const char *words(const struct rg_overlay *overlay, struct rg_text *text)
{
	rg_text_init(text);
	rg_overlay_describe(overlay, ROCEGUARD_KNOB_ECN, text);
	return text->buf;
}

CASE(what_is_said_goes_over_the_policy)
{
	struct rg_want want = {
		.knobs = BIT(ROCEGUARD_KNOB_PFC) | BIT(ROCEGUARD_KNOB_ECN),
		.ecn_on = { BIT(3), BIT(3) },
		.ecn_off = { BIT(4), 0 },
	};
	struct rg_overlay overlay = {};

	rg_overlay_say_ecn(&overlay, NP, 4, true, &root);
	rg_overlay_say_ecn(&overlay, RP, 3, false, &root);
	rg_overlay_apply(&overlay, &want);
	expect_eq(want.ecn_on[NP], BIT(3) | BIT(4));
	expect_eq(want.ecn_off[NP], 0);
	expect_eq(want.ecn_on[RP], 0);
	expect_eq(want.ecn_off[RP], BIT(3));
	expect_eq(want.knobs, BIT(ROCEGUARD_KNOB_PFC) | BIT(ROCEGUARD_KNOB_ECN));
}

CASE(without_a_policy_it_is_all_there_is)
{
	struct rg_overlay overlay = {};
	struct rg_want want = {};

	rg_overlay_apply(&overlay, &want);
	expect_eq(want.knobs, 0);
	rg_overlay_say_ecn(&overlay, NP, 7, true, &root);
	rg_overlay_apply(&overlay, &want);
	expect_eq(want.knobs, BIT(ROCEGUARD_KNOB_ECN));
	expect_eq(want.ecn_on[NP], BIT(7));
	expect_eq(want.ecn_on[RP], 0);
}

CASE(said_twice_is_no_news)
{
	struct rg_said other = root;
	struct rg_overlay overlay = {};
	u32 serial;

	other.pid = 8;
	expect_true(rg_overlay_say_ecn(&overlay, NP, 3, false, &root));
	serial = overlay.serial;
	expect_false(rg_overlay_say_ecn(&overlay, NP, 3, false, &other));
	expect_eq(overlay.serial, serial);
	expect_eq(overlay.said[ROCEGUARD_KNOB_ECN].pid, 7);
	expect_true(rg_overlay_say_ecn(&overlay, NP, 3, true, &other));
	expect_eq(overlay.said[ROCEGUARD_KNOB_ECN].pid, 8);
	expect_eq(rg_overlay_ecn(&overlay, NP, 3), RG_YES);
	expect_eq(rg_overlay_ecn(&overlay, RP, 3), RG_NOT_SAID);
}

CASE(the_last_word_counts)
{
	struct rg_overlay overlay = {};
	struct rg_said again = root;
	u32 serial;

	rg_overlay_say_ecn(&overlay, NP, 3, true, &root);
	serial = overlay.serial;
	/* There before, does not name it, comes after. */
	rg_overlay_yield(&overlay, BIT(ROCEGUARD_KNOB_ECN), root.generation);
	rg_overlay_yield(&overlay, BIT(ROCEGUARD_KNOB_PFC), root.generation + 1);
	expect_eq(overlay.serial, serial);
	expect_eq(rg_overlay_ecn(&overlay, NP, 3), RG_YES);
	/* Said again after it: no news, and still the last word. */
	again.generation++;
	expect_false(rg_overlay_say_ecn(&overlay, NP, 3, true, &again));
	rg_overlay_yield(&overlay, BIT(ROCEGUARD_KNOB_ECN), root.generation + 1);
	expect_eq(rg_overlay_ecn(&overlay, NP, 3), RG_YES);
	rg_overlay_yield(&overlay, BIT(ROCEGUARD_KNOB_ECN), root.generation + 2);
	expect_eq(rg_overlay_ecn(&overlay, NP, 3), RG_NOT_SAID);
	expect_eq(overlay.knobs, 0);
	expect_true(overlay.serial != serial);
}

CASE(parameters_are_said_too)
{
	struct rg_want want = {
		.knobs	= BIT(ROCEGUARD_KNOB_DCQCN),
		.params = BIT(ROCEGUARD_PARAM_RP_GD) |
			  BIT(ROCEGUARD_PARAM_RP_AI_RATE),
		.param	= { [ROCEGUARD_PARAM_RP_GD] = 10,
			    [ROCEGUARD_PARAM_RP_AI_RATE] = 5 },
	};
	struct rg_overlay overlay = {};
	struct rg_text text;

	expect_true(rg_overlay_say_param(&overlay, ROCEGUARD_PARAM_RP_AI_RATE,
					 20, &root));
	expect_false(rg_overlay_say_param(&overlay, ROCEGUARD_PARAM_RP_AI_RATE,
					  20, &root));
	expect_true(rg_overlay_say_param(&overlay, ROCEGUARD_PARAM_NP_CNP_DSCP,
					 0, &root));
	rg_overlay_apply(&overlay, &want);
	expect_eq(want.param[ROCEGUARD_PARAM_RP_GD], 10);
	expect_eq(want.param[ROCEGUARD_PARAM_RP_AI_RATE], 20);
	expect_eq(want.param[ROCEGUARD_PARAM_NP_CNP_DSCP], 0);
	expect_true(want.params & BIT(ROCEGUARD_PARAM_NP_CNP_DSCP));
	expect_eq(want.knobs, BIT(ROCEGUARD_KNOB_DCQCN) | BIT(ROCEGUARD_KNOB_CNP));
	rg_text_init(&text);
	rg_overlay_describe(&overlay, ROCEGUARD_KNOB_DCQCN, &text);
	expect_true(strstr(text.buf, "20"));
	/* A policy on DCQCN says nothing of CNPs. */
	rg_overlay_yield(&overlay, BIT(ROCEGUARD_KNOB_DCQCN), root.generation + 1);
	expect_eq(overlay.params, BIT(ROCEGUARD_PARAM_NP_CNP_DSCP));
	expect_eq(overlay.knobs, BIT(ROCEGUARD_KNOB_CNP));
}

CASE(it_is_told_in_words)
{
	struct rg_overlay overlay = {};
	struct rg_text text;

	expect_str(words(&overlay, &text), "");
	rg_overlay_say_ecn(&overlay, NP, 3, true, &root);
	rg_overlay_say_ecn(&overlay, RP, 3, true, &root);
	expect_str(words(&overlay, &text), "np 3 rp 3");
	rg_overlay_say_ecn(&overlay, NP, 3, false, &root);
	rg_overlay_say_ecn(&overlay, RP, 5, false, &root);
	expect_str(words(&overlay, &text), "np off 3 rp 3 off 5");
	rg_overlay_init(&overlay);
	expect_str(words(&overlay, &text), "");
	expect_eq(overlay.knobs, 0);
}

SUITE(overlay,
      case_of(what_is_said_goes_over_the_policy),
      case_of(without_a_policy_it_is_all_there_is),
      case_of(said_twice_is_no_news),
      case_of(the_last_word_counts),
      case_of(parameters_are_said_too),
      case_of(it_is_told_in_words));
