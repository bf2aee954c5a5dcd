// SPDX-License-Identifier: GPL-2.0
/*
 * roceguard connect: NVMe over RDMA, over a host path that is proven lossless.
 * From top to bottom the steps of the walk; each is a file in connect/.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "cmd/cmd.h"
#include "connect/connect.h"
#include "print.h"

#define SYSFS		"/sys"
#define LIVE_SECONDS	10
/* Some drivers refresh their statistics once a second only. */
#define COUNT_SECONDS	3

static int fail(const struct conn_error *error)
{
	rg_error("connect: %s", error->text);
	return error->status;
}

static void read_counters(const struct conn_route *route,
			  struct conn_prio *prio)
{
	unsigned int i;

	memset(prio, 0, sizeof(*prio));
	for (i = 0; i < route->n_ports; i++)
		conn_prio_read(route->port[i].name, prio);
}

/*
 * The proof after the fact: frames did leave in the priority that the chain
 * promised. Without counters there is none, and the chain has to do.
 */
static bool frames_seen(struct conn_result *r, const struct conn_prio *before)
{
	const struct timespec step = { .tv_nsec = 100 * 1000000L };
	struct conn_prio after;
	unsigned int i;

	for (i = 0; i <= 10 * COUNT_SECONDS; i++) {
		read_counters(&r->facts.route, &after);
		conn_prio_since(before, &after, &r->frames);
		if (!r->frames.known || r->chain.priority < 0 ||
		    r->frames.tx[r->chain.priority])
			return true;
		nanosleep(&step, NULL);
	}
	return false;
}

/* nvme says no more than "already connected", and only sometimes. */
static void say_if_connected(const struct conn_args *args,
			     const struct conn_ctrl *old,
			     struct conn_error *error)
{
	unsigned int i;

	for (i = 0; i < args->n_pass; i++)
		if (!strcmp(args->pass[i].name, "duplicate-connect"))
			return;
	if (*old->name)
		conn_fail(error, RG_EXIT_KERNEL,
			  "already connected as %s (%s); -D connects once more",
			  old->name, old->state);
}

/* nvme does not say which target it failed at. */
static void say_where(const struct conn_args *args, struct conn_error *error)
{
	const struct conn_error bare = *error;

	conn_fail(error, bare.status, "%s port %s: %s", args->address,
		  args->trsvcid, bare.text);
}

static int connect_now(struct conn_result *r)
{
	const struct conn_args *args = &r->args;
	struct conn_ctrl_set ctrls;
	struct conn_prio before;
	struct conn_ctrl old;
	int err;

	r->outcome = CONN_FAILED;
	err = conn_nvme_transport(&r->error);
	if (err)
		return fail(&r->error);
	conn_ctrl_list(SYSFS, &ctrls);
	conn_ctrl_find(SYSFS, args, NULL, &old);
	read_counters(&r->facts.route, &before);
	err = conn_nvme_run(&r->cmd, args->timeout, args->verbose, &r->error);
	if (err) {
		say_where(args, &r->error);
		say_if_connected(args, &old, &r->error);
	}
	if (!err &&
	    !conn_ctrl_wait_live(SYSFS, args, &ctrls, LIVE_SECONDS, &r->ctrl))
		err = conn_fail(&r->error, RG_EXIT_KERNEL,
				"nvme ended well, but its controller %s%s not live after %d s",
				r->ctrl.name, *r->ctrl.name ? " is" : "is",
				LIVE_SECONDS);
	if (err)
		return fail(&r->error);
	r->outcome = r->chain.broken ? CONN_DEGRADED : CONN_CONNECTED;
	if (!frames_seen(r, &before)) {
		r->outcome = CONN_DEGRADED;
		rg_error("connect: no frame left in priority %d, so the connection does not ride it; see roceguard port show",
			 r->chain.priority);
	}
	return r->outcome == CONN_CONNECTED ? RG_EXIT_OK : RG_EXIT_DRIFT;
}

/* Without the module nothing is known, and that is no drift. */
static int refuse(struct conn_result *r)
{
	r->outcome = CONN_REFUSED;
	if (!r->facts.module) {
		rg_error("connect: not connected: nothing is proven without the module (--anyway connects)");
		return RG_EXIT_KERNEL;
	}
	rg_error("connect: not connected: this path is not lossless (--anyway connects)");
	return RG_EXIT_DRIFT;
}

/*
 * nvme-rdma takes no interface (host_iface is for TCP); binding the source
 * address to the one that leaves by it comes to the same.
 */
static void bind_source(struct conn_args *args, const struct conn_route *route)
{
	if (*args->host_iface && !*args->host_traddr)
		conn_address_print(&route->source, args->host_traddr);
}

static int walk(struct rg_ctx *ctx, struct conn_result *r)
{
	const char *nvme = conn_nvme_path(&r->error);
	int status;

	if (!nvme ||
	    conn_facts_gather(&ctx->nl, &r->args, &r->facts, &r->error))
		return fail(&r->error);
	bind_source(&r->args, &r->facts.route);
	conn_chain_judge(&r->args, &r->facts, &r->chain);
	if (conn_command_build(&r->cmd, nvme, &r->args, r->chain.tos.byte,
			       &r->error))
		return fail(&r->error);
	conn_report_tos(r);
	/* A dry run shows the whole chain anyway. */
	if (!r->args.dry_run)
		conn_report_broken(&r->chain);
	if (r->args.dry_run) {
		r->outcome = CONN_DRY_RUN;
		status = r->chain.broken ? RG_EXIT_DRIFT : RG_EXIT_OK;
	} else if (r->chain.broken && !r->args.anyway) {
		status = refuse(r);
	} else {
		status = connect_now(r);
	}
	conn_report(ctx, r);
	conn_command_free(&r->cmd);
	return status;
}

/**
 * cmd_connect() - connect NVMe over RDMA
 * @ctx: what the global options say
 * @argc: with the command's own name first
 * @argv: with the command's own name first
 *
 * Return: an enum rg_exit.
 */
int cmd_connect(struct rg_ctx *ctx, int argc, char **argv)
{
	struct conn_result *r = calloc(1, sizeof(*r));
	int status;

	if (!r) {
		rg_error("connect: out of memory");
		return RG_EXIT_KERNEL;
	}
	if (argc > 1 && cmd_is_help(argv[1])) {
		conn_help();
		status = RG_EXIT_OK;
	} else if (conn_args_parse(&r->args, argc, argv, &r->error)) {
		status = fail(&r->error);
	} else if (r->args.help) {
		conn_help();
		status = RG_EXIT_OK;
	} else if (conn_args_resolve(&r->args, &r->error)) {
		status = fail(&r->error);
	} else {
		status = walk(ctx, r);
	}
	free(r);
	return status;
}
