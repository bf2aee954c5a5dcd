// SPDX-License-Identifier: GPL-2.0
/* check: is every port as its policy says? */
#include <stdio.h>
#include <time.h>

#include "args.h"
#include "cmd.h"
#include "governed.h"
#include "print.h"
#include "show.h"
#include "usage.h"

/* What is being corrected is right by then. */
#define AGAIN_MS	500

static bool all_well(const struct governed_list *list)
{
	size_t i;

	for (i = 0; i < list->n; i++)
		if (!governed_is_well(&list->port[i]))
			return false;
	return true;
}

static void show(struct rg_ctx *ctx, const struct governed_list *list)
{
	size_t i;

	out_begin_array(ctx);
	if (list->n && list->module)
		show_port_heading();
	for (i = 0; i < list->n; i++) {
		out_open_object(NULL);
		governed_show(&list->port[i]);
		out_close();
	}
	out_end();
	if (!list->n && !ctx->json)
		rg_error("check: no port has a policy");
}

int cmd_check(struct rg_ctx *ctx, int argc, char **argv)
{
	const struct timespec again = { .tv_nsec = AGAIN_MS * 1000000 };
	static const struct arg_option none[] = { { } };
	struct governed_list list = { };
	int status;

	argc--;
	argv++;
	if (argc && cmd_is_help(argv[0])) {
		printf("Usage:\n%s", cmd_check_usage);
		return RG_EXIT_OK;
	}
	status = args_parse(&argc, argv, none, 1, cmd_check_usage);
	if (status)
		return status;
	status = governed_read(ctx, "check", argv[0], false, &list);
	if (!status && !all_well(&list)) {
		governed_free(&list);
		nanosleep(&again, NULL);
		status = governed_read(ctx, "check", argv[0], false, &list);
	}
	if (!status) {
		if (!list.module)
			rg_error("check: the kernel module is not loaded; ports are compared with the policies of this host");
		show(ctx, &list);
		status = all_well(&list) ? RG_EXIT_OK : RG_EXIT_DRIFT;
	}
	governed_free(&list);
	return status;
}
