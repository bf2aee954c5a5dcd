// SPDX-License-Identifier: GPL-2.0
/* Ports, the policy of each, and whether they are as it says. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/agent.h"
#include "cmd/cmd.h"
#include "conf.h"
#include "governed.h"
#include "match.h"
#include "nl.h"
#include "print.h"
#include "show.h"
#include "words.h"

/* With the module: its ports, and its policies. */

static bool is_meant(const struct model_port *port, const char *ifname,
		     bool dcb)
{
	if (!ifname)
		return port->policy[0] || (dcb && port->dcb);
	return !port->has_netnsid && (!strcmp(port->ifname, ifname) ||
				      !strcmp(port->bond, ifname));
}

static void take_policy(struct governed *port,
			const struct rg_policy_spec *spec)
{
	struct rg_problem problem;

	snprintf(port->policy, sizeof(port->policy), "%s", spec->name);
	/* Whoever loaded it has checked it by the same. */
	(void)rg_policy_derive(spec, &port->want, &problem);
}

/* What cannot be read is left to the module. */
static void compare(struct governed *port, const char *ifname)
{
	char error[HAVE_ERROR_MAX];

	port->diff.known = port->known;
	if (have_read(ifname, &port->diff.have, error))
		return;
	port->compared = true;
	if (port->policy[0])
		diff_port(&port->diff, &port->want);
}

static void add_known(struct governed_list *list,
		      const struct model_port *known,
		      const struct model_policies *policies)
{
	struct governed *port = &list->port[list->n++];
	size_t i;

	port->known = known;
	for (i = 0; i < policies->n; i++)
		if (!strcmp(policies->policy[i].spec.name, known->policy))
			take_policy(port, &policies->policy[i].spec);
	/* A name of another namespace is not ours to use. */
	if (!known->has_netnsid)
		compare(port, known->ifname);
}

static int read_known(struct rg_ctx *ctx, const char *what, const char *ifname,
		      bool dcb, struct governed_list *list)
{
	struct model_policies policies = { };
	struct model_port one;
	int err, status = RG_EXIT_OK;
	size_t i;

	err = model_ports(ctx->nl, &list->known);
	if (!err)
		err = model_policies(ctx->nl, &policies);
	list->port = calloc(list->known.n + 1, sizeof(*list->port));
	if (!err && !list->port)
		err = -ENOMEM;
	if (err)
		status = rgnl_complain(ctx->nl, what, err);
	for (i = 0; !err && i < list->known.n; i++)
		if (is_meant(&list->known.port[i], ifname, dcb))
			add_known(list, &list->known.port[i], &policies);
	/* The kernel says it best. */
	if (!err && ifname && !list->n) {
		err = model_port_get(ctx->nl, ifname, &one);
		if (err)
			status = rgnl_complain(ctx->nl, what, err);
	}
	model_policies_free(&policies);
	return status;
}

/* Without it: what the policies of this host fit. */

static const struct rg_policy_spec *choose(const struct conf_list *policies,
					   const struct have *have)
{
	const struct rg_candidate candidate = {
		.ifname = have->ifname, .driver = have->driver,
		.rdma = have->roce, .pci = "", .rdma_device = "",
		.speed = have->mbps, .early = true,
	};
	const struct rg_policy_spec *best = NULL, *spec;
	u32 score, best_score = 0;
	size_t i;

	for (i = 0; i < policies->n; i++) {
		spec = &policies->conf[i].spec;
		score = rg_match_score(&spec->match, &candidate);
		if (!score || (best && !rg_match_beats(spec, score, best,
						       best_score)))
			continue;
		best = spec;
		best_score = score;
	}
	return best;
}

static int read_policies(const char *what, struct conf_list *policies)
{
	char error[CONF_ERROR_MAX];

	if (!agent_has_policies(conf_policy_dir()) ||
	    !conf_load(policies, NULL, error))
		return RG_EXIT_OK;
	rg_error("%s: %s", what, error);
	return RG_EXIT_USAGE;
}

static int read_unknown(const char *what, const char *ifname,
			bool dcb, struct governed_list *list)
{
	struct conf_list policies = { };
	const struct rg_policy_spec *spec;
	struct have_list have = { };
	char error[HAVE_ERROR_MAX];
	int status;
	size_t i;

	status = read_policies(what, &policies);
	if (!status && have_list(&have, error)) {
		rg_error("%s: %s", what, error);
		status = RG_EXIT_KERNEL;
	}
	list->port = calloc(have.n + 1, sizeof(*list->port));
	if (!list->port) {
		rg_error("%s: %s", what, strerror(ENOMEM));
		status = RG_EXIT_KERNEL;
	}
	for (i = 0; !status && i < have.n; i++) {
		spec = choose(&policies, &have.have[i]);
		if (ifname ? strcmp(have.have[i].ifname, ifname) != 0 :
		    !spec && !(dcb && have.have[i].dcb))
			continue;
		if (spec)
			take_policy(&list->port[list->n], spec);
		compare(&list->port[list->n++], have.have[i].ifname);
	}
	if (!status && ifname && !list->n) {
		rg_error("%s: %s is no port, or there is no such device", what,
			 ifname);
		status = RG_EXIT_KERNEL;
	}
	conf_list_free(&policies);
	have_list_free(&have);
	return status;
}

int governed_read(struct rg_ctx *ctx, const char *what, const char *ifname,
		  bool dcb, struct governed_list *list)
{
	int err = ctx->nl ? 0 : rgnl_open(&ctx->nl);

	memset(list, 0, sizeof(*list));
	if (err && err != -ENOENT)
		return rgnl_complain(NULL, what, err);
	list->module = !err;
	return err ? read_unknown(what, ifname, dcb, list) :
		     read_known(ctx, what, ifname, dcb, list);
}

void governed_free(struct governed_list *list)
{
	free(list->port);
	model_ports_free(&list->known);
	memset(list, 0, sizeof(*list));
}

bool governed_differs(const struct governed *port, unsigned int i)
{
	const struct diff *d = &port->diff.diff[i];
	const struct model_port *known = port->known;

	if (d->status != DIFF_DIFFERS)
		return false;
	/* Of one that is not well the module has told more. */
	return !known || (show_knob_is_well(&known->knob[d->knob]) &&
			  !known->overlay[d->knob].want[0]);
}

bool governed_is_well(const struct governed *port)
{
	unsigned int i;

	if (port->known && !show_port_is_well(port->known))
		return false;
	for (i = 0; i < port->diff.n; i++)
		if (governed_differs(port, i))
			return false;
	return true;
}

static void show_json(const struct governed *port)
{
	unsigned int i;

	out_str("ifname", NULL, port->known ? port->known->ifname :
					      port->diff.have.ifname);
	if (port->policy[0])
		out_str("policy", NULL, port->policy);
	if (port->known) {
		out_str("state", NULL,
			rg_word(&rg_words_state, port->known->state));
		if (port->known->reason[0])
			out_str("reason", NULL, port->known->reason);
	}
	out_bool("well", NULL, governed_is_well(port));
	out_open_array("differ");
	for (i = 0; i < port->diff.n; i++) {
		const struct diff *d = &port->diff.diff[i];

		if (!governed_differs(port, i))
			continue;
		out_open_object(NULL);
		out_str("knob", NULL, rg_word(&rg_words_knob, d->knob));
		out_str("have", NULL, d->have.buf);
		out_str("want", NULL, d->want.buf);
		out_close();
	}
	out_close();
}

static void show_difference(const struct governed *port, const struct diff *d)
{
	char line[3 * MODEL_TEXT];

	snprintf(line, sizeof(line), "%s differs: %s is there, %s is wanted%s",
		 rg_word(&rg_words_knob, d->knob),
		 d->have.len ? d->have.buf : "nothing",
		 d->want.len ? d->want.buf : "nothing",
		 port->known ? "; the module has not looked since ('roceguard port apply')" :
			       "");
	show_wrapped(4, line);
}

void governed_show(const struct governed *port)
{
	unsigned int i;

	if (out_json()) {
		show_json(port);
		return;
	}
	if (port->known) {
		show_port(port->known, false);
	} else {
		out_str(NULL, "%-15s ", port->diff.have.ifname);
		out_text("%-10s %s\n", !port->policy[0] ? "unmanaged" :
			 governed_is_well(port) ? "same" : "differs",
			 port->policy[0] ? port->policy : "-");
	}
	for (i = 0; i < port->diff.n; i++)
		if (governed_differs(port, i))
			show_difference(port, &port->diff.diff[i]);
}
