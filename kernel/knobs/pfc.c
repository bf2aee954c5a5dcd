// SPDX-License-Identifier: GPL-2.0
/*
 * Priority-based flow control, 802.1Qbb, and how much it allows for the cable,
 * through dcbnl.
 */
#include "../logic/compare.h"
#include "knob.h"

/* What ieee_pfc.delay is to be; 0: it is left alone, and the reason says why. */
static u16 rg_pfc_delay(struct rg_section *section)
{
	u16 cable = section->want->cable;
	u32 mbps, bits;

	if (!cable)
		return 0;
	if (section->habits->cable == RG_CABLE_METRES)
		return cable;
	if (section->habits->cable == RG_CABLE_IGNORED ||
	    *section->learnt & BIT(RG_LEARNT_NO_DELAY)) {
		rg_because(section, "driver %s makes nothing of a cable length; see [Buffer] or its vendor's tool",
			   section->driver);
		return 0;
	}
	mbps = rg_speed(section);
	if (!mbps) {
		rg_because(section, "the cable length waits for a link, whose rate it is counted by");
		return 0;
	}
	bits = rg_cable_bits(cable, mbps);
	if (bits > U16_MAX)
		rg_because(section, "%u m at %u Mbit/s are %u bit times, and the driver is told %u, the most there is",
			   cable, mbps, bits, U16_MAX);
	return min_t(u32, bits, U16_MAX);
}

static int rg_pfc_get(struct rg_section *section, struct ieee_pfc *pfc)
{
	memset(pfc, 0, sizeof(*pfc));
	return rg_dcb_result(section->dev->dcbnl_ops->ieee_getpfc(section->dev,
								  pfc));
}

/* Not what the policy says: frames of these may be lost. */
static void rg_pfc_say_stormed(struct rg_section *section)
{
	struct rg_text text;

	rg_text_init(&text);
	rg_text_priorities(&text, section->want->stormed);
	section->falls_short = ROCEGUARD_VERDICT_INACTIVE;
	rg_because(section, "the watchdog has it off for a pause storm on priority %s, whose frames may be lost meanwhile; it is tried again by itself",
		   text.buf);
}

static int rg_pfc_read(struct rg_section *section)
{
	const struct dcbnl_rtnl_ops *ops = section->dev->dcbnl_ops;
	int err;

	err = rg_dcb_usable(section, ops && ops->ieee_getpfc && ops->ieee_setpfc);
	if (!err)
		err = rg_pfc_get(section, &section->have->pfc);
	if (err)
		return err;
	section->source = ROCEGUARD_SOURCE_DRIVER;
	rg_read_hw(section, RG_HW_PFC);
	section->have->pfc_read = true;
	section->have->delay = rg_pfc_delay(section);
	if (section->want->stormed)
		rg_pfc_say_stormed(section);
	return 0;
}

static bool rg_pfc_mask_same(const struct rg_section *section)
{
	const struct rg_have *have = section->have;

	if (have->pfc.pfc_en != section->want->pfc)
		return false;
	return !(have->hw.valid & BIT(RG_HW_PFC)) ||
	       have->hw.pfc == section->want->pfc;
}

static bool rg_pfc_same(const struct rg_section *section)
{
	const struct rg_have *have = section->have;

	return rg_pfc_mask_same(section) &&
	       (!have->delay || have->delay == have->pfc.delay);
}

static enum roceguard_cost rg_pfc_cost(const struct rg_section *section)
{
	if (section->habits->cable == RG_CABLE_METRES &&
	    rg_pfc_mask_same(section))
		return ROCEGUARD_COST_HITLESS;
	return section->habits->cost[ROCEGUARD_KNOB_PFC];
}

/* A driver that is in no table may do as the standard says, or not. */
static int rg_pfc_learn(struct rg_section *section, u16 delay)
{
	struct ieee_pfc pfc;
	int err;

	err = rg_pfc_get(section, &pfc);
	if (!err && pfc.delay != delay)
		*section->learnt |= BIT(RG_LEARNT_NO_DELAY);
	return err;
}

static int rg_pfc_set(struct rg_section *section, u8 mask, u16 delay)
{
	struct ieee_pfc pfc = section->have->pfc;
	int err;

	pfc.pfc_en = mask;
	pfc.delay = delay;
	rg_knob_lock(section, ROCEGUARD_KNOB_PFC);
	err = rg_dcb_result(section->dev->dcbnl_ops->ieee_setpfc(section->dev,
								 &pfc));
	rg_knob_unlock(section, ROCEGUARD_KNOB_PFC);
	return err;
}

/*
 * What the standard limits are traffic classes; without a map of ours each
 * priority counts.
 */
static u8 rg_pfc_lossless(const struct rg_want *want)
{
	u8 tcs = 0;
	int prio;

	if (!(want->knobs & BIT(ROCEGUARD_KNOB_ETS)))
		return hweight8(want->pfc);
	for (prio = 0; prio < RG_PRIORITIES; prio++)
		if (want->pfc & BIT(prio))
			tcs |= BIT(want->prio_tc[prio]);
	return hweight8(tcs);
}

static int rg_pfc_write(struct rg_section *section)
{
	const struct rg_want *want = section->want;
	const struct rg_have *have = section->have;
	u8 cap = have->pfc.pfc_cap, lossless = rg_pfc_lossless(want);
	int err;

	if (cap && lossless > cap) {
		rg_because(section, "the NIC can do PFC on %u traffic classes, the policy needs %u; name fewer priorities",
			   cap, lossless);
		return -EINVAL;
	}
	err = rg_pfc_set(section, want->pfc, have->delay ?: have->pfc.delay);
	if (err && section->habits->pfc_after_ets &&
	    !(want->knobs & BIT(ROCEGUARD_KNOB_ETS)))
		rg_because(section, "driver %s takes PFC only after ETS (error %d); add a Share= to a class of the policy, or [ETS]",
			   section->driver, -err);
	if (err)
		rg_dcb_blame(section, err);
	else if (have->delay && section->habits->cable == RG_CABLE_BITS)
		err = rg_pfc_learn(section, have->delay);
	return err;
}

static void rg_pfc_describe(const struct rg_section *section,
			    struct rg_text *have, struct rg_text *want)
{
	bool metres = section->habits->cable == RG_CABLE_METRES;
	const struct rg_have *h = section->have;

	rg_text_priorities(have, h->hw.valid & BIT(RG_HW_PFC) ? h->hw.pfc :
								h->pfc.pfc_en);
	rg_text_priorities(want, section->want->pfc);
	if (!h->delay)
		return;
	rg_text_delay(have, h->pfc.delay, metres);
	rg_text_delay(want, h->delay, metres);
}

static void rg_pfc_keep(struct rg_have *to, const struct rg_have *from)
{
	if (!to->pfc_read)
		to->pfc.pfc_en = from->pfc.pfc_en;
	to->pfc_read = true;
	if (!from->delay || to->delay)
		return;
	to->pfc.delay = from->pfc.delay;
	to->delay = from->delay;
}

static bool rg_pfc_is_back(const struct rg_section *section,
			   const struct rg_have *before)
{
	const struct ieee_pfc *now = &section->have->pfc;

	return now->pfc_en == before->pfc.pfc_en &&
	       (!before->delay || now->delay == before->pfc.delay ||
		*section->learnt & BIT(RG_LEARNT_NO_DELAY));
}

static int rg_pfc_put_back(struct rg_section *section,
			   const struct rg_have *before)
{
	return rg_pfc_set(section, before->pfc.pfc_en,
			  before->delay ? before->pfc.delay :
					  section->have->pfc.delay);
}

const struct rg_knob rg_knob_pfc = {
	.id	  = ROCEGUARD_KNOB_PFC,
	.name	  = "pfc",
	.dcb	  = true,
	.by_parts = true,
	.read	  = rg_pfc_read,
	.same	  = rg_pfc_same,
	.cost	  = rg_pfc_cost,
	.write	  = rg_pfc_write,
	.describe = rg_pfc_describe,
	.keep	  = rg_pfc_keep,
	.put_back = rg_pfc_put_back,
	.is_back  = rg_pfc_is_back,
};
