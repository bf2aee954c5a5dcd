// SPDX-License-Identifier: GPL-2.0
/*
 * monitor: one line for each event, as it happens.
 *
 * A port-ntf with an entry is a line. One without an entry is a line when the
 * port's state changed, so the last state of each port is kept here.
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <linux/roceguard.h>

#include "args.h"
#include "cmd.h"
#include "line.h"
#include "model.h"
#include "nl.h"
#include "print.h"
#include "show.h"
#include "showcounters.h"
#include "usage.h"
#include "words.h"

/**
 * struct monitor - what is kept while listening
 * @ctx: the options
 * @events: the socket that hears
 * @ports: the ports as last heard of
 * @count: lines that may still be printed; negative: any number
 */
struct monitor {
	struct rg_ctx *ctx;
	struct rgnl *events;
	struct model_ports ports;
	long count;
};

static volatile sig_atomic_t stopped;

static void on_signal(int number __attribute__((unused)))
{
	stopped = 1;
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* A line begins and ends; false when there were enough. */
static bool begin_line(struct monitor *m, const char *event, uint64_t ns)
{
	char time[64];

	if (!m->count)
		return false;
	if (m->count > 0)
		m->count--;
	out_begin_object(m->ctx);
	out_str("event", NULL, event);
	out_str(NULL, "%s ", line_time(time, sizeof(time), "%H:%M:%S", ns));
	return true;
}

static void print_entry(struct monitor *m, const struct model_entry *e)
{
	char detail[LINE_MAX_ENTRY];

	if (!begin_line(m, "entry", e->time))
		return;
	if (out_json()) {
		show_entry_json(e);
	} else {
		out_str(NULL, "%s ", e->ifname[0] ? e->ifname : "-");
		out_text("%s ", e->has_trigger ?
			 rg_word(&rg_words_trigger, e->trigger) : "-");
		if (e->has_knob)
			out_text("%s ", rg_word(&rg_words_knob, e->knob));
		out_str(NULL, "%s", line_result(e));
		line_detail(detail, sizeof(detail), e);
		if (detail[0])
			out_str(NULL, ": %s", detail);
		out_text("\n");
	}
	out_end();
}

static void print_state(struct monitor *m, const struct model_port *port)
{
	char at[ROCEGUARD_NAME_MAX + 16];

	if (!begin_line(m, "port", now_ns()))
		return;
	if (out_json()) {
		out_uint("time_ns", NULL, now_ns());
		out_uint("ifindex", NULL, port->ifindex);
		out_str("ifname", NULL, port->ifname);
		out_str("state", NULL, rg_word(&rg_words_state, port->state));
		if (port->has_trigger)
			out_str("trigger", NULL,
				rg_word(&rg_words_trigger, port->trigger));
		if (port->policy[0])
			out_str("policy", NULL, port->policy);
		out_uint("generation", NULL, port->generation);
		if (port->reason[0])
			out_str("reason", NULL, port->reason);
	} else {
		out_str(NULL, "%s ", port->ifname);
		out_text("%s port %s, policy %s",
			 port->has_trigger ?
			 rg_word(&rg_words_trigger, port->trigger) : "-",
			 rg_word(&rg_words_state, port->state),
			 show_policy_at(port, at, sizeof(at)));
		if (port->reason[0])
			out_str(NULL, ": %s", port->reason);
		out_text("\n");
	}
	out_end();
}

/* Where the port is remembered; NULL without memory. */
static struct model_port *remembered(struct monitor *m,
				     const struct model_port *port, bool *fresh)
{
	struct model_port *bigger;
	size_t i;

	*fresh = false;
	for (i = 0; i < m->ports.n; i++)
		if (m->ports.port[i].id == port->id)
			return &m->ports.port[i];
	bigger = reallocarray(m->ports.port, m->ports.n + 1, sizeof(*bigger));
	if (!bigger)
		return NULL;
	m->ports.port = bigger;
	*fresh = true;
	return &m->ports.port[m->ports.n++];
}

static int take_port(struct monitor *m, const struct model_port *port)
{
	struct model_port *last;
	bool fresh, news;

	last = remembered(m, port, &fresh);
	if (!last)
		return -ENOMEM;
	news = fresh || last->state != port->state ||
	       strcmp(last->policy, port->policy) ||
	       strcmp(last->reason, port->reason);
	*last = *port;
	if (port->has_event)
		print_entry(m, &port->event);
	if (news)
		print_state(m, port);
	return 0;
}

static void print_policy(struct monitor *m, const struct model_policy *policy,
			 bool deleted)
{
	if (!begin_line(m, deleted ? "policy-deleted" : "policy", now_ns()))
		return;
	if (out_json()) {
		out_uint("time_ns", NULL, now_ns());
		if (deleted) {
			out_str("name", NULL, policy->spec.name);
			out_uint("generation", NULL, policy->generation);
		} else {
			show_policy_json(policy);
		}
	} else {
		out_str(NULL, "policy %s ", policy->spec.name);
		if (deleted)
			out_text("deleted, ");
		else
			out_text("set, %s, governs %u port%s, ",
				 rg_word(&rg_words_policy_mode,
					 policy->spec.observe),
				 policy->ports, policy->ports == 1 ? "" : "s");
		out_text("generation %u\n", policy->generation);
	}
	out_end();
}

static void print_congestion(struct monitor *m,
			     const struct model_congestion *event)
{
	const struct model_storm *storm = &event->storm;
	char words[128];

	if (!begin_line(m, "congestion", now_ns()))
		return;
	if (out_json()) {
		out_uint("time_ns", NULL, now_ns());
		out_uint("ifindex", NULL, event->ifindex);
		out_str("ifname", NULL, event->ifname);
		if (event->has_netnsid)
			out_int("netnsid", NULL, event->netnsid);
		out_bool("on", NULL, storm->on);
		show_storm_json(storm);
		if (!storm->on)
			out_uint("lasted_ms", NULL, storm->lasted);
	} else {
		out_str(NULL, "%s ", event->ifname);
		out_text("congestion %s\n",
			 line_storm(words, sizeof(words), storm));
	}
	out_end();
}

static void print_host(struct monitor *m, const struct model_host *host)
{
	if (!begin_line(m, "mode", now_ns()))
		return;
	if (out_json()) {
		out_uint("time_ns", NULL, now_ns());
		show_host_json(host);
	} else {
		show_host(host);
	}
	out_end();
}

static int on_event(uint8_t cmd, struct nlattr *attrs, int len, void *arg)
{
	static struct model_policy policy;
	static struct model_port port;
	struct model_congestion congestion;
	struct monitor *m = arg;
	struct model_host host;
	bool deleted;
	int err = 0;

	switch (cmd) {
	case ROCEGUARD_CMD_PORT_NTF:
		err = model_decode_port(attrs, len, &port);
		if (!err)
			err = take_port(m, &port);
		break;
	case ROCEGUARD_CMD_POLICY_NTF:
		err = model_decode_policy(attrs, len, &policy, &deleted);
		if (!err)
			print_policy(m, &policy, deleted);
		break;
	case ROCEGUARD_CMD_MODE_NTF:
		err = model_decode_host(attrs, len, &host);
		if (!err)
			print_host(m, &host);
		break;
	case ROCEGUARD_CMD_CONGESTION_NTF:
		err = model_decode_congestion(attrs, len, &congestion);
		if (!err)
			print_congestion(m, &congestion);
		break;
	}
	return err;
}

/* Events were lost: what the ports are now is all that can be told. */
static int read_again(struct monitor *m)
{
	struct model_ports now = { };
	size_t i;
	int err;

	rg_error("monitor: events were lost, the ports are read again; 'roceguard history' has them");
	err = model_ports(m->ctx->nl, &now);
	for (i = 0; !err && i < now.n; i++)
		err = take_port(m, &now.port[i]);
	model_ports_free(&now);
	return err;
}

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Wait without losing a signal that comes just before. */
static int wait_event(struct monitor *m, long end, const sigset_t *open)
{
	struct pollfd p = { .fd = rgnl_fd(m->events), .events = POLLIN };
	struct timespec left = { };
	long ms;

	if (end) {
		ms = end - now_ms();
		if (ms <= 0)
			return -ETIME;
		left.tv_sec = ms / 1000;
		left.tv_nsec = ms % 1000 * 1000000;
	}
	if (ppoll(&p, 1, end ? &left : NULL, open) < 0)
		return errno == EINTR ? 0 : -errno;
	return 0;
}

static int listen_on(struct monitor *m, long seconds, const sigset_t *open)
{
	long end = seconds ? now_ms() + seconds * 1000 : 0;
	int err = 0;

	while (!stopped && m->count && !err && !ferror(stdout)) {
		err = wait_event(m, end, open);
		if (err || stopped)
			break;
		err = rgnl_events(m->events, on_event, m);
		if (err == -ENOBUFS)
			err = read_again(m);
	}
	if (err == -ENODEV) {
		rg_error("the kernel module was unloaded");
		return RG_EXIT_KERNEL;
	}
	if (err && err != -ETIME)
		return rgnl_complain(m->events, "monitor", err);
	return RG_EXIT_OK;
}

static void catch_signals(sigset_t *open)
{
	struct sigaction action = { .sa_handler = on_signal };
	sigset_t block;

	sigemptyset(&block);
	sigaddset(&block, SIGINT);
	sigaddset(&block, SIGTERM);
	sigprocmask(SIG_BLOCK, &block, open);
	sigdelset(open, SIGINT);
	sigdelset(open, SIGTERM);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

static int monitor(struct rg_ctx *ctx, long count, long seconds)
{
	struct monitor m = { .ctx = ctx, .count = count };
	int err, status;
	sigset_t open;

	if (ctx_nl(ctx, "monitor"))
		return RG_EXIT_KERNEL;
	err = rgnl_open(&m.events);
	if (err)
		return rgnl_complain(NULL, "monitor", err);
	catch_signals(&open);
	/* Listen first, so that nothing is lost in between. */
	err = rgnl_listen(m.events);
	if (err) {
		status = rgnl_complain(m.events, "monitor", err);
		goto out;
	}
	err = model_ports(ctx->nl, &m.ports);
	status = err ? rgnl_complain(ctx->nl, "monitor", err) :
		       listen_on(&m, seconds, &open);
out:
	model_ports_free(&m.ports);
	rgnl_close(m.events);
	return status;
}

int cmd_monitor(struct rg_ctx *ctx, int argc, char **argv)
{
	const char *count_text = NULL, *timeout = NULL;
	const struct arg_option options[] = {
		{ "--count", NULL, &count_text },
		{ "--timeout", NULL, &timeout },
		{ }
	};
	long count = -1, seconds = 0;
	int status;

	argc--;
	argv++;
	if (argc && cmd_is_help(argv[0])) {
		printf("Usage:\n%s", cmd_monitor_usage);
		return RG_EXIT_OK;
	}
	status = args_parse(&argc, argv, options, 0, cmd_monitor_usage);
	if (!status)
		status = args_number("--count", count_text, 1, LONG_MAX,
				     &count);
	if (!status)
		status = args_number("--timeout", timeout, 1, INT_MAX,
				     &seconds);
	return status ? status : monitor(ctx, count, seconds);
}
