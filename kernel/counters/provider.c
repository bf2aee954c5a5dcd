// SPDX-License-Identifier: GPL-2.0
/* What a provider reads per priority from the hardware itself; cheap to ask. */
#include <linux/jhash.h>
#include <linux/slab.h>
#include "../provider_registry.h"
#include "source.h"

#define RG_PROVIDED	(RG_PRIORITY_COUNTERS * RG_PRIORITIES)

static bool rg_provided_number(const void *numbers, unsigned int index,
			       struct rg_slot *slot)
{
	const struct rg_prio_counters *counters = numbers;

	slot->name = index;
	slot->counter = index / RG_PRIORITIES;
	slot->priority = index % RG_PRIORITIES;
	return counters->have[slot->counter] & BIT(slot->priority);
}

static int rg_provided_get(struct rg_sampling *s,
			   struct rg_prio_counters *counters)
{
	const struct rg_provider_ops *provider;
	int err;

	err = rg_sampling_begin(s);
	if (err)
		return err;
	rg_providers_hold();
	provider = rg_provider_of(s->driver);
	err = provider && provider->read_prio_counters && !s->foreign ?
		provider->read_prio_counters(s->dev, counters) : -EOPNOTSUPP;
	rg_providers_release();
	rg_sampling_end(s);
	return err;
}

static int rg_provided_take(struct rg_source *source,
			    const struct rg_prio_counters *counters)
{
	u32 form = jhash(counters->have, sizeof(counters->have), 0);
	int err;

	if (!source->given || form != source->form) {
		err = rg_source_make(source, RG_PROVIDED, rg_provided_number,
				     counters);
		if (err)
			return err;
		source->form = form;
	}
	err = rg_source_room(source);
	if (!err)
		memcpy(source->raw, counters->value, sizeof(counters->value));
	return err;
}

int rg_read_provider(struct rg_sampling *s, struct rg_source *source)
{
	struct rg_prio_counters *counters;
	int err;

	counters = kzalloc(sizeof(*counters), GFP_KERNEL);
	if (!counters)
		return -ENOMEM;
	err = rg_provided_get(s, counters);
	if (!err)
		err = rg_provided_take(source, counters);
	kfree(counters);
	return err;
}
