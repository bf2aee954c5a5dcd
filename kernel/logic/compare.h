/* SPDX-License-Identifier: GPL-2.0 */
/* Is what a port has what a policy wants? Where that takes more than "==". */
#ifndef RG_LOGIC_COMPARE_H
#define RG_LOGIC_COMPARE_H

#include "policy.h"

/**
 * struct rg_dscp_entry - what is known of one DSCP on a port
 * @table: mask of priorities that the APP table has for it
 * @fallback: where the driver sends it without an entry
 * @hw: where the hardware says it goes, or RG_UNSET: it does not say
 */
struct rg_dscp_entry {
	u8 table;
	u8 fallback;
	u8 hw;
};

/**
 * struct rg_tcs - traffic classes
 * @prio_tc: traffic class of each priority
 * @n: traffic classes 0..@n-1 carry traffic; the others do not matter
 * @tsa: enum roceguard_tsa of each of them
 * @bandwidth: percent of each of them, 0 if strict
 */
struct rg_tcs {
	u8 prio_tc[RG_PRIORITIES];
	u8 n;
	u8 tsa[RG_TCS];
	u8 bandwidth[RG_TCS];
};

u8 rg_dscp_landing(const struct rg_dscp_entry *entry);
bool rg_dscp_fits(const struct rg_want *want, u8 dscp,
		  const struct rg_dscp_entry *entry);
u8 rg_tsa_from_ieee(u8 tsa);
struct rg_tcs rg_tcs_wanted(const struct rg_want *want);
struct rg_tcs rg_tcs_by_priority(const struct rg_want *want);
bool rg_tcs_fit(const struct rg_tcs *want, const u8 *prio_tc, const u8 *tsa,
		const u8 *bandwidth);

/* How far a NIC may round what it is told, both its own way. */
#define RG_RATE_SLACK_KBPS	100000		/* one of its steps */
#define RG_RATE_SLACK_PART	25		/* or this part of the rate */
#define RG_BUFFER_SLACK		1024		/* bytes: a few cells */

/* A signal goes 198 m in a microsecond, in fibre and copper. */
#define RG_CABLE_M_PER_US	198

/* RoCE v2 headers and checksum around the payload, as the kernel counts. */
#define RG_ROCE_OVERHEAD	96
#define RG_PATH_MTU_MIN		256
#define RG_PATH_MTU_MAX		4096

u32 rg_path_mtu(u32 mtu);
u32 rg_cable_bits(u16 metres, u32 mbps);
bool rg_rates_fit(const struct rg_want *want, const u64 *kbps);
bool rg_buffers_fit(const struct rg_want *want, const u32 *size,
		    const u8 *prio_buffer);

#endif /* RG_LOGIC_COMPARE_H */
