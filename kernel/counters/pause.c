// SPDX-License-Identifier: GPL-2.0
/* Global pause frames, by ethtool's own statistics of pause (ethtool -I -a). */
#include <linux/ethtool.h>
#include "../ethtool_call.h"
#include "source.h"

enum { RG_PAUSE_TX, RG_PAUSE_RX, RG_PAUSE_NUMBERS };

static bool rg_pause_number(const void *numbers, unsigned int index,
			    struct rg_slot *slot)
{
	const u32 *counted = numbers;

	slot->name = index;
	slot->priority = RG_NO_PRIORITY;
	slot->counter = index == RG_PAUSE_TX ? ROCEGUARD_COUNTER_TX_GLOBAL_PAUSE :
					       ROCEGUARD_COUNTER_RX_GLOBAL_PAUSE;
	return *counted & BIT(index);
}

static int rg_pause_get(struct rg_sampling *s, struct ethtool_pause_stats *stats)
{
	const struct ethtool_ops *ops;
	int err;

	stats->tx_pause_frames = ETHTOOL_STAT_NOT_SET;
	stats->rx_pause_frames = ETHTOOL_STAT_NOT_SET;
	err = rg_sampling_begin(s);
	if (err)
		return err;
	ops = s->dev->ethtool_ops;
	err = ops && ops->get_pause_stats ? rg_ethtool_begin(s->dev) :
					    -EOPNOTSUPP;
	if (!err) {
		ops->get_pause_stats(s->dev, stats);
		rg_ethtool_end(s->dev);
	}
	rg_sampling_end(s);
	return err;
}

int rg_read_pause(struct rg_sampling *s, struct rg_source *source)
{
	struct ethtool_pause_stats stats = {};
	u32 form = 0;
	int err;

	err = rg_pause_get(s, &stats);
	if (err)
		return err;
	if (stats.tx_pause_frames != ETHTOOL_STAT_NOT_SET)
		form |= BIT(RG_PAUSE_TX);
	if (stats.rx_pause_frames != ETHTOOL_STAT_NOT_SET)
		form |= BIT(RG_PAUSE_RX);
	if (form != source->form) {
		err = rg_source_make(source, RG_PAUSE_NUMBERS, rg_pause_number,
				     &form);
		if (err)
			return err;
		source->form = form;
	}
	err = rg_source_room(source);
	if (err || !source->given)
		return err;
	source->raw[RG_PAUSE_TX] = stats.tx_pause_frames;
	source->raw[RG_PAUSE_RX] = stats.rx_pause_frames;
	return 0;
}
