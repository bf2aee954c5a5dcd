// SPDX-License-Identifier: GPL-2.0
/* DCQCN notification and reaction point per priority, through a provider. */
#include "../companions.h"
#include "knob.h"

static u8 rg_ecn_named(const struct rg_want *want, enum rg_role role)
{
	return want->ecn_on[role] | want->ecn_off[role];
}

/* What is said of a role that does not go by priority. */
static void rg_ecn_tell_per_port(struct rg_section *section, enum rg_role role)
{
	const struct rg_want *want = section->want;

	if (want->ecn_on[role] && want->ecn_off[role])
		rg_because(section, "%s is one switch for the port on this NIC: it is on for all priorities, though the policy wants it off for some",
			   role == RG_ROLE_NP ? "NP" : "RP");
}

static int rg_ecn_read_role(struct rg_section *section, enum rg_role role)
{
	u8 named = rg_ecn_named(section->want, role), prio;
	bool on;
	int err;

	section->have->ecn[role] = 0;
	section->have->ecn_read[role] = named;
	section->have->ecn_per_port[role] = section->provider->per_port &&
		section->provider->per_port(section->dev, role);
	if (section->have->ecn_per_port[role])
		rg_ecn_tell_per_port(section, role);
	for (prio = 0; prio < RG_PRIORITIES; prio++) {
		if (!(named & BIT(prio)))
			continue;
		err = section->provider->get_enable(section->dev, role, prio,
						    &on);
		if (err)
			return err;
		if (on)
			section->have->ecn[role] |= BIT(prio);
	}
	return 0;
}

static int rg_ecn_read(struct rg_section *section)
{
	enum rg_role role;
	int err;

	err = rg_provider_usable(section, section->provider &&
					  section->provider->get_enable &&
					  section->provider->set_enable);
	for (role = RG_ROLE_NP; !err && role < RG_ROLES; role++)
		err = rg_ecn_read_role(section, role);
	if (!err)
		section->source = ROCEGUARD_SOURCE_HARDWARE;
	return err;
}

static bool rg_ecn_role_same(const struct rg_section *section,
			     enum rg_role role)
{
	u8 have = section->have->ecn[role], want = section->want->ecn_on[role];

	return section->have->ecn_per_port[role] ? !have == !want :
						   have == want;
}

static bool rg_ecn_same(const struct rg_section *section)
{
	enum rg_role role;

	for (role = RG_ROLE_NP; role < RG_ROLES; role++)
		if (!rg_ecn_role_same(section, role))
			return false;
	return true;
}

static int rg_ecn_write_role(struct rg_section *section, enum rg_role role,
			     u8 on, u8 wrong)
{
	u8 prio;
	int err;

	for (prio = 0; prio < RG_PRIORITIES; prio++) {
		if (!(wrong & BIT(prio)))
			continue;
		err = section->provider->set_enable(section->dev, role, prio,
						    on & BIT(prio));
		if (err) {
			rg_because(section, "provider %s: ECN %s on priority %u: error %d",
				   section->provider->name,
				   role == RG_ROLE_NP ? "NP" : "RP", prio, -err);
			return err;
		}
	}
	return 0;
}

/* A switch for the port is on if one priority is, and off if none is. */
static u8 rg_ecn_wrong(const struct rg_section *section, enum rg_role role)
{
	u8 have = section->have->ecn[role], want = section->want->ecn_on[role];

	if (rg_ecn_role_same(section, role))
		return 0;
	if (!section->have->ecn_per_port[role])
		return have ^ want;
	return want ?: 0xff;
}

static int rg_ecn_write(struct rg_section *section)
{
	enum rg_role role;
	int err = 0;

	for (role = RG_ROLE_NP; !err && role < RG_ROLES; role++)
		err = rg_ecn_write_role(section, role,
					section->want->ecn_on[role],
					rg_ecn_wrong(section, role));
	return err;
}

/* A later policy may name priorities that an earlier one did not. */
static void rg_ecn_keep(struct rg_have *to, const struct rg_have *from)
{
	enum rg_role role;

	for (role = RG_ROLE_NP; role < RG_ROLES; role++) {
		to->ecn_per_port[role] = from->ecn_per_port[role];
		to->ecn[role] |= from->ecn[role] & ~to->ecn_read[role];
		to->ecn_read[role] |= from->ecn_read[role];
	}
}

static int rg_ecn_put_back(struct rg_section *section,
			   const struct rg_have *before)
{
	enum rg_role role;
	int err = 0;

	if (!section->provider || !section->provider->set_enable)
		return -EAGAIN;
	for (role = RG_ROLE_NP; !err && role < RG_ROLES; role++)
		err = rg_ecn_write_role(section, role, before->ecn[role],
					before->ecn_read[role]);
	return err;
}

static void rg_ecn_describe(const struct rg_section *section,
			    struct rg_text *have, struct rg_text *want)
{
	const struct rg_have *h = section->have;
	const struct rg_want *w = section->want;

	rg_text_ecn(have, h->ecn, h->ecn_per_port);
	rg_text_ecn(want, w->ecn_on, NULL);
}

/* Some drivers have files for it, which are the agent's. */
static bool rg_ecn_delegated(const struct rg_section *section)
{
	return section->habits->ecn_files && rg_companions_settled() &&
	       !(section->provider && section->provider->get_enable);
}

const struct rg_knob rg_knob_ecn = {
	.id	   = ROCEGUARD_KNOB_ECN,
	.name	   = "ecn",
	.by_parts  = true,
	.delegated = rg_ecn_delegated,
	.read	   = rg_ecn_read,
	.same	   = rg_ecn_same,
	.write	   = rg_ecn_write,
	.describe  = rg_ecn_describe,
	.keep	   = rg_ecn_keep,
	.put_back  = rg_ecn_put_back,
};
