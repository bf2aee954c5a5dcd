/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parameters of DCQCN under one name each, for every NIC: what a policy, the
 * wire, people and programs call them. A new one is a number in the contract and a
 * row of the table; providers map it to what their NIC calls it.
 */
#ifndef RG_LOGIC_PARAMS_H
#define RG_LOGIC_PARAMS_H

#include "policy.h"

/**
 * struct rg_param - one parameter
 * @name: as in netlink and for people
 * @key: as in policy files
 * @unit: of its values; "" for a number without
 * @min: least value
 * @max: greatest value; 0xffffffff where no vendor names one
 * @usual: what ConnectX has unless told otherwise
 * @knob: enum roceguard_knob that holds it
 */
struct rg_param {
	const char *name;
	const char *key;
	const char *unit;
	u32 min;
	u32 max;
	u32 usual;
	u8 knob;
};

extern const struct rg_param rg_params[RG_PARAMS];

u32 rg_params_of(enum roceguard_knob knob);

#endif /* RG_LOGIC_PARAMS_H */
