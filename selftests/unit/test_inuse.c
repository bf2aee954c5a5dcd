// SPDX-License-Identifier: GPL-2.0
/* user/inuse.c: what sysfs says of a controller's way, and all of it in words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "inuse.h"

static void a_way_is_read(void **state)
{
	static const struct {
		const char *text, *address, *source, *iface;
	} good[] = {
		{ "traddr=192.168.20.100,trsvcid=4420", "192.168.20.100", "", "" },
		{ "traddr=fd00:20::100,trsvcid=4420,host_traddr=fd00:20::1",
		  "fd00:20::100", "fd00:20::1", "" },
		{ "traddr=192.0.2.1,trsvcid=4420,host_iface=roce0,src_addr=192.0.2.2",
		  "192.0.2.1", "", "roce0" },
	};
	static const char *const bad[] = {
		"", "trsvcid=4420", "traddr=,trsvcid=4420",
		"traddr=nn-0x20000090fae0b5f4:pn-0x10000090fae0b5f4",
		"traddr=192.0.2.1,host_traddr=nonsense", "0000:01:00.0",
	};
	struct conn_args args;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(inuse_address(good[i].text, &args), 0);
		assert_string_equal(args.address, good[i].address);
		assert_string_equal(args.host_traddr, good[i].source);
		assert_string_equal(args.host_iface, good[i].iface);
		assert_true(args.peer.ss_family);
		assert_int_equal(!args.source.ss_family, !*good[i].source);
	}
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (!inuse_address(bad[i], &args))
			fail_msg("'%s' is taken", bad[i]);
}

static void expect(const struct inuse *use, const char *words)
{
	char buf[1024];

	inuse_words(use, buf, sizeof(buf));
	assert_string_equal(buf, words);
}

static void what_is_in_use_is_told(void **state)
{
	struct inuse use = { .known = true };
	char small[16];
	unsigned int i;

	(void)state;
	expect(&use, "nothing");
	use.qps = 1;
	expect(&use, "1 QP");
	use.qps = -1;
	expect(&use, "QPs unknown (Operation not permitted)");
	use.qps = 2;
	use.n_ctrls = 1;
	strcpy(use.ctrl[0].name, "nvme0");
	strcpy(use.ctrl[0].nqn, "nqn.2026-08.a:b");
	use.n_listeners = 1;
	strcpy(use.listener[0], "192.0.2.1:4420");
	strcpy(use.bond, "bond0");
	use.default_route = true;
	expect(&use, "2 QPs, nvme0 (nqn.2026-08.a:b), NVMe exported on 192.0.2.1:4420, leg of bond0, default route");
	/* More than are named. */
	use = (struct inuse){ .known = true, .n_ctrls = INUSE_NAMES + 2 };
	for (i = 0; i < INUSE_NAMES; i++)
		strcpy(use.ctrl[i].name, "n");
	expect(&use, "n (), n (), n (), n (), n (), n (), n (), n (), 2 more NVMe controllers");
	inuse_words(&use, small, sizeof(small));
	assert_string_equal(small, "n (), n (), n (");
	use = (struct inuse){ .known = false };
	expect(&use, "unknown, it is in another network namespace");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_way_is_read),
		cmocka_unit_test(what_is_in_use_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
