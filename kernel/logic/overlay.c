// SPDX-License-Identifier: GPL-2.0
#include "overlay.h"
#include "params.h"

/**
 * rg_overlay_init - nothing is said any more
 * @overlay: to be emptied; its serial goes on
 */
void rg_overlay_init(struct rg_overlay *overlay)
{
	u32 serial = overlay->serial;

	memset(overlay, 0, sizeof(*overlay));
	overlay->serial = serial + 1;
}

/* Return: true if it was not said already. */
static bool rg_overlay_say(struct rg_overlay *overlay, enum roceguard_knob knob,
			   bool news, const struct rg_said *said)
{
	overlay->knobs |= BIT(knob);
	overlay->said[knob].generation = said->generation;
	if (news) {
		overlay->said[knob] = *said;
		overlay->serial++;
	}
	return news;
}

/**
 * rg_overlay_say_ecn - an end of DCQCN is to be on or off
 * @overlay: gets it
 * @role: 0 NP, 1 RP
 * @prio: for which priority
 * @on: on or off
 * @said: by whom
 *
 * Return: true if that is news.
 */
bool rg_overlay_say_ecn(struct rg_overlay *overlay, unsigned int role,
			unsigned int prio, bool on, const struct rg_said *said)
{
	bool news = rg_overlay_ecn(overlay, role, prio) != (on ? RG_YES : RG_NO);
	u8 *yes = on ? overlay->ecn_on : overlay->ecn_off;
	u8 *no = on ? overlay->ecn_off : overlay->ecn_on;

	yes[role] |= BIT(prio);
	no[role] &= ~BIT(prio);
	return rg_overlay_say(overlay, ROCEGUARD_KNOB_ECN, news, said);
}

/**
 * rg_overlay_say_param - a parameter of DCQCN is to have a value
 * @overlay: gets it
 * @param: which
 * @value: within its limits
 * @said: by whom
 *
 * Return: true if that is news.
 */
bool rg_overlay_say_param(struct rg_overlay *overlay, enum roceguard_param param,
			  u32 value, const struct rg_said *said)
{
	bool news = !(overlay->params & BIT(param)) ||
		    overlay->param[param] != value;

	overlay->params |= BIT(param);
	overlay->param[param] = value;
	return rg_overlay_say(overlay, rg_params[param].knob, news, said);
}

/**
 * rg_overlay_ecn - what was said of an end of DCQCN
 * @overlay: what was said
 * @role: 0 NP, 1 RP
 * @prio: of which priority
 *
 * Return: enum rg_tristate.
 */
enum rg_tristate rg_overlay_ecn(const struct rg_overlay *overlay,
				unsigned int role, unsigned int prio)
{
	if (overlay->ecn_on[role] & BIT(prio))
		return RG_YES;
	return overlay->ecn_off[role] & BIT(prio) ? RG_NO : RG_NOT_SAID;
}

static void rg_overlay_take_back(struct rg_overlay *overlay,
				 enum roceguard_knob knob)
{
	overlay->knobs &= ~BIT(knob);
	overlay->params &= ~rg_params_of(knob);
	overlay->serial++;
	if (knob == ROCEGUARD_KNOB_ECN) {
		memset(overlay->ecn_on, 0, sizeof(overlay->ecn_on));
		memset(overlay->ecn_off, 0, sizeof(overlay->ecn_off));
	}
}

/**
 * rg_overlay_yield - take back what a later policy says otherwise
 * @overlay: what was said
 * @knobs: that the policy names
 * @generation: of the policy
 */
void rg_overlay_yield(struct rg_overlay *overlay, u32 knobs, u32 generation)
{
	int i;

	for (i = 0; i < RG_KNOBS; i++)
		if (overlay->knobs & knobs & BIT(i) &&
		    (int)(generation - overlay->said[i].generation) > 0)
			rg_overlay_take_back(overlay, i);
}

/**
 * rg_overlay_apply - put what was said over what a policy holds
 * @overlay: what was said
 * @want: what the policy holds, or nothing
 */
void rg_overlay_apply(const struct rg_overlay *overlay, struct rg_want *want)
{
	int role, i;

	want->knobs |= overlay->knobs;
	want->params |= overlay->params;
	for (i = 0; i < RG_PARAMS; i++)
		if (overlay->params & BIT(i))
			want->param[i] = overlay->param[i];
	for (role = 0; role < 2; role++) {
		u8 on = overlay->ecn_on[role], off = overlay->ecn_off[role];

		want->ecn_on[role] = (want->ecn_on[role] & ~off) | on;
		want->ecn_off[role] = (want->ecn_off[role] & ~on) | off;
	}
}

static void rg_overlay_describe_role(struct rg_text *text, const char *role,
				     u8 on, u8 off)
{
	if (!on && !off)
		return;
	rg_text_add(text, "%s%s", text->len ? " " : "", role);
	if (on)
		rg_text_priorities(text, on);
	if (!off)
		return;
	rg_text_add(text, " off");
	rg_text_priorities(text, off);
}

/**
 * rg_overlay_describe - what was said of a knob, in words: "np 3 rp 3 off 4"
 * @overlay: what was said
 * @knob: of which
 * @text: the line
 */
void rg_overlay_describe(const struct rg_overlay *overlay,
			 enum roceguard_knob knob, struct rg_text *text)
{
	rg_text_params(text, overlay->params & rg_params_of(knob),
		       overlay->param);
	if (knob != ROCEGUARD_KNOB_ECN)
		return;
	rg_overlay_describe_role(text, "np", overlay->ecn_on[0],
				 overlay->ecn_off[0]);
	rg_overlay_describe_role(text, "rp", overlay->ecn_on[1],
				 overlay->ecn_off[1]);
}
