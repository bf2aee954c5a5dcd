/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the cases in this folder are written with: KUnit in a kernel, cmocka in
 * user space (selftests/unit). One file is one suite:
 *
 *	CASE(the_name_says_what_holds)
 *	{
 *		expect_true(...);
 *	}
 *	SUITE(name, case_of(the_name_says_what_holds), ...);
 */
#ifndef RG_KUNIT_CASE_H
#define RG_KUNIT_CASE_H

#ifdef __KERNEL__
#include <kunit/test.h>

#define CASE(_name)	static void _name(struct kunit *test)
#define case_of(_name)	KUNIT_CASE(_name)

#define expect_true(_is)	KUNIT_EXPECT_TRUE(test, _is)
#define expect_false(_is)	KUNIT_EXPECT_FALSE(test, _is)
#define expect_eq(_is, _want)	KUNIT_EXPECT_EQ(test, _is, _want)
#define expect_str(_is, _want)	KUNIT_EXPECT_STREQ(test, _is, _want)
/* For tables: says which row it is about. */
#define expect_row(_is, _fmt, ...) \
	KUNIT_EXPECT_TRUE_MSG(test, _is, _fmt, ##__VA_ARGS__)

#define SUITE(_name, ...)						\
	static struct kunit_case rg_##_name##_cases[] = {		\
		__VA_ARGS__, { }					\
	};								\
	static struct kunit_suite rg_##_name##_suite = {		\
		.name	    = "roceguard_" #_name,			\
		.test_cases = rg_##_name##_cases,			\
	};								\
	kunit_test_suite(rg_##_name##_suite)
#else
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define CASE(_name) \
	static void _name(void **state __attribute__((unused)))
#define case_of(_name)	cmocka_unit_test(_name)

#define expect_true(_is)	assert_true(_is)
#define expect_false(_is)	assert_false(_is)
#define expect_eq(_is, _want)	assert_int_equal(_is, _want)
#define expect_str(_is, _want)	assert_string_equal(_is, _want)
#define expect_row(_is, _fmt, ...)					\
do {									\
	if (!(_is))							\
		fail_msg(_fmt, ##__VA_ARGS__);				\
} while (0)

#define SUITE(_name, ...)						\
	int main(void)							\
	{								\
		const struct CMUnitTest cases[] = { __VA_ARGS__ };	\
									\
		return cmocka_run_group_tests_name("roceguard_" #_name,	\
						   cases, NULL, NULL);	\
	}								\
	struct rg_##_name##_suite
#endif

#endif /* RG_KUNIT_CASE_H */
