// SPDX-License-Identifier: GPL-2.0
/* The agent's backends, on folders that look like sysfs and configfs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "delegate/delegate.h"
#include "delegate/ecn.h"

#define CM	"sys/kernel/config/rdma_cm/rxe0/ports/1"

/**
 * struct tree - a folder that a test has for a root, and a task that looks at it
 */
struct tree {
	char root[64];
	struct model_port port;
	struct rg_want want;
	struct delegate_task task;
	struct model_report report;
};

static void path_in(const struct tree *t, char *path, const char *file)
{
	snprintf(path, 512, "%s/%s", t->root, file);
}

/* Makes the file and every folder above it; with a time long past. */
static void put(const struct tree *t, const char *file, const char *text)
{
	const struct timespec past[2] = { { .tv_sec = 1 }, { .tv_sec = 1 } };
	char path[512], *slash;
	FILE *f;

	path_in(t, path, file);
	for (slash = strchr(path + 1, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0755))
			assert_int_equal(errno, EEXIST);
		*slash = '/';
	}
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(utimensat(AT_FDCWD, path, past, 0), 0);
}

static bool was_written(const struct tree *t, const char *file)
{
	char path[512];
	struct stat st;

	path_in(t, path, file);
	assert_int_equal(stat(path, &st), 0);
	return st.st_mtim.tv_sec != 1;
}

static void assert_file(const struct tree *t, const char *file, const char *text)
{
	char path[512], seen[DELEGATE_FILE_MAX];

	path_in(t, path, file);
	assert_int_equal(file_read(path, seen), 0);
	assert_string_equal(seen, text);
}

static int make_tree(void **state)
{
	struct tree *t = calloc(1, sizeof(*t));

	if (!t)
		return -1;
	strcpy(t->root, "/tmp/rg-test-delegate-XXXXXX");
	*state = t;
	if (!mkdtemp(t->root))
		return -1;
	strcpy(t->port.ifname, "roce0");
	strcpy(t->port.driver, "labnic");
	strcpy(t->port.rdma_device, "rxe0");
	t->port.rdma_port = 1;
	t->want.cm_tos = 104;
	t->want.cm_mode = 2;
	t->task = (struct delegate_task){
		.root = t->root, .port = &t->port, .want = &t->want,
		.knob = ROCEGUARD_KNOB_RDMA_CM, .hold = true,
	};
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static int remove_tree(void **state)
{
	struct tree *t = *state;

	nftw(t->root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	free(t);
	return 0;
}

static void assert_verdict(struct tree *t, uint32_t verdict, int err)
{
	assert_true(delegate_run(&t->task, &t->report));
	assert_int_equal(t->report.verdict, verdict);
	assert_int_equal(t->report.err, err);
	assert_int_equal(t->report.knob, t->task.knob);
}

/* rdma-cm */

static void cm_that_is_right_is_not_written(void **state)
{
	struct tree *t = *state;

	put(t, CM "/default_roce_tos", "104\n");
	put(t, CM "/default_roce_mode", "RoCE v2\n");
	assert_verdict(t, ROCEGUARD_VERDICT_HELD, 0);
	assert_string_equal(t->report.have, "tos 104 mode 2");
	assert_string_equal(t->report.reason, "");
	assert_false(was_written(t, CM "/default_roce_tos"));
	assert_false(was_written(t, CM "/default_roce_mode"));
}

static void of_cm_what_differs_is_written(void **state)
{
	struct tree *t = *state;

	put(t, CM "/default_roce_tos", "0\n");
	put(t, CM "/default_roce_mode", "RoCE v2\n");
	assert_verdict(t, ROCEGUARD_VERDICT_CORRECTED, 0);
	assert_string_equal(t->report.from, "tos 0 mode 2");
	assert_string_equal(t->report.have, "tos 104 mode 2");
	assert_non_null(strstr(t->report.reason, "users of rdma_cm here: "));
	assert_file(t, CM "/default_roce_tos", "104");
	assert_false(was_written(t, CM "/default_roce_mode"));

	put(t, CM "/default_roce_mode", "IB/RoCE v1\n");
	assert_verdict(t, ROCEGUARD_VERDICT_CORRECTED, 0);
	assert_string_equal(t->report.from, "tos 104 mode 1");
	assert_file(t, CM "/default_roce_mode", "RoCE v2");
}

static void of_cm_what_is_not_named_is_not_read(void **state)
{
	struct tree *t = *state;

	put(t, CM "/default_roce_mode", "RoCE v2\n");
	t->want.cm_tos = RG_UNSET;
	assert_verdict(t, ROCEGUARD_VERDICT_HELD, 0);
	assert_string_equal(t->report.have, "mode 2");
}

static void cm_is_left_wrong_if_it_is_to_be(void **state)
{
	struct tree *t = *state;

	put(t, CM "/default_roce_tos", "0\n");
	put(t, CM "/default_roce_mode", "RoCE v2\n");
	t->task.hold = false;
	assert_verdict(t, ROCEGUARD_VERDICT_DRIFTED, 0);
	assert_string_equal(t->report.have, "tos 0 mode 2");
	assert_false(was_written(t, CM "/default_roce_tos"));
}

static bool says_no(void *arg)
{
	++*(int *)arg;
	return false;
}

static void who_says_no_is_heard_before_a_write(void **state)
{
	struct tree *t = *state;
	int asked = 0;

	put(t, CM "/default_roce_tos", "0\n");
	put(t, CM "/default_roce_mode", "RoCE v2\n");
	t->task.may_write = says_no;
	t->task.arg = &asked;
	assert_false(delegate_run(&t->task, &t->report));
	assert_int_equal(asked, 1);
	assert_false(was_written(t, CM "/default_roce_tos"));
	put(t, CM "/default_roce_tos", "104\n");
	assert_verdict(t, ROCEGUARD_VERDICT_HELD, 0);
	assert_int_equal(asked, 1);
}

static const struct {
	const char *tos;
	const char *mode;
} cm_garbage[] = {
	{ "", "RoCE v2\n" },
	{ "256\n", "RoCE v2\n" },
	{ "-1\n", "RoCE v2\n" },
	{ "104 \n", "RoCE v2\n" },
	{ "tos\n", "RoCE v2\n" },
	{ "99999999999999999999999\n", "RoCE v2\n" },
	{ "104\n", "RoCE v3\n" },
	{ "104\n", "" },
};

static void what_cm_should_not_say_is_refused(void **state)
{
	struct tree *t = *state;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cm_garbage); i++) {
		put(t, CM "/default_roce_tos", cm_garbage[i].tos);
		put(t, CM "/default_roce_mode", cm_garbage[i].mode);
		assert_verdict(t, ROCEGUARD_VERDICT_REFUSED, EBADMSG);
		assert_false(was_written(t, CM "/default_roce_tos"));
		assert_false(was_written(t, CM "/default_roce_mode"));
	}
}

static void what_cm_lacks_is_told(void **state)
{
	struct tree *t = *state;

	assert_verdict(t, ROCEGUARD_VERDICT_PENDING, EAGAIN);
	assert_non_null(strstr(t->report.reason, "run 'modprobe rdma_cm'"));

	strcpy(t->port.rdma_device, "");
	assert_verdict(t, ROCEGUARD_VERDICT_UNSUPPORTED, EOPNOTSUPP);
	assert_string_equal(t->report.reason, "roce0 has no RDMA device; load the RDMA driver of its NIC");
	strcpy(t->port.rdma_device, "../rxe0");
	assert_verdict(t, ROCEGUARD_VERDICT_UNSUPPORTED, EOPNOTSUPP);

	/* Its files are not there: not one that configfs made. */
	strcpy(t->port.rdma_device, "rxe1");
	put(t, CM "/default_roce_tos", "104\n");
	assert_verdict(t, ROCEGUARD_VERDICT_REFUSED, ENOENT);
}

/* vlan-egress */

static const struct {
	uint8_t egress[VLAN_SKPRIOS];
	uint8_t right[VLAN_SKPRIOS];
	unsigned int wrong;
} maps[] = {
	{ { [2] = 3 }, { [2] = 3 }, 0 },
	{ { 0 }, { [2] = 3 }, BIT(2) },
	{ { [2] = 5 }, { [2] = 3 }, BIT(2) },
	/* Nothing else onto the priority of the class, the rest as it is. */
	{ { [0] = 3, [2] = 3, [6] = 3, [7] = 5 }, { [2] = 3, [7] = 5 },
	  BIT(0) | BIT(6) },
	{ { [2] = 3, [15] = 3 }, { [2] = 3 }, BIT(15) },
};

static void an_egress_map_has_the_class_alone(void **state)
{
	struct tree *t = *state;
	uint8_t right[VLAN_SKPRIOS];
	size_t i;

	memset(t->want.egress, RG_UNSET, sizeof(t->want.egress));
	t->want.egress[2] = 3;
	for (i = 0; i < ARRAY_SIZE(maps); i++) {
		assert_int_equal(vlan_differs(&t->want, maps[i].egress, right),
				 maps[i].wrong);
		assert_memory_equal(right, maps[i].right, sizeof(right));
	}
	/* Priority 0 is anybody's. */
	t->want.egress[2] = 0;
	assert_int_equal(vlan_differs(&t->want, maps[1].egress, right), 0);
}

/* ecn */

#define OFED	"sys/class/net/roce0/ecn"

static void want_ecn(struct tree *t, const char *driver)
{
	strcpy(t->port.driver, driver);
	t->task.knob = ROCEGUARD_KNOB_ECN;
	t->want.ecn_on[DELEGATE_NP] = t->want.ecn_on[DELEGATE_RP] = BIT(3);
	t->want.ecn_off[DELEGATE_NP] = t->want.ecn_off[DELEGATE_RP] = BIT(4);
}

static void of_ofed_what_differs_is_written(void **state)
{
	struct tree *t = *state;

	want_ecn(t, "mlx5_core");
	put(t, "sys/module/mlx_compat/refcnt", "1\n");
	put(t, OFED "/roce_np/enable/0", "0\n");
	put(t, OFED "/roce_np/enable/3", "1\n");
	put(t, OFED "/roce_np/enable/4", "1\n");
	put(t, OFED "/roce_rp/enable/3", "0\n");
	put(t, OFED "/roce_rp/enable/4", "1\n");
	put(t, OFED "/roce_rp/enable/5", "0\n");
	t->want.ecn_off[DELEGATE_RP] |= BIT(5);
	assert_verdict(t, ROCEGUARD_VERDICT_CORRECTED, 0);
	assert_string_equal(t->report.from, "np 3 rp 4");
	assert_string_equal(t->report.have, "np 3 rp 3");
	assert_file(t, OFED "/roce_rp/enable/3", "1");
	assert_file(t, OFED "/roce_rp/enable/4", "0");
	/* The older ones answer it with EPERM. */
	assert_false(was_written(t, OFED "/roce_np/enable/3"));
	assert_false(was_written(t, OFED "/roce_rp/enable/5"));
	/* The notification point is the port's: on for one, on for all. */
	assert_false(was_written(t, OFED "/roce_np/enable/4"));
	assert_false(was_written(t, OFED "/roce_np/enable/0"));
	assert_verdict(t, ROCEGUARD_VERDICT_HELD, 0);
}

/* Made by roceguard itself, or of another namespace's port of that name. */
static void files_that_are_not_ofeds_are_left_alone(void **state)
{
	struct tree *t = *state;

	want_ecn(t, "mlx5_core");
	put(t, OFED "/roce_np/enable/0", "0\n");
	put(t, OFED "/roce_np/enable/3", "0\n");
	assert_verdict(t, ROCEGUARD_VERDICT_UNSUPPORTED, EOPNOTSUPP);
	assert_non_null(strstr(t->report.reason, "no file for ECN"));
	put(t, "sys/module/mlx_compat/refcnt", "1\n");
	t->port.has_netnsid = true;
	assert_verdict(t, ROCEGUARD_VERDICT_UNSUPPORTED, EOPNOTSUPP);
	assert_false(was_written(t, OFED "/roce_np/enable/3"));
}

static void a_file_of_ofed_that_is_missing_is_named(void **state)
{
	struct tree *t = *state;

	want_ecn(t, "mlx5_core");
	put(t, "sys/module/mlx_compat/refcnt", "1\n");
	put(t, OFED "/roce_np/enable/0", "0\n");
	assert_verdict(t, ROCEGUARD_VERDICT_REFUSED, ENOENT);
	assert_string_equal(t->report.reason, "/" OFED "/roce_np/enable/3: No such file or directory");
}

#define BNXT_CC	"sys/kernel/config/bnxt_re/rxe0/ports/1/cc"

static void bnxt_has_one_switch_and_applies_it(void **state)
{
	struct tree *t = *state;

	want_ecn(t, "bnxt_en");
	put(t, BNXT_CC "/ecn_enable", "0x0\n");
	put(t, BNXT_CC "/apply", "");
	assert_verdict(t, ROCEGUARD_VERDICT_CORRECTED, 0);
	assert_string_equal(t->report.from, "np none rp none");
	assert_string_equal(t->report.have, "np port-wide rp port-wide");
	assert_non_null(strstr(t->report.reason, "off for some"));
	assert_file(t, BNXT_CC "/ecn_enable", "0x1");
	assert_file(t, BNXT_CC "/apply", "0x1");
	put(t, BNXT_CC "/apply", "");
	assert_verdict(t, ROCEGUARD_VERDICT_HELD, 0);
	assert_false(was_written(t, BNXT_CC "/apply"));

	memset(t->want.ecn_on, 0, sizeof(t->want.ecn_on));
	assert_verdict(t, ROCEGUARD_VERDICT_CORRECTED, 0);
	assert_file(t, BNXT_CC "/ecn_enable", "0x0");
}

#define BNXT_DEBUG	"sys/kernel/debug/bnxt_re/0000:3b:00.0/cc_config/enable_cc"

static void bnxt_of_the_kernel_is_found_by_pci_address(void **state)
{
	struct tree *t = *state;
	char path[512];

	want_ecn(t, "bnxt_en");
	assert_verdict(t, ROCEGUARD_VERDICT_UNSUPPORTED, EOPNOTSUPP);
	put(t, "sys/class/net/roce0/mtu", "1500\n");
	path_in(t, path, "sys/class/net/roce0/device");
	assert_int_equal(symlink("../../../devices/pci0000:3a/0000:3b:00.0",
				 path), 0);
	put(t, BNXT_DEBUG, "0x0\n");
	assert_verdict(t, ROCEGUARD_VERDICT_CORRECTED, 0);
	assert_file(t, BNXT_DEBUG, "1");
	assert_verdict(t, ROCEGUARD_VERDICT_HELD, 0);
}

static void lockdown_is_told_from_other_refusals(void **state)
{
	struct tree *t = *state;
	char path[512];

	path_in(t, path, "sys/x");
	ecn_blame(&t->task, path, -EPERM);
	assert_string_equal(t->task.reason, "/sys/x: Operation not permitted");
	put(t, "sys/kernel/security/lockdown", "[none] integrity confidentiality\n");
	ecn_blame(&t->task, path, -EPERM);
	assert_string_equal(t->task.reason, "/sys/x: Operation not permitted");
	put(t, "sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
	ecn_blame(&t->task, path, -EPERM);
	assert_string_equal(t->task.reason, "/sys/x: kernel lockdown forbids it; use a provider in the kernel");
	ecn_blame(&t->task, path, -EACCES);
	assert_string_equal(t->task.reason, "/sys/x: root has no right to it; give roceguard-agent.service CAP_DAC_OVERRIDE");
}

/* A folder that was made to look is gone again, one that was there stays. */
static void folders_are_left_as_they_were(void **state)
{
	struct tree *t = *state;
	struct file_folder folder = { };

	put(t, "there/file", "");
	assert_int_equal(folder_open(&folder, "%s/there", t->root), 0);
	folder_close(&folder);
	assert_true(file_is_there(folder.path));
	assert_int_equal(folder_open(&folder, "%s/new", t->root), 0);
	assert_true(file_is_there(folder.path));
	folder_close(&folder);
	assert_false(file_is_there(folder.path));
	assert_int_equal(folder_open(&folder, "%s/no/such", t->root), -ENOENT);
}

static void a_knob_without_backend_is_unsupported(void **state)
{
	struct tree *t = *state;

	t->task.knob = ROCEGUARD_KNOB_PFC;
	assert_verdict(t, ROCEGUARD_VERDICT_UNSUPPORTED, EOPNOTSUPP);
	assert_string_equal(t->report.reason, "driver labnic has no file for it on this host");
}

#define tree_test(name) \
	cmocka_unit_test_setup_teardown(name, make_tree, remove_tree)

int main(void)
{
	const struct CMUnitTest tests[] = {
		tree_test(cm_that_is_right_is_not_written),
		tree_test(of_cm_what_differs_is_written),
		tree_test(of_cm_what_is_not_named_is_not_read),
		tree_test(cm_is_left_wrong_if_it_is_to_be),
		tree_test(who_says_no_is_heard_before_a_write),
		tree_test(what_cm_should_not_say_is_refused),
		tree_test(what_cm_lacks_is_told),
		tree_test(an_egress_map_has_the_class_alone),
		tree_test(of_ofed_what_differs_is_written),
		tree_test(files_that_are_not_ofeds_are_left_alone),
		tree_test(a_file_of_ofed_that_is_missing_is_named),
		tree_test(bnxt_has_one_switch_and_applies_it),
		tree_test(bnxt_of_the_kernel_is_found_by_pci_address),
		tree_test(lockdown_is_told_from_other_refusals),
		tree_test(folders_are_left_as_they_were),
		tree_test(a_knob_without_backend_is_unsupported),
	};

	return cmocka_run_group_tests_name("delegate", tests, NULL, NULL);
}
