// SPDX-License-Identifier: GPL-2.0
/* user/rollout.c: who comes when. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "rollout.h"

#define HOSTS	10000

/* Neighbours in a rack may have ids that differ in one digit. */
static void host_id(unsigned int host, char id[ROLLOUT_ID_LEN + 1])
{
	snprintf(id, ROLLOUT_ID_LEN + 1, "0123456789abcdef%016x", host);
}

static void a_place_never_changes(void **state)
{
	static const struct {
		const char *id, *policy;
		unsigned int at;
	} cases[] = {
		{ "b08dfa6083e7567a1921a715000001fb", "storage", 51 },
		{ "b08dfa6083e7567a1921a715000001fc", "storage", 4 },
		{ "b08dfa6083e7567a1921a715000001fb", "target", 79 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(rollout_at(cases[i].id, cases[i].policy),
				 cases[i].at);
}

static void every_step_takes_its_share(void **state)
{
	char id[ROLLOUT_ID_LEN + 1];
	unsigned int i, n[100] = { 0 };

	(void)state;
	for (i = 0; i < HOSTS; i++) {
		host_id(i, id);
		n[rollout_at(id, "storage")]++;
	}
	/* 100 are expected, with a standard deviation of 10. */
	for (i = 0; i < 100; i++)
		if (n[i] < 50 || n[i] > 150)
			fail_msg("%u of %u hosts at %u%%", n[i], HOSTS, i);
}

/* Or the same hosts would be the first to try everything. */
static void another_policy_begins_with_others(void **state)
{
	char id[ROLLOUT_ID_LEN + 1];
	unsigned int i, both = 0;

	(void)state;
	for (i = 0; i < HOSTS; i++) {
		host_id(i, id);
		both += rollout_at(id, "storage") < 10 &&
			rollout_at(id, "storage2") < 10;
	}
	if (both < 50 || both > 150)
		fail_msg("%u of %u hosts are in the first 10%% of both", both,
			 HOSTS);
}

static int read_id(const char *text, char id[ROLLOUT_ID_LEN + 1])
{
	char path[] = "/tmp/machine-id-XXXXXX";
	int fd = mkstemp(path), err;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	err = rollout_machine_id(path, id);
	unlink(path);
	return err;
}

static void a_machine_id_is_32_digits(void **state)
{
	char id[ROLLOUT_ID_LEN + 1];

	(void)state;
	assert_int_equal(read_id("b08dfa6083e7567a1921a715000001fb\n", id), 0);
	assert_string_equal(id, "b08dfa6083e7567a1921a715000001fb");
	assert_int_equal(read_id("uninitialized\n", id), -ENODATA);
	assert_int_equal(read_id("", id), -ENODATA);
	assert_int_equal(read_id("b08dfa6083e7567a1921a715000001f\n", id),
			 -ENODATA);
	assert_int_equal(rollout_machine_id("/nonexistent", id), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_place_never_changes),
		cmocka_unit_test(every_step_takes_its_share),
		cmocka_unit_test(another_policy_begins_with_others),
		cmocka_unit_test(a_machine_id_is_32_digits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
