// SPDX-License-Identifier: GPL-2.0
/* The hardware: its state, and the writes that a driver makes to it. */
#include "compat.h"
#include "labnic.h"

const struct labnic_trust_order labnic_trust_orders[LABNIC_TRUSTS] = {
	[LABNIC_TRUST_NONE] = { "none" },
	[LABNIC_TRUST_PCP] = { "pcp", 1, { DCB_APP_SEL_PCP } },
	[LABNIC_TRUST_DSCP] = { "dscp", 1, { IEEE_8021QAZ_APP_SEL_DSCP } },
	[LABNIC_TRUST_PCP_DSCP] = {
		"pcp dscp", 2, { DCB_APP_SEL_PCP, IEEE_8021QAZ_APP_SEL_DSCP },
	},
	[LABNIC_TRUST_DSCP_PCP] = {
		"dscp pcp", 2, { IEEE_8021QAZ_APP_SEL_DSCP, DCB_APP_SEL_PCP },
	},
};

/**
 * labnic_hw_power_on - what any hardware of ours holds when powered on
 * @hw: the hardware
 *
 * Untagged frames, and so all of RoCE, in priority 0; no PFC; global pause on,
 * as many real NICs have it.
 */
void labnic_hw_power_on(struct labnic_hw *hw)
{
	unsigned int i;

	memset(hw, 0, sizeof(*hw));
	hw->trust = LABNIC_TRUST_PCP;
	for (i = 0; i < LABNIC_PCPS; i++)
		hw->pcp2prio[i] = labnic_default_pcp(i);
	for (i = 0; i < LABNIC_TCS; i++)
		hw->tsa[i] = IEEE_8021QAZ_TSA_STRICT;
	hw->buffer_size[0] = LABNIC_BUFFER_TOTAL;
	hw->pause_rx = true;
	hw->pause_tx = true;
	hw->storm_ms = LABNIC_STORM_MS;
}

void labnic_hw_get(struct labnic *nic, struct labnic_hw *hw)
{
	spin_lock_bh(&nic->hw_lock);
	*hw = nic->hw;
	spin_unlock_bh(&nic->hw_lock);
}

void labnic_hw_set_pfc(struct labnic *nic, u8 mask)
{
	spin_lock_bh(&nic->hw_lock);
	WRITE_ONCE(nic->hw.pfc, mask);
	spin_unlock_bh(&nic->hw_lock);
}

void labnic_hw_set_trust(struct labnic *nic, enum labnic_trust trust)
{
	spin_lock_bh(&nic->hw_lock);
	WRITE_ONCE(nic->hw.trust, trust);
	spin_unlock_bh(&nic->hw_lock);
}

void labnic_hw_set_dscp(struct labnic *nic, u8 dscp, u8 prio)
{
	spin_lock_bh(&nic->hw_lock);
	WRITE_ONCE(nic->hw.dscp2prio[dscp], prio);
	spin_unlock_bh(&nic->hw_lock);
}

void labnic_hw_set_pcp(struct labnic *nic, u8 pcp, u8 prio)
{
	spin_lock_bh(&nic->hw_lock);
	WRITE_ONCE(nic->hw.pcp2prio[pcp], prio);
	spin_unlock_bh(&nic->hw_lock);
}

void labnic_hw_set_default(struct labnic *nic, u8 prio)
{
	spin_lock_bh(&nic->hw_lock);
	WRITE_ONCE(nic->hw.default_prio, prio);
	spin_unlock_bh(&nic->hw_lock);
}

void labnic_hw_set_ets(struct labnic *nic, const struct ieee_ets *ets)
{
	spin_lock_bh(&nic->hw_lock);
	memcpy(nic->hw.prio_tc, ets->prio_tc, sizeof(nic->hw.prio_tc));
	memcpy(nic->hw.tsa, ets->tc_tsa, sizeof(nic->hw.tsa));
	memcpy(nic->hw.bandwidth, ets->tc_tx_bw, sizeof(nic->hw.bandwidth));
	spin_unlock_bh(&nic->hw_lock);
}

void labnic_hw_set_maxrate(struct labnic *nic, const u64 *kbps)
{
	spin_lock_bh(&nic->hw_lock);
	memcpy(nic->hw.maxrate, kbps, sizeof(nic->hw.maxrate));
	spin_unlock_bh(&nic->hw_lock);
}

void labnic_hw_set_buffer(struct labnic *nic, const struct dcbnl_buffer *buf)
{
	spin_lock_bh(&nic->hw_lock);
	memcpy(nic->hw.prio2buffer, buf->prio2buffer,
	       sizeof(nic->hw.prio2buffer));
	memcpy(nic->hw.buffer_size, buf->buffer_size,
	       sizeof(nic->hw.buffer_size));
	spin_unlock_bh(&nic->hw_lock);
}

void labnic_hw_set_storm(struct labnic *nic, u16 ms)
{
	spin_lock_bh(&nic->hw_lock);
	nic->hw.storm_ms = ms;
	spin_unlock_bh(&nic->hw_lock);
}

void labnic_hw_set_pause(struct labnic *nic, bool rx, bool tx)
{
	spin_lock_bh(&nic->hw_lock);
	nic->hw.pause_rx = rx;
	nic->hw.pause_tx = tx;
	spin_unlock_bh(&nic->hw_lock);
}
