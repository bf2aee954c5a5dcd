// SPDX-License-Identifier: GPL-2.0
/* What came of a connect, for people and as one JSON object. */

#include <stdio.h>
#include <string.h>
#include "cmd/cmd.h"
#include "connect.h"
#include "print.h"

static const char *const outcomes[] = {
	[CONN_DRY_RUN] = "dry-run",
	[CONN_REFUSED] = "refused",
	[CONN_FAILED] = "failed",
	[CONN_DEGRADED] = "degraded",
	[CONN_CONNECTED] = "connected",
};

static void step_title(const struct conn_step *step, char *buf, size_t size)
{
	snprintf(buf, size, "%s%s%s", step->name, *step->port ? " on " : "",
		 step->port);
}

/**
 * conn_report_broken() - the broken links, one line each, on stderr
 * @chain: the judged chain
 */
void conn_report_broken(const struct conn_chain *chain)
{
	char title[CONN_NAME];
	unsigned int i;

	for (i = 0; i < chain->n; i++) {
		const struct conn_step *step = &chain->step[i];

		if (step->status != CONN_BROKEN)
			continue;
		step_title(step, title, sizeof(title));
		rg_error("connect: %s: %s; remedy: %s", title, step->seen,
			 step->remedy);
	}
}

/**
 * conn_report_tos() - warn of a ToS that is not the policy's
 * @r: the result so far
 */
void conn_report_tos(const struct conn_result *r)
{
	const struct conn_tos *tos = &r->chain.tos;
	char policy[64], user[64], priority[32] = "no known priority";

	if (!tos->from_user || tos->by_policy < 0 ||
	    tos->byte == tos->by_policy)
		return;
	conn_tos_words(tos->byte, user, sizeof(user));
	conn_tos_words(tos->by_policy, policy, sizeof(policy));
	if (r->chain.priority >= 0)
		snprintf(priority, sizeof(priority), "priority %d",
			 r->chain.priority);
	rg_error("connect: warning: --tos %s takes %s; the policy's is %s",
		 user, priority, policy);
}

/**
 * conn_report_links() - all links of the chain
 * @chain: the judged chain
 */
void conn_report_links(const struct conn_chain *chain)
{
	unsigned int i;

	out_open_array("links");
	for (i = 0; i < chain->n; i++) {
		const struct conn_step *step = &chain->step[i];
		char title[CONN_NAME];

		step_title(step, title, sizeof(title));
		out_open_object(NULL);
		out_str("link", NULL, step->name);
		if (*step->port)
			out_str("port", NULL, step->port);
		out_str("status", "%-8s", conn_status_word(step->status));
		out_str(NULL, "%-18s", title);
		out_str("seen", "%s\n", step->seen);
		if (*step->remedy) {
			out_text("%27s", "");
			out_str("remedy", "remedy: %s\n", step->remedy);
		}
		out_close();
	}
	out_close();
}

/* Fit to be pasted into a shell by whoever reads it. */
static void quote(const char *word, char *buf, size_t size)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%_+=:,./-";
	size_t at = 0;

	if (strspn(word, plain) == strlen(word)) {
		snprintf(buf, size, "%s", word);
		return;
	}
	buf[at++] = '\'';
	for (; *word && at + 7 < size; word++) {
		if (*word == '\'')
			at += snprintf(buf + at, size - at, "'\\''");
		else
			buf[at++] = *word;
	}
	snprintf(buf + at, size - at, "'");
}

static void report_command(const struct conn_command *cmd)
{
	char word[2 * CONN_TEXT], quoted[4 * CONN_TEXT];
	unsigned int i;

	out_open_array("command");
	for (i = 0; i < cmd->argc; i++) {
		conn_command_word(cmd, i, word, sizeof(word));
		quote(word, quoted, sizeof(quoted));
		out_str(NULL, i ? " %s" : "%s", out_json() ? word : quoted);
	}
	out_text("\n");
	out_close();
}

static void report_way(const struct conn_result *r)
{
	const struct conn_route *route = &r->facts.route;
	char source[CONN_ADDRESS];
	unsigned int i;

	conn_address_print(&route->source, source);
	out_str("traddr", NULL, r->args.address);
	out_str("trsvcid", NULL, r->args.trsvcid);
	out_str("nqn", NULL, r->args.nqn);
	out_str("source", NULL, source);
	out_str("interface", NULL, route->egress.name);
	out_open_array("ports");
	for (i = 0; i < route->n_ports; i++)
		out_str(NULL, NULL, route->port[i].name);
	out_close();
	if (*r->facts.gid.device) {
		out_str("rdma_device", NULL, r->facts.gid.device);
		out_uint("rdma_port", NULL, r->facts.gid.port);
	}
	if (r->facts.gid.index >= 0)
		out_int("gid_index", NULL, r->facts.gid.index);
}

/**
 * conn_report_tos_chosen() - what the chain says of losslessness, and the ToS byte
 * @chain: the judged chain
 */
void conn_report_tos_chosen(const struct conn_chain *chain)
{
	const struct conn_tos *tos = &chain->tos;

	out_bool("lossless", NULL, !chain->broken);
	if (chain->priority >= 0)
		out_int("priority", NULL, chain->priority);
	if (tos->byte < 0)
		return;
	out_int("tos", NULL, tos->byte);
	out_int("dscp", NULL, tos->byte >> 2);
	out_bool("ect0", NULL, conn_tos_ect0(tos->byte));
	out_str("tos_from", NULL, tos->from_user ? "user" : "policy");
	if (*conn_tos_why(tos))
		out_str("tos_reason", NULL, strchr(conn_tos_why(tos), 'w'));
}

/* The text line names them as "ADDRESS:PORT", in brackets for IPv6. */
static void report_ctrl(const struct conn_result *r)
{
	const struct conn_route *route = &r->facts.route;
	bool v6 = r->args.peer.ss_family == AF_INET6;
	char words[64];

	out_str("controller", "%s: ", r->ctrl.name);
	out_str("state", "%s, ", r->ctrl.state);
	out_str(NULL, "nqn %s, ", r->args.nqn);
	out_str(NULL, v6 ? "[%s]:" : "%s:", r->args.address);
	out_str(NULL, "%s", r->args.trsvcid);
	out_int("cntlid", NULL, r->ctrl.cntlid);
	out_str(NULL, " over %s", route->egress.name);
	if (*r->facts.gid.device)
		out_str(NULL, " (%s)", r->facts.gid.device);
	conn_tos_words(r->chain.tos.byte, words, sizeof(words));
	out_str(NULL, ", ToS %s", words);
	out_str(NULL, "%s", conn_tos_why(&r->chain.tos));
	if (r->chain.priority >= 0)
		out_text(", priority %d", r->chain.priority);
	out_text(", %s\n",
		 r->outcome == CONN_CONNECTED ? "lossless" : "degraded");
}

/* Its own priority and 0 always, others if something went there. */
static void frames_line(const uint64_t *count, int own, const char *what)
{
	int first = own >= 0 ? own : 0;
	int i;

	out_text("  frames %s: %llu in priority %d", what,
		 (unsigned long long)count[first], first);
	for (i = 0; i < RG_PRIORITIES; i++)
		if (i != first && (!i || count[i]))
			out_text(", %llu in priority %d",
				 (unsigned long long)count[i], i);
	out_text("\n");
}

static void report_frames(const struct conn_result *r)
{
	const struct conn_prio *frames = &r->frames;
	unsigned int i;

	if (!frames->known) {
		out_text("  frames: the driver has no per-priority packet counters\n");
		return;
	}
	frames_line(frames->tx, r->chain.priority, "sent");
	frames_line(frames->rx, r->chain.priority, "received");
	out_open_array("frames");
	for (i = 0; i < RG_PRIORITIES; i++) {
		out_open_object(NULL);
		out_uint("priority", NULL, i);
		out_uint("tx_packets", NULL, frames->tx[i]);
		out_uint("rx_packets", NULL, frames->rx[i]);
		out_close();
	}
	out_close();
}

static void report_chain(const struct rg_ctx *ctx,
			      const struct conn_result *r)
{
	if (!ctx->json && r->outcome != CONN_DRY_RUN)
		return;
	conn_report_links(&r->chain);
	report_command(&r->cmd);
}

/**
 * conn_report() - everything on stdout
 * @ctx: text or JSON
 * @r: the result
 */
void conn_report(const struct rg_ctx *ctx, const struct conn_result *r)
{
	out_begin_object(ctx);
	out_str("outcome", NULL, outcomes[r->outcome]);
	if (*r->error.text)
		out_str("error", NULL, r->error.text);
	report_way(r);
	conn_report_tos_chosen(&r->chain);
	report_chain(ctx, r);
	if (r->outcome >= CONN_DEGRADED) {
		report_ctrl(r);
		report_frames(r);
	}
	out_end();
}
