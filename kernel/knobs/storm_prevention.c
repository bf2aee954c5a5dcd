// SPDX-License-Identifier: GPL-2.0
/*
 * How long a NIC may send pauses on end before it is taken for stuck and stops:
 * the ethtool tunable pfc-prevention-tout.
 */
#include <linux/ethtool.h>
#include "../ethtool_call.h"
#include "knob.h"

static const struct ethtool_tunable rg_storm_tunable = {
	.id	 = ETHTOOL_PFC_PREVENTION_TOUT,
	.type_id = ETHTOOL_TUNABLE_U16,
	.len	 = sizeof(u16),
};

static int rg_storm_read(struct rg_section *section)
{
	const struct ethtool_ops *ops = section->dev->ethtool_ops;
	int err = -EOPNOTSUPP;

	if (ops && ops->get_tunable && ops->set_tunable) {
		err = rg_ethtool_begin(section->dev);
		if (err)
			return err;
		err = ops->get_tunable(section->dev, &rg_storm_tunable,
				       &section->have->storm);
		rg_ethtool_end(section->dev);
	}
	if (err == -EOPNOTSUPP)
		rg_because(section, "driver %s has no ethtool tunable pfc-prevention-tout",
			   section->driver);
	if (!err)
		section->source = ROCEGUARD_SOURCE_DRIVER;
	return err;
}

static bool rg_storm_same(const struct rg_section *section)
{
	u16 have = section->have->storm, want = section->want->storm;

	return have == want || (want == ROCEGUARD_STORM_AUTO && have &&
				have == section->habits->storm_auto_ms);
}

static int rg_storm_set(struct rg_section *section, u16 ms)
{
	int err;

	err = rg_ethtool_begin(section->dev);
	if (err)
		return err;
	err = section->dev->ethtool_ops->set_tunable(section->dev,
						     &rg_storm_tunable, &ms);
	rg_ethtool_end(section->dev);
	if (err)
		rg_because(section, "driver %s said error %d to a time-out of %u ms; use another, see ethtool(8), pfc-prevention-tout",
			   section->driver, -err, ms);
	return err;
}

static int rg_storm_write(struct rg_section *section)
{
	return rg_storm_set(section, section->want->storm);
}

static void rg_storm_describe(const struct rg_section *section,
			      struct rg_text *have, struct rg_text *want)
{
	rg_text_storm(have, section->have->storm);
	rg_text_storm(want, section->want->storm);
}

static void rg_storm_keep(struct rg_have *to, const struct rg_have *from)
{
	to->storm = from->storm;
}

static int rg_storm_put_back(struct rg_section *section,
			     const struct rg_have *before)
{
	return rg_storm_set(section, before->storm);
}

const struct rg_knob rg_knob_storm_prevention = {
	.id	  = ROCEGUARD_KNOB_STORM_PREVENTION,
	.name	  = "storm-prevention",
	.read	  = rg_storm_read,
	.same	  = rg_storm_same,
	.write	  = rg_storm_write,
	.describe = rg_storm_describe,
	.keep	  = rg_storm_keep,
	.put_back = rg_storm_put_back,
};
