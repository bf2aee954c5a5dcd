// SPDX-License-Identifier: GPL-2.0
#include <linux/atomic.h>
#include <linux/ktime.h>
#include <linux/moduleparam.h>
#include <linux/netlink.h>
#include <linux/slab.h>
#include "delegate.h"
#include "mode.h"

static unsigned int rg_agent_timeout = 90;
module_param_named(agent_timeout, rg_agent_timeout, uint, 0644);
MODULE_PARM_DESC(agent_timeout, "seconds that what the agent said holds, default 90");

#define RG_AGENT_TIMEOUT_MAX_S	86400U
/* It answers within milliseconds, unless a file hangs. */
#define RG_AGENT_ANSWERS_NS	(5ULL * NSEC_PER_SEC)

/* When it last said something, ns; 0: never. */
static atomic64_t rg_agent_heard = ATOMIC64_INIT(0);

/**
 * rg_agent_timeout_s - how long holds what the agent says
 *
 * Return: seconds.
 */
unsigned int rg_agent_timeout_s(void)
{
	return clamp(READ_ONCE(rg_agent_timeout), 1U, RG_AGENT_TIMEOUT_MAX_S);
}

static u64 rg_agent_timeout_ns(void)
{
	return (u64)rg_agent_timeout_s() * NSEC_PER_SEC;
}

/**
 * rg_agent_lives - the agent has said something
 */
void rg_agent_lives(void)
{
	atomic64_set(&rg_agent_heard, ktime_get_ns());
}

static bool rg_agent_is_there(u64 now)
{
	u64 heard = atomic64_read(&rg_agent_heard);

	return heard && now - heard < rg_agent_timeout_ns();
}

/* Reports */

static bool rg_report_is_news(const struct rg_report *report,
			      const struct rg_report *last)
{
	if (!last || report->verdict == ROCEGUARD_VERDICT_CORRECTED)
		return true;
	return last->verdict != report->verdict || last->err != report->err ||
	       last->generation != report->generation ||
	       strcmp(last->have, report->have) ||
	       strcmp(last->reason, report->reason);
}

/* Is it of what the port now has? Under the port's lock. */
static int rg_report_check(const struct rg_port *port,
			   const struct rg_report *report,
			   struct netlink_ext_ack *extack)
{
	const struct rg_port_brief *status = &port->status;

	if (report->generation != status->generation) {
		NL_SET_ERR_MSG(extack,
			       "the port is at another generation; get it again, then report");
		return -ESTALE;
	}
	if (port->knob[report->knob].delegated == RG_NOT_SAID) {
		NL_SET_ERR_MSG(extack,
			       "this knob of the port is not delegated");
		return -EINVAL;
	}
	return 0;
}

/**
 * rg_delegate_report - take over what the agent says
 * @id: of the port
 * @report: what it says; freed here or with the port
 * @extack: for words
 *
 * Return: 0 or a negative errno.
 */
int rg_delegate_report(u32 id, struct rg_report *report,
		       struct netlink_ext_ack *extack)
{
	struct rg_port *port = rg_port_by_id(id);
	struct rg_report *old = NULL;
	unsigned long flags;
	bool news;
	int err;

	if (!port) {
		NL_SET_ERR_MSG(extack, "there is no port with this id");
		kfree(report);
		return -ENODEV;
	}
	spin_lock_irqsave(&port->lock, flags);
	err = rg_report_check(port, report, extack);
	if (!err) {
		strscpy(report->policy, port->status.policy,
			sizeof(report->policy));
		report->at = ktime_get_ns();
		old = port->report[report->knob];
		news = rg_report_is_news(report, old);
		report->told = !news && old->told;
		port->report[report->knob] = report;
	}
	spin_unlock_irqrestore(&port->lock, flags);
	if (err)
		old = report;
	else if (news)
		rg_port_kick(port, ROCEGUARD_TRIGGER_AUDIT);
	kfree(old);
	rg_port_put(port);
	return err;
}

/* Judging */

/* A copy of the last report, if it still holds, and when it ceases to. */
static bool rg_report_take(struct rg_pass *pass, const struct rg_knob *knob,
			   struct rg_report *report, u64 now, u64 *until)
{
	struct rg_port *port = pass->port;
	struct rg_report *last;
	unsigned long flags;
	bool fresh = false;

	spin_lock_irqsave(&port->lock, flags);
	last = port->report[knob->id];
	if (last) {
		*report = *last;
		*until = last->at + rg_agent_timeout_ns();
		fresh = *until > now &&
			last->generation >= pass->policy->generation &&
			!strcmp(last->policy, pass->policy->spec.name);
		last->told |= fresh;
	}
	spin_unlock_irqrestore(&port->lock, flags);
	return fresh;
}

static void rg_look_again_in(struct rg_pass *pass, u64 ns)
{
	if (!pass->again_ns || pass->again_ns > ns)
		pass->again_ns = ns;
}

static void rg_agent_is_waited_for(struct rg_pass *pass,
				   struct rg_knob_status *status, u64 now)
{
	struct rg_port *port = pass->port;

	if (port->asked_generation != pass->status.generation) {
		port->asked_generation = pass->status.generation;
		port->asked_at = now;
	}
	if (!rg_agent_is_there(now))
		rg_verdict(status, ROCEGUARD_VERDICT_DELEGATED, 0,
			   "no agent; run 'systemctl start roceguard-agent'");
	else if (now - port->asked_at < RG_AGENT_ANSWERS_NS)
		rg_verdict(status, ROCEGUARD_VERDICT_PENDING, 0,
			   "the agent is asked");
	else
		rg_verdict(status, ROCEGUARD_VERDICT_DELEGATED, 0,
			   "the agent does not say; see 'journalctl -u roceguard-agent'");
}

static void rg_corrected_by_agent(struct rg_pass *pass,
				  struct rg_section *section,
				  const struct rg_knob *knob,
				  const struct rg_report *report)
{
	struct rg_knob_status *status = &pass->status.knob[knob->id];

	pass->status.corrections++;
	strscpy(status->have, report->from, sizeof(status->have));
	rg_tell_knob(pass, section, knob, ROCEGUARD_ACTION_CORRECTION);
	strscpy(status->have, report->have, sizeof(status->have));
	strscpy(pass->was[knob->id], report->from, sizeof(pass->was[knob->id]));
	pass->corrected |= BIT(knob->id);
}

static void rg_report_tell(struct rg_pass *pass, struct rg_section *section,
			   const struct rg_knob *knob,
			   const struct rg_report *report)
{
	memset(&pass->entry, 0, sizeof(pass->entry));
	switch (report->verdict) {
	case ROCEGUARD_VERDICT_CORRECTED:
		rg_corrected_by_agent(pass, section, knob, report);
		break;
	case ROCEGUARD_VERDICT_DRIFTED:
		pass->status.drifts++;
		rg_tell_knob(pass, section, knob, ROCEGUARD_ACTION_DRIFT);
		break;
	case ROCEGUARD_VERDICT_REFUSED:
		rg_tell_knob(pass, section, knob, ROCEGUARD_ACTION_REFUSAL);
		break;
	case ROCEGUARD_VERDICT_CONTESTED:
		rg_tell_knob(pass, section, knob, ROCEGUARD_ACTION_CONTEST);
		break;
	}
}

/**
 * rg_delegated_run - judge a knob by what the agent says of it
 * @pass: the pass
 * @section: the knob's section
 * @knob: the knob
 */
void rg_delegated_run(struct rg_pass *pass, struct rg_section *section,
		      const struct rg_knob *knob)
{
	struct rg_knob_status *status = &pass->status.knob[knob->id];
	u64 now = ktime_get_ns(), until = 0;
	struct rg_report *report;

	rg_describe(section, knob, status);
	status->have[0] = 0;
	status->source = ROCEGUARD_SOURCE_NONE;
	status->delegated = pass->why_not || rg_mode_frozen() ? RG_NO : RG_YES;
	report = kzalloc(sizeof(*report), GFP_KERNEL);
	if (!report) {
		rg_verdict(status, ROCEGUARD_VERDICT_PENDING, -ENOMEM,
			   "no memory; it is tried again");
		return;
	}
	if (rg_report_take(pass, knob, report, now, &until)) {
		strscpy(status->have, report->have, sizeof(status->have));
		status->source = ROCEGUARD_SOURCE_DRIVER;
		rg_verdict(status, report->verdict, -report->err,
			   report->verdict == ROCEGUARD_VERDICT_DRIFTED &&
			   pass->why_not ? pass->why_not : report->reason);
		if (!report->told)
			rg_report_tell(pass, section, knob, report);
		rg_look_again_in(pass, until - now);
	} else {
		rg_agent_is_waited_for(pass, status, now);
	}
	kfree(report);
}
