// SPDX-License-Identifier: GPL-2.0
/*
 * May a write drop the link? Where none is lost it may: with no link, and once as
 * one comes up, for nothing has begun to use it. Where one is, the policy says
 * (Disruptive=), and never on two ports of this host at once. If a rival's write
 * has dropped the link, ours is what it will drop it for next time: though free by
 * itself it comes off the budget, or the two would never end.
 */
#include <linux/ktime.h>
#include <linux/moduleparam.h>
#include "bond.h"
#include "consent.h"
#include "log.h"
#include "logic/words.h"

static unsigned int rg_drops_daily = 3;
module_param_named(drops_daily, rg_drops_daily, uint, 0644);
MODULE_PARM_DESC(drops_daily, "links that corrections may drop on a port in 24 hours, default 3, at most 8");

static unsigned int rg_drops_apart = 600;
module_param_named(drops_apart, rg_drops_apart, uint, 0644);
MODULE_PARM_DESC(drops_apart, "seconds between two links dropped on a port, default 600");

/* A link that comes up so soon after we dropped it comes up because we did. */
#define RG_OWN_DROP_NS		(30ULL * NSEC_PER_SEC)
/* So long the other ports wait for a link that does not come back. */
#define RG_TURN_NS		(10ULL * NSEC_PER_SEC)
#define RG_TURN_AGAIN_NS	(1ULL * NSEC_PER_SEC)

#define RG_LINK_TRIGGERS	(BIT(ROCEGUARD_TRIGGER_REGISTER) | \
				 BIT(ROCEGUARD_TRIGGER_UP) | \
				 BIT(ROCEGUARD_TRIGGER_CARRIER))

static struct rg_budget_limits rg_limits(void)
{
	return (struct rg_budget_limits){
		.daily	  = min_t(unsigned int, READ_ONCE(rg_drops_daily),
				  RG_BUDGET_MAX),
		.apart_ns = (u64)READ_ONCE(rg_drops_apart) * NSEC_PER_SEC,
	};
}

/* Whose turn it is. */
static struct {
	spinlock_t lock;
	u32 port;
	u64 since;
} rg_turn = { .lock = __SPIN_LOCK_UNLOCKED(rg_turn.lock) };

static bool rg_turn_is_free(const struct rg_port *port, u64 now)
{
	return !rg_turn.port || rg_turn.port == port->id ||
	       now - rg_turn.since > RG_TURN_NS;
}

static bool rg_turn_take(const struct rg_port *port, bool take)
{
	u64 now = ktime_get_ns();
	bool free;

	spin_lock(&rg_turn.lock);
	free = rg_turn_is_free(port, now);
	if (free && take) {
		rg_turn.port = port->id;
		rg_turn.since = now;
	}
	spin_unlock(&rg_turn.lock);
	return free;
}

/**
 * rg_consent_forget - a port is done with its turn, if it had it
 * @port: back with a link, or gone
 */
void rg_consent_forget(const struct rg_port *port)
{
	spin_lock(&rg_turn.lock);
	if (rg_turn.port == port->id)
		rg_turn.port = 0;
	spin_unlock(&rg_turn.lock);
}

/**
 * rg_consent_begin - see what the triggers of a pass mean for consent
 * @pass: the pass
 */
void rg_consent_begin(struct rg_pass *pass)
{
	struct rg_port *port = pass->port;
	u64 now = ktime_get_ns();

	if (pass->fresh & RG_LINK_TRIGGERS &&
	    (!port->dropped_at || now - port->dropped_at > RG_OWN_DROP_NS))
		port->drop_is_free = true;
	if (pass->now)
		rg_budget_reset(&port->budget);
}

/**
 * rg_rival_at_link - a rival wrote what drops the link
 * @pass: the pass that hears of it
 */
void rg_rival_at_link(struct rg_pass *pass)
{
	struct rg_port *port = pass->port;

	port->rival_at = ktime_get_ns();
	port->rival_downs = pass->downs;
	/* The news can be faster than the link. */
	if (pass->linked && pass->downs == port->seen_downs)
		port->rival_downs++;
}

/**
 * rg_rival_dropped - is the link down, or just back, for a rival's write?
 * @pass: the pass
 *
 * Return: true if so: what is written now is what the rival drops the link for
 * next time.
 */
bool rg_rival_dropped(const struct rg_pass *pass)
{
	const struct rg_port *port = pass->port;

	return port->rival_at && pass->downs == port->rival_downs &&
	       ktime_get_ns() - port->rival_at < RG_OWN_DROP_NS;
}

/**
 * rg_consent_needed - does a write cost a link?
 * @pass: the pass
 * @section: the knob's section
 * @cost: of the write
 *
 * Return: true if there is a link to lose, or a quarrel that costs links.
 */
bool rg_consent_needed(const struct rg_pass *pass,
		       const struct rg_section *section,
		       enum roceguard_cost cost)
{
	return cost != ROCEGUARD_COST_HITLESS &&
	       (rg_port_has_link(section->dev) || rg_rival_dropped(pass));
}

/* The link has come up, and nothing has begun to use it. */
static bool rg_drop_is_free(const struct rg_pass *pass)
{
	return pass->port->drop_is_free && pass->triggers & RG_LINK_TRIGGERS &&
	       !rg_rival_dropped(pass);
}

static void rg_again_in(struct rg_pass *pass, u64 ns)
{
	pass->again_ns = min(pass->again_ns ?: U64_MAX, ns);
}

static void rg_because_later(struct rg_section *section, u32 s)
{
	rg_because(section, rg_port_has_link(section->dev) ?
		   "the write drops the link, and the last one was too short ago; at link-down, in %u s, or 'roceguard port apply %s --now'" :
		   "something changes it, which drops the link each time; it is set again in %u s, or by 'roceguard port apply %s --now'",
		   s, section->dev->name);
}

/*
 * A driver that says no before it touches the link may be asked again for nothing.
 * With no link a rival is at work, and no count of link losses to go by.
 */
static void rg_refund(struct rg_pass *pass)
{
	if (!pass->spent || !pass->consented || pass->used || pass->stop)
		return;
	rg_budget_refund(&pass->port->budget);
	pass->port->refunded = true;
}

/* ... but not one that drops it all the same. */
static void rg_refund_check(struct rg_pass *pass)
{
	struct rg_port *port = pass->port;

	if (port->refunded && pass->downs != port->downs)
		rg_budget_spend(&port->budget, port->dropped_at);
	port->refunded = false;
}

static enum rg_consent rg_budget_ask(struct rg_pass *pass,
				     struct rg_section *section)
{
	struct rg_budget_limits limits = rg_limits();
	u64 wait;

	rg_refund_check(pass);
	wait = rg_budget_wait(&pass->port->budget, &limits, ktime_get_ns());
	if (!wait)
		return RG_CONSENT_YES;
	if (wait == U64_MAX) {
		rg_because(section, "the write drops the link, and the budget of %u a day is spent; stop what changes it, then 'roceguard port apply %s --now'",
			   limits.daily, section->dev->name);
		return RG_CONSENT_OVER;
	}
	rg_again_in(pass, wait);
	rg_because_later(section, div_u64(wait, NSEC_PER_SEC) + 1);
	return RG_CONSENT_LATER;
}

/* A storm does not wait, and the policy says that the link may go for it. */
static bool rg_drop_is_forced(const struct rg_pass *pass)
{
	return pass->triggers & BIT(ROCEGUARD_TRIGGER_WATCHDOG) &&
	       pass->want.watchdog.force;
}

static enum roceguard_disruptive rg_disruptive(const struct rg_pass *pass)
{
	return pass->policy ? pass->policy->spec.disruptive :
			      ROCEGUARD_DISRUPTIVE_BUDGET;
}

/* What the policy and the operator say of this port alone. */
static enum rg_consent rg_port_consents(struct rg_pass *pass,
					struct rg_section *section)
{
	if (pass->paid || pass->now || rg_drop_is_free(pass) ||
	    rg_drop_is_forced(pass))
		return RG_CONSENT_YES;
	switch (rg_disruptive(pass)) {
	case ROCEGUARD_DISRUPTIVE_NOW:
		return RG_CONSENT_YES;
	case ROCEGUARD_DISRUPTIVE_LINKDOWN:
		if (!rg_port_has_link(section->dev))
			return rg_budget_ask(pass, section);
		rg_because(section, "the write drops the link; it waits for link-down (Disruptive=linkdown), or 'roceguard port apply %s --now'",
			   section->dev->name);
		return RG_CONSENT_LATER;
	default:
		return rg_budget_ask(pass, section);
	}
}

/*
 * The other legs of its bond have to carry the frames meanwhile. Who does mind a
 * lost link waits as long as it takes; --now as long as for a turn, for the one
 * that is missing may be for good.
 */
static bool rg_legs_are_there(struct rg_pass *pass, struct rg_section *section)
{
	const struct net_device *leg = rg_bond_leg_missing(section->dev);
	struct rg_port *port = pass->port;
	u64 now = ktime_get_ns();

	if (!leg) {
		WRITE_ONCE(port->leg_since, 0);
		return true;
	}
	if (!port->leg_since)
		WRITE_ONCE(port->leg_since, now);
	if (pass->now && now - port->leg_since > RG_TURN_NS)
		return true;
	/* Before that, when the leg or the bond says that it is back. */
	rg_again_in(pass, pass->now ? RG_TURN_AGAIN_NS : RG_TURN_NS);
	rg_because(section, "the write drops the link, and %s of %s is down or just coming back; mend it, or 'roceguard port apply %s --now'",
		   leg->name, rg_bond_name(section->dev), section->dev->name);
	return false;
}

static enum rg_consent rg_ask(struct rg_pass *pass, struct rg_section *section,
			      bool take)
{
	enum rg_consent consent = rg_port_consents(pass, section);

	if (consent != RG_CONSENT_YES || !rg_port_has_link(section->dev))
		return consent;
	if (pass->consented || rg_legs_are_there(pass, section)) {
		if (rg_turn_take(pass->port, take))
			return RG_CONSENT_YES;
		rg_again_in(pass, RG_TURN_AGAIN_NS);
		rg_because(section, "the write drops the link, and that of another port is just coming back: one at a time");
	}
	pass->lost_turn = true;
	return RG_CONSENT_LATER;
}

/**
 * rg_consent_ask - may a write drop the link?
 * @pass: the pass
 * @section: gets the reason, if not
 *
 * Return: the answer as it is now.
 */
enum rg_consent rg_consent_ask(struct rg_pass *pass, struct rg_section *section)
{
	return rg_ask(pass, section, false);
}

/* Announced before, and nothing came of it. */
static bool rg_was_rejected(const struct rg_port *port,
			    const struct rg_knob *knob)
{
	int err = port->refused[knob->id];

	return err && err != EREMOTEIO;
}

/**
 * rg_consent_take - the write is about to be made
 * @pass: the pass
 * @section: the knob's section
 * @knob: the knob
 *
 * One consent is good for all knobs of a pass: some drivers drop the link for
 * each of them. It comes off the budget whoever gave it.
 *
 * Return: false if another port was faster.
 */
bool rg_consent_take(struct rg_pass *pass, struct rg_section *section,
		     const struct rg_knob *knob)
{
	struct rg_port *port = pass->port;
	u64 now = ktime_get_ns();

	if (rg_ask(pass, section, true) != RG_CONSENT_YES)
		return false;
	if (!pass->paid && !rg_drop_is_free(pass)) {
		rg_budget_spend(&port->budget, now);
		pass->spent = true;
	}
	pass->paid = true;
	if (!rg_port_has_link(section->dev))
		return true;
	pass->consented = true;
	port->drop_is_free = false;
	port->dropped_at = now;
	port->downs = atomic_read(&section->dev->carrier_down_count);
	if (rg_was_rejected(port, knob))
		return true;
	rg_info("%s: %s: this write drops the link (policy %s, Disruptive=%s, trigger %s)\n",
		section->dev->name, knob->name,
		rg_pass_ruler(pass),
		pass->policy ? rg_word(&rg_words_disruptive,
				       pass->policy->spec.disruptive) : "now",
		rg_word(&rg_words_trigger, pass->trigger));
	return true;
}

/* --now holds until its turn comes. */
static void rg_now_again(struct rg_port *port)
{
	unsigned long flags;

	spin_lock_irqsave(&port->lock, flags);
	port->now = true;
	spin_unlock_irqrestore(&port->lock, flags);
}

/**
 * rg_consent_end - the pass is over
 * @pass: the pass
 */
void rg_consent_end(struct rg_pass *pass)
{
	struct rg_budget_limits limits = rg_limits();
	struct rg_port *port = pass->port;

	rg_refund(pass);
	pass->status.drops_left = rg_budget_left(&port->budget, &limits,
						 ktime_get_ns());
	port->owed = pass->lost_turn ? pass->triggers : 0;
	if (!pass->lost_turn)
		WRITE_ONCE(port->leg_since, 0);
	if (pass->lost_turn && pass->now)
		rg_now_again(port);
	port->seen_downs = pass->downs;
	/* Down since our write, and up again. */
	if (pass->linked && pass->downs != port->downs)
		rg_consent_forget(port);
}
