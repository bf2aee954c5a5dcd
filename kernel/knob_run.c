// SPDX-License-Identifier: GPL-2.0
/* What a pass does to one knob. */
#include <linux/ktime.h>
#include "consent.h"
#include "delegate.h"
#include "function.h"
#include "log.h"
#include "logic/words.h"
#include "mode.h"
#include "netlink/netlink.h"
#include "pass.h"
#include "restore.h"

#define RG_SICK_NS		(1ULL * NSEC_PER_SEC)

/* Telling */

/**
 * rg_tell - record and announce an entry
 * @pass: with the entry, filled in but for what follows from the pass
 * @section: of the port
 */
void rg_tell(struct rg_pass *pass, const struct rg_section *section)
{
	struct rg_entry *entry = &pass->entry;

	entry->netns = rg_history_netns(dev_net(section->dev));
	entry->ifindex = section->dev->ifindex;
	strscpy(entry->ifname, section->dev->name, sizeof(entry->ifname));
	entry->trigger = pass->trigger;
	entry->generation = pass->status.generation;
	if (pass->policy) {
		strscpy(entry->policy, pass->policy->spec.name,
			sizeof(entry->policy));
		entry->generation = pass->policy->generation;
	}
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

/**
 * rg_log_corrections - what the pass has put right, for the kernel log
 * @pass: the pass, over and published
 *
 * Not as it happens: a console can take 10 ms a line, and that must hold up
 * neither what else is wrong nor those who wait for rtnl.
 */
void rg_log_corrections(const struct rg_pass *pass)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rg_knobs); i++) {
		const struct rg_knob *knob = rg_knobs[i];

		if (!(pass->corrected & BIT(knob->id)))
			continue;
		rg_info("%s: %s: '%s' -> '%s' (policy %s, trigger %s)\n",
			pass->status.name, knob->name, pass->was[knob->id],
			pass->status.knob[knob->id].want,
			rg_pass_ruler(pass),
			rg_word(&rg_words_trigger, pass->trigger));
	}
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
	case -ENOMEM:
		rg_verdict(status, ROCEGUARD_VERDICT_PENDING, err,
			   reason[0] ? reason : "out of memory; it is tried again");
		break;
	case -ETIMEDOUT:
	case -EIO:
	case -ENXIO:
		pass->stop = true;
		rg_verdict(status, ROCEGUARD_VERDICT_REFUSED, err,
			   "the device does not answer; it is left alone until the next link event");
		break;
	case -EOPNOTSUPP:
	case -ENOTSUPP:		/* some drivers' own word for it */
		rg_verdict(status, ROCEGUARD_VERDICT_UNSUPPORTED, err,
			   reason[0] ? reason : "the driver does not do it on this port; take it out of the policy");
		break;
	default:
		rg_verdict(status, ROCEGUARD_VERDICT_REFUSED, err,
			   reason[0] ? reason : "the driver says no; see the kernel log, then 'roceguard port apply'");
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

/**
 * rg_port_has_link - is there a link to lose?
 * @dev: the netdev, present
 *
 * Return: true if frames pass.
 */
bool rg_port_has_link(const struct net_device *dev)
{
	return netif_running(dev) && netif_carrier_ok(dev);
}

/* Running */

static void rg_knob_left_wrong(struct rg_pass *pass, struct rg_section *section,
			       const struct rg_knob *knob,
			       enum roceguard_verdict verdict, const char *why)
{
	struct rg_knob_status *status = &pass->status.knob[knob->id];
	bool told = pass->port->drifted & BIT(knob->id) &&
		    status->verdict == verdict;

	rg_verdict(status, verdict, 0, why);
	if (told)
		return;
	pass->port->drifted |= BIT(knob->id);
	memset(&pass->entry, 0, sizeof(pass->entry));
	rg_tell_knob(pass, section, knob,
		     verdict == ROCEGUARD_VERDICT_CONTESTED ?
		     ROCEGUARD_ACTION_CONTEST : ROCEGUARD_ACTION_DRIFT);
}

/**
 * rg_refused - record a refusal, and announce it once as long as it is the same
 * @pass: the pass, with an entry for what was tried
 * @section: the knob's section
 * @knob: the knob
 *
 * It is tried again in this pass, for another knob may have been in the way, and
 * in every other one.
 */
void rg_refused(struct rg_pass *pass, const struct rg_section *section,
		const struct rg_knob *knob)
{
	int *told = &pass->port->refused[knob->id];
	/* No call failed: it did not stick. */
	int err = pass->status.knob[knob->id].err ?: EREMOTEIO;

	pass->refused |= BIT(knob->id);
	if (*told == err)
		return;
	*told = err;
	rg_tell_knob(pass, section, knob, ROCEGUARD_ACTION_REFUSAL);
}

/* A knob is as wanted, as far as that can be seen. */
static void rg_knob_is_as_wanted(const struct rg_section *section,
				 struct rg_knob_status *status,
				 enum roceguard_verdict verdict)
{
	if (section->falls_short != ROCEGUARD_VERDICT_UNMANAGED)
		verdict = section->falls_short;
	rg_verdict(status, verdict, 0, section->reason);
}

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
		rg_refused(pass, section, knob);
		return;
	}
	status->source = section->source;
	if (!knob->same(section)) {
		rg_describe(section, knob, status);
		rg_verdict(status, ROCEGUARD_VERDICT_REFUSED, 0,
			   "the driver took it and reads back otherwise; see the kernel log and its firmware");
		rg_refused(pass, section, knob);
		return;
	}
	pass->refused &= ~BIT(knob->id);
	pass->port->refused[knob->id] = 0;
	rg_knob_is_as_wanted(section, status, ROCEGUARD_VERDICT_CORRECTED);
	if (!(pass->corrected & BIT(knob->id)))
		strscpy(pass->was[knob->id], status->have,
			sizeof(pass->was[knob->id]));
	pass->corrected |= BIT(knob->id);
	pass->status.corrections++;
	/* Told with what was there before; shown from now on as it is. */
	rg_tell_knob(pass, section, knob, ROCEGUARD_ACTION_CORRECTION);
	rg_describe(section, knob, status);
}

static void rg_knob_write(struct rg_pass *pass, struct rg_section *section,
			  const struct rg_knob *knob)
{
	struct rg_knob_status *status = &pass->status.knob[knob->id];
	bool linked = rg_port_has_link(section->dev);
	int err;

	section->reason[0] = 0;
	err = rg_before_keep(pass, knob);
	if (err) {
		rg_verdict(status, ROCEGUARD_VERDICT_PENDING, err,
			   "no memory to keep what there is; it is tried again");
		return;
	}
	if (rg_consent_needed(pass, section, status->cost) &&
	    !rg_consent_take(pass, section, knob)) {
		rg_knob_left_wrong(pass, section, knob,
				   ROCEGUARD_VERDICT_DEFERRED, section->reason);
		return;
	}
	memset(&pass->entry, 0, sizeof(pass->entry));
	err = rg_timed(pass, knob->write, section, &pass->entry.duration_us);
	pass->wrote++;
	pass->wrote_dcb |= knob->dcb;
	if (!err && status->cost != ROCEGUARD_COST_HITLESS) {
		pass->used = true;
		pass->entry.link_drop = linked;
		pass->status.link_drops += linked;
	}
	rg_knob_written(pass, section, knob, err);
}

static bool rg_pass_is_rival(const struct rg_pass *pass)
{
	unsigned long others = pass->triggers & ~RG_RIVAL_TRIGGERS;

	return !others || (others == BIT(ROCEGUARD_TRIGGER_CARRIER) &&
			   rg_rival_dropped(pass));
}

/**
 * rg_pfc_is_lost - can PFC not be held, or not yet?
 * @pass: the pass
 *
 * Return: true if so, as far as it is known.
 */
bool rg_pfc_is_lost(const struct rg_pass *pass)
{
	switch (pass->status.knob[ROCEGUARD_KNOB_PFC].verdict) {
	case ROCEGUARD_VERDICT_REFUSED:
	case ROCEGUARD_VERDICT_UNSUPPORTED:
	case ROCEGUARD_VERDICT_DEFERRED:
	case ROCEGUARD_VERDICT_CONTESTED:
		return true;
	default:
		return false;
	}
}

static bool rg_knob_is_right(const struct rg_knob_status *status)
{
	return status->verdict == ROCEGUARD_VERDICT_HELD ||
	       status->verdict == ROCEGUARD_VERDICT_CORRECTED;
}

/* PFC is not there yet, and it need not be tried to know that it won't be. */
static bool rg_pfc_is_hopeless(struct rg_section *section)
{
	enum roceguard_verdict falls_short = section->falls_short;
	enum roceguard_source source = section->source;
	bool hopeless;
	int err;

	err = rg_knob_pfc.read(section);
	hopeless = err || (!rg_knob_pfc.same(section) &&
			   rg_dcb_owner(section, -EPERM));
	section->source = source;
	section->falls_short = falls_short;
	section->reason[0] = 0;
	return hopeless;
}

/*
 * Pause is not given up for a PFC that this port can't do, as it has just shown
 * or as anybody can see, nor for one that has to wait.
 */
static bool rg_pause_must_stay(struct rg_pass *pass, struct rg_section *section,
			       const struct rg_knob *knob)
{
	if (knob->id != ROCEGUARD_KNOB_PAUSE || !pass->want.pfc ||
	    rg_knob_is_right(&pass->status.knob[ROCEGUARD_KNOB_PFC]))
		return false;
	if (rg_consent_needed(pass, section,
			      section->habits->cost[ROCEGUARD_KNOB_PFC]) &&
	    rg_consent_ask(pass, section) != RG_CONSENT_YES) {
		rg_knob_left_wrong(pass, section, knob,
				   ROCEGUARD_VERDICT_DEFERRED,
				   "PFC has to wait, so global pause stays as it is");
		return true;
	}
	if (!rg_pfc_is_hopeless(section) &&
	    (!rg_pfc_is_lost(pass) || pass->triggers & RG_FRESH_TRIGGERS))
		return false;
	pass->port->drifted |= BIT(knob->id);
	rg_verdict(&pass->status.knob[knob->id], ROCEGUARD_VERDICT_REFUSED, 0,
		   "PFC can't be held, so global pause stays as it is");
	return true;
}

/* Not to be written now, for it would cost the link. */
static bool rg_knob_must_wait(struct rg_pass *pass, struct rg_section *section,
			      const struct rg_knob *knob)
{
	if (!rg_consent_needed(pass, section, pass->status.knob[knob->id].cost))
		return false;
	section->reason[0] = 0;
	switch (rg_consent_ask(pass, section)) {
	case RG_CONSENT_LATER:
		rg_knob_left_wrong(pass, section, knob,
				   ROCEGUARD_VERDICT_DEFERRED, section->reason);
		return true;
	case RG_CONSENT_OVER:
		rg_knob_left_wrong(pass, section, knob,
				   ROCEGUARD_VERDICT_CONTESTED, section->reason);
		return true;
	default:
		return false;
	}
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
	rg_refused(pass, section, knob);
}

/**
 * rg_knob_cost - what a write of a knob costs
 * @section: in which the knob was read
 * @knob: the knob
 *
 * Return: the cost of what differs from section->want now, where it depends on that.
 */
enum roceguard_cost rg_knob_cost(const struct rg_section *section,
				 const struct rg_knob *knob)
{
	return knob->cost ? knob->cost(section) :
			    section->habits->cost[knob->id];
}

static void rg_knob_wrong(struct rg_pass *pass, struct rg_section *section,
			  const struct rg_knob *knob, unsigned int round)
{
	struct rg_knob_status *status = &pass->status.knob[knob->id];
	struct rg_damping *damping = &pass->port->damping[knob->id];
	bool rival;

	status->cost = rg_knob_cost(section, knob);
	if (!round && knob->dcb && status->cost != ROCEGUARD_COST_HITLESS &&
	    pass->triggers & BIT(ROCEGUARD_TRIGGER_DCB_EVENT))
		rg_rival_at_link(pass);
	/* Nobody changed back what the driver would not have. */
	rival = rg_pass_is_rival(pass) && !round &&
		!pass->port->refused[knob->id];
	rg_describe(section, knob, status);
	if (!(pass->port->drifted & BIT(knob->id)) &&
	    (rival || pass->why_not || !knob->write))
		pass->status.drifts++;
	if (!knob->write) {
		rg_knob_left_wrong(pass, section, knob,
				   ROCEGUARD_VERDICT_DRIFTED, section->reason);
		return;
	}
	if (pass->why_not || rg_mode_frozen()) {
		rg_knob_left_wrong(pass, section, knob,
				   ROCEGUARD_VERDICT_DRIFTED, pass->why_not ?:
				   "frozen; run 'roceguard thaw'");
		return;
	}
	if (rg_pause_must_stay(pass, section, knob) ||
	    rg_knob_must_wait(pass, section, knob))
		return;
	if (round == RG_ROUNDS) {
		if (!(pass->refused & BIT(knob->id)))
			rg_knob_undone(pass, section, knob);
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
	pass->port->refused[knob->id] = 0;
	rg_knob_is_as_wanted(section, status, pass->corrected & BIT(knob->id) ?
			     ROCEGUARD_VERDICT_CORRECTED :
			     ROCEGUARD_VERDICT_HELD);
	if (pass->port->damping[knob->id].contested)
		rg_knob_contested(status);
	if (knob->id == ROCEGUARD_KNOB_PFC &&
	    pass->status.knob[ROCEGUARD_KNOB_PAUSE].verdict ==
	    ROCEGUARD_VERDICT_DEFERRED)
		pass->look_again = true;
}

/* Not even read: what a VF answers says nothing of the port that it shares. */
static void rg_knob_foreign(struct rg_pass *pass, struct rg_section *section,
			    const struct rg_knob *knob)
{
	struct rg_knob_status *status = &pass->status.knob[knob->id];

	rg_function_blame(section);
	status->have[0] = 0;
	status->want[0] = 0;
	rg_verdict(status, ROCEGUARD_VERDICT_REFUSED, -EOPNOTSUPP,
		   section->reason);
	memset(&pass->entry, 0, sizeof(pass->entry));
	rg_refused(pass, section, knob);
}

/* It can't even be looked at. What a port does not have is no news. */
static void rg_knob_unread(struct rg_pass *pass, struct rg_section *section,
			   const struct rg_knob *knob, int err, u32 us)
{
	struct rg_knob_status *status = &pass->status.knob[knob->id];

	rg_failed(pass, status, err, section->reason);
	if (status->verdict != ROCEGUARD_VERDICT_REFUSED)
		return;
	memset(&pass->entry, 0, sizeof(pass->entry));
	pass->entry.duration_us = us;
	rg_refused(pass, section, knob);
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

	pass->seen |= BIT(knob->id);
	err = rg_section_begin(pass, &section);
	if (err) {
		pass->stop = true;
		rg_failed(pass, status, err, "");
		rg_section_end();
		return;
	}
	status->cost = section.habits->cost[knob->id];
	status->delegated = RG_NOT_SAID;
	if (rg_function_is_foreign(section.dev)) {
		rg_knob_foreign(pass, &section, knob);
		rg_section_end();
		return;
	}
	if (knob->delegated && knob->delegated(&section)) {
		rg_delegated_run(pass, &section, knob);
		rg_section_end();
		return;
	}
	err = rg_timed(pass, knob->read, &section, &us);
	status->source = section.source;
	if (err)
		rg_knob_unread(pass, &section, knob, err, us);
	else if (knob->same(&section))
		rg_knob_right(pass, &section, knob);
	else
		rg_knob_wrong(pass, &section, knob, round);
	rg_section_end();
}
