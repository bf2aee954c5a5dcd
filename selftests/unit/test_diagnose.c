// SPDX-License-Identifier: GPL-2.0
/* user/diagnose.c: each rule on its case and at its edge, none on a healthy port. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "diagnose.h"
#include "words.h"

#define SECONDS		3
#define C(_name)	ROCEGUARD_COUNTER_##_name

static struct diagnose_finding found[DIAGNOSE_MAX];

/* All that there is, and nothing of it moved. */
static struct counters_moved still(void)
{
	struct counters_moved moved = { 0 };
	uint32_t i;

	for (i = 0; i < MODEL_COUNTERS; i++) {
		moved.has[i] = rg_counter_per_priority(i) ? 0xff : 1;
		moved.ms[i] = SECONDS * 1000;
	}
	return moved;
}

/* Storage on priority 3, as it is when all is well. */
static struct counters_moved healthy(void)
{
	struct counters_moved moved = still();

	moved.by[C(RX_BYTES)][3] = moved.by[C(TX_BYTES)][3] = 300000000;
	moved.by[C(RX_PACKETS)][3] = moved.by[C(TX_PACKETS)][3] = 100000;
	moved.by[C(RX_BYTES)][0] = moved.by[C(TX_BYTES)][0] = 4000000;
	/* Congestion as it is to be: marks, CNPs both ways, some pauses. */
	moved.by[C(ECN_MARKED)][0] = 500;
	moved.by[C(CNP_SENT)][0] = 40;
	moved.by[C(CNP_HANDLED)][0] = 60;
	moved.by[C(RX_PAUSE)][3] = 900;
	moved.by[C(RX_PAUSE_US)][3] = 20000;
	moved.by[C(TX_PAUSE)][3] = 100;
	moved.by[C(TX_PAUSE_US)][3] = 3000;
	return moved;
}

static struct diagnose_facts storage(void)
{
	struct diagnose_facts facts = { .known = true, .lossless = BIT(3),
					.ecn = BIT(3) };

	strcpy(facts.policy, "storage");
	return facts;
}

static const struct diagnose_finding *finding(size_t n, const char *rule,
					      int priority)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (!strcmp(found[i].rule, rule) &&
		    found[i].priority == priority)
			return &found[i];
	return NULL;
}

/**
 * struct change - one counter that is otherwise than in health
 * @counter: enum roceguard_counter
 * @priority: or 0
 * @by: by how much it moved in SECONDS
 */
struct change {
	uint32_t counter;
	unsigned int priority;
	uint64_t by;
};

#define CHANGES		6

/**
 * struct sick - a rule and the least that makes it true
 * @rule: its name
 * @priority: that it is about, -1: the port
 * @ill: what makes it true
 * @edge: one less of the first of @ill, or one more if @edge_is_more, is well
 */
struct sick {
	const char *rule;
	int priority;
	struct change ill[CHANGES];
	bool edge_is_more;
	const char *seen;
};

static const struct sick sick[] = {
	{ "pause-outside-policy", 0, { { C(RX_PAUSE), 0, 1 } }, false,
	  "in 3.0 s on priority 0: rx_pause 1 frame (0.33/s), rx_pause_us 0 us, tx_bytes 4.00 MB (10.7Mbit/s)" },
	{ "pause-outside-policy", 4, { { C(RX_PAUSE), 4, 1 } }, false, NULL },
	{ "pause-sent-outside-policy", 0, { { C(TX_PAUSE), 0, 1 } }, false,
	  NULL },
	{ "storm-received", 3, { { C(RX_PAUSE_US), 3, 2970000 } }, false,
	  "in 3.0 s on priority 3: rx_pause 900 frames (300/s), rx_pause_us 3.0 s (99.0%), tx_bytes 300 MB (800Mbit/s)" },
	{ "storm-sent", 3, { { C(TX_PAUSE_US), 3, 2970000 } }, false, NULL },
	{ "storm-stopped-by-nic", -1, { { C(STORM_ERRORS), 0, 1 } }, false,
	  NULL },
	{ "global-pause", -1, { { C(RX_GLOBAL_PAUSE), 0, 1 } }, false, NULL },
	{ "slow-receiver", -1, { { C(HOST_STALLS), 0, 1 } }, false,
	  "in 3.0 s: tx_pause 100 frames (33.3/s) on priority 3, tx_global_pause 0 frames, host_stalls 1 event (0.33/s), out_of_buffer 0 events" },
	{ "marks-without-cnps", -1, { { C(ECN_MARKED), 0, 10 },
				      { C(CNP_SENT), 0, 0 } }, false,
	  "in 3.0 s: ecn_marked 10 packets (3.33/s), cnp_sent 0 CNPs" },
	{ "marks-without-cnps", -1, { { C(CNP_SENT), 0, 0 } }, true, NULL },
	{ "cnps-ignored", -1, { { C(CNP_IGNORED), 0, 1 },
				{ C(CNP_HANDLED), 0, 0 } }, false, NULL },
	{ "cnps-ignored", -1, { { C(CNP_HANDLED), 0, 0 },
				{ C(CNP_IGNORED), 0, 1 } }, true, NULL },
	{ "loss-outside-lossless", -1,
	  { { C(ACK_TIMEOUT), 0, 1 }, { C(RX_PAUSE), 3, 0 },
	    { C(TX_PAUSE), 3, 0 }, { C(RX_BYTES), 3, 0 },
	    { C(TX_BYTES), 3, 0 } }, false, NULL },
	/* A pause on the lossless priority: PFC does act. */
	{ "loss-outside-lossless", -1,
	  { { C(RX_PAUSE), 3, 0 }, { C(OUT_OF_SEQUENCE), 0, 1 },
	    { C(TX_PAUSE), 3, 0 }, { C(RX_BYTES), 3, 0 },
	    { C(TX_BYTES), 3, 0 } }, true, NULL },
	{ "pause-without-marks", 3,
	  { { C(RX_PAUSE), 3, 300 }, { C(ECN_MARKED), 0, 0 },
	    { C(CNP_HANDLED), 0, 0 } }, false, NULL },
	/* The sender sees CNPs where the receiver sees marks. */
	{ "pause-without-marks", 3,
	  { { C(CNP_HANDLED), 0, 0 }, { C(ECN_MARKED), 0, 0 } }, true, NULL },
};

static void make_ill(struct counters_moved *moved, const struct sick *s)
{
	size_t i;

	for (i = 0; i < CHANGES; i++)
		if (i == 0 || s->ill[i].counter || s->ill[i].by ||
		    s->ill[i].priority)
			moved->by[s->ill[i].counter][s->ill[i].priority] =
				s->ill[i].by;
}

static void each_rule_is_true_of_its_case(void **state)
{
	const struct diagnose_facts facts = storage();
	const struct diagnose_finding *f;
	struct counters_moved moved;
	size_t i, n;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(sick); i++) {
		moved = healthy();
		make_ill(&moved, &sick[i]);
		n = diagnose(&moved, &facts, found);
		f = finding(n, sick[i].rule, sick[i].priority);
		if (!f)
			fail_msg("case %zu: %s is not found", i, sick[i].rule);
		assert_true(f->n_figures && f->means[0] && f->remedy[0]);
		assert_null(strchr(f->means, '{'));
		assert_null(strchr(f->remedy, '{'));
		/* None is cut short. */
		assert_true(strlen(f->means) < DIAGNOSE_TEXT - 1 &&
			    strlen(f->remedy) < DIAGNOSE_TEXT - 1 &&
			    strlen(f->seen) < DIAGNOSE_TEXT - 1);
		if (sick[i].seen)
			assert_string_equal(f->seen, sick[i].seen);
	}
}

static void each_rule_has_an_edge(void **state)
{
	const struct diagnose_facts facts = storage();
	struct counters_moved moved;
	uint64_t *first;
	size_t i, n;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(sick); i++) {
		moved = healthy();
		make_ill(&moved, &sick[i]);
		first = &moved.by[sick[i].ill[0].counter][sick[i].ill[0].priority];
		*first += sick[i].edge_is_more ? 1 : -1;
		n = diagnose(&moved, &facts, found);
		if (finding(n, sick[i].rule, sick[i].priority))
			fail_msg("case %zu: %s is found beyond its edge", i,
				 sick[i].rule);
	}
}

static void nothing_is_wrong_with_a_healthy_port(void **state)
{
	struct diagnose_facts facts = storage();
	struct counters_moved moved = healthy();

	(void)state;
	assert_int_equal(diagnose(&moved, &facts, found), 0);
	moved = still();
	assert_int_equal(diagnose(&moved, &facts, found), 0);
	/* TCP loses nothing that RDMA counts, however much there is of it. */
	moved.by[C(TX_BYTES)][0] = moved.by[C(RX_BYTES)][0] = 1000000000;
	assert_int_equal(diagnose(&moved, &facts, found), 0);
	/* Nobody knows which priorities are to be lossless. */
	facts = (struct diagnose_facts){ 0 };
	moved = healthy();
	assert_int_equal(diagnose(&moved, &facts, found), 0);
}

/* A port without a policy that asks for ECN has no marks to miss. */
static void what_nobody_asked_for_is_not_missed(void **state)
{
	struct diagnose_facts facts = storage();
	struct counters_moved moved = healthy();

	(void)state;
	moved.by[C(ECN_MARKED)][0] = moved.by[C(CNP_HANDLED)][0] = 0;
	moved.by[C(CNP_SENT)][0] = 0;
	assert_int_equal(diagnose(&moved, &facts, found), 1);
	facts.ecn = 0;
	assert_int_equal(diagnose(&moved, &facts, found), 0);
}

/* A counter that the port lacks says neither yes nor no. */
static void what_is_absent_makes_no_rule_true(void **state)
{
	const struct diagnose_facts facts = storage();
	struct counters_moved moved;
	size_t i, k, n;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(sick); i++) {
		for (k = 0; k < CHANGES; k++) {
			const struct change *c = &sick[i].ill[k];

			if (k && !c->counter && !c->by && !c->priority)
				continue;
			/* Of sums the rest is enough. */
			if (!strcmp(sick[i].rule, "loss-outside-lossless") ||
			    !strcmp(sick[i].rule, "pause-without-marks"))
				continue;
			moved = healthy();
			make_ill(&moved, &sick[i]);
			moved.has[c->counter] = 0;
			n = diagnose(&moved, &facts, found);
			if (finding(n, sick[i].rule, sick[i].priority))
				fail_msg("case %zu: %s is found without %s", i,
					 sick[i].rule,
					 rg_word(&rg_words_counter, c->counter));
		}
	}
	moved = still();
	memset(moved.has, 0, sizeof(moved.has));
	assert_int_equal(diagnose(&moved, &facts, found), 0);
}

static void the_watchdog_is_believed(void **state)
{
	struct diagnose_facts facts = storage();
	struct counters_moved moved = still();

	(void)state;
	/* A driver without durations. */
	moved.has[C(RX_PAUSE_US)] = 0;
	moved.by[C(RX_PAUSE)][3] = 9000;
	facts.storm[ROCEGUARD_DIRECTION_RECEIVED] = BIT(3);
	/* One finding: a storm explains pauses without marks. */
	assert_int_equal(diagnose(&moved, &facts, found), 1);
	assert_string_equal(found[0].rule, "storm-received");
	assert_string_equal(found[0].seen,
			    "in 3.0 s on priority 3: rx_pause 9000 frames (3.00k/s), tx_bytes 0 B; the kernel's watchdog sees a storm of received pauses");
	/* And by both ways of seeing it it is one. */
	moved.has[C(RX_PAUSE_US)] = 0xff;
	moved.by[C(RX_PAUSE_US)][3] = 3000000;
	assert_int_equal(diagnose(&moved, &facts, found), 1);
	facts.storm[ROCEGUARD_DIRECTION_SENT] = BIT(3);
	assert_int_equal(diagnose(&moved, &facts, found), 2);
	assert_string_equal(found[1].rule, "storm-sent");
}

static void words_name_policy_and_priorities(void **state)
{
	struct diagnose_facts facts = storage();
	struct counters_moved moved = still();

	(void)state;
	facts.lossless = BIT(3) | BIT(4) | BIT(5);
	moved.by[C(RX_PAUSE)][0] = 1;
	assert_int_equal(diagnose(&moved, &facts, found), 1);
	assert_string_equal(found[0].means,
			    "the switch pauses priority 0, and policy storage has PFC on priority 3, 4 and 5 only: the two do not agree which class is lossless");
	facts.policy[0] = '\0';
	facts.lossless = 0;
	assert_int_equal(diagnose(&moved, &facts, found), 1);
	assert_string_equal(found[0].means,
			    "the switch pauses priority 0, and the NIC has PFC on no priority: the two do not agree which class is lossless");
}

/* Whatever is wrong at once, there is room for it. */
static void everything_may_be_wrong(void **state)
{
	struct diagnose_facts facts = storage();
	struct counters_moved moved = still();
	unsigned int k;
	uint32_t i;

	(void)state;
	facts.lossless = facts.ecn = 0;
	for (i = 0; i < MODEL_COUNTERS; i++)
		for (k = 0; k < (rg_counter_per_priority(i) ? 8 : 1); k++)
			moved.by[i][k] = 3000000;
	assert_true(diagnose(&moved, &facts, found) < DIAGNOSE_MAX);
	facts.storm[0] = facts.storm[1] = 0xff;
	assert_true(diagnose(&moved, &facts, found) < DIAGNOSE_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_rule_is_true_of_its_case),
		cmocka_unit_test(each_rule_has_an_edge),
		cmocka_unit_test(nothing_is_wrong_with_a_healthy_port),
		cmocka_unit_test(what_nobody_asked_for_is_not_missed),
		cmocka_unit_test(what_is_absent_makes_no_rule_true),
		cmocka_unit_test(the_watchdog_is_believed),
		cmocka_unit_test(words_name_policy_and_priorities),
		cmocka_unit_test(everything_may_be_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
