// SPDX-License-Identifier: GPL-2.0
/*
 * What a port had before our first write is kept as long as the port lives, knob
 * by knob, and put back when it is asked for. Then all is as if we had never been
 * there, and the next write keeps anew.
 */
#include <linux/slab.h>
#include "consent.h"
#include "log.h"
#include "restore.h"

/**
 * struct rg_before - what a port had before we first wrote to it
 * @knobs: bits of enum roceguard_knob: which of the settings below
 * @have: the settings
 */
struct rg_before {
	u32 knobs;
	struct rg_have have;
};

/**
 * rg_before_keep - a knob is about to be written: keep what it has
 * @pass: the pass, in which it was read
 * @knob: the knob
 *
 * Return: 0 or -ENOMEM: what can't be undone is better not done.
 */
int rg_before_keep(struct rg_pass *pass, const struct rg_knob *knob)
{
	struct rg_port *port = pass->port;

	if (!port->before)
		port->before = kzalloc(sizeof(*port->before), GFP_KERNEL);
	if (!port->before)
		return -ENOMEM;
	if (pass->policy)
		strscpy(pass->status.writer, pass->policy->spec.name,
			sizeof(pass->status.writer));
	if (port->before->knobs & BIT(knob->id) && !knob->by_parts)
		return 0;
	port->before->knobs |= BIT(knob->id);
	knob->keep(&port->before->have, &pass->have);
	return 0;
}

/**
 * rg_before_forget - nothing is to be put back any more
 * @port: with no pass under way but the caller's
 */
void rg_before_forget(struct rg_port *port)
{
	kfree(port->before);
	port->before = NULL;
}

/* A policy that names all there is to describe: what differs from @before. */
static void rg_all_named(struct rg_want *want, const struct rg_have *have,
			 const struct rg_have *before)
{
	int i;

	memset(want, 0, sizeof(*want));
	memset(want->map, RG_UNSET, sizeof(want->map));
	for (i = 0; i < RG_DSCPS; i++)
		if (have->map[i] != before->map[i])
			want->map[i] = 0;
	want->trust = ROCEGUARD_TRUST_DSCP;
	want->pfc = before->pfc.pfc_en;
	want->n_tcs = RG_TCS;
	want->rated = want->sized = 0xff;
	for (i = 0; i < RG_ROLES; i++)
		want->ecn_off[i] = before->ecn_read[i];
	want->cable = before->delay ? ROCEGUARD_CABLE_MAX : 0;
	memcpy(want->param, before->param, sizeof(want->param));
	want->params = before->params_read;
	for (i = 0; i < RG_PARAMS; i++)
		if (have->params_read & BIT(i) &&
		    have->param[i] == before->param[i])
			want->params &= ~BIT(i);
}

/* From what it has to what it had, in the words of the knob. */
static void rg_describe_both(struct rg_section *section,
			     const struct rg_knob *knob, struct rg_have *before,
			     struct rg_entry *entry)
{
	struct rg_have *have = section->have;
	struct rg_text from, to, unused;

	rg_text_init(&from);
	rg_text_init(&to);
	rg_text_init(&unused);
	knob->describe(section, &from, &unused);
	rg_text_init(&unused);
	section->have = before;
	knob->describe(section, &to, &unused);
	section->have = have;
	strscpy(entry->from, from.buf, sizeof(entry->from));
	strscpy(entry->to, to.buf, sizeof(entry->to));
}

static bool rg_is_back(const struct rg_knob *knob, struct rg_section *section,
		       const struct rg_have *before)
{
	struct rg_have *now, *then;
	bool same = false;

	if (knob->is_back)
		return knob->is_back(section, before);

	now = kzalloc(sizeof(*now), GFP_KERNEL);
	then = kzalloc(sizeof(*then), GFP_KERNEL);
	if (now && then) {
		knob->keep(now, section->have);
		knob->keep(then, before);
		same = !memcmp(now, then, sizeof(*now));
	}
	kfree(now);
	kfree(then);
	return same;
}

static int rg_put_knob_back(struct rg_pass *pass, struct rg_section *section,
			    const struct rg_knob *knob)
{
	struct rg_have *before = &pass->port->before->have;
	struct rg_entry *entry = &pass->entry;
	struct rg_want want;
	bool linked;
	int err;

	rg_all_named(&want, &pass->have, before);
	section->want = &want;
	err = knob->read(section);
	if (err)
		return err;
	if (rg_is_back(knob, section, before))
		return 0;
	rg_all_named(&want, &pass->have, before);
	linked = rg_knob_cost(section, knob) != ROCEGUARD_COST_HITLESS &&
		 rg_port_has_link(section->dev);
	if (linked && !rg_consent_take(pass, section, knob))
		return -EAGAIN;
	memset(entry, 0, sizeof(*entry));
	rg_describe_both(section, knob, before, entry);
	err = knob->put_back(section, before);
	pass->wrote_dcb |= knob->dcb;
	if (!err && linked) {
		entry->link_drop = true;
		pass->used = true;
		pass->status.link_drops++;
	}
	if (!err)
		err = knob->read(section);
	if (!err && !rg_is_back(knob, section, before))
		err = -EREMOTEIO;
	entry->action = err ? ROCEGUARD_ACTION_REFUSAL :
			      ROCEGUARD_ACTION_RESTORE;
	entry->knob = knob->id;
	entry->err = -err;
	rg_tell(pass, section);
	rg_info("%s: %s: '%s' -> '%s' (put back, error %d)\n",
		section->dev->name, knob->name, entry->from, entry->to, -err);
	return err;
}

static bool rg_worth_another_try(int err)
{
	return err == -EAGAIN || err == -EBUSY || err == -ENODEV;
}

/*
 * What was tried is not tried again, or one setting that a driver refuses would
 * keep the rest from ever being over.
 */
static void rg_restore_knob(struct rg_pass *pass, const struct rg_knob *knob)
{
	struct rg_before *before = pass->port->before;
	struct rg_section section;
	int err;

	err = rg_section_begin(pass, &section);
	if (!err)
		err = rg_put_knob_back(pass, &section, knob);
	rg_section_end();
	if (rg_worth_another_try(err))
		pass->stop = true;
	else
		before->knobs &= ~BIT(knob->id);
	if (err && !pass->stop)
		snprintf(pass->status.reason, sizeof(pass->status.reason),
			 "%s could not be put back: error %d; see history and the kernel log",
			 knob->name, -err);
}

static bool rg_is_to_be_back(const struct rg_pass *pass,
			     const struct rg_knob *knob)
{
	if (!(pass->port->before->knobs & BIT(knob->id)))
		return false;
	return pass->why_not || !(pass->want.knobs & BIT(knob->id));
}

/**
 * rg_restore - put back what the port had
 * @pass: the pass
 *
 * But for what a policy would write again. In reverse order of writing, each knob
 * once. What is busy or has to wait for another port's link is left for the next
 * pass, which is then a second away.
 */
void rg_restore(struct rg_pass *pass)
{
	struct rg_port *port = pass->port;
	bool now = pass->now;
	int i;

	/* Who asks for it has the link in mind. */
	pass->now = true;
	for (i = RG_KNOBS - 1; i >= 0 && port->before && !pass->stop; i--)
		if (rg_is_to_be_back(pass, rg_knobs[i]))
			rg_restore_knob(pass, rg_knobs[i]);
	pass->now = now;
	if (pass->stop)
		return;
	port->restoring = false;
	if (!port->before || !port->before->knobs) {
		rg_before_forget(port);
		pass->status.writer[0] = 0;
	}
}
