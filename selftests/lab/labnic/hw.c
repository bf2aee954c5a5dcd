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

const char * const labnic_cc_names[LABNIC_CCS] = {
	[LABNIC_CC_RP_CLAMP_TGT_RATE] = "rp_clamp_tgt_rate",
	[LABNIC_CC_RP_CLAMP_TGT_RATE_ATI] = "rp_clamp_tgt_rate_ati",
	[LABNIC_CC_RP_TIME_RESET] = "rp_time_reset",
	[LABNIC_CC_RP_BYTE_RESET] = "rp_byte_reset",
	[LABNIC_CC_RP_THRESHOLD] = "rp_threshold",
	[LABNIC_CC_RP_MAX_RATE] = "rp_max_rate",
	[LABNIC_CC_RP_AI_RATE] = "rp_ai_rate",
	[LABNIC_CC_RP_HAI_RATE] = "rp_hai_rate",
	[LABNIC_CC_RP_MIN_DEC_FAC] = "rp_min_dec_fac",
	[LABNIC_CC_RP_MIN_RATE] = "rp_min_rate",
	[LABNIC_CC_RP_RATE_TO_SET_ON_FIRST_CNP] = "rp_rate_to_set_on_first_cnp",
	[LABNIC_CC_RP_DCE_TCP_G] = "rp_dce_tcp_g",
	[LABNIC_CC_RP_DCE_TCP_RTT] = "rp_dce_tcp_rtt",
	[LABNIC_CC_RP_RATE_REDUCE_MONITOR_PERIOD] = "rp_rate_reduce_monitor_period",
	[LABNIC_CC_RP_INITIAL_ALPHA_VALUE] = "rp_initial_alpha_value",
	[LABNIC_CC_RP_GD] = "rp_gd",
	[LABNIC_CC_NP_MIN_TIME_BETWEEN_CNPS] = "np_min_time_between_cnps",
	[LABNIC_CC_NP_CNP_DSCP] = "np_cnp_dscp",
	[LABNIC_CC_NP_CNP_PRIO] = "np_cnp_prio",
	[LABNIC_CC_NP_CNP_PRIO_MODE] = "np_cnp_prio_mode",
	[LABNIC_CC_RTT_RESP_DSCP_VALID] = "rtt_resp_dscp_valid",
	[LABNIC_CC_RTT_RESP_DSCP] = "rtt_resp_dscp",
};

static const u32 labnic_cc_power_on[LABNIC_CCS] = {
	[LABNIC_CC_RP_CLAMP_TGT_RATE_ATI] = 1,
	[LABNIC_CC_RP_TIME_RESET] = 300,
	[LABNIC_CC_RP_BYTE_RESET] = 32767,
	[LABNIC_CC_RP_THRESHOLD] = 1,
	[LABNIC_CC_RP_AI_RATE] = 5,
	[LABNIC_CC_RP_HAI_RATE] = 50,
	[LABNIC_CC_RP_MIN_DEC_FAC] = 50,
	[LABNIC_CC_RP_MIN_RATE] = 1,
	[LABNIC_CC_RP_DCE_TCP_G] = 1019,
	[LABNIC_CC_RP_DCE_TCP_RTT] = 1,
	[LABNIC_CC_RP_RATE_REDUCE_MONITOR_PERIOD] = 4,
	[LABNIC_CC_RP_INITIAL_ALPHA_VALUE] = 1023,
	[LABNIC_CC_RP_GD] = 11,
	[LABNIC_CC_NP_MIN_TIME_BETWEEN_CNPS] = 4,
	[LABNIC_CC_NP_CNP_DSCP] = 48,
	[LABNIC_CC_NP_CNP_PRIO] = 6,
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
	memcpy(hw->cc, labnic_cc_power_on, sizeof(hw->cc));
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
	labnic_pause_end(nic, mask);
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

/**
 * labnic_hw_get_cc - read a parameter of congestion control
 * @nic: the NIC
 * @cc: enum labnic_cc
 * @value: the answer
 *
 * Return: 0, or -EOPNOTSUPP if the NIC does not have it.
 */
int labnic_hw_get_cc(struct labnic *nic, unsigned int cc, u32 *value)
{
	if (cc >= LABNIC_CCS || nic->personality->no_cc & BIT(cc))
		return -EOPNOTSUPP;
	labnic_hw_begin(nic);
	*value = nic->hw.cc[cc];
	labnic_hw_end(nic);
	return 0;
}

/**
 * labnic_hw_set_cc - write a parameter of congestion control
 * @nic: the NIC
 * @cc: enum labnic_cc
 * @value: the hardware takes any
 *
 * CNPs go by a priority that has just been written.
 *
 * Return: 0, or -EOPNOTSUPP if the NIC does not have it.
 */
int labnic_hw_set_cc(struct labnic *nic, unsigned int cc, u32 value)
{
	if (cc >= LABNIC_CCS || nic->personality->no_cc & BIT(cc))
		return -EOPNOTSUPP;
	labnic_hw_begin(nic);
	nic->hw.cc[cc] = value;
	if (cc == LABNIC_CC_NP_CNP_PRIO)
		nic->hw.cc[LABNIC_CC_NP_CNP_PRIO_MODE] = 0;
	labnic_hw_end(nic);
	labnic_journal(nic, 0, "cc %s %u", labnic_cc_names[cc], value);
	return 0;
}

void labnic_hw_set_pause(struct labnic *nic, bool rx, bool tx)
{
	labnic_hw_begin(nic);
	nic->hw.pause_rx = rx;
	nic->hw.pause_tx = tx;
	labnic_hw_end(nic);
}
