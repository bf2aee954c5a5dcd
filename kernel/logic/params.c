// SPDX-License-Identifier: GPL-2.0
#include "params.h"

#define RG_ANY	0xffffffff

#define RG_DCQCN(_id, _name, _key, _unit, _min, _max, _usual)		\
	[ROCEGUARD_PARAM_##_id] = { _name, _key, _unit, _min, _max,	\
				    _usual, ROCEGUARD_KNOB_DCQCN }
#define RG_CNP(_id, _name, _key, _unit, _min, _max, _usual)		\
	[ROCEGUARD_PARAM_##_id] = { _name, _key, _unit, _min, _max,	\
				    _usual, ROCEGUARD_KNOB_CNP }

const struct rg_param rg_params[RG_PARAMS] = {
	RG_DCQCN(RP_CLAMP_TARGET_RATE, "rp-clamp-target-rate",
		 "ClampTargetRate", "", 0, 1, 0),
	RG_DCQCN(RP_CLAMP_TARGET_RATE_AFTER_TIME,
		 "rp-clamp-target-rate-after-time", "ClampTargetRateAfterTime",
		 "", 0, 1, 1),
	RG_DCQCN(RP_TIME_RESET, "rp-time-reset", "TimeReset", "us", 0, RG_ANY,
		 300),
	RG_DCQCN(RP_BYTE_RESET, "rp-byte-reset", "ByteReset", "bytes", 0,
		 RG_ANY, 32767),
	RG_DCQCN(RP_THRESHOLD, "rp-threshold", "Threshold", "", 0, 31, 1),
	RG_DCQCN(RP_MAX_RATE, "rp-max-rate", "RateMax", "Mbit/s", 0, RG_ANY, 0),
	RG_DCQCN(RP_AI_RATE, "rp-ai-rate", "RateAI", "Mbit/s", 0, RG_ANY, 5),
	RG_DCQCN(RP_HAI_RATE, "rp-hai-rate", "RateHAI", "Mbit/s", 0, RG_ANY,
		 50),
	RG_DCQCN(RP_MIN_DEC_FACTOR, "rp-min-dec-factor", "MinDecFactor", "%", 0,
		 100, 50),
	RG_DCQCN(RP_MIN_RATE, "rp-min-rate", "RateMin", "Mbit/s", 1, RG_ANY, 1),
	RG_DCQCN(RP_FIRST_CNP_RATE, "rp-first-cnp-rate", "RateFirstCNP",
		 "Mbit/s", 0, RG_ANY, 0),
	RG_DCQCN(RP_ALPHA_G, "rp-alpha-g", "AlphaG", "/1024", 0, 1023, 1019),
	RG_DCQCN(RP_ALPHA_PERIOD, "rp-alpha-period", "AlphaPeriod", "us", 1,
		 131071, 1),
	RG_DCQCN(RP_REDUCE_PERIOD, "rp-reduce-period", "ReducePeriod", "us", 1,
		 RG_ANY, 4),
	RG_DCQCN(RP_ALPHA_INITIAL, "rp-alpha-initial", "AlphaInitial", "/1024",
		 1, 1023, 1023),
	RG_DCQCN(RP_GD, "rp-gd", "GD", "", 10, 11, 11),
	RG_CNP(NP_CNP_INTERVAL, "np-cnp-interval", "Interval", "us", 0, RG_ANY,
	       4),
	RG_CNP(NP_CNP_DSCP, "np-cnp-dscp", "DSCP", "", 0, 63, 48),
	RG_CNP(NP_CNP_PRIORITY, "np-cnp-priority", "Priority", "", 0, 7, 6),
	RG_CNP(NP_CNP_PRIORITY_MODE, "np-cnp-priority-mode", "PriorityMode", "",
	       0, 1, 0),
	RG_DCQCN(RTT_DSCP_VALID, "rtt-dscp-valid", "RTTDSCPValid", "", 0, 1, 0),
	RG_DCQCN(RTT_DSCP, "rtt-dscp", "RTTDSCP", "", 0, 63, 0),
};

/**
 * rg_params_of - the parameters that a knob holds
 * @knob: ROCEGUARD_KNOB_DCQCN or ROCEGUARD_KNOB_CNP
 *
 * Return: mask of enum roceguard_param.
 */
u32 rg_params_of(enum roceguard_knob knob)
{
	u32 mask = 0;
	int i;

	for (i = 0; i < RG_PARAMS; i++)
		if (rg_params[i].knob == knob)
			mask |= BIT(i);
	return mask;
}
