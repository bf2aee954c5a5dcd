// SPDX-License-Identifier: GPL-2.0
/* policy diff */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "cmd.h"
#include "conf.h"
#include "diff.h"
#include "file.h"
#include "load.h"
#include "match.h"
#include "nl.h"
#include "print.h"
#include "usage.h"
#include "words.h"

/**
 * struct comparison - a "policy diff" under way
 * @list: the policy
 * @want: what it holds
 * @ports: those of this netns
 * @known: the same by the module, if it is loaded
 * @module: it is
 * @differ: how many knobs of all ports differ
 * @n: how many ports were compared
 */
struct comparison {
	struct conf_list list;
	struct rg_want want;
	struct have_list ports;
	struct model_ports known;
	bool module;
	unsigned int differ;
	unsigned int n;
};

static const char *const status_words[] = {
	[DIFF_SAME] = "same", [DIFF_DIFFERS] = "differs",
	[DIFF_UNKNOWN] = "unknown",
};

/* Ports of other network namespaces may have the same name. */
static const struct model_port *find_known(const struct comparison *c,
					   const char *ifname)
{
	size_t i;

	for (i = 0; i < c->known.n; i++)
		if (!c->known.port[i].has_netnsid &&
		    !strcmp(c->known.port[i].ifname, ifname))
			return &c->known.port[i];
	return NULL;
}

static bool matches(const struct comparison *c, const struct diff_port *port)
{
	const struct rg_candidate candidate = {
		.ifname = port->have.ifname,
		.driver = port->have.driver,
		.rdma = port->have.roce ||
			(port->known && port->known->roce_capable),
		.pci = port->known ? port->known->pci : "",
		.rdma_device = port->known ? port->known->rdma_device : "",
		.speed = port->known ? port->known->speed : 0,
		.early = true,
	};

	return rg_match_score(&c->list.conf->spec.match, &candidate) > 0;
}

/* Text: a table whose columns are as wide as what is in them */

enum column { COLUMN_KNOB, COLUMN_STATUS, COLUMN_COST, COLUMN_DROPS,
	      COLUMN_HAVE, COLUMN_WANT, COLUMNS };

struct row {
	const char *cell[COLUMNS];
	char drops[12];
};

static void make_row(struct row *row, const struct diff *d)
{
	bool differs = d->status == DIFF_DIFFERS;

	snprintf(row->drops, sizeof(row->drops), "%u", d->link_drops);
	row->cell[COLUMN_KNOB] = rg_word(&rg_words_knob, d->knob);
	row->cell[COLUMN_STATUS] = status_words[d->status];
	row->cell[COLUMN_COST] = rg_word(&rg_words_cost, d->cost);
	row->cell[COLUMN_DROPS] = differs ? row->drops : "-";
	row->cell[COLUMN_HAVE] = d->status == DIFF_UNKNOWN ? d->reason :
							     d->have.buf;
	row->cell[COLUMN_WANT] = d->status == DIFF_SAME ? "" : d->want.buf;
}

static void show_rows(const struct diff_port *port)
{
	struct row rows[RG_KNOBS + 1] = { { .cell = {
		"KNOB", "STATUS", "COST", "DROPS", "HAVE", "WANT" } } };
	int width[COLUMNS] = { 0 }, len;
	unsigned int i, k;

	for (i = 0; i < port->n; i++)
		make_row(&rows[i + 1], &port->diff[i]);
	for (i = 0; i <= port->n; i++) {
		for (k = 0; k < COLUMNS; k++) {
			len = (int)strlen(rows[i].cell[k]);
			width[k] = max(width[k], len);
		}
	}
	for (i = 0; i <= port->n; i++) {
		out_text(" ");
		for (k = 0; k < COLUMN_HAVE; k++)
			out_text(" %-*s", width[k], rows[i].cell[k]);
		if (rows[i].cell[COLUMN_WANT][0])
			out_text(" %-*s", width[COLUMN_HAVE],
				 rows[i].cell[COLUMN_HAVE]);
		else
			out_text(" %s", rows[i].cell[COLUMN_HAVE]);
		if (rows[i].cell[COLUMN_WANT][0])
			out_text(" %s", rows[i].cell[COLUMN_WANT]);
		out_text("\n");
	}
}

/* Why nothing is written although it differs, or NULL. */
static const char *not_written(const struct comparison *c)
{
	if (c->list.conf->spec.observe)
		return "the policy only observes";
	if (!rg_policy_rolled_out(&c->list.conf->spec))
		return "its rollout has not come to this host";
	return c->want.follow ? "the fabric decides" : NULL;
}

static void show_text(const struct comparison *c, const struct diff_port *port)
{
	const char *why_not = not_written(c);

	out_str(NULL, "%s", port->have.ifname);
	out_str(NULL, " (driver %s): ",
		port->have.driver[0] ? port->have.driver : "-");
	out_text("%u of %u knobs differ", port->differ, port->n);
	if (why_not)
		out_text("; nothing is written, %s\n", why_not);
	else if (!port->differ)
		out_text("\n");
	else if (port->have.linked)
		out_text("; %u link drop%s\n", port->link_drops,
			 port->link_drops == 1 ? "" : "s");
	else
		out_text("; no link to drop\n");
	show_rows(port);
}

/* JSON */

static void show_knob_json(const struct diff *d)
{
	out_open_object(NULL);
	out_str("knob", NULL, rg_word(&rg_words_knob, d->knob));
	out_str("status", NULL, status_words[d->status]);
	out_str("cost", NULL, rg_word(&rg_words_cost, d->cost));
	out_uint("writes", NULL, d->writes);
	out_uint("link_drops", NULL, d->link_drops);
	if (d->have.len)
		out_str("have", NULL, d->have.buf);
	if (d->want.len)
		out_str("want", NULL, d->want.buf);
	if (d->reason[0])
		out_str("reason", NULL, d->reason);
	out_close();
}

static void show_json(const struct comparison *c, const struct diff_port *port)
{
	unsigned int i;

	out_open_object(NULL);
	out_str("ifname", NULL, port->have.ifname);
	out_str("driver", NULL, port->have.driver);
	out_str("policy", NULL, c->list.conf->spec.name);
	out_bool("linked", NULL, port->have.linked);
	out_bool("written", NULL, !not_written(c));
	out_uint("differ", NULL, port->differ);
	out_uint("link_drops", NULL, port->link_drops);
	out_open_array("knobs");
	for (i = 0; i < port->n; i++)
		show_knob_json(&port->diff[i]);
	out_close();
	out_close();
}

/* Comparing */

static void compare(struct comparison *c, struct diff_port *port)
{
	diff_port(port, &c->want);
	if (not_written(c)) {
		port->link_drops = 0;
		for (unsigned int i = 0; i < port->n; i++)
			port->diff[i].link_drops = 0;
	}
	c->differ += port->differ;
	c->n++;
	if (out_json())
		show_json(c, port);
	else
		show_text(c, port);
}

static int compare_one(struct comparison *c, const char *ifname)
{
	struct diff_port port = { .known = find_known(c, ifname) };
	char error[HAVE_ERROR_MAX];

	if (have_read(ifname, &port.have, error)) {
		rg_error("policy diff: %s", error);
		return RG_EXIT_KERNEL;
	}
	if (!port.have.port && !port.known) {
		rg_error("policy diff: %s is no port: driver %s has no DCB, and it is not RoCE-capable",
			 ifname, port.have.driver[0] ? port.have.driver : "-");
		return RG_EXIT_USAGE;
	}
	if (!matches(c, &port))
		rg_error("policy diff: [Match] of policy %s does not fit %s; load it with --on %s, or mend it",
			 c->list.conf->spec.name, ifname, ifname);
	compare(c, &port);
	return 0;
}

static int compare_all(struct comparison *c)
{
	struct diff_port port;
	char error[HAVE_ERROR_MAX];
	size_t i;

	if (have_list(&c->ports, error)) {
		rg_error("policy diff: %s", error);
		return RG_EXIT_KERNEL;
	}
	for (i = 0; i < c->ports.n; i++) {
		port = (struct diff_port){ .have = c->ports.have[i] };
		port.known = find_known(c, port.have.ifname);
		if (matches(c, &port))
			compare(c, &port);
	}
	if (!c->n)
		rg_error("policy diff: no port matches; 'roceguard policy diff %s DEV' compares with any",
			 c->list.conf->spec.name);
	return 0;
}

static int read_policy(struct comparison *c, const char *what)
{
	struct rg_problem problem;
	char error[CONF_ERROR_MAX];

	if (conf_load(&c->list, what, error)) {
		rg_error("%s", error);
		return RG_EXIT_USAGE;
	}
	if (c->list.folder) {
		rg_error("policy diff: %s is a directory; name one policy file or a profile",
			 what);
		return RG_EXIT_USAGE;
	}
	/* It was just checked by the same. */
	(void)rg_policy_derive(&c->list.conf->spec, &c->want, &problem);
	return load_rollouts("policy diff", &c->list);
}

int policy_diff(struct rg_ctx *ctx, int argc, char **argv)
{
	static const struct arg_option none[] = { { } };
	struct comparison c = { 0 };
	int status;

	status = args_parse(&argc, argv, none, 2, cmd_policy_usage);
	if (status)
		return status;
	if (!argc) {
		rg_error("policy diff: name a policy file or a profile");
		return RG_EXIT_USAGE;
	}
	status = read_policy(&c, argv[0]);
	if (status)
		goto out;
	/* Without the module all is read by this program. */
	if (!rgnl_open(&ctx->nl) && model_ports(ctx->nl, &c.known))
		model_ports_free(&c.known);
	out_begin_array(ctx);
	status = argc == 2 ? compare_one(&c, argv[1]) : compare_all(&c);
	out_end();
	if (!status && c.differ)
		status = RG_EXIT_DRIFT;
out:
	model_ports_free(&c.known);
	have_list_free(&c.ports);
	conf_list_free(&c.list);
	return status;
}
