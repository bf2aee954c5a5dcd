// SPDX-License-Identifier: GPL-2.0
/*
 * The delegated knobs of all ports. What is to be held is worked out from the
 * policy by the kernel's own logic; whether it may be written, the kernel says.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "agent/agent.h"
#include "cmd/cmd.h"
#include "delegate/delegate.h"
#include "nl.h"
#include "words.h"

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static struct agent_knob *find_knob(struct agent *a, uint32_t port,
				    uint32_t knob)
{
	size_t i;

	for (i = 0; i < a->n_knobs; i++)
		if (a->knob[i].port == port && a->knob[i].knob == knob)
			return &a->knob[i];
	return NULL;
}

static struct agent_knob *add_knob(struct agent *a, uint32_t port,
				   uint32_t knob)
{
	struct agent_knob *bigger;

	bigger = reallocarray(a->knob, a->n_knobs + 1, sizeof(*bigger));
	if (!bigger)
		return NULL;
	a->knob = bigger;
	bigger += a->n_knobs++;
	memset(bigger, 0, sizeof(*bigger));
	bigger->port = port;
	bigger->knob = knob;
	return bigger;
}

/* Is it still what the kernel wants? Asked right before a write. */
struct question {
	struct rgnl *nl;
	const struct model_port *port;
	uint32_t knob;
};

static bool may_write(void *arg)
{
	static struct model_port now;
	const struct question *q = arg;
	struct model_host host;

	if (model_mode_get(q->nl, &host) || host.frozen ||
	    host.mode != ROCEGUARD_MODE_ENFORCE)
		return false;
	if (q->port->has_netnsid)
		return host.generation == q->port->generation;
	return !model_port_get(q->nl, q->port->ifname, &now) &&
	       now.id == q->port->id &&
	       now.generation == q->port->generation && now.knob[q->knob].to_hold;
}

/* A rival is who changed it since it was right, with nothing new from us. */
static bool is_rival(const struct agent_knob *known,
		     const struct model_port *port)
{
	return known->generation == port->generation &&
	       known->served == port->served &&
	       !strcmp(known->rdma_device, port->rdma_device);
}

static void remember(struct agent_knob *known, const struct model_port *port)
{
	known->generation = port->generation;
	known->served = port->served;
	known->hold = port->knob[known->knob].to_hold;
	snprintf(known->rdma_device, sizeof(known->rdma_device), "%s",
		 port->rdma_device);
}

/* The verdict, once damping has had its say. */
static void damp(struct agent_knob *known, struct model_report *report,
		 bool rival)
{
	uint64_t now = now_ns();

	if (report->verdict == ROCEGUARD_VERDICT_HELD)
		rg_damping_calm(&known->damping, now);
	else if (report->verdict == ROCEGUARD_VERDICT_CORRECTED && rival)
		rg_damping_hit(&known->damping, now);
	if (!known->damping.contested)
		return;
	report->verdict = ROCEGUARD_VERDICT_CONTESTED;
	snprintf(report->reason, sizeof(report->reason),
		 "something keeps changing it; stop it, then 'roceguard port apply'");
}

static void say(const struct model_port *port, const struct model_report *r)
{
	if (r->verdict == ROCEGUARD_VERDICT_CORRECTED && r->reason[0])
		agent_say(AGENT_NOTICE, "%s %s: %s", port->ifname,
			  rg_word(&rg_words_knob, r->knob), r->reason);
}

static int send_report(struct agent *a, const struct model_port *port,
		       struct model_report *report)
{
	int err;

	report->port = port->id;
	report->generation = port->generation;
	err = model_report(a->ctx->nl, report, &a->timeout_s);
	/* It has moved on or gone: then it is told of again, or never more. */
	if (err == -ESTALE || err == -EINVAL || err == -ENODEV)
		return 0;
	return err;
}

static int serve_knob(struct agent *a, const struct model_port *port,
		      const struct rg_want *want, struct agent_knob *known)
{
	struct question question = { a->ctx->nl, port, known->knob };
	bool rival = is_rival(known, port);
	struct delegate_task task = {
		.root = "", .port = port, .want = want, .knob = known->knob,
		.hold = port->knob[known->knob].to_hold,
		.may_write = may_write, .arg = &question,
	};
	struct model_report report;

	if (!rival)
		rg_damping_reset(&known->damping);
	if (rg_damping_blocked(&known->damping, now_ns()))
		task.hold = false;
	remember(known, port);
	if (!delegate_run(&task, &report))
		return 0;
	damp(known, &report, rival);
	say(port, &report);
	return send_report(a, port, &report);
}

static int serve_knobs(struct agent *a, const struct model_port *port,
		       const struct model_policy *policy)
{
	struct agent_knob *known;
	struct rg_problem problem;
	struct rg_want want;
	uint32_t i;
	int err = 0;

	if (rg_policy_derive(&policy->spec, &want, &problem)) {
		agent_say(AGENT_ERROR, "policy %s is of another version: %s",
			  policy->spec.name, problem.text);
		return 0;
	}
	for (i = 0; i < MODEL_KNOBS && !err; i++) {
		if (!port->knob[i].delegated)
			continue;
		known = find_knob(a, port->id, i);
		if (!known)
			known = add_knob(a, port->id, i);
		if (!known)
			return -ENOMEM;
		known->seen = true;
		err = serve_knob(a, port, &want, known);
	}
	return err;
}

static bool has_work(const struct model_port *port)
{
	uint32_t i;

	for (i = 0; i < MODEL_KNOBS; i++)
		if (port->knob[i].delegated)
			return true;
	return false;
}

static int serve_port(struct agent *a, const struct model_port *port)
{
	static struct model_policy policy;
	int err;

	if (!has_work(port) || !port->policy[0])
		return 0;
	err = model_policy_get(a->ctx->nl, port->policy, &policy);
	/* Deleted or replaced since: the port is told of again. */
	if (err == -ENOENT)
		return rgnl_is_gone(a->ctx->nl) ? -ENODEV : 0;
	if (err || (int32_t)(policy.generation - port->generation) > 0)
		return err;
	return serve_knobs(a, port, &policy);
}

static void forget_unseen(struct agent *a)
{
	size_t i, n = 0;

	for (i = 0; i < a->n_knobs; i++)
		if (a->knob[i].seen)
			a->knob[n++] = a->knob[i];
	a->n_knobs = n;
}

int agent_audit(struct agent *a)
{
	struct model_ports ports = { };
	size_t i;
	int err;

	err = model_report(a->ctx->nl, NULL, &a->timeout_s);
	if (!err)
		err = model_ports(a->ctx->nl, &ports);
	for (i = 0; i < a->n_knobs; i++)
		a->knob[i].seen = false;
	for (i = 0; !err && i < ports.n; i++)
		err = serve_port(a, &ports.port[i]);
	if (!err)
		forget_unseen(a);
	model_ports_free(&ports);
	return err;
}

/* So often that two in a row may be late before the kernel gives up on us. */
long agent_audit_ms(const struct agent *a)
{
	long ms = a->audit_s * 1000, most = (long)a->timeout_s * 1000 / 3;

	return ms < most ? ms : most;
}

/* Has the kernel something new for us, or is it an echo of our own report? */
static bool is_new(struct agent *a, const struct model_port *port)
{
	const struct agent_knob *known;
	uint32_t i;

	for (i = 0; i < MODEL_KNOBS; i++) {
		if (!port->knob[i].delegated)
			continue;
		known = find_knob(a, port->id, i);
		if (!known || known->generation != port->generation ||
		    known->hold != port->knob[i].to_hold ||
		    strcmp(known->rdma_device, port->rdma_device))
			return true;
	}
	return false;
}

/* Events are taken as they come and served when there are no more of them. */
int agent_port_told(struct agent *a, const struct model_port *port)
{
	struct model_ports *list = &a->told_ports;
	struct model_port *bigger;
	size_t i;

	if (!is_new(a, port))
		return 0;
	for (i = 0; i < list->n; i++) {
		if (list->port[i].id != port->id)
			continue;
		list->port[i] = *port;
		return 0;
	}
	bigger = reallocarray(list->port, list->n + 1, sizeof(*bigger));
	if (!bigger)
		return -ENOMEM;
	list->port = bigger;
	list->port[list->n++] = *port;
	return 0;
}

int agent_serve_told(struct agent *a)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < a->told_ports.n; i++)
		if (is_new(a, &a->told_ports.port[i]))
			err = serve_port(a, &a->told_ports.port[i]);
	a->told_ports.n = 0;
	return err;
}

void agent_ports_forget(struct agent *a)
{
	a->n_knobs = 0;
	a->told_ports.n = 0;
}

void agent_ports_free(struct agent *a)
{
	free(a->knob);
	free(a->told_ports.port);
}
