// SPDX-License-Identifier: GPL-2.0
/*
 * Records what the sampler reads. An incident copies the minute before it, which is
 * then kept until somebody has read it, whatever comes after: what led to the first
 * incident is what is wanted. Only a storm takes the place of a lesser one.
 *
 * Memory of a port: a page, and another one while an incident is kept.
 */
#include <linux/ktime.h>
#include <linux/slab.h>
#include "flight.h"
#include "source.h"

/* A second that was sampled a bit early is one all the same. */
#define RG_SECOND_MIN_MS	900
/* So long after a write of ours that drops it a link is lost by that. */
#define RG_OWN_DROP_NS		(15ULL * NSEC_PER_SEC)

static bool rg_flight_begin(struct rg_counters *c, u64 now_ms)
{
	struct rg_flight_last *last;
	struct rg_recorder *live;
	unsigned long flags;

	if (c->flight.live)
		return true;
	live = kmalloc(sizeof(*live), GFP_KERNEL);
	last = kzalloc(sizeof(*last), GFP_KERNEL);
	if (!live || !last) {
		kfree(live);
		kfree(last);
		return false;
	}
	rg_recorder_start(live, now_ms);
	c->flight.last = last;
	spin_lock_irqsave(&c->lock, flags);
	c->flight.live = live;
	spin_unlock_irqrestore(&c->lock, flags);
	return true;
}

/**
 * rg_flight_sampled - a sample was taken: record what it has grown by
 * @c: the counters; by their work only
 * @sample: the sample
 */
void rg_flight_sampled(struct rg_counters *c, const struct rg_sample *sample)
{
	struct rg_flight *flight = &c->flight;
	u64 now_ms = div_u64(sample->at_ns, NSEC_PER_MSEC);
	struct rg_marks there;
	unsigned long flags;

	if (!sample->at_ns || !rg_flight_begin(c, now_ms) ||
	    (flight->live->n && now_ms - flight->live->end_ms < RG_SECOND_MIN_MS))
		return;
	there = flight->last->there;
	rg_marks_keep(&there, &sample->have);
	spin_lock_irqsave(&c->lock, flags);
	if (now_ms > flight->live->end_ms)
		rg_recorder_add(flight->live, now_ms, &there,
				&flight->last->was, &sample->value);
	spin_unlock_irqrestore(&c->lock, flags);
	flight->last->there = sample->have;
	flight->last->was = sample->value;
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
	copy = kmalloc(sizeof(*copy), GFP_KERNEL);
	if (!copy)
		return false;
	flight = &c->flight;
	spin_lock_irqsave(&c->lock, flags);
	keep = flight->live && flight->live->n &&
	       (!flight->kept || (cause == ROCEGUARD_INCIDENT_STORM &&
				  flight->cause != ROCEGUARD_INCIDENT_STORM));
	if (keep) {
		*copy = *flight->live;
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
		copy->live = *c->flight.live;
	if (c->flight.kept)
		copy->kept = *c->flight.kept;
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
