// SPDX-License-Identifier: GPL-2.0
/*
 * policy load: read and check everything, then send, then wait for the ports.
 * What the kernel refuses under way takes back what was sent before it.
 */
#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "cmd.h"
#include "conf.h"
#include "load.h"
#include "match.h"
#include "nl.h"
#include "print.h"
#include "rollout.h"
#include "show.h"
#include "usage.h"
#include "wait.h"

#define MACHINE_ID	"/etc/machine-id"

/**
 * struct load - a "policy load" under way
 * @list: what was read
 * @old: the policies before
 * @ports: the ports before, later after
 * @on: --on, or NULL
 * @all: --all
 * @observe: --observe
 * @prune: --prune
 * @confirm_within: --confirm-within in seconds, 0: it stays without
 * @seconds: --wait
 * @generation: of the last policy that the kernel took
 */
struct load {
	struct conf_list list;
	struct model_policies old;
	struct model_ports ports;
	const char *on;
	bool all;
	bool observe;
	bool prune;
	long confirm_within;
	long seconds;
	uint32_t generation;
};

/*
 * Which key of [Match] leaves a port out; NULL: none. @early: the kernel has not
 * looked at the port for this policy yet, so it may not have asked for its speed.
 */
static const char *misfit(const struct rg_policy_spec *spec,
			  const struct model_port *port, bool early)
{
	const struct rg_candidate candidate = {
		.ifname = port->ifname,
		.bond = port->bond,
		.driver = port->driver,
		.rdma = port->roce_capable,
		.pci = port->pci,
		.rdma_device = port->rdma_device,
		.speed = port->speed,
		.early = early,
	};

	return rg_match_misfit(&spec->match, &candidate);
}


/* --on roce0,roce1: these names, whatever names the file has. */

static const struct model_port *find_port(const struct model_ports *ports,
					  const char *ifname)
{
	size_t i;

	for (i = 0; i < ports->n; i++)
		if (!strcmp(ports->port[i].ifname, ifname))
			return &ports->port[i];
	return NULL;
}

static int add_device(struct load *load, const char *ifname)
{
	struct rg_match *m;
	size_t i;

	if (strpbrk(ifname, "*?")) {
		rg_error("--on %s: name devices; patterns go into [Match] Name=",
			 ifname);
		return RG_EXIT_USAGE;
	}
	if (!find_port(&load->ports, ifname) && !if_nametoindex(ifname)) {
		rg_error("--on %s: no such device", ifname);
		return RG_EXIT_USAGE;
	}
	for (i = 0; i < load->list.n; i++) {
		m = &load->list.conf[i].spec.match;
		if (m->n_ifname == ROCEGUARD_GLOBS_MAX) {
			rg_error("--on: more than %d devices; use [Match] Name= with a pattern",
				 ROCEGUARD_GLOBS_MAX);
			return RG_EXIT_USAGE;
		}
		snprintf(m->ifname[m->n_ifname++], sizeof(m->ifname[0]), "%s",
			 ifname);
	}
	return 0;
}

static int apply_on(struct load *load)
{
	char *copy, *name, *rest;
	int status = 0, n = 0;
	size_t i;

	if (!load->on)
		return 0;
	copy = strdup(load->on);
	if (!copy)
		return rgnl_complain(NULL, "policy load", -ENOMEM);
	for (i = 0; i < load->list.n; i++)
		load->list.conf[i].spec.match.n_ifname = 0;
	for (name = strtok_r(copy, ", ", &rest); name && !status;
	     name = strtok_r(NULL, ", ", &rest)) {
		status = add_device(load, name);
		n++;
	}
	free(copy);
	if (!status && !n) {
		rg_error("--on needs the name of a device");
		status = RG_EXIT_USAGE;
	}
	return status;
}

/* A policy that does not say which ports is not let loose on several. */
static int check_which(const struct load *load, const struct conf *conf)
{
	char names[512] = "";
	size_t i, n = 0, at = 0;

	if (conf->says_which || load->on || load->all)
		return 0;
	for (i = 0; i < load->ports.n; i++) {
		const struct model_port *port = &load->ports.port[i];

		if (!(port->dcb || port->roce_capable) ||
		    misfit(&conf->spec, port, true))
			continue;
		if (at < sizeof(names))
			at += (size_t)snprintf(names + at, sizeof(names) - at,
					       "%s%s", n ? ", " : "",
					       port->ifname);
		n++;
	}
	if (n < 2)
		return 0;
	rg_error("policy load: %s fits %zu ports (%s); say which by [Match], --on DEV or --all",
		 conf->spec.name, n, names);
	return RG_EXIT_USAGE;
}

/* Sending, and taking back */

static bool is_loaded(const struct load *load, const char *policy)
{
	size_t i;

	for (i = 0; i < load->list.n; i++)
		if (!strcmp(load->list.conf[i].spec.name, policy))
			return true;
	return false;
}

static const struct rg_policy_spec *find_old(const struct load *load,
					     const char *name)
{
	size_t i;

	for (i = 0; i < load->old.n; i++)
		if (!strcmp(load->old.policy[i].spec.name, name))
			return &load->old.policy[i].spec;
	return NULL;
}

/* As it was before; says so if it cannot be. */
static int put_back(struct rg_ctx *ctx, const struct load *load,
		    const char *name)
{
	const struct rg_policy_spec *old = find_old(load, name);
	struct model_policy answer;
	uint32_t generation;
	int err;

	err = old ? model_policy_set(ctx->nl, old, 0, &answer) :
		    model_policy_del(ctx->nl, name, false, &generation);
	if (!err)
		return 0;
	rg_error("policy load: %s could not be put back and stands as it was just %s: %s",
		 name, is_loaded(load, name) ? "loaded" : "deleted",
		 rgnl_words(ctx->nl));
	return 1;
}

/* Put back the first @sent of the list and the first @pruned of the old ones. */
static int put_all_back(struct rg_ctx *ctx, const struct load *load,
			size_t sent, size_t pruned)
{
	int failed = 0;

	while (pruned--)
		if (!is_loaded(load, load->old.policy[pruned].spec.name))
			failed += put_back(ctx, load,
					   load->old.policy[pruned].spec.name);
	while (sent--)
		failed += put_back(ctx, load,
				   load->list.conf[sent].spec.name);
	return failed;
}

static int give_up(struct rg_ctx *ctx, const struct load *load, int err,
		   const char *what, size_t sent, size_t pruned)
{
	if (err == -EPERM)
		rgnl_complain(ctx->nl, "policy load", err);
	else
		rg_error("policy load: %s: %s", what, rgnl_words(ctx->nl));
	if ((sent || pruned) && !put_all_back(ctx, load, sent, pruned))
		rg_error("policy load: put back what was loaded before it; nothing has changed");
	return RG_EXIT_KERNEL;
}

/* Policies that are not among those of the folder. */
static int prune(struct rg_ctx *ctx, struct load *load)
{
	const char *name;
	size_t i;
	int err;

	for (i = 0; load->prune && i < load->old.n; i++) {
		name = load->old.policy[i].spec.name;
		if (is_loaded(load, name))
			continue;
		err = model_policy_del(ctx->nl, name, false,
				       &load->generation);
		/* Somebody else has just deleted it. */
		if (err && err != -ENOENT)
			return give_up(ctx, load, err, name, load->list.n, i);
	}
	return 0;
}

static int send_all(struct rg_ctx *ctx, struct load *load)
{
	struct model_policy answer;
	size_t i;
	int err;

	for (i = 0; i < load->list.n; i++) {
		err = model_policy_set(ctx->nl, &load->list.conf[i].spec,
				       (uint32_t)load->confirm_within, &answer);
		if (err)
			return give_up(ctx, load, err,
				       load->list.conf[i].part->file, i, 0);
		load->generation = answer.generation;
	}
	return prune(ctx, load);
}

/* Waiting, and what came of it */

static bool has_reached(const struct load *load, const struct model_port *port)
{
	return wait_reached(port->generation, load->generation);
}

static const struct conf *conf_for(const struct load *load,
				   const struct model_port *port)
{
	bool early = !has_reached(load, port);
	size_t i;

	for (i = 0; i < load->list.n; i++)
		if (!misfit(&load->list.conf[i].spec, port, early))
			return &load->list.conf[i];
	return NULL;
}

/* Right after modprobe a port may not know yet that it is RoCE-capable. */
static bool is_unknown(const struct model_port *port, void *arg)
{
	(void)arg;
	return !port->policy[0] && port->dcb &&
	       port->state == ROCEGUARD_STATE_PENDING;
}

static bool is_behind(const struct model_port *port, void *arg)
{
	const struct load *load = arg;

	if (!conf_for(load, port))
		return is_unknown(port, arg);
	return !has_reached(load, port) ||
	       port->state == ROCEGUARD_STATE_PENDING;
}

/* A port that did not get there in time says so itself. */
static bool report_port(const struct load *load, const struct model_port *port)
{
	bool reached = has_reached(load, port);

	show_port(port, false);
	if (!reached && !out_json())
		show_wrapped(4, "not looked at yet; 'roceguard port show' tells later");
	if (reached && port->policy[0] && !is_loaded(load, port->policy))
		rg_error("%s is held by policy %s: %s", port->ifname,
			 port->policy, port->policy_why);
	return reached && show_port_is_well(port);
}

/* Why a device that was asked for is not among the ports. */
static void explain_device(const struct rg_policy_spec *spec,
			   const struct model_port *port, const char *ifname)
{
	if (!port)
		rg_error("%s can be no port: no Ethernet device of its own",
			 ifname);
	else if (spec->match.rdma && !port->roce_capable)
		rg_error("%s is not RoCE-capable, and policy %s says RDMA=yes",
			 ifname, spec->name);
	else
		rg_error("%s is not one of the ports of policy %s: [Match] %s= leaves it out",
			 ifname, spec->name, misfit(spec, port, false));
}

/* Are the devices of --on ports of what was loaded? All say so if not. */
static bool devices_fit(const struct load *load)
{
	const struct rg_policy_spec *spec = &load->list.conf[0].spec;
	const struct model_port *port;
	bool well = true;
	unsigned int i;

	/* The names are those of --on, the same in every policy. */
	for (i = 0; load->on && i < spec->match.n_ifname; i++) {
		port = find_port(&load->ports, spec->match.ifname[i]);
		if (port && conf_for(load, port))
			continue;
		explain_device(spec, port, spec->match.ifname[i]);
		well = false;
	}
	return well;
}

static void report_pruned(const struct load *load)
{
	const char *name;
	size_t i;

	if (!load->prune)
		return;
	out_open_array("pruned");
	for (i = 0; i < load->old.n; i++) {
		name = load->old.policy[i].spec.name;
		if (!is_loaded(load, name))
			out_str(NULL, "%s deleted, it has no file any more; its ports keep what they have\n",
				name);
	}
	out_close();
}

static int report(struct rg_ctx *ctx, struct load *load)
{
	struct model_host host;
	size_t i, n = 0;
	bool well = true;

	out_begin_object(ctx);
	out_uint("generation", NULL, load->generation);
	out_open_array("policies");
	for (i = 0; i < load->list.n; i++)
		out_str(NULL, NULL, load->list.conf[i].spec.name);
	out_close();
	report_pruned(load);
	out_open_array("ports");
	for (i = 0; i < load->ports.n; i++) {
		if (!conf_for(load, &load->ports.port[i]))
			continue;
		if (!n++)
			show_port_heading();
		well &= report_port(load, &load->ports.port[i]);
	}
	out_close();
	out_end();
	if (!n)
		rg_error("policy load: no port matches yet; the policy waits for one");
	well &= devices_fit(load);
	if (load->confirm_within && !out_json())
		rg_error("run 'roceguard policy confirm' within %ld s, or all this is undone",
			 load->confirm_within);
	if (!well && !model_mode_get(ctx->nl, &host) && host.frozen)
		rg_error("the host is frozen; nothing is written until 'roceguard thaw'");
	return well ? RG_EXIT_OK : RG_EXIT_DRIFT;
}

static int load_checked(struct rg_ctx *ctx, struct load *load)
{
	int err, status;
	size_t i;

	if (ctx_nl(ctx, "policy load"))
		return RG_EXIT_KERNEL;
	err = wait_ports(ctx->nl, &load->ports, is_unknown, load,
			 load->seconds);
	if (!err)
		err = model_policies(ctx->nl, &load->old);
	if (err)
		return rgnl_complain(ctx->nl, "policy load", err);
	status = apply_on(load);
	for (i = 0; !status && i < load->list.n; i++)
		status = check_which(load, &load->list.conf[i]);
	if (!status)
		status = send_all(ctx, load);
	if (status)
		return status;
	err = wait_ports(ctx->nl, &load->ports, is_behind, load,
			 load->seconds);
	if (err)
		return rgnl_complain(ctx->nl, "policy load", err);
	return report(ctx, load);
}

static int load_words(struct load *load, int argc, char **argv)
{
	const char *wait = NULL, *within = NULL;
	const struct arg_option options[] = {
		{ "--confirm-within", NULL, &within },
		{ "--on", NULL, &load->on },
		{ "--all", &load->all, NULL },
		{ "--observe", &load->observe, NULL },
		{ "--prune", &load->prune, NULL },
		{ "--wait", NULL, &wait },
		{ }
	};
	int status;

	status = args_parse(&argc, argv, options, 1, cmd_policy_usage);
	if (!status)
		status = args_number("--wait", wait, 0, WAIT_SECONDS_MAX,
				     &load->seconds);
	if (!status)
		status = args_time("--confirm-within", within, 1,
				   ROCEGUARD_CONFIRM_MAX,
				   &load->confirm_within);
	if (status)
		return status;
	if (load->on && load->all) {
		rg_error("policy load: --on and --all exclude each other");
		return RG_EXIT_USAGE;
	}
	if (!load->prune || !load->confirm_within)
		return 0;
	rg_error("policy load: --prune and --confirm-within exclude each other; what is deleted would not come back");
	return RG_EXIT_USAGE;
}

int load_rollouts(const char *what, struct conf_list *list)
{
	char id[ROLLOUT_ID_LEN + 1];
	struct rg_policy_spec *spec;
	size_t i;
	int err;

	for (i = 0; i < list->n; i++) {
		spec = &list->conf[i].spec;
		if (spec->rollout == 100)
			continue;
		err = rollout_machine_id(MACHINE_ID, id);
		if (err) {
			rg_error("%s: %s: %s; Rollout=%u%% of policy %s needs the machine-id, see machine-id(5)",
				 what, MACHINE_ID, strerror(-err),
				 spec->rollout, spec->name);
			return RG_EXIT_KERNEL;
		}
		spec->rollout_at = (u8)rollout_at(id, spec->name);
	}
	return 0;
}

int policy_load(struct rg_ctx *ctx, int argc, char **argv)
{
	struct load load = { .seconds = WAIT_SECONDS };
	char error[CONF_ERROR_MAX];
	int status;
	size_t i;

	status = load_words(&load, argc, argv);
	if (status)
		return status;
	if (conf_load(&load.list, argv[0], error)) {
		rg_error("%s", error);
		status = RG_EXIT_USAGE;
		goto out;
	}
	for (i = 0; load.observe && i < load.list.n; i++)
		load.list.conf[i].spec.observe = true;
	if (load.prune && !load.list.folder) {
		rg_error("policy load: --prune is for a directory, which has all policies of a host");
		status = RG_EXIT_USAGE;
	}
	if (!status)
		status = load_rollouts("policy load", &load.list);
	if (!status)
		status = load_checked(ctx, &load);
out:
	conf_list_free(&load.list);
	model_policies_free(&load.old);
	model_ports_free(&load.ports);
	return status;
}
