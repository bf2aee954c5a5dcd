// SPDX-License-Identifier: GPL-2.0
/* Enhanced transmission selection, 802.1Qaz, through dcbnl. */
#include "../logic/compare.h"
#include "knob.h"

static int rg_ets_read(struct rg_section *section)
{
	const struct dcbnl_rtnl_ops *ops = section->dev->dcbnl_ops;
	struct rg_have *have = section->have;
	struct ieee_ets *ets = &have->ets;
	int err;

	err = rg_dcb_usable(section, ops && ops->ieee_getets && ops->ieee_setets);
	if (err)
		return err;
	memset(ets, 0, sizeof(*ets));
	/* What a driver has never been told it may not answer (bnxt). */
	memset(ets->prio_tc, RG_UNSET, sizeof(ets->prio_tc));
	err = rg_dcb_result(ops->ieee_getets(section->dev, ets));
	if (err)
		return err;
	have->ets_unset = ets->prio_tc[0] == RG_UNSET;
	if (have->ets_unset)
		memset(ets->prio_tc, 0, sizeof(ets->prio_tc));
	have->tc_is_priority = section->habits->tc_is_priority &&
			       rg_dscp_is_mapped(section->dev);
	section->source = ROCEGUARD_SOURCE_DRIVER;
	rg_read_hw(section, RG_HW_ETS);
	return 0;
}

static void rg_tsas_from_ieee(u8 *tsa, const struct ieee_ets *ets)
{
	int tc;

	for (tc = 0; tc < RG_TCS; tc++)
		tsa[tc] = rg_tsa_from_ieee(ets->tc_tsa[tc]);
}

/* As the port can hold it. */
static struct rg_tcs rg_ets_wanted(const struct rg_section *section)
{
	return section->have->tc_is_priority ?
	       rg_tcs_by_priority(section->want) :
	       rg_tcs_wanted(section->want);
}

static bool rg_ets_same(const struct rg_section *section)
{
	const struct ieee_ets *ets = &section->have->ets;
	const struct rg_hw_state *hw = &section->have->hw;
	struct rg_tcs want = rg_ets_wanted(section);
	u8 tsa[RG_TCS];

	if (section->have->ets_unset)
		return false;
	rg_tsas_from_ieee(tsa, ets);
	if (!rg_tcs_fit(&want, ets->prio_tc, tsa, ets->tc_tx_bw))
		return false;
	return !(hw->valid & BIT(RG_HW_ETS)) ||
	       rg_tcs_fit(&want, hw->prio_tc, hw->tsa, hw->bandwidth);
}

static int rg_ets_set(struct rg_section *section, struct ieee_ets *ets)
{
	int err;

	rg_knob_lock(section, ROCEGUARD_KNOB_ETS);
	err = rg_dcb_result(section->dev->dcbnl_ops->ieee_setets(section->dev,
								 ets));
	rg_knob_unlock(section, ROCEGUARD_KNOB_ETS);
	return err;
}

static int rg_ets_write(struct rg_section *section)
{
	struct rg_tcs want = rg_ets_wanted(section);
	struct ieee_ets ets = section->have->ets;
	int tc, err;

	if (ets.ets_cap && want.n > ets.ets_cap) {
		rg_because(section, "the NIC has %u traffic classes, the policy needs %u; use fewer classes",
			   ets.ets_cap, want.n);
		return -EINVAL;
	}
	memcpy(ets.prio_tc, want.prio_tc, sizeof(ets.prio_tc));
	for (tc = 0; tc < RG_TCS; tc++) {
		bool is_ets = tc < want.n && want.tsa[tc] == ROCEGUARD_TSA_ETS;

		ets.tc_tsa[tc] = is_ets ? IEEE_8021QAZ_TSA_ETS :
					  IEEE_8021QAZ_TSA_STRICT;
		ets.tc_tx_bw[tc] = is_ets ? want.bandwidth[tc] : 0;
	}
	err = rg_ets_set(section, &ets);
	if (err)
		rg_dcb_blame(section, err);
	return err;
}

static void rg_ets_describe(const struct rg_section *section,
			    struct rg_text *have, struct rg_text *want)
{
	struct rg_tcs w = rg_ets_wanted(section);
	const struct ieee_ets *ets = &section->have->ets;
	u8 tsa[RG_TCS];

	rg_tsas_from_ieee(tsa, ets);
	if (section->have->ets_unset)
		rg_text_add(have, "never set");
	else
		rg_text_ets(have, ets->prio_tc, tsa, ets->tc_tx_bw, w.n);
	rg_text_ets(want, w.prio_tc, w.tsa, w.bandwidth, w.n);
}

static void rg_ets_keep(struct rg_have *to, const struct rg_have *from)
{
	memcpy(to->ets.prio_tc, from->ets.prio_tc, sizeof(to->ets.prio_tc));
	memcpy(to->ets.tc_tsa, from->ets.tc_tsa, sizeof(to->ets.tc_tsa));
	memcpy(to->ets.tc_tx_bw, from->ets.tc_tx_bw, sizeof(to->ets.tc_tx_bw));
}

static int rg_ets_put_back(struct rg_section *section,
			   const struct rg_have *before)
{
	rg_ets_keep(section->have, before);
	return rg_ets_set(section, &section->have->ets);
}

/* The map of a driver that has its own comes back with the last DSCP entry. */
static bool rg_ets_is_back(const struct rg_section *section,
			   const struct rg_have *before)
{
	const struct ieee_ets *have = &section->have->ets;
	const struct ieee_ets *then = &before->ets;

	if (memcmp(have->tc_tsa, then->tc_tsa, sizeof(have->tc_tsa)) ||
	    memcmp(have->tc_tx_bw, then->tc_tx_bw, sizeof(have->tc_tx_bw)))
		return false;
	return section->have->tc_is_priority ||
	       !memcmp(have->prio_tc, then->prio_tc, sizeof(have->prio_tc));
}

const struct rg_knob rg_knob_ets = {
	.id	  = ROCEGUARD_KNOB_ETS,
	.name	  = "ets",
	.dcb	  = true,
	.read	  = rg_ets_read,
	.same	  = rg_ets_same,
	.write	  = rg_ets_write,
	.describe = rg_ets_describe,
	.keep	  = rg_ets_keep,
	.put_back = rg_ets_put_back,
	.is_back  = rg_ets_is_back,
};
