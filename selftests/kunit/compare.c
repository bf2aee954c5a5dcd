// SPDX-License-Identifier: GPL-2.0
#include <linux/dcbnl.h>
#include "case.h"
#include "compare.h"

CASE(a_dscp_lands_by_entry_hardware_or_default)
{
	static const struct {
		struct rg_dscp_entry entry;
		u8 landing;
	} cases[] = {
		{ { 0, 0, RG_UNSET }, BIT(0) },
		{ { 0, 3, RG_UNSET }, BIT(3) },
		{ { BIT(5), 3, RG_UNSET }, BIT(5) },
		{ { BIT(5) | BIT(1), 3, RG_UNSET }, BIT(5) | BIT(1) },
		{ { 0, 3, 4 }, BIT(4) },
		{ { BIT(5), 3, 4 }, BIT(5) | BIT(4) },
		{ { BIT(5), 3, 5 }, BIT(5) },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		expect_row(rg_dscp_landing(&cases[i].entry) == cases[i].landing,
			   "row %zu: %x", i, rg_dscp_landing(&cases[i].entry));
}

CASE(a_traffic_class_is_strict_ets_or_neither)
{
	static const u8 tsa[][2] = {
		{ IEEE_8021QAZ_TSA_STRICT, ROCEGUARD_TSA_STRICT },
		{ IEEE_8021QAZ_TSA_ETS, ROCEGUARD_TSA_ETS },
		{ IEEE_8021QAZ_TSA_CB_SHAPER, RG_UNSET },
		{ IEEE_8021QAZ_TSA_VENDOR, RG_UNSET },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(tsa); i++)
		expect_row(rg_tsa_from_ieee(tsa[i][0]) == tsa[i][1],
			   "row %zu: %x", i, rg_tsa_from_ieee(tsa[i][0]));
}

/* DSCP 26 is to go to priority 3, which nothing else may use. */
static void want_26_to_3(struct rg_want *want)
{
	memset(want, 0, sizeof(*want));
	memset(want->map, RG_UNSET, sizeof(want->map));
	want->map[26] = 3;
	want->exclusive = BIT(3);
}

CASE(a_named_dscp_has_its_entry_and_no_other)
{
	static const struct {
		struct rg_dscp_entry entry;
		bool fits;
	} cases[] = {
		{ { BIT(3), 0, RG_UNSET }, true },
		{ { BIT(3), 0, 3 }, true },
		{ { BIT(3), 0, 0 }, false },
		{ { BIT(3) | BIT(0), 0, RG_UNSET }, false },
		{ { BIT(4), 0, RG_UNSET }, false },
		/* By default only: nobody has said so. */
		{ { 0, 3, RG_UNSET }, false },
		{ { 0, 3, 3 }, false },
	};
	struct rg_want want;
	size_t i;

	want_26_to_3(&want);
	for (i = 0; i < ARRAY_SIZE(cases); i++)
		expect_row(rg_dscp_fits(&want, 26, &cases[i].entry) ==
			   cases[i].fits, "row %zu", i);
}

CASE(other_dscps_keep_out_of_a_class)
{
	static const struct {
		struct rg_dscp_entry entry;
		bool fits;
	} cases[] = {
		{ { 0, 0, RG_UNSET }, true },
		{ { BIT(4), 3, RG_UNSET }, true },
		{ { BIT(3), 0, RG_UNSET }, false },
		{ { 0, 3, RG_UNSET }, false },
		{ { 0, 3, 0 }, true },
		{ { BIT(0), 0, 3 }, false },
		{ { BIT(0) | BIT(3), 0, 0 }, false },
	};
	struct rg_want want;
	size_t i;

	want_26_to_3(&want);
	for (i = 0; i < ARRAY_SIZE(cases); i++)
		expect_row(rg_dscp_fits(&want, 24, &cases[i].entry) ==
			   cases[i].fits, "row %zu", i);
}

/* Two-way cable bytes of the field's calculators, in bits. */
CASE(a_cable_is_bit_times_there_and_back)
{
	static const struct {
		u16 metres;
		u32 mbps;
		u32 bits;
	} cases[] = {
		{ 5, 100000, 5051 },
		{ 40, 100000, 40405 },
		{ 300, 100000, 303031 },
		{ 5, 400000, 20203 },
		{ 99, 1, 1 },
		{ 1, 1, 1 },
		{ 999, 1600000, 16145455 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		expect_row(rg_cable_bits(cases[i].metres, cases[i].mbps) ==
			   cases[i].bits, "row %zu", i);
}

CASE(a_path_has_room_for_headers)
{
	static const struct {
		u32 mtu;
		u32 path;
	} cases[] = {
		{ 0, 0 }, { 351, 0 }, { 352, 256 }, { 1119, 512 },
		{ 1120, 1024 }, { 1500, 1024 }, { 4191, 2048 }, { 4192, 4096 },
		{ 9000, 4096 }, { 65535, 4096 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		expect_row(rg_path_mtu(cases[i].mtu) == cases[i].path,
			   "row %zu", i);
}

CASE(a_limit_may_be_a_step_off)
{
	static const struct {
		u32 want;
		u64 have;
		bool fits;
	} cases[] = {
		{ 0, 0, true },
		{ 0, 1, false },
		{ 1, 0, false },
		/* mlx5 rounds up to 100 Mbit/s ... */
		{ 1234567, 1300000, true },
		{ 1, 100000, true },
		{ 1, 100001, false },
		{ 1234567, 1334567, false },
		/* ... and to 1 Gbit/s above 25.5 Gbit/s. */
		{ 25500001, 26000000, true },
		{ 26000000, 27100000, false },
		{ 10000000, 9600001, true },
		{ 10000000, 9600000, false },
	};
	u64 kbps[RG_TCS] = {};
	struct rg_want want;
	size_t i;

	memset(&want, 0, sizeof(want));
	want.rated = BIT(2);
	kbps[1] = 7;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		want.kbps[2] = cases[i].want;
		kbps[2] = cases[i].have;
		expect_row(rg_rates_fit(&want, kbps) == cases[i].fits,
			   "row %zu", i);
	}
}

CASE(a_buffer_may_be_some_cells_off)
{
	u32 size[RG_BUFFERS] = { 5, 131000 };
	u8 prio_buffer[RG_PRIORITIES] = { [3] = 1 };
	struct rg_want want;

	memset(&want, 0, sizeof(want));
	memset(want.prio_buffer, RG_UNSET, sizeof(want.prio_buffer));
	expect_true(rg_buffers_fit(&want, size, prio_buffer));
	want.sized = BIT(1);
	want.buffer_size[1] = 131072;
	expect_true(rg_buffers_fit(&want, size, prio_buffer));
	size[1] = 131072 - RG_BUFFER_SLACK;
	expect_false(rg_buffers_fit(&want, size, prio_buffer));
	size[1] = 131072 + RG_BUFFER_SLACK;
	expect_false(rg_buffers_fit(&want, size, prio_buffer));
	size[1]--;
	want.prio_buffer[3] = 1;
	expect_true(rg_buffers_fit(&want, size, prio_buffer));
	want.prio_buffer[4] = 1;
	expect_false(rg_buffers_fit(&want, size, prio_buffer));
	/* No bytes at all are none that were rounded. */
	want.prio_buffer[4] = 0;
	want.buffer_size[1] = 100;
	size[1] = 0;
	expect_false(rg_buffers_fit(&want, size, prio_buffer));
}

CASE(traffic_classes_without_priorities_do_not_matter)
{
	const u8 prio_tc[RG_PRIORITIES] = { [3] = 1 };
	const u8 other_prio_tc[RG_PRIORITIES] = { [4] = 1 };
	u8 tsa[RG_TCS] = { ROCEGUARD_TSA_ETS, ROCEGUARD_TSA_STRICT };
	u8 bandwidth[RG_TCS] = { 100 };
	struct rg_want want;
	struct rg_tcs tcs;

	memset(&want, 0, sizeof(want));
	memcpy(want.prio_tc, prio_tc, sizeof(want.prio_tc));
	want.n_tcs = 2;
	want.tsa[0] = ROCEGUARD_TSA_ETS;
	want.tsa[1] = ROCEGUARD_TSA_STRICT;
	want.bandwidth[0] = 100;
	tcs = rg_tcs_wanted(&want);
	expect_true(rg_tcs_fit(&tcs, prio_tc, tsa, bandwidth));
	expect_false(rg_tcs_fit(&tcs, other_prio_tc, tsa, bandwidth));
	tsa[2] = ROCEGUARD_TSA_ETS;
	bandwidth[2] = 7;
	expect_true(rg_tcs_fit(&tcs, prio_tc, tsa, bandwidth));
	/* A strict one has no bandwidth to compare. */
	bandwidth[1] = 9;
	expect_true(rg_tcs_fit(&tcs, prio_tc, tsa, bandwidth));
	bandwidth[0] = 99;
	expect_false(rg_tcs_fit(&tcs, prio_tc, tsa, bandwidth));
	bandwidth[0] = 100;
	tsa[1] = ROCEGUARD_TSA_ETS;
	expect_false(rg_tcs_fit(&tcs, prio_tc, tsa, bandwidth));
}

/* ice: with DSCP trusted, priority and traffic class are one. */
CASE(a_traffic_class_for_each_priority)
{
	struct rg_want want;
	struct rg_tcs tcs;
	unsigned int sum = 0;
	int i;

	memset(&want, 0, sizeof(want));
	want.prio_tc[3] = want.prio_tc[4] = 1;
	want.prio_tc[6] = 2;
	want.exclusive = 1 << 3 | 1 << 4 | 1 << 6;
	want.n_tcs = 3;
	want.tsa[0] = want.tsa[1] = ROCEGUARD_TSA_ETS;
	want.tsa[2] = ROCEGUARD_TSA_STRICT;
	want.bandwidth[0] = 49;
	want.bandwidth[1] = 51;
	tcs = rg_tcs_by_priority(&want);
	expect_eq(tcs.n, RG_PRIORITIES);
	for (i = 0; i < RG_PRIORITIES; i++) {
		expect_eq(tcs.prio_tc[i], i);
		expect_eq(tcs.tsa[i], i == 6 ? ROCEGUARD_TSA_STRICT :
					       ROCEGUARD_TSA_ETS);
		sum += tcs.bandwidth[i];
	}
	/* All that has no class is in priority 0. */
	expect_eq(tcs.bandwidth[0], 49);
	expect_eq(tcs.bandwidth[3], 26);
	expect_eq(tcs.bandwidth[4], 25);
	expect_eq(sum, 100);
}

/* Nobody's traffic class keeps its share all the same. */
CASE(a_traffic_class_without_a_class_goes_to_its_first_priority)
{
	struct rg_want want;
	struct rg_tcs tcs;

	memset(&want, 0, sizeof(want));
	want.prio_tc[2] = want.prio_tc[5] = 1;
	want.n_tcs = 2;
	want.tsa[0] = want.tsa[1] = ROCEGUARD_TSA_ETS;
	want.bandwidth[0] = 60;
	want.bandwidth[1] = 40;
	tcs = rg_tcs_by_priority(&want);
	expect_eq(tcs.bandwidth[0], 60);
	expect_eq(tcs.bandwidth[2], 40);
	expect_eq(tcs.bandwidth[5], 0);
}

SUITE(compare,
      case_of(a_dscp_lands_by_entry_hardware_or_default),
      case_of(a_traffic_class_is_strict_ets_or_neither),
      case_of(a_named_dscp_has_its_entry_and_no_other),
      case_of(other_dscps_keep_out_of_a_class),
      case_of(a_cable_is_bit_times_there_and_back),
      case_of(a_path_has_room_for_headers),
      case_of(a_limit_may_be_a_step_off),
      case_of(a_buffer_may_be_some_cells_off),
      case_of(traffic_classes_without_priorities_do_not_matter),
      case_of(a_traffic_class_for_each_priority),
      case_of(a_traffic_class_without_a_class_goes_to_its_first_priority));
