/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A provider reaches what no common kernel API covers on the NICs of one
 * driver: the DCQCN roles, and what the hardware itself says of settings that
 * the driver answers from a cache. It lives in a module of its own, which the
 * core loads with request_module("roceguard-cc-<driver>").
 */
#ifndef RG_PROVIDER_H
#define RG_PROVIDER_H

#include <linux/module.h>
#include <linux/netdevice.h>
#include "logic/counter.h"
#include "logic/policy.h"

/**
 * enum rg_role - the two ends of DCQCN on a host
 * @RG_ROLE_NP: notification point: answers CE marks with CNPs
 * @RG_ROLE_RP: reaction point: slows down on CNPs
 */
enum rg_role { RG_ROLE_NP, RG_ROLE_RP, RG_ROLES };

/* What struct rg_hw_state says something of: bits of its @valid. */
enum rg_hw_field {
	RG_HW_PFC,
	RG_HW_TRUST,
	RG_HW_MAP,
	RG_HW_ETS,
	RG_HW_PAUSE,
};

/**
 * struct rg_hw_state - settings as the hardware itself holds them
 * @valid: bits of enum rg_hw_field: which of the rest are filled in
 * @pfc: mask of priorities with PFC on
 * @trust: enum roceguard_trust
 * @map: priority of every DSCP
 * @prio_tc: traffic class of every priority
 * @tsa: enum roceguard_tsa of every traffic class
 * @bandwidth: percent of every traffic class
 * @pause_rx: global pause honoured
 * @pause_tx: global pause sent
 */
struct rg_hw_state {
	u32 valid;
	u8 pfc;
	u8 trust;
	u8 map[RG_DSCPS];
	u8 prio_tc[RG_PRIORITIES];
	u8 tsa[RG_TCS];
	u8 bandwidth[RG_TCS];
	bool pause_rx;
	bool pause_tx;
};

/**
 * struct rg_prio_counters - counters of a port as its hardware has them
 * @have: mask of priorities that there are, by counter
 * @value: of those, 64 bits wide
 */
struct rg_prio_counters {
	u8 have[RG_PRIORITY_COUNTERS];
	u64 value[RG_PRIORITY_COUNTERS][RG_PRIORITIES];
};

/**
 * struct rg_provider_ops - one provider
 * @name: for people
 * @driver: driver of the NICs it serves, as ethtool -i names it, or the
 *	rtnl link kind of a virtual one
 * @owner: THIS_MODULE
 * @habits: name of the driver whose habits (habits.c) this NIC has; NULL op or
 *	NULL answer: those of @driver
 * @get_enable: is @role on for priority @prio?
 * @set_enable: switch @role for priority @prio
 * @per_port: is @role one switch for the port, which any priority turns on? NULL:
 *	every role is per priority
 * @get_param: read a parameter of DCQCN, in the unit of rg_params[]
 * @set_param: write one; -EINVAL for a value that this NIC refuses
 * @engine: what rules the rate of queue pairs, if it is not DCQCN; NULL op or NULL
 *	answer: DCQCN
 * @read_hw: fill in what the hardware says; what it can't, stays out of @valid
 * @read_prio_counters: fill in counters per priority; cheap, for it may be asked ten
 *	times a second. NULL: ethtool's statistics are read, once a second
 *
 * All are called under rtnl with the device registered and present, may sleep,
 * and return 0 or a negative errno. -EOPNOTSUPP means that this NIC has no such
 * thing, -EBUSY and -EAGAIN that it is worth trying again.
 */
struct rg_provider_ops {
	const char *name;
	const char *driver;
	struct module *owner;
	const char *(*habits)(struct net_device *dev);
	int (*get_enable)(struct net_device *dev, enum rg_role role, u8 prio,
			  bool *on);
	int (*set_enable)(struct net_device *dev, enum rg_role role, u8 prio,
			  bool on);
	bool (*per_port)(struct net_device *dev, enum rg_role role);
	int (*get_param)(struct net_device *dev, enum roceguard_param param,
			 u32 *value);
	int (*set_param)(struct net_device *dev, enum roceguard_param param,
			 u32 value);
	const char *(*engine)(struct net_device *dev);
	int (*read_hw)(struct net_device *dev, struct rg_hw_state *hw);
	int (*read_prio_counters)(struct net_device *dev,
				  struct rg_prio_counters *counters);
};

int rg_provider_register(const struct rg_provider_ops *ops);
void rg_provider_unregister(const struct rg_provider_ops *ops);

#endif /* RG_PROVIDER_H */
