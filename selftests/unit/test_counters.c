// SPDX-License-Identifier: GPL-2.0
/* Counters: from the message to numbers, rates, words and sparklines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "counters.h"
#include "line.h"
#include "watch.h"

#define C(_name)	ROCEGUARD_COUNTER_##_name

/* Messages, made by hand as the kernel makes them */

static void put_values(struct nl_msg *msg, uint32_t id, uint32_t mask,
		       uint64_t first)
{
	struct nlattr *nest = nla_nest_start(msg, ROCEGUARD_A_COUNTERS_COUNTER);
	uint64_t value[RG_PRIORITIES] = { 0 };
	unsigned int k;

	for (k = 0; k < RG_PRIORITIES; k++)
		if (mask & BIT(k))
			value[k] = first + k;
	nla_put_u32(msg, ROCEGUARD_A_COUNTER_ID, id);
	nla_put_u32(msg, ROCEGUARD_A_COUNTER_PRIORITIES, mask);
	nla_put(msg, ROCEGUARD_A_COUNTER_VALUES, sizeof(value), value);
	nla_nest_end(msg, nest);
}

static void put_value(struct nl_msg *msg, uint32_t id, uint64_t value, int age)
{
	struct nlattr *nest = nla_nest_start(msg, ROCEGUARD_A_COUNTERS_COUNTER);

	nla_put_u32(msg, ROCEGUARD_A_COUNTER_ID, id);
	nla_put_u64(msg, ROCEGUARD_A_COUNTER_VALUE, value);
	if (age >= 0)
		nla_put_u32(msg, ROCEGUARD_A_COUNTER_AGE, (uint32_t)age);
	nla_nest_end(msg, nest);
}

static void put_storm(struct nl_msg *msg, uint32_t priority)
{
	struct nlattr *nest = nla_nest_start(msg, ROCEGUARD_A_COUNTERS_STORM);

	nla_put_u32(msg, ROCEGUARD_A_STORM_PRIORITY, priority);
	nla_put_u32(msg, ROCEGUARD_A_STORM_DIRECTION, 1);
	nla_put_u32(msg, ROCEGUARD_A_STORM_SINCE, 2300);
	nla_put_u32(msg, ROCEGUARD_A_STORM_ON, 1);
	nla_nest_end(msg, nest);
}

static int decode(struct nl_msg *msg, struct model_counters *counters)
{
	const struct nlmsghdr *nlh = nlmsg_hdr(msg);

	return model_decode_counters(nlmsg_data(nlh), nlmsg_datalen(nlh),
				     counters);
}

static struct nl_msg *message(void)
{
	struct nl_msg *msg = nlmsg_alloc_simple(0, 0);

	assert_non_null(msg);
	nla_put_u32(msg, ROCEGUARD_A_COUNTERS_ID, 7);
	nla_put_u32(msg, ROCEGUARD_A_COUNTERS_IFINDEX, 3);
	nla_put_string(msg, ROCEGUARD_A_COUNTERS_IFNAME, "roce0");
	nla_put_u32(msg, ROCEGUARD_A_COUNTERS_SAMPLED, 340);
	return msg;
}

static void what_is_absent_stays_absent(void **state)
{
	struct model_counters counters;
	struct nl_msg *msg = message();
	uint32_t i;

	(void)state;
	put_values(msg, C(RX_PAUSE), BIT(3) | BIT(4), 100);
	put_value(msg, C(CNP_SENT), 0, 1200);
	put_storm(msg, 3);
	assert_int_equal(decode(msg, &counters), 0);
	assert_string_equal(counters.ifname, "roce0");
	assert_int_equal(counters.sampled, 340);
	assert_int_equal(counters.counter[C(RX_PAUSE)].has, BIT(3) | BIT(4));
	assert_int_equal(counters.counter[C(RX_PAUSE)].value[4], 104);
	assert_false(counters.counter[C(RX_PAUSE)].has_age);
	/* Zero is there, what was not sent is not. */
	assert_int_equal(counters.counter[C(CNP_SENT)].has, 1);
	assert_int_equal(counters.counter[C(CNP_SENT)].age, 1200);
	for (i = 0; i < MODEL_COUNTERS; i++)
		if (i != C(RX_PAUSE) && i != C(CNP_SENT))
			assert_int_equal(counters.counter[i].has, 0);
	assert_int_equal(counters.n_storms, 1);
	assert_int_equal(counters.storm[0].since, 2300);
	nlmsg_free(msg);
}

static void a_malformed_message_is_refused(void **state)
{
	struct model_counters counters;
	struct nl_msg *msg = message();
	struct nlattr *nest;

	(void)state;
	/* Newer kernels may have more. */
	put_value(msg, MODEL_COUNTERS + 5, 1, -1);
	assert_int_equal(decode(msg, &counters), 0);
	put_storm(msg, RG_PRIORITIES);
	assert_int_equal(decode(msg, &counters), -EBADMSG);
	nlmsg_free(msg);

	/* Eight values, or none. */
	msg = message();
	nest = nla_nest_start(msg, ROCEGUARD_A_COUNTERS_COUNTER);
	nla_put_u32(msg, ROCEGUARD_A_COUNTER_ID, C(RX_PAUSE));
	nla_put_u32(msg, ROCEGUARD_A_COUNTER_PRIORITIES, 0xff);
	nla_put_u64(msg, ROCEGUARD_A_COUNTER_VALUES, 1);
	nla_nest_end(msg, nest);
	assert_int_equal(decode(msg, &counters), -EBADMSG);
	nlmsg_free(msg);

	/* A port has an index. */
	msg = nlmsg_alloc_simple(0, 0);
	assert_non_null(msg);
	nla_put_string(msg, ROCEGUARD_A_COUNTERS_IFNAME, "roce0");
	assert_int_equal(decode(msg, &counters), -EBADMSG);
	nlmsg_free(msg);
}

/* Two readings */

static struct model_counters reading(uint64_t read_ms, uint32_t sampled)
{
	struct model_counters c = { .id = 7, .ifindex = 3, .has_sampled = true };

	strcpy(c.ifname, "roce0");
	c.read_ms = read_ms;
	c.sampled = sampled;
	return c;
}

static void set(struct model_counters *c, uint32_t counter, unsigned int i,
		uint64_t value)
{
	c->counter[counter].has |= BIT(i);
	c->counter[counter].value[i] = value;
}

static void rates_go_by_the_time_of_samples(void **state)
{
	struct model_counters before = reading(10000, 900);
	struct model_counters after = reading(12000, 100);
	struct counters_moved moved;

	(void)state;
	set(&before, C(RX_PAUSE), 3, 1000);
	set(&after, C(RX_PAUSE), 3, 1280);
	assert_true(counters_since(&before, &after, &moved));
	/* 9100 to 11900, and not 10000 to 12000. */
	assert_int_equal(moved.ms[C(RX_PAUSE)], 2800);
	assert_int_equal(moved.has[C(RX_PAUSE)], BIT(3));
	assert_true(counters_per_second(&moved, C(RX_PAUSE), 3) == 100);
	/* One with an age of its own goes by that. */
	after.counter[C(RX_PAUSE)].has_age = true;
	after.counter[C(RX_PAUSE)].age = 1500;
	assert_true(counters_since(&before, &after, &moved));
	assert_int_equal(moved.ms[C(RX_PAUSE)], 1400);
}

static void nothing_is_known_of_what_is_in_one_only(void **state)
{
	struct model_counters before = reading(10000, 0);
	struct model_counters after = reading(12000, 0);
	struct counters_moved moved;

	(void)state;
	set(&before, C(RX_PAUSE), 3, 1000);
	set(&after, C(RX_PAUSE), 4, 1000);
	set(&after, C(CNP_SENT), 0, 5);
	assert_false(counters_since(&before, &after, &moved));
	/* The module was loaded anew and counts from zero. */
	set(&after, C(RX_PAUSE), 3, 10);
	assert_false(counters_since(&before, &after, &moved));
	/* No sample in between: the clock of the reader does not count. */
	after = reading(12000, 2001);
	set(&after, C(RX_PAUSE), 3, 1000);
	assert_false(counters_since(&before, &after, &moved));
	after.sampled = 1000;
	assert_true(counters_since(&before, &after, &moved));
	assert_int_equal(moved.by[C(RX_PAUSE)][3], 0);
}

static void words_have_units(void **state)
{
	static const struct {
		uint32_t counter;
		uint64_t value;
		const char *words;
	} values[] = {
		{ C(RX_PAUSE), 1204, "1204 frames" },
		{ C(RX_PAUSE_US), 9999, "9999 us" },
		{ C(RX_PAUSE_US), 10000, "10 ms" },
		{ C(RX_PAUSE_US), 2990000, "3.0 s" },
		{ C(RX_BYTES), 999, "999 B" },
		{ C(RX_BYTES), 1000, "1.00 kB" },
		{ C(RX_BYTES), 1250000000, "1.25 GB" },
		{ C(RX_BYTES), UINT64_MAX, "18.4 EB" },
		{ C(CNP_SENT), 1, "1 CNP" },
	};
	static const struct {
		uint32_t counter;
		double rate;
		const char *words;
	} rates[] = {
		{ C(RX_PAUSE), 0, "0/s" },
		{ C(RX_PAUSE), 0.333, "0.33/s" },
		{ C(RX_PAUSE), 401, "401/s" },
		{ C(RX_PAUSE), 999.4, "999/s" },
		{ C(RX_PAUSE), 999.6, "1.00k/s" },
		{ C(RX_PAUSE), 99960, "100k/s" },
		{ C(RX_PAUSE_US), 997000, "99.7%" },
		{ C(RX_BYTES), 156250000, "1.25Gbit/s" },
		{ C(RX_BYTES), 0, "0bit/s" },
	};
	static const struct {
		uint64_t ms;
		const char *words;
	} times[] = {
		{ 0, "0 ms" }, { 999, "999 ms" }, { 1000, "1.0 s" },
		{ 99900, "99.9 s" }, { 100000, "1 min" },
		{ 99 * 60000, "99 min" }, { 100 * 60000, "1 h" },
		{ UINT64_MAX, "5124095576030 h" },
	};
	char buf[COUNTERS_WORDS];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(values); i++)
		assert_string_equal(counters_value_words(values[i].counter,
							 values[i].value, buf),
				    values[i].words);
	for (i = 0; i < ARRAY_SIZE(rates); i++)
		assert_string_equal(counters_rate_words(rates[i].counter,
							rates[i].rate, buf),
				    rates[i].words);
	for (i = 0; i < ARRAY_SIZE(times); i++)
		assert_string_equal(counters_time_words(times[i].ms, buf),
				    times[i].words);
	for (i = 0; i < MODEL_COUNTERS; i++)
		assert_non_null(counters_unit_word((uint32_t)i));
}

static void the_recorder_has_what_the_port_counts(void **state)
{
	struct model_sample sample = { .id = 7, .at = 2000 };
	struct model_counters port = reading(0, 0);
	struct counters_moved moved, sum = { 0 };

	(void)state;
	set(&port, C(CNP_SENT), 0, 5);
	set(&port, C(RX_PAUSE), 3, 5);
	sample.counter[C(RX_PAUSE)].has = BIT(3);
	sample.counter[C(RX_PAUSE)].value[3] = 50;
	counters_of_sample(&sample, &port, 1000, &moved);
	/* What did not grow is not in it; what the port lacks is not known. */
	assert_int_equal(moved.has[C(CNP_SENT)], 1);
	assert_int_equal(moved.has[C(CNP_HANDLED)], 0);
	assert_int_equal(moved.by[C(RX_PAUSE)][3], 50);
	counters_add(&sum, &moved);
	counters_add(&sum, &moved);
	assert_int_equal(sum.by[C(RX_PAUSE)][3], 100);
	assert_int_equal(sum.ms[C(RX_PAUSE)], 2000);
	assert_true(counters_per_second(&sum, C(RX_PAUSE), 3) == 50);
}

static void storms_are_told(void **state)
{
	struct model_storm storm = { .priority = 3, .on = true };
	char buf[128];

	(void)state;
	assert_string_equal(line_storm(buf, sizeof(buf), &storm),
			    "pause storm on priority 3, received, began");
	storm.direction = ROCEGUARD_DIRECTION_SENT;
	storm.action = ROCEGUARD_STORM_ACTION_PFC_OFF;
	assert_string_equal(line_storm(buf, sizeof(buf), &storm),
			    "pause storm on priority 3, sent, began: PFC is off there");
	storm.on = false;
	storm.lasted = 2300;
	assert_string_equal(line_storm(buf, sizeof(buf), &storm),
			    "pause storm on priority 3, sent, ended after 2.3 s: PFC is on again there");
}

/* Watching */

static void take(struct watch *watch, struct model_counters *c)
{
	const struct model_counters_list list = { c, 1 };

	assert_int_equal(watch_take(watch, &list), 0);
}

static const struct watch_port *watch_some(struct watch *watch,
					   const uint64_t *paused_us, size_t n)
{
	struct model_counters c = reading(1000, 0);
	size_t i;

	set(&c, C(RX_PAUSE_US), 3, 0);
	take(watch, &c);
	for (i = 0; i < n; i++) {
		c.read_ms += 1000;
		c.counter[C(RX_PAUSE_US)].value[3] += paused_us[i];
		take(watch, &c);
	}
	return &watch->port[0];
}

static void a_watch_knows_after_two_rounds(void **state)
{
	const uint64_t paused[] = { 250000 };
	struct watch watch = { 0 };
	const struct watch_port *port;
	struct model_counters c;
	char cell[COUNTERS_WORDS];

	(void)state;
	port = watch_some(&watch, NULL, 0);
	assert_false(port->known);
	assert_int_equal(port->seen, 0);
	watch_free(&watch);
	port = watch_some(&watch, paused, 1);
	assert_true(port->known);
	assert_int_equal(port->seen, BIT(3));
	assert_string_equal(watch_cell(port, 1, 3, cell), " 25.0%");
	/* Of what is not there nothing is said. */
	assert_string_equal(watch_cell(port, 0, 3, cell), "       -");
	/* A round without a new sample keeps what was. */
	c = port->last;
	c.read_ms += 500;
	c.sampled = 500;
	take(&watch, &c);
	assert_string_equal(watch_cell(&watch.port[0], 1, 3, cell), " 25.0%");
	/* A port that went is forgotten, and one that comes is new. */
	c.id = 8;
	take(&watch, &c);
	assert_int_equal(watch.n, 1);
	assert_false(watch.port[0].known);
	watch_free(&watch);
}

static void a_spark_ends_with_the_newest(void **state)
{
	const uint64_t paused[] = { 0, 1000, 500000, 1000000 };
	struct watch watch = { 0 };
	const struct watch_port *port = watch_some(&watch, paused, 4);
	char buf[3 * WATCH_PAST + 1];

	(void)state;
	watch_spark(port, 1, 3, true, 6, buf);
	assert_string_equal(buf, "   ▁▄█");
	watch_spark(port, 1, 3, false, 6, buf);
	assert_string_equal(buf, "   .=#");
	watch_spark(port, 1, 3, false, 2, buf);
	assert_string_equal(buf, "=#");
	/* What is no share of time has its own maximum, and zero is nothing. */
	watch_spark(port, 0, 3, false, 3, buf);
	assert_string_equal(buf, "   ");
	watch_free(&watch);
}

static void a_spark_wraps_round(void **state)
{
	char buf[3 * WATCH_PAST + 1], full[WATCH_PAST + 1];
	uint64_t paused[WATCH_PAST + 10];
	struct watch watch = { 0 };
	const struct watch_port *port;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(paused); i++)
		paused[i] = i < 11 ? 0 : 1000000;
	port = watch_some(&watch, paused, ARRAY_SIZE(paused));
	watch_spark(port, 1, 3, false, WATCH_PAST, buf);
	memset(full, '#', WATCH_PAST);
	full[0] = ' ';
	full[WATCH_PAST] = '\0';
	assert_string_equal(buf, full);
	watch_free(&watch);
}

static void as_many_columns_as_fit(void **state)
{
	(void)state;
	assert_int_equal(watch_columns_for(-5), 0);
	assert_int_equal(watch_columns_for(8), 0);
	assert_int_equal(watch_columns_for(9), 1);
	/* A line of 80 characters: up to the rate of what is sent. */
	assert_int_equal(watch_columns_for(80 - 24), 6);
	assert_int_equal(watch_columns_for(1000), WATCH_COLUMNS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_absent_stays_absent),
		cmocka_unit_test(a_malformed_message_is_refused),
		cmocka_unit_test(rates_go_by_the_time_of_samples),
		cmocka_unit_test(nothing_is_known_of_what_is_in_one_only),
		cmocka_unit_test(words_have_units),
		cmocka_unit_test(the_recorder_has_what_the_port_counts),
		cmocka_unit_test(storms_are_told),
		cmocka_unit_test(a_watch_knows_after_two_rounds),
		cmocka_unit_test(a_spark_ends_with_the_newest),
		cmocka_unit_test(a_spark_wraps_round),
		cmocka_unit_test(as_many_columns_as_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
