// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the sources of each port that is governed or does RoCE, once a second, in a
 * work of its own on a queue of its own: a driver that hangs holds up neither
 * passes nor, but for rtnl, other ports. What is slow is asked more seldom.
 */
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include "../mode.h"
#include "../sysfs.h"
#include "source.h"
#include "watchdog.h"

#define RG_SAMPLE_MS		1000
#define RG_SAMPLE_MIN_MS	100
#define RG_SAMPLE_MAX_MS	60000

static unsigned int rg_sample_ms = RG_SAMPLE_MS;
module_param_named(sample_ms, rg_sample_ms, uint, 0644);
MODULE_PARM_DESC(sample_ms, "ms between two readings of a port's counters, 100 to 60000, default 1000; 0: they are not read");

#define RG_SAMPLES_AT_ONCE	8
/* A work comes a bit early at times; its sources are due all the same. */
#define RG_EARLY_NS		(50ULL * NSEC_PER_MSEC)
/* Whoever asks for a fresh sample is not asked for one again so soon. */
#define RG_FRESH_NS		(200ULL * NSEC_PER_MSEC)
/* What takes longer than that is slow: it may take a twentieth of the time. */
#define RG_SLOW_NS		(100ULL * NSEC_PER_MSEC)
#define RG_SLOW_SHARE		20
#define RG_REST_MAX_NS		(60ULL * NSEC_PER_SEC)
/* And those of all ports together have rtnl for a fifth of it. */
#define RG_RTNL_SHARE		5
/* One that failed rests so long, and longer each time. */
#define RG_FAILED_MAX_NS	(8ULL * NSEC_PER_SEC)
/* What a port has none of is looked for again after that. */
#define RG_NONE_NS		(5ULL * NSEC_PER_SEC)
#define RG_AT_ONCE_MS		10

static struct workqueue_struct *rg_sample_wq;

static int (*const rg_readers[RG_ORIGINS])(struct rg_sampling *s,
					   struct rg_source *source) = {
	[RG_ORIGIN_PROVIDER] = rg_read_provider,
	[RG_ORIGIN_ETHTOOL]  = rg_read_ethtool,
	[RG_ORIGIN_DCBNL]    = rg_read_dcbnl,
	[RG_ORIGIN_PAUSE]    = rg_read_pause,
	[RG_ORIGIN_RDMA]     = rg_read_rdma,
};

/* When */

/* So often that rtnl is there for others, however many ports there are. */
static u64 rg_polite_ns(void)
{
	return min_t(u64, RG_RTNL_SHARE * rg_sources_hold_rtnl(),
		     RG_REST_MAX_NS);
}

static bool rg_source_is_due(const struct rg_source *source,
			     enum rg_origin origin, u64 now, bool fresh)
{
	if (now + RG_EARLY_NS >= source->due_ns)
		return true;
	return fresh && origin != RG_ORIGIN_RDMA && !source->err &&
	       source->usual_ns < RG_SLOW_NS &&
	       now >= source->read_ns + max(RG_FRESH_NS, rg_polite_ns());
}

static u64 rg_period_ns(void)
{
	return (u64)clamp_t(unsigned int, READ_ONCE(rg_sample_ms),
			    RG_SAMPLE_MIN_MS, RG_SAMPLE_MAX_MS) * NSEC_PER_MSEC;
}

static u64 rg_source_rest(struct rg_source *source, enum rg_origin origin)
{
	u64 period = max(rg_period_ns(), rg_polite_ns());

	/* A provider is a module of its own, and comes after the port. */
	if (source->err == -EOPNOTSUPP)
		return origin == RG_ORIGIN_PROVIDER ? period : RG_NONE_NS;
	if (source->err) {
		source->rest_ns = max(period, min_t(u64, 2 * source->rest_ns,
						    RG_FAILED_MAX_NS));
		return source->rest_ns;
	}
	source->rest_ns = 0;
	if (source->usual_ns < RG_SLOW_NS)
		return period;
	return max(period, min_t(u64, RG_SLOW_SHARE * source->usual_ns,
				 RG_REST_MAX_NS));
}

/* One sample */

static void rg_source_read(struct rg_sampling *s, enum rg_origin origin)
{
	struct rg_source *source = &s->counters->source[origin];
	u64 begin = ktime_get_ns();

	s->took_ns = 0;
	source->err = rg_readers[origin](s, source);
	source->usual_ns = min(s->took_ns, source->took_ns);
	source->took_ns = s->took_ns;
	/* One that is slow has a rest of its own. */
	if (origin != RG_ORIGIN_RDMA)
		rg_source_holds_rtnl(source, min_t(u64, source->usual_ns,
						   RG_SLOW_NS));
	if (source->err == -EOPNOTSUPP)
		rg_source_forget(source);
	else if (source->err)
		rg_source_drop(source);
	else
		source->read_ns = ktime_get_ns();
	/* That of a hurry is due with every sample. */
	source->due_ns = origin == RG_ORIGIN_PROVIDER && !source->err &&
			 source->usual_ns < RG_SLOW_NS &&
			 rg_polite_ns() <= rg_period_ns() ?
			 begin : begin + rg_source_rest(source, origin);
}

/*
 * The names were those of other priorities, if PFC changed since they were
 * read: the numbers may be those of others.
 */
static bool rg_names_are_old(struct rg_counters *c)
{
	struct rg_source *source = &c->source[RG_ORIGIN_ETHTOOL];

	if (!source->raw || source->pfc == c->source[RG_ORIGIN_DCBNL].pfc)
		return false;
	rg_source_drop(source);
	source->given = 0;
	source->due_ns = 0;
	return true;
}

static void rg_sample_read_at(struct rg_sample *sample, const struct rg_slot *slot,
			      u64 read_ns)
{
	u64 *at = &sample->read_ns[slot->counter];

	*at = min(*at, read_ns);
}

/* What one source adds to a sample; @taken: what better ones told. */
static void rg_source_count(struct rg_sampling *s, struct rg_source *source,
			    struct rg_marks *taken)
{
	struct rg_sample *sample = s->sample;
	struct rg_marks told = {};
	unsigned int i;

	if (source->raw)
		rg_slots_count(source->slot, source->n, source->raw, taken,
			       &s->counters->ever, &sample->value);
	rg_source_drop(source);
	for (i = 0; i < source->n; i++) {
		const struct rg_slot *slot = &source->slot[i];

		rg_mark(&told, slot->counter, slot->priority);
		if (source->err || !slot->known ||
		    rg_marked(taken, slot->counter, slot->priority))
			continue;
		rg_mark(&sample->have, slot->counter, slot->priority);
		rg_sample_read_at(sample, slot, source->read_ns);
	}
	/* Also of one that failed: another would tell of the same once more. */
	rg_marks_add(taken, &told);
	if (!source->err)
		sample->at_ns = max(sample->at_ns, source->read_ns);
}

static void rg_sample_count(struct rg_sampling *s)
{
	struct rg_sample *sample = s->sample;
	struct rg_marks taken = {};
	int origin;

	memset(&sample->have, 0, sizeof(sample->have));
	memset(sample->read_ns, 0xff, sizeof(sample->read_ns));
	for (origin = 0; origin < RG_ORIGINS; origin++)
		rg_source_count(s, &s->counters->source[origin], &taken);
}

/* Return: false if it is to be taken once more, at once. */
static bool rg_sample_take(struct rg_sampling *s, bool fresh)
{
	struct rg_counters *c = s->counters;
	u64 now = ktime_get_ns(), took = 0;
	bool whole;
	int origin;

	for (origin = 0; origin < RG_ORIGINS; origin++) {
		if (!rg_source_is_due(&c->source[origin], origin, now, fresh))
			continue;
		rg_source_read(s, origin);
		took += s->took_ns;
	}
	whole = !rg_names_are_old(c);
	rg_sample_count(s);
	s->sample->samples++;
	s->sample->read_us = div_u64(took, NSEC_PER_USEC);
	return whole;
}

/* What no driver counts. */
static void rg_sample_own(struct rg_counters *c, struct rg_sample *sample)
{
	unsigned long flags;
	int i;

	spin_lock_irqsave(&c->lock, flags);
	for (i = 0; i < RG_PORT_COUNTERS; i++) {
		if (!(c->own_have & BIT(i)))
			continue;
		sample->have.port |= BIT(i);
		sample->value.port[i] = c->own[i];
		sample->read_ns[RG_PRIORITY_COUNTERS + i] = sample->at_ns;
	}
	spin_unlock_irqrestore(&c->lock, flags);
}

static void rg_sample_publish(struct rg_counters *c,
			      const struct rg_sample *sample)
{
	unsigned long flags;

	spin_lock_irqsave(&c->lock, flags);
	c->snapshot = *sample;
	spin_unlock_irqrestore(&c->lock, flags);
}

/* The work */

/* Whose counters are looked at: not of a port that we are to keep off. */
static bool rg_port_is_counted(struct rg_port *port)
{
	unsigned long flags;
	bool counted;

	spin_lock_irqsave(&port->lock, flags);
	counted = (port->status.policy[0] || port->status.roce) &&
		  port->status.state != ROCEGUARD_STATE_SICK && !port->dead;
	spin_unlock_irqrestore(&port->lock, flags);
	return counted && READ_ONCE(rg_sample_ms) &&
	       rg_mode() != ROCEGUARD_MODE_OFF;
}

/* The queued work owns a reference; this is the only place that queues. */
static void rg_sample_queue(struct rg_counters *c, unsigned long delay,
			    bool sooner)
{
	bool queued;

	lockdep_assert_held(&c->lock);
	if (c->stopped)
		return;
	kref_get(&c->port->ref);
	if (sooner)
		queued = !mod_delayed_work(rg_sample_wq, &c->work, delay);
	else
		queued = queue_delayed_work(rg_sample_wq, &c->work, delay);
	/* It was queued already, with a reference: never the last one. */
	if (!queued)
		rg_port_put(c->port);
}

static void rg_sample_again(struct rg_counters *c, bool whole, u64 begin)
{
	u64 took = div_u64(ktime_get_ns() - begin, NSEC_PER_MSEC), period;
	const struct rg_source *cheap = &c->source[RG_ORIGIN_PROVIDER];
	unsigned long flags;

	spin_lock_irqsave(&c->lock, flags);
	period = c->hurry_ms && cheap->given && !cheap->err ?
		 c->hurry_ms : div_u64(rg_period_ns(), NSEC_PER_MSEC);
	if (!whole)
		period = RG_AT_ONCE_MS;
	rg_sample_queue(c, msecs_to_jiffies(period > took ? period - took : 0),
			false);
	spin_unlock_irqrestore(&c->lock, flags);
}

/*
 * Those who draw conclusions; the recorder first, which the others have kept. The
 * snapshot is the sample before, as yet.
 */
static void rg_counters_sampled(struct rg_sampling *s)
{
	const struct rg_sample *before = &s->counters->snapshot;

	rg_flight_sampled(s->counters, before, s->sample);
	rg_flight_link(s->counters, s->up, s->downs);
	rg_watchdog_sampled(s->port, before, s->sample);
}

/* Return: false if it is to be taken once more, at once. */
static bool rg_sample(struct rg_sampling *s, bool fresh)
{
	struct rg_counters *c = s->counters;
	bool whole;

	s->sample = kmemdup(&c->snapshot, sizeof(c->snapshot), GFP_KERNEL);
	if (!s->sample)
		return true;
	whole = rg_sample_take(s, fresh);
	rg_sample_own(c, s->sample);
	rg_counters_sampled(s);
	rg_sample_publish(c, s->sample);
	kfree(s->sample);
	return whole;
}

/* Until its next pass, if ever. */
static void rg_sample_no_more(struct rg_counters *c)
{
	int origin;

	for (origin = 0; origin < RG_ORIGINS; origin++)
		rg_source_holds_rtnl(&c->source[origin], 0);
}

static void rg_sample_work(struct work_struct *work)
{
	struct rg_counters *c = container_of(to_delayed_work(work),
					     struct rg_counters, work);
	struct rg_sampling s = { .port = c->port, .counters = c };
	struct rg_port *port = c->port;
	u64 begin = ktime_get_ns();
	unsigned long flags;
	bool fresh;

	spin_lock_irqsave(&c->lock, flags);
	fresh = c->fresh;
	c->fresh = false;
	spin_unlock_irqrestore(&c->lock, flags);
	/* It begins again with the next pass. */
	if (rg_port_is_counted(port))
		rg_sample_again(c, rg_sample(&s, fresh), begin);
	else
		rg_sample_no_more(c);
	rg_port_put(port);
}

static struct rg_counters *rg_counters_alloc(struct rg_port *port)
{
	struct rg_counters *c = kzalloc(sizeof(*c), GFP_KERNEL);

	if (!c)
		return NULL;
	INIT_DELAYED_WORK(&c->work, rg_sample_work);
	spin_lock_init(&c->lock);
	c->port = port;
	return c;
}

/**
 * rg_counters_judge - a pass has looked at a port: is it to be sampled?
 * @port: which; by its pass only
 */
void rg_counters_judge(struct rg_port *port)
{
	struct rg_counters *c = READ_ONCE(port->counters);
	unsigned long flags;

	if (!rg_port_is_counted(port))
		return;
	if (!c) {
		c = rg_counters_alloc(port);
		if (!c)
			return;
		/* For rg_counters_of(). */
		smp_store_release(&port->counters, c);
		rg_sysfs_add_counters(port);
	}
	spin_lock_irqsave(&c->lock, flags);
	rg_sample_queue(c, 0, false);
	spin_unlock_irqrestore(&c->lock, flags);
}

/**
 * rg_counters_of - the counters of a port
 * @port: which
 *
 * Return: they, or NULL if it has not been sampled yet.
 */
struct rg_counters *rg_counters_of(struct rg_port *port)
{
	/* Filled in by rg_counters_judge() before it shows them. */
	return smp_load_acquire(&port->counters);
}

/**
 * rg_counters_death - a port goes: no sample is taken any more
 * @port: which; one that is under way is not waited for, it finds no device
 */
void rg_counters_death(struct rg_port *port)
{
	struct rg_counters *c = rg_counters_of(port);
	unsigned long flags;

	if (!c)
		return;
	spin_lock_irqsave(&c->lock, flags);
	c->stopped = true;
	spin_unlock_irqrestore(&c->lock, flags);
	if (cancel_delayed_work(&c->work))
		rg_port_put(port);
}

/**
 * rg_counters_free - a port has gone
 * @port: nobody has it any more
 */
void rg_counters_free(struct rg_port *port)
{
	struct rg_counters *c = port->counters;
	int origin;

	if (!c)
		return;
	for (origin = 0; origin < RG_ORIGINS; origin++)
		rg_source_forget(&c->source[origin]);
	rg_flight_free(&c->flight);
	kfree(c);
}

/**
 * rg_counters_get - the counters of a port, as they were last read; any context
 * @port: which
 * @sample: filled in; all zeroes before
 */
void rg_counters_get(struct rg_port *port, struct rg_sample *sample)
{
	struct rg_counters *c = rg_counters_of(port);
	unsigned long flags;

	if (!c)
		return;
	spin_lock_irqsave(&c->lock, flags);
	*sample = c->snapshot;
	spin_unlock_irqrestore(&c->lock, flags);
}

/**
 * rg_counters_fresh - have a port sampled soon, unless it just was; does not wait
 * @port: which
 */
void rg_counters_fresh(struct rg_port *port)
{
	struct rg_counters *c = rg_counters_of(port);
	unsigned long flags;

	if (!c)
		return;
	spin_lock_irqsave(&c->lock, flags);
	if (ktime_get_ns() >= c->snapshot.at_ns + RG_FRESH_NS) {
		c->fresh = true;
		rg_sample_queue(c, 0, true);
	}
	spin_unlock_irqrestore(&c->lock, flags);
}

/**
 * rg_counters_hurry - read what a provider reads more often
 * @port: which, while it is sampled
 * @ms: how often; 0: as all other sources
 */
void rg_counters_hurry(struct rg_port *port, u32 ms)
{
	struct rg_counters *c = rg_counters_of(port);
	unsigned long flags;

	if (!c)
		return;
	spin_lock_irqsave(&c->lock, flags);
	c->hurry_ms = ms;
	spin_unlock_irqrestore(&c->lock, flags);
}

/**
 * rg_counters_own - count what no driver does
 * @port: which, while it is sampled
 * @counter: one per port; there from the next sample on
 * @more: by how much it grows; may be 0
 */
void rg_counters_own(struct rg_port *port, enum roceguard_counter counter,
		     u64 more)
{
	struct rg_counters *c = rg_counters_of(port);
	int i = counter - RG_PRIORITY_COUNTERS;
	unsigned long flags;

	if (!c)
		return;
	spin_lock_irqsave(&c->lock, flags);
	c->own_have |= BIT(i);
	c->own[i] += more;
	spin_unlock_irqrestore(&c->lock, flags);
}

/**
 * rg_counters_init - make the queue of samples, and name the files
 *
 * Return: 0 or -ENOMEM.
 */
int rg_counters_init(void)
{
	rg_counters_sysfs_init();
	rg_sample_wq = alloc_workqueue("roceguard_sample", WQ_UNBOUND,
				       RG_SAMPLES_AT_ONCE);
	return rg_sample_wq ? 0 : -ENOMEM;
}

/**
 * rg_counters_exit - wait for samples under way; no port is left, and no pass
 */
void rg_counters_exit(void)
{
	destroy_workqueue(rg_sample_wq);
}
