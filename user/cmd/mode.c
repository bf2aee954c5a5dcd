// SPDX-License-Identifier: GPL-2.0
/* freeze, thaw */
#include <stdio.h>

#include "args.h"
#include "cmd.h"
#include "nl.h"
#include "print.h"
#include "show.h"
#include "usage.h"

static int set_frozen(struct rg_ctx *ctx, const char *what, bool frozen,
		      int argc, char **argv, const char *usage)
{
	static const struct arg_option none[] = { { } };
	struct model_host host;
	int err, status;

	argc--;
	argv++;
	if (argc && cmd_is_help(argv[0])) {
		printf("Usage:\n%s", usage);
		return RG_EXIT_OK;
	}
	status = args_parse(&argc, argv, none, 0, usage);
	if (status)
		return status;
	if (ctx_nl(ctx, what))
		return RG_EXIT_KERNEL;
	err = model_freeze(ctx->nl, frozen, &host);
	if (err)
		return rgnl_complain(ctx->nl, what, err);
	out_begin_object(ctx);
	if (out_json())
		show_host_json(&host);
	else
		show_host(&host);
	if (frozen)
		out_text("no port is written until 'roceguard thaw'\n");
	out_end();
	return RG_EXIT_OK;
}

int cmd_freeze(struct rg_ctx *ctx, int argc, char **argv)
{
	return set_frozen(ctx, "freeze", true, argc, argv, cmd_freeze_usage);
}

int cmd_thaw(struct rg_ctx *ctx, int argc, char **argv)
{
	return set_frozen(ctx, "thaw", false, argc, argv, cmd_thaw_usage);
}
