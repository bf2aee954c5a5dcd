// SPDX-License-Identifier: GPL-2.0
/* What a pass does to one knob. */
#include <linux/ktime.h>
#include "log.h"
#include "logic/words.h"
#include "mode.h"
#include "netlink/netlink.h"
#include "pass.h"

#define RG_SICK_NS		(1ULL * NSEC_PER_SEC)

/* Telling */

static void rg_tell(struct rg_pass *pass, const struct rg_section *section)
{
	struct rg_entry *entry = &pass->entry;

	entry->netns = rg_history_netns(dev_net(section->dev));
	entry->ifindex = section->dev->ifindex;
	strscpy(entry->ifname, section->dev->name, sizeof(entry->ifname));
	entry->trigger = pass->trigger;
	strscpy(entry->policy, pass->policy->spec.name, sizeof(entry->policy));
	entry->generation = pass->policy->generation;
	rg_history_add(entry);
	rg_netlink_port_ntf(pass->port, dev_net(section->dev), entry);
	pass->told = true;
}

/**
 * rg_tell_knob - record and announce what was done to a knob
 * @pass: the pass
 * @section: the knob's section
 * @knob: the knob
 * @action: what was done
 */
void rg_tell_knob(struct rg_pass *pass, const struct rg_section *section,
		  const struct rg_knob *knob, enum roceguard_action action)
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

/**
 * rg_describe - put what a port has and is to have into words
 * @section: the knob's section, after a read
 * @knob: the knob
 * @status: gets them
 */
void rg_describe(struct rg_section *section, const struct rg_knob *knob,
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

/**
 * rg_verdict - judge a knob
 * @status: of the knob
 * @verdict: what came of it
 * @err: negative errno of the call that failed, or 0
 * @reason: why, and what to do; NULL: nothing to say
 */
void rg_verdict(struct rg_knob_status *status, enum roceguard_verdict verdict,
		int err, const char *reason)
{
	status->verdict = verdict;
	status->err = -err;
	strscpy(status->reason, reason ?: "", sizeof(status->reason));
}

/**
 * rg_failed - judge a knob by the error of a driver's call
 * @pass: stopped, if the device does not answer
 * @status: of the knob
 * @err: negative errno
 * @reason: what the knob says, or ""
 */
void rg_failed(struct rg_pass *pass, struct rg_knob_status *status, int err,
	       const char *reason)
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

/* Running */

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
		pass->policy->spec.name, rg_word(&rg_words_trigger, pass->trigger));
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

static void rg_knob_contested(struct rg_knob_status *status)
{
	rg_verdict(status, ROCEGUARD_VERDICT_CONTESTED, 0,
		   "something keeps changing it; stop it (lldpad?), then 'roceguard port apply'");
}

/* Wrong again after it was written in every round. */
static void rg_knob_undone(struct rg_pass *pass, struct rg_section *section,
			   const struct rg_knob *knob)
{
	struct rg_knob_status *status = &pass->status.knob[knob->id];

	/* A rival is at work: let the next pass count it. */
	if (rg_pass_is_rival(pass)) {
		rg_verdict(status, ROCEGUARD_VERDICT_PENDING, 0,
			   "something changed it again while it was written; it is tried again");
		return;
	}
	rg_verdict(status, ROCEGUARD_VERDICT_REFUSED, 0,
		   "writing another setting undoes it in this driver");
	memset(&pass->entry, 0, sizeof(pass->entry));
	rg_tell_knob(pass, section, knob, ROCEGUARD_ACTION_REFUSAL);
}

static void rg_knob_wrong(struct rg_pass *pass, struct rg_section *section,
			  const struct rg_knob *knob, unsigned int round)
{
	struct rg_knob_status *status = &pass->status.knob[knob->id];
	struct rg_damping *damping = &pass->port->damping[knob->id];
	bool rival = rg_pass_is_rival(pass) && !round;

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
		rg_knob_undone(pass, section, knob);
		return;
	}
	if (rg_pause_must_stay(pass, knob)) {
		rg_verdict(status, ROCEGUARD_VERDICT_REFUSED, 0,
			   "PFC can't be held, so global pause stays as it is");
		return;
	}
	if (rival && rg_damping_hit(damping, ktime_get_ns())) {
		rg_knob_contested(status);
		memset(&pass->entry, 0, sizeof(pass->entry));
		rg_tell_knob(pass, section, knob, ROCEGUARD_ACTION_CONTEST);
	}
	if (knob->id == ROCEGUARD_KNOB_PAUSE && !pass->pause_written) {
		pass->pause_was = pass->have.pause_rx | pass->have.pause_tx << 1;
		pass->pause_written = true;
	}
	rg_knob_write(pass, section, knob);
	if (damping->contested)
		rg_knob_contested(status);
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
		rg_knob_contested(status);
}

/**
 * rg_knob_run - read a knob, compare, write if it differs, read back, judge
 * @pass: the pass
 * @knob: the knob
 * @round: of the pass, from 0; in round RG_ROUNDS nothing is written
 */
void rg_knob_run(struct rg_pass *pass, const struct rg_knob *knob,
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
