// SPDX-License-Identifier: GPL-2.0
/*
 * The MTU, and what of it a RoCE frame can carry. It is checked and never written:
 * a larger one than the switch's drops frames, and all protocols share it.
 */
#include "../logic/compare.h"
#include "knob.h"

static int rg_mtu_read(struct rg_section *section)
{
	struct net_device *dev = section->dev;

	section->have->mtu = READ_ONCE(dev->mtu);
	section->source = ROCEGUARD_SOURCE_DERIVED;
	if (section->have->mtu < section->want->mtu)
		rg_because(section, "the MTU is checked, never written; run 'ip link set dev %s mtu %u' if the switch takes such frames",
			   dev->name, section->want->mtu);
	return 0;
}

static bool rg_mtu_same(const struct rg_section *section)
{
	return section->have->mtu >= section->want->mtu;
}

static void rg_mtu_describe(const struct rg_section *section,
			    struct rg_text *have, struct rg_text *want)
{
	rg_text_mtu(have, section->have->mtu);
	rg_text_mtu(want, section->want->mtu);
}

const struct rg_knob rg_knob_mtu = {
	.id	  = ROCEGUARD_KNOB_MTU,
	.name	  = "mtu",
	.read	  = rg_mtu_read,
	.same	  = rg_mtu_same,
	.describe = rg_mtu_describe,
};
