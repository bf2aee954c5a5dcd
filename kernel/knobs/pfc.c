// SPDX-License-Identifier: GPL-2.0
/* Priority-based flow control, 802.1Qbb, through dcbnl. */
#include "knob.h"

static int rg_pfc_read(struct rg_section *section)
{
	const struct dcbnl_rtnl_ops *ops = section->dev->dcbnl_ops;
	struct ieee_pfc *pfc = &section->have->pfc;
	int err;

	err = rg_dcb_usable(section, ops && ops->ieee_getpfc && ops->ieee_setpfc);
	if (err)
		return err;
	memset(pfc, 0, sizeof(*pfc));
	err = rg_dcb_result(ops->ieee_getpfc(section->dev, pfc));
	if (err)
		return err;
	section->source = ROCEGUARD_SOURCE_DRIVER;
	rg_read_hw(section, RG_HW_PFC);
	return 0;
}

static bool rg_pfc_same(const struct rg_section *section)
{
	const struct rg_have *have = section->have;

	if (have->pfc.pfc_en != section->want->pfc)
		return false;
	return !(have->hw.valid & BIT(RG_HW_PFC)) ||
	       have->hw.pfc == section->want->pfc;
}

static int rg_pfc_write(struct rg_section *section)
{
	struct ieee_pfc pfc = section->have->pfc;
	int err;

	if (pfc.pfc_cap && hweight8(section->want->pfc) > pfc.pfc_cap) {
		rg_because(section, "the NIC can do PFC on %u priorities, the policy names %u; name fewer",
			   pfc.pfc_cap, hweight8(section->want->pfc));
		return -EINVAL;
	}
	pfc.pfc_en = section->want->pfc;
	err = rg_dcb_result(section->dev->dcbnl_ops->ieee_setpfc(section->dev,
								 &pfc));
	if (err)
		rg_dcb_blame(section, err);
	return err;
}

static void rg_pfc_describe(const struct rg_section *section,
			    struct rg_text *have, struct rg_text *want)
{
	const struct rg_have *h = section->have;

	rg_text_priorities(have, h->hw.valid & BIT(RG_HW_PFC) ? h->hw.pfc :
								h->pfc.pfc_en);
	rg_text_priorities(want, section->want->pfc);
}

static void rg_pfc_keep(struct rg_have *to, const struct rg_have *from)
{
	to->pfc.pfc_en = from->pfc.pfc_en;
}

static int rg_pfc_put_back(struct rg_section *section,
			   const struct rg_have *before)
{
	struct ieee_pfc pfc = section->have->pfc;

	pfc.pfc_en = before->pfc.pfc_en;
	return rg_dcb_result(section->dev->dcbnl_ops->ieee_setpfc(section->dev,
								  &pfc));
}

const struct rg_knob rg_knob_pfc = {
	.id	  = ROCEGUARD_KNOB_PFC,
	.name	  = "pfc",
	.dcb	  = true,
	.read	  = rg_pfc_read,
	.same	  = rg_pfc_same,
	.write	  = rg_pfc_write,
	.describe = rg_pfc_describe,
	.keep	  = rg_pfc_keep,
	.put_back = rg_pfc_put_back,
};
