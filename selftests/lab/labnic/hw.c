// SPDX-License-Identifier: GPL-2.0
/* The hardware: its state, and the writes that a driver makes to it. */
#include <linux/delay.h>
#include <linux/moduleparam.h>
#include "compat.h"
#include "labnic.h"

#define LABNIC_COMMAND_SLACK_US	20

static unsigned int labnic_command_us;
module_param_named(command_us, labnic_command_us, uint, 0644);
MODULE_PARM_DESC(command_us,
		 "How long each firmware command takes, in us (default 0)");

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

/**
 * labnic_hw_begin - a firmware command: takes its time, then holds the hardware
 * @nic: the NIC
 */
void labnic_hw_begin(struct labnic *nic)
	__acquires(&nic->hw_lock)
{
	unsigned int us = READ_ONCE(labnic_command_us);

	if (us)
		usleep_range(us, us + LABNIC_COMMAND_SLACK_US);
	spin_lock_bh(&nic->hw_lock);
}

/**
 * labnic_hw_end - the command is done
 * @nic: the NIC
 */
void labnic_hw_end(struct labnic *nic)
	__releases(&nic->hw_lock)
{
	labnic_right_see(nic);
	spin_unlock_bh(&nic->hw_lock);
}

void labnic_hw_get(struct labnic *nic, struct labnic_hw *hw)
{
	labnic_hw_begin(nic);
	*hw = nic->hw;
	labnic_hw_end(nic);
}

void labnic_hw_set_pfc(struct labnic *nic, u8 mask)
{
	labnic_hw_begin(nic);
	WRITE_ONCE(nic->hw.pfc, mask);
	labnic_hw_end(nic);
}

void labnic_hw_set_trust(struct labnic *nic, enum labnic_trust trust)
{
	labnic_hw_begin(nic);
	WRITE_ONCE(nic->hw.trust, trust);
	labnic_hw_end(nic);
}

void labnic_hw_set_dscp(struct labnic *nic, u8 dscp, u8 prio)
{
	labnic_hw_begin(nic);
	WRITE_ONCE(nic->hw.dscp2prio[dscp], prio);
	labnic_hw_end(nic);
}

void labnic_hw_set_pcp(struct labnic *nic, u8 pcp, u8 prio)
{
	labnic_hw_begin(nic);
	WRITE_ONCE(nic->hw.pcp2prio[pcp], prio);
	labnic_hw_end(nic);
}

void labnic_hw_set_default(struct labnic *nic, u8 prio)
{
	labnic_hw_begin(nic);
	WRITE_ONCE(nic->hw.default_prio, prio);
	labnic_hw_end(nic);
}

void labnic_hw_set_ets(struct labnic *nic, const struct ieee_ets *ets)
{
	labnic_hw_begin(nic);
	memcpy(nic->hw.prio_tc, ets->prio_tc, sizeof(nic->hw.prio_tc));
	memcpy(nic->hw.tsa, ets->tc_tsa, sizeof(nic->hw.tsa));
	memcpy(nic->hw.bandwidth, ets->tc_tx_bw, sizeof(nic->hw.bandwidth));
	labnic_hw_end(nic);
}

void labnic_hw_set_maxrate(struct labnic *nic, const u64 *kbps)
{
	labnic_hw_begin(nic);
	memcpy(nic->hw.maxrate, kbps, sizeof(nic->hw.maxrate));
	labnic_hw_end(nic);
}

void labnic_hw_set_buffer(struct labnic *nic, const struct dcbnl_buffer *buf)
{
	labnic_hw_begin(nic);
	memcpy(nic->hw.prio2buffer, buf->prio2buffer,
	       sizeof(nic->hw.prio2buffer));
	memcpy(nic->hw.buffer_size, buf->buffer_size,
	       sizeof(nic->hw.buffer_size));
	labnic_hw_end(nic);
}

void labnic_hw_set_storm(struct labnic *nic, u16 ms)
{
	labnic_hw_begin(nic);
	nic->hw.storm_ms = ms;
	labnic_hw_end(nic);
}

void labnic_hw_set_pause(struct labnic *nic, bool rx, bool tx)
{
	labnic_hw_begin(nic);
	nic->hw.pause_rx = rx;
	nic->hw.pause_tx = tx;
	labnic_hw_end(nic);
}
