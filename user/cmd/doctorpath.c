// SPDX-License-Identifier: GPL-2.0
/* doctor --traddr: the chain that "connect" judges, without connecting. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "connect/connect.h"
#include "doctorpath.h"
#include "print.h"
#include "show.h"

struct doctor_path {
	struct conn_args args;
	struct conn_facts facts;
	struct conn_chain chain;
};

static int judge(struct rg_ctx *ctx, const char *address,
		 struct doctor_path *path)
{
	struct conn_error error = { };

	if (conn_args_target(&path->args, address, &error) ||
	    conn_facts_gather(&ctx->nl, &path->args, &path->facts, &error)) {
		rg_error("doctor: %s", error.text);
		return error.status;
	}
	conn_chain_judge(&path->args, &path->facts, &path->chain);
	return RG_EXIT_OK;
}

int doctor_path_find(struct rg_ctx *ctx, const char *address,
		     struct doctor_path **path)
{
	*path = calloc(1, sizeof(**path));
	if (!*path) {
		rg_error("doctor: out of memory");
		return RG_EXIT_KERNEL;
	}
	return judge(ctx, address, *path);
}

const char *doctor_path_device(const struct doctor_path *path)
{
	const struct conn_route *route = &path->facts.route;

	if (!route->n_ports)
		return NULL;
	return *route->bond ? route->bond : route->port[0].name;
}

static void show_broken(const struct doctor_path *path,
			const struct conn_step *step)
{
	char line[CONN_SEEN + CONN_TEXT];

	out_text("path to %s: %s%s%s\n", path->args.address, step->name,
		 *step->port ? " on " : "", step->port);
	snprintf(line, sizeof(line), "seen: %s", step->seen);
	show_wrapped(4, line);
	snprintf(line, sizeof(line), "to do: %s", step->remedy);
	show_wrapped(4, line);
}

unsigned int doctor_path_show(const struct doctor_path *path)
{
	const struct conn_chain *chain = &path->chain;
	unsigned int i;

	if (out_json()) {
		out_open_object("path");
		out_str("traddr", NULL, path->args.address);
		conn_report_tos_chosen(chain);
		conn_report_links(chain);
		out_close();
		return chain->broken;
	}
	for (i = 0; i < chain->n; i++)
		if (chain->step[i].status == CONN_BROKEN)
			show_broken(path, &chain->step[i]);
	return chain->broken;
}
