// SPDX-License-Identifier: GPL-2.0
/*
 * Parameters of DCQCN, each for itself: one that the NIC does not have, or that it
 * refuses, does not keep the others from being held.
 */
#include "../logic/params.h"
#include "params.h"

static u32 rg_params_named(const struct rg_section *section,
			   enum roceguard_knob knob)
{
	return section->want->params & rg_params_of(knob);
}

/* Another engine than DCQCN may rule, and then its parameters do nothing. */
static void rg_params_ask_engine(struct rg_section *section)
{
	const struct rg_provider_ops *provider = section->provider;
	const char *engine = provider->engine ? provider->engine(section->dev) :
						NULL;

	if (!engine)
		return;
	section->falls_short = ROCEGUARD_VERDICT_INACTIVE;
	rg_because(section, "%s rules the rate on this NIC, not DCQCN; switch that off in its firmware's settings",
		   engine);
}

static void rg_params_tell_missing(struct rg_section *section, u32 missing)
{
	struct rg_text names;
	int i;

	rg_text_init(&names);
	for (i = 0; i < RG_PARAMS; i++)
		if (missing & BIT(i))
			rg_text_add(&names, "%s%s", names.len ? ", " : "",
				    rg_params[i].name);
	section->falls_short = ROCEGUARD_VERDICT_UNSUPPORTED;
	rg_because(section, "%s: no %s on this NIC",
		   section->provider->name, names.buf);
}

/**
 * rg_params_read - read the parameters that the policy names
 * @section: the knob's section
 * @knob: whose parameters
 *
 * Return: 0 or a negative errno, -EOPNOTSUPP if the NIC has none of them.
 */
int rg_params_read(struct rg_section *section, enum roceguard_knob knob)
{
	u32 named = rg_params_named(section, knob), missing = 0;
	struct rg_have *have = section->have;
	int i, err;

	err = rg_provider_usable(section, section->provider &&
					  section->provider->get_param &&
					  section->provider->set_param);
	if (err)
		return err;
	have->params_read &= ~rg_params_of(knob);
	for (i = 0; i < RG_PARAMS; i++) {
		if (!(named & BIT(i)))
			continue;
		err = section->provider->get_param(section->dev, i,
						   &have->param[i]);
		if (err && err != -EOPNOTSUPP)
			return err;
		if (err)
			missing |= BIT(i);
		else
			have->params_read |= BIT(i);
	}
	section->source = ROCEGUARD_SOURCE_HARDWARE;
	if (missing)
		rg_params_tell_missing(section, missing);
	if (missing == named)
		return -EOPNOTSUPP;
	rg_params_ask_engine(section);
	return 0;
}

/* Those that were read and are not as wanted. */
static u32 rg_params_wrong(const struct rg_section *section,
			   enum roceguard_knob knob)
{
	const struct rg_have *have = section->have;
	u32 wrong = 0;
	int i;

	for (i = 0; i < RG_PARAMS; i++)
		if (have->params_read & rg_params_named(section, knob) & BIT(i) &&
		    have->param[i] != section->want->param[i])
			wrong |= BIT(i);
	return wrong;
}

/**
 * rg_params_same - are the parameters that the NIC has as the policy says?
 * @section: the knob's section
 * @knob: whose parameters
 *
 * Return: true if they are.
 */
bool rg_params_same(const struct rg_section *section, enum roceguard_knob knob)
{
	return !rg_params_wrong(section, knob);
}

/* The NIC is well and does not want this one value. */
static bool rg_params_go_on(int err)
{
	return err == -EOPNOTSUPP || err == -EINVAL || err == -ERANGE;
}

static int rg_params_set(struct rg_section *section, u32 which,
			 const u32 *value)
{
	int i, err, first = 0;

	for (i = 0; i < RG_PARAMS; i++) {
		if (!(which & BIT(i)))
			continue;
		err = section->provider->set_param(section->dev, i, value[i]);
		if (!err)
			continue;
		if (!first)
			rg_because(section, "%s: %s to %u: error %d; try another value",
				   section->provider->name, rg_params[i].name,
				   value[i], -err);
		first = first ?: err;
		if (!rg_params_go_on(err))
			return err;
	}
	return first;
}

/**
 * rg_params_write - make wrong parameters right
 * @section: the knob's section
 * @knob: whose parameters
 *
 * Return: 0, or the negative errno of the first that could not be set.
 */
int rg_params_write(struct rg_section *section, enum roceguard_knob knob)
{
	return rg_params_set(section, rg_params_wrong(section, knob),
			     section->want->param);
}

/**
 * rg_params_describe - parameters in words
 * @section: the knob's section
 * @knob: whose parameters
 * @have: gets what there is
 * @want: gets what the policy says
 *
 * Of parameters that are wrong only those, for all are more than a line takes.
 */
void rg_params_describe(const struct rg_section *section,
			enum roceguard_knob knob, struct rg_text *have,
			struct rg_text *want)
{
	u32 named = section->have->params_read & rg_params_named(section, knob);
	u32 which = rg_params_wrong(section, knob) ?: named;

	rg_text_params(have, which, section->have->param);
	rg_text_params(want, which, section->want->param);
}

/**
 * rg_params_keep - copy the parameters that were read and are not kept yet
 * @to: what is kept
 * @from: what was read
 * @knob: whose parameters
 */
void rg_params_keep(struct rg_have *to, const struct rg_have *from,
		    enum roceguard_knob knob)
{
	u32 more = from->params_read & ~to->params_read & rg_params_of(knob);
	int i;

	for (i = 0; i < RG_PARAMS; i++)
		if (more & BIT(i))
			to->param[i] = from->param[i];
	to->params_read |= more;
}

/**
 * rg_params_put_back - make parameters what was kept of them
 * @section: the knob's section
 * @before: what was kept
 * @knob: whose parameters
 *
 * Return: 0 or a negative errno, -EAGAIN while there is no provider.
 */
int rg_params_put_back(struct rg_section *section, const struct rg_have *before,
		       enum roceguard_knob knob)
{
	if (!section->provider || !section->provider->set_param)
		return -EAGAIN;
	return rg_params_set(section,
			     before->params_read & rg_params_of(knob),
			     before->param);
}

/**
 * rg_params_are_back - are parameters what was kept of them?
 * @section: the knob's section
 * @before: what was kept
 * @knob: whose parameters
 *
 * Return: true if they are.
 */
bool rg_params_are_back(const struct rg_section *section,
			const struct rg_have *before, enum roceguard_knob knob)
{
	u32 kept = before->params_read & rg_params_of(knob);
	int i;

	for (i = 0; i < RG_PARAMS; i++)
		if (kept & BIT(i) && section->have->param[i] != before->param[i])
			return false;
	return true;
}
