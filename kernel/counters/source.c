// SPDX-License-Identifier: GPL-2.0
/* What the sources of counters share. */
#include <linux/jhash.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include "../function.h"
#include "source.h"

/**
 * rg_sampling_begin - look a port's device up and hold it still for one call
 * @s: the sample; @dev, @driver and @foreign are filled in
 *
 * Return: 0, with rg_sampling_end() to follow; -ENODEV if it is gone, -EAGAIN if
 * it is away.
 */
int rg_sampling_begin(struct rg_sampling *s)
{
	struct net_device *dev;
	int err = 0;

	rtnl_lock();
	dev = s->port->dev;
	if (!dev)
		err = -ENODEV;
	/* Detached: the driver has no private data behind its netdev. */
	else if (dev->reg_state != NETREG_REGISTERED || !netif_device_present(dev))
		err = -EAGAIN;
	if (err) {
		rtnl_unlock();
		return err;
	}
	s->dev = dev;
	s->begin_ns = ktime_get_ns();
	s->up = netif_running(dev);
	s->downs = atomic_read(&dev->carrier_down_count);
	rg_port_driver(dev, s->driver, sizeof(s->driver));
	s->foreign = rg_function_is_foreign(dev);
	return 0;
}

/**
 * rg_sampling_end - let go of what rg_sampling_begin() holds
 * @s: the sample; the time is put to its account
 */
void rg_sampling_end(struct rg_sampling *s)
{
	s->took_ns += ktime_get_ns() - s->begin_ns;
	s->dev = NULL;
	rtnl_unlock();
}

/**
 * rg_slot_name - which counter a number is, by what it is called
 * @slot: filled in
 * @kind: whose name it is
 * @driver: whose, too
 * @name: the name
 *
 * Return: false if it is no counter.
 */
bool rg_slot_name(struct rg_slot *slot, enum rg_counter_source kind,
		  const char *driver, const char *name)
{
	struct rg_counter_at at;

	if (!rg_counter_name(kind, driver, name, &at))
		return false;
	slot->name = jhash(name, strlen(name), 0);
	slot->counter = at.counter;
	slot->priority = at.priority;
	slot->wraps = at.bits == 32;
	slot->adds = at.adds;
	return true;
}

static bool rg_slot_again(const struct rg_slot *slot, size_t n,
			  const struct rg_slot *more)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (slot[i].counter == more->counter &&
		    slot[i].priority == more->priority && !more->adds)
			return true;
	return false;
}

/* To @slot, unless it is NULL. Returns how many there are. */
static size_t rg_slots_fill(struct rg_slot *slot, unsigned int given,
			    rg_number_fn number, const void *numbers)
{
	struct rg_slot found;
	unsigned int i;
	size_t n = 0;

	for (i = 0; i < given; i++) {
		memset(&found, 0, sizeof(found));
		found.index = i;
		if (!number(numbers, i, &found) ||
		    (slot && rg_slot_again(slot, n, &found)))
			continue;
		if (slot)
			slot[n] = found;
		n++;
	}
	return n;
}

/**
 * rg_source_make - a source gives other numbers than before
 * @source: what was known of those that remain is kept
 * @given: how many, at most U16_MAX
 * @number: fills a slot in, or says that a number is no counter
 * @numbers: for @number
 *
 * Return: 0 or -ENOMEM.
 */
int rg_source_make(struct rg_source *source, unsigned int given,
		   rg_number_fn number, const void *numbers)
{
	size_t n = rg_slots_fill(NULL, given, number, numbers);
	struct rg_slot *slot;

	slot = kcalloc(n, sizeof(*slot), GFP_KERNEL);
	if (!slot)
		return -ENOMEM;
	n = rg_slots_fill(slot, given, number, numbers);
	rg_slots_inherit(slot, n, source->slot, source->n);
	kfree(source->slot);
	source->slot = slot;
	source->n = n;
	source->given = given;
	source->made_ns = ktime_get_ns();
	return 0;
}

/**
 * rg_source_room - room for what a source gives
 * @source: @raw of it is set
 *
 * Return: 0 or -ENOMEM.
 */
int rg_source_room(struct rg_source *source)
{
	source->raw = kvcalloc(source->given, sizeof(*source->raw), GFP_KERNEL);
	return source->raw ? 0 : -ENOMEM;
}

/**
 * rg_source_drop - what a source gave has been counted, or is of no use
 * @source: @raw of it goes
 */
void rg_source_drop(struct rg_source *source)
{
	kvfree(source->raw);
	source->raw = NULL;
}

static atomic64_t rg_rtnl_ns = ATOMIC64_INIT(0);

/**
 * rg_source_holds_rtnl - so long does a source hold rtnl whenever it is read
 * @source: the source
 * @ns: how long, as far as it counts; 0: it is read no more
 */
void rg_source_holds_rtnl(struct rg_source *source, u64 ns)
{
	atomic64_add((s64)(ns - source->rtnl_ns), &rg_rtnl_ns);
	source->rtnl_ns = ns;
}

/**
 * rg_sources_hold_rtnl - so long do all sources of all ports, each read once
 *
 * Return: ns.
 */
u64 rg_sources_hold_rtnl(void)
{
	return atomic64_read(&rg_rtnl_ns);
}

/**
 * rg_source_forget - a source is none of this port's, or no longer
 * @source: the source
 */
void rg_source_forget(struct rg_source *source)
{
	rg_source_drop(source);
	rg_source_holds_rtnl(source, 0);
	kfree(source->slot);
	source->slot = NULL;
	source->n = 0;
	source->given = 0;
	source->form = 0;
}
