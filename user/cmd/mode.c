// SPDX-License-Identifier: GPL-2.0
/* freeze, thaw */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "cmd.h"
#include "frozen.h"
#include "nl.h"
#include "print.h"
#include "show.h"
#include "usage.h"

static void show(struct rg_ctx *ctx, const struct model_host *host)
{
	out_begin_object(ctx);
	if (out_json())
		show_host_json(host);
	else
		show_host(host);
	if (host->frozen)
		out_text("no port is written until 'roceguard thaw'%s\n",
			 host->freeze_left ? ", or until the time is over" : "");
	out_end();
}

/* What is done now is done; only that a reboot would not know is told. */
static int kept(const char *what, int err)
{
	if (!err)
		return RG_EXIT_OK;
	rg_error("%s: done, but not for after a reboot: %s: %s", what,
		 frozen_path(), strerror(-err));
	return RG_EXIT_KERNEL;
}

static int freeze_now(struct rg_ctx *ctx, long seconds)
{
	struct model_host host;
	int err, status;

	if (ctx_nl(ctx, "freeze"))
		return RG_EXIT_KERNEL;
	err = model_freeze(ctx->nl, (uint32_t)seconds, &host);
	if (err)
		return rgnl_complain(ctx->nl, "freeze", err);
	status = kept("freeze", frozen_keep(seconds ? time(NULL) + seconds :
						      FROZEN_FOR_EVER));
	show(ctx, &host);
	return status;
}

/* At boot: what was frozen before is frozen again, for what is left of its time. */
static int freeze_restore(struct rg_ctx *ctx)
{
	struct model_host host;
	time_t until, left = 0;
	int err = frozen_read(&until), status;

	if (err == -ENOENT)
		return RG_EXIT_OK;
	if (!err && until != FROZEN_FOR_EVER) {
		left = until - time(NULL);
		if (left <= 0)
			return kept("freeze --restore", frozen_forget());
		/* The clock has gone back. */
		if (left > ROCEGUARD_FREEZE_MAX)
			left = ROCEGUARD_FREEZE_MAX;
	}
	/* Somebody wanted a freeze: without knowing for how long, it has no end. */
	if (err)
		rg_error("freeze --restore: %s: %s; frozen until 'roceguard thaw'",
			 frozen_path(), strerror(-err));
	if (ctx_nl(ctx, "freeze --restore"))
		return RG_EXIT_KERNEL;
	status = err ? RG_EXIT_KERNEL : RG_EXIT_OK;
	err = model_freeze(ctx->nl, (uint32_t)left, &host);
	if (err)
		return rgnl_complain(ctx->nl, "freeze --restore", err);
	show(ctx, &host);
	return status;
}

int cmd_freeze(struct rg_ctx *ctx, int argc, char **argv)
{
	const char *how_long = NULL;
	bool restore = false;
	const struct arg_option options[] = {
		{ "--for", NULL, &how_long },
		{ "--restore", &restore, NULL },
		{ }
	};
	long seconds = 0;
	int status;

	argc--;
	argv++;
	if (argc && cmd_is_help(argv[0])) {
		printf("Usage:\n%s", cmd_freeze_usage);
		return RG_EXIT_OK;
	}
	status = args_parse(&argc, argv, options, 0, cmd_freeze_usage);
	if (!status)
		status = args_time("--for", how_long, 1, ROCEGUARD_FREEZE_MAX,
				   &seconds);
	if (status)
		return status;
	if (restore && how_long) {
		rg_error("freeze: --for and --restore exclude each other");
		return RG_EXIT_USAGE;
	}
	return restore ? freeze_restore(ctx) : freeze_now(ctx, seconds);
}

int cmd_thaw(struct rg_ctx *ctx, int argc, char **argv)
{
	static const struct arg_option none[] = { { } };
	struct model_host host;
	int err, status;

	argc--;
	argv++;
	if (argc && cmd_is_help(argv[0])) {
		printf("Usage:\n%s", cmd_thaw_usage);
		return RG_EXIT_OK;
	}
	status = args_parse(&argc, argv, none, 0, cmd_thaw_usage);
	if (status)
		return status;
	if (ctx_nl(ctx, "thaw"))
		return RG_EXIT_KERNEL;
	err = model_thaw(ctx->nl, &host);
	if (err)
		return rgnl_complain(ctx->nl, "thaw", err);
	status = kept("thaw", frozen_forget());
	show(ctx, &host);
	return status;
}
