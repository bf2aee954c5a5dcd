// SPDX-License-Identifier: GPL-2.0
/* Every value has its own dashed word, and strings are clean. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base.h"
#include "counter.h"
#include "print.h"
#include "words.h"

static const struct rg_words *const tables[] = {
	&rg_words_mode, &rg_words_policy_mode, &rg_words_disruptive, &rg_words_dcbx_mode,
	&rg_words_knob, &rg_words_verdict,
	&rg_words_source, &rg_words_cost, &rg_words_state, &rg_words_trigger,
	&rg_words_action, &rg_words_trust, &rg_words_tsa,
	&rg_words_counter, &rg_words_direction, &rg_words_storm_action,
	&rg_words_incident,
};

static void every_value_has_a_word(void **state)
{
	size_t t, i;

	(void)state;
	for (t = 0; t < ARRAY_SIZE(tables); t++) {
		assert_true(tables[t]->n > 1);
		for (i = 0; i < tables[t]->n; i++)
			assert_non_null(tables[t]->word[i]);
	}
}

/* Those of counters are names of files and of metrics. */
static const char *fit_for(const struct rg_words *words)
{
	return words == &rg_words_counter ? "abcdefghijklmnopqrstuvwxyz_" :
					    "abcdefghijklmnopqrstuvwxyz-";
}

static void words_are_lower_case_and_dashed(void **state)
{
	size_t t, i;

	(void)state;
	for (t = 0; t < ARRAY_SIZE(tables); t++)
		for (i = 0; i < tables[t]->n; i++)
			assert_int_equal(strspn(tables[t]->word[i],
						fit_for(tables[t])),
					 strlen(tables[t]->word[i]));
}

static void counters_per_priority_come_first(void **state)
{
	u32 i;

	(void)state;
	assert_int_equal(rg_words_counter.n, RG_COUNTERS);
	for (i = 0; i < RG_COUNTERS; i++)
		assert_int_equal(rg_counter_per_priority(i),
				 i <= ROCEGUARD_COUNTER_RX_MARKED);
}

static void a_word_leads_back_to_its_value(void **state)
{
	size_t t, i;

	(void)state;
	for (t = 0; t < ARRAY_SIZE(tables); t++)
		for (i = 0; i < tables[t]->n; i++)
			assert_int_equal(rg_word_value(tables[t],
						    rg_word(tables[t], i)), i);
}

static void newer_values_are_unknown(void **state)
{
	(void)state;
	assert_string_equal(rg_word(&rg_words_state, 8), "unknown");
	assert_string_equal(rg_word(&rg_words_state, UINT32_MAX), "unknown");
	assert_int_equal(rg_word_value(&rg_words_state, "unknown"), -1);
	assert_int_equal(rg_word_value(&rg_words_state, ""), -1);
}

static void some_words_as_the_design_has_them(void **state)
{
	(void)state;
	assert_string_equal(rg_word(&rg_words_trigger, 7), "dcb-event");
	assert_string_equal(rg_word(&rg_words_cost, 1), "link-drop");
	assert_string_equal(rg_word(&rg_words_verdict, 10), "contested");
	assert_string_equal(rg_word(&rg_words_state, 2), "enforced");
	assert_string_equal(rg_word(&rg_words_knob, 3), "pfc");
	assert_string_equal(rg_word(&rg_words_counter, 2), "rx_pause_us");
	assert_string_equal(rg_word(&rg_words_incident, 2), "link-down");
}

static const struct {
	const char *in;
	const char *out;
} clean_cases[] = {
	{ "", "" },
	{ "roce0", "roce0" },
	{ "a\nb\x1b[31m", "a\\x0ab\\x1b[31m" },
	{ "\x7f", "\\x7f" },
	{ "caf\xc3\xa9", "caf\xc3\xa9" },
	{ "caf\xe9", "caf\\xe9" },
	{ "\xc2\x9b" "31m", "\\xc2\\x9b31m" },		/* C1 control */
	{ "\xc0\xaf", "\\xc0\\xaf" },			/* over-long */
	{ "\xed\xa0\x80", "\\xed\\xa0\\x80" },		/* surrogate */
	{ "\xf0\x9f\x90\xa7", "\xf0\x9f\x90\xa7" },
	{ "\xf0\x9f\x90", "\\xf0\\x9f\\x90" },		/* cut short */
	{ "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80" },	/* above U+10FFFF */
};

static void strings_are_cleaned(void **state)
{
	char buf[64];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(clean_cases); i++)
		assert_string_equal(rg_clean(buf, sizeof(buf),
					     clean_cases[i].in),
				    clean_cases[i].out);
}

static void long_strings_are_cut(void **state)
{
	char buf[16];

	(void)state;
	rg_clean(buf, sizeof(buf), "0123456789012345678901234567890");
	assert_string_equal(buf, "012345678...");
	rg_clean(buf, sizeof(buf), "\n\n\n\n\n\n");
	assert_true(strlen(buf) < sizeof(buf));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_value_has_a_word),
		cmocka_unit_test(words_are_lower_case_and_dashed),
		cmocka_unit_test(counters_per_priority_come_first),
		cmocka_unit_test(a_word_leads_back_to_its_value),
		cmocka_unit_test(newer_values_are_unknown),
		cmocka_unit_test(some_words_as_the_design_has_them),
		cmocka_unit_test(strings_are_cleaned),
		cmocka_unit_test(long_strings_are_cut),
	};

	return cmocka_run_group_tests_name("words", tests, NULL, NULL);
}
