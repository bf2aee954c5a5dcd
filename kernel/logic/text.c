// SPDX-License-Identifier: GPL-2.0
#include "text.h"

/**
 * rg_text_init - an empty line
 * @text: to be set up
 */
void rg_text_init(struct rg_text *text)
{
	text->buf[0] = 0;
	text->len = 0;
}

/**
 * rg_text_add - add to a line
 * @text: the line
 * @fmt: printf format
 *
 * What no longer fits is replaced by three dots.
 */
void rg_text_add(struct rg_text *text, const char *fmt, ...)
{
	unsigned int room = sizeof(text->buf) - text->len;
	va_list args;

	va_start(args, fmt);
	text->len += vscnprintf(text->buf + text->len, room, fmt, args);
	va_end(args);
	if (text->len == sizeof(text->buf) - 1)
		memcpy(text->buf + sizeof(text->buf) - 4, "...", 4);
}

static const char *rg_text_gap(const struct rg_text *text)
{
	return text->len ? " " : "";
}

/**
 * rg_text_priorities - add a set of priorities: "3 4", or "none"
 * @text: the line
 * @mask: bit n: priority n
 */
void rg_text_priorities(struct rg_text *text, u8 mask)
{
	int prio;

	if (!mask)
		rg_text_add(text, "%snone", rg_text_gap(text));
	for (prio = 0; prio < RG_PRIORITIES; prio++)
		if (mask & BIT(prio))
			rg_text_add(text, "%s%d", rg_text_gap(text), prio);
}

/**
 * rg_text_pause - add global pause: "rx off tx off"
 * @text: the line
 * @rx: honoured
 * @tx: sent
 */
void rg_text_pause(struct rg_text *text, bool rx, bool tx)
{
	rg_text_add(text, "rx %s tx %s", rx ? "on" : "off", tx ? "on" : "off");
}

/**
 * rg_text_ecn - add DCQCN roles: "np 3 rp 3"
 * @text: the line
 * @np: mask of priorities with the notification point on
 * @rp: mask of priorities with the reaction point on
 */
void rg_text_ecn(struct rg_text *text, u8 np, u8 rp)
{
	rg_text_add(text, "np");
	rg_text_priorities(text, np);
	rg_text_add(text, " rp");
	rg_text_priorities(text, rp);
}

/**
 * rg_text_ets - add an ETS setting: "prio 3:1 6:2 tc 0:ets:50 1:ets:50 2:strict"
 * @text: the line
 * @prio_tc: traffic class of each priority; those in class 0 are not listed
 * @tsa: enum roceguard_tsa of each traffic class; others are shown as "other"
 * @bandwidth: percent of each traffic class
 * @n_tcs: how many traffic classes to list
 */
void rg_text_ets(struct rg_text *text, const u8 *prio_tc, const u8 *tsa,
		 const u8 *bandwidth, unsigned int n_tcs)
{
	unsigned int i;

	rg_text_add(text, "prio");
	for (i = 0; i < RG_PRIORITIES; i++)
		if (prio_tc[i])
			rg_text_add(text, " %u:%u", i, prio_tc[i]);
	rg_text_add(text, " tc");
	for (i = 0; i < n_tcs; i++) {
		if (tsa[i] == ROCEGUARD_TSA_ETS)
			rg_text_add(text, " %u:ets:%u", i, bandwidth[i]);
		else
			rg_text_add(text, " %u:%s", i,
				    tsa[i] == ROCEGUARD_TSA_STRICT ? "strict" :
								     "other");
	}
}

/**
 * rg_text_trust - a trust mode in a word
 * @trust: enum roceguard_trust
 *
 * Return: "pcp" or "dscp".
 */
const char *rg_text_trust(u8 trust)
{
	return trust == ROCEGUARD_TRUST_DSCP ? "dscp" : "pcp";
}
