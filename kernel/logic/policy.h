/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A policy as written (struct rg_policy_spec) and what it makes of a port
 * (struct rg_want). The step between the two, rg_policy_derive(), is the only
 * place that knows how a class becomes PFC, map, ETS and ECN; the kernel runs
 * it when a policy arrives and the helper when it reads a policy file, so both
 * refuse the same things in the same words.
 */
#ifndef RG_LOGIC_POLICY_H
#define RG_LOGIC_POLICY_H

#include "base.h"
#ifdef __KERNEL__
#include <uapi/linux/roceguard.h>
#else
#include <linux/roceguard.h>
#endif

#define RG_PRIORITIES	8
#define RG_TCS		8
#define RG_DSCPS	64
#define RG_BUFFERS	8
#define RG_KNOBS	(ROCEGUARD_KNOB_VLAN_EGRESS + 1)
#define RG_PARAMS	(ROCEGUARD_PARAM_RTT_DSCP + 1)
/* Socket priorities that the kernel makes of a ToS byte: 0, 2, 4 and 6. */
#define RG_SKPRIOS	8

/* A DSCP or a priority that the policy does not name. */
#define RG_UNSET	0xff

/**
 * enum rg_tristate - yes, no, or not said
 * @RG_NOT_SAID: leave it as it is
 * @RG_NO: hold it off
 * @RG_YES: hold it on
 */
enum rg_tristate { RG_NOT_SAID, RG_NO, RG_YES };

/**
 * struct rg_class - one kind of traffic
 * @name: for people and for [Connection] Class=
 * @dscp: bit n: DSCP n belongs to it
 * @priority: 0..7, or RG_UNSET while parsing
 * @share: percent of the bandwidth, 1..100; 0: not said
 * @cable: metres of cable to the switch, if @lossless; 0: not said
 * @lossless: PFC is held on for @priority
 * @strict: strict priority instead of a share
 * @cnp: carries congestion notification packets
 * @ecn: both DCQCN roles of @priority
 */
struct rg_class {
	char name[ROCEGUARD_NAME_MAX + 1];
	u64 dscp;
	u8 priority;
	u8 share;
	u16 cable;
	bool lossless;
	bool strict;
	bool cnp;
	enum rg_tristate ecn;
};

/**
 * struct rg_match - which ports a policy is for
 * @driver: shell globs, any of them; none: every driver
 * @ifname: shell globs, any of them; none: every name
 * @pci: shell globs, any of them; none: wherever it is
 * @rdma_device: shell globs, any of them; none: whatever it has
 * @n_driver: how many
 * @n_ifname: how many
 * @n_pci: how many
 * @n_rdma_device: how many
 * @speed_from: at least so many Mbit/s, 0: not said
 * @speed_to: at most so many Mbit/s, 0: not said
 * @rdma: only RoCE-capable ports
 */
struct rg_match {
	char driver[ROCEGUARD_GLOBS_MAX][ROCEGUARD_GLOB_MAX + 1];
	char ifname[ROCEGUARD_GLOBS_MAX][ROCEGUARD_GLOB_MAX + 1];
	char pci[ROCEGUARD_GLOBS_MAX][ROCEGUARD_GLOB_MAX + 1];
	char rdma_device[ROCEGUARD_GLOBS_MAX][ROCEGUARD_GLOB_MAX + 1];
	unsigned int n_driver;
	unsigned int n_ifname;
	unsigned int n_pci;
	unsigned int n_rdma_device;
	u32 speed_from;
	u32 speed_to;
	bool rdma;
};

/* Which expert settings a policy has: bits of rg_expert.set. */
enum rg_expert_bit {
	RG_EXPERT_PFC,		/* [PFC] Priorities= */
	RG_EXPERT_TRUST,	/* [DSCP] Trust= */
	RG_EXPERT_MAP,		/* [DSCP] Map= */
	RG_EXPERT_PRIO_TC,	/* [ETS] PriorityTC= */
	RG_EXPERT_TC,		/* [ETS] TC= */
	RG_EXPERT_ECN_NP,	/* [ECN] NP= */
	RG_EXPERT_ECN_RP,	/* [ECN] RP= */
	RG_EXPERT_PAUSE_RX,	/* [Pause] Rx= */
	RG_EXPERT_PAUSE_TX,	/* [Pause] Tx= */
	RG_EXPERT_DCBX,		/* [DCBX] Mode= */
	RG_EXPERT_RATE,		/* [MaxRate] TC= */
	RG_EXPERT_BUFFER_SIZE,	/* [Buffer] Size= */
	RG_EXPERT_BUFFER_PRIO,	/* [Buffer] Priority= */
	RG_EXPERT_CABLE,	/* [PFC] CableLength= */
	RG_EXPERT_STORM,	/* [StormPrevention] Timeout= */
	RG_EXPERT_PARAMS,	/* [DCQCN] and [CNP] */
	RG_EXPERT_MTU,		/* [Check] MTU= */
	RG_EXPERT_CM_TOS,	/* [RDMACM] ToS= */
	RG_EXPERT_CM_MODE,	/* [RDMACM] Mode= */
	RG_EXPERT_VLAN_EGRESS,	/* [VLAN] Egress= */
	RG_EXPERT_DETECTION,	/* [Watchdog] DetectionTime= */
	RG_EXPERT_RESTORATION,	/* [Watchdog] RestorationTime= */
	RG_EXPERT_STORM_ACTION,	/* [Watchdog] Action= */
	RG_EXPERT_STORM_FORCE,	/* [Watchdog] Force= */
};

/* What a watchdog does that is told nothing else. */
#define RG_DETECTION_MS		200
#define RG_RESTORATION_MS	60000

/**
 * struct rg_watchdog - what is done about pause storms
 * @detection_ms: a priority paused for so long has one
 * @restoration_ms: which is over when it was well for so long
 * @action: enum roceguard_storm_action
 * @force: PFC is taken off though it drops the link
 */
struct rg_watchdog {
	u32 detection_ms;
	u32 restoration_ms;
	u8 action;
	bool force;
};

/**
 * struct rg_expert - knobs named directly
 * @set: bits of enum rg_expert_bit: what below was said
 * @pfc: mask of priorities
 * @trust: enum roceguard_trust
 * @map: priority of each DSCP, or RG_UNSET
 * @prio_tc: traffic class of each priority, or RG_UNSET
 * @tsa: enum roceguard_tsa of each traffic class, or RG_UNSET
 * @bandwidth: percent of each traffic class with TSA ets
 * @ecn_np: mask of priorities to have on
 * @ecn_rp: mask of priorities to have on
 * @pause_rx: global pause honoured
 * @pause_tx: global pause sent
 * @dcbx: enum roceguard_dcbx_mode
 * @rated: mask of traffic classes that @kbps says something of
 * @kbps: limit of each traffic class in kbit/s, 0: none
 * @sized: mask of buffers that @buffer_size says something of
 * @buffer_size: bytes of each receive buffer
 * @prio_buffer: buffer of each priority, or RG_UNSET
 * @cable: metres of cable to the switch
 * @storm: ms, ROCEGUARD_STORM_OFF or ROCEGUARD_STORM_AUTO
 * @params: mask of enum roceguard_param that @param says something of
 * @param: value of each
 * @mtu: bytes that it is to have at least
 * @cm_tos: ToS byte of connections that say none
 * @cm_mode: RoCE mode of connections that say none, 1 or 2
 * @vlan_egress: VLANs on top are to map the class of connections
 * @watchdog: what was said of it, zero for the rest
 */
struct rg_expert {
	u32 set;
	u8 pfc;
	u8 trust;
	u8 map[RG_DSCPS];
	u8 prio_tc[RG_PRIORITIES];
	u8 tsa[RG_TCS];
	u8 bandwidth[RG_TCS];
	u8 ecn_np;
	u8 ecn_rp;
	bool pause_rx;
	bool pause_tx;
	u8 dcbx;
	u8 rated;
	u32 kbps[RG_TCS];
	u8 sized;
	u32 buffer_size[RG_BUFFERS];
	u8 prio_buffer[RG_PRIORITIES];
	u16 cable;
	u32 storm;
	u32 params;
	u32 param[RG_PARAMS];
	u32 mtu;
	u8 cm_tos;
	u8 cm_mode;
	bool vlan_egress;
	struct rg_watchdog watchdog;
};

/**
 * struct rg_policy_spec - a policy as somebody wrote it
 * @name: unique on the host
 * @observe: compare only
 * @disruptive: enum roceguard_disruptive
 * @priority: which of several rules, where they fit a port as closely
 * @rollout: percent of the hosts that do more than compare
 * @rollout_at: where this host comes among them, 0..99
 * @serial: of whoever writes policies; may be ""
 * @match: which ports
 * @n_classes: how many of @class are used
 * @class: in the order written
 * @expert: the expert sections
 * @connection_class: name of the class that NVMe connections take; may be ""
 * @roce_mode: 1 or 2; 0: not said
 */
struct rg_policy_spec {
	char name[ROCEGUARD_NAME_MAX + 1];
	bool observe;
	u8 disruptive;
	u32 priority;
	u8 rollout;
	u8 rollout_at;
	char serial[ROCEGUARD_NAME_MAX + 1];
	struct rg_match match;
	unsigned int n_classes;
	struct rg_class class[ROCEGUARD_CLASSES_MAX];
	struct rg_expert expert;
	char connection_class[ROCEGUARD_NAME_MAX + 1];
	u8 roce_mode;
};

/**
 * struct rg_want - what a policy holds on a port
 * @knobs: bits of enum roceguard_knob: which of the knobs below it names
 * @pfc: mask of priorities with PFC on; all others off
 * @trust: enum roceguard_trust
 * @map: priority of each DSCP the policy names, or RG_UNSET
 * @exclusive: priorities that only the DSCPs in @map may land in
 * @prio_tc: traffic class of each priority
 * @n_tcs: traffic classes 0..@n_tcs-1 carry traffic; the others do not matter
 * @tsa: enum roceguard_tsa of each of them
 * @bandwidth: percent of each of them, 0 if strict
 * @ecn_on: mask of priorities to have on, by role (0 NP, 1 RP)
 * @ecn_off: mask of priorities to have off, by role
 * @pause_rx: global pause honoured
 * @pause_tx: global pause sent
 * @follow: the fabric decides: nothing is written
 * @rated: mask of traffic classes with a limit of the policy
 * @kbps: that limit in kbit/s, 0: none
 * @sized: mask of receive buffers with a size of the policy
 * @buffer_size: that size in bytes
 * @prio_buffer: buffer of each priority, or RG_UNSET
 * @cable: metres of the longest cable that @pfc has to allow for; 0: not said
 * @storm: ms, ROCEGUARD_STORM_OFF or ROCEGUARD_STORM_AUTO
 * @params: mask of enum roceguard_param that the policy names
 * @param: value of each of them
 * @mtu: bytes that it is to have at least
 * @cm_tos: ToS byte of rdma_cm, or RG_UNSET, which is CE and no byte to have
 * @cm_mode: RoCE mode of rdma_cm, or RG_UNSET
 * @egress: priority that VLANs on top are to give each socket priority, or
 *	RG_UNSET: any that is none of these
 * @watchdog: as it is to be
 * @watched: the policy speaks of it
 * @stormed: mask of priorities that @pfc is without, for they have a pause storm
 */
struct rg_want {
	u32 knobs;
	u8 pfc;
	u8 trust;
	u8 map[RG_DSCPS];
	u8 exclusive;
	u8 prio_tc[RG_PRIORITIES];
	u8 n_tcs;
	u8 tsa[RG_TCS];
	u8 bandwidth[RG_TCS];
	u8 ecn_on[2];
	u8 ecn_off[2];
	bool pause_rx;
	bool pause_tx;
	bool follow;
	u8 rated;
	u32 kbps[RG_TCS];
	u8 sized;
	u32 buffer_size[RG_BUFFERS];
	u8 prio_buffer[RG_PRIORITIES];
	u16 cable;
	u16 storm;
	u32 params;
	u32 param[RG_PARAMS];
	u32 mtu;
	u8 cm_tos;
	u8 cm_mode;
	u8 egress[RG_SKPRIOS];
	struct rg_watchdog watchdog;
	bool watched;
	u8 stormed;
};

/* Where in a policy a problem lies; the key is an attribute of that nest. */
enum rg_where {
	RG_WHERE_POLICY,	/* key: ROCEGUARD_A_POLICY_ */
	RG_WHERE_MATCH,		/* ROCEGUARD_A_MATCH_ */
	RG_WHERE_CLASS,		/* ROCEGUARD_A_CLASS_, index: which class */
	RG_WHERE_PFC,		/* ROCEGUARD_A_PFC_ */
	RG_WHERE_DSCP,		/* ROCEGUARD_A_DSCP_ */
	RG_WHERE_ETS,		/* ROCEGUARD_A_ETS_ */
	RG_WHERE_ECN,		/* ROCEGUARD_A_ECN_ */
	RG_WHERE_PAUSE,		/* ROCEGUARD_A_PAUSE_ */
	RG_WHERE_CONNECTION,	/* ROCEGUARD_A_CONNECTION_ */
	RG_WHERE_DCBX,		/* ROCEGUARD_A_DCBX_ */
	RG_WHERE_MAXRATE,	/* ROCEGUARD_A_MAXRATE_ */
	RG_WHERE_BUFFER,	/* ROCEGUARD_A_BUFFER_ */
	RG_WHERE_STORM,		/* ROCEGUARD_A_STORM_PREVENTION_ */
	RG_WHERE_DCQCN,		/* 1 + enum roceguard_param */
	RG_WHERE_CHECK,		/* ROCEGUARD_A_CHECK_ */
	RG_WHERE_RDMA_CM,	/* ROCEGUARD_A_RDMA_CM_ */
	RG_WHERE_VLAN,		/* ROCEGUARD_A_VLAN_ */
	RG_WHERE_WATCHDOG,	/* ROCEGUARD_A_WATCHDOG_ */

	RG_WHERES
};

/* As long as a formatted extack message may be (NETLINK_MAX_FMTMSG_LEN). */
#define RG_PROBLEM_MAX	80

/**
 * struct rg_problem - why a policy is refused
 * @where: the section
 * @index: the class, if @where is RG_WHERE_CLASS
 * @key: the attribute in it, 0: the section as a whole
 * @text: one line without full stop, for extack and for "file:line: ..."
 */
struct rg_problem {
	enum rg_where where;
	unsigned int index;
	int key;
	char text[RG_PROBLEM_MAX];
};

void rg_policy_init(struct rg_policy_spec *spec);
void rg_class_init(struct rg_class *class);
bool rg_name_valid(const char *name);
bool rg_policy_rolled_out(const struct rg_policy_spec *spec);
int rg_policy_derive(const struct rg_policy_spec *spec, struct rg_want *want,
		     struct rg_problem *problem);
const struct rg_class *rg_policy_class(const struct rg_policy_spec *spec,
				       const char *name);
const struct rg_class *rg_policy_connections(const struct rg_policy_spec *spec,
					     unsigned int *candidates);
u8 rg_tos_skprio(u8 tos);

#endif /* RG_LOGIC_POLICY_H */
