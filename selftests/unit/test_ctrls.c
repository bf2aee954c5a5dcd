// SPDX-License-Identifier: GPL-2.0
/* user/agent/ctrls.c: which NVMe controllers lost their connection, by sysfs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/agent.h"

static char root[64];

static int begin(void **state)
{
	char path[128];

	(void)state;
	snprintf(root, sizeof(root), "/tmp/ctrls-XXXXXX");
	if (!mkdtemp(root))
		return -1;
	snprintf(path, sizeof(path), "%s/class", root);
	if (mkdir(path, 0755))
		return -1;
	snprintf(path, sizeof(path), "%s/class/nvme", root);
	return mkdir(path, 0755);
}

static int take_away(const char *path, const struct stat *st, int type,
		     struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static int end(void **state)
{
	(void)state;
	return nftw(root, take_away, 8, FTW_DEPTH | FTW_PHYS);
}

static void put(const char *name, const char *attr, const char *text)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/class/nvme/%s", root, name);
	if (mkdir(path, 0755))
		assert_int_equal(errno, EEXIST);
	snprintf(path, sizeof(path), "%s/class/nvme/%s/%s", root, name, attr);
	f = fopen(path, "w");
	assert_non_null(f);
	fprintf(f, "%s\n", text);
	assert_int_equal(fclose(f), 0);
}

static void put_ctrl(const char *name, const char *transport, const char *state)
{
	put(name, "transport", transport);
	put(name, "address", "traddr=192.0.2.1,trsvcid=4420");
	put(name, "state", state);
}

/* Of each state after being live: is the connection lost? */
static void a_loss_is_one_that_reconnects(void **state)
{
	static const struct {
		const char *state;
		bool lost;
	} after[] = {
		{ "connecting", true }, { "resetting", true },
		{ "live", false }, { "deleting", false },
		{ "deleting (no IO)", false }, { "dead", false },
	};
	struct agent_ctrls ctrls = { 0 };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(after); i++) {
		put_ctrl("nvme0", "rdma", "live");
		assert_int_equal(agent_ctrls_read(&ctrls, root), 0);
		assert_int_equal(ctrls.n, 1);
		assert_true(ctrls.ctrl[0].live);
		put_ctrl("nvme0", "rdma", after[i].state);
		assert_int_equal(agent_ctrls_read(&ctrls, root), 0);
		assert_int_equal(ctrls.ctrl[0].lost, after[i].lost);
		/* It is told once. */
		assert_int_equal(agent_ctrls_read(&ctrls, root), 0);
		assert_false(ctrls.ctrl[0].lost);
	}
	agent_ctrls_free(&ctrls);
}

static void one_that_never_was_live_loses_nothing(void **state)
{
	struct agent_ctrls ctrls = { 0 };

	(void)state;
	put_ctrl("nvme0", "rdma", "connecting");
	assert_int_equal(agent_ctrls_read(&ctrls, root), 0);
	assert_false(ctrls.ctrl[0].lost);
	assert_string_equal(ctrls.ctrl[0].address,
			    "traddr=192.0.2.1,trsvcid=4420");
	agent_ctrls_free(&ctrls);
}

static void others_are_passed_over_and_gone_ones_forgotten(void **state)
{
	struct agent_ctrls ctrls = { 0 };
	char path[128];

	(void)state;
	put_ctrl("nvme0", "pcie", "live");
	put_ctrl("nvme1", "rdma", "live");
	put_ctrl("nvme2", "tcp", "live");
	assert_int_equal(agent_ctrls_read(&ctrls, root), 0);
	assert_int_equal(ctrls.n, 1);
	assert_string_equal(ctrls.ctrl[0].name, "nvme1");
	snprintf(path, sizeof(path), "%s/class/nvme/nvme1", root);
	assert_int_equal(nftw(path, take_away, 8, FTW_DEPTH | FTW_PHYS), 0);
	assert_int_equal(agent_ctrls_read(&ctrls, root), 0);
	assert_int_equal(ctrls.n, 0);
	/* Without the class, too. */
	assert_int_equal(agent_ctrls_read(&ctrls, "/nonexistent"), 0);
	agent_ctrls_free(&ctrls);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_loss_is_one_that_reconnects,
						begin, end),
		cmocka_unit_test_setup_teardown(one_that_never_was_live_loses_nothing,
						begin, end),
		cmocka_unit_test_setup_teardown(others_are_passed_over_and_gone_ones_forgotten,
						begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
