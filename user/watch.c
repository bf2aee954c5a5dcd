// SPDX-License-Identifier: GPL-2.0
/* Readings become rates and sparklines. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "watch.h"
#include "words.h"

const struct watch_column watch_columns[WATCH_COLUMNS] = {
	{ "RX_PAUSE", ROCEGUARD_COUNTER_RX_PAUSE, 8 },
	{ "RX_PSD", ROCEGUARD_COUNTER_RX_PAUSE_US, 6 },
	{ "TX_PAUSE", ROCEGUARD_COUNTER_TX_PAUSE, 8 },
	{ "TX_PSD", ROCEGUARD_COUNTER_TX_PAUSE_US, 6 },
	{ "RX", ROCEGUARD_COUNTER_RX_BYTES, 10 },
	{ "TX", ROCEGUARD_COUNTER_TX_BYTES, 10 },
	{ "MARKED", ROCEGUARD_COUNTER_RX_MARKED, 7 },
	{ "DISCARDS", ROCEGUARD_COUNTER_RX_DISCARDS, 8 },
};

static const struct watch_port *find(const struct watch *watch, uint32_t id)
{
	size_t i;

	for (i = 0; i < watch->n; i++)
		if (watch->port[i].last.id == id)
			return &watch->port[i];
	return NULL;
}

static void look_for_priorities(struct watch_port *port)
{
	unsigned int k;
	uint32_t i;

	for (i = 0; i < RG_PRIORITY_COUNTERS; i++)
		for (k = 0; k < RG_PRIORITIES; k++)
			if (port->last.counter[i].value[k])
				port->seen |= BIT(k);
}

static void keep_rates(struct watch_port *port)
{
	unsigned int c, k;

	for (c = 0; c < WATCH_COLUMNS; c++)
		for (k = 0; k < RG_PRIORITIES; k++)
			port->past[c][k][port->n_past % WATCH_PAST] =
				(float)counters_per_second(&port->moved,
						watch_columns[c].counter, k);
	port->n_past++;
}

static void take_port(struct watch_port *to, const struct watch_port *before,
		      const struct model_counters *now)
{
	struct counters_moved moved;

	if (!before) {
		memset(to, 0, sizeof(*to));
		to->last = *now;
		look_for_priorities(to);
		return;
	}
	*to = *before;
	/* Without a new sample the rates are those of the last one. */
	if (counters_since(&before->last, now, &moved)) {
		to->moved = moved;
		to->known = true;
		to->last = *now;
		look_for_priorities(to);
	}
	if (to->known)
		keep_rates(to);
}

int watch_take(struct watch *watch, const struct model_counters_list *list)
{
	struct watch_port *port = calloc(list->n + 1, sizeof(*port));
	size_t i;

	if (!port)
		return -ENOMEM;
	for (i = 0; i < list->n; i++)
		take_port(&port[i], find(watch, list->port[i].id),
			  &list->port[i]);
	free(watch->port);
	watch->port = port;
	watch->n = list->n;
	return 0;
}

void watch_free(struct watch *watch)
{
	free(watch->port);
	memset(watch, 0, sizeof(*watch));
}

const char *watch_cell(const struct watch_port *port, unsigned int column,
		       unsigned int priority, char *buf)
{
	const struct watch_column *c = &watch_columns[column];
	char words[COUNTERS_WORDS] = "-";

	if (port->moved.has[c->counter] & BIT(priority))
		counters_rate_words(c->counter,
				    counters_per_second(&port->moved,
							c->counter, priority),
				    words);
	snprintf(buf, COUNTERS_WORDS, "%*s", c->width, words);
	return buf;
}

void watch_port_words(const struct watch_port *port, char *buf, size_t size)
{
	char rate[COUNTERS_WORDS];
	size_t n = 0;
	uint32_t i;

	buf[0] = '\0';
	for (i = RG_PRIORITY_COUNTERS; i < RG_COUNTERS && n < size; i++) {
		if (!port->moved.by[i][0])
			continue;
		n += (size_t)snprintf(buf + n, size - n, "%s%s %s",
				      n ? ", " : "",
				      rg_word(&rg_words_counter, i),
				      counters_rate_words(i,
						counters_per_second(&port->moved,
								    i, 0),
						rate));
	}
}

unsigned int watch_columns_for(int left)
{
	unsigned int n;

	for (n = 0; n < WATCH_COLUMNS; n++) {
		left -= 1 + watch_columns[n].width;
		if (left < 0)
			break;
	}
	return n;
}

/* The rate @ago rounds before the last one; negative: there was none. */
static double past(const struct watch_port *port, unsigned int column,
		   unsigned int priority, unsigned int ago)
{
	if (ago >= port->n_past || ago >= WATCH_PAST)
		return -1;
	return port->past[column][priority][(port->n_past - 1 - ago) %
					    WATCH_PAST];
}

static double highest(const struct watch_port *port, unsigned int column,
		      unsigned int priority, int width)
{
	double value, most = 0;
	int i;

	if (counters_unit(watch_columns[column].counter) == COUNTERS_US)
		return 1000000;
	for (i = 0; i < width; i++) {
		value = past(port, column, priority, (unsigned int)i);
		most = max(most, value);
	}
	return most;
}

void watch_spark(const struct watch_port *port, unsigned int column,
		 unsigned int priority, bool utf8, int width, char *buf)
{
	static const char *const bars[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆",
					    "▇", "█" };
	static const char *const ascii[] = { " ", ".", ":", "-", "=", "+", "*",
					     "%", "#" };
	const char *const *bar = utf8 ? bars : ascii;
	double most = highest(port, column, priority, width), value;
	size_t level, n = 0;
	int i;

	for (i = width - 1; i >= 0; i--) {
		value = past(port, column, priority, (unsigned int)i);
		/* Whatever is not zero can be seen. */
		level = value > 0 && most > 0 ? 1 + (size_t)(value / most * 7) :
						0;
		level = min(level, ARRAY_SIZE(bars) - 1);
		memcpy(buf + n, bar[level], strlen(bar[level]));
		n += strlen(bar[level]);
	}
	buf[n] = '\0';
}
