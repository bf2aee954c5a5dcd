// SPDX-License-Identifier: GPL-2.0
/* Global pause, 802.3x, through ethtool operations. */
#include <linux/ethtool.h>
#include "../ethtool_call.h"
#include "knob.h"

static int rg_pause_read(struct rg_section *section)
{
	const struct ethtool_ops *ops = section->dev->ethtool_ops;
	struct ethtool_pauseparam pause = { .cmd = ETHTOOL_GPAUSEPARAM };
	int err;

	if (!ops || !ops->get_pauseparam || !ops->set_pauseparam) {
		rg_because(section, "driver %s has no pause parameters",
			   section->driver);
		return -EOPNOTSUPP;
	}
	err = rg_ethtool_begin(section->dev);
	if (err)
		return err;
	ops->get_pauseparam(section->dev, &pause);
	rg_ethtool_end(section->dev);
	section->have->pause_rx = pause.rx_pause;
	section->have->pause_tx = pause.tx_pause;
	section->have->pause_autoneg = pause.autoneg;
	section->source = ROCEGUARD_SOURCE_DRIVER;
	rg_read_hw(section, RG_HW_PAUSE);
	return 0;
}

static bool rg_pause_same(const struct rg_section *section)
{
	const struct rg_want *want = section->want;
	const struct rg_have *have = section->have;

	if (have->pause_rx != want->pause_rx || have->pause_tx != want->pause_tx)
		return false;
	return !(have->hw.valid & BIT(RG_HW_PAUSE)) ||
	       (have->hw.pause_rx == want->pause_rx &&
		have->hw.pause_tx == want->pause_tx);
}

static int rg_pause_try(struct rg_section *section, bool rx, bool tx,
			bool autoneg)
{
	struct ethtool_pauseparam pause = {
		.cmd	  = ETHTOOL_SPAUSEPARAM,
		.autoneg  = autoneg ? AUTONEG_ENABLE : AUTONEG_DISABLE,
		.rx_pause = rx,
		.tx_pause = tx,
	};
	int err;

	err = rg_ethtool_begin(section->dev);
	if (err)
		return err;
	err = section->dev->ethtool_ops->set_pauseparam(section->dev, &pause);
	rg_ethtool_end(section->dev);
	return err;
}

/*
 * Some drivers refuse settings that autonegotiation may overrule, others (ice,
 * hns3) to change autonegotiation.
 */
static int rg_pause_set(struct rg_section *section, bool rx, bool tx,
			bool autoneg)
{
	int err;

	err = rg_pause_try(section, rx, tx, autoneg);
	if (err == -EOPNOTSUPP && autoneg != section->have->pause_autoneg)
		err = rg_pause_try(section, rx, tx, !autoneg);
	if (err)
		rg_because(section, "driver %s said error %d; try 'ethtool -A %s autoneg off rx off tx off'",
			   section->driver, -err, section->dev->name);
	return err;
}

static int rg_pause_write(struct rg_section *section)
{
	return rg_pause_set(section, section->want->pause_rx,
			    section->want->pause_tx, false);
}

static void rg_pause_keep(struct rg_have *to, const struct rg_have *from)
{
	to->pause_rx = from->pause_rx;
	to->pause_tx = from->pause_tx;
	to->pause_autoneg = from->pause_autoneg;
}

static int rg_pause_put_back(struct rg_section *section,
			     const struct rg_have *before)
{
	return rg_pause_set(section, before->pause_rx, before->pause_tx,
			    before->pause_autoneg);
}

static void rg_pause_describe(const struct rg_section *section,
			      struct rg_text *have, struct rg_text *want)
{
	rg_text_pause(have, section->have->pause_rx, section->have->pause_tx);
	rg_text_pause(want, section->want->pause_rx, section->want->pause_tx);
}

const struct rg_knob rg_knob_pause = {
	.id	  = ROCEGUARD_KNOB_PAUSE,
	.name	  = "pause",
	.read	  = rg_pause_read,
	.same	  = rg_pause_same,
	.write	  = rg_pause_write,
	.describe = rg_pause_describe,
	.keep	  = rg_pause_keep,
	.put_back = rg_pause_put_back,
};
