// SPDX-License-Identifier: GPL-2.0
/*
 * The statistics of ethtool -S. Their names are read once and looked up in the
 * table of drivers; names and numbers are told apart, so that they are read anew when
 * there is another number of them, when other priorities have PFC, for which
 * mlx5 has names, and every now and then.
 */
#include <linux/ethtool.h>
#include <linux/slab.h>
#include "../ethtool_call.h"
#include "source.h"

#define RG_NAMES_MAX		16384
#define RG_NAMES_AGAIN_NS	(60ULL * NSEC_PER_SEC)
#define RG_NAMES_TRIES		3

/**
 * struct rg_names - the statistics of a device
 * @driver: its driver
 * @n: how many
 * @name: of each
 */
struct rg_names {
	const char *driver;
	int n;
	char (*name)[ETH_GSTRING_LEN];
};

static int rg_statistics_begin(struct rg_sampling *s)
{
	const struct ethtool_ops *ops;
	int err;

	err = rg_sampling_begin(s);
	if (err)
		return err;
	ops = s->dev->ethtool_ops;
	err = ops && ops->get_sset_count && ops->get_strings &&
	      ops->get_ethtool_stats ? rg_ethtool_begin(s->dev) : -EOPNOTSUPP;
	if (err)
		rg_sampling_end(s);
	return err;
}

static void rg_statistics_end(struct rg_sampling *s)
{
	rg_ethtool_end(s->dev);
	rg_sampling_end(s);
}

static int rg_statistics(const struct rg_sampling *s)
{
	int n = s->dev->ethtool_ops->get_sset_count(s->dev, ETH_SS_STATS);

	return n == 0 || n > RG_NAMES_MAX ? -EOPNOTSUPP : n;
}

static int rg_names_count(struct rg_sampling *s)
{
	int n, err;

	err = rg_statistics_begin(s);
	if (err)
		return err;
	n = rg_statistics(s);
	rg_statistics_end(s);
	return n;
}

/* -ESTALE: there are no longer as many. */
static int rg_names_get(struct rg_sampling *s, struct rg_names *names)
{
	int err;

	err = rg_statistics_begin(s);
	if (err)
		return err;
	if (rg_statistics(s) == names->n)
		s->dev->ethtool_ops->get_strings(s->dev, ETH_SS_STATS,
						 (u8 *)names->name);
	else
		err = -ESTALE;
	rg_statistics_end(s);
	return err;
}

static bool rg_name_number(const void *numbers, unsigned int index,
			   struct rg_slot *slot)
{
	const struct rg_names *names = numbers;
	char name[ETH_GSTRING_LEN + 1];

	memcpy(name, names->name[index], ETH_GSTRING_LEN);
	name[ETH_GSTRING_LEN] = 0;
	return rg_slot_name(slot, RG_COUNTER_ETHTOOL, names->driver, name);
}

static int rg_names_make(struct rg_sampling *s, struct rg_source *source)
{
	struct rg_names names = { .driver = s->driver };
	int err;

	names.n = rg_names_count(s);
	if (names.n < 0)
		return names.n;
	names.name = kvcalloc(names.n, sizeof(*names.name), GFP_KERNEL);
	if (!names.name)
		return -ENOMEM;
	err = rg_names_get(s, &names);
	if (!err)
		err = rg_source_make(source, names.n, rg_name_number, &names);
	kvfree(names.name);
	return err;
}

static int rg_numbers_get(struct rg_sampling *s, struct rg_source *source)
{
	struct ethtool_stats stats = {
		.cmd	 = ETHTOOL_GSTATS,
		.n_stats = source->given,
	};
	int err;

	err = rg_source_room(source);
	if (err)
		return err;
	err = rg_statistics_begin(s);
	if (err)
		return err;
	if (rg_statistics(s) == source->given)
		s->dev->ethtool_ops->get_ethtool_stats(s->dev, &stats,
						       source->raw);
	else
		err = -ESTALE;
	rg_statistics_end(s);
	return err;
}

int rg_read_ethtool(struct rg_sampling *s, struct rg_source *source)
{
	bool old = !source->given ||
		   ktime_get_ns() - source->made_ns > RG_NAMES_AGAIN_NS;
	int err = old ? -ESTALE : 0, tries;

	for (tries = 0; tries < RG_NAMES_TRIES; tries++) {
		if (err) {
			err = rg_names_make(s, source);
			source->pfc = s->counters->source[RG_ORIGIN_DCBNL].pfc;
		}
		if (!err)
			err = rg_numbers_get(s, source);
		if (err != -ESTALE)
			return err;
		rg_source_drop(source);
	}
	return -EAGAIN;
}
