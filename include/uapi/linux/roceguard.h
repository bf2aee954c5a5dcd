/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/*
 * roceguard: RoCE v2 policy held by the kernel - the netlink contract
 *
 * Generic netlink family "roceguard", version 1. The machine-readable form is
 * Documentation/netlink/specs/roceguard.yaml; both say the same.
 *
 * Reading needs no privilege, every write needs CAP_NET_ADMIN in the initial
 * user namespace, and policies and the mode can be set from the initial
 * network namespace only. A network namespace sees its own ports; the initial
 * one sees all, those of other namespaces with ..._NETNSID and without a
 * promise that the name is unique. Validation is strict: unknown attributes,
 * trailing bytes and nests without NLA_F_NESTED are errors, and in policy-set
 * whatever stands twice and is no list ("..." below). Every error carries
 * extack words and, where one attribute is to blame, its offset.
 *
 * A "do" never waits for a driver: it validates, takes effect at once as
 * policy, and answers with the object as it now is. What the ports make of it
 * shows in port-get: a port has caught up with a change when its "generation"
 * is not below the one that was answered, and with a port-apply when "served"
 * is not below the "ticket" that was answered. A generation begins with every
 * change of a policy or of the mode.
 *
 *   policy-get   do:   { NAME }                      -> policy
 *                dump: { }                           -> policy ...
 *   policy-set   do:   policy without read-only ones -> policy
 *                Replaces a policy of the same name as a whole, or adds it.
 *                With CONFIRM_WITHIN it has to be confirmed in so many seconds, or the
 *                last one of its name that was is in force again, or none, and its
 *                ports get back what they had of what that does not name.
 *   policy-confirm do: { NAME }                      -> policy
 *   policy-del   do:   { NAME, [RESTORE] }           -> { NAME, GENERATION }
 *                RESTORE 1: its ports get back what they had before roceguard
 *                first wrote to them; 0: they keep what they have.
 *   port-get     do:   { IFINDEX } or { IFNAME }     -> port
 *                dump: { }                           -> port ...
 *   port-apply   do:   { IFINDEX } or { IFNAME }, [NOW] -> port with TICKET
 *                Looks at the port now (trigger "user"); ends "contested" and
 *                "sick". NOW 1: a write that drops the link is made whatever the
 *                policy says, and the budget of link drops begins anew.
 *   port-restore do:   { IFINDEX } or { IFNAME }     -> port with TICKET
 *                Gives a port that no policy enforces anything on back what it had
 *                before roceguard first wrote to it; its OVERLAY goes.
 *   mode-get     do:   { }                           -> host
 *   mode-set     do:   { MODE and/or FROZEN [FREEZE_FOR] } -> host
 *                FROZEN 1 stops all writes, for FREEZE_FOR seconds or until FROZEN 0.
 *   history-get  dump: { [SEQ] }                     -> entry ...
 *                Oldest first, from sequence number SEQ on.
 *   delegate-report do: { ALIVE } or { PORT, GENERATION, KNOB, VERDICT, [ERRNO],
 *                [FROM], [HAVE], [REASON] }          -> { TIMEOUT }
 *                From the agent, of a knob that only files of user space reach: what
 *                came of it on the port with that id. It holds for TIMEOUT seconds
 *                and is then to be said again; with ALIVE the agent only lives. One of
 *                another generation than the port now has is refused. What is
 *                delegated is told by DELEGATED of a port's knobs.
 *   counters-get do:   { IFINDEX or IFNAME, [FRESH] } -> counters
 *                dump: { }                           -> counters ...
 *                As they were when the port was last sampled, about once a second:
 *                no driver is asked and nobody is waited for. FRESH 1 has it sampled
 *                soon, and is answered at once with what there is.
 *   counters-history-get dump: { [IFINDEX or IFNAME], [CLEAR] } -> sample ...
 *                The last minute of a port, or of all, oldest first; and with FROZEN 1
 *                the minute before an incident, which is kept until somebody reads it
 *                with CLEAR 1, which takes CAP_NET_ADMIN.
 *   incident-report do: { IFINDEX or IFNAME, CAUSE } -> { ID, IFINDEX, IFNAME, FROZEN }
 *                What the kernel cannot see of itself: a controller on this port
 *                reconnects. FROZEN tells whether the minute before is kept now; it
 *                is not while that of another incident is unread.
 *
 * A counter that the port lacks, or that could not be read, is absent and never 0. Of
 * those per priority (enum roceguard_counter has them first) some priorities may be
 * absent: PRIORITIES is the mask of those that are there. Totals never go back while
 * the port is there, though their source wraps or is reset.
 *
 * OVERLAY of a port is what was said of single settings of it through the files
 * ecn/ that MLNX_OFED has in sysfs. It goes over what the policy says and is
 * enforced like it, until a policy is set that names the knob. Who said it is told
 * in the initial network namespace only.
 *
 *   group "port"   (CAP_NET_ADMIN): port-ntf   = port [+ EVENT: entry]
 *   group "policy" (CAP_NET_ADMIN): policy-ntf = policy, or { NAME, GENERATION }
 *                                   when it was deleted
 *                                   mode-ntf   = host
 *   group "congestion" (CAP_NET_ADMIN): congestion-ntf = { ID, IFINDEX, IFNAME,
 *                                   [NETNSID], STORM } of counters: a pause storm
 *                                   began (ON 1) or ended (ON 0)
 *
 * A policy, as sent with policy-set:
 *
 *   NAME                     1..63 bytes of [A-Za-z0-9._-]
 *   MODE                     enforce (default) or observe
 *   DISRUPTIVE               budget (default), linkdown or now: when a write that
 *                            drops the link may be made while there is one
 *   PRIORITY                 0 (default) to 1000: which of several policies rules a
 *                            port that they match as closely: the higher one
 *   ROLLOUT, ROLLOUT_AT      percent of the hosts that are to write, 100 (default), and
 *                            where in the rollout this host comes, 99 (default, the
 *                            last) or less: it only observes while AT >= ROLLOUT. Whoever
 *                            sends a policy works AT out of the host's machine-id and
 *                            NAME, so that it is the same each time
 *   SERIAL                   1..63 bytes of [A-Za-z0-9._-], of whoever writes policies;
 *                            only shown, with POLICY and GENERATION of its ports
 *   MATCH { DRIVER ..., IFNAME ..., PCI ..., RDMA_DEVICE ..., SPEED_FROM, SPEED_TO,
 *           RDMA }
 *                            shell globs; several of one kind mean any of them.
 *                            IFNAME of a bond or team is good for its legs.
 *                            A speed is known once the link has been up.
 *                            RDMA 1 (default): RoCE-capable ports only
 *   CLASS { NAME, DSCP ..., PRIORITY, LOSSLESS, ECN, STRICT, CNP, SHARE,
 *           CABLE_LENGTH } ...
 *   PFC   { PRIORITIES, CABLE_LENGTH }
 *                            the expert sections name a knob directly; one
 *   DSCP  { TRUST, MAP {DSCP, PRIORITY} ... }       that contradicts a class
 *   ETS   { PRIO_TC {PRIORITY, TC} ..., TC {TC, TSA, BANDWIDTH} ... } is refused
 *   ECN   { NP, RP }
 *   PAUSE { RX, TX }
 *   DCBX    { MODE }         follow: the fabric decides, nothing is written
 *   MAXRATE { RATE {TC, KBPS} ... }
 *   BUFFER  { SIZE {BUFFER, BYTES} ..., PRIO {PRIORITY, BUFFER} ... }
 *   STORM_PREVENTION { TIMEOUT }
 *   CHECK { MTU }            at least; checked, never written
 *   DCQCN { PARAM {ID, VALUE} ... }
 *                            what is not named is left alone; zero is a value.
 *                            DSCP and priority of CNPs follow from a CNP class
 *   RDMA_CM { TOS, MODE }    of connections that say none; any user of rdma_cm
 *   VLAN    { EGRESS }       1: VLANs on top send the class of connections with
 *                            its priority
 *   WATCHDOG { DETECTION, RESTORATION, ACTION, FORCE }
 *                            a priority that is paused 99 % of DETECTION has a storm,
 *                            which is over once it was none for RESTORATION. ACTION
 *                            alert (default) tells of it; pfc-off has PFC off for the
 *                            priority meanwhile, for a minute at least and on again
 *                            once in ten minutes at most; not where that drops the
 *                            link, unless FORCE 1. Without this nest: alert
 *   CONNECTION { CLASS, ROCE_MODE }
 *
 * Of the policies that match a port the most specific one rules it. They are
 * compared row by row, and the first that one of them has and the other has not
 * decides:
 *
 *   1 a name of IFNAME              8 a pattern of IFNAME, of its bond
 *   2 an address of PCI             9 a name of DRIVER
 *   3 a name of RDMA_DEVICE        10 a pattern of DRIVER
 *   4 a name of IFNAME, its bond's 11 one speed
 *   5 a pattern of IFNAME          12 a range of speeds
 *   6 a pattern of PCI             13 RDMA 1
 *   7 a pattern of RDMA_DEVICE
 *
 * Where none decides, the higher PRIORITY does, and then the name that comes
 * first. The port says which one it is, why, and which others fit (POLICY_WHY,
 * FITTING, LOST). Policies that match no port wait for one.
 */
#ifndef _UAPI_LINUX_ROCEGUARD_H
#define _UAPI_LINUX_ROCEGUARD_H

#define ROCEGUARD_FAMILY_NAME		"roceguard"
#define ROCEGUARD_FAMILY_VERSION	1

#define ROCEGUARD_MCGRP_PORT		"port"
#define ROCEGUARD_MCGRP_POLICY		"policy"
#define ROCEGUARD_MCGRP_CONGESTION	"congestion"

/* Longest names, without the closing NUL. */
#define ROCEGUARD_NAME_MAX		63	/* policy and class names */
#define ROCEGUARD_GLOB_MAX		63	/* match patterns */

/* How many policies a host may have. */
#define ROCEGUARD_POLICIES_MAX		256

/* How long a policy may wait to be confirmed, in seconds. */
#define ROCEGUARD_CONFIRM_MAX		28800

/* How long a freeze that ends by itself may last, in seconds: 7 days. */
#define ROCEGUARD_FREEZE_MAX		604800

/* The highest priority of a policy, and the highest speed in Mbit/s. */
#define ROCEGUARD_PRIORITY_MAX		1000
#define ROCEGUARD_SPEED_MAX		10000000

/* Longest strings of a report, without the closing NUL. */
#define ROCEGUARD_REPORT_TEXT_MAX	127	/* FROM and HAVE */
#define ROCEGUARD_REPORT_REASON_MAX	159

/* How many of a kind one policy may have. */
#define ROCEGUARD_CLASSES_MAX		8
#define ROCEGUARD_GLOBS_MAX		16	/* per kind of pattern */

/* The least MTU that RoCE v2 can do with, and the greatest there is. */
#define ROCEGUARD_MTU_MIN		352
#define ROCEGUARD_MTU_MAX		65535

/* Longest cable, in metres. */
#define ROCEGUARD_CABLE_MAX		999

/* How long a NIC may send pauses until it is stopped, in ms, and what is no time. */
#define ROCEGUARD_STORM_MIN		80
#define ROCEGUARD_STORM_MAX		8000
#define ROCEGUARD_STORM_OFF		0
#define ROCEGUARD_STORM_AUTO		0xffff	/* as the driver thinks best */

/* How long a priority is paused until it is a storm, and is well until it is none, in ms. */
#define ROCEGUARD_DETECTION_MIN		100
#define ROCEGUARD_DETECTION_MAX		60000
#define ROCEGUARD_RESTORATION_MIN	100
#define ROCEGUARD_RESTORATION_MAX	3600000

/**
 * enum roceguard_mode - what the host does with policies
 * @ROCEGUARD_MODE_ENFORCE: compare and correct
 * @ROCEGUARD_MODE_OBSERVE: compare only, whatever the policy says
 * @ROCEGUARD_MODE_OFF: neither read nor write any port
 */
enum roceguard_mode {
	ROCEGUARD_MODE_ENFORCE,
	ROCEGUARD_MODE_OBSERVE,
	ROCEGUARD_MODE_OFF,
};

/**
 * enum roceguard_policy_mode - what one policy asks for
 * @ROCEGUARD_POLICY_MODE_ENFORCE: correct what differs
 * @ROCEGUARD_POLICY_MODE_OBSERVE: report what differs
 */
enum roceguard_policy_mode {
	ROCEGUARD_POLICY_MODE_ENFORCE,
	ROCEGUARD_POLICY_MODE_OBSERVE,
};

/**
 * enum roceguard_disruptive - when a write may drop a link that is up
 *
 * At any time it may where no link is lost: with none, and as it comes up.
 *
 * @ROCEGUARD_DISRUPTIVE_BUDGET: so often a day, and so long after the last time
 * @ROCEGUARD_DISRUPTIVE_LINKDOWN: never
 * @ROCEGUARD_DISRUPTIVE_NOW: as soon as it is due
 */
enum roceguard_disruptive {
	ROCEGUARD_DISRUPTIVE_BUDGET,
	ROCEGUARD_DISRUPTIVE_LINKDOWN,
	ROCEGUARD_DISRUPTIVE_NOW,
};

/**
 * enum roceguard_dcbx_mode - who decides over DCB on a port
 * @ROCEGUARD_DCBX_MODE_KEEP: left as it is; what the driver lets us write is written
 * @ROCEGUARD_DCBX_MODE_FOLLOW: the fabric: what differs from the policy is told
 * @ROCEGUARD_DCBX_MODE_HOST: the host: taken from the firmware
 */
enum roceguard_dcbx_mode {
	ROCEGUARD_DCBX_MODE_KEEP,
	ROCEGUARD_DCBX_MODE_FOLLOW,
	ROCEGUARD_DCBX_MODE_HOST,
};

/**
 * enum roceguard_knob - an aspect of a port that a policy can hold
 * @ROCEGUARD_KNOB_DSCP: trust mode and DSCP to priority map
 * @ROCEGUARD_KNOB_ETS: priority to traffic class, TSA, bandwidth (802.1Qaz)
 * @ROCEGUARD_KNOB_PAUSE: global pause, 802.3x
 * @ROCEGUARD_KNOB_PFC: priority-based flow control, 802.1Qbb
 * @ROCEGUARD_KNOB_ECN: DCQCN notification and reaction point per priority
 * @ROCEGUARD_KNOB_DCBX: who sets DCB, the host or the firmware
 * @ROCEGUARD_KNOB_MAXRATE: limit of each traffic class
 * @ROCEGUARD_KNOB_BUFFER: receive buffers and the priorities they are for
 * @ROCEGUARD_KNOB_STORM_PREVENTION: how long the NIC may send pauses on end
 * @ROCEGUARD_KNOB_DCQCN: how the reaction point slows down and speeds up
 * @ROCEGUARD_KNOB_CNP: how CNPs are marked, and how often they are sent
 * @ROCEGUARD_KNOB_MTU: bytes of a frame; checked, never written
 * @ROCEGUARD_KNOB_RDMA_CM: ToS and RoCE mode of connections that say none; delegated
 * @ROCEGUARD_KNOB_VLAN_EGRESS: egress map of VLANs on top; delegated
 */
enum roceguard_knob {
	ROCEGUARD_KNOB_DSCP,
	ROCEGUARD_KNOB_ETS,
	ROCEGUARD_KNOB_PAUSE,
	ROCEGUARD_KNOB_PFC,
	ROCEGUARD_KNOB_ECN,
	ROCEGUARD_KNOB_DCBX,
	ROCEGUARD_KNOB_MAXRATE,
	ROCEGUARD_KNOB_BUFFER,
	ROCEGUARD_KNOB_STORM_PREVENTION,
	ROCEGUARD_KNOB_DCQCN,
	ROCEGUARD_KNOB_CNP,
	ROCEGUARD_KNOB_MTU,
	ROCEGUARD_KNOB_RDMA_CM,
	ROCEGUARD_KNOB_VLAN_EGRESS,
};

/**
 * enum roceguard_verdict - what came of a knob in the last pass
 * @ROCEGUARD_VERDICT_UNMANAGED: the policy does not name it
 * @ROCEGUARD_VERDICT_HELD: it was right
 * @ROCEGUARD_VERDICT_CORRECTED: it was wrong, was written, and reads right
 * @ROCEGUARD_VERDICT_DRIFTED: it is wrong and is not to be written
 * @ROCEGUARD_VERDICT_DEFERRED: the write would drop the link and is not due
 * @ROCEGUARD_VERDICT_PENDING: the device is busy or away; tried again
 * @ROCEGUARD_VERDICT_DELEGATED: only the agent can reach it
 * @ROCEGUARD_VERDICT_INACTIVE: set, but another engine rules
 * @ROCEGUARD_VERDICT_UNSUPPORTED: this port cannot do it
 * @ROCEGUARD_VERDICT_REFUSED: the driver would not, or did not do what it said
 * @ROCEGUARD_VERDICT_CONTESTED: a rival keeps changing it; backed off
 */
enum roceguard_verdict {
	ROCEGUARD_VERDICT_UNMANAGED,
	ROCEGUARD_VERDICT_HELD,
	ROCEGUARD_VERDICT_CORRECTED,
	ROCEGUARD_VERDICT_DRIFTED,
	ROCEGUARD_VERDICT_DEFERRED,
	ROCEGUARD_VERDICT_PENDING,
	ROCEGUARD_VERDICT_DELEGATED,
	ROCEGUARD_VERDICT_INACTIVE,
	ROCEGUARD_VERDICT_UNSUPPORTED,
	ROCEGUARD_VERDICT_REFUSED,
	ROCEGUARD_VERDICT_CONTESTED,
};

/**
 * enum roceguard_source - how far a verdict was checked
 * @ROCEGUARD_SOURCE_NONE: not at all
 * @ROCEGUARD_SOURCE_DERIVED: against a table of the kernel
 * @ROCEGUARD_SOURCE_DRIVER: against the driver's answer, maybe its cache
 * @ROCEGUARD_SOURCE_HARDWARE: against the hardware
 */
enum roceguard_source {
	ROCEGUARD_SOURCE_NONE,
	ROCEGUARD_SOURCE_DERIVED,
	ROCEGUARD_SOURCE_DRIVER,
	ROCEGUARD_SOURCE_HARDWARE,
};

/**
 * enum roceguard_cost - what a write does to traffic on this driver
 * @ROCEGUARD_COST_HITLESS: nothing
 * @ROCEGUARD_COST_LINK_DROP: the link goes down and comes back
 * @ROCEGUARD_COST_RESET: the function is reset
 */
enum roceguard_cost {
	ROCEGUARD_COST_HITLESS,
	ROCEGUARD_COST_LINK_DROP,
	ROCEGUARD_COST_RESET,
};

/**
 * enum roceguard_state - a port in one word, the worst verdict
 * @ROCEGUARD_STATE_UNMANAGED: no policy
 * @ROCEGUARD_STATE_PENDING: a pass is due or will be tried again
 * @ROCEGUARD_STATE_ENFORCED: everything the policy names is as it says
 * @ROCEGUARD_STATE_DEGRADED: part of it is unsupported, inactive or refused
 * @ROCEGUARD_STATE_DRIFTED: something differs and is not to be written
 * @ROCEGUARD_STATE_DEFERRED: a write that drops the link waits for its moment
 * @ROCEGUARD_STATE_CONTESTED: a rival keeps changing something
 * @ROCEGUARD_STATE_SICK: the device does not answer; left alone until link-up
 */
enum roceguard_state {
	ROCEGUARD_STATE_UNMANAGED,
	ROCEGUARD_STATE_PENDING,
	ROCEGUARD_STATE_ENFORCED,
	ROCEGUARD_STATE_DEGRADED,
	ROCEGUARD_STATE_DRIFTED,
	ROCEGUARD_STATE_DEFERRED,
	ROCEGUARD_STATE_CONTESTED,
	ROCEGUARD_STATE_SICK,
};

/**
 * enum roceguard_trigger - why a pass ran
 * @ROCEGUARD_TRIGGER_REGISTER: the port appeared
 * @ROCEGUARD_TRIGGER_UP: it was set up
 * @ROCEGUARD_TRIGGER_CARRIER: its link changed
 * @ROCEGUARD_TRIGGER_RENAME: it was renamed
 * @ROCEGUARD_TRIGGER_TOPOLOGY: a provider or an upper device came or went
 * @ROCEGUARD_TRIGGER_RDMA: its RDMA device came, went or was renamed
 * @ROCEGUARD_TRIGGER_POLICY: a policy or the mode changed
 * @ROCEGUARD_TRIGGER_DCB_EVENT: somebody wrote DCB through rtnetlink
 * @ROCEGUARD_TRIGGER_AUDIT: the periodic look
 * @ROCEGUARD_TRIGGER_USER: port-apply
 * @ROCEGUARD_TRIGGER_WATCHDOG: PFC is to be off for a pause storm, or no longer
 */
enum roceguard_trigger {
	ROCEGUARD_TRIGGER_REGISTER,
	ROCEGUARD_TRIGGER_UP,
	ROCEGUARD_TRIGGER_CARRIER,
	ROCEGUARD_TRIGGER_RENAME,
	ROCEGUARD_TRIGGER_TOPOLOGY,
	ROCEGUARD_TRIGGER_RDMA,
	ROCEGUARD_TRIGGER_POLICY,
	ROCEGUARD_TRIGGER_DCB_EVENT,
	ROCEGUARD_TRIGGER_AUDIT,
	ROCEGUARD_TRIGGER_USER,
	ROCEGUARD_TRIGGER_WATCHDOG,
};

/**
 * enum roceguard_action - what a history entry tells of
 * @ROCEGUARD_ACTION_CORRECTION: a knob was written
 * @ROCEGUARD_ACTION_DRIFT: a knob was found wrong and left so
 * @ROCEGUARD_ACTION_REFUSAL: a write failed or did not stick
 * @ROCEGUARD_ACTION_CONTEST: the port backed off from a rival
 * @ROCEGUARD_ACTION_REQUEST: a person or a program changed policy or mode
 * @ROCEGUARD_ACTION_RESTORE: a knob was given back what it had before us
 * @ROCEGUARD_ACTION_STORM: a pause storm began or ended
 */
enum roceguard_action {
	ROCEGUARD_ACTION_CORRECTION,
	ROCEGUARD_ACTION_DRIFT,
	ROCEGUARD_ACTION_REFUSAL,
	ROCEGUARD_ACTION_CONTEST,
	ROCEGUARD_ACTION_REQUEST,
	ROCEGUARD_ACTION_RESTORE,
	ROCEGUARD_ACTION_STORM,
};

/**
 * enum roceguard_trust - what a port classifies received frames by
 * @ROCEGUARD_TRUST_PCP: the priority in the VLAN tag
 * @ROCEGUARD_TRUST_DSCP: the DSCP in the IP header
 */
enum roceguard_trust {
	ROCEGUARD_TRUST_PCP,
	ROCEGUARD_TRUST_DSCP,
};

/**
 * enum roceguard_tsa - transmission selection algorithm (802.1Q table 8-6)
 * @ROCEGUARD_TSA_STRICT: strict priority
 * @ROCEGUARD_TSA_ETS: enhanced transmission selection, by bandwidth share
 */
enum roceguard_tsa {
	ROCEGUARD_TSA_STRICT,
	ROCEGUARD_TSA_ETS,
};

/**
 * enum roceguard_param - a parameter of DCQCN
 *
 * Their limits are a table of the kernel's, which its extack words name.
 *
 * @ROCEGUARD_PARAM_RP_CLAMP_TARGET_RATE: cut the target rate with every CNP, not with the first of a stage
 * @ROCEGUARD_PARAM_RP_CLAMP_TARGET_RATE_AFTER_TIME: cut it if the timer has raised it since
 * @ROCEGUARD_PARAM_RP_TIME_RESET: us between rate increases by time
 * @ROCEGUARD_PARAM_RP_BYTE_RESET: bytes between rate increases by bytes, 0: none
 * @ROCEGUARD_PARAM_RP_THRESHOLD: increases of one kind before the next stage
 * @ROCEGUARD_PARAM_RP_MAX_RATE: Mbit/s, 0: that of the link
 * @ROCEGUARD_PARAM_RP_AI_RATE: Mbit/s of an additive increase
 * @ROCEGUARD_PARAM_RP_HAI_RATE: Mbit/s of a hyper increase
 * @ROCEGUARD_PARAM_RP_MIN_DEC_FACTOR: percent of the rate that one cut leaves at least
 * @ROCEGUARD_PARAM_RP_MIN_RATE: Mbit/s
 * @ROCEGUARD_PARAM_RP_FIRST_CNP_RATE: Mbit/s after the first CNP, 0: not set
 * @ROCEGUARD_PARAM_RP_ALPHA_G: how slowly alpha follows, in 1/1024
 * @ROCEGUARD_PARAM_RP_ALPHA_PERIOD: us between updates of alpha
 * @ROCEGUARD_PARAM_RP_REDUCE_PERIOD: us between cuts
 * @ROCEGUARD_PARAM_RP_ALPHA_INITIAL: alpha at the first CNP, in 1/1024
 * @ROCEGUARD_PARAM_RP_GD: log2 of what alpha is divided by in a cut
 * @ROCEGUARD_PARAM_NP_CNP_INTERVAL: us between CNPs at least
 * @ROCEGUARD_PARAM_NP_CNP_DSCP: of CNPs
 * @ROCEGUARD_PARAM_NP_CNP_PRIORITY: of CNPs, 802.1p
 * @ROCEGUARD_PARAM_NP_CNP_PRIORITY_MODE: 0: CNPs go by that priority
 * @ROCEGUARD_PARAM_RTT_DSCP_VALID: answers to RTT probes have a DSCP of their own
 * @ROCEGUARD_PARAM_RTT_DSCP: which
 */
enum roceguard_param {
	ROCEGUARD_PARAM_RP_CLAMP_TARGET_RATE,
	ROCEGUARD_PARAM_RP_CLAMP_TARGET_RATE_AFTER_TIME,
	ROCEGUARD_PARAM_RP_TIME_RESET,
	ROCEGUARD_PARAM_RP_BYTE_RESET,
	ROCEGUARD_PARAM_RP_THRESHOLD,
	ROCEGUARD_PARAM_RP_MAX_RATE,
	ROCEGUARD_PARAM_RP_AI_RATE,
	ROCEGUARD_PARAM_RP_HAI_RATE,
	ROCEGUARD_PARAM_RP_MIN_DEC_FACTOR,
	ROCEGUARD_PARAM_RP_MIN_RATE,
	ROCEGUARD_PARAM_RP_FIRST_CNP_RATE,
	ROCEGUARD_PARAM_RP_ALPHA_G,
	ROCEGUARD_PARAM_RP_ALPHA_PERIOD,
	ROCEGUARD_PARAM_RP_REDUCE_PERIOD,
	ROCEGUARD_PARAM_RP_ALPHA_INITIAL,
	ROCEGUARD_PARAM_RP_GD,
	ROCEGUARD_PARAM_NP_CNP_INTERVAL,
	ROCEGUARD_PARAM_NP_CNP_DSCP,
	ROCEGUARD_PARAM_NP_CNP_PRIORITY,
	ROCEGUARD_PARAM_NP_CNP_PRIORITY_MODE,
	ROCEGUARD_PARAM_RTT_DSCP_VALID,
	ROCEGUARD_PARAM_RTT_DSCP,
};

/**
 * enum roceguard_counter - what is counted of a port
 *
 * Up to @ROCEGUARD_COUNTER_RX_MARKED per priority, the others per port.
 *
 * @ROCEGUARD_COUNTER_RX_PAUSE: PFC frames received
 * @ROCEGUARD_COUNTER_TX_PAUSE: PFC frames sent
 * @ROCEGUARD_COUNTER_RX_PAUSE_US: us for which received ones stopped it
 * @ROCEGUARD_COUNTER_TX_PAUSE_US: us for which the peer was stopped
 * @ROCEGUARD_COUNTER_RX_DISCARDS: frames received and dropped
 * @ROCEGUARD_COUNTER_RX_BYTES: bytes received
 * @ROCEGUARD_COUNTER_TX_BYTES: bytes sent
 * @ROCEGUARD_COUNTER_RX_PACKETS: frames received
 * @ROCEGUARD_COUNTER_TX_PACKETS: frames sent
 * @ROCEGUARD_COUNTER_RX_MARKED: frames received that the NIC has marked CE
 * @ROCEGUARD_COUNTER_RX_GLOBAL_PAUSE: pause frames received, 802.3x
 * @ROCEGUARD_COUNTER_TX_GLOBAL_PAUSE: pause frames sent, 802.3x
 * @ROCEGUARD_COUNTER_CNP_SENT: CNPs sent
 * @ROCEGUARD_COUNTER_CNP_HANDLED: CNPs received that a queue pair slowed down for
 * @ROCEGUARD_COUNTER_CNP_IGNORED: CNPs received that none did
 * @ROCEGUARD_COUNTER_ECN_MARKED: RoCE packets received with CE
 * @ROCEGUARD_COUNTER_OUT_OF_SEQUENCE: packets received out of sequence
 * @ROCEGUARD_COUNTER_PACKET_SEQ_ERR: NAKs received: the peer missed a packet
 * @ROCEGUARD_COUNTER_ACK_TIMEOUT: requests that were not answered in time
 * @ROCEGUARD_COUNTER_RNR_RETRY: NAKs received: the peer had no receive buffer posted
 * @ROCEGUARD_COUNTER_OUT_OF_BUFFER: packets received with no receive buffer posted
 * @ROCEGUARD_COUNTER_RETRANSMITS: packets or requests sent again
 * @ROCEGUARD_COUNTER_DUPLICATE_REQUEST: requests received again
 * @ROCEGUARD_COUNTER_HOST_STALLS: times that the host did not drain the NIC
 * @ROCEGUARD_COUNTER_STORM_WARNINGS: the NIC's own: it has sent pauses for long
 * @ROCEGUARD_COUNTER_STORM_ERRORS: the NIC's own: too long, it has stopped
 * @ROCEGUARD_COUNTER_LINK_DOWNS: times that the link was lost
 * @ROCEGUARD_COUNTER_STORM_EVENTS: pause storms that roceguard has seen
 */
enum roceguard_counter {
	ROCEGUARD_COUNTER_RX_PAUSE,
	ROCEGUARD_COUNTER_TX_PAUSE,
	ROCEGUARD_COUNTER_RX_PAUSE_US,
	ROCEGUARD_COUNTER_TX_PAUSE_US,
	ROCEGUARD_COUNTER_RX_DISCARDS,
	ROCEGUARD_COUNTER_RX_BYTES,
	ROCEGUARD_COUNTER_TX_BYTES,
	ROCEGUARD_COUNTER_RX_PACKETS,
	ROCEGUARD_COUNTER_TX_PACKETS,
	ROCEGUARD_COUNTER_RX_MARKED,
	ROCEGUARD_COUNTER_RX_GLOBAL_PAUSE,
	ROCEGUARD_COUNTER_TX_GLOBAL_PAUSE,
	ROCEGUARD_COUNTER_CNP_SENT,
	ROCEGUARD_COUNTER_CNP_HANDLED,
	ROCEGUARD_COUNTER_CNP_IGNORED,
	ROCEGUARD_COUNTER_ECN_MARKED,
	ROCEGUARD_COUNTER_OUT_OF_SEQUENCE,
	ROCEGUARD_COUNTER_PACKET_SEQ_ERR,
	ROCEGUARD_COUNTER_ACK_TIMEOUT,
	ROCEGUARD_COUNTER_RNR_RETRY,
	ROCEGUARD_COUNTER_OUT_OF_BUFFER,
	ROCEGUARD_COUNTER_RETRANSMITS,
	ROCEGUARD_COUNTER_DUPLICATE_REQUEST,
	ROCEGUARD_COUNTER_HOST_STALLS,
	ROCEGUARD_COUNTER_STORM_WARNINGS,
	ROCEGUARD_COUNTER_STORM_ERRORS,
	ROCEGUARD_COUNTER_LINK_DOWNS,
	ROCEGUARD_COUNTER_STORM_EVENTS,
};

/**
 * enum roceguard_direction - of pause frames
 * @ROCEGUARD_DIRECTION_RECEIVED: by the port: the fabric stops it
 * @ROCEGUARD_DIRECTION_SENT: by the port: it stops the fabric
 */
enum roceguard_direction {
	ROCEGUARD_DIRECTION_RECEIVED,
	ROCEGUARD_DIRECTION_SENT,
};

/**
 * enum roceguard_storm_action - what is done about a pause storm
 * @ROCEGUARD_STORM_ACTION_ALERT: tell of it
 * @ROCEGUARD_STORM_ACTION_PFC_OFF: PFC of the priority is off until it is over
 */
enum roceguard_storm_action {
	ROCEGUARD_STORM_ACTION_ALERT,
	ROCEGUARD_STORM_ACTION_PFC_OFF,
};

/**
 * enum roceguard_incident - why the minute before was kept
 * @ROCEGUARD_INCIDENT_NONE: nothing has happened
 * @ROCEGUARD_INCIDENT_STORM: a pause storm began
 * @ROCEGUARD_INCIDENT_LINK_DOWN: the link was lost
 * @ROCEGUARD_INCIDENT_RECONNECT: a controller on the port reconnects
 */
enum roceguard_incident {
	ROCEGUARD_INCIDENT_NONE,
	ROCEGUARD_INCIDENT_STORM,
	ROCEGUARD_INCIDENT_LINK_DOWN,
	ROCEGUARD_INCIDENT_RECONNECT,
};

/* A policy. */
enum {
	ROCEGUARD_A_POLICY_NAME = 1,		/* string */
	ROCEGUARD_A_POLICY_MODE,		/* u32 enum roceguard_policy_mode */
	ROCEGUARD_A_POLICY_MATCH,		/* nest match */
	ROCEGUARD_A_POLICY_CLASS,		/* nest class, repeated */
	ROCEGUARD_A_POLICY_PFC,			/* nest pfc */
	ROCEGUARD_A_POLICY_DSCP,		/* nest dscp */
	ROCEGUARD_A_POLICY_ETS,			/* nest ets */
	ROCEGUARD_A_POLICY_ECN,			/* nest ecn */
	ROCEGUARD_A_POLICY_PAUSE,		/* nest pause */
	ROCEGUARD_A_POLICY_CONNECTION,		/* nest connection */
	ROCEGUARD_A_POLICY_GENERATION,		/* u32, read-only */
	ROCEGUARD_A_POLICY_PORTS,		/* u32, read-only: ports it governs */
	ROCEGUARD_A_POLICY_DISRUPTIVE,		/* u32 enum roceguard_disruptive */
	ROCEGUARD_A_POLICY_DCBX,		/* nest dcbx */
	ROCEGUARD_A_POLICY_MAXRATE,		/* nest maxrate */
	ROCEGUARD_A_POLICY_BUFFER,		/* nest buffer */
	ROCEGUARD_A_POLICY_RESTORE,		/* u32 0, 1, with policy-del */
	ROCEGUARD_A_POLICY_CONFIRM_WITHIN,	/* u32 s, with policy-set */
	ROCEGUARD_A_POLICY_CONFIRM_LEFT,	/* u32 s, read-only; absent: confirmed */
	ROCEGUARD_A_POLICY_STORM_PREVENTION,	/* nest storm-prevention */
	ROCEGUARD_A_POLICY_DCQCN,		/* nest dcqcn */
	ROCEGUARD_A_POLICY_CHECK,		/* nest check */
	ROCEGUARD_A_POLICY_PRIORITY,		/* u32 0..1000 */
	ROCEGUARD_A_POLICY_ROLLOUT,		/* u32 percent 0..100 */
	ROCEGUARD_A_POLICY_ROLLOUT_AT,		/* u32 percent 0..99 */
	ROCEGUARD_A_POLICY_SERIAL,		/* string */
	ROCEGUARD_A_POLICY_RDMA_CM,		/* nest rdma-cm */
	ROCEGUARD_A_POLICY_VLAN,		/* nest vlan */
	ROCEGUARD_A_POLICY_WATCHDOG,		/* nest watchdog */

	__ROCEGUARD_A_POLICY_MAX,
	ROCEGUARD_A_POLICY_MAX = __ROCEGUARD_A_POLICY_MAX - 1
};

enum {
	ROCEGUARD_A_MATCH_DRIVER = 1,		/* string glob, repeated */
	ROCEGUARD_A_MATCH_IFNAME,		/* string glob, repeated */
	ROCEGUARD_A_MATCH_RDMA,			/* u32 0 any port, 1 RoCE-capable */
	ROCEGUARD_A_MATCH_PCI,			/* string glob, repeated */
	ROCEGUARD_A_MATCH_RDMA_DEVICE,		/* string glob, repeated */
	ROCEGUARD_A_MATCH_SPEED_FROM,		/* u32 Mbit/s */
	ROCEGUARD_A_MATCH_SPEED_TO,		/* u32 Mbit/s */

	__ROCEGUARD_A_MATCH_MAX,
	ROCEGUARD_A_MATCH_MAX = __ROCEGUARD_A_MATCH_MAX - 1
};

enum {
	ROCEGUARD_A_CLASS_NAME = 1,		/* string */
	ROCEGUARD_A_CLASS_DSCP,			/* u32 0..63, repeated */
	ROCEGUARD_A_CLASS_PRIORITY,		/* u32 0..7 */
	ROCEGUARD_A_CLASS_LOSSLESS,		/* u32 0, 1 */
	ROCEGUARD_A_CLASS_ECN,			/* u32 0, 1; absent: leave alone */
	ROCEGUARD_A_CLASS_STRICT,		/* u32 0, 1 */
	ROCEGUARD_A_CLASS_CNP,			/* u32 0, 1 */
	ROCEGUARD_A_CLASS_SHARE,		/* u32 percent 1..100 */
	ROCEGUARD_A_CLASS_CABLE_LENGTH,		/* u32 m, 1..999, of a lossless class */

	__ROCEGUARD_A_CLASS_MAX,
	ROCEGUARD_A_CLASS_MAX = __ROCEGUARD_A_CLASS_MAX - 1
};

enum {
	ROCEGUARD_A_PFC_PRIORITIES = 1,		/* u32 mask, bit n = priority n */
	ROCEGUARD_A_PFC_CABLE_LENGTH,		/* u32 m, 1..999 */

	__ROCEGUARD_A_PFC_MAX,
	ROCEGUARD_A_PFC_MAX = __ROCEGUARD_A_PFC_MAX - 1
};

enum {
	ROCEGUARD_A_DSCP_TRUST = 1,		/* u32 enum roceguard_trust */
	ROCEGUARD_A_DSCP_MAP,			/* nest dscp-map, repeated */

	__ROCEGUARD_A_DSCP_MAX,
	ROCEGUARD_A_DSCP_MAX = __ROCEGUARD_A_DSCP_MAX - 1
};

enum {
	ROCEGUARD_A_DSCP_MAP_DSCP = 1,		/* u32 0..63 */
	ROCEGUARD_A_DSCP_MAP_PRIORITY,		/* u32 0..7 */

	__ROCEGUARD_A_DSCP_MAP_MAX,
	ROCEGUARD_A_DSCP_MAP_MAX = __ROCEGUARD_A_DSCP_MAP_MAX - 1
};

enum {
	ROCEGUARD_A_ETS_PRIO_TC = 1,		/* nest prio-tc, repeated */
	ROCEGUARD_A_ETS_TC,			/* nest tc, repeated */

	__ROCEGUARD_A_ETS_MAX,
	ROCEGUARD_A_ETS_MAX = __ROCEGUARD_A_ETS_MAX - 1
};

enum {
	ROCEGUARD_A_PRIO_TC_PRIORITY = 1,	/* u32 0..7 */
	ROCEGUARD_A_PRIO_TC_TC,			/* u32 0..7 */

	__ROCEGUARD_A_PRIO_TC_MAX,
	ROCEGUARD_A_PRIO_TC_MAX = __ROCEGUARD_A_PRIO_TC_MAX - 1
};

enum {
	ROCEGUARD_A_TC_TC = 1,			/* u32 0..7 */
	ROCEGUARD_A_TC_TSA,			/* u32 enum roceguard_tsa */
	ROCEGUARD_A_TC_BANDWIDTH,		/* u32 percent 0..100 */

	__ROCEGUARD_A_TC_MAX,
	ROCEGUARD_A_TC_MAX = __ROCEGUARD_A_TC_MAX - 1
};

enum {
	ROCEGUARD_A_ECN_NP = 1,			/* u32 mask of priorities to have on */
	ROCEGUARD_A_ECN_RP,			/* u32 mask of priorities to have on */

	__ROCEGUARD_A_ECN_MAX,
	ROCEGUARD_A_ECN_MAX = __ROCEGUARD_A_ECN_MAX - 1
};

enum {
	ROCEGUARD_A_PAUSE_RX = 1,		/* u32 0, 1 */
	ROCEGUARD_A_PAUSE_TX,			/* u32 0, 1 */

	__ROCEGUARD_A_PAUSE_MAX,
	ROCEGUARD_A_PAUSE_MAX = __ROCEGUARD_A_PAUSE_MAX - 1
};

enum {
	ROCEGUARD_A_DCBX_MODE = 1,		/* u32 enum roceguard_dcbx_mode */

	__ROCEGUARD_A_DCBX_MAX,
	ROCEGUARD_A_DCBX_MAX = __ROCEGUARD_A_DCBX_MAX - 1
};

enum {
	ROCEGUARD_A_MAXRATE_RATE = 1,		/* nest rate, repeated */

	__ROCEGUARD_A_MAXRATE_MAX,
	ROCEGUARD_A_MAXRATE_MAX = __ROCEGUARD_A_MAXRATE_MAX - 1
};

enum {
	ROCEGUARD_A_RATE_TC = 1,		/* u32 0..7 */
	ROCEGUARD_A_RATE_KBPS,			/* u32 kbit/s, 0: no limit */

	__ROCEGUARD_A_RATE_MAX,
	ROCEGUARD_A_RATE_MAX = __ROCEGUARD_A_RATE_MAX - 1
};

enum {
	ROCEGUARD_A_BUFFER_SIZE = 1,		/* nest size, repeated */
	ROCEGUARD_A_BUFFER_PRIO,		/* nest prio, repeated */

	__ROCEGUARD_A_BUFFER_MAX,
	ROCEGUARD_A_BUFFER_MAX = __ROCEGUARD_A_BUFFER_MAX - 1
};

enum {
	ROCEGUARD_A_SIZE_BUFFER = 1,		/* u32 0..7 */
	ROCEGUARD_A_SIZE_BYTES,			/* u32 */

	__ROCEGUARD_A_SIZE_MAX,
	ROCEGUARD_A_SIZE_MAX = __ROCEGUARD_A_SIZE_MAX - 1
};

enum {
	ROCEGUARD_A_PRIO_PRIORITY = 1,		/* u32 0..7 */
	ROCEGUARD_A_PRIO_BUFFER,		/* u32 0..7 */

	__ROCEGUARD_A_PRIO_MAX,
	ROCEGUARD_A_PRIO_MAX = __ROCEGUARD_A_PRIO_MAX - 1
};

enum {
	ROCEGUARD_A_STORM_PREVENTION_TIMEOUT = 1, /* u32 ms, 80..8000, 0 off, 65535 auto */

	__ROCEGUARD_A_STORM_PREVENTION_MAX,
	ROCEGUARD_A_STORM_PREVENTION_MAX = __ROCEGUARD_A_STORM_PREVENTION_MAX - 1
};

enum {
	ROCEGUARD_A_DCQCN_PARAM = 1,		/* nest param, repeated */

	__ROCEGUARD_A_DCQCN_MAX,
	ROCEGUARD_A_DCQCN_MAX = __ROCEGUARD_A_DCQCN_MAX - 1
};

enum {
	ROCEGUARD_A_PARAM_ID = 1,		/* u32 enum roceguard_param */
	ROCEGUARD_A_PARAM_VALUE,		/* u32, in the unit of the parameter */

	__ROCEGUARD_A_PARAM_MAX,
	ROCEGUARD_A_PARAM_MAX = __ROCEGUARD_A_PARAM_MAX - 1
};

enum {
	ROCEGUARD_A_CHECK_MTU = 1,		/* u32 bytes, 352..65535: at least */

	__ROCEGUARD_A_CHECK_MAX,
	ROCEGUARD_A_CHECK_MAX = __ROCEGUARD_A_CHECK_MAX - 1
};

enum {
	ROCEGUARD_A_RDMA_CM_TOS = 1,		/* u32 0..255, not CE */
	ROCEGUARD_A_RDMA_CM_MODE,		/* u32 1, 2 */

	__ROCEGUARD_A_RDMA_CM_MAX,
	ROCEGUARD_A_RDMA_CM_MAX = __ROCEGUARD_A_RDMA_CM_MAX - 1
};

enum {
	ROCEGUARD_A_VLAN_EGRESS = 1,		/* u32 0, 1 */

	__ROCEGUARD_A_VLAN_MAX,
	ROCEGUARD_A_VLAN_MAX = __ROCEGUARD_A_VLAN_MAX - 1
};

enum {
	ROCEGUARD_A_WATCHDOG_DETECTION = 1,	/* u32 ms, 100..60000; 200 */
	ROCEGUARD_A_WATCHDOG_RESTORATION,	/* u32 ms, 100..3600000; 60000 */
	ROCEGUARD_A_WATCHDOG_ACTION,		/* u32 enum roceguard_storm_action */
	ROCEGUARD_A_WATCHDOG_FORCE,		/* u32 0, 1: also where it drops the link */

	__ROCEGUARD_A_WATCHDOG_MAX,
	ROCEGUARD_A_WATCHDOG_MAX = __ROCEGUARD_A_WATCHDOG_MAX - 1
};

enum {
	ROCEGUARD_A_CONNECTION_CLASS = 1,	/* string, name of a class */
	ROCEGUARD_A_CONNECTION_ROCE_MODE,	/* u32 1, 2 */

	__ROCEGUARD_A_CONNECTION_MAX,
	ROCEGUARD_A_CONNECTION_MAX = __ROCEGUARD_A_CONNECTION_MAX - 1
};

/* A port. */
enum {
	ROCEGUARD_A_PORT_ID = 1,		/* u32, never reused while loaded */
	ROCEGUARD_A_PORT_IFINDEX,		/* u32 */
	ROCEGUARD_A_PORT_IFNAME,		/* string */
	ROCEGUARD_A_PORT_NETNSID,		/* s32, of another namespace */
	ROCEGUARD_A_PORT_DRIVER,		/* string */
	ROCEGUARD_A_PORT_STATE,			/* u32 enum roceguard_state */
	ROCEGUARD_A_PORT_REASON,		/* string, in words, if not well */
	ROCEGUARD_A_PORT_POLICY,		/* string, absent if none */
	ROCEGUARD_A_PORT_GENERATION,		/* u32, the last one it was looked at for */
	ROCEGUARD_A_PORT_TRIGGER,		/* u32 enum roceguard_trigger */
	ROCEGUARD_A_PORT_DCB,			/* u32 0, 1: has dcbnl_ops */
	ROCEGUARD_A_PORT_ROCE_CAPABLE,		/* u32 0, 1 */
	ROCEGUARD_A_PORT_RDMA_DEVICE,		/* string */
	ROCEGUARD_A_PORT_RDMA_PORT,		/* u32 */
	ROCEGUARD_A_PORT_KNOB,			/* nest knob, repeated */
	ROCEGUARD_A_PORT_CORRECTIONS,		/* u64, knobs written */
	ROCEGUARD_A_PORT_DRIFTS,		/* u64, found changed by a rival, or left wrong */
	ROCEGUARD_A_PORT_LINK_DROPS,		/* u64, links dropped by our writes */
	ROCEGUARD_A_PORT_PASSES,		/* u64 */
	ROCEGUARD_A_PORT_PASS_US,		/* u32, duration of the last pass, us */
	ROCEGUARD_A_PORT_TICKET,		/* u32, in answer to port-apply */
	ROCEGUARD_A_PORT_SERVED,		/* u32, the last ticket done */
	ROCEGUARD_A_PORT_EVENT,			/* nest entry, in port-ntf */
	ROCEGUARD_A_PORT_PAD,
	ROCEGUARD_A_PORT_NOW,			/* u32 0, 1, with port-apply: drop the link if need be */
	ROCEGUARD_A_PORT_DROPS_LEFT,		/* u32, of the budget for a day */
	ROCEGUARD_A_PORT_OVERLAY,		/* nest overlay, repeated */
	ROCEGUARD_A_PORT_BOND,			/* string, the bond or team it is a leg of */
	ROCEGUARD_A_PORT_PCI,			/* string, address of its function */
	ROCEGUARD_A_PORT_SPEED,			/* u32 Mbit/s, if a policy asks for it */
	ROCEGUARD_A_PORT_POLICY_WHY,		/* string: why that one */
	ROCEGUARD_A_PORT_FITTING,		/* u32, policies that fit */
	ROCEGUARD_A_PORT_LOST,			/* nest lost, the closest of the others */
	ROCEGUARD_A_PORT_SERIAL,		/* string, of the policy, absent if none */
	ROCEGUARD_A_PORT_WATCHDOG,		/* string: what its watchdog does, absent if none */

	__ROCEGUARD_A_PORT_MAX,
	ROCEGUARD_A_PORT_MAX = __ROCEGUARD_A_PORT_MAX - 1
};

/* A policy that fits a port and does not rule it. */
enum {
	ROCEGUARD_A_LOST_POLICY = 1,		/* string, its name */
	ROCEGUARD_A_LOST_WHY,			/* string */

	__ROCEGUARD_A_LOST_MAX,
	ROCEGUARD_A_LOST_MAX = __ROCEGUARD_A_LOST_MAX - 1
};

enum {
	ROCEGUARD_A_KNOB_ID = 1,		/* u32 enum roceguard_knob */
	ROCEGUARD_A_KNOB_VERDICT,		/* u32 enum roceguard_verdict */
	ROCEGUARD_A_KNOB_SOURCE,		/* u32 enum roceguard_source */
	ROCEGUARD_A_KNOB_COST,			/* u32 enum roceguard_cost */
	ROCEGUARD_A_KNOB_ERRNO,			/* u32, positive, if a call failed */
	ROCEGUARD_A_KNOB_REASON,		/* string: why, and the remedy */
	ROCEGUARD_A_KNOB_HAVE,			/* string: as last read */
	ROCEGUARD_A_KNOB_WANT,			/* string: as the policy says */
	ROCEGUARD_A_KNOB_DELEGATED,		/* u32 1: the agent is to hold it, 0: to
						 * compare only; absent: not delegated
						 */

	__ROCEGUARD_A_KNOB_MAX,
	ROCEGUARD_A_KNOB_MAX = __ROCEGUARD_A_KNOB_MAX - 1
};

/* What goes over the policy of a port, a knob each. */
enum {
	ROCEGUARD_A_OVERLAY_KNOB = 1,		/* u32 enum roceguard_knob */
	ROCEGUARD_A_OVERLAY_WANT,		/* string: as it was said */
	ROCEGUARD_A_OVERLAY_UID,		/* u32, who said so last */
	ROCEGUARD_A_OVERLAY_PID,		/* u32 */
	ROCEGUARD_A_OVERLAY_COMM,		/* string */

	__ROCEGUARD_A_OVERLAY_MAX,
	ROCEGUARD_A_OVERLAY_MAX = __ROCEGUARD_A_OVERLAY_MAX - 1
};

/* A history entry. */
enum {
	ROCEGUARD_A_ENTRY_SEQ = 1,		/* u64 */
	ROCEGUARD_A_ENTRY_TIME,			/* u64 ns since the epoch */
	ROCEGUARD_A_ENTRY_ACTION,		/* u32 enum roceguard_action */
	ROCEGUARD_A_ENTRY_TRIGGER,		/* u32 enum roceguard_trigger */
	ROCEGUARD_A_ENTRY_IFINDEX,		/* u32 */
	ROCEGUARD_A_ENTRY_IFNAME,		/* string, as it was then */
	ROCEGUARD_A_ENTRY_KNOB,			/* u32 enum roceguard_knob */
	ROCEGUARD_A_ENTRY_VERDICT,		/* u32 enum roceguard_verdict */
	ROCEGUARD_A_ENTRY_FROM,			/* string */
	ROCEGUARD_A_ENTRY_TO,			/* string */
	ROCEGUARD_A_ENTRY_DURATION_US,		/* u32 us */
	ROCEGUARD_A_ENTRY_LINK_DROP,		/* u32 0, 1: the write dropped the link */
	ROCEGUARD_A_ENTRY_ERRNO,		/* u32, positive */
	ROCEGUARD_A_ENTRY_POLICY,		/* string */
	ROCEGUARD_A_ENTRY_GENERATION,		/* u32 */
	ROCEGUARD_A_ENTRY_REQUEST,		/* string: what was asked for, or which storm */
	ROCEGUARD_A_ENTRY_UID,			/* u32, who asked */
	ROCEGUARD_A_ENTRY_PID,			/* u32 */
	ROCEGUARD_A_ENTRY_COMM,			/* string */
	ROCEGUARD_A_ENTRY_PAD,

	__ROCEGUARD_A_ENTRY_MAX,
	ROCEGUARD_A_ENTRY_MAX = __ROCEGUARD_A_ENTRY_MAX - 1
};

/* A report of the agent. */
enum {
	ROCEGUARD_A_REPORT_PORT = 1,		/* u32, id of the port */
	ROCEGUARD_A_REPORT_GENERATION,		/* u32, of the port */
	ROCEGUARD_A_REPORT_KNOB,		/* u32 enum roceguard_knob */
	ROCEGUARD_A_REPORT_VERDICT,		/* u32 enum roceguard_verdict */
	ROCEGUARD_A_REPORT_ERRNO,		/* u32, positive, if a call failed */
	ROCEGUARD_A_REPORT_FROM,		/* string: what was there before a write */
	ROCEGUARD_A_REPORT_HAVE,		/* string: as last read */
	ROCEGUARD_A_REPORT_REASON,		/* string: why, and the remedy */
	ROCEGUARD_A_REPORT_ALIVE,		/* u32 1: the agent lives */
	ROCEGUARD_A_REPORT_TIMEOUT,		/* u32 s, in the answer: it holds so long */

	__ROCEGUARD_A_REPORT_MAX,
	ROCEGUARD_A_REPORT_MAX = __ROCEGUARD_A_REPORT_MAX - 1
};

/* The counters of a port. */
enum {
	ROCEGUARD_A_COUNTERS_ID = 1,		/* u32, of the port */
	ROCEGUARD_A_COUNTERS_IFINDEX,		/* u32 */
	ROCEGUARD_A_COUNTERS_IFNAME,		/* string */
	ROCEGUARD_A_COUNTERS_NETNSID,		/* s32, of another namespace */
	ROCEGUARD_A_COUNTERS_DRIVER,		/* string */
	ROCEGUARD_A_COUNTERS_RDMA_DEVICE,	/* string */
	ROCEGUARD_A_COUNTERS_SAMPLED,		/* u32 ms ago; absent: never */
	ROCEGUARD_A_COUNTERS_SAMPLES,		/* u64, taken so far */
	ROCEGUARD_A_COUNTERS_READ_US,		/* u32 us that the last one took */
	ROCEGUARD_A_COUNTERS_COUNTER,		/* nest counter, repeated */
	ROCEGUARD_A_COUNTERS_STORM,		/* nest storm, repeated: those that last */
	ROCEGUARD_A_COUNTERS_FRESH,		/* u32 0, 1, with counters-get */
	ROCEGUARD_A_COUNTERS_PAD,

	__ROCEGUARD_A_COUNTERS_MAX,
	ROCEGUARD_A_COUNTERS_MAX = __ROCEGUARD_A_COUNTERS_MAX - 1
};

enum {
	ROCEGUARD_A_COUNTER_ID = 1,		/* u32 enum roceguard_counter */
	ROCEGUARD_A_COUNTER_VALUE,		/* u64, of one per port */
	ROCEGUARD_A_COUNTER_PRIORITIES,		/* u32 mask, of one per priority */
	ROCEGUARD_A_COUNTER_VALUES,		/* u64[8], of one per priority; 0 out of the mask */
	ROCEGUARD_A_COUNTER_AGE,		/* u32 ms; absent: that of the sample */
	ROCEGUARD_A_COUNTER_PAD,

	__ROCEGUARD_A_COUNTER_MAX,
	ROCEGUARD_A_COUNTER_MAX = __ROCEGUARD_A_COUNTER_MAX - 1
};

/* A pause storm. */
enum {
	ROCEGUARD_A_STORM_PRIORITY = 1,		/* u32 0..7 */
	ROCEGUARD_A_STORM_DIRECTION,		/* u32 enum roceguard_direction */
	ROCEGUARD_A_STORM_SINCE,		/* u32 ms ago, of one that lasts */
	ROCEGUARD_A_STORM_ON,			/* u32 1 it began, 0 it ended */
	ROCEGUARD_A_STORM_ACTION,		/* u32 enum roceguard_storm_action: taken */
	ROCEGUARD_A_STORM_LASTED,		/* u32 ms, of one that ended */

	__ROCEGUARD_A_STORM_MAX,
	ROCEGUARD_A_STORM_MAX = __ROCEGUARD_A_STORM_MAX - 1
};

/* A second of a port, as the flight recorder keeps it. */
enum {
	ROCEGUARD_A_SAMPLE_ID = 1,		/* u32, of the port */
	ROCEGUARD_A_SAMPLE_IFINDEX,		/* u32 */
	ROCEGUARD_A_SAMPLE_IFNAME,		/* string */
	ROCEGUARD_A_SAMPLE_NETNSID,		/* s32, of another namespace */
	ROCEGUARD_A_SAMPLE_AT,			/* u64 ms since the epoch */
	ROCEGUARD_A_SAMPLE_FROZEN,		/* u32 0, 1: before an incident */
	ROCEGUARD_A_SAMPLE_CAUSE,		/* u32 enum roceguard_incident */
	ROCEGUARD_A_SAMPLE_COUNTER,		/* nest counter, repeated: by how much
						 * those grew that did since the one before
						 */
	ROCEGUARD_A_SAMPLE_CLEAR,		/* u32 0, 1, with counters-history-get */
	ROCEGUARD_A_SAMPLE_PAD,

	__ROCEGUARD_A_SAMPLE_MAX,
	ROCEGUARD_A_SAMPLE_MAX = __ROCEGUARD_A_SAMPLE_MAX - 1
};

/* The host as a whole. */
enum {
	ROCEGUARD_A_HOST_MODE = 1,		/* u32 enum roceguard_mode */
	ROCEGUARD_A_HOST_FROZEN,		/* u32 0, 1: no writes at all */
	ROCEGUARD_A_HOST_GENERATION,		/* u32, read-only */
	ROCEGUARD_A_HOST_POLICIES,		/* u32, read-only */
	ROCEGUARD_A_HOST_PORTS,			/* u32, read-only */
	ROCEGUARD_A_HOST_VERSION,		/* string, read-only */
	ROCEGUARD_A_HOST_RDMA,			/* u32 0, 1, read-only: roceguard_rdma is there */
	ROCEGUARD_A_HOST_RDMA_REASON,		/* string, read-only: why it is not */
	ROCEGUARD_A_HOST_FREEZE_FOR,		/* u32 s, with FROZEN 1 */
	ROCEGUARD_A_HOST_FREEZE_LEFT,		/* u32 s, read-only; absent: no end */

	__ROCEGUARD_A_HOST_MAX,
	ROCEGUARD_A_HOST_MAX = __ROCEGUARD_A_HOST_MAX - 1
};

enum {
	ROCEGUARD_CMD_POLICY_GET = 1,
	ROCEGUARD_CMD_POLICY_SET,
	ROCEGUARD_CMD_POLICY_DEL,
	ROCEGUARD_CMD_PORT_GET,
	ROCEGUARD_CMD_PORT_APPLY,
	ROCEGUARD_CMD_MODE_GET,
	ROCEGUARD_CMD_MODE_SET,
	ROCEGUARD_CMD_HISTORY_GET,
	ROCEGUARD_CMD_POLICY_NTF,
	ROCEGUARD_CMD_PORT_NTF,
	ROCEGUARD_CMD_MODE_NTF,
	ROCEGUARD_CMD_PORT_RESTORE,
	ROCEGUARD_CMD_POLICY_CONFIRM,
	ROCEGUARD_CMD_DELEGATE_REPORT,
	ROCEGUARD_CMD_COUNTERS_GET,
	ROCEGUARD_CMD_COUNTERS_HISTORY_GET,
	ROCEGUARD_CMD_CONGESTION_NTF,
	ROCEGUARD_CMD_INCIDENT_REPORT,

	__ROCEGUARD_CMD_MAX,
	ROCEGUARD_CMD_MAX = __ROCEGUARD_CMD_MAX - 1
};

#endif /* _UAPI_LINUX_ROCEGUARD_H */
