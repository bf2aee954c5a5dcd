// SPDX-License-Identifier: GPL-2.0
#include <linux/dcbnl.h>
#include "compare.h"

/**
 * rg_dscp_landing - the priorities that frames with a DSCP land in
 * @entry: what is known of the DSCP
 *
 * Return: their mask, as far as can be known.
 */
u8 rg_dscp_landing(const struct rg_dscp_entry *entry)
{
	if (entry->hw != RG_UNSET)
		return entry->table | BIT(entry->hw);
	return entry->table ? entry->table : BIT(entry->fallback);
}

/**
 * rg_dscp_fits - does a DSCP go where the policy wants it?
 * @want: what the policy holds
 * @dscp: 0..63
 * @entry: what is known of it
 *
 * Return: true if it does; for a DSCP that the policy does not name, if it
 * keeps out of the priorities that belong to others.
 */
bool rg_dscp_fits(const struct rg_want *want, u8 dscp,
		  const struct rg_dscp_entry *entry)
{
	u8 prio = want->map[dscp];

	if (prio == RG_UNSET)
		return !(rg_dscp_landing(entry) & want->exclusive);
	if (entry->table != BIT(prio))
		return false;
	return entry->hw == RG_UNSET || entry->hw == prio;
}

/**
 * rg_tsa_from_ieee - how a traffic class is served, as roceguard numbers it
 * @tsa: IEEE_8021QAZ_TSA_
 *
 * Return: enum roceguard_tsa, or RG_UNSET: neither strict nor ets.
 */
u8 rg_tsa_from_ieee(u8 tsa)
{
	switch (tsa) {
	case IEEE_8021QAZ_TSA_STRICT:
		return ROCEGUARD_TSA_STRICT;
	case IEEE_8021QAZ_TSA_ETS:
		return ROCEGUARD_TSA_ETS;
	default:
		return RG_UNSET;
	}
}

/**
 * rg_tcs_wanted - the traffic classes of a policy
 * @want: what the policy holds
 *
 * Return: them.
 */
struct rg_tcs rg_tcs_wanted(const struct rg_want *want)
{
	struct rg_tcs tcs = { .n = want->n_tcs };

	memcpy(tcs.prio_tc, want->prio_tc, sizeof(tcs.prio_tc));
	memcpy(tcs.tsa, want->tsa, sizeof(tcs.tsa));
	memcpy(tcs.bandwidth, want->bandwidth, sizeof(tcs.bandwidth));
	return tcs;
}

/* The priorities of a traffic class that something is sorted into. */
static u8 rg_tc_carriers(const struct rg_want *want, u8 tc)
{
	u8 members = 0, carriers;
	int prio;

	for (prio = 0; prio < RG_PRIORITIES; prio++)
		if (want->prio_tc[prio] == tc)
			members |= BIT(prio);
	/* What is of no class goes to priority 0. */
	carriers = members & (want->exclusive | BIT(0));
	return carriers ? carriers : members & -members;
}

/**
 * rg_tcs_by_priority - the traffic classes of a policy, one for each priority
 * @want: what the policy holds
 *
 * For NICs that have it no other way: a priority treats its frames as the class
 * of the policy would, and a class of several priorities is shared among those
 * that carry something.
 *
 * Return: them.
 */
struct rg_tcs rg_tcs_by_priority(const struct rg_want *want)
{
	struct rg_tcs tcs = { .n = RG_PRIORITIES };
	unsigned int share, left, n;
	u8 carriers;
	int tc, prio;

	for (prio = 0; prio < RG_PRIORITIES; prio++) {
		tcs.prio_tc[prio] = prio;
		tcs.tsa[prio] = want->tsa[want->prio_tc[prio]];
	}
	for (tc = 0; tc < RG_TCS; tc++) {
		carriers = rg_tc_carriers(want, tc);
		n = hweight8(carriers);
		share = n ? want->bandwidth[tc] / n : 0;
		left = want->bandwidth[tc] - n * share;
		for (prio = 0; prio < RG_PRIORITIES; prio++) {
			if (!(carriers & BIT(prio)))
				continue;
			tcs.bandwidth[prio] = share + left;
			left = 0;
		}
	}
	return tcs;
}

/**
 * rg_tcs_fit - are traffic classes as they are wanted?
 * @want: how
 * @prio_tc: traffic class of each priority
 * @tsa: enum roceguard_tsa of each traffic class
 * @bandwidth: percent of each traffic class
 *
 * Traffic classes that no priority goes to carry nothing and do not matter.
 *
 * Return: true if they are.
 */
bool rg_tcs_fit(const struct rg_tcs *want, const u8 *prio_tc, const u8 *tsa,
		const u8 *bandwidth)
{
	int tc;

	if (memcmp(prio_tc, want->prio_tc, sizeof(want->prio_tc)))
		return false;
	for (tc = 0; tc < want->n; tc++) {
		if (tsa[tc] != want->tsa[tc])
			return false;
		if (tsa[tc] == ROCEGUARD_TSA_ETS &&
		    bandwidth[tc] != want->bandwidth[tc])
			return false;
	}
	return true;
}

/**
 * rg_path_mtu - what a RoCE v2 frame can carry
 * @mtu: of the netdev
 *
 * Return: bytes, 256 to 4096; 0: too small for RoCE v2.
 */
u32 rg_path_mtu(u32 mtu)
{
	u32 path = RG_PATH_MTU_MAX;

	while (path >= RG_PATH_MTU_MIN && path + RG_ROCE_OVERHEAD > mtu)
		path /= 2;
	return path >= RG_PATH_MTU_MIN ? path : 0;
}

/**
 * rg_cable_bits - what is under way on a cable, there and back
 * @metres: its length
 * @mbps: rate of the link in Mbit/s
 *
 * The PFC link delay allowance of 802.1Q, which does not count frames and what
 * interfaces take: those are the NIC's to know.
 *
 * Return: bit times, rounded up.
 */
u32 rg_cable_bits(u16 metres, u32 mbps)
{
	u32 per_us = RG_CABLE_M_PER_US / 2;

	return (metres * mbps + per_us - 1) / per_us;
}

static bool rg_rate_fits(u32 want, u64 have)
{
	u64 slack = max((u64)RG_RATE_SLACK_KBPS,
			(u64)(want / RG_RATE_SLACK_PART));

	if (!want || !have)
		return want == have;
	return have > want ? have - want < slack : want - have < slack;
}

/**
 * rg_rates_fit - are traffic classes limited as the policy wants them?
 * @want: what the policy holds
 * @kbps: limit of each traffic class in kbit/s, 0: none
 *
 * A NIC has steps: mlx5 rounds up to 100 Mbit/s, to 1 Gbit/s above 25.5 Gbit/s.
 *
 * Return: true if those that the policy names are, but for less than a step.
 */
bool rg_rates_fit(const struct rg_want *want, const u64 *kbps)
{
	int tc;

	for (tc = 0; tc < RG_TCS; tc++)
		if (want->rated & BIT(tc) &&
		    !rg_rate_fits(want->kbps[tc], kbps[tc]))
			return false;
	return true;
}

static bool rg_size_fits(u32 want, u32 have)
{
	if (!want || !have)
		return want == have;
	return have > want ? have - want < RG_BUFFER_SLACK :
			     want - have < RG_BUFFER_SLACK;
}

/**
 * rg_buffers_fit - are receive buffers as the policy wants them?
 * @want: what the policy holds
 * @size: bytes of each buffer
 * @prio_buffer: buffer of each priority
 *
 * A NIC has cells of 128 bytes or so.
 *
 * Return: true if those that the policy names are, but for less than
 * RG_BUFFER_SLACK.
 */
bool rg_buffers_fit(const struct rg_want *want, const u32 *size,
		    const u8 *prio_buffer)
{
	int i;

	for (i = 0; i < RG_BUFFERS; i++)
		if (want->sized & BIT(i) &&
		    !rg_size_fits(want->buffer_size[i], size[i]))
			return false;
	for (i = 0; i < RG_PRIORITIES; i++)
		if (want->prio_buffer[i] != RG_UNSET &&
		    want->prio_buffer[i] != prio_buffer[i])
			return false;
	return true;
}
