// SPDX-License-Identifier: GPL-2.0
/* Enhanced transmission selection, 802.1Qaz, through dcbnl. */
#include "../logic/compare.h"
#include "knob.h"

/* Neither strict nor ets: what a text shows as "other". */
#define RG_TSA_OTHER	0xff

static u8 rg_tsa_from_ieee(u8 tsa)
{
	switch (tsa) {
	case IEEE_8021QAZ_TSA_STRICT:
		return ROCEGUARD_TSA_STRICT;
	case IEEE_8021QAZ_TSA_ETS:
		return ROCEGUARD_TSA_ETS;
	default:
		return RG_TSA_OTHER;
	}
}

static int rg_ets_read(struct rg_section *section)
{
	const struct dcbnl_rtnl_ops *ops = section->dev->dcbnl_ops;
	struct ieee_ets *ets = &section->have->ets;
	int err;

	err = rg_dcb_usable(section, ops && ops->ieee_getets && ops->ieee_setets);
	if (err)
		return err;
	memset(ets, 0, sizeof(*ets));
	err = rg_dcb_result(ops->ieee_getets(section->dev, ets));
	if (err)
		return err;
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

static bool rg_ets_same(const struct rg_section *section)
{
	const struct ieee_ets *ets = &section->have->ets;
	const struct rg_hw_state *hw = &section->have->hw;
	u8 tsa[RG_TCS];

	rg_tsas_from_ieee(tsa, ets);
	if (!rg_tcs_fit(section->want, ets->prio_tc, tsa, ets->tc_tx_bw))
		return false;
	return !(hw->valid & BIT(RG_HW_ETS)) ||
	       rg_tcs_fit(section->want, hw->prio_tc, hw->tsa, hw->bandwidth);
}

static int rg_ets_write(struct rg_section *section)
{
	const struct rg_want *want = section->want;
	struct ieee_ets ets = section->have->ets;
	int tc, err;

	if (ets.ets_cap && want->n_tcs > ets.ets_cap) {
		rg_because(section, "the NIC has %u traffic classes, the policy needs %u; use fewer classes",
			   ets.ets_cap, want->n_tcs);
		return -EINVAL;
	}
	memcpy(ets.prio_tc, want->prio_tc, sizeof(ets.prio_tc));
	for (tc = 0; tc < RG_TCS; tc++) {
		bool is_ets = tc < want->n_tcs &&
			      want->tsa[tc] == ROCEGUARD_TSA_ETS;

		ets.tc_tsa[tc] = is_ets ? IEEE_8021QAZ_TSA_ETS :
					  IEEE_8021QAZ_TSA_STRICT;
		ets.tc_tx_bw[tc] = is_ets ? want->bandwidth[tc] : 0;
	}
	err = rg_dcb_result(section->dev->dcbnl_ops->ieee_setets(section->dev,
								 &ets));
	if (err)
		rg_dcb_blame(section, err);
	return err;
}

static void rg_ets_describe(const struct rg_section *section,
			    struct rg_text *have, struct rg_text *want)
{
	const struct rg_want *w = section->want;
	const struct ieee_ets *ets = &section->have->ets;
	u8 tsa[RG_TCS];

	rg_tsas_from_ieee(tsa, ets);
	rg_text_ets(have, ets->prio_tc, tsa, ets->tc_tx_bw, w->n_tcs);
	rg_text_ets(want, w->prio_tc, w->tsa, w->bandwidth, w->n_tcs);
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
	return rg_dcb_result(section->dev->dcbnl_ops->ieee_setets(section->dev,
						&section->have->ets));
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
};
