// SPDX-License-Identifier: GPL-2.0
#include "compare.h"
#include "params.h"
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
 * rg_text_dscp - add where a DSCP goes: " 26:3+4"
 * @text: the line
 * @dscp: 0..63
 * @priorities: mask of them
 */
void rg_text_dscp(struct rg_text *text, u8 dscp, u8 priorities)
{
	const char *gap = ":";
	int prio;

	rg_text_add(text, " %u", dscp);
	for (prio = 0; prio < RG_PRIORITIES; prio++) {
		if (!(priorities & BIT(prio)))
			continue;
		rg_text_add(text, "%s%d", gap, prio);
		gap = "+";
	}
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
 * rg_text_ecn - add DCQCN roles: "np 3 rp 3", "np port-wide rp 3"
 * @text: the line
 * @on: masks of priorities with the notification and the reaction point on
 * @per_port: which of the two is one switch for the port; NULL: neither
 */
void rg_text_ecn(struct rg_text *text, const u8 *on, const bool *per_port)
{
	static const char *const role[] = { "np", "rp" };
	int i;

	for (i = 0; i < 2; i++) {
		rg_text_add(text, "%s%s", rg_text_gap(text), role[i]);
		if (on[i] && per_port && per_port[i])
			rg_text_add(text, " port-wide");
		else
			rg_text_priorities(text, on[i]);
	}
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

static void rg_text_rate(struct rg_text *text, u64 kbps)
{
	static const struct {
		u32 kbps;
		const char *unit;
	} units[] = { { 1000000, "Gbit" }, { 1000, "Mbit" }, { 1, "kbit" } };
	size_t i = 0;

	if (!kbps) {
		rg_text_add(text, "none");
		return;
	}
	/* Rates of NICs fit in 32 bits, which divide everywhere. */
	kbps = min(kbps, (u64)0xffffffff);
	while ((u32)kbps % units[i].kbps)
		i++;
	rg_text_add(text, "%u%s", (u32)kbps / units[i].kbps, units[i].unit);
}

/**
 * rg_text_rates - add limits of traffic classes: "1:10Gbit 2:none"
 * @text: the line
 * @tcs: mask of the traffic classes to list
 * @kbps: limit of each in kbit/s, 0: none
 */
void rg_text_rates(struct rg_text *text, u8 tcs, const u64 *kbps)
{
	int tc;

	for (tc = 0; tc < RG_TCS; tc++) {
		if (!(tcs & BIT(tc)))
			continue;
		rg_text_add(text, "%s%d:", rg_text_gap(text), tc);
		rg_text_rate(text, kbps[tc]);
	}
}

/**
 * rg_text_buffers - add receive buffers: "size 0:20480 1:131072 prio 3:1"
 * @text: the line
 * @buffers: mask of the buffers whose sizes to list
 * @size: bytes of each
 * @prio_buffer: buffer of each priority, or RG_UNSET: not listed
 */
void rg_text_buffers(struct rg_text *text, u8 buffers, const u32 *size,
		     const u8 *prio_buffer)
{
	bool first = true;
	int i;

	if (buffers)
		rg_text_add(text, "%ssize", rg_text_gap(text));
	for (i = 0; i < RG_BUFFERS; i++)
		if (buffers & BIT(i))
			rg_text_add(text, " %d:%u", i, size[i]);
	for (i = 0; i < RG_PRIORITIES; i++) {
		if (prio_buffer[i] == RG_UNSET)
			continue;
		if (first)
			rg_text_add(text, "%sprio", rg_text_gap(text));
		first = false;
		rg_text_add(text, " %d:%u", i, prio_buffer[i]);
	}
}

/**
 * rg_text_delay - add what PFC allows for the cable: "cable 5m", "delay 5051bit"
 * @text: the line
 * @delay: as the driver has it
 * @metres: of cable, not bit times there and back
 */
void rg_text_delay(struct rg_text *text, u16 delay, bool metres)
{
	rg_text_add(text, metres ? "%scable %um" : "%sdelay %ubit",
		    rg_text_gap(text), delay);
}

/**
 * rg_text_storm - add the time of storm prevention: "100ms", "auto" or "off"
 * @text: the line
 * @ms: the time, ROCEGUARD_STORM_OFF or ROCEGUARD_STORM_AUTO
 */
void rg_text_storm(struct rg_text *text, u16 ms)
{
	switch (ms) {
	case ROCEGUARD_STORM_OFF:
		rg_text_add(text, "off");
		break;
	case ROCEGUARD_STORM_AUTO:
		rg_text_add(text, "auto");
		break;
	default:
		rg_text_add(text, "%ums", ms);
		break;
	}
}

/**
 * rg_text_time - add a time: "200ms", or "60s" if it has no others
 * @text: the line
 * @ms: the time
 */
void rg_text_time(struct rg_text *text, u32 ms)
{
	if (ms && ms % 1000 == 0)
		rg_text_add(text, "%us", ms / 1000);
	else
		rg_text_add(text, "%ums", ms);
}

/**
 * rg_text_params - add parameters of DCQCN: "rp-ai-rate 5 rp-hai-rate 50"
 * @text: the line
 * @which: mask of enum roceguard_param
 * @value: of each
 */
void rg_text_params(struct rg_text *text, u32 which, const u32 *value)
{
	int i;

	for (i = 0; i < RG_PARAMS; i++)
		if (which & BIT(i))
			rg_text_add(text, "%s%s %u", rg_text_gap(text),
				    rg_params[i].name, value[i]);
}

/**
 * rg_text_mtu - add an MTU and what a RoCE frame carries then: "1500 path 1024"
 * @text: the line
 * @mtu: of the netdev
 */
void rg_text_mtu(struct rg_text *text, u32 mtu)
{
	rg_text_add(text, "%u path %u", mtu, rg_path_mtu(mtu));
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

/**
 * rg_text_rdma_cm - add what connections get that say none: "tos 104 mode 2"
 * @text: the line
 * @tos: ToS byte, or RG_UNSET
 * @mode: RoCE mode, or RG_UNSET
 */
void rg_text_rdma_cm(struct rg_text *text, u8 tos, u8 mode)
{
	if (tos != RG_UNSET)
		rg_text_add(text, "%stos %u", rg_text_gap(text), tos);
	if (mode != RG_UNSET)
		rg_text_add(text, "%smode %u", rg_text_gap(text), mode);
}

/**
 * rg_text_egress - add an egress map: "2:3"
 * @text: the line
 * @priority: of each socket priority, or RG_UNSET
 */
void rg_text_egress(struct rg_text *text, const u8 *priority)
{
	int skprio;

	for (skprio = 0; skprio < RG_SKPRIOS; skprio++)
		if (priority[skprio] != RG_UNSET)
			rg_text_add(text, "%s%d:%u", rg_text_gap(text), skprio,
				    priority[skprio]);
}
