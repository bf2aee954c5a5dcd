// SPDX-License-Identifier: GPL-2.0
/*
 * doctor: what is wrong, and what to do: the host, its ports against their
 * policies, and what their counters did while it looked. Or what they did before
 * the last incident.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "args.h"
#include "cmd.h"
#include "diagnose.h"
#include "doctorpath.h"
#include "governed.h"
#include "incident.h"
#include "line.h"
#include "nl.h"
#include "print.h"
#include "show.h"
#include "showcounters.h"
#include "usage.h"
#include "words.h"

/* How much of the minute before an incident the rules look at. */
#define INCIDENT_MS	10000

/* How many entries and counters the table of an incident has. */
#define TABLE_ROWS	15
#define TABLE_COLUMNS	4

/**
 * struct doctor - a "doctor" under way
 * @ctx: the options
 * @ports: all that are looked at
 * @host: as a whole, if the module is loaded
 * @before: the counters
 * @after: the same some seconds later
 * @seconds: how many
 * @path: the way to a target that is looked at, or NULL
 * @wrong: how much was found that is not well
 */
struct doctor {
	struct rg_ctx *ctx;
	struct governed_list ports;
	struct model_host host;
	struct model_counters_list before;
	struct model_counters_list after;
	long seconds;
	struct doctor_path *path;
	unsigned int wrong;
};

/* The host */

static void show_host_wrong(struct doctor *d, const char *words)
{
	d->wrong++;
	out_str(NULL, NULL, words);
	show_wrapped(0, words);
}

static void look_at_host(struct doctor *d)
{
	char words[MODEL_TEXT + 128], left[64] = "";

	out_open_array("host");
	if (!d->ports.module)
		show_host_wrong(d, "the kernel module is not loaded: nothing is held and nothing is counted; run 'modprobe roceguard'. Ports are compared with the policies of this host");
	if (d->host.freeze_left)
		snprintf(left, sizeof(left), " for another %u s",
			 d->host.freeze_left);
	if (d->host.frozen) {
		snprintf(words, sizeof(words), "the host is frozen%s: nothing is written; 'roceguard thaw' ends it and heals the ports",
			 left);
		show_host_wrong(d, words);
	}
	if (d->host.mode != ROCEGUARD_MODE_ENFORCE) {
		snprintf(words, sizeof(words), "the mode of the module is %s: nothing is written; load it with mode=enforce",
			 rg_word(&rg_words_mode, d->host.mode));
		show_host_wrong(d, words);
	}
	if (d->ports.module && !d->host.rdma && d->host.rdma_reason[0]) {
		snprintf(words, sizeof(words), "without roceguard_rdma no RDMA device is known: %s",
			 d->host.rdma_reason);
		show_host_wrong(d, words);
	}
	out_close();
}

/* Findings */

static void show_finding_json(const struct diagnose_finding *f)
{
	unsigned int i, k;

	out_open_object(NULL);
	out_str("rule", NULL, f->rule);
	if (f->priority >= 0)
		out_int("priority", NULL, f->priority);
	out_str("seen", NULL, f->seen);
	out_str("means", NULL, f->means);
	out_str("remedy", NULL, f->remedy);
	out_open_array("figures");
	for (i = 0; i < f->n_figures; i++) {
		const struct diagnose_figure *figure = &f->figure[i];

		out_open_object(NULL);
		out_str("counter", NULL,
			rg_word(&rg_words_counter, figure->counter));
		out_str("unit", NULL, counters_unit_word(figure->counter));
		if (figure->priorities) {
			out_open_array("priorities");
			for (k = 0; k < RG_PRIORITIES; k++)
				if (figure->priorities & BIT(k))
					out_uint(NULL, NULL, k);
			out_close();
		}
		out_uint("amount", NULL, figure->by);
		out_uint("ms", NULL, figure->ms);
		out_close();
	}
	out_close();
	out_close();
}

static void show_finding(const char *ifname, const struct diagnose_finding *f)
{
	char line[DIAGNOSE_TEXT + 16];

	if (out_json()) {
		show_finding_json(f);
		return;
	}
	out_str(NULL, "%s: ", ifname);
	out_text("%s", f->rule);
	if (f->priority >= 0)
		out_text(" on priority %d", f->priority);
	out_text("\n");
	snprintf(line, sizeof(line), "seen: %s", f->seen);
	show_wrapped(4, line);
	snprintf(line, sizeof(line), "means: %s", f->means);
	show_wrapped(4, line);
	snprintf(line, sizeof(line), "to do: %s", f->remedy);
	show_wrapped(4, line);
}

static size_t show_findings(const char *ifname,
			    const struct counters_moved *moved,
			    const struct diagnose_facts *facts)
{
	static struct diagnose_finding finding[DIAGNOSE_MAX];
	size_t i, n = diagnose(moved, facts, finding);

	out_open_array("findings");
	for (i = 0; i < n; i++)
		show_finding(ifname, &finding[i]);
	out_close();
	return n;
}

/* What a policy names goes before what the NIC has. */
static void facts_of(const struct governed *port, struct diagnose_facts *facts)
{
	const struct have *have = &port->diff.have;
	const struct rg_want *want = &port->want;

	memset(facts, 0, sizeof(*facts));
	if (want->knobs & BIT(ROCEGUARD_KNOB_PFC)) {
		facts->known = true;
		facts->lossless = want->pfc;
		snprintf(facts->policy, sizeof(facts->policy), "%s",
			 port->policy);
	} else if (port->compared && have->read & BIT(ROCEGUARD_KNOB_PFC)) {
		facts->known = true;
		facts->lossless = have->pfc;
	}
	if (want->knobs & BIT(ROCEGUARD_KNOB_ECN))
		facts->ecn = want->ecn_on[0] | want->ecn_on[1];
	else if (port->compared && have->read & BIT(ROCEGUARD_KNOB_ECN))
		facts->ecn = have->ecn[0] | have->ecn[1];
}

static void take_storms(const struct model_counters *now,
			struct diagnose_facts *facts)
{
	uint32_t i;

	for (i = 0; i < now->n_storms; i++)
		facts->storm[now->storm[i].direction] |=
			BIT(now->storm[i].priority);
}

/* Ports */

static const struct model_counters *find(const struct model_counters_list *list,
					 const struct governed *port)
{
	size_t i;

	for (i = 0; port->known && i < list->n; i++)
		if (list->port[i].id == port->known->id)
			return &list->port[i];
	return NULL;
}

static void diagnose_port(struct doctor *d, const struct governed *port)
{
	const struct model_counters *before = find(&d->before, port);
	const struct model_counters *after = find(&d->after, port);
	char age[COUNTERS_WORDS];
	struct diagnose_facts facts;
	struct counters_moved moved;

	if (!before || !after || !after->has_sampled)
		return;
	facts_of(port, &facts);
	take_storms(after, &facts);
	counters_since(before, after, &moved);
	d->wrong += (unsigned int)show_findings(after->ifname, &moved, &facts);
	if (after->samples != before->samples)
		return;
	d->wrong++;
	rg_error("doctor: %s was not sampled for %s: its driver is slow or hangs, and little can be said of its counters",
		 after->ifname, counters_time_words(after->sampled, age));
}

static void look_at_port(struct doctor *d, const struct governed *port)
{
	bool well = governed_is_well(port);

	out_open_object(NULL);
	if (out_json() || !well)
		governed_show(port);
	d->wrong += !well;
	diagnose_port(d, port);
	out_close();
}

/* Reading */

static int read_counters(struct doctor *d, struct model_counters_list *list)
{
	static struct model_counters one;
	size_t i;

	/* The answer does not wait for it, but the next reading has it. */
	for (i = 0; i < d->ports.n; i++)
		if (d->ports.port[i].known &&
		    !d->ports.port[i].known->has_netnsid)
			model_counters_get(d->ctx->nl,
					   d->ports.port[i].known->ifname,
					   true, &one);
	return model_counters(d->ctx->nl, list);
}

static int read_all(struct doctor *d, const char *ifname)
{
	const struct timespec wait = { .tv_sec = d->seconds };
	int err, status;

	status = governed_read(d->ctx, "doctor", ifname, true, &d->ports);
	if (status || !d->ports.module)
		return status;
	err = model_mode_get(d->ctx->nl, &d->host);
	if (!err)
		err = read_counters(d, &d->before);
	if (!err) {
		if (isatty(STDERR_FILENO))
			rg_error("doctor: looking at the counters for %ld s",
				 d->seconds);
		nanosleep(&wait, NULL);
		err = read_counters(d, &d->after);
	}
	return err ? rgnl_complain(d->ctx->nl, "doctor", err) : RG_EXIT_OK;
}

static int look(struct doctor *d, const char *ifname)
{
	int status = read_all(d, ifname);
	size_t i;

	if (status)
		return status;
	out_begin_object(d->ctx);
	look_at_host(d);
	/* Without the module nothing is proven of it, as was just said. */
	if (d->path && d->ports.module)
		d->wrong += doctor_path_show(d->path);
	out_open_array("ports");
	for (i = 0; i < d->ports.n; i++)
		look_at_port(d, &d->ports.port[i]);
	out_close();
	if (!d->wrong)
		out_text("nothing is wrong with %zu port%s\n", d->ports.n,
			 d->ports.n == 1 ? "" : "s");
	out_end();
	return d->wrong ? RG_EXIT_DRIFT : RG_EXIT_OK;
}

/* The last incident */

static const char *trace_name(const struct incident_trace *t, char *buf)
{
	if (rg_counter_per_priority(t->counter))
		snprintf(buf, COUNTERS_WORDS, "%s[%u]",
			 rg_word(&rg_words_counter, t->counter), t->priority);
	else
		snprintf(buf, COUNTERS_WORDS, "%s",
			 rg_word(&rg_words_counter, t->counter));
	return buf;
}

static const char *before_words(uint64_t ms, char *buf, size_t size)
{
	char time[COUNTERS_WORDS];

	if (ms)
		snprintf(buf, size, "%s before", counters_time_words(ms, time));
	else
		snprintf(buf, size, "in its last second");
	return buf;
}

static void show_trace(const struct incident_trace *t)
{
	char name[COUNTERS_WORDS], sum[COUNTERS_WORDS], peak[COUNTERS_WORDS];
	char begin[64], at[64], line[256];
	int n;

	if (out_json()) {
		out_open_object(NULL);
		out_str("counter", NULL, rg_word(&rg_words_counter, t->counter));
		if (rg_counter_per_priority(t->counter))
			out_uint("priority", NULL, t->priority);
		out_str("unit", NULL, counters_unit_word(t->counter));
		out_uint("amount", NULL, t->sum);
		out_uint("begin_ms", NULL, t->begin_ms);
		out_uint("peak", NULL, t->peak);
		out_uint("peak_ms", NULL, t->peak_ms);
		out_close();
		return;
	}
	n = snprintf(line, sizeof(line), "%s: %s, %s%s", trace_name(t, name),
		     counters_value_words(t->counter, t->sum, sum),
		     t->peak < t->sum ? "first " : "",
		     before_words(t->begin_ms, begin, sizeof(begin)));
	if (t->peak < t->sum)
		snprintf(line + n, sizeof(line) - (size_t)n,
			 ", most in a second %s %s",
			 counters_value_words(t->counter, t->peak, peak),
			 before_words(t->peak_ms, at, sizeof(at)));
	show_wrapped(2, line);
}

static bool row_tells(const struct incident *in, size_t i, unsigned int columns)
{
	unsigned int c;

	for (c = 0; c < columns; c++)
		if (in->sample[i].counter[in->trace[c].counter]
		    .value[in->trace[c].priority])
			return true;
	return false;
}

static void show_row(const struct incident *in, size_t i, unsigned int columns)
{
	char words[COUNTERS_WORDS], name[COUNTERS_WORDS];
	uint64_t ms = incident_end(in)->at - in->sample[i].at;
	unsigned int c;

	out_text("  %7s", counters_time_words(ms, words));
	for (c = 0; c < columns; c++) {
		const struct incident_trace *t = &in->trace[c];
		uint64_t by = in->sample[i].counter[t->counter]
			      .value[t->priority];
		int width = (int)strlen(trace_name(t, name));

		out_text(" %*s", max(width, 14),
			 by ? counters_value_words(t->counter, by, words) : "-");
	}
	out_text("\n");
}

/* The last entries that have something to tell. */
static void show_table(const struct incident *in)
{
	unsigned int c, columns = min(in->n_traces, (unsigned int)TABLE_COLUMNS);
	char name[COUNTERS_WORDS];
	size_t i, rows = 0;

	if (!columns || out_json())
		return;
	for (i = in->n; i > 0 && rows < TABLE_ROWS; i--)
		rows += row_tells(in, i - 1, columns);
	out_text("  %7s", "BEFORE");
	for (c = 0; c < columns; c++)
		out_text(" %14s", trace_name(&in->trace[c], name));
	out_text("\n");
	for (; i < in->n; i++)
		if (row_tells(in, i, columns))
			show_row(in, i, columns);
}

static void show_incident_text(const struct incident *in)
{
	const struct model_sample *end = incident_end(in);
	char time[64], span[COUNTERS_WORDS];

	out_str(NULL, "%s: ", end->ifname);
	out_text("%s at %s, and the %s before it:\n", show_incident(end->cause),
		 line_time(time, sizeof(time), "%m-%d %H:%M:%S",
			   end->at * 1000000),
		 counters_time_words(end->at - in->sample[0].at, span));
	if (!in->n_traces)
		out_text("  nothing moved\n");
}

static void tell(struct doctor *d, const struct incident *in,
		 const struct governed *port, const struct model_counters *now)
{
	const struct model_sample *end = incident_end(in);
	struct diagnose_facts facts = { .known = false };
	struct counters_moved moved;
	unsigned int i;

	out_begin_object(d->ctx);
	out_uint("ifindex", NULL, end->ifindex);
	out_str("ifname", NULL, end->ifname);
	out_str("cause", NULL, rg_word(&rg_words_incident, end->cause));
	out_uint("time_ms", NULL, end->at);
	out_uint("span_ms", NULL, end->at - in->sample[0].at);
	if (!out_json())
		show_incident_text(in);
	out_open_array("moved");
	for (i = 0; i < in->n_traces; i++)
		show_trace(&in->trace[i]);
	out_close();
	show_table(in);
	if (port)
		facts_of(port, &facts);
	incident_moved(in, now, INCIDENT_MS, &moved);
	if (!show_findings(end->ifname, &moved, &facts))
		out_text("  no rule says what was wrong in its last %d s\n",
			 INCIDENT_MS / 1000);
	out_end();
}

static int tell_last(struct doctor *d, const char *ifname)
{
	static struct incident in;
	struct model_samples samples = { };
	struct model_counters none = { }, *now = &none;
	const struct governed *port = NULL;
	int err, status;
	size_t i;

	if (ctx_nl(d->ctx, "doctor"))
		return RG_EXIT_KERNEL;
	status = governed_read(d->ctx, "doctor", ifname, true, &d->ports);
	if (status)
		return status;
	err = model_samples(d->ctx->nl, ifname, false, &samples);
	if (!err)
		err = model_counters(d->ctx->nl, &d->after);
	if (err) {
		status = rgnl_complain(d->ctx->nl, "doctor", err);
	} else if (!incident_find(&samples, &in)) {
		if (d->ctx->json) {
			out_begin_object(d->ctx);
			out_end();
		}
		rg_error("doctor: the flight recorder has kept no incident: no storm, no lost link, no reconnect since it was last cleared");
	} else {
		for (i = 0; i < d->ports.n; i++)
			if (d->ports.port[i].known &&
			    d->ports.port[i].known->id == in.sample->id)
				port = &d->ports.port[i];
		for (i = 0; i < d->after.n; i++)
			if (d->after.port[i].id == in.sample->id)
				now = &d->after.port[i];
		tell(d, &in, port, now);
	}
	model_samples_free(&samples);
	return status;
}

/* The path first: it says which ports are meant. */
static int look_at_path(struct doctor *d, const char *address)
{
	int status = doctor_path_find(d->ctx, address, &d->path);
	const char *device;

	if (status)
		return status;
	device = doctor_path_device(d->path);
	if (device)
		return look(d, device);
	out_begin_object(d->ctx);
	d->wrong += doctor_path_show(d->path);
	out_end();
	return RG_EXIT_DRIFT;
}

/* What excludes what, or NULL. */
static const char *too_much(bool last, const char *interval,
			    const char *address, const char *ifname)
{
	if (last && interval)
		return "-i and --last-incident";
	if (last && address)
		return "--traddr and --last-incident";
	if (address && ifname)
		return "--traddr and a device";
	return NULL;
}

int cmd_doctor(struct rg_ctx *ctx, int argc, char **argv)
{
	const char *interval = NULL, *address = NULL, *both;
	bool last = false;
	const struct arg_option options[] = {
		{ "-i", NULL, &interval },
		{ "--traddr", NULL, &address },
		{ "--last-incident", &last, NULL },
		{ }
	};
	struct doctor d = { .ctx = ctx, .seconds = 3 };
	int status;

	argc--;
	argv++;
	if (argc && cmd_is_help(argv[0])) {
		printf("Usage:\n%s", cmd_doctor_usage);
		return RG_EXIT_OK;
	}
	status = args_parse(&argc, argv, options, 1, cmd_doctor_usage);
	if (!status)
		status = args_number("-i", interval, 2, 3600, &d.seconds);
	both = status ? NULL : too_much(last, interval, address, argv[0]);
	if (both) {
		rg_error("doctor: %s exclude each other", both);
		status = RG_EXIT_USAGE;
	}
	if (status)
		return status;
	status = last ? tell_last(&d, argv[0]) :
		 address ? look_at_path(&d, address) : look(&d, argv[0]);
	governed_free(&d.ports);
	model_counters_free(&d.before);
	model_counters_free(&d.after);
	free(d.path);
	return status;
}
