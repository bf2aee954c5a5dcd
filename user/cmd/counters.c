// SPDX-License-Identifier: GPL-2.0
/* counters show, history */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "args.h"
#include "cmd.h"
#include "counterswatch.h"
#include "nl.h"
#include "print.h"
#include "showcounters.h"
#include "term.h"
#include "usage.h"

/* Of one port, or of all if @ifname is NULL. */
static int read_counters(struct rg_ctx *ctx, const char *ifname,
			 struct model_counters_list *list)
{
	if (!ifname)
		return model_counters(ctx->nl, list);
	model_counters_free(list);
	list->port = calloc(1, sizeof(*list->port));
	if (!list->port)
		return -ENOMEM;
	list->n = 1;
	return model_counters_get(ctx->nl, ifname, false, list->port);
}

/* Ports that have nothing to tell are in nobody's way. */
static bool has_any(const struct model_counters *counters)
{
	uint32_t i;

	for (i = 0; i < RG_COUNTERS; i++)
		if (counters->counter[i].has)
			return true;
	return false;
}

static void show_all(struct rg_ctx *ctx, const struct model_counters_list *list,
		     bool named)
{
	size_t i, n = 0;

	out_begin_array(ctx);
	for (i = 0; i < list->n; i++) {
		if (!named && !has_any(&list->port[i]) && !ctx->stats)
			continue;
		show_counters(&list->port[i], term_width());
		n++;
	}
	out_end();
	if (!n && !ctx->json)
		rg_error("no port has counters; 'roceguard -s counters show' lists all");
}

static void show_what_moved(struct rg_ctx *ctx,
			    const struct model_counters_list *before,
			    const struct model_counters_list *after,
			    bool named)
{
	struct counters_moved moved;
	size_t i, k;

	out_begin_array(ctx);
	for (i = 0; i < after->n; i++) {
		const struct model_counters *now = &after->port[i];

		for (k = 0; k < before->n; k++)
			if (before->port[k].id == now->id)
				break;
		if (k == before->n ||
		    (!counters_since(&before->port[k], now, &moved) && !named))
			continue;
		show_moved(now, &moved, now->read_ms - before->port[k].read_ms);
	}
	out_end();
}

static int show_changes(struct rg_ctx *ctx, const char *ifname, long seconds)
{
	struct model_counters_list before = { }, after = { };
	const struct timespec time = { .tv_sec = seconds };
	int err = read_counters(ctx, ifname, &before);

	if (!err) {
		nanosleep(&time, NULL);
		err = read_counters(ctx, ifname, &after);
	}
	if (!err)
		show_what_moved(ctx, &before, &after, ifname);
	model_counters_free(&before);
	model_counters_free(&after);
	return err;
}

static int counters_show(struct rg_ctx *ctx, int argc, char **argv)
{
	struct model_counters_list list = { };
	const char *delta = NULL;
	const struct arg_option options[] = { { "-d", NULL, &delta }, { } };
	long seconds = 0;
	int err, status;

	status = args_parse(&argc, argv, options, 1, cmd_counters_usage);
	if (!status)
		status = args_number("-d", delta, 1, 3600, &seconds);
	if (status)
		return status;
	if (ctx_nl(ctx, "counters show"))
		return RG_EXIT_KERNEL;
	if (seconds) {
		err = show_changes(ctx, argv[0], seconds);
	} else {
		err = read_counters(ctx, argv[0], &list);
		if (!err)
			show_all(ctx, &list, argv[0]);
		model_counters_free(&list);
	}
	return err ? rgnl_complain(ctx->nl, "counters show", err) : RG_EXIT_OK;
}

static int counters_history(struct rg_ctx *ctx, int argc, char **argv)
{
	struct model_samples samples = { };
	bool clear = false;
	const struct arg_option options[] = { { "--clear", &clear, NULL }, { } };
	int err, status;

	status = args_parse(&argc, argv, options, 1, cmd_counters_usage);
	if (status)
		return status;
	if (ctx_nl(ctx, "counters history"))
		return RG_EXIT_KERNEL;
	err = model_samples(ctx->nl, argv[0], clear, &samples);
	if (err) {
		status = rgnl_complain(ctx->nl, "counters history", err);
	} else {
		out_begin_array(ctx);
		show_samples(&samples);
		out_end();
	}
	model_samples_free(&samples);
	return status;
}

int cmd_counters(struct rg_ctx *ctx, int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(struct rg_ctx *ctx, int argc, char **argv);
	} commands[] = {
		{ "show", counters_show },
		{ "watch", counters_watch },
		{ "history", counters_history },
	};
	size_t i;

	if (cmd_is_help(argv[1])) {
		printf("Usage:\n%s", cmd_counters_usage);
		return RG_EXIT_OK;
	}
	for (i = 0; argv[1] && i < ARRAY_SIZE(commands); i++)
		if (!strcmp(commands[i].name, argv[1]))
			return commands[i].run(ctx, argc - 2, argv + 2);
	return cmd_unknown(argv[1], cmd_counters_usage);
}
