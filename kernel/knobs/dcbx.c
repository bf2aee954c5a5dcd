// SPDX-License-Identifier: GPL-2.0
/* Who sets DCB: the host, or the firmware with what the switch tells it. */
#include "knob.h"

#define RG_DCBX_OURS	(DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_IEEE)

static int rg_dcbx_read(struct rg_section *section)
{
	const struct dcbnl_rtnl_ops *ops = section->dev->dcbnl_ops;
	int err;

	err = rg_dcb_usable(section, ops && ops->getdcbx && ops->setdcbx &&
				     !rg_is_cee_only(ops));
	if (err)
		return err;
	section->have->dcbx = ops->getdcbx(section->dev);
	section->source = ROCEGUARD_SOURCE_DRIVER;
	return 0;
}

static bool rg_dcbx_same(const struct rg_section *section)
{
	u8 dcbx = section->have->dcbx;

	return (dcbx & RG_DCBX_OURS) == RG_DCBX_OURS &&
	       !(dcbx & DCB_CAP_DCBX_LLD_MANAGED);
}

static int rg_dcbx_write(struct rg_section *section)
{
	/* Not an errno: anything but 0 is a no. */
	if (!section->dev->dcbnl_ops->setdcbx(section->dev, RG_DCBX_OURS))
		return 0;
	if (!rg_dcb_owner(section, -EPERM))
		rg_because(section, "driver %s does not hand DCB to the host; stop its firmware's LLDP with the tool of its vendor",
			   section->driver);
	return -EPERM;
}

static void rg_dcbx_text(struct rg_text *text, u8 dcbx)
{
	rg_text_add(text, "%s %s",
		    dcbx & DCB_CAP_DCBX_LLD_MANAGED ? "firmware" :
		    dcbx & DCB_CAP_DCBX_HOST ? "host" : "firmware",
		    dcbx & DCB_CAP_DCBX_VER_IEEE ? "ieee" :
		    dcbx & DCB_CAP_DCBX_VER_CEE ? "cee" : "none");
}

static void rg_dcbx_describe(const struct rg_section *section,
			     struct rg_text *have, struct rg_text *want)
{
	rg_dcbx_text(have, section->have->dcbx);
	rg_dcbx_text(want, RG_DCBX_OURS);
}

static void rg_dcbx_keep(struct rg_have *to, const struct rg_have *from)
{
	to->dcbx = from->dcbx;
}

static int rg_dcbx_put_back(struct rg_section *section,
			    const struct rg_have *before)
{
	/* mlx5: 0 is how the firmware gets it back */
	u8 mode = before->dcbx & DCB_CAP_DCBX_HOST ? before->dcbx : 0;

	return section->dev->dcbnl_ops->setdcbx(section->dev, mode) ? -EPERM : 0;
}

const struct rg_knob rg_knob_dcbx = {
	.id	  = ROCEGUARD_KNOB_DCBX,
	.name	  = "dcbx",
	.dcb	  = true,
	.read	  = rg_dcbx_read,
	.same	  = rg_dcbx_same,
	.write	  = rg_dcbx_write,
	.describe = rg_dcbx_describe,
	.keep	  = rg_dcbx_keep,
	.put_back = rg_dcbx_put_back,
};
