// SPDX-License-Identifier: GPL-2.0
/* What a policy would change, what that costs by driver, and policies from ports. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <linux/dcbnl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "conf.h"
#include "diff.h"
#include "import.h"
#include "compare.h"

/* A port as drivers leave it: pause on, all strict, no map. */
static struct have new_port(const char *driver)
{
	struct have have = {
		.ifname = "p0", .linked = true, .dcb = true, .roce = true,
		.port = true, .read = BIT(ROCEGUARD_KNOB_STORM_PREVENTION + 1) - 1,
		.pause_rx = true, .pause_tx = true,
		.dcbx = DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_IEEE,
		.buffer_size = { 262144 },
	};

	strcpy(have.driver, driver);
	memset(have.tsa, ROCEGUARD_TSA_STRICT, sizeof(have.tsa));
	return have;
}

static struct rg_want want_of(const char *what)
{
	char error[CONF_ERROR_MAX];
	struct rg_problem problem;
	struct conf_list list;
	struct rg_want want;

	setenv("ROCEGUARD_PROFILES", TEST_PROFILES, 1);
	setenv("ROCEGUARD_POLICIES", "/nonexistent", 1);
	assert_int_equal(conf_load(&list, what, error), 0);
	assert_int_equal(rg_policy_derive(&list.conf->spec, &want, &problem),
			 0);
	conf_list_free(&list);
	return want;
}

/* What the profile storage costs on a port as its driver leaves it. */
static const struct {
	const char *driver;
	bool linked;
	unsigned int drops[RG_KNOBS];
	unsigned int sum;
} costs[] = {
	{ "mlx5_core", true, { [ROCEGUARD_KNOB_PFC] = 1 }, 1 },
	{ "mlx5_core", false, { 0 }, 0 },
	/* ice sends DSCP n to n >> 3, too: 24..31 and 48..55 have to be told. */
	{ "ice", true, { [ROCEGUARD_KNOB_DSCP] = 16, [ROCEGUARD_KNOB_ETS] = 1,
			 [ROCEGUARD_KNOB_PAUSE] = 1, [ROCEGUARD_KNOB_PFC] = 1 },
	  19 },
	{ "hns3", true, { [ROCEGUARD_KNOB_ETS] = 1, [ROCEGUARD_KNOB_PFC] = 1 },
	  2 },
	{ "bnxt_en", true, { [ROCEGUARD_KNOB_ETS] = 1,
			     [ROCEGUARD_KNOB_PAUSE] = 1,
			     [ROCEGUARD_KNOB_PFC] = 1 }, 3 },
	{ "nobody's", true, { 0 }, 0 },
};

static void links_dropped_are_counted_by_driver(void **state)
{
	struct rg_want want = want_of("storage");
	struct diff_port port;
	unsigned int k;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(costs); i++) {
		port = (struct diff_port){ .have = new_port(costs[i].driver) };
		port.have.linked = costs[i].linked;
		diff_port(&port, &want);
		assert_int_equal(port.n, 6);
		assert_int_equal(port.differ, 5);
		assert_int_equal(port.link_drops, costs[i].sum);
		for (k = 0; k < port.n; k++)
			assert_int_equal(port.diff[k].link_drops,
					 costs[i].drops[port.diff[k].knob]);
	}
}

/* Entries that are wrong, and those that would land in a lossless priority. */
static void every_entry_is_a_write(void **state)
{
	struct rg_want want = want_of("storage");
	struct diff_port port = { .have = new_port("bnxt_en") };

	(void)state;
	port.have.trust = ROCEGUARD_TRUST_DSCP;
	port.have.map[26] = BIT(3);		/* right */
	port.have.map[48] = BIT(5) | BIT(6);	/* one too many */
	port.have.map[10] = BIT(3);		/* a stray: away, and to 0 */
	diff_port(&port, &want);
	assert_int_equal(port.diff[0].knob, ROCEGUARD_KNOB_DSCP);
	assert_string_equal(port.diff[0].have.buf,
			    "trust dscp 26:3 48:5+6 10:3");
	assert_string_equal(port.diff[0].want.buf,
			    "trust dscp 26:3 48:6 10:0");
	assert_int_equal(port.diff[0].writes, 3);
	assert_int_equal(port.diff[0].cost, ROCEGUARD_COST_HITLESS);
	assert_int_equal(port.diff[0].link_drops, 0);

	/* mlx5 sends DSCP n to n >> 3, and replaces entries itself. */
	strcpy(port.have.driver, "mlx5_core");
	diff_port(&port, &want);
	/* 24..31 but 26, 48..55 but 48, and 10; 48 itself */
	assert_int_equal(port.diff[0].writes, 7 + 7 + 1);
	assert_int_equal(port.diff[0].link_drops, 0);
}

static void what_is_right_does_not_differ(void **state)
{
	struct rg_want want = want_of("storage");
	struct diff_port port = { .have = new_port("hns3") };
	struct have *have = &port.have;

	(void)state;
	have->trust = ROCEGUARD_TRUST_DSCP;
	have->map[26] = BIT(3);
	have->map[48] = BIT(6);
	have->pause_rx = have->pause_tx = false;
	have->pfc = BIT(3);
	memcpy(have->prio_tc, want.prio_tc, sizeof(have->prio_tc));
	memcpy(have->tsa, want.tsa, sizeof(have->tsa));
	memcpy(have->bandwidth, want.bandwidth, sizeof(have->bandwidth));
	have->ecn[0] = have->ecn[1] = BIT(3) | BIT(5);
	diff_port(&port, &want);
	assert_int_equal(port.differ, 0);
	assert_int_equal(port.link_drops, 0);
}

/* A class of its own for each priority, as ice has it with DSCP trusted. */
static void classes_by_priority_are_right_on_ice(void **state)
{
	struct rg_want want = want_of("storage");
	struct diff_port port = { .have = new_port("ice") };
	struct rg_tcs tcs = rg_tcs_by_priority(&want);
	size_t k;

	(void)state;
	port.have.trust = ROCEGUARD_TRUST_DSCP;
	port.have.map[26] = BIT(3);
	memcpy(port.have.prio_tc, tcs.prio_tc, sizeof(tcs.prio_tc));
	memcpy(port.have.tsa, tcs.tsa, sizeof(tcs.tsa));
	memcpy(port.have.bandwidth, tcs.bandwidth, sizeof(tcs.bandwidth));
	diff_port(&port, &want);
	for (k = 0; k < port.n; k++)
		if (port.diff[k].knob == ROCEGUARD_KNOB_ETS)
			assert_int_equal(port.diff[k].writes, 0);
	assert_int_equal(tcs.bandwidth[3], 50);
}

static void what_cannot_be_read_is_unknown(void **state)
{
	struct rg_want want = want_of("storage");
	struct diff_port port = { .have = new_port("mlx5_core") };
	struct model_port known = { 0 };

	(void)state;
	port.have.read &= ~(u32)(BIT(ROCEGUARD_KNOB_ECN) |
				 BIT(ROCEGUARD_KNOB_ETS));
	diff_port(&port, &want);
	assert_int_equal(port.differ, 3);
	assert_int_equal(port.diff[1].status, DIFF_UNKNOWN);
	assert_string_equal(port.diff[1].reason, "driver mlx5_core does not answer for it");
	assert_int_equal(port.diff[4].status, DIFF_UNKNOWN);
	assert_string_equal(port.diff[4].reason, "not readable without the module");
	assert_string_equal(port.diff[4].want.buf, "np 3 rp 3");

	/* The module has it, if it was told the same. */
	port.known = &known;
	strcpy(known.knob[ROCEGUARD_KNOB_ECN].have, "np none rp 3");
	strcpy(known.knob[ROCEGUARD_KNOB_ECN].want, "np 3 rp 3");
	known.knob[ROCEGUARD_KNOB_ECN].verdict = ROCEGUARD_VERDICT_DRIFTED;
	diff_port(&port, &want);
	assert_int_equal(port.diff[4].status, DIFF_DIFFERS);
	assert_string_equal(port.diff[4].have.buf, "np none rp 3");
	strcpy(known.knob[ROCEGUARD_KNOB_ECN].want, "np 4 rp 4");
	diff_port(&port, &want);
	assert_int_equal(port.diff[4].status, DIFF_UNKNOWN);
}

/* A cable in the driver's own terms; on mlx5 it alone costs no link. */
static void a_cable_is_compared_as_the_driver_takes_it(void **state)
{
	static const struct {
		const char *driver;
		u32 mbps;
		u16 delay;
		const char *have;
		const char *want;
		unsigned int differ;
	} cases[] = {
		{ "mlx5_core", 0, 7, "3 cable 7m", "3 cable 5m", 1 },
		{ "mlx5_core", 0, 5, "3 cable 5m", "3 cable 5m", 0 },
		{ "ice", 100000, 7, "3", "3", 0 },
		{ "nobody's", 0, 7, "3", "3", 0 },
		{ "nobody's", 100000, 7, "3 delay 7bit", "3 delay 5051bit", 1 },
		{ "nobody's", 100000, 5051, "3 delay 5051bit",
		  "3 delay 5051bit", 0 },
	};
	struct rg_want want = { .knobs = BIT(ROCEGUARD_KNOB_PFC),
				.pfc = BIT(3), .cable = 5 };
	struct diff_port port;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		port = (struct diff_port){ .have = new_port(cases[i].driver) };
		port.have.pfc = BIT(3);
		port.have.mbps = cases[i].mbps;
		port.have.delay = cases[i].delay;
		diff_port(&port, &want);
		assert_string_equal(port.diff[0].have.buf, cases[i].have);
		assert_string_equal(port.diff[0].want.buf, cases[i].want);
		assert_int_equal(port.differ, cases[i].differ);
		assert_int_equal(port.link_drops, 0);
	}
}

static void an_mtu_is_never_written(void **state)
{
	struct rg_want want = { .knobs = BIT(ROCEGUARD_KNOB_MTU),
				.mtu = 4192 };
	struct diff_port port = { .have = new_port("ice") };

	(void)state;
	port.have.read |= BIT(ROCEGUARD_KNOB_MTU);
	port.have.mtu = 1500;
	diff_port(&port, &want);
	assert_int_equal(port.differ, 1);
	assert_int_equal(port.diff[0].writes, 0);
	assert_string_equal(port.diff[0].have.buf, "1500 path 1024");
	port.have.mtu = 4192;
	diff_port(&port, &want);
	assert_int_equal(port.differ, 0);
}

static void storm_prevention_is_auto_in_the_drivers_way(void **state)
{
	struct rg_want want = { .knobs = BIT(ROCEGUARD_KNOB_STORM_PREVENTION),
				.storm = ROCEGUARD_STORM_AUTO };
	struct diff_port port = { .have = new_port("mlx5_core") };

	(void)state;
	diff_port(&port, &want);
	assert_int_equal(port.diff[0].status, DIFF_DIFFERS);
	port.have.storm = 100;
	diff_port(&port, &want);
	assert_int_equal(port.diff[0].status, DIFF_SAME);
}

/* Answers of the kernel */

static void attributes_become_settings(void **state)
{
	struct nl_msg *msg = nlmsg_alloc();
	struct ieee_ets ets = { .prio_tc = { [3] = 1 }, .tc_tx_bw = { 40, 60 },
				.tc_tsa = { 2, 2, 255 } };
	struct ieee_pfc pfc = { .pfc_en = 0x18 };
	struct ieee_maxrate rates = { .tc_maxrate = { [1] = 10000000 } };
	struct dcbnl_buffer buffer = { .prio2buffer = { [3] = 1 },
				       .buffer_size = { 1024, 4096 } };
	struct dcb_app app[] = {
		{ IEEE_8021QAZ_APP_SEL_DSCP, 3, 26 },
		{ IEEE_8021QAZ_APP_SEL_DSCP, 4, 26 },
		{ IEEE_8021QAZ_APP_SEL_DGRAM, 3, 50 },
		{ IEEE_8021QAZ_APP_SEL_DSCP, 3, 64 },
		{ IEEE_8021QAZ_APP_SEL_DSCP, 8, 1 },
	};
	struct nlattr *ieee, *nest;
	struct have have = { 0 };
	size_t i;

	(void)state;
	assert_non_null(nlmsg_put(msg, 0, 0, 0x20, 0, 0));
	ieee = nla_nest_start(msg, DCB_ATTR_IEEE);
	nla_put(msg, DCB_ATTR_IEEE_ETS, sizeof(ets), &ets);
	nla_put(msg, DCB_ATTR_IEEE_PFC, sizeof(pfc), &pfc);
	nla_put(msg, DCB_ATTR_IEEE_MAXRATE, sizeof(rates), &rates);
	nla_put(msg, 10, sizeof(buffer), &buffer);
	nest = nla_nest_start(msg, DCB_ATTR_IEEE_APP_TABLE);
	for (i = 0; i < ARRAY_SIZE(app); i++)
		nla_put(msg, DCB_ATTR_IEEE_APP, sizeof(app[i]), &app[i]);
	nla_nest_end(msg, nest);
	nest = nla_nest_start(msg, 11);
	nla_put_u8(msg, 2, DCB_APP_SEL_PCP);
	nla_put_u8(msg, 1, IEEE_8021QAZ_APP_SEL_DSCP);
	nla_nest_end(msg, nest);
	nla_nest_end(msg, ieee);
	nla_put_u8(msg, DCB_ATTR_DCBX, DCB_CAP_DCBX_VER_CEE);
	have_take_dcb(&have, nlmsg_attrdata(nlmsg_hdr(msg), 0),
		      nlmsg_attrlen(nlmsg_hdr(msg), 0));
	nlmsg_free(msg);
	assert_true(have.dcb && have.apptrust);
	assert_int_equal(have.read, BIT(ROCEGUARD_KNOB_DCBX) |
			 BIT(ROCEGUARD_KNOB_DSCP) | BIT(ROCEGUARD_KNOB_ETS) |
			 BIT(ROCEGUARD_KNOB_BUFFER) | BIT(ROCEGUARD_KNOB_PFC) |
			 BIT(ROCEGUARD_KNOB_MAXRATE));
	assert_int_equal(have.prio_tc[3], 1);
	assert_int_equal(have.tsa[1], ROCEGUARD_TSA_ETS);
	assert_int_equal(have.tsa[2], RG_UNSET);
	assert_int_equal(have.bandwidth[1], 60);
	assert_int_equal(have.pfc, 0x18);
	assert_int_equal(have.kbps[1], 10000000);
	assert_int_equal(have.buffer_size[1], 4096);
	assert_int_equal(have.map[26], BIT(3) | BIT(4));
	assert_int_equal(have.map[1], 0);
	assert_int_equal(have.trust, ROCEGUARD_TRUST_PCP);
	assert_int_equal(have.dcbx, DCB_CAP_DCBX_VER_CEE);
}

static void short_attributes_are_not_believed(void **state)
{
	static const int types[] = { DCB_ATTR_IEEE_ETS, DCB_ATTR_IEEE_PFC,
				     DCB_ATTR_IEEE_MAXRATE, 10 };
	struct nl_msg *msg = nlmsg_alloc();
	struct have have = { 0 };
	struct nlattr *ieee;
	size_t i;

	(void)state;
	assert_non_null(nlmsg_put(msg, 0, 0, 0x20, 0, 0));
	ieee = nla_nest_start(msg, DCB_ATTR_IEEE);
	for (i = 0; i < ARRAY_SIZE(types); i++)
		nla_put(msg, types[i], 1, "");
	nla_put(msg, 11, 0, "");
	nla_nest_end(msg, ieee);
	have_take_dcb(&have, nlmsg_attrdata(nlmsg_hdr(msg), 0),
		      nlmsg_attrlen(nlmsg_hdr(msg), 0));
	nlmsg_free(msg);
	assert_int_equal(have.read, BIT(ROCEGUARD_KNOB_DSCP));
	assert_int_equal(have.trust, ROCEGUARD_TRUST_PCP);
}

/* Policies from ports */

static char *written(const struct rg_policy_spec *spec)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	assert_non_null(f);
	conf_write(f, spec);
	fclose(f);
	assert_non_null(text);
	return text;
}

/* It loads back, and writes nothing of what can be read. */
static void assert_held(const struct import *import, const struct have *have)
{
	struct diff_port port = { .have = *have };
	struct conf *conf = malloc(sizeof(*conf));
	char *text = written(&import->spec);
	char error[CONF_ERROR_MAX];
	struct rg_problem problem;
	struct rg_want want;

	assert_non_null(conf);
	if (conf_parse(conf, "f.conf", import->spec.name, text, strlen(text),
		       error))
		fail_msg("%s", error);
	assert_memory_equal(&conf->spec, &import->spec, sizeof(conf->spec));
	assert_int_equal(rg_policy_derive(&conf->spec, &want, &problem), 0);
	diff_port(&port, &want);
	assert_int_equal(port.differ, 0);
	free(conf);
	free(text);
}

/* What no port tells without the module. */
#define UNTOLD	(BIT(ROCEGUARD_KNOB_DCQCN) | BIT(ROCEGUARD_KNOB_CNP))

static void a_new_port_is_imported_whole(void **state)
{
	struct have have = new_port("ice");
	struct import import;

	(void)state;
	assert_int_equal(import_port(&import, &have, "p0"), 0);
	assert_int_equal(import.left_out, UNTOLD);
	assert_true(import.spec.expert.set & BIT(RG_EXPERT_TRUST));
	assert_int_equal(import.spec.expert.pfc, 0);
	assert_true(import.spec.expert.pause_rx);
	assert_string_equal(import.spec.match.ifname[0], "p0");
	assert_held(&import, &have);
}

/* What a policy cannot hold as it is, and why. */
static void mlx5_strays(struct have *have)
{
	strcpy(have->driver, "mlx5_core");
	have->pause_rx = have->pause_tx = false;
	have->pfc = BIT(3);
	have->trust = ROCEGUARD_TRUST_DSCP;
	have->map[26] = BIT(3);
}

static void pause_and_pfc(struct have *have)
{
	have->pfc = BIT(3);
}

static void two_priorities(struct have *have)
{
	have->trust = ROCEGUARD_TRUST_DSCP;
	have->map[5] = BIT(1) | BIT(2);
}

static void vendor_tsa(struct have *have)
{
	memset(have->tsa, RG_UNSET, sizeof(have->tsa));
}

static void half_bandwidth(struct have *have)
{
	have->tsa[0] = ROCEGUARD_TSA_ETS;
	have->bandwidth[0] = 50;
}

static void rate_of_terabits(struct have *have)
{
	have->kbps[7] = 5000000000;
}

static void unread(struct have *have)
{
	have->read &= ~(u32)BIT(ROCEGUARD_KNOB_BUFFER);
}

static const struct {
	void (*make)(struct have *have);
	u32 knob;
	const char *why;
} left_out[] = {
	{ mlx5_strays, ROCEGUARD_KNOB_DSCP,
	  "DSCPs that go to a lossless priority unnamed would be moved" },
	{ pause_and_pfc, ROCEGUARD_KNOB_PFC,
	  "with it, another setting would be written" },
	{ two_priorities, ROCEGUARD_KNOB_DSCP,
	  "no policy can say what it is" },
	{ vendor_tsa, ROCEGUARD_KNOB_ETS, "no policy can say what it is" },
	{ half_bandwidth, ROCEGUARD_KNOB_ETS,
	  "bandwidth of the TCs with TSA ets makes 50%, not 100%" },
	{ rate_of_terabits, ROCEGUARD_KNOB_MAXRATE,
	  "no policy can say what it is" },
	{ unread, ROCEGUARD_KNOB_BUFFER, "the driver does not answer for it" },
};

static void what_no_policy_can_hold_is_left_out(void **state)
{
	struct import import;
	struct have have;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(left_out); i++) {
		have = new_port("bnxt_en");
		left_out[i].make(&have);
		assert_int_equal(import_port(&import, &have, "p"), 0);
		assert_int_equal(import.left_out,
				 UNTOLD | BIT(left_out[i].knob));
		assert_string_equal(import.why[left_out[i].knob],
				    left_out[i].why);
		assert_held(&import, &have);
	}
}

/* Whatever a port has, its policy loads and holds it. */
static void any_port_is_imported_without_a_write(void **state)
{
	static const char *const drivers[] = { "ice", "mlx5_core", "bnxt_en" };
	struct import import;
	struct have have;
	unsigned int i, k;

	(void)state;
	srand(4);
	for (i = 0; i < 2000; i++) {
		have = new_port(drivers[i % ARRAY_SIZE(drivers)]);
		have.pfc = rand() % 2 ? (u8)rand() : 0;
		have.delay = (u16)(rand() % 2000);
		have.storm = rand() % 2 ? (u16)(rand() % 9000) :
			     ROCEGUARD_STORM_AUTO;
		have.pause_rx = rand() % 2;
		have.pause_tx = rand() % 2;
		have.trust = rand() % 2;
		for (k = 0; k < RG_DSCPS; k++)
			have.map[k] = rand() % 3 ? 0 : (u8)BIT(rand() % 8);
		for (k = 0; k < 8; k++) {
			have.prio_tc[k] = (u8)(rand() % 3);
			have.tsa[k] = rand() % 9 ? (u8)(rand() % 2) : RG_UNSET;
			have.bandwidth[k] = (u8)(25 * (rand() % 5));
			have.kbps[k] = rand() % 4 ? 0 : (u64)rand();
			have.prio_buffer[k] = (u8)(rand() % 2);
			have.buffer_size[k] = (u32)(rand() % 262144);
		}
		have.ecn[0] = (u8)rand();
		have.ecn[1] = (u8)rand();
		assert_int_equal(import_port(&import, &have, "p"), 0);
		assert_held(&import, &have);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(links_dropped_are_counted_by_driver),
		cmocka_unit_test(every_entry_is_a_write),
		cmocka_unit_test(what_is_right_does_not_differ),
		cmocka_unit_test(classes_by_priority_are_right_on_ice),
		cmocka_unit_test(what_cannot_be_read_is_unknown),
		cmocka_unit_test(a_cable_is_compared_as_the_driver_takes_it),
		cmocka_unit_test(an_mtu_is_never_written),
		cmocka_unit_test(storm_prevention_is_auto_in_the_drivers_way),
		cmocka_unit_test(attributes_become_settings),
		cmocka_unit_test(short_attributes_are_not_believed),
		cmocka_unit_test(a_new_port_is_imported_whole),
		cmocka_unit_test(what_no_policy_can_hold_is_left_out),
		cmocka_unit_test(any_port_is_imported_without_a_write),
	};

	return cmocka_run_group_tests_name("diff", tests, NULL, NULL);
}
