// SPDX-License-Identifier: GPL-2.0
/* How counters look. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "line.h"
#include "print.h"
#include "show.h"
#include "showcounters.h"
#include "words.h"

/* The columns before those of priorities: name, unit, age. */
#define NAME_COLUMNS	35
#define NUMBER_MAX	24

static const char *number(const struct model_counter *c, unsigned int i,
			  char *buf)
{
	if (c->has & BIT(i))
		snprintf(buf, NUMBER_MAX, "%llu",
			 (unsigned long long)c->value[i]);
	else
		snprintf(buf, NUMBER_MAX, "-");
	return buf;
}

/* Its name, unit and age. */
static void show_name(const struct model_counters *counters, uint32_t i)
{
	const struct model_counter *c = &counters->counter[i];
	char age[COUNTERS_WORDS];

	out_text("  %-17s %-7s %7s", rg_word(&rg_words_counter, i),
		 counters_unit_word(i),
		 counters_time_words(c->has_age ? c->age : counters->sampled,
				     age));
}

/* Priorities that have nothing to tell are named in one line. */
static uint8_t priorities_that_count(const struct model_counters *counters,
				     uint8_t *zero)
{
	uint8_t some = 0, has = 0;
	unsigned int k;
	uint32_t i;

	for (i = 0; i < RG_PRIORITY_COUNTERS; i++) {
		has |= counters->counter[i].has;
		for (k = 0; k < RG_PRIORITIES; k++)
			if (counters->counter[i].value[k])
				some |= BIT(k);
	}
	*zero = has & (uint8_t)~some;
	return some;
}

static int column_width(const struct model_counters *counters, unsigned int k)
{
	int width = (int)strlen("PRIO 0"), n;
	char buf[NUMBER_MAX];
	uint32_t i;

	for (i = 0; i < RG_PRIORITY_COUNTERS; i++) {
		n = (int)strlen(number(&counters->counter[i], k, buf));
		width = max(width, n);
	}
	return width;
}

/* As many of those that are left as a line has room for, one at least. */
static uint8_t fitting(const struct model_counters *counters, uint8_t left,
		       int width)
{
	int column = NAME_COLUMNS;
	uint8_t mask = 0;
	unsigned int k;

	for (k = 0; k < RG_PRIORITIES; k++) {
		if (!(left & BIT(k)))
			continue;
		column += 1 + column_width(counters, k);
		if (mask && column > width)
			break;
		mask |= BIT(k);
	}
	return mask;
}

static void show_block(const struct model_counters *counters, uint8_t mask)
{
	char buf[NUMBER_MAX];
	unsigned int k;
	uint32_t i;

	out_text("  %-17s %-7s %7s", "PER PRIORITY", "UNIT", "AGE");
	for (k = 0; k < RG_PRIORITIES; k++)
		if (mask & BIT(k))
			out_text(" %*s %u", column_width(counters, k) - 2,
				 "PRIO", k);
	out_text("\n");
	for (i = 0; i < RG_PRIORITY_COUNTERS; i++) {
		if (!counters->counter[i].has)
			continue;
		show_name(counters, i);
		for (k = 0; k < RG_PRIORITIES; k++)
			if (mask & BIT(k))
				out_text(" %*s", column_width(counters, k),
					 number(&counters->counter[i], k, buf));
		out_text("\n");
	}
}

static void show_priorities(const struct model_counters *counters, int width)
{
	uint8_t zero, left = priorities_that_count(counters, &zero), mask;
	unsigned int k;

	while (left) {
		mask = fitting(counters, left, width);
		show_block(counters, mask);
		left &= (uint8_t)~mask;
	}
	if (!zero)
		return;
	out_text("  all is 0 on priority");
	for (k = 0; k < RG_PRIORITIES; k++)
		if (zero & BIT(k))
			out_text(" %u", k);
	out_text("\n");
}

static void show_port_counters(const struct model_counters *counters)
{
	bool heading = false;
	char buf[NUMBER_MAX];
	uint32_t i;

	for (i = RG_PRIORITY_COUNTERS; i < RG_COUNTERS; i++) {
		if (!counters->counter[i].has)
			continue;
		if (!heading)
			out_text("  %-17s %-7s %7s %14s\n", "PER PORT", "UNIT",
				 "AGE", "VALUE");
		heading = true;
		show_name(counters, i);
		out_text(" %14s\n", number(&counters->counter[i], 0, buf));
	}
}

static void show_storms(const struct model_counters *counters)
{
	char since[COUNTERS_WORDS];
	uint32_t i;

	for (i = 0; i < counters->n_storms; i++) {
		const struct model_storm *storm = &counters->storm[i];

		out_text("  pause storm on priority %u, %s, for %s%s\n",
			 storm->priority,
			 rg_word(&rg_words_direction, storm->direction),
			 counters_time_words(storm->since, since),
			 storm->action == ROCEGUARD_STORM_ACTION_PFC_OFF ?
			 ": PFC is off there" : "");
	}
}

static void show_text(const struct model_counters *counters, int width)
{
	char line[3 * MODEL_TEXT], ago[COUNTERS_WORDS];
	int n;

	n = snprintf(line, sizeof(line), "%s: driver %s", counters->ifname,
		     counters->driver[0] ? counters->driver : "-");
	if (counters->rdma_device[0])
		n += snprintf(line + n, sizeof(line) - (size_t)n, ", RDMA %s",
			      counters->rdma_device);
	if (counters->has_sampled)
		snprintf(line + n, sizeof(line) - (size_t)n,
			 ", sampled %s ago, sample %llu, read in %u us",
			 counters_time_words(counters->sampled, ago),
			 (unsigned long long)counters->samples,
			 counters->read_us);
	else
		snprintf(line + n, sizeof(line) - (size_t)n, ", not sampled yet");
	show_wrapped(0, line);
	show_storms(counters);
	show_priorities(counters, width);
	show_port_counters(counters);
}

/* JSON */

static void open_port(uint32_t ifindex, const char *ifname, bool has_netnsid,
		      int32_t netnsid)
{
	out_open_object(NULL);
	out_uint("ifindex", NULL, ifindex);
	out_str("ifname", NULL, ifname);
	if (has_netnsid)
		out_int("netnsid", NULL, netnsid);
}

void show_storm_json(const struct model_storm *storm)
{
	out_uint("priority", NULL, storm->priority);
	out_str("direction", NULL,
		rg_word(&rg_words_direction, storm->direction));
	out_str("action", NULL, rg_word(&rg_words_storm_action, storm->action));
}

static void show_priority_json(const struct model_counters *counters,
			       unsigned int k)
{
	bool any = false;
	uint32_t i;

	for (i = 0; i < RG_PRIORITY_COUNTERS; i++) {
		if (!(counters->counter[i].has & BIT(k)))
			continue;
		if (!any) {
			out_open_object(NULL);
			out_uint("priority", NULL, k);
		}
		any = true;
		out_uint(rg_word(&rg_words_counter, i), NULL,
			 counters->counter[i].value[k]);
	}
	if (any)
		out_close();
}

static void show_storms_json(const struct model_counters *counters)
{
	uint32_t i;

	out_open_array("storms");
	for (i = 0; i < counters->n_storms; i++) {
		out_open_object(NULL);
		show_storm_json(&counters->storm[i]);
		out_uint("since_ms", NULL, counters->storm[i].since);
		out_close();
	}
	out_close();
}

static void show_json(const struct model_counters *counters)
{
	unsigned int k;
	uint32_t i;

	open_port(counters->ifindex, counters->ifname, counters->has_netnsid,
		  counters->netnsid);
	if (counters->driver[0])
		out_str("driver", NULL, counters->driver);
	if (counters->rdma_device[0])
		out_str("rdma_device", NULL, counters->rdma_device);
	if (counters->has_sampled)
		out_uint("age_ms", NULL, counters->sampled);
	out_uint("samples", NULL, counters->samples);
	out_uint("read_us", NULL, counters->read_us);
	out_open_array("priorities");
	for (k = 0; k < RG_PRIORITIES; k++)
		show_priority_json(counters, k);
	out_close();
	out_open_object("port");
	for (i = RG_PRIORITY_COUNTERS; i < RG_COUNTERS; i++)
		if (counters->counter[i].has)
			out_uint(rg_word(&rg_words_counter, i), NULL,
				 counters->counter[i].value[0]);
	out_close();
	out_open_object("ages_ms");
	for (i = 0; i < RG_COUNTERS; i++)
		if (counters->counter[i].has && counters->counter[i].has_age)
			out_uint(rg_word(&rg_words_counter, i), NULL,
				 counters->counter[i].age);
	out_close();
	show_storms_json(counters);
	out_close();
}

void show_counters(const struct model_counters *counters, int width)
{
	if (out_json())
		show_json(counters);
	else
		show_text(counters, width);
}

/* What moved */

/* An object with what it is and by how much; the caller closes it. */
static void open_amount(uint32_t i, unsigned int k, uint64_t amount)
{
	out_open_object(NULL);
	out_str("counter", NULL, rg_word(&rg_words_counter, i));
	if (rg_counter_per_priority(i))
		out_uint("priority", NULL, k);
	out_str("unit", NULL, counters_unit_word(i));
	out_uint("amount", NULL, amount);
}

static void show_moved_one(const struct counters_moved *moved, uint32_t i,
			   unsigned int k)
{
	char value[COUNTERS_WORDS], rate[COUNTERS_WORDS], priority[4] = "-";
	double per_second = counters_per_second(moved, i, k);

	if (rg_counter_per_priority(i))
		snprintf(priority, sizeof(priority), "%u", k);
	if (!out_json()) {
		out_text("  %-17s %4s %20s %12s\n",
			 rg_word(&rg_words_counter, i), priority,
			 counters_value_words(i, moved->by[i][k], value),
			 counters_rate_words(i, per_second, rate));
		return;
	}
	open_amount(i, k, moved->by[i][k]);
	out_uint("ms", NULL, moved->ms[i]);
	out_num("per_second", NULL, per_second);
	out_close();
}

static bool moves(const struct counters_moved *moved)
{
	unsigned int k;
	uint32_t i;

	for (i = 0; i < RG_COUNTERS; i++)
		for (k = 0; k < RG_PRIORITIES; k++)
			if (moved->by[i][k])
				return true;
	return false;
}

void show_moved(const struct model_counters *counters,
		const struct counters_moved *moved, uint64_t ms)
{
	char time[COUNTERS_WORDS], name[64];
	unsigned int k;
	uint32_t i;

	if (out_json()) {
		open_port(counters->ifindex, counters->ifname,
			  counters->has_netnsid, counters->netnsid);
		out_open_array("moved");
	}
	out_text("%s", rg_clean(name, sizeof(name), counters->ifname));
	counters_time_words(ms, time);
	if (moves(moved))
		out_text(", in %s:\n  %-17s %4s %20s %12s\n", time, "COUNTER",
			 "PRIO", "AMOUNT", "RATE");
	else
		out_text(": nothing moved in %s\n", time);
	for (i = 0; i < RG_COUNTERS; i++)
		for (k = 0; k < RG_PRIORITIES; k++)
			if (moved->by[i][k])
				show_moved_one(moved, i, k);
	if (out_json()) {
		out_close();
		out_close();
	}
}

/* The flight recorder */

const char *show_incident(uint32_t cause)
{
	static const char *const words[] = {
		[ROCEGUARD_INCIDENT_NONE] = "nothing",
		[ROCEGUARD_INCIDENT_STORM] = "a pause storm",
		[ROCEGUARD_INCIDENT_LINK_DOWN] = "the loss of the link",
		[ROCEGUARD_INCIDENT_RECONNECT] = "the reconnect of a controller",
	};

	return cause < ARRAY_SIZE(words) ? words[cause] : "an incident";
}

size_t show_run(const struct model_samples *samples, size_t from)
{
	const struct model_sample *first = &samples->sample[from];
	size_t i = from + 1;

	while (i < samples->n && samples->sample[i].id == first->id &&
	       samples->sample[i].frozen == first->frozen)
		i++;
	return i;
}

static void show_run_heading(const struct model_sample *last)
{
	char time[64];

	out_str(NULL, "%s: ", last->ifname);
	if (!last->frozen) {
		out_text("the last minute\n");
		return;
	}
	out_text("the minute before %s at %s, kept until it is read with --clear\n",
		 show_incident(last->cause),
		 line_time(time, sizeof(time), "%m-%d %H:%M:%S",
			   last->at * 1000000));
}

/* "rx_pause[3] 120 frames, cnp_sent 2 CNPs" */
static void sample_words(const struct model_sample *sample, char *buf,
			 size_t size)
{
	char value[COUNTERS_WORDS], priority[8] = "";
	unsigned int k;
	size_t n = 0;
	uint32_t i;

	buf[0] = '\0';
	for (i = 0; i < RG_COUNTERS; i++) {
		for (k = 0; k < RG_PRIORITIES; k++) {
			uint64_t by = sample->counter[i].value[k];

			if (!by || n >= size)
				continue;
			if (rg_counter_per_priority(i))
				snprintf(priority, sizeof(priority), "[%u]", k);
			else
				priority[0] = '\0';
			n += (size_t)snprintf(buf + n, size - n, "%s%s%s %s",
					      n ? ", " : "",
					      rg_word(&rg_words_counter, i),
					      priority,
					      counters_value_words(i, by, value));
		}
	}
}

static void show_sample_text(const struct model_sample *sample)
{
	char line[4096], time[64];

	sample_words(sample, line, sizeof(line));
	if (!line[0])
		return;
	out_text("  %s\n", line_time(time, sizeof(time), "%H:%M:%S",
				     sample->at * 1000000));
	show_wrapped(4, line);
}

static void show_sample_json(const struct model_sample *sample)
{
	unsigned int k;
	uint32_t i;

	open_port(sample->ifindex, sample->ifname, sample->has_netnsid,
		  sample->netnsid);
	out_uint("time_ms", NULL, sample->at);
	out_bool("frozen", NULL, sample->frozen);
	if (sample->cause)
		out_str("cause", NULL,
			rg_word(&rg_words_incident, sample->cause));
	out_open_array("moved");
	for (i = 0; i < RG_COUNTERS; i++) {
		for (k = 0; k < RG_PRIORITIES; k++) {
			if (!sample->counter[i].value[k])
				continue;
			open_amount(i, k, sample->counter[i].value[k]);
			out_close();
		}
	}
	out_close();
	out_close();
}

void show_samples(const struct model_samples *samples)
{
	size_t i, end = 0;

	for (i = 0; i < samples->n; i++) {
		if (out_json()) {
			show_sample_json(&samples->sample[i]);
			continue;
		}
		if (i == end) {
			end = show_run(samples, i);
			show_run_heading(&samples->sample[end - 1]);
		}
		show_sample_text(&samples->sample[i]);
	}
}
