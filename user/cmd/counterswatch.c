// SPDX-License-Identifier: GPL-2.0
/* counters watch: rates, as lines or on the full screen */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "args.h"
#include "cmd.h"
#include "counterswatch.h"
#include "line.h"
#include "nl.h"
#include "print.h"
#include "term.h"
#include "usage.h"
#include "watch.h"
#include "words.h"

/* The columns before those of rates: time, port, priority. */
#define NAME_COLUMNS	24

/**
 * struct watching - a "counters watch" under way
 * @ctx: the options
 * @ifname: of one port only, or NULL
 * @watch: what is known
 * @lines: how many since the heading
 */
struct watching {
	struct rg_ctx *ctx;
	const char *ifname;
	struct watch watch;
	unsigned int lines;
};

static int read_round(void *arg)
{
	struct model_counters_list list = { };
	struct model_counters one;
	struct watching *w = arg;
	int err;

	if (w->ifname) {
		err = model_counters_get(w->ctx->nl, w->ifname, false, &one);
		list = (struct model_counters_list){ &one, 1 };
		return err ? err : watch_take(&w->watch, &list);
	}
	err = model_counters(w->ctx->nl, &list);
	if (!err)
		err = watch_take(&w->watch, &list);
	model_counters_free(&list);
	return err;
}

/* Lines of text */

/* A terminal would have scrolled the heading away by then. */
#define HEADING_EVERY	40

static void show_heading(struct watching *w, unsigned int columns)
{
	unsigned int c;

	if (w->lines++ % HEADING_EVERY)
		return;
	out_text("%-8s %-10s %4s", "TIME", "PORT", "PRIO");
	for (c = 0; c < columns; c++)
		out_text(" %*s", watch_columns[c].width,
			 watch_columns[c].heading);
	out_text("\n");
}

static void show_name(const struct watch_port *port, const char *time,
		      const char *priority)
{
	char clean[64];

	out_text("%s %-10s %4s", time,
		 rg_clean(clean, sizeof(clean), port->last.ifname), priority);
}

static void show_port(struct watching *w, const struct watch_port *port,
		      const char *time)
{
	unsigned int c, k, columns = watch_columns_for(term_width() -
						       NAME_COLUMNS);
	char cell[COUNTERS_WORDS], words[1024], priority[4];

	for (k = 0; k < RG_PRIORITIES; k++) {
		if (!(port->seen & BIT(k)))
			continue;
		show_heading(w, columns);
		snprintf(priority, sizeof(priority), "%u", k);
		show_name(port, time, priority);
		for (c = 0; c < columns; c++)
			out_text(" %s", watch_cell(port, c, k, cell));
		out_text("\n");
	}
	watch_port_words(port, words, sizeof(words));
	if (!words[0])
		return;
	show_heading(w, columns);
	show_name(port, time, "-");
	out_text(" %.*s\n", max(term_width() - NAME_COLUMNS - 1, 0), words);
}

/* JSON: an object a line, one for each priority and one for the port */

static void show_rates_json(struct watching *w, const struct watch_port *port,
			    uint64_t now, int priority)
{
	uint32_t i, from = priority < 0 ? RG_PRIORITY_COUNTERS : 0;
	uint32_t to = priority < 0 ? RG_COUNTERS : RG_PRIORITY_COUNTERS;
	unsigned int k = priority < 0 ? 0 : (unsigned int)priority;

	out_begin_object(w->ctx);
	out_uint("time_ns", NULL, now);
	out_uint("ifindex", NULL, port->last.ifindex);
	out_str("ifname", NULL, port->last.ifname);
	if (port->last.has_netnsid)
		out_int("netnsid", NULL, port->last.netnsid);
	if (priority >= 0)
		out_uint("priority", NULL, k);
	out_open_object("per_second");
	for (i = from; i < to; i++)
		if (port->moved.has[i] & BIT(k))
			out_num(rg_word(&rg_words_counter, i), NULL,
				counters_per_second(&port->moved, i, k));
	out_close();
	out_end();
}

static void show_port_json(struct watching *w, const struct watch_port *port,
			   uint64_t now)
{
	int k;

	for (k = 0; k < RG_PRIORITIES; k++)
		if (port->seen & BIT(k))
			show_rates_json(w, port, now, k);
	show_rates_json(w, port, now, -1);
}

static void show_round(struct watching *w)
{
	char clock[16] = "?";
	struct timespec t;
	struct tm tm;
	size_t i;

	clock_gettime(CLOCK_REALTIME, &t);
	if (localtime_r(&t.tv_sec, &tm))
		strftime(clock, sizeof(clock), "%H:%M:%S", &tm);
	for (i = 0; i < w->watch.n; i++) {
		if (!w->watch.port[i].known)
			continue;
		if (w->ctx->json)
			show_port_json(w, &w->watch.port[i],
				       (uint64_t)t.tv_sec * 1000000000 +
				       (uint64_t)t.tv_nsec);
		else
			show_port(w, &w->watch.port[i], clock);
	}
	fflush(stdout);
}

static int watch_lines(struct watching *w, long seconds, long count)
{
	const struct timespec step = { .tv_sec = seconds };
	int err = 0;

	while (!err && count && !ferror(stdout)) {
		nanosleep(&step, NULL);
		err = read_round(w);
		if (!err)
			show_round(w);
		if (count > 0)
			count--;
	}
	return err;
}

static int watch(struct watching *w, long seconds, long count)
{
	int err = read_round(w);

	if (err)
		return err;
	if (!w->ctx->json && isatty(STDOUT_FILENO) && isatty(STDIN_FILENO)) {
		err = watch_screen(read_round, w, &w->watch, seconds, count);
		if (err != -ENOTTY)
			return err;
	}
	return watch_lines(w, seconds, count);
}

int counters_watch(struct rg_ctx *ctx, int argc, char **argv)
{
	const char *count_text = NULL, *interval = NULL;
	const struct arg_option options[] = {
		{ "-n", NULL, &count_text },
		{ "-i", NULL, &interval },
		{ }
	};
	struct watching w = { .ctx = ctx };
	long count = -1, seconds = 1;
	int err, status;

	status = args_parse(&argc, argv, options, 1, cmd_counters_usage);
	if (!status)
		status = args_number("-n", count_text, 1, LONG_MAX, &count);
	if (!status)
		status = args_number("-i", interval, 1, 3600, &seconds);
	if (status)
		return status;
	if (ctx_nl(ctx, "counters watch"))
		return RG_EXIT_KERNEL;
	w.ifname = argv[0];
	err = watch(&w, seconds, count);
	status = err ? rgnl_complain(ctx->nl, "counters watch", err) :
		       RG_EXIT_OK;
	watch_free(&w.watch);
	return status;
}
