// SPDX-License-Identifier: GPL-2.0
/*
 * A pass over a port. Every knob has a hold of rtnl of its own and looks the
 * device up again: a slow driver holds up nobody longer than one of its own
 * calls takes, and a device that goes in between is simply gone.
 */
#include <linux/ktime.h>
#include <linux/moduleparam.h>
#include <linux/random.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include "companions.h"
#include "dcb_listener.h"
#include "enforce.h"
#include "history.h"
#include "knobs/knob.h"
#include "log.h"
#include "mode.h"
#include "netlink/netlink.h"
#include "policy.h"
#include "port.h"
#include "provider_registry.h"
#include "rdma_link.h"
#include "words.h"

static unsigned int rg_audit = 60;
module_param_named(audit, rg_audit, uint, 0644);
MODULE_PARM_DESC(audit, "seconds between looks at a port that is well, default 60, 0: none");

#define RG_AUDIT_FRESH_S	10	/* after link-up, for a while: */
#define RG_FRESH_NS		(300ULL * NSEC_PER_SEC)
#define RG_RECHECK_NS		(1ULL * NSEC_PER_SEC)
#define RG_RETRY_FIRST_MS	1000
#define RG_RETRY_LAST_MS	60000
#define RG_SICK_NS		(1ULL * NSEC_PER_SEC)
#define RG_ROUNDS		2

/* A rival shows as drift that only these found. */
#define RG_RIVAL_TRIGGERS	(BIT(ROCEGUARD_TRIGGER_DCB_EVENT) | \
				 BIT(ROCEGUARD_TRIGGER_AUDIT))
/* After these a sick port is given another chance. */
#define RG_HEALING_TRIGGERS	(BIT(ROCEGUARD_TRIGGER_REGISTER) | \
				 BIT(ROCEGUARD_TRIGGER_UP) | \
				 BIT(ROCEGUARD_TRIGGER_CARRIER) | \
				 BIT(ROCEGUARD_TRIGGER_USER))
/* What a write that failed is tried again for. */
#define RG_FRESH_TRIGGERS	(RG_HEALING_TRIGGERS | \
				 BIT(ROCEGUARD_TRIGGER_TOPOLOGY) | \
				 BIT(ROCEGUARD_TRIGGER_POLICY))

/**
 * struct rg_pass - one run over a port
 * @port: which
 * @triggers: why, all of them
 * @trigger: why, the weightiest
 * @ticket: the newest port-apply that it serves
 * @policy: that rules, or NULL
 * @why_not: why nothing may be written, or NULL
 * @status: what will be published
 * @have: what was read
 * @entry: the history entry being written
 * @corrected: knobs written and found right since
 * @wrote: writes of this round
 * @wrote_dcb: DCB was written and is to be announced
 * @told: something happened that listeners want to know
 * @stop: the device does not answer; ask it nothing more
 * @pause_was: bit 0 rx, bit 1 tx: global pause before we wrote it
 * @pause_written: we wrote it
 */
struct rg_pass {
	struct rg_port *port;
	unsigned long triggers;
	enum roceguard_trigger trigger;
	u32 ticket;
	struct rg_policy *policy;
	const char *why_not;
	struct rg_port_status status;
	struct rg_have have;
	struct rg_entry entry;
	u32 corrected;
	unsigned int wrote;
	bool wrote_dcb;
	bool told;
	bool stop;
	u8 pause_was;
	bool pause_written;
};

/* Sections */

static int rg_section_begin(struct rg_pass *pass, struct rg_section *section)
{
	struct net_device *dev;

	memset(section, 0, sizeof(*section));
	rtnl_lock();
	rg_providers_hold();
	dev = pass->port->dev;
	section->dev = dev;
	if (!dev)
		return -ENODEV;
	/* Detached: the driver has no private data behind its netdev. */
	if (dev->reg_state != NETREG_REGISTERED || !netif_device_present(dev))
		return -EAGAIN;
	rg_port_driver(dev, pass->status.driver, sizeof(pass->status.driver));
	section->driver = pass->status.driver;
	section->provider = rg_provider_of(section->driver);
	section->habits = rg_habits_of(section->driver);
	if (section->provider && section->provider->habits) {
		const char *like = section->provider->habits(dev);

		if (like)
			section->habits = rg_habits_of(like);
	}
	section->want = pass->policy ? &pass->policy->want : NULL;
	section->have = &pass->have;
	return 0;
}

static void rg_section_end(void)
{
	rg_providers_release();
	rtnl_unlock();
}

/* Telling */

static void rg_tell(struct rg_pass *pass, const struct rg_section *section)
{
	struct rg_entry *entry = &pass->entry;

	entry->net = dev_net(section->dev);
	entry->ifindex = section->dev->ifindex;
	strscpy(entry->ifname, section->dev->name, sizeof(entry->ifname));
	entry->trigger = pass->trigger;
	strscpy(entry->policy, pass->policy->spec.name, sizeof(entry->policy));
	entry->generation = pass->policy->generation;
	rg_history_add(entry);
	rg_netlink_port_ntf(pass->port, dev_net(section->dev), entry);
	pass->told = true;
}

static void rg_tell_knob(struct rg_pass *pass, const struct rg_section *section,
			 const struct rg_knob *knob,
			 enum roceguard_action action)
{
	const struct rg_knob_status *status = &pass->status.knob[knob->id];
	struct rg_entry *entry = &pass->entry;

	entry->action = action;
	entry->knob = knob->id;
	entry->verdict = status->verdict;
	entry->err = status->err;
	strscpy(entry->from, status->have, sizeof(entry->from));
	strscpy(entry->to, status->want, sizeof(entry->to));
	rg_tell(pass, section);
}

static void rg_describe(struct rg_section *section, const struct rg_knob *knob,
			struct rg_knob_status *status)
{
	struct rg_text have, want;

	rg_text_init(&have);
	rg_text_init(&want);
	knob->describe(section, &have, &want);
	strscpy(status->have, have.buf, sizeof(status->have));
	strscpy(status->want, want.buf, sizeof(status->want));
}

/* Verdicts */

static void rg_verdict(struct rg_knob_status *status,
		       enum roceguard_verdict verdict, int err,
		       const char *reason)
{
	status->verdict = verdict;
	status->err = -err;
	strscpy(status->reason, reason ?: "", sizeof(status->reason));
}

/* What an error of a driver call makes of a knob. */
static void rg_failed(struct rg_pass *pass, struct rg_knob_status *status,
		      int err, const char *reason)
{
	switch (err) {
	case -EBUSY:
	case -EAGAIN:
	case -ENODEV:
	case -ERESTARTSYS:
		rg_verdict(status, ROCEGUARD_VERDICT_PENDING, err,
			   reason[0] ? reason : "the device is busy or away; it is tried again");
		break;
	case -ETIMEDOUT:
	case -EIO:
	case -ENXIO:
		pass->stop = true;
		rg_verdict(status, ROCEGUARD_VERDICT_REFUSED, err,
			   "the device does not answer; it is left alone until the next link event");
		break;
	case -EOPNOTSUPP:
		rg_verdict(status, ROCEGUARD_VERDICT_UNSUPPORTED, err, reason);
		break;
	default:
		rg_verdict(status, ROCEGUARD_VERDICT_REFUSED, err, reason);
		break;
	}
}

static int rg_timed(struct rg_pass *pass, int (*call)(struct rg_section *),
		    struct rg_section *section, u32 *us)
{
	u64 begin = ktime_get_ns(), took;
	int err;

	err = call(section);
	took = ktime_get_ns() - begin;
	if (took > RG_SICK_NS)
		pass->stop = true;
	*us = div_u64(took, NSEC_PER_USEC);
	return err;
}

static bool rg_port_has_link(const struct net_device *dev)
{
	return netif_running(dev) && netif_carrier_ok(dev);
}

/* Knobs */

static void rg_knob_written(struct rg_pass *pass, struct rg_section *section,
			    const struct rg_knob *knob, int err)
{
	struct rg_knob_status *status = &pass->status.knob[knob->id];
	u32 us;

	if (!err) {
		section->reason[0] = 0;
		err = rg_timed(pass, knob->read, section, &us);
	}
	if (err) {
		rg_failed(pass, status, err, section->reason);
		rg_tell_knob(pass, section, knob, ROCEGUARD_ACTION_REFUSAL);
		return;
	}
	status->source = section->source;
	if (!knob->same(section)) {
		rg_describe(section, knob, status);
		rg_verdict(status, ROCEGUARD_VERDICT_REFUSED, 0,
			   "the driver took it and reads back otherwise; see the kernel log and its firmware");
		rg_tell_knob(pass, section, knob, ROCEGUARD_ACTION_REFUSAL);
		return;
	}
	rg_verdict(status, ROCEGUARD_VERDICT_CORRECTED, 0, NULL);
	pass->corrected |= BIT(knob->id);
	pass->status.corrections++;
	/* Told with what was there before; shown from now on as it is. */
	rg_tell_knob(pass, section, knob, ROCEGUARD_ACTION_CORRECTION);
	rg_info("%s: %s: '%s' -> '%s' (policy %s, trigger %s)\n",
		section->dev->name, knob->name, status->have, status->want,
		pass->policy->spec.name, rg_word_trigger(pass->trigger));
	rg_describe(section, knob, status);
}

static void rg_knob_write(struct rg_pass *pass, struct rg_section *section,
			  const struct rg_knob *knob)
{
	struct rg_knob_status *status = &pass->status.knob[knob->id];
	bool linked = rg_port_has_link(section->dev);
	int err;

	memset(&pass->entry, 0, sizeof(pass->entry));
	section->reason[0] = 0;
	err = rg_timed(pass, knob->write, section, &pass->entry.duration_us);
	pass->wrote++;
	pass->wrote_dcb |= knob->dcb;
	if (!err && linked && status->cost != ROCEGUARD_COST_HITLESS) {
		pass->entry.link_drop = true;
		pass->status.link_drops++;
	}
	rg_knob_written(pass, section, knob, err);
}

static bool rg_pass_is_rival(const struct rg_pass *pass)
{
	return !(pass->triggers & ~RG_RIVAL_TRIGGERS);
}

/* Pause is not given up for a PFC that this port has just shown it can't do. */
static bool rg_pause_must_stay(const struct rg_pass *pass,
			       const struct rg_knob *knob)
{
	u8 pfc = pass->status.knob[ROCEGUARD_KNOB_PFC].verdict;

	return knob->id == ROCEGUARD_KNOB_PAUSE && pass->policy->want.pfc &&
	       (pfc == ROCEGUARD_VERDICT_REFUSED ||
		pfc == ROCEGUARD_VERDICT_UNSUPPORTED) &&
	       !(pass->triggers & RG_FRESH_TRIGGERS);
}

static void rg_knob_left_wrong(struct rg_pass *pass, struct rg_section *section,
			       const struct rg_knob *knob, const char *why)
{
	struct rg_knob_status *status = &pass->status.knob[knob->id];

	rg_verdict(status, ROCEGUARD_VERDICT_DRIFTED, 0, why);
	if (pass->port->drifted & BIT(knob->id))
		return;
	pass->port->drifted |= BIT(knob->id);
	memset(&pass->entry, 0, sizeof(pass->entry));
	rg_tell_knob(pass, section, knob, ROCEGUARD_ACTION_DRIFT);
}

static void rg_knob_wrong(struct rg_pass *pass, struct rg_section *section,
			  const struct rg_knob *knob, unsigned int round)
{
	struct rg_knob_status *status = &pass->status.knob[knob->id];
	struct rg_damping *damping = &pass->port->damping[knob->id];
	bool rival = rg_pass_is_rival(pass) && !round;
	bool contest = false;

	rg_describe(section, knob, status);
	if (!(pass->port->drifted & BIT(knob->id)) &&
	    (rival || pass->why_not))
		pass->status.drifts++;
	if (pass->why_not || rg_mode_frozen()) {
		rg_knob_left_wrong(pass, section, knob, pass->why_not ?:
				   "frozen; run 'roceguard thaw'");
		return;
	}
	if (round == RG_ROUNDS) {
		rg_verdict(status, ROCEGUARD_VERDICT_REFUSED, 0,
			   "writing another setting undoes it in this driver");
		memset(&pass->entry, 0, sizeof(pass->entry));
		rg_tell_knob(pass, section, knob, ROCEGUARD_ACTION_REFUSAL);
		return;
	}
	if (rg_pause_must_stay(pass, knob)) {
		rg_verdict(status, ROCEGUARD_VERDICT_REFUSED, 0,
			   "PFC can't be held, so global pause stays as it is");
		return;
	}
	if (rival)
		contest = rg_damping_hit(damping, ktime_get_ns());
	if (knob->id == ROCEGUARD_KNOB_PAUSE && !pass->pause_written) {
		pass->pause_was = pass->have.pause_rx | pass->have.pause_tx << 1;
		pass->pause_written = true;
	}
	rg_knob_write(pass, section, knob);
	if (contest)
		rg_tell_knob(pass, section, knob, ROCEGUARD_ACTION_CONTEST);
	if (damping->contested)
		rg_verdict(status, ROCEGUARD_VERDICT_CONTESTED, 0,
			   "something keeps changing it; stop it (lldpad?), then 'roceguard port apply'");
}

static void rg_knob_right(struct rg_pass *pass, struct rg_section *section,
			  const struct rg_knob *knob)
{
	struct rg_knob_status *status = &pass->status.knob[knob->id];

	rg_describe(section, knob, status);
	rg_damping_calm(&pass->port->damping[knob->id], ktime_get_ns());
	pass->port->drifted &= ~BIT(knob->id);
	rg_verdict(status, pass->corrected & BIT(knob->id) ?
			   ROCEGUARD_VERDICT_CORRECTED : ROCEGUARD_VERDICT_HELD,
		   0, NULL);
	if (pass->port->damping[knob->id].contested)
		rg_verdict(status, ROCEGUARD_VERDICT_CONTESTED, 0,
			   "something kept changing it; watched until it is calm");
}

static void rg_knob_run(struct rg_pass *pass, const struct rg_knob *knob,
			unsigned int round)
{
	struct rg_knob_status *status = &pass->status.knob[knob->id];
	struct rg_section section;
	u32 us;
	int err;

	err = rg_section_begin(pass, &section);
	if (err) {
		pass->stop = true;
		rg_failed(pass, status, err, "");
		rg_section_end();
		return;
	}
	status->cost = section.habits->cost[knob->id];
	err = rg_timed(pass, knob->read, &section, &us);
	status->source = section.source;
	if (err)
		rg_failed(pass, status, err, section.reason);
	else if (knob->same(&section))
		rg_knob_right(pass, &section, knob);
	else
		rg_knob_wrong(pass, &section, knob, round);
	rg_section_end();
}

static void rg_round(struct rg_pass *pass, unsigned int round)
{
	const struct rg_want *want = &pass->policy->want;
	u64 now = ktime_get_ns();
	size_t i;

	pass->wrote = 0;
	for (i = 0; i < ARRAY_SIZE(rg_knobs) && !pass->stop; i++) {
		const struct rg_knob *knob = rg_knobs[i];

		if (!(want->knobs & BIT(knob->id)))
			continue;
		/* Contested: not even read until its pause is over. */
		if (!round && rg_damping_blocked(&pass->port->damping[knob->id],
						 now))
			continue;
		rg_knob_run(pass, knob, round);
	}
}

/* PFC could not be held after global pause was given up for it. */
static void rg_put_pause_back(struct rg_pass *pass)
{
	struct rg_knob_status *status = &pass->status.knob[ROCEGUARD_KNOB_PAUSE];
	u8 pfc = pass->status.knob[ROCEGUARD_KNOB_PFC].verdict;
	struct rg_section section;
	struct rg_want before;
	int err;

	if (!pass->pause_written || !pass->policy->want.pfc ||
	    (pfc != ROCEGUARD_VERDICT_REFUSED &&
	     pfc != ROCEGUARD_VERDICT_UNSUPPORTED))
		return;
	err = rg_section_begin(pass, &section);
	if (!err) {
		before = pass->policy->want;
		before.pause_rx = pass->pause_was & BIT(0);
		before.pause_tx = pass->pause_was & BIT(1);
		section.want = &before;
		err = rg_knob_pause.write(&section);
		if (!err)
			err = rg_knob_pause.read(&section);
	}
	if (err) {
		rg_failed(pass, status, err, section.reason);
	} else {
		section.want = &pass->policy->want;
		rg_describe(&section, &rg_knob_pause, status);
		rg_verdict(status, ROCEGUARD_VERDICT_REFUSED, 0,
			   "PFC can't be held, so global pause was put back");
		memset(&pass->entry, 0, sizeof(pass->entry));
		rg_tell_knob(pass, &section, &rg_knob_pause,
			     ROCEGUARD_ACTION_REFUSAL);
	}
	rg_section_end();
}

static void rg_rounds(struct rg_pass *pass)
{
	unsigned int round;

	for (round = 0; round <= RG_ROUNDS && !pass->stop; round++) {
		rg_round(pass, round);
		if (!pass->wrote)
			break;
	}
	rg_put_pause_back(pass);
}

/* State */

static const u8 rg_state_of_verdict[] = {
	[ROCEGUARD_VERDICT_UNMANAGED]	= ROCEGUARD_STATE_ENFORCED,
	[ROCEGUARD_VERDICT_HELD]	= ROCEGUARD_STATE_ENFORCED,
	[ROCEGUARD_VERDICT_CORRECTED]	= ROCEGUARD_STATE_ENFORCED,
	[ROCEGUARD_VERDICT_DRIFTED]	= ROCEGUARD_STATE_DRIFTED,
	[ROCEGUARD_VERDICT_DEFERRED]	= ROCEGUARD_STATE_DEFERRED,
	[ROCEGUARD_VERDICT_PENDING]	= ROCEGUARD_STATE_PENDING,
	[ROCEGUARD_VERDICT_DELEGATED]	= ROCEGUARD_STATE_DEGRADED,
	[ROCEGUARD_VERDICT_INACTIVE]	= ROCEGUARD_STATE_DEGRADED,
	[ROCEGUARD_VERDICT_UNSUPPORTED]	= ROCEGUARD_STATE_DEGRADED,
	[ROCEGUARD_VERDICT_REFUSED]	= ROCEGUARD_STATE_DEGRADED,
	[ROCEGUARD_VERDICT_CONTESTED]	= ROCEGUARD_STATE_CONTESTED,
};

/* From best to worst. */
static const u8 rg_state_rank[] = {
	[ROCEGUARD_STATE_UNMANAGED]	= 0,
	[ROCEGUARD_STATE_ENFORCED]	= 1,
	[ROCEGUARD_STATE_DEGRADED]	= 2,
	[ROCEGUARD_STATE_DEFERRED]	= 3,
	[ROCEGUARD_STATE_PENDING]	= 4,
	[ROCEGUARD_STATE_DRIFTED]	= 5,
	[ROCEGUARD_STATE_CONTESTED]	= 6,
	[ROCEGUARD_STATE_SICK]		= 7,
};

static enum roceguard_state rg_worst(const struct rg_pass *pass)
{
	enum roceguard_state worst = ROCEGUARD_STATE_ENFORCED, state;
	int i;

	for (i = 0; i < RG_KNOBS; i++) {
		state = rg_state_of_verdict[pass->status.knob[i].verdict];
		if (rg_state_rank[state] > rg_state_rank[worst])
			worst = state;
	}
	return worst;
}

/* The pass */

static void rg_forget_knobs(struct rg_pass *pass)
{
	memset(pass->status.knob, 0, sizeof(pass->status.knob));
	pass->port->drifted = 0;
}

/* What another policy said of a knob is no longer true. */
static void rg_forget_unnamed(struct rg_pass *pass)
{
	int i;

	for (i = 0; i < RG_KNOBS; i++)
		if (!(pass->policy->want.knobs & BIT(i)))
			memset(&pass->status.knob[i], 0,
			       sizeof(pass->status.knob[i]));
}

static const char *rg_why_not(const struct rg_pass *pass)
{
	if (rg_mode_frozen())
		return "frozen; run 'roceguard thaw'";
	if (rg_mode() == ROCEGUARD_MODE_OBSERVE)
		return "the host only observes (mode=observe)";
	if (pass->policy->spec.observe)
		return "the policy only observes (Mode=observe)";
	return NULL;
}

/* Who the port is, and which policy it has; no driver is called. */
static int rg_look(struct rg_pass *pass)
{
	struct rg_port_status *status = &pass->status;
	struct rg_candidate candidate;
	struct rg_section section;
	struct rg_rdma_port rdma = {};
	int err;

	err = rg_section_begin(pass, &section);
	if (err) {
		rg_section_end();
		return err;
	}
	if (!rg_rdma_find(section.dev, &rdma))
		rdma.device[0] = 0;
	strscpy(status->name, section.dev->name, sizeof(status->name));
	strscpy(status->rdma_device, rdma.device, sizeof(status->rdma_device));
	status->rdma_port = rdma.port;
	status->dcb = section.dev->dcbnl_ops;
	status->roce = section.habits->roce || section.provider ||
		       rdma.device[0];
	candidate = (struct rg_candidate){
		.ifname = status->name,
		.driver = status->driver,
		.rdma	= status->roce,
	};
	pass->policy = rg_policy_find(&candidate, &status->generation);
	rg_section_end();
	rg_companions_want(status->driver);
	return 0;
}

static void rg_pass_run(struct rg_pass *pass)
{
	struct rg_port_status *status = &pass->status;
	struct rg_port *port = pass->port;

	status->reason[0] = 0;
	if (rg_look(pass)) {
		status->state = ROCEGUARD_STATE_PENDING;
		strscpy(status->reason, "the device is away; it is looked at again",
			sizeof(status->reason));
		return;
	}
	strscpy(status->policy, pass->policy ? pass->policy->spec.name : "",
		sizeof(status->policy));
	if (!pass->policy && status->dcb && !rg_companions_settled()) {
		status->state = ROCEGUARD_STATE_PENDING;
		strscpy(status->reason, "its provider and RDMA device are being looked for",
			sizeof(status->reason));
		return;
	}
	if (!pass->policy || rg_mode() == ROCEGUARD_MODE_OFF) {
		rg_forget_knobs(pass);
		status->state = ROCEGUARD_STATE_UNMANAGED;
		if (pass->policy)
			strscpy(status->reason, "the mode of this host is off",
				sizeof(status->reason));
		return;
	}
	if (port->sick) {
		status->state = ROCEGUARD_STATE_SICK;
		return;
	}
	rg_forget_unnamed(pass);
	pass->why_not = rg_why_not(pass);
	rg_rounds(pass);
	status->state = rg_worst(pass);
	/* Away is pending, not sick. */
	if (pass->stop && status->state != ROCEGUARD_STATE_PENDING) {
		port->sick = true;
		status->state = ROCEGUARD_STATE_SICK;
		strscpy(status->reason, "a call took over a second or was not answered; run 'roceguard port apply' to try again",
			sizeof(status->reason));
	}
}

/* When to look again */

static unsigned long rg_audit_ms(const struct rg_port *port, u64 now)
{
	unsigned int s = READ_ONCE(rg_audit), ms;

	if (!s)
		return 0;
	if (now - port->linked_at < RG_FRESH_NS)
		s = min_t(unsigned int, s, RG_AUDIT_FRESH_S);
	ms = s * MSEC_PER_SEC;
	/* Plus or minus a fifth, so that ports do not march in step. */
	return ms - ms / 5 + get_random_u32() % (2 * ms / 5 + 1);
}

static unsigned long rg_retry_ms(struct rg_port *port)
{
	port->retry_ms = clamp_t(unsigned int, 2 * port->retry_ms,
				 RG_RETRY_FIRST_MS, RG_RETRY_LAST_MS);
	return port->retry_ms;
}

static unsigned long rg_until_ms(u64 then, u64 now)
{
	return then > now ? div_u64(then - now, NSEC_PER_MSEC) + 1 : 1;
}

static unsigned long rg_contest_ms(const struct rg_port *port, u64 now)
{
	u64 soonest = U64_MAX;
	int i;

	for (i = 0; i < RG_KNOBS; i++)
		if (port->damping[i].contested)
			soonest = min(soonest, port->damping[i].until);
	return rg_until_ms(soonest == U64_MAX ? now : soonest, now);
}

/* @due: what the pass is for if nothing else kicks it. */
static unsigned long rg_next_ms(struct rg_pass *pass, unsigned long *due)
{
	struct rg_port *port = pass->port;
	u64 now = ktime_get_ns();

	*due = BIT(ROCEGUARD_TRIGGER_AUDIT);
	if (pass->status.state == ROCEGUARD_STATE_PENDING) {
		*due = pass->triggers;
		return rg_retry_ms(port);
	}
	port->retry_ms = 0;
	if (port->recheck_at > now) {
		*due = BIT(ROCEGUARD_TRIGGER_REGISTER);
		return rg_until_ms(port->recheck_at, now);
	}
	switch (pass->status.state) {
	case ROCEGUARD_STATE_UNMANAGED:
	case ROCEGUARD_STATE_SICK:
		return 0;
	case ROCEGUARD_STATE_CONTESTED:
		return rg_contest_ms(port, now);
	default:
		return rg_audit_ms(port, now);
	}
}

static void rg_publish(struct rg_pass *pass)
{
	struct rg_port *port = pass->port;
	struct rg_section section;
	unsigned long flags;

	spin_lock_irqsave(&port->lock, flags);
	pass->told |= port->status.state != pass->status.state ||
		      port->status.generation != pass->status.generation ||
		      strcmp(port->status.rdma_device,
			     pass->status.rdma_device);
	/* The name may have changed since this pass looked. */
	strscpy(pass->status.name, port->status.name,
		sizeof(pass->status.name));
	port->status = pass->status;
	spin_unlock_irqrestore(&port->lock, flags);
	if (!pass->told && !pass->wrote_dcb)
		return;
	if (!rg_section_begin(pass, &section)) {
		if (pass->wrote_dcb)
			rg_dcb_announce(port, section.dev);
		rg_netlink_port_ntf(port, dev_net(section.dev), NULL);
	}
	rg_section_end();
}

static void rg_take_triggers(struct rg_pass *pass)
{
	struct rg_port *port = pass->port;
	unsigned long flags;
	int i;

	spin_lock_irqsave(&port->lock, flags);
	pass->triggers = port->kicked ?: port->due;
	port->kicked = 0;
	pass->ticket = port->ticket;
	pass->status = port->status;
	spin_unlock_irqrestore(&port->lock, flags);

	if (!pass->triggers)
		pass->triggers = BIT(ROCEGUARD_TRIGGER_AUDIT);
	pass->trigger = __ffs(pass->triggers);
	if (pass->triggers & RG_HEALING_TRIGGERS)
		port->sick = false;
	if (pass->triggers & (BIT(ROCEGUARD_TRIGGER_UP) |
			      BIT(ROCEGUARD_TRIGGER_CARRIER)))
		port->linked_at = ktime_get_ns();
	if (pass->triggers & BIT(ROCEGUARD_TRIGGER_USER))
		for (i = 0; i < RG_KNOBS; i++)
			rg_damping_reset(&port->damping[i]);
	if (pass->triggers & BIT(ROCEGUARD_TRIGGER_REGISTER) && !port->rechecked) {
		port->recheck_at = ktime_get_ns() + RG_RECHECK_NS;
		port->rechecked = true;
	}
}

static void rg_finish(struct rg_pass *pass, u64 begin)
{
	unsigned long ms;

	pass->status.trigger = pass->trigger;
	pass->status.served = pass->ticket;
	pass->status.passes++;
	pass->status.pass_us = div_u64(ktime_get_ns() - begin, NSEC_PER_USEC);
	ms = rg_next_ms(pass, &pass->port->due);
	rg_publish(pass);
	if (ms)
		rg_port_again(pass->port, ms);
}

/**
 * rg_enforce - the work of a port: one pass
 * @work: port->work, with a reference to the port that ends here
 */
void rg_enforce(struct work_struct *work)
{
	struct rg_port *port = container_of(to_delayed_work(work),
					    struct rg_port, work);
	u64 begin = ktime_get_ns();
	struct rg_pass *pass;

	pass = kzalloc(sizeof(*pass), GFP_KERNEL);
	if (!pass) {
		rg_port_again(port, RG_RETRY_FIRST_MS);
		rg_port_put(port);
		return;
	}
	pass->port = port;
	rg_take_triggers(pass);
	rg_pass_run(pass);
	rg_finish(pass, begin);
	rg_policy_put(pass->policy);
	kfree(pass);
	rg_port_put(port);
}
