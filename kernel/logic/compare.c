// SPDX-License-Identifier: GPL-2.0
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
 * rg_tcs_fit - are traffic classes as the policy wants them?
 * @want: what the policy holds
 * @prio_tc: traffic class of each priority
 * @tsa: enum roceguard_tsa of each traffic class
 * @bandwidth: percent of each traffic class
 *
 * Traffic classes that no priority goes to carry nothing and do not matter.
 *
 * Return: true if they are.
 */
bool rg_tcs_fit(const struct rg_want *want, const u8 *prio_tc, const u8 *tsa,
		const u8 *bandwidth)
{
	int tc;

	if (memcmp(prio_tc, want->prio_tc, sizeof(want->prio_tc)))
		return false;
	for (tc = 0; tc < want->n_tcs; tc++) {
		if (tsa[tc] != want->tsa[tc])
			return false;
		if (tsa[tc] == ROCEGUARD_TSA_ETS &&
		    bandwidth[tc] != want->bandwidth[tc])
			return false;
	}
	return true;
}
