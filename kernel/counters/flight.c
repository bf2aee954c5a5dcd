// SPDX-License-Identifier: GPL-2.0
/*
 * Records what the sampler reads. An incident copies the minute before it, which is
 * then kept until somebody has read it, whatever comes after: what led to the first
 * incident is what is wanted. Only a storm takes the place of a lesser one.
 *
 * Memory of a port: 512 bytes, up to a page as it needs them, and a page while an
 * incident is kept.
 */
#include <linux/ktime.h>
#include <linux/slab.h>
#include "flight.h"
#include "source.h"

/* A second that was sampled a bit early is one all the same. */
#define RG_SECOND_MIN_MS	900
/* So long after a write of ours that drops it a link is lost by that. */
#define RG_OWN_DROP_NS		(15ULL * NSEC_PER_SEC)

static struct rg_flight_last *rg_flight_remember(const struct rg_sample *sample)
{
	struct rg_flight_last *last = kmalloc(sizeof(*last), GFP_KERNEL);

	if (last) {
		last->have = sample->have;
		last->value = sample->value;
	}
	return last;
}

static struct rg_recorder *rg_flight_room(size_t room, u64 now_ms)
{
	struct rg_recorder *recorder = kmalloc(room, GFP_KERNEL);

	if (recorder)
		rg_recorder_start(recorder, room, now_ms);
	return recorder;
}

static void rg_flight_begin(struct rg_counters *c, u64 now_ms)
{
	struct rg_recorder *live = rg_flight_room(RG_RECORDER_LEAST, now_ms);
	unsigned long flags;

	spin_lock_irqsave(&c->lock, flags);
	c->flight.live = live;
	spin_unlock_irqrestore(&c->lock, flags);
}

static bool rg_flight_grow(struct rg_counters *c)
{
	struct rg_recorder *live = c->flight.live, *more;
	unsigned long flags;

	more = rg_flight_room(2 * rg_recorder_room(live), live->end_ms);
	if (!more)
		return false;
	rg_recorder_move(more, live);
	spin_lock_irqsave(&c->lock, flags);
	c->flight.live = more;
	spin_unlock_irqrestore(&c->lock, flags);
	kfree(live);
	return true;
}

/* Return: false if there is no memory for it. */
static bool rg_flight_record(struct rg_counters *c, u64 now_ms,
			     const struct rg_marks *had,
			     const struct rg_totals *was,
			     const struct rg_sample *sample)
{
	struct rg_marks there = *had;
	unsigned long flags;
	bool done;

	rg_marks_keep(&there, &sample->have);
	do {
		spin_lock_irqsave(&c->lock, flags);
		done = rg_recorder_add(c->flight.live, now_ms, &there, was,
				       &sample->value);
		spin_unlock_irqrestore(&c->lock, flags);
	} while (!done && rg_flight_grow(c));
	return done;
}

/**
 * rg_flight_sampled - a sample was taken: record what it has grown by
 * @c: the counters; by their work only
 * @before: the sample before
 * @sample: the sample
 */
void rg_flight_sampled(struct rg_counters *c, const struct rg_sample *before,
		       const struct rg_sample *sample)
{
	u64 now_ms = div_u64(sample->at_ns, NSEC_PER_MSEC);
	struct rg_flight *flight = &c->flight;
	struct rg_flight_last *last = flight->last;
	u64 least;

	if (!sample->at_ns)
		return;
	if (!flight->live) {
		rg_flight_begin(c, now_ms);
		return;
	}
	least = flight->live->n ? RG_SECOND_MIN_MS : 1;
	if (now_ms - flight->live->end_ms >= least &&
	    rg_flight_record(c, now_ms, last ? &last->have : &before->have,
			     last ? &last->value : &before->value, sample)) {
		kfree(last);
		flight->last = NULL;
	} else if (!last) {
		flight->last = rg_flight_remember(before);
	}
}

/**
 * rg_flight_keep - something has happened to a port: keep the minute before it
 * @port: which
 * @cause: what
 *
 * Return: false if that before another incident is kept, or there is none.
 */
bool rg_flight_keep(struct rg_port *port, enum roceguard_incident cause)
{
	struct rg_counters *c = rg_counters_of(port);
	struct rg_recorder *copy;
	struct rg_flight *flight;
	unsigned long flags;
	bool keep;

	if (!c)
		return false;
	copy = kmalloc(RG_RECORDER_MOST, GFP_KERNEL);
	if (!copy)
		return false;
	flight = &c->flight;
	spin_lock_irqsave(&c->lock, flags);
	keep = flight->live && flight->live->n &&
	       (!flight->kept || (cause == ROCEGUARD_INCIDENT_STORM &&
				  flight->cause != ROCEGUARD_INCIDENT_STORM));
	if (keep) {
		memcpy(copy, flight->live, rg_recorder_room(flight->live));
		swap(copy, flight->kept);
		flight->cause = cause;
	}
	spin_unlock_irqrestore(&c->lock, flags);
	kfree(copy);
	return keep;
}

/**
 * rg_flight_link - a sample has looked at the link
 * @c: the counters; by their work only
 * @up: the device is up, as an administrator has it
 * @downs: how often the link has been lost
 *
 * That an administrator sets a device down is no incident, nor what a write of
 * ours does, which history tells.
 */
void rg_flight_link(struct rg_counters *c, bool up, int downs)
{
	struct rg_flight *flight = &c->flight;
	u64 dropped_at = READ_ONCE(c->port->dropped_at);
	bool lost = flight->seen && flight->up && up && downs != flight->downs;

	flight->seen = true;
	flight->up = up;
	flight->downs = downs;
	if (lost && (!dropped_at || ktime_get_ns() - dropped_at > RG_OWN_DROP_NS))
		rg_flight_keep(c->port, ROCEGUARD_INCIDENT_LINK_DOWN);
}

/**
 * rg_flight_get - what is recorded of a port
 * @port: which
 * @copy: filled in; all zeroes before
 */
void rg_flight_get(struct rg_port *port, struct rg_flight_copy *copy)
{
	struct rg_counters *c = rg_counters_of(port);
	unsigned long flags;

	if (!c)
		return;
	spin_lock_irqsave(&c->lock, flags);
	if (c->flight.live)
		memcpy(&copy->live, c->flight.live,
		       rg_recorder_room(c->flight.live));
	if (c->flight.kept)
		memcpy(&copy->kept, c->flight.kept,
		       rg_recorder_room(c->flight.kept));
	copy->cause = c->flight.cause;
	spin_unlock_irqrestore(&c->lock, flags);
}

/**
 * rg_flight_clear - what was kept has been read
 * @port: of which port
 * @end_ms: when that ended: another one is kept on
 */
void rg_flight_clear(struct rg_port *port, u64 end_ms)
{
	struct rg_counters *c = rg_counters_of(port);
	struct rg_recorder *kept = NULL;
	unsigned long flags;

	if (!c)
		return;
	spin_lock_irqsave(&c->lock, flags);
	if (c->flight.kept && c->flight.kept->end_ms == end_ms)
		swap(kept, c->flight.kept);
	spin_unlock_irqrestore(&c->lock, flags);
	kfree(kept);
}

/**
 * rg_flight_free - a port has gone
 * @flight: nobody has it any more
 */
void rg_flight_free(struct rg_flight *flight)
{
	kfree(flight->live);
	kfree(flight->last);
	kfree(flight->kept);
}
