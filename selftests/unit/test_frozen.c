// SPDX-License-Identifier: GPL-2.0
/* user/frozen.c: what is kept is read back, anything else is refused. */
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

#include "frozen.h"

static char folder[] = "/tmp/frozen-XXXXXX";
static char path[64];

static int make_folder(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/state/frozen", folder);
	return setenv("ROCEGUARD_FROZEN", path, 1);
}

static int remove_folder(void **state)
{
	char state_folder[64];

	(void)state;
	snprintf(state_folder, sizeof(state_folder), "%s/state", folder);
	return rmdir(state_folder) || rmdir(folder);
}

static void what_is_kept_is_read_back(void **state)
{
	static const time_t times[] = { FROZEN_FOR_EVER, 1, 1798765432 };
	time_t until;
	size_t i;

	(void)state;
	assert_int_equal(frozen_read(&until), -ENOENT);
	assert_int_equal(frozen_forget(), 0);
	for (i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		assert_int_equal(frozen_keep(times[i]), 0);
		until = 7;
		assert_int_equal(frozen_read(&until), 0);
		assert_true(until == times[i]);
	}
	assert_int_equal(frozen_forget(), 0);
	assert_int_equal(frozen_read(&until), -ENOENT);
}

static void anything_else_is_refused(void **state)
{
	static const char *const bad[] = {
		"", "\n", "until=\n", "until=thaw", "until=thaw \n",
		"until=-1\n", "until=0\n", "until=1x\n", "until=1\n\n",
		"until=99999999999999999999\n", "since=1\n",
	};
	time_t until;
	size_t i;
	FILE *f;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		f = fopen(path, "w");
		assert_non_null(f);
		fputs(bad[i], f);
		fclose(f);
		if (frozen_read(&until) != -EBADMSG)
			fail_msg("'%s' is taken", bad[i]);
	}
	assert_int_equal(frozen_forget(), 0);
}

static void what_cannot_be_kept_is_told(void **state)
{
	(void)state;
	setenv("ROCEGUARD_FROZEN", "/proc/none/frozen", 1);
	assert_int_equal(frozen_keep(1), -ENOENT);
	setenv("ROCEGUARD_FROZEN", path, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_kept_is_read_back),
		cmocka_unit_test(anything_else_is_refused),
		cmocka_unit_test(what_cannot_be_kept_is_told),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
