// SPDX-License-Identifier: GPL-2.0
/* Limits of traffic classes, through dcbnl. */
#include "../logic/compare.h"
#include "knob.h"

static int rg_maxrate_read(struct rg_section *section)
{
	const struct dcbnl_rtnl_ops *ops = section->dev->dcbnl_ops;
	struct ieee_maxrate maxrate = {};
	int tc, err;

	err = rg_dcb_usable(section, ops && ops->ieee_getmaxrate &&
				     ops->ieee_setmaxrate);
	if (err)
		return err;
	err = rg_dcb_result(ops->ieee_getmaxrate(section->dev, &maxrate));
	if (err)
		return err;
	for (tc = 0; tc < RG_TCS; tc++)
		section->have->kbps[tc] = maxrate.tc_maxrate[tc];
	section->source = ROCEGUARD_SOURCE_DRIVER;
	return 0;
}

static bool rg_maxrate_same(const struct rg_section *section)
{
	return rg_rates_fit(section->want, section->have->kbps);
}

static int rg_maxrate_write(struct rg_section *section)
{
	const struct rg_want *want = section->want;
	struct ieee_maxrate maxrate;
	int tc, err;

	for (tc = 0; tc < RG_TCS; tc++)
		maxrate.tc_maxrate[tc] = want->rated & BIT(tc) ?
			want->kbps[tc] : section->have->kbps[tc];
	err = rg_dcb_result(section->dev->dcbnl_ops->ieee_setmaxrate(section->dev,
								     &maxrate));
	if (err)
		rg_dcb_blame(section, err);
	return err;
}

static void rg_maxrate_describe(const struct rg_section *section,
				struct rg_text *have, struct rg_text *want)
{
	const struct rg_want *w = section->want;
	u64 kbps[RG_TCS];
	int tc;

	for (tc = 0; tc < RG_TCS; tc++)
		kbps[tc] = w->kbps[tc];
	rg_text_rates(have, w->rated, section->have->kbps);
	rg_text_rates(want, w->rated, kbps);
}

static void rg_maxrate_keep(struct rg_have *to, const struct rg_have *from)
{
	memcpy(to->kbps, from->kbps, sizeof(to->kbps));
}

static int rg_maxrate_put_back(struct rg_section *section,
			       const struct rg_have *before)
{
	struct ieee_maxrate maxrate;
	int tc;

	for (tc = 0; tc < RG_TCS; tc++)
		maxrate.tc_maxrate[tc] = before->kbps[tc];
	return rg_dcb_result(section->dev->dcbnl_ops->ieee_setmaxrate(section->dev,
								      &maxrate));
}

const struct rg_knob rg_knob_maxrate = {
	.id	  = ROCEGUARD_KNOB_MAXRATE,
	.name	  = "maxrate",
	.dcb	  = true,
	.read	  = rg_maxrate_read,
	.same	  = rg_maxrate_same,
	.write	  = rg_maxrate_write,
	.describe = rg_maxrate_describe,
	.keep	  = rg_maxrate_keep,
	.put_back = rg_maxrate_put_back,
};
