// SPDX-License-Identifier: GPL-2.0
/* roceguard_labnic.ko: the roceguard provider for labnic. */
#include <linux/module.h>
#include <linux/slab.h>
#include "provider.h"
#include "labnic.h"

static const enum labnic_role rg_labnic_role[RG_ROLES] = {
	[RG_ROLE_NP] = LABNIC_NP,
	[RG_ROLE_RP] = LABNIC_RP,
};

static int rg_labnic_get_enable(struct net_device *dev, enum rg_role role,
				u8 prio, bool *on)
{
	return labnic_get_ecn(dev, rg_labnic_role[role], prio, on);
}

static int rg_labnic_set_enable(struct net_device *dev, enum rg_role role,
				u8 prio, bool on)
{
	return labnic_set_ecn(dev, rg_labnic_role[role], prio, on);
}

static bool rg_labnic_per_port(struct net_device *dev, enum rg_role role)
{
	return labnic_ecn_per_port(dev, rg_labnic_role[role]);
}

/* By what untagged frames with an IP header, and so RoCE, are classified. */
static u8 rg_labnic_trust(u8 trust)
{
	return trust == LABNIC_TRUST_NONE || trust == LABNIC_TRUST_PCP ?
	       ROCEGUARD_TRUST_PCP : ROCEGUARD_TRUST_DSCP;
}

/* The vendor's own algorithm is none that a policy can ask for. */
static u8 rg_labnic_tsa(u8 tsa)
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

static int rg_labnic_read_hw(struct net_device *dev, struct rg_hw_state *state)
{
	struct labnic_hw hw;
	unsigned int i;
	int err;

	err = labnic_read_hw(dev, &hw);
	if (err)
		return err;
	state->valid = BIT(RG_HW_PFC) | BIT(RG_HW_TRUST) | BIT(RG_HW_MAP) |
		       BIT(RG_HW_ETS) | BIT(RG_HW_PAUSE);
	state->pfc = hw.pfc;
	state->trust = rg_labnic_trust(hw.trust);
	memcpy(state->map, hw.dscp2prio, sizeof(state->map));
	memcpy(state->prio_tc, hw.prio_tc, sizeof(state->prio_tc));
	for (i = 0; i < RG_TCS; i++)
		state->tsa[i] = rg_labnic_tsa(hw.tsa[i]);
	memcpy(state->bandwidth, hw.bandwidth, sizeof(state->bandwidth));
	state->pause_rx = hw.pause_rx;
	state->pause_tx = hw.pause_tx;
	return 0;
}

static const u8 rg_labnic_cc[RG_PARAMS] = {
	[ROCEGUARD_PARAM_RP_CLAMP_TARGET_RATE] = LABNIC_CC_RP_CLAMP_TGT_RATE,
	[ROCEGUARD_PARAM_RP_CLAMP_TARGET_RATE_AFTER_TIME] = LABNIC_CC_RP_CLAMP_TGT_RATE_ATI,
	[ROCEGUARD_PARAM_RP_TIME_RESET] = LABNIC_CC_RP_TIME_RESET,
	[ROCEGUARD_PARAM_RP_BYTE_RESET] = LABNIC_CC_RP_BYTE_RESET,
	[ROCEGUARD_PARAM_RP_THRESHOLD] = LABNIC_CC_RP_THRESHOLD,
	[ROCEGUARD_PARAM_RP_MAX_RATE] = LABNIC_CC_RP_MAX_RATE,
	[ROCEGUARD_PARAM_RP_AI_RATE] = LABNIC_CC_RP_AI_RATE,
	[ROCEGUARD_PARAM_RP_HAI_RATE] = LABNIC_CC_RP_HAI_RATE,
	[ROCEGUARD_PARAM_RP_MIN_DEC_FACTOR] = LABNIC_CC_RP_MIN_DEC_FAC,
	[ROCEGUARD_PARAM_RP_MIN_RATE] = LABNIC_CC_RP_MIN_RATE,
	[ROCEGUARD_PARAM_RP_FIRST_CNP_RATE] = LABNIC_CC_RP_RATE_TO_SET_ON_FIRST_CNP,
	[ROCEGUARD_PARAM_RP_ALPHA_G] = LABNIC_CC_RP_DCE_TCP_G,
	[ROCEGUARD_PARAM_RP_ALPHA_PERIOD] = LABNIC_CC_RP_DCE_TCP_RTT,
	[ROCEGUARD_PARAM_RP_REDUCE_PERIOD] = LABNIC_CC_RP_RATE_REDUCE_MONITOR_PERIOD,
	[ROCEGUARD_PARAM_RP_ALPHA_INITIAL] = LABNIC_CC_RP_INITIAL_ALPHA_VALUE,
	[ROCEGUARD_PARAM_RP_GD] = LABNIC_CC_RP_GD,
	[ROCEGUARD_PARAM_NP_CNP_INTERVAL] = LABNIC_CC_NP_MIN_TIME_BETWEEN_CNPS,
	[ROCEGUARD_PARAM_NP_CNP_DSCP] = LABNIC_CC_NP_CNP_DSCP,
	[ROCEGUARD_PARAM_NP_CNP_PRIORITY] = LABNIC_CC_NP_CNP_PRIO,
	[ROCEGUARD_PARAM_NP_CNP_PRIORITY_MODE] = LABNIC_CC_NP_CNP_PRIO_MODE,
	[ROCEGUARD_PARAM_RTT_DSCP_VALID] = LABNIC_CC_RTT_RESP_DSCP_VALID,
	[ROCEGUARD_PARAM_RTT_DSCP] = LABNIC_CC_RTT_RESP_DSCP,
};

static int rg_labnic_get_param(struct net_device *dev,
			       enum roceguard_param param, u32 *value)
{
	return labnic_get_cc(dev, rg_labnic_cc[param], value);
}

static int rg_labnic_set_param(struct net_device *dev,
			       enum roceguard_param param, u32 value)
{
	return labnic_set_cc(dev, rg_labnic_cc[param], value);
}

static const struct {
	u8 counter;
	u8 stat;
	bool time;
} rg_labnic_stats[] = {
	{ ROCEGUARD_COUNTER_RX_PAUSE, LABNIC_RX_PAUSE },
	{ ROCEGUARD_COUNTER_TX_PAUSE, LABNIC_TX_PAUSE },
	{ ROCEGUARD_COUNTER_RX_PAUSE_US, LABNIC_RX_PAUSE_US, true },
	{ ROCEGUARD_COUNTER_TX_PAUSE_US, LABNIC_TX_PAUSE_US, true },
	{ ROCEGUARD_COUNTER_RX_PACKETS, LABNIC_RX_PACKETS },
	{ ROCEGUARD_COUNTER_TX_PACKETS, LABNIC_TX_PACKETS },
};

static void rg_labnic_take(const struct labnic_counters *from, bool times,
			   struct rg_prio_counters *to)
{
	unsigned int i, prio;

	for (i = 0; i < ARRAY_SIZE(rg_labnic_stats); i++) {
		u8 counter = rg_labnic_stats[i].counter;

		if (rg_labnic_stats[i].time && !times)
			continue;
		to->have[counter] = 0xff;
		for (prio = 0; prio < RG_PRIORITIES; prio++)
			to->value[counter][prio] =
				from->prio[prio][rg_labnic_stats[i].stat];
	}
}

static int rg_labnic_read_prio_counters(struct net_device *dev,
					struct rg_prio_counters *counters)
{
	struct labnic_counters *read;
	bool times = false;
	int err;

	read = kzalloc(sizeof(*read), GFP_KERNEL);
	if (!read)
		return -ENOMEM;
	err = labnic_read_prio(dev, read, &times);
	if (!err)
		rg_labnic_take(read, times, counters);
	kfree(read);
	return err;
}

static const struct rg_provider_ops rg_labnic_ops = {
	.name = "lab NIC",
	.driver = LABNIC_KIND,
	.owner = THIS_MODULE,
	.habits = labnic_habits,
	.get_enable = rg_labnic_get_enable,
	.set_enable = rg_labnic_set_enable,
	.per_port = rg_labnic_per_port,
	.get_param = rg_labnic_get_param,
	.set_param = rg_labnic_set_param,
	.engine = labnic_engine,
	.read_hw = rg_labnic_read_hw,
	.read_prio_counters = rg_labnic_read_prio_counters,
};

static int __init rg_labnic_init(void)
{
	return rg_provider_register(&rg_labnic_ops);
}

static void __exit rg_labnic_exit(void)
{
	rg_provider_unregister(&rg_labnic_ops);
}

module_init(rg_labnic_init);
module_exit(rg_labnic_exit);

MODULE_DESCRIPTION("roceguard provider for the lab NIC");
MODULE_AUTHOR("The roceguard developers");
MODULE_LICENSE("GPL");
MODULE_ALIAS("roceguard-cc-labnic");
