/* SPDX-License-Identifier: GPL-2.0 */
/*
 * `counters watch`: readings become rates and, over time, sparklines. Nothing in
 * watch.c talks to the kernel or to a terminal; screen.c has the full screen.
 */
#ifndef RG_WATCH_H
#define RG_WATCH_H

#include "counters.h"

/* So many rates of the past are kept; no terminal is wider. */
#define WATCH_PAST	256

/* What a line of a priority has, the most telling first. */
#define WATCH_COLUMNS	8

/**
 * struct watch_column - one of them
 * @heading: above it
 * @counter: enum roceguard_counter
 * @width: in characters, without a blank before it
 */
struct watch_column {
	const char *heading;
	uint32_t counter;
	int width;
};

extern const struct watch_column watch_columns[WATCH_COLUMNS];

/**
 * struct watch_port - a port that is watched
 * @last: as it was last read
 * @known: @moved says something
 * @moved: between the last two samples
 * @seen: mask of priorities that have a line: those that ever counted
 * @n_past: how many rates of the past there are
 * @past: rates by column and priority, those of round n at n % WATCH_PAST
 */
struct watch_port {
	struct model_counters last;
	bool known;
	struct counters_moved moved;
	uint8_t seen;
	unsigned int n_past;
	float past[WATCH_COLUMNS][RG_PRIORITIES][WATCH_PAST];
};

/**
 * struct watch - all of them
 */
struct watch {
	struct watch_port *port;
	size_t n;
};

/**
 * watch_take() - take what was read in a round
 * @watch: what is kept; ports that are not in @list any more are forgotten
 * @list: what was read
 *
 * Return: 0 or -ENOMEM.
 */
int watch_take(struct watch *watch, const struct model_counters_list *list);
void watch_free(struct watch *watch);

/**
 * watch_cell() - a rate of a line, right-aligned in its column
 * @port: the port
 * @column: of watch_columns
 * @priority: of the line
 * @buf: COUNTERS_WORDS bytes; "-" if it is not known
 */
const char *watch_cell(const struct watch_port *port, unsigned int column,
		       unsigned int priority, char *buf);

/**
 * watch_port_words() - counters of the port that moved: "cnp_sent 3/s, ..."
 * @port: the port
 * @buf: filled in, "" if none did
 * @size: of @buf
 */
void watch_port_words(const struct watch_port *port, char *buf, size_t size);

/**
 * watch_columns_for() - how many columns fit
 * @left: characters that there are for them
 */
unsigned int watch_columns_for(int left);

/**
 * watch_spark() - the past of a rate as a line of bars
 * @port: the port
 * @column: of watch_columns
 * @priority: of the line
 * @utf8: with block elements, or in ASCII
 * @width: characters
 * @buf: 3 * @width + 1 bytes, the newest at its end
 *
 * A share of the time is drawn against the whole of it, anything else against its
 * own maximum in what is drawn.
 */
void watch_spark(const struct watch_port *port, unsigned int column,
		 unsigned int priority, bool utf8, int width, char *buf);

/**
 * watch_screen() - the full screen
 * @read: reads a round into the watch
 * @arg: for @read
 * @watch: what is shown
 * @seconds: between rounds
 * @count: rounds; negative: until somebody quits
 *
 * Return: what @read returned, 0 when the user or a signal ended it, or -ENOTTY
 * if the terminal cannot do it.
 */
int watch_screen(int (*read)(void *arg), void *arg, const struct watch *watch,
		 long seconds, long count);

#endif /* RG_WATCH_H */
