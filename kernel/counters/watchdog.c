// SPDX-License-Identifier: GPL-2.0
/*
 * The watchdog. What is a storm, and when PFC is tried again, is logic/storm.c's;
 * PFC itself is written by passes alone, which ask what is to be off
 * (rg_watchdog_want) and say how it went (rg_watchdog_follow).
 */
#include <linux/ktime.h>
#include <linux/moduleparam.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <net/net_namespace.h>
#include "../history.h"
#include "../log.h"
#include "../logic/storm.h"
#include "../logic/words.h"
#include "../mode.h"
#include "../netlink/netlink.h"
#include "flight.h"
#include "watchdog.h"

static unsigned int rg_storm_off = RG_STORM_OFF_MS / MSEC_PER_SEC;
module_param_named(storm_off, rg_storm_off, uint, 0644);
MODULE_PARM_DESC(storm_off, "seconds that PFC stays off at least that was taken off for a pause storm, default 60");

static unsigned int rg_storm_apart = RG_STORM_BACK_MS / MSEC_PER_SEC;
module_param_named(storm_apart, rg_storm_apart, uint, 0644);
MODULE_PARM_DESC(storm_apart, "seconds from one time that it is given back to the next, default 600");

/* More than that is as good. */
#define RG_STORM_MAX_S		86400
/* Below this detection time the pauses alone are read, so often in it. */
#define RG_HURRY_BELOW_MS	1000
#define RG_HURRY_PARTS		4

static_assert((int)RG_STORM_RX == (int)ROCEGUARD_DIRECTION_RECEIVED &&
	      (int)RG_STORM_TX == (int)ROCEGUARD_DIRECTION_SENT,
	      "directions are numbered as in netlink");

static u64 rg_now_us(void)
{
	return div_u64(ktime_get_ns(), NSEC_PER_USEC);
}

static u32 rg_param_ms(unsigned int s)
{
	return min_t(unsigned int, s, RG_STORM_MAX_S) * MSEC_PER_SEC;
}

static struct rg_storm_limits rg_limits_of(const struct rg_watchdog *watchdog)
{
	return (struct rg_storm_limits){
		.detection_ms	= watchdog->detection_ms,
		.restoration_ms	= watchdog->restoration_ms,
		.off_ms		= rg_param_ms(READ_ONCE(rg_storm_off)),
		.back_ms	= rg_param_ms(READ_ONCE(rg_storm_apart)),
	};
}

/* The queued work owns a reference; this is the only place that queues. */
static void rg_watch_queue(struct rg_watch *watch, unsigned long delay)
{
	struct rg_port *port = watch->port;

	lockdep_assert_held(&port->lock);
	if (port->dead)
		return;
	kref_get(&port->ref);
	if (mod_delayed_work(rg_wq, &watch->work, delay))
		rg_port_put(port);	/* queued before: never the last one */
}

/* Telling */

static void rg_storm_words(const struct rg_storm_news *news, char *buf,
			   size_t size)
{
	const char *way = news->direction == ROCEGUARD_DIRECTION_SENT ?
			  "sent" : "received";

	if (news->on)
		snprintf(buf, size,
			 "priority %u: storm of %s pauses, for %u ms by now: %s",
			 news->priority, way, news->lasted_ms,
			 rg_word(&rg_words_storm_action, news->action));
	else
		snprintf(buf, size,
			 "priority %u: storm of %s pauses is over, it lasted %u ms",
			 news->priority, way, news->lasted_ms);
}

static void rg_storm_record(struct rg_port *port, struct net_device *dev,
			    const char *words)
{
	struct rg_entry *entry = kzalloc(sizeof(*entry), GFP_KERNEL);
	unsigned long flags;

	if (!entry)
		return;
	entry->action = ROCEGUARD_ACTION_STORM;
	entry->trigger = ROCEGUARD_TRIGGER_WATCHDOG;
	entry->knob = ROCEGUARD_KNOB_PFC;
	entry->netns = rg_history_netns(dev_net(dev));
	entry->ifindex = dev->ifindex;
	strscpy(entry->ifname, dev->name, sizeof(entry->ifname));
	strscpy(entry->request, words, sizeof(entry->request));
	spin_lock_irqsave(&port->lock, flags);
	strscpy(entry->policy, port->status.policy, sizeof(entry->policy));
	entry->generation = port->status.generation;
	spin_unlock_irqrestore(&port->lock, flags);
	rg_history_add(entry);
	kfree(entry);
}

static void rg_storm_tell(struct rg_port *port, struct net_device *dev,
			  const struct rg_storm_news *news)
{
	char words[RG_REQUEST_MAX];

	rg_storm_words(news, words, sizeof(words));
	rg_storm_record(port, dev, words);
	rg_netlink_congestion_ntf(port, dev_net(dev), news);
	rg_info("%s: %s\n", dev->name, words);
}

/* Takes one thing out of what is to be told. */
static bool rg_watch_next_news(struct rg_watch *watch,
			       struct rg_storm_news *news)
{
	const struct rg_storm_state *state;
	unsigned int prio, way;

	for (prio = 0; prio < RG_PRIORITIES; prio++) {
		for (way = 0; way < RG_STORM_WAYS; way++) {
			u32 began = RG_STORM_BEGAN(way);
			u32 ended = RG_STORM_ENDED(way);

			if (!(watch->begun[prio] & (began | ended)))
				continue;
			state = &watch->storm[prio]->way[way];
			memset(news, 0, sizeof(*news));
			news->priority = prio;
			news->direction = way;
			news->on = watch->begun[prio] & began;
			if (news->on ? watch->taken & BIT(prio) :
			    watch->storm[prio]->given_us > state->since_us)
				news->action = ROCEGUARD_STORM_ACTION_PFC_OFF;
			news->lasted_ms = div_u64(state->seen_us -
						  state->since_us,
						  USEC_PER_MSEC);
			watch->begun[prio] &= news->on ? ~began : ~ended;
			return true;
		}
	}
	watch->taken = 0;
	return false;
}

static void rg_watch_tell(struct rg_watch *watch)
{
	struct rg_port *port = watch->port;
	struct rg_storm_news news;
	unsigned long flags;
	bool more;

	rtnl_lock();
	do {
		spin_lock_irqsave(&port->lock, flags);
		more = rg_watch_next_news(watch, &news);
		spin_unlock_irqrestore(&port->lock, flags);
		if (more && port->dev)
			rg_storm_tell(port, port->dev, &news);
	} while (more);
	rtnl_unlock();
}

/* PFC off and on */

static bool rg_watch_may_take(const struct rg_watch *watch, unsigned int prio)
{
	const struct rg_watchdog *watchdog = &watch->watchdog;

	return watchdog->action == ROCEGUARD_STORM_ACTION_PFC_OFF &&
	       watch->pfc & BIT(prio) && watch->may && !rg_mode_frozen() &&
	       (watch->cost == ROCEGUARD_COST_HITLESS || watchdog->force);
}

static void rg_watch_take(struct rg_watch *watch, unsigned int prio,
			  const struct rg_storm_limits *limits)
{
	rg_storm_take(watch->storm[prio], limits);
	watch->off |= BIT(prio);
	watch->taken |= BIT(prio);
}

/* Return: true if a pass has to be made for it. */
static bool rg_watch_give_back(struct rg_watch *watch)
{
	u64 now = rg_now_us(), next = U64_MAX;
	u8 was = watch->off;
	unsigned int prio;

	for (prio = 0; prio < RG_PRIORITIES; prio++) {
		struct rg_storm *storm = watch->storm[prio];

		if (!(watch->off & BIT(prio)))
			continue;
		if (rg_storm_try_again(storm, now) || !storm->off)
			watch->off &= ~BIT(prio);
		else
			next = min(next, storm->back_us - now);
	}
	if (next != U64_MAX)
		rg_watch_queue(watch, msecs_to_jiffies(div_u64(next,
						USEC_PER_MSEC)) + 1);
	return watch->off != was;
}

static void rg_watch_work(struct work_struct *work)
{
	struct rg_watch *watch = container_of(to_delayed_work(work),
					      struct rg_watch, work);
	struct rg_port *port = watch->port;
	unsigned long flags;
	bool changed;

	spin_lock_irqsave(&port->lock, flags);
	changed = rg_watch_give_back(watch);
	spin_unlock_irqrestore(&port->lock, flags);
	rg_watch_tell(watch);
	if (changed)
		rg_port_kick(port, ROCEGUARD_TRIGGER_WATCHDOG);
	rg_port_put(port);
}

/* Samples */

struct rg_way_counters {
	u8 frames;
	u8 us;
	u8 packets;
};

/* Received pauses hold up what is sent, and the other way round. */
static const struct rg_way_counters rg_way_counters[RG_STORM_WAYS] = {
	[RG_STORM_RX] = { ROCEGUARD_COUNTER_RX_PAUSE,
			  ROCEGUARD_COUNTER_RX_PAUSE_US,
			  ROCEGUARD_COUNTER_TX_PACKETS },
	[RG_STORM_TX] = { ROCEGUARD_COUNTER_TX_PAUSE,
			  ROCEGUARD_COUNTER_TX_PAUSE_US,
			  ROCEGUARD_COUNTER_RX_PACKETS },
};

/* One number, and when it was read: the oldest of those that count. */
static bool rg_sample_take(const struct rg_sample *sample, unsigned int prio,
			   u8 counter, u64 *value, u64 *read_ns)
{
	if (!(sample->have.prio[counter] & BIT(prio)))
		return false;
	*value = sample->value.prio[counter][prio];
	*read_ns = min(*read_ns, sample->read_ns[counter]);
	return true;
}

static void rg_counts_of(const struct rg_sample *sample, unsigned int prio,
			 unsigned int way, struct rg_storm_counts *counts,
			 u64 *read_ns)
{
	const struct rg_way_counters *counter = &rg_way_counters[way];

	memset(counts, 0, sizeof(*counts));
	if (rg_sample_take(sample, prio, counter->us, &counts->us, read_ns)) {
		counts->have = BIT(RG_STORM_HAVE_US);
		return;
	}
	if (!rg_sample_take(sample, prio, counter->frames, &counts->frames,
			    read_ns))
		return;
	counts->have = BIT(RG_STORM_HAVE_FRAMES);
	if (rg_sample_take(sample, prio, counter->packets, &counts->packets,
			   read_ns))
		counts->have |= BIT(RG_STORM_HAVE_PACKETS);
}

/* What is known of a priority. Return: false if that is nothing. */
static bool rg_feed_of(const struct rg_watch *watch,
		       const struct rg_sample *sample, unsigned int prio,
		       struct rg_storm_sample *feed)
{
	u64 read_ns = U64_MAX;
	unsigned int way;

	memset(feed, 0, sizeof(*feed));
	feed->mbps = watch->mbps;
	feed->slack_us = sample->read_us;
	for (way = 0; way < RG_STORM_WAYS; way++)
		rg_counts_of(sample, prio, way, &feed->way[way], &read_ns);
	feed->now_us = div_u64(read_ns, NSEC_PER_USEC);
	return read_ns != U64_MAX;
}

static bool rg_feed_is_paused(const struct rg_storm_sample *before,
			      const struct rg_storm_sample *feed)
{
	unsigned int way;

	for (way = 0; way < RG_STORM_WAYS; way++)
		if (feed->way[way].frames != before->way[way].frames ||
		    feed->way[way].us != before->way[way].us)
			return true;
	return false;
}

/*
 * Most priorities are never paused: what is kept of one begins with the sample
 * before the first one that is. Without memory it is the next one that is.
 */
static struct rg_storm *rg_watch_storm(struct rg_watch *watch,
				       const struct rg_sample *before,
				       const struct rg_storm_sample *feed,
				       unsigned int prio)
{
	struct rg_storm_limits limits = rg_limits_of(&watch->watchdog);
	struct rg_storm_sample first;

	if (watch->storm[prio] || !rg_feed_of(watch, before, prio, &first) ||
	    !rg_feed_is_paused(&first, feed))
		return watch->storm[prio];
	watch->storm[prio] = kzalloc(sizeof(*watch->storm[prio]),
				     GFP_ATOMIC | __GFP_NOWARN);
	if (watch->storm[prio])
		rg_storm_feed(watch->storm[prio], &limits, &first);
	return watch->storm[prio];
}

/* How often it is read, as a rule. */
static void rg_watch_pace(struct rg_watch *watch, u64 read_us)
{
	u64 before = watch->read_us;

	if (read_us <= before)
		return;
	watch->read_us = read_us;
	if (!before)
		return;
	/* The first ones come in a row, and are not the rule. */
	if (!watch->pace_us)
		watch->pace_us = USEC_PER_SEC;
	watch->pace_us = div_u64(7 * watch->pace_us + read_us - before, 8);
}

/* Return: RG_STORM_ bits. */
static u32 rg_watch_feed(struct rg_watch *watch, const struct rg_sample *before,
			 const struct rg_sample *sample, unsigned int prio)
{
	struct rg_storm_limits limits = rg_limits_of(&watch->watchdog);
	struct rg_storm_sample feed;
	struct rg_storm *storm;
	unsigned int way;
	u32 news;

	if (!rg_feed_of(watch, sample, prio, &feed))
		return 0;
	/* One priority stands for all. */
	if (!watch->counted)
		rg_watch_pace(watch, feed.now_us);
	watch->counted |= BIT(prio);
	for (way = 0; way < RG_STORM_WAYS; way++)
		watch->by_frames |= feed.way[way].have &&
				    !(feed.way[way].have &
				      BIT(RG_STORM_HAVE_US));
	storm = rg_watch_storm(watch, before, &feed, prio);
	if (!storm)
		return 0;
	news = rg_storm_feed(storm, &limits, &feed);
	if (rg_storm_rages(storm, &limits) && rg_watch_may_take(watch, prio) &&
	    rg_storm_is_sure(storm)) {
		rg_watch_take(watch, prio, &limits);
		news |= RG_STORM_GIVE_BACK;
	}
	return news;
}

/* Return: how many storms began. */
static unsigned int rg_watch_all(struct rg_watch *watch,
				 const struct rg_sample *before,
				 const struct rg_sample *sample, bool *kick)
{
	unsigned int prio, way, began = 0;
	u32 all = 0;

	watch->counted = 0;
	watch->by_frames = false;
	for (prio = 0; prio < RG_PRIORITIES; prio++) {
		u32 news = rg_watch_feed(watch, before, sample, prio);

		watch->begun[prio] |= news & ~RG_STORM_GIVE_BACK;
		if (watch->storm[prio] && !watch->storm[prio]->off)
			watch->off &= ~BIT(prio);
		for (way = 0; way < RG_STORM_WAYS; way++)
			began += !!(news & RG_STORM_BEGAN(way));
		all |= news;
	}
	*kick = all & RG_STORM_GIVE_BACK;
	/* To tell of it, and to give PFC back when it is time. */
	if (all)
		rg_watch_queue(watch, 0);
	return began;
}

/**
 * rg_watchdog_sampled - a port was sampled
 * @port: the port
 * @before: the sample before
 * @sample: its counters; of those that were not read anew, as they were
 */
void rg_watchdog_sampled(struct rg_port *port, const struct rg_sample *before,
			 const struct rg_sample *sample)
{
	struct rg_watch *watch = port->watch;
	unsigned int began = 0;
	unsigned long flags;
	bool kick = false;

	spin_lock_irqsave(&port->lock, flags);
	if (watch->governed)
		began = rg_watch_all(watch, before, sample, &kick);
	spin_unlock_irqrestore(&port->lock, flags);
	if (began) {
		rg_counters_own(port, ROCEGUARD_COUNTER_STORM_EVENTS, began);
		rg_flight_keep(port, ROCEGUARD_INCIDENT_STORM);
	}
	if (kick)
		rg_port_kick(port, ROCEGUARD_TRIGGER_WATCHDOG);
}

/* Passes */

/**
 * rg_watchdog_want - what is to be off goes over what the policy holds
 * @pass: the pass, with its port's lock
 */
void rg_watchdog_want(struct rg_pass *pass)
{
	struct rg_watch *watch = pass->port->watch;
	struct rg_want *want = &pass->want;
	unsigned int prio;

	lockdep_assert_held(&pass->port->lock);
	watch->governed = pass->policy && rg_mode() != ROCEGUARD_MODE_OFF;
	watch->watchdog = want->watchdog;
	if (!watch->governed)
		watch->left |= watch->off;
	watch->pfc = want->pfc;
	for (prio = 0; prio < RG_PRIORITIES; prio++) {
		if (watch->governed && want->pfc & BIT(prio) &&
		    want->watchdog.action == ROCEGUARD_STORM_ACTION_PFC_OFF)
			continue;
		if (watch->storm[prio])
			rg_storm_let_go(watch->storm[prio]);
		watch->off &= ~BIT(prio);
	}
	want->stormed = watch->off;
	want->pfc &= ~watch->off;
}

/* Nothing is written to a port without a policy, and nothing is to be secret. */
static void rg_watch_left_off(struct rg_port *port, u8 off)
{
	struct rg_text text;

	if (!off)
		return;
	rg_text_init(&text);
	rg_text_priorities(&text, off);
	rg_warn("%s: PFC was taken off priority %s for a pause storm and stays off\n",
		port->status.name, text.buf);
}

/* Only where pauses are counted and their time is not. */
static void rg_watch_look_for_speed(struct rg_pass *pass)
{
	struct rg_port *port = pass->port;
	struct rg_section section;
	unsigned long flags;
	u32 mbps = 0;

	if (!READ_ONCE(port->watch->by_frames))
		return;
	if (!rg_section_begin(pass, &section) &&
	    rg_port_has_link(section.dev))
		mbps = rg_speed(&section);
	rg_section_end();
	spin_lock_irqsave(&port->lock, flags);
	if (mbps)
		port->watch->mbps = mbps;
	spin_unlock_irqrestore(&port->lock, flags);
}

/**
 * rg_watchdog_follow - a pass is over
 * @pass: the pass
 */
void rg_watchdog_follow(struct rg_pass *pass)
{
	const struct rg_want *want = &pass->want;
	struct rg_port *port = pass->port;
	struct rg_watch *watch = port->watch;
	bool hurry = want->watched &&
		     want->watchdog.detection_ms < RG_HURRY_BELOW_MS;
	unsigned long flags;
	u8 left;

	spin_lock_irqsave(&port->lock, flags);
	left = watch->left;
	watch->left = 0;
	watch->may = watch->governed && !pass->why_not;
	watch->cost = pass->status.knob[ROCEGUARD_KNOB_PFC].cost;
	spin_unlock_irqrestore(&port->lock, flags);
	rg_watch_left_off(port, left);
	if (watch->governed)
		rg_watch_look_for_speed(pass);
	rg_counters_hurry(port, watch->governed && hurry ?
			  want->watchdog.detection_ms / RG_HURRY_PARTS : 0);
	if (watch->governed)
		rg_counters_own(port, ROCEGUARD_COUNTER_STORM_EVENTS, 0);
}

/* Readers */

/**
 * rg_watchdog_storms - the storms that go on
 * @port: the port
 * @storm: filled in
 *
 * Return: how many.
 */
unsigned int rg_watchdog_storms(struct rg_port *port,
				struct rg_storm_now storm[RG_STORMS_MAX])
{
	unsigned int prio, way, n = 0;
	u64 now = rg_now_us();
	unsigned long flags;

	spin_lock_irqsave(&port->lock, flags);
	for (prio = 0; prio < RG_PRIORITIES; prio++)
		for (way = 0; way < RG_STORM_WAYS; way++) {
			const struct rg_storm_state *state;

			if (!port->watch->storm[prio])
				continue;
			state = &port->watch->storm[prio]->way[way];
			if (!state->on)
				continue;
			storm[n].priority = prio;
			storm[n].direction = way;
			storm[n].action = port->watch->off & BIT(prio) ?
				ROCEGUARD_STORM_ACTION_PFC_OFF :
				ROCEGUARD_STORM_ACTION_ALERT;
			storm[n++].since_ms = div_u64(now - state->since_us,
						      USEC_PER_MSEC);
		}
	spin_unlock_irqrestore(&port->lock, flags);
	return n;
}

/* Why it does less than the policy says, or NULL. */
static const char *rg_watch_falls_short(const struct rg_watch *watch)
{
	if (watch->pace_us && !watch->counted)
		return "no pauses are counted for any priority";
	if (watch->by_frames && !watch->mbps)
		return "the NIC counts no times, and without a link its pauses say nothing";
	if (watch->watchdog.action != ROCEGUARD_STORM_ACTION_PFC_OFF)
		return NULL;
	if (watch->cost != ROCEGUARD_COST_HITLESS && !watch->watchdog.force)
		return "pfc-off is refused, for it drops the link here; see Force= of [Watchdog]";
	return watch->may ? NULL : "nothing is written, so it only tells";
}

/**
 * rg_watchdog_describe - what the watchdog of a port does, in words
 * @port: the port
 * @buf: the words; "" if no policy rules the port
 * @size: of @buf
 */
void rg_watchdog_describe(struct rg_port *port, char *buf, size_t size)
{
	const struct rg_watch *watch = port->watch;
	const char *short_of;
	struct rg_text text;
	unsigned long flags;
	size_t len;
	u32 pace;

	buf[0] = 0;
	rg_text_init(&text);
	spin_lock_irqsave(&port->lock, flags);
	if (!watch->governed)
		goto out;
	pace = div_u64(watch->pace_us, USEC_PER_MSEC);
	short_of = rg_watch_falls_short(watch);
	rg_text_time(&text, watch->watchdog.detection_ms);
	len = scnprintf(buf, size, "%s when paused for %s",
			rg_word(&rg_words_storm_action, watch->watchdog.action),
			text.buf);
	if (pace)
		len += scnprintf(buf + len, size - len, ", read every %u ms",
				 pace);
	if (pace > watch->watchdog.detection_ms)
		len += scnprintf(buf + len, size - len, ", so seen that late");
	if (short_of)
		scnprintf(buf + len, size - len, "; %s", short_of);
out:
	spin_unlock_irqrestore(&port->lock, flags);
}

/* Life */

/**
 * rg_watchdog_birth - a port gets its watchdog
 * @port: the port, not yet known to anybody
 * @watch: room for it, zeroed, as long as there is the port
 */
void rg_watchdog_birth(struct rg_port *port, struct rg_watch *watch)
{
	watch->port = port;
	INIT_DELAYED_WORK(&watch->work, rg_watch_work);
	port->watch = watch;
}

/**
 * rg_watchdog_death - a port goes, maybe with the module alone
 * @port: the port, dead already
 *
 * Its hardware is left as it is, and that is told.
 */
void rg_watchdog_death(struct rg_port *port)
{
	struct rg_watch *watch = port->watch;
	unsigned long flags;
	u8 off;

	if (cancel_delayed_work(&watch->work))
		rg_port_put(port);
	spin_lock_irqsave(&port->lock, flags);
	off = watch->off;
	spin_unlock_irqrestore(&port->lock, flags);
	rg_watch_left_off(port, off);
}

/**
 * rg_watchdog_free - the last holder of a port has let go
 * @port: the port
 */
void rg_watchdog_free(struct rg_port *port)
{
	unsigned int prio;

	for (prio = 0; prio < RG_PRIORITIES; prio++)
		kfree(port->watch->storm[prio]);
}
