// SPDX-License-Identifier: GPL-2.0
/* A pass over a port: its rounds, its state, what readers get to see of it. */
#include <linux/ktime.h>
#include <linux/slab.h>
#include "bond.h"
#include "companions.h"
#include "consent.h"
#include "counters/counters.h"
#include "counters/watchdog.h"
#include "dcb_listener.h"
#include "enforce.h"
#include "mode.h"
#include "netlink/netlink.h"
#include "ofed_sysfs.h"
#include "pass.h"
#include "rdma_link.h"
#include "restore.h"
#include "status.h"

#define RG_RECHECK_NS		(1ULL * NSEC_PER_SEC)
#define RG_ALLOC_AGAIN_MS	1000

/* Rounds */

static void rg_round(struct rg_pass *pass, unsigned int round)
{
	u64 now = ktime_get_ns();
	size_t i;

	pass->wrote = 0;
	pass->look_again = false;
	for (i = 0; i < ARRAY_SIZE(rg_knobs) && !pass->stop; i++) {
		const struct rg_knob *knob = rg_knobs[i];

		if (!(pass->want.knobs & BIT(knob->id)))
			continue;
		/* Contested: not even read until its pause is over. */
		if (!round && rg_damping_blocked(&pass->port->damping[knob->id],
						 now))
			continue;
		rg_knob_run(pass, knob, round);
	}
}

/* Not held, or not as long as the device is busy. */
static bool rg_pfc_is_away(const struct rg_pass *pass)
{
	return rg_pfc_is_lost(pass) ||
	       pass->status.knob[ROCEGUARD_KNOB_PFC].verdict ==
	       ROCEGUARD_VERDICT_PENDING;
}

/* PFC could not be held after global pause was given up for it. */
static void rg_put_pause_back(struct rg_pass *pass)
{
	struct rg_knob_status *status = &pass->status.knob[ROCEGUARD_KNOB_PAUSE];
	struct rg_section section;
	struct rg_want before;
	int err;

	if (!pass->pause_written || !pass->want.pfc ||
	    !rg_pfc_is_away(pass))
		return;
	err = rg_section_begin(pass, &section);
	if (!err) {
		before = pass->want;
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
		section.want = &pass->want;
		rg_describe(&section, &rg_knob_pause, status);
		rg_verdict(status, ROCEGUARD_VERDICT_REFUSED, 0,
			   "PFC can't be held, so global pause was put back");
		memset(&pass->entry, 0, sizeof(pass->entry));
		rg_refused(pass, &section, &rg_knob_pause);
	}
	rg_section_end();
}

static void rg_rounds(struct rg_pass *pass)
{
	unsigned int round;

	for (round = 0; round <= RG_ROUNDS && !pass->stop; round++) {
		rg_round(pass, round);
		if (!pass->wrote && !pass->look_again)
			break;
	}
	rg_put_pause_back(pass);
}

/* What a pass that was stopped did not come to may be held, or not. */
static void rg_forget_unseen(struct rg_pass *pass)
{
	u32 unseen = pass->want.knobs & ~pass->seen;
	int i;

	if (!pass->stop)
		return;
	for (i = 0; i < RG_KNOBS; i++)
		if (unseen & BIT(i) && !pass->port->damping[i].contested)
			rg_verdict(&pass->status.knob[i],
				   ROCEGUARD_VERDICT_PENDING, 0,
				   "not looked at, for the device did not answer before");
}

/* State */

/**
 * rg_pass_governs - has anybody said what the port is to have?
 * @pass: the pass
 *
 * Return: true if a policy or the overlay has.
 */
bool rg_pass_governs(const struct rg_pass *pass)
{
	return pass->policy || pass->want.knobs;
}

/**
 * rg_pass_ruler - who has said what the port is to have
 * @pass: the pass
 *
 * Return: the name of its policy, or words.
 */
const char *rg_pass_ruler(const struct rg_pass *pass)
{
	return pass->policy ? pass->policy->spec.name : "none";
}

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
	memset(pass->port->refused, 0, sizeof(pass->port->refused));
}

/* What was said of a knob that is no longer named is no longer true. */
static void rg_forget_unnamed(struct rg_pass *pass)
{
	int i;

	for (i = 0; i < RG_KNOBS; i++)
		if (!(pass->want.knobs & BIT(i)))
			memset(&pass->status.knob[i], 0,
			       sizeof(pass->status.knob[i]));
}

/* The policy or the operator has spoken: all is tried and told anew. */
static void rg_forget_told(struct rg_pass *pass)
{
	struct rg_port *port = pass->port;

	if (pass->status.generation != port->told_generation ||
	    pass->fresh & BIT(ROCEGUARD_TRIGGER_USER)) {
		memset(port->refused, 0, sizeof(port->refused));
		port->learnt = 0;
	}
	port->told_generation = pass->status.generation;
}

static const char *rg_not_rolled_out(struct rg_pass *pass)
{
	const struct rg_policy_spec *spec;

	if (!pass->policy || rg_policy_rolled_out(&pass->policy->spec))
		return NULL;
	spec = &pass->policy->spec;
	snprintf(pass->not_yet, sizeof(pass->not_yet),
		 "not in this rollout step: %u%% (Rollout=), this host comes after %u%%",
		 spec->rollout, spec->rollout_at);
	return pass->not_yet;
}

static const char *rg_why_not(struct rg_pass *pass)
{
	if (rg_mode_frozen())
		return "frozen; run 'roceguard thaw'";
	if (rg_mode() == ROCEGUARD_MODE_OBSERVE)
		return "the host only observes (mode=observe)";
	if (pass->want.follow)
		return "the fabric decides (DCBX Mode=follow)";
	if (pass->policy && pass->policy->spec.observe)
		return "the policy only observes (Mode=observe)";
	return rg_not_rolled_out(pass);
}

/* The last word counts: a policy loaded since takes back what it names. */
static void rg_settle_want(struct rg_pass *pass)
{
	struct rg_overlay *overlay = &pass->port->status.overlay;
	unsigned long flags;

	spin_lock_irqsave(&pass->port->lock, flags);
	if (pass->policy) {
		pass->want = pass->policy->want;
		rg_overlay_yield(overlay, pass->want.knobs,
				 pass->policy->generation);
	}
	rg_overlay_apply(overlay, &pass->want);
	rg_watchdog_want(pass);
	pass->status.overlay_seen = overlay->serial;
	spin_unlock_irqrestore(&pass->port->lock, flags);
}

/* That of a bond is its legs': their hardware carries its frames. */
static void rg_look_for_rdma(struct net_device *dev, struct rg_rdma_port *rdma)
{
	struct net_device *bond = rg_bond_of(dev);

	if (!rg_rdma_find(dev, rdma) && !(bond && rg_rdma_find(bond, rdma)))
		rdma->device[0] = 0;
}

/*
 * With the link down its speed is not known, and what it was says what it will
 * be: a policy is not to come and go with every flap.
 */
static void rg_look_for_speed(struct rg_pass *pass)
{
	struct rg_port_status *status = &pass->status;
	struct rg_section section;
	u32 speed;

	if (!rg_policy_speeds() ||
	    (status->speed && !(pass->triggers & RG_HEALING_TRIGGERS)))
		return;
	if (!rg_section_begin(pass, &section) &&
	    rg_port_has_link(section.dev)) {
		speed = rg_speed(&section);
		if (speed)
			status->speed = speed;
	}
	rg_section_end();
}

/* Who the port is, and what it is to have; no driver is called. */
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
	rg_look_for_rdma(section.dev, &rdma);
	strscpy(status->bond, rg_bond_name(section.dev), sizeof(status->bond));
	strscpy(status->name, section.dev->name, sizeof(status->name));
	pass->linked = rg_port_has_link(section.dev);
	pass->downs = atomic_read(&section.dev->carrier_down_count);
	strscpy(status->rdma_device, rdma.device, sizeof(status->rdma_device));
	status->rdma_port = rdma.port;
	status->dcb = section.dev->dcbnl_ops;
	status->roce = section.habits->roce || section.provider ||
		       rdma.device[0];
	candidate = (struct rg_candidate){
		.ifname = status->name,
		.bond	= status->bond,
		.driver = status->driver,
		.rdma	= status->roce,
		.pci	= status->pci,
		.rdma_device = status->rdma_device,
		.speed	= status->speed,
	};
	pass->provided = section.provider;
	memset(&status->choice, 0, sizeof(status->choice));
	pass->policy = rg_policy_find(&candidate, &status->choice,
				      &status->generation);
	rg_section_end();
	rg_settle_want(pass);
	rg_companions_want(status->driver);
	return 0;
}

static void rg_pass_run(struct rg_pass *pass)
{
	struct rg_port_status *status = &pass->status;
	struct rg_port *port = pass->port;

	status->reason[0] = 0;
	rg_look_for_speed(pass);
	if (rg_look(pass)) {
		status->state = ROCEGUARD_STATE_PENDING;
		strscpy(status->reason, "the device is away; it is looked at again",
			sizeof(status->reason));
		return;
	}
	strscpy(status->policy, pass->policy ? pass->policy->spec.name : "",
		sizeof(status->policy));
	strscpy(status->serial, pass->policy ? pass->policy->spec.serial : "",
		sizeof(status->serial));
	if (rg_pass_governs(pass))
		pass->why_not = rg_why_not(pass);
	if (port->restoring && rg_mode() != ROCEGUARD_MODE_OFF &&
	    !rg_mode_frozen()) {
		rg_restore(pass);
		if (pass->stop) {
			status->state = ROCEGUARD_STATE_PENDING;
			strscpy(status->reason, "what it had is being put back",
				sizeof(status->reason));
			return;
		}
	}
	if (!rg_pass_governs(pass) && status->dcb && !rg_companions_settled()) {
		status->state = ROCEGUARD_STATE_PENDING;
		strscpy(status->reason, "its provider and RDMA device are being looked for",
			sizeof(status->reason));
		return;
	}
	if (!rg_pass_governs(pass) || rg_mode() == ROCEGUARD_MODE_OFF) {
		rg_forget_knobs(pass);
		status->state = ROCEGUARD_STATE_UNMANAGED;
		if (rg_pass_governs(pass))
			strscpy(status->reason, "the mode of this host is off",
				sizeof(status->reason));
		return;
	}
	if (port->sick) {
		status->state = ROCEGUARD_STATE_SICK;
		return;
	}
	rg_forget_unnamed(pass);
	rg_forget_told(pass);
	rg_rounds(pass);
	status->state = rg_worst(pass);
	/* Away is pending, not sick. */
	if (pass->stop && status->state != ROCEGUARD_STATE_PENDING) {
		port->sick = true;
		status->state = ROCEGUARD_STATE_SICK;
		strscpy(status->reason, "a call took over a second or was not answered; run 'roceguard port apply' to try again",
			sizeof(status->reason));
	}
	rg_forget_unseen(pass);
}

static void rg_publish(struct rg_pass *pass)
{
	struct rg_port *port = pass->port;
	char *texts = rg_status_texts(&pass->status);
	struct rg_section section;
	unsigned long flags;

	spin_lock_irqsave(&port->lock, flags);
	pass->told |= port->status.state != pass->status.state ||
		      port->status.generation != pass->status.generation ||
		      port->status.overlay_seen != pass->status.overlay_seen ||
		      strcmp(port->status.rdma_device,
			     pass->status.rdma_device);
	/* These may have changed since this pass looked. */
	strscpy(pass->status.name, port->status.name,
		sizeof(pass->status.name));
	pass->status.overlay = port->status.overlay;
	texts = rg_status_set(port, &pass->status, texts);
	spin_unlock_irqrestore(&port->lock, flags);
	kfree(texts);
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
	pass->fresh = port->kicked;
	pass->triggers = (port->kicked | port->owed) ?: port->due;
	port->kicked = 0;
	pass->ticket = port->ticket;
	pass->now = port->now;
	port->now = false;
	port->restoring |= port->restore;
	port->restore = false;
	spin_unlock_irqrestore(&port->lock, flags);

	rg_status_get(port, &pass->status);
	if (!pass->triggers)
		pass->triggers = BIT(ROCEGUARD_TRIGGER_AUDIT);
	pass->trigger = __ffs(pass->triggers);
	if (pass->triggers & RG_HEALING_TRIGGERS)
		port->sick = false;
	if (pass->triggers & (BIT(ROCEGUARD_TRIGGER_UP) |
			      BIT(ROCEGUARD_TRIGGER_CARRIER)))
		port->linked_at = ktime_get_ns();
	rg_consent_begin(pass);
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
	rg_consent_end(pass);
	ms = rg_pace(pass, &pass->port->due);
	rg_publish(pass);
	rg_counters_judge(pass->port);
	rg_watchdog_follow(pass);
	rg_log_corrections(pass);
	/* It went meanwhile, and who looked for its ports may have missed this one. */
	if (pass->policy && READ_ONCE(pass->policy->restore))
		rg_port_put_back(pass->port);
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
		rg_port_again(port, RG_ALLOC_AGAIN_MS);
		rg_port_put(port);
		return;
	}
	pass->port = port;
	rg_take_triggers(pass);
	rg_pass_run(pass);
	rg_ofed_sysfs_refresh(pass);
	rg_finish(pass, begin);
	rg_ofed_sysfs_settle(pass);
	rg_policy_put(pass->policy);
	kfree(pass);
	rg_port_put(port);
}
