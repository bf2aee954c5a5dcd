// SPDX-License-Identifier: GPL-2.0
/* port show, apply, restore */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "cmd.h"
#include "connect/connect.h"
#include "inuse.h"
#include "nl.h"
#include "print.h"
#include "show.h"
#include "usage.h"
#include "wait.h"

static bool is_leg_of(const struct model_port *port, const char *ifname)
{
	return !port->has_netnsid && port->bond[0] &&
	       !strcmp(port->bond, ifname);
}

/* The legs of a bond, one line each; false if there are none. */
static bool show_legs(struct rg_ctx *ctx, const char *bond)
{
	struct model_ports list = { };
	size_t i, n = 0;

	if (model_ports(ctx->nl, &list))
		list.n = 0;
	for (i = 0; i < list.n; i++) {
		if (!is_leg_of(&list.port[i], bond))
			continue;
		if (!n++) {
			out_begin_array(ctx);
			show_port_heading();
		}
		show_port(&list.port[i], ctx->stats);
	}
	if (n)
		out_end();
	model_ports_free(&list);
	return n;
}

static int show_one(struct rg_ctx *ctx, const char *ifname)
{
	struct conn_error error;
	struct conn_links links;
	struct model_port port;
	struct inuse use;
	struct nl_sock *sk;
	int err;

	err = model_port_get(ctx->nl, ifname, &port);
	if (err == -ENODEV && show_legs(ctx, ifname))
		return RG_EXIT_OK;
	/* What is said of it has been overwritten. */
	if (err == -ENODEV)
		err = model_port_get(ctx->nl, ifname, &port);
	if (err)
		return rgnl_complain(ctx->nl, "port show", err);
	sk = conn_rtnl_open(&error);
	if (!sk || conn_links_read(sk, &links, &error)) {
		rg_error("port show: %s", error.text);
		conn_rtnl_close(sk);
		return RG_EXIT_KERNEL;
	}
	inuse_read(&use, &port, sk, &links);
	conn_rtnl_close(sk);
	out_begin_array(ctx);
	show_port_detail(&port, &links, &use, ctx->stats);
	out_end();
	conn_links_free(&links);
	return RG_EXIT_OK;
}

/* What is true of all ports: why none shows an RDMA device, and is written. */
static void explain_host(struct rg_ctx *ctx)
{
	struct model_host host;

	if (model_mode_get(ctx->nl, &host))
		return;
	if (!host.rdma && host.rdma_reason[0])
		rg_error("without roceguard_rdma no port shows its RDMA device: %s",
			 host.rdma_reason);
	if (host.freeze_left)
		rg_error("the host is frozen for another %u s; nothing is written until then, or 'roceguard thaw'",
			 host.freeze_left);
	else if (host.frozen)
		rg_error("the host is frozen; nothing is written until 'roceguard thaw'");
}

static bool is_governed(const struct model_port *port)
{
	bool governed = port->policy[0];
	size_t i;

	for (i = 0; i < MODEL_KNOBS; i++)
		governed |= port->overlay[i].want[0];
	return governed;
}

/* Ports that have nothing to do with RoCE are in nobody's way. */
static bool is_interesting(const struct rg_ctx *ctx,
			   const struct model_port *port)
{
	return ctx->stats || port->dcb || is_governed(port);
}

static int show_all(struct rg_ctx *ctx)
{
	struct model_ports list = { };
	size_t i, n = 0;
	int err = model_ports(ctx->nl, &list);

	if (err) {
		model_ports_free(&list);
		return rgnl_complain(ctx->nl, "port show", err);
	}
	out_begin_array(ctx);
	for (i = 0; i < list.n; i++) {
		if (!is_interesting(ctx, &list.port[i]))
			continue;
		if (!n++)
			show_port_heading();
		show_port(&list.port[i], ctx->stats);
	}
	out_end();
	if (!n && !ctx->json)
		rg_error("no port has DCB or a policy; 'roceguard -s port show' lists all");
	model_ports_free(&list);
	return RG_EXIT_OK;
}

static int port_show(struct rg_ctx *ctx, int argc, char **argv)
{
	static const struct arg_option none[] = { { } };
	int status = args_parse(&argc, argv, none, 1, cmd_port_usage);

	if (status)
		return status;
	if (ctx_nl(ctx, "port show"))
		return RG_EXIT_KERNEL;
	status = argc ? show_one(ctx, argv[0]) : show_all(ctx);
	if (!status)
		explain_host(ctx);
	return status;
}

/**
 * struct apply - a "port apply" under way
 * @ifindex: of the ports that were kicked
 * @ticket: what each was promised
 * @n: how many
 * @now: --now
 */
struct apply {
	uint32_t *ifindex;
	uint32_t *ticket;
	size_t n;
	bool now;
};

static bool is_kicked(const struct apply *apply, const struct model_port *port,
		      size_t *i)
{
	for (*i = 0; *i < apply->n; (*i)++)
		if (apply->ifindex[*i] == port->ifindex && !port->has_netnsid)
			return true;
	return false;
}

static bool is_unserved(const struct model_port *port, void *arg)
{
	const struct apply *apply = arg;
	size_t i;

	return is_kicked(apply, port, &i) &&
	       (!wait_reached(port->served, apply->ticket[i]) ||
		port->state == ROCEGUARD_STATE_PENDING);
}

static int kick(struct rg_ctx *ctx, struct apply *apply, const char *ifname)
{
	struct model_port port;
	int err = model_port_apply(ctx->nl, ifname, apply->now, &port);

	if (err)
		return rgnl_complain(ctx->nl, "port apply", err);
	apply->ifindex[apply->n] = port.ifindex;
	apply->ticket[apply->n] = port.ticket;
	apply->n++;
	return RG_EXIT_OK;
}

static int kick_legs(struct rg_ctx *ctx, struct apply *apply,
		     const struct model_ports *list, const char *bond)
{
	int status = RG_EXIT_OK;
	size_t i;

	for (i = 0; !status && i < list->n; i++)
		if (is_leg_of(&list->port[i], bond))
			status = kick(ctx, apply, list->port[i].ifname);
	return status;
}

/* A port, or the legs of a bond. */
static int kick_named(struct rg_ctx *ctx, struct apply *apply,
		      const struct model_ports *list, const char *ifname)
{
	int status = kick_legs(ctx, apply, list, ifname);

	return status || apply->n ? status : kick(ctx, apply, ifname);
}

static int kick_all(struct rg_ctx *ctx, struct apply *apply,
		    const struct model_ports *list)
{
	int status = RG_EXIT_OK;
	size_t i;

	/* Names of other namespaces are not ours to use. */
	for (i = 0; !status && i < list->n; i++)
		if (is_governed(&list->port[i]) && !list->port[i].has_netnsid)
			status = kick(ctx, apply, list->port[i].ifname);
	return status;
}

static int apply_report(struct rg_ctx *ctx, const struct apply *apply,
			const struct model_ports *list)
{
	bool well = true;
	size_t i, k, n = 0;

	out_begin_array(ctx);
	for (i = 0; i < list->n; i++) {
		if (!is_kicked(apply, &list->port[i], &k))
			continue;
		if (!n++)
			show_port_heading();
		show_port(&list->port[i], ctx->stats);
		well &= show_port_is_well(&list->port[i]) &&
			wait_reached(list->port[i].served, apply->ticket[k]);
	}
	out_end();
	if (!apply->n && !ctx->json)
		rg_error("port apply: no port has a policy");
	return well ? RG_EXIT_OK : RG_EXIT_DRIFT;
}

static int apply_ports(struct rg_ctx *ctx, const char *ifname, bool now,
		       long seconds)
{
	struct model_ports list = { };
	struct apply apply = { .now = now };
	int err, status;

	err = model_ports(ctx->nl, &list);
	if (err) {
		status = rgnl_complain(ctx->nl, "port apply", err);
		goto out;
	}
	apply.ifindex = calloc(list.n + 1, sizeof(*apply.ifindex));
	apply.ticket = calloc(list.n + 1, sizeof(*apply.ticket));
	if (!apply.ifindex || !apply.ticket) {
		rg_error("port apply: out of memory");
		status = RG_EXIT_KERNEL;
		goto out;
	}
	status = ifname ? kick_named(ctx, &apply, &list, ifname) :
			  kick_all(ctx, &apply, &list);
	if (status)
		goto out;
	err = wait_ports(ctx->nl, &list, is_unserved, &apply, seconds);
	status = err ? rgnl_complain(ctx->nl, "port apply", err) :
		       apply_report(ctx, &apply, &list);
out:
	free(apply.ifindex);
	free(apply.ticket);
	model_ports_free(&list);
	return status;
}

/* [DEV] [--now] [--wait SECONDS]; without @now there is no --now. */
static int port_words(int *argc, char **argv, bool *now, long *seconds)
{
	const char *wait = NULL;
	const struct arg_option options[] = {
		{ "--wait", NULL, &wait },
		{ now ? "--now" : NULL, now, NULL },
		{ }
	};
	int status;

	*seconds = WAIT_SECONDS;
	status = args_parse(argc, argv, options, 1, cmd_port_usage);
	return status ? status : args_number("--wait", wait, 0,
					     WAIT_SECONDS_MAX, seconds);
}

static int port_apply(struct rg_ctx *ctx, int argc, char **argv)
{
	bool now = false;
	long seconds;
	int status;

	status = port_words(&argc, argv, &now, &seconds);
	if (status)
		return status;
	if (ctx_nl(ctx, "port apply"))
		return RG_EXIT_KERNEL;
	return apply_ports(ctx, argc ? argv[0] : NULL, now, seconds);
}

/* Put back is not what a port's state tells: an unmanaged one has none. */
static int restore_report(struct rg_ctx *ctx, const struct apply *apply,
			  const struct model_ports *list)
{
	bool done = false;
	size_t i, k;

	out_begin_array(ctx);
	for (i = 0; i < list->n; i++) {
		if (!is_kicked(apply, &list->port[i], &k))
			continue;
		show_port_heading();
		show_port(&list->port[i], ctx->stats);
		done = wait_reached(list->port[i].served, apply->ticket[k]) &&
		       list->port[i].state != ROCEGUARD_STATE_PENDING &&
		       !list->port[i].reason[0];
	}
	out_end();
	return done ? RG_EXIT_OK : RG_EXIT_DRIFT;
}

static int restore_port(struct rg_ctx *ctx, const char *ifname, long seconds)
{
	struct model_ports list = { };
	struct model_port port;
	uint32_t ifindex, ticket;
	struct apply apply = { .ifindex = &ifindex, .ticket = &ticket, .n = 1 };
	int err, status;

	err = model_port_restore(ctx->nl, ifname, &port);
	if (err)
		return rgnl_complain(ctx->nl, "port restore", err);
	ifindex = port.ifindex;
	ticket = port.ticket;
	err = model_ports(ctx->nl, &list);
	if (!err)
		err = wait_ports(ctx->nl, &list, is_unserved, &apply, seconds);
	status = err ? rgnl_complain(ctx->nl, "port restore", err) :
		       restore_report(ctx, &apply, &list);
	model_ports_free(&list);
	return status;
}

static int port_restore(struct rg_ctx *ctx, int argc, char **argv)
{
	long seconds;
	int status;

	status = port_words(&argc, argv, NULL, &seconds);
	if (status)
		return status;
	if (!argc) {
		rg_error("port restore: name a port");
		return RG_EXIT_USAGE;
	}
	if (ctx_nl(ctx, "port restore"))
		return RG_EXIT_KERNEL;
	return restore_port(ctx, argv[0], seconds);
}

int cmd_port(struct rg_ctx *ctx, int argc, char **argv)
{
	if (argc < 2)
		return cmd_unknown(NULL, cmd_port_usage);
	if (cmd_is_help(argv[1])) {
		printf("Usage:\n%s", cmd_port_usage);
		return RG_EXIT_OK;
	}
	if (!strcmp(argv[1], "show"))
		return port_show(ctx, argc - 2, argv + 2);
	if (!strcmp(argv[1], "apply"))
		return port_apply(ctx, argc - 2, argv + 2);
	if (!strcmp(argv[1], "restore"))
		return port_restore(ctx, argc - 2, argv + 2);
	return cmd_unknown(argv[1], cmd_port_usage);
}
