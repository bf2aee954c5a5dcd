/* SPDX-License-Identifier: GPL-2.0 */
/* Settings in words, as history, netlink and the helper show them. */
#ifndef RG_LOGIC_TEXT_H
#define RG_LOGIC_TEXT_H

#include "policy.h"

/* Long enough for every priority and traffic class; DSCP lists are cut. */
#define RG_TEXT_MAX	128

/**
 * struct rg_text - a line being put together
 * @buf: NUL-terminated at all times; "..." at its end: the rest was cut
 * @len: bytes in it
 */
struct rg_text {
	char buf[RG_TEXT_MAX];
	unsigned int len;
};

void rg_text_init(struct rg_text *text);
void __printf(2, 3) rg_text_add(struct rg_text *text, const char *fmt, ...);
void rg_text_priorities(struct rg_text *text, u8 mask);
void rg_text_dscp(struct rg_text *text, u8 dscp, u8 priorities);
void rg_text_pause(struct rg_text *text, bool rx, bool tx);
void rg_text_ecn(struct rg_text *text, const u8 *on, const bool *per_port);
void rg_text_ets(struct rg_text *text, const u8 *prio_tc, const u8 *tsa,
		 const u8 *bandwidth, unsigned int n_tcs);
void rg_text_rates(struct rg_text *text, u8 tcs, const u64 *kbps);
void rg_text_buffers(struct rg_text *text, u8 buffers, const u32 *size,
		     const u8 *prio_buffer);
void rg_text_delay(struct rg_text *text, u16 delay, bool metres);
void rg_text_storm(struct rg_text *text, u16 ms);
void rg_text_time(struct rg_text *text, u32 ms);
void rg_text_params(struct rg_text *text, u32 which, const u32 *value);
void rg_text_mtu(struct rg_text *text, u32 mtu);
void rg_text_rdma_cm(struct rg_text *text, u8 tos, u8 mode);
void rg_text_egress(struct rg_text *text, const u8 *priority);
const char *rg_text_trust(u8 trust);

#endif /* RG_LOGIC_TEXT_H */
