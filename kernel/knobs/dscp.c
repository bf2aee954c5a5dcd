// SPDX-License-Identifier: GPL-2.0
/*
 * Trust and the DSCP map, through the APP table (802.1Qaz D.2.12.5) and, where
 * a driver has them, the trusted selectors. A priority that carries a class
 * carries nothing else: whatever else would land in it, by an entry or by the
 * driver's default map, is moved to priority 0.
 */
#include "../compat/apptrust.h"
#include "../logic/compare.h"
#include "knob.h"

static int rg_trust_read(struct rg_section *section)
{
	struct rg_have *have = section->have;
	int dscp;

	if (rg_has_apptrust(section->dev)) {
		section->source = ROCEGUARD_SOURCE_DRIVER;
		return rg_get_apptrust(section->dev, &have->trust);
	}
	have->trust = ROCEGUARD_TRUST_PCP;
	for (dscp = 0; dscp < RG_DSCPS; dscp++)
		if (have->map[dscp])
			have->trust = ROCEGUARD_TRUST_DSCP;
	return 0;
}

static void rg_map_read(struct rg_section *section)
{
	struct dcb_ieee_app_dscp_map map = {};

	dcb_ieee_getapp_dscp_prio_mask_map(section->dev, &map);
	memcpy(section->have->map, map.map, sizeof(section->have->map));
}

/**
 * rg_dscp_is_mapped - is there an entry for any DSCP?
 * @dev: the netdev
 *
 * Return: true if so: drivers without another switch trust DSCP then.
 */
bool rg_dscp_is_mapped(const struct net_device *dev)
{
	struct dcb_ieee_app_dscp_map map = {};

	dcb_ieee_getapp_dscp_prio_mask_map(dev, &map);
	return memchr_inv(map.map, 0, sizeof(map.map));
}

static int rg_dscp_read(struct rg_section *section)
{
	const struct dcbnl_rtnl_ops *ops = section->dev->dcbnl_ops;
	int err;

	err = rg_dcb_usable(section, ops && ops->ieee_setapp);
	if (err)
		return err;
	if (rg_port_has_twin(section->dev)) {
		rg_because(section, "ifindex %d belongs to a DCB device of another netns, too, and the kernel mixes their maps; recreate one",
			   section->dev->ifindex);
		return -EADDRINUSE;
	}
	section->source = ROCEGUARD_SOURCE_DERIVED;
	rg_map_read(section);
	err = rg_trust_read(section);
	if (err)
		return err;
	rg_read_hw(section, RG_HW_MAP);
	return 0;
}

static bool rg_hw_has(const struct rg_section *section, enum rg_hw_field field)
{
	return section->have->hw.valid & BIT(field);
}

static struct rg_dscp_entry rg_dscp_entry(const struct rg_section *section,
					  u8 dscp)
{
	const struct rg_have *have = section->have;

	return (struct rg_dscp_entry){
		.table	  = have->map[dscp],
		.fallback = rg_habits_default_priority(section->habits, dscp),
		.hw	  = rg_hw_has(section, RG_HW_MAP) ? have->hw.map[dscp] :
							    RG_UNSET,
	};
}

static bool rg_dscp_right(const struct rg_section *section, u8 dscp)
{
	struct rg_dscp_entry entry = rg_dscp_entry(section, dscp);

	return rg_dscp_fits(section->want, dscp, &entry);
}

static bool rg_trust_right(const struct rg_section *section)
{
	const struct rg_have *have = section->have;

	if (have->trust != section->want->trust)
		return false;
	return !rg_hw_has(section, RG_HW_TRUST) ||
	       have->hw.trust == section->want->trust;
}

static bool rg_dscp_same(const struct rg_section *section)
{
	int dscp;

	if (!rg_trust_right(section))
		return false;
	if (section->want->trust == ROCEGUARD_TRUST_PCP)
		return true;
	for (dscp = 0; dscp < RG_DSCPS; dscp++)
		if (!rg_dscp_right(section, dscp))
			return false;
	return true;
}

static int rg_app_set(struct rg_section *section, u8 dscp, u8 prio)
{
	struct dcb_app app = {
		.selector = IEEE_8021QAZ_APP_SEL_DSCP,
		.protocol = dscp,
		.priority = prio,
	};
	int err;

	err = rg_dcb_result(section->dev->dcbnl_ops->ieee_setapp(section->dev,
								 &app));
	if (!err)
		section->have->map[dscp] |= BIT(prio);
	return err;
}

static int rg_app_del(struct rg_section *section, u8 dscp, u8 prio)
{
	const struct dcbnl_rtnl_ops *ops = section->dev->dcbnl_ops;
	struct dcb_app app = {
		.selector = IEEE_8021QAZ_APP_SEL_DSCP,
		.protocol = dscp,
		.priority = prio,
	};
	int err;

	if (ops->ieee_delapp)
		err = rg_dcb_result(ops->ieee_delapp(section->dev, &app));
	else
		err = dcb_ieee_delapp(section->dev, &app);
	if (!err)
		section->have->map[dscp] &= ~BIT(prio);
	return err;
}

static int rg_app_del_others(struct rg_section *section, u8 dscp, u8 prio)
{
	int other, err = 0;

	for (other = 0; !err && other < RG_PRIORITIES; other++)
		if (other != prio && section->have->map[dscp] & BIT(other))
			err = rg_app_del(section, dscp, other);
	return err;
}

/*
 * A driver that replaces entries deletes only what its hardware holds. A stale
 * one (mlx5 fills the table late at probe) goes by making it true first.
 */
static int rg_app_heal(struct rg_section *section, u8 dscp, u8 prio)
{
	int other, err = 0;

	rg_map_read(section);
	for (other = 0; !err && other < RG_PRIORITIES; other++) {
		if (other == prio || !(section->have->map[dscp] & BIT(other)))
			continue;
		if (!rg_app_del(section, dscp, other))
			continue;
		dcb_ieee_delapp(section->dev, &(struct dcb_app){
			.selector = IEEE_8021QAZ_APP_SEL_DSCP,
			.protocol = dscp,
			.priority = other,
		});
		err = rg_app_set(section, dscp, other);
		if (!err)
			err = rg_app_set(section, dscp, prio);
	}
	return err;
}

static int rg_dscp_move(struct rg_section *section, u8 dscp, u8 prio)
{
	bool there = section->have->map[dscp] & BIT(prio);
	int err = 0;

	/* In the table, but the hardware has lost it: say it anew. */
	if (there && section->have->map[dscp] == BIT(prio)) {
		err = rg_app_del(section, dscp, prio);
		there = false;
	}
	if (!err && section->habits->remap == RG_REMAP_DEL_ADD)
		err = rg_app_del_others(section, dscp, prio);
	if (!err && !there)
		err = rg_app_set(section, dscp, prio);
	if (!err && section->habits->remap == RG_REMAP_ADD_DEL)
		err = rg_app_del_others(section, dscp, prio);
	if (!err && section->habits->remap == RG_REMAP_REPLACE)
		err = rg_app_heal(section, dscp, prio);
	if (err)
		rg_because(section, "driver %s: DSCP %u to priority %u: error %d",
			   section->driver, dscp, prio, -err);
	return err;
}

/* Classes first: strays can wait, and the first entry may switch trust. */
static int rg_map_write(struct rg_section *section)
{
	int dscp, err = 0, strays;

	for (strays = 0; strays <= 1; strays++) {
		for (dscp = 0; !err && dscp < RG_DSCPS; dscp++) {
			u8 prio = section->want->map[dscp];

			if ((prio == RG_UNSET) != !!strays ||
			    rg_dscp_right(section, dscp))
				continue;
			err = rg_dscp_move(section, dscp,
					   strays ? 0 : prio);
		}
		/* The first entry may have changed what the others do. */
		if (!err && !strays)
			err = rg_dscp_read(section);
	}
	return err;
}

static int rg_map_clear(struct rg_section *section)
{
	int dscp, err = 0;

	for (dscp = 0; !err && dscp < RG_DSCPS; dscp++)
		err = rg_app_del_others(section, dscp, RG_UNSET);
	return err;
}

static int rg_trust_write(struct rg_section *section)
{
	u8 trust = section->want->trust;
	int err;

	if (rg_trust_right(section))
		return 0;
	if (!rg_has_apptrust(section->dev))
		return trust == ROCEGUARD_TRUST_DSCP ? 0 : rg_map_clear(section);
	err = rg_set_apptrust(section->dev, trust);
	if (err)
		rg_because(section, "driver %s: trust %s: error %d",
			   section->driver, rg_text_trust(trust), -err);
	return err;
}

/* Trust last, so that frames are never sorted by half a map. */
static int rg_dscp_write(struct rg_section *section)
{
	int err = 0;

	if (section->want->trust == ROCEGUARD_TRUST_DSCP)
		err = rg_map_write(section);
	if (!err)
		err = rg_trust_write(section);
	if (err)
		rg_dcb_blame(section, err);
	return err;
}

static void rg_describe_entry(const struct rg_section *section,
			      struct rg_text *text, u8 dscp)
{
	struct rg_dscp_entry entry = rg_dscp_entry(section, dscp);

	rg_text_dscp(text, dscp, rg_dscp_landing(&entry));
}

static void rg_dscp_describe(const struct rg_section *section,
			     struct rg_text *have, struct rg_text *want)
{
	const struct rg_want *w = section->want;
	u8 trust = rg_hw_has(section, RG_HW_TRUST) ? section->have->hw.trust :
						     section->have->trust;
	int dscp;

	rg_text_add(have, "trust %s", rg_text_trust(trust));
	rg_text_add(want, "trust %s", rg_text_trust(w->trust));
	if (w->trust == ROCEGUARD_TRUST_PCP)
		return;
	for (dscp = 0; dscp < RG_DSCPS; dscp++) {
		if (w->map[dscp] == RG_UNSET)
			continue;
		rg_describe_entry(section, have, dscp);
		rg_text_add(want, " %d:%u", dscp, w->map[dscp]);
	}
	for (dscp = 0; dscp < RG_DSCPS; dscp++) {
		if (w->map[dscp] != RG_UNSET || rg_dscp_right(section, dscp))
			continue;
		rg_describe_entry(section, have, dscp);
		rg_text_add(want, " %d:0", dscp);
	}
}

static void rg_dscp_keep(struct rg_have *to, const struct rg_have *from)
{
	memcpy(to->map, from->map, sizeof(to->map));
	to->trust = from->trust;
}

/* New entries before old ones go, but where a driver takes one at a time. */
static int rg_map_put_back(struct rg_section *section, const u8 *before)
{
	bool add = section->habits->remap != RG_REMAP_DEL_ADD;
	const u8 *have = section->have->map;
	int dscp, prio, step, err = 0;
	u8 wrong;

	for (step = 0; step < 2; step++, add = !add) {
		for (dscp = 0; !err && dscp < RG_DSCPS; dscp++) {
			wrong = add ? before[dscp] & ~have[dscp] :
				      have[dscp] & ~before[dscp];
			for (prio = 0; !err && prio < RG_PRIORITIES; prio++) {
				if (!(wrong & BIT(prio)))
					continue;
				err = add ? rg_app_set(section, dscp, prio) :
					    rg_app_del(section, dscp, prio);
			}
		}
		/* The driver may have replaced entries itself. */
		rg_map_read(section);
	}
	return err;
}

/* Where a DSCP went by @before, by an entry or by the driver's default. */
static u8 rg_landed(const struct rg_section *section,
		    const struct rg_have *before, u8 dscp)
{
	return before->map[dscp] ?:
	       BIT(rg_habits_default_priority(section->habits, dscp));
}

static bool rg_dscp_is_back(const struct rg_section *section,
			    const struct rg_have *before)
{
	struct rg_dscp_entry entry;
	int dscp;

	if (section->have->trust != before->trust)
		return false;
	for (dscp = 0; dscp < RG_DSCPS; dscp++) {
		entry = rg_dscp_entry(section, dscp);
		if (before->trust == ROCEGUARD_TRUST_PCP ?
		    entry.table != before->map[dscp] :
		    rg_dscp_landing(&entry) != rg_landed(section, before, dscp))
			return false;
	}
	return true;
}

/* mlx5 forgets its default with the entry that was in its place. */
static int rg_defaults_put_back(struct rg_section *section,
				const struct rg_have *before)
{
	struct rg_dscp_entry entry;
	int dscp, err = 0;

	rg_read_hw(section, RG_HW_MAP);
	for (dscp = 0; !err && dscp < RG_DSCPS; dscp++) {
		entry = rg_dscp_entry(section, dscp);
		if (!before->map[dscp] && rg_dscp_landing(&entry) !=
					  rg_landed(section, before, dscp))
			err = rg_app_set(section, dscp,
					 rg_habits_default_priority(section->habits,
								    dscp));
	}
	return err;
}

static int rg_dscp_put_back(struct rg_section *section,
			    const struct rg_have *before)
{
	int err;

	rg_map_read(section);
	err = rg_map_put_back(section, before->map);
	if (!err && before->trust == ROCEGUARD_TRUST_DSCP)
		err = rg_defaults_put_back(section, before);
	if (!err && rg_has_apptrust(section->dev))
		err = rg_set_apptrust(section->dev, before->trust);
	return err;
}

const struct rg_knob rg_knob_dscp = {
	.id	  = ROCEGUARD_KNOB_DSCP,
	.name	  = "dscp",
	.dcb	  = true,
	.read	  = rg_dscp_read,
	.same	  = rg_dscp_same,
	.write	  = rg_dscp_write,
	.describe = rg_dscp_describe,
	.keep	  = rg_dscp_keep,
	.put_back = rg_dscp_put_back,
	.is_back  = rg_dscp_is_back,
};
