/* SPDX-License-Identifier: GPL-2.0 */
/* A knob, and what it is given to work with. */
#ifndef RG_KNOB_H
#define RG_KNOB_H

#include <linux/netdevice.h>
#include <net/dcbnl.h>
#include "../habits.h"
#include "../port.h"
#include "../provider.h"

/**
 * struct rg_have - what a port has, as far as its knobs were read
 * @map: mask of priorities that each DSCP has an entry for
 * @trust: enum roceguard_trust
 * @ets: as the driver answers
 * @ets_unset: it does not, for nobody has set it since it was loaded
 * @tc_is_priority: now every priority is a traffic class of its own
 * @pfc: as the driver answers
 * @pfc_read: @pfc says something
 * @delay: what its delay is to be, in the driver's unit; 0: it does not matter
 * @storm: ms, ROCEGUARD_STORM_OFF or ROCEGUARD_STORM_AUTO
 * @params_read: mask of enum roceguard_param that @param says something of
 * @param: parameters of DCQCN
 * @mtu: of the netdev
 * @pause_rx: global pause honoured
 * @pause_tx: global pause sent
 * @pause_autoneg: global pause is negotiated
 * @ecn: mask of priorities that are on, by role
 * @ecn_per_port: the role is one switch for the port
 * @ecn_read: mask of priorities that @ecn says something of, by role
 * @dcbx: bits DCB_CAP_DCBX_
 * @kbps: limit of each traffic class, 0: none
 * @buffer: as the driver answers
 * @hw: what the hardware says of all that
 */
struct rg_have {
	u8 map[RG_DSCPS];
	u8 trust;
	struct ieee_ets ets;
	bool ets_unset;
	bool tc_is_priority;
	struct ieee_pfc pfc;
	bool pfc_read;
	u16 delay;
	u16 storm;
	u32 params_read;
	u32 param[RG_PARAMS];
	u32 mtu;
	bool pause_rx;
	bool pause_tx;
	bool pause_autoneg;
	u8 ecn[RG_ROLES];
	bool ecn_per_port[RG_ROLES];
	u8 ecn_read[RG_ROLES];
	u8 dcbx;
	u64 kbps[RG_TCS];
	struct dcbnl_buffer buffer;
	struct rg_hw_state hw;
};

/**
 * struct rg_section - one knob of one port, under one hold of rtnl
 * @dev: registered and present as long as the section lasts
 * @driver: its name
 * @habits: of its driver
 * @provider: that reaches its hardware, or NULL
 * @want: what the policy holds
 * @have: what was read
 * @source: enum roceguard_source: how far @have is worth believing
 * @learnt: bits of enum rg_learnt, of the port
 * @falls_short: the verdict although all that can be compared is as wanted, with
 *	the reason: unsupported or inactive; ROCEGUARD_VERDICT_UNMANAGED: none such
 * @reason: why a call failed and what to do, if the knob knows; after a read that
 *	did not fail: what is to be said of the knob although nothing is wrong
 */
struct rg_section {
	struct net_device *dev;
	const char *driver;
	const struct rg_habits *habits;
	const struct rg_provider_ops *provider;
	const struct rg_want *want;
	struct rg_have *have;
	enum roceguard_source source;
	u32 *learnt;
	enum roceguard_verdict falls_short;
	char reason[RG_REASON_MAX];
};

/**
 * struct rg_knob - one aspect of a port that a policy can hold
 * @id: enum roceguard_knob
 * @name: as in netlink, JSON and sysfs
 * @dcb: goes through dcbnl_ops, and a write is announced to RTNLGRP_DCB
 * @by_parts: a later policy may name parts of it that an earlier one did not, and
 *	@keep adds to what it has copied
 * @delegated: is it the agent's on this port? NULL: never
 * @read: fill in what is there and its source
 * @same: is it as wanted?
 * @cost: of the write that would be made, as read; NULL: that of the driver's habits
 * @write: make it so; called only when it is not; NULL: it is checked and never
 *	written, and @read says why it is wrong; then there is nothing to keep
 * @describe: have and want in words
 * @keep: copy the settings of this knob and nothing else
 * @put_back: make it as @keep copied it
 * @is_back: is it so, as read? NULL: @keep copies the same again
 *
 * @read, @write and @put_back return 0 or a negative errno; -EOPNOTSUPP: this port has no
 * such thing. They may set the reason. Of a knob that is always delegated only
 * @describe is called, and no more than @want is asked for.
 */
struct rg_knob {
	enum roceguard_knob id;
	const char *name;
	bool dcb;
	bool by_parts;
	bool (*delegated)(const struct rg_section *section);
	int (*read)(struct rg_section *section);
	bool (*same)(const struct rg_section *section);
	enum roceguard_cost (*cost)(const struct rg_section *section);
	int (*write)(struct rg_section *section);
	void (*describe)(const struct rg_section *section,
			 struct rg_text *have, struct rg_text *want);
	void (*keep)(struct rg_have *to, const struct rg_have *from);
	int (*put_back)(struct rg_section *section,
			const struct rg_have *before);
	bool (*is_back)(const struct rg_section *section,
			const struct rg_have *before);
};

/*
 * In the order of a pass: first who may set DCB at all, the map before the queues
 * it fills, pause before PFC, which some drivers refuse while pause is on.
 */
extern const struct rg_knob *const rg_knobs[RG_KNOBS];

const struct rg_knob *rg_knob_by_id(enum roceguard_knob id);

extern const struct rg_knob rg_knob_dscp;
extern const struct rg_knob rg_knob_ets;
extern const struct rg_knob rg_knob_pause;
extern const struct rg_knob rg_knob_pfc;
extern const struct rg_knob rg_knob_ecn;
extern const struct rg_knob rg_knob_dcbx;
extern const struct rg_knob rg_knob_maxrate;
extern const struct rg_knob rg_knob_buffer;
extern const struct rg_knob rg_knob_storm_prevention;
extern const struct rg_knob rg_knob_dcqcn;
extern const struct rg_knob rg_knob_cnp;
extern const struct rg_knob rg_knob_mtu;
extern const struct rg_knob rg_knob_rdma_cm;
extern const struct rg_knob rg_knob_vlan_egress;

void __printf(2, 3) rg_because(struct rg_section *section, const char *fmt, ...);
void rg_knob_lock(const struct rg_section *section, enum roceguard_knob id);
void rg_knob_unlock(const struct rg_section *section, enum roceguard_knob id);
int rg_dcb_usable(struct rg_section *section, bool op);
int rg_provider_usable(struct rg_section *section, bool ops);
bool rg_is_cee_only(const struct dcbnl_rtnl_ops *ops);
bool rg_dscp_is_mapped(const struct net_device *dev);
bool rg_dcb_owner(struct rg_section *section, int err);
void rg_dcb_blame(struct rg_section *section, int err);
int rg_dcb_result(int ret);
u32 rg_speed(struct rg_section *section);
bool rg_read_hw(struct rg_section *section, enum rg_hw_field field);

#endif /* RG_KNOB_H */
