// SPDX-License-Identifier: GPL-2.0
/* user/incident.c: the minute before an incident, from the flight recorder. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "diagnose.h"
#include "incident.h"
#include "showcounters.h"

#define C(_name)	ROCEGUARD_COUNTER_##_name
#define ENTRIES		20

static struct model_sample entry[2 * ENTRIES];
static struct incident incident;

/* A second each, of one port, up to @end in ms. */
static struct model_sample *fill(size_t from, size_t n, uint32_t id, bool frozen,
				 uint64_t end)
{
	size_t i;

	for (i = 0; i < n; i++)
		entry[from + i] = (struct model_sample){
			.id = id, .frozen = frozen,
			.cause = frozen ? ROCEGUARD_INCIDENT_STORM : 0,
			.at = end - (n - 1 - i) * 1000,
		};
	return &entry[from];
}

static void move(struct model_sample *sample, uint32_t counter, unsigned int k,
		 uint64_t by)
{
	sample->counter[counter].has |= BIT(k);
	sample->counter[counter].value[k] = by;
}

static void entries_belong_to_a_port_and_an_incident(void **state)
{
	const struct model_samples samples = { .sample = entry, .n = 15 };

	(void)state;
	fill(0, 5, 1, true, 50000);
	fill(5, 5, 1, false, 90000);
	fill(10, 5, 2, false, 90000);
	assert_int_equal(show_run(&samples, 0), 5);
	assert_int_equal(show_run(&samples, 5), 10);
	assert_int_equal(show_run(&samples, 10), 15);
}

static void the_last_incident_is_found(void **state)
{
	struct model_samples samples = { .sample = entry, .n = 20 };

	(void)state;
	fill(0, 5, 1, true, 50000);
	fill(5, 5, 2, true, 70000);
	fill(10, 5, 3, true, 60000);
	fill(15, 5, 3, false, 90000);
	assert_true(incident_find(&samples, &incident));
	assert_int_equal(incident.sample->id, 2);
	assert_int_equal(incident.n, 5);
	assert_int_equal(incident_end(&incident)->at, 70000);
	fill(0, 20, 1, false, 90000);
	assert_false(incident_find(&samples, &incident));
	samples.n = 0;
	assert_false(incident_find(&samples, &incident));
}

static void what_moved_is_traced(void **state)
{
	const struct model_samples samples = { .sample = entry, .n = ENTRIES };
	struct model_sample *e = fill(0, ENTRIES, 1, true, 100000);

	(void)state;
	move(&e[0], C(TX_BYTES), 3, 1000);
	move(&e[7], C(RX_PAUSE), 3, 10);
	move(&e[9], C(RX_PAUSE), 3, 500);
	move(&e[19], C(RX_PAUSE), 3, 20);
	move(&e[19], C(CNP_SENT), 0, 1);
	assert_true(incident_find(&samples, &incident));
	/* Traffic last, the others as they are numbered. */
	assert_int_equal(incident.n_traces, 3);
	assert_int_equal(incident.trace[0].counter, C(RX_PAUSE));
	assert_int_equal(incident.trace[0].priority, 3);
	assert_int_equal(incident.trace[0].sum, 530);
	assert_int_equal(incident.trace[0].begin_ms, 12000);
	assert_int_equal(incident.trace[0].peak, 500);
	assert_int_equal(incident.trace[0].peak_ms, 10000);
	assert_int_equal(incident.trace[1].counter, C(CNP_SENT));
	assert_int_equal(incident.trace[1].begin_ms, 0);
	assert_int_equal(incident.trace[2].counter, C(TX_BYTES));
}

/* Everything at once: there is room for it. */
static void all_may_have_moved(void **state)
{
	const struct model_samples samples = { .sample = entry, .n = 1 };
	struct model_sample *e = fill(0, 1, 1, true, 100000);
	unsigned int k;
	uint32_t i;

	(void)state;
	for (i = 0; i < RG_COUNTERS; i++)
		for (k = 0; k < RG_PRIORITIES; k++)
			move(e, i, k, 1);
	assert_true(incident_find(&samples, &incident));
	assert_int_equal(incident.n_traces, INCIDENT_TRACES);
}

static void its_end_is_for_the_rules(void **state)
{
	const struct model_samples samples = { .sample = entry, .n = ENTRIES };
	struct model_sample *e = fill(0, ENTRIES, 1, true, 100000);
	struct diagnose_facts facts = { .known = true, .lossless = BIT(3) };
	static struct diagnose_finding found[DIAGNOSE_MAX];
	struct model_counters port = { .id = 1 };
	struct counters_moved moved;
	size_t i;

	(void)state;
	for (i = 0; i < ENTRIES; i++)
		move(&e[i], C(RX_PAUSE_US), 3, i < 10 ? 0 : 1000000);
	move(&e[2], C(CNP_IGNORED), 0, 7);
	assert_true(incident_find(&samples, &incident));
	incident_moved(&incident, &port, 10000, &moved);
	assert_int_equal(moved.ms[C(RX_PAUSE_US)], 10000);
	assert_int_equal(moved.by[C(RX_PAUSE_US)][3], 10000000);
	/* Longer ago than that. */
	assert_int_equal(moved.by[C(CNP_IGNORED)][0], 0);
	assert_int_equal(diagnose(&moved, &facts, found), 1);
	assert_string_equal(found[0].rule, "storm-received");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(entries_belong_to_a_port_and_an_incident),
		cmocka_unit_test(the_last_incident_is_found),
		cmocka_unit_test(what_moved_is_traced),
		cmocka_unit_test(all_may_have_moved),
		cmocka_unit_test(its_end_is_for_the_rules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
