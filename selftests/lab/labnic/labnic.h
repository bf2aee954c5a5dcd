/* SPDX-License-Identifier: GPL-2.0 */
/*
 * labnic: an Ethernet NIC for the lab, stacked on a plain one (its wire), with
 * the traffic classes, the flow control settings and the driver habits that a
 * real RoCE NIC has.
 *
 * Two things are kept apart here as they are in a real NIC: struct labnic_hw is
 * what the hardware holds and classifies frames by; struct labnic_driver is
 * what its driver believes and answers from.
 *
 * Locks: rtnl covers configuration, the driver's view and the carrier.
 * labnic.hw_lock (leaf, BH) covers the hardware, because a firmware reset and
 * the provider come without rtnl; the data path reads single bytes of it
 * locklessly.
 */
#ifndef LABNIC_H
#define LABNIC_H

#include <linux/dcbnl.h>
#include <linux/debugfs.h>
#include <linux/ethtool.h>
#include <linux/netdevice.h>
#include <linux/seq_file.h>
#include <linux/spinlock.h>
#include <linux/u64_stats_sync.h>
#include <linux/workqueue.h>
#include <net/dcbnl.h>
#include "call.h"

#define LABNIC_KIND		"labnic"
#define LABNIC_PRIORITIES	IEEE_8021QAZ_MAX_TCS
#define LABNIC_TCS		IEEE_8021QAZ_MAX_TCS
#define LABNIC_DSCPS		64
#define LABNIC_PCPS		16	/* with the drop eligible bit above */
#define LABNIC_BUFFERS		DCBX_MAX_BUFFERS
#define LABNIC_BUFFER_TOTAL	(256 * 1024)
#define LABNIC_SPEED_MBPS	100000
#define LABNIC_STORM_MS		8000

/* What frames are classified by, in the order in which it is tried. */
enum labnic_trust {
	LABNIC_TRUST_NONE,
	LABNIC_TRUST_PCP,
	LABNIC_TRUST_DSCP,
	LABNIC_TRUST_PCP_DSCP,
	LABNIC_TRUST_DSCP_PCP,
	LABNIC_TRUSTS
};

/**
 * struct labnic_trust_order - a trust setting spelled out
 * @name: for people
 * @n: how many of @selector count
 * @selector: IEEE_8021QAZ_APP_SEL_DSCP or DCB_APP_SEL_PCP, first one first
 */
struct labnic_trust_order {
	const char *name;
	int n;
	u8 selector[2];
};

extern const struct labnic_trust_order labnic_trust_orders[LABNIC_TRUSTS];

/* The ends of DCQCN. */
enum labnic_role { LABNIC_NP, LABNIC_RP, LABNIC_ROLES };

/* Parameters of congestion control, as mlx5 numbers and calls them. */
enum labnic_cc {
	LABNIC_CC_RP_CLAMP_TGT_RATE,
	LABNIC_CC_RP_CLAMP_TGT_RATE_ATI,
	LABNIC_CC_RP_TIME_RESET,
	LABNIC_CC_RP_BYTE_RESET,
	LABNIC_CC_RP_THRESHOLD,
	LABNIC_CC_RP_MAX_RATE,
	LABNIC_CC_RP_AI_RATE,
	LABNIC_CC_RP_HAI_RATE,
	LABNIC_CC_RP_MIN_DEC_FAC,
	LABNIC_CC_RP_MIN_RATE,
	LABNIC_CC_RP_RATE_TO_SET_ON_FIRST_CNP,
	LABNIC_CC_RP_DCE_TCP_G,
	LABNIC_CC_RP_DCE_TCP_RTT,
	LABNIC_CC_RP_RATE_REDUCE_MONITOR_PERIOD,
	LABNIC_CC_RP_INITIAL_ALPHA_VALUE,
	LABNIC_CC_RP_GD,
	LABNIC_CC_NP_MIN_TIME_BETWEEN_CNPS,
	LABNIC_CC_NP_CNP_DSCP,
	LABNIC_CC_NP_CNP_PRIO,
	LABNIC_CC_NP_CNP_PRIO_MODE,
	LABNIC_CC_RTT_RESP_DSCP_VALID,
	LABNIC_CC_RTT_RESP_DSCP,
	LABNIC_CCS
};

extern const char * const labnic_cc_names[LABNIC_CCS];

/**
 * struct labnic_hw - what the hardware holds
 * @pfc: mask of priorities with PFC on
 * @trust: enum labnic_trust
 * @dscp2prio: priority of each DSCP
 * @pcp2prio: priority of each PCP, as the APP table numbers them
 * @default_prio: priority of what nothing trusted speaks of
 * @prio_tc: traffic class of each priority
 * @tsa: IEEE_8021QAZ_TSA_ of each traffic class
 * @bandwidth: percent of each traffic class
 * @maxrate: Kb/s of each traffic class, 0: no limit
 * @prio2buffer: receive buffer of each priority
 * @buffer_size: bytes of each receive buffer
 * @pause_rx: global pause honoured
 * @pause_tx: global pause sent
 * @ecn: mask of priorities with DCQCN on, by role
 * @storm_ms: it stops when it has sent pauses for so long, 0: never
 * @cc: parameters of DCQCN
 */
struct labnic_hw {
	u8 pfc;
	u8 trust;
	u8 dscp2prio[LABNIC_DSCPS];
	u8 pcp2prio[LABNIC_PCPS];
	u8 default_prio;
	u8 prio_tc[LABNIC_PRIORITIES];
	u8 tsa[LABNIC_TCS];
	u8 bandwidth[LABNIC_TCS];
	u64 maxrate[LABNIC_TCS];
	u8 prio2buffer[LABNIC_PRIORITIES];
	u32 buffer_size[LABNIC_BUFFERS];
	bool pause_rx;
	bool pause_tx;
	u8 ecn[LABNIC_ROLES];
	u16 storm_ms;
	u32 cc[LABNIC_CCS];
};

/**
 * struct labnic_driver - what the driver believes and answers from
 * @dcbx: DCB_CAP_DCBX_ bits
 * @delay: as in struct ieee_pfc: bit times, for mlx5 metres of cable
 * @trust: enum labnic_trust, as last written
 * @dscp2prio: as last written
 * @dscp_apps: DSCP entries in the APP table
 * @pcp_apps: mask of priorities with an APP entry, by PCP
 * @late: the map is yet to be put into the APP table
 * @dscp2prio_late: that map
 * @wrote_ets: @ets is what it answers with
 * @wrote_pfc: @pfc is what it answers with
 * @ets: as last written
 * @pfc: as last written
 * @pause_autoneg: global pause is negotiated
 * @lossless_tcs: mask of traffic classes that have a lossless queue
 */
struct labnic_driver {
	u8 dcbx;
	u16 delay;
	u8 trust;
	u8 dscp2prio[LABNIC_DSCPS];
	unsigned int dscp_apps;
	u8 pcp_apps[LABNIC_PCPS];
	bool late;
	u8 dscp2prio_late[LABNIC_DSCPS];
	bool wrote_ets;
	bool wrote_pfc;
	struct ieee_ets ets;
	u8 pfc;
	bool pause_autoneg;
	u8 lossless_tcs;
};

/* Counters of one priority. */
enum labnic_prio_stat {
	LABNIC_RX_BYTES,
	LABNIC_RX_PACKETS,
	LABNIC_TX_BYTES,
	LABNIC_TX_PACKETS,
	LABNIC_RX_PAUSE,
	LABNIC_TX_PAUSE,
	LABNIC_RX_ROCE,
	LABNIC_TX_ROCE,
	LABNIC_RX_PAUSE_US,
	LABNIC_TX_PAUSE_US,
	LABNIC_PRIO_STATS
};

/* Counters of the port. */
enum labnic_port_stat {
	LABNIC_RX_GLOBAL_PAUSE,
	LABNIC_TX_GLOBAL_PAUSE,
	LABNIC_RX_DROPPED,
	LABNIC_TX_DROPPED,
	LABNIC_LINK_DOWNS,
	LABNIC_TX_ROCE_FRAMES,
	LABNIC_TX_ROCE_UNPROTECTED,
	LABNIC_TX_ROCE_CM,
	LABNIC_TX_ROCE_UNPROTECTED_CM,
	LABNIC_TX_ROCE_CNP,
	LABNIC_RX_ROCE_FRAMES,
	LABNIC_RX_ROCE_CM,
	LABNIC_RX_ROCE_CNP,
	LABNIC_RX_ROCE_CE,
	/* Nothing counts these but tests. */
	LABNIC_RP_CNP_HANDLED,
	LABNIC_RP_CNP_IGNORED,
	LABNIC_ACK_TIMEOUT,
	LABNIC_PCI_STALLED,
	LABNIC_STORM_WARNINGS,
	LABNIC_STORM_ERRORS,
	LABNIC_PORT_STATS
};

/**
 * struct labnic_counters - the counters of a port, of one CPU or their sum
 * @prio: by priority, enum labnic_prio_stat
 * @port: enum labnic_port_stat
 */
struct labnic_counters {
	u64 prio[LABNIC_PRIORITIES][LABNIC_PRIO_STATS];
	u64 port[LABNIC_PORT_STATS];
};

struct labnic_cpu_stats {
	u64_stats_t prio[LABNIC_PRIORITIES][LABNIC_PRIO_STATS];
	u64_stats_t port[LABNIC_PORT_STATS];
	struct u64_stats_sync syncp;
};

/* What a frame is, as far as the lab cares. */
enum labnic_kind {
	LABNIC_FRAME_OTHER,
	LABNIC_FRAME_ROCE,		/* RoCE v2, a queue pair of its own */
	LABNIC_FRAME_ROCE_CM,		/* RoCE v2 to QP 1: connection set-up */
	LABNIC_FRAME_ROCE_CNP,		/* congestion notification */
	LABNIC_FRAME_PAUSE,		/* 802.3x */
	LABNIC_FRAME_PFC,		/* 802.1Qbb */
};

/**
 * struct labnic_frame - a frame as the classifier sees it
 * @kind: enum labnic_kind
 * @prio: the priority it belongs to
 * @ecn: the ECN bits of its IP header
 * @pfc: mask of priorities that a PFC frame speaks of
 * @quanta: for how long each of them is to be paused
 */
struct labnic_frame {
	u8 kind;
	u8 prio;
	u8 ecn;
	u8 pfc;
	u16 quanta[LABNIC_PRIORITIES];
};

#define LABNIC_OPCODE_PAUSE	0x0001
#define LABNIC_OPCODE_PFC	0x0101

/* Who sends pauses. */
enum labnic_way { LABNIC_RX, LABNIC_TX, LABNIC_WAYS };

/**
 * struct labnic_pause - how long a priority was paused
 * @ns: up to @since
 * @since: accounted for up to then, ns
 * @until: the last pause ends, ns
 * @run: paused without a break since then, ns
 * @longest: the longest time without a break, ns
 */
struct labnic_pause {
	u64 ns;
	u64 since;
	u64 until;
	u64 run;
	u64 longest;
};

#define LABNIC_JOURNAL_ENTRIES	256
#define LABNIC_JOURNAL_TEXT	96

struct labnic_journal_entry {
	u64 time;
	int result;
	char comm[TASK_COMM_LEN];
	char text[LABNIC_JOURNAL_TEXT];
};

/**
 * struct labnic_journal - what was done to the NIC, the last entries of it
 * @lock: leaf, covers the rest
 * @seq: number of entries ever written
 * @entry: entry number n is at n modulo their number
 */
struct labnic_journal {
	spinlock_t lock;
	u64 seq;
	struct labnic_journal_entry entry[LABNIC_JOURNAL_ENTRIES];
};

/* When settings are lost. */
enum labnic_loss { LABNIC_LOSS_LINK, LABNIC_LOSS_MTU, LABNIC_LOSSES };

struct labnic;

/**
 * struct labnic_personality - the habits of one real driver
 * @name: as the module parameter has it
 * @habits: the driver it imitates, NULL: none
 * @ops_lock: asks for the instance lock
 * @pause_stats_follow_pfc: per-priority pause counters exist only while PFC is
 *	on for that priority
 * @no_pause_us: counts pauses and not for how long
 * @np_per_port: the notification point is on for all priorities if it is for one
 * @no_cc: mask of enum labnic_cc that it does not have
 * @busy_in_reset: refuses with -EBUSY as long as it recovers from a reset
 * @pfc_cap: traffic classes that can be lossless; 0: all
 * @agent_flag: private flag of ethtool for the firmware's LLDP agent; NULL: none
 * @set_agent: that agent was started or stopped
 * @dcbnl_ops: what DCB it offers from the start
 * @power_on: fill in the hardware's defaults
 * @load: the driver starts on hardware just powered on
 * @late: what the driver does when the netdev has been there for a while, without
 *	rtnl; may be NULL
 * @get_pfc: fill in what is set; NULL: the hardware is asked
 * @get_ets: ditto
 * @set_pfc: these take what common checks let through and return as the dcbnl op
 * @set_ets: ditto
 * @round_rate: the rate in Kb/s that the hardware makes of one; may be NULL
 * @set_storm: the time-out of storm prevention; also does all the checks; NULL: no
 *	such thing
 * @set_pause: sets global pause; NULL: at once, and not by autonegotiation
 * @set_app: ditto; also does all the checks
 * @del_app: ditto
 * @set_dcbx: returns 0 or, as the dcbnl op, nonzero for failure
 */
struct labnic_personality {
	const char *name;
	const char *habits;
	bool ops_lock;
	bool pause_stats_follow_pfc;
	bool no_pause_us;
	bool np_per_port;
	u32 no_cc;
	bool busy_in_reset;
	u8 pfc_cap;
	const char *agent_flag;
	void (*set_agent)(struct labnic *nic);
	const struct dcbnl_rtnl_ops *dcbnl_ops;
	void (*power_on)(struct labnic_hw *hw);
	void (*load)(struct labnic *nic);
	void (*late)(struct labnic *nic);
	void (*get_pfc)(struct labnic *nic, struct ieee_pfc *pfc);
	int (*get_ets)(struct labnic *nic, struct ieee_ets *ets);
	int (*set_pfc)(struct labnic *nic, const struct ieee_pfc *pfc);
	int (*set_ets)(struct labnic *nic, const struct ieee_ets *ets);
	u64 (*round_rate)(u64 kbps);
	int (*set_storm)(struct labnic *nic, u16 ms);
	int (*set_pause)(struct labnic *nic,
			 const struct ethtool_pauseparam *pause);
	int (*set_app)(struct labnic *nic, struct dcb_app *app);
	int (*del_app)(struct labnic *nic, struct dcb_app *app);
	u8 (*set_dcbx)(struct labnic *nic, u8 mode);
};

struct labnic;

/**
 * struct labnic_cc_file - a parameter of a NIC as a file
 * @nic: whose
 * @cc: enum labnic_cc
 */
struct labnic_cc_file {
	struct labnic *nic;
	unsigned int cc;
};

/**
 * struct labnic - one NIC, the private data of its netdev
 * @dev: the netdev
 * @lower: its wire; a reference is held from ndo_init to ndo_uninit
 * @personality: fixed at birth
 * @stats: counters, per CPU
 * @drv: the driver's view; rtnl
 * @hw_lock: covers @hw, @drop_ms, @recover and @right
 * @hw: the hardware
 * @drop_ms: the link is to go down for so long; 0: no
 * @recover: the driver has yet to recover from a firmware reset
 * @right: @hw is what was said to be right
 * @held: the link is kept down until @hold_until; rtnl
 * @hold_until: in jiffies; rtnl
 * @phy_up: the link as the hardware sees it: no frame passes while false
 * @resets: firmware resets so far
 * @first_open: ktime of the first ndo_open in ns, 0: not yet
 * @wire_work: does what @drop_ms and @recover ask for
 * @late_work: calls what the personality has for late
 * @fw_lldp: the firmware's LLDP agent runs
 * @detached: there is nothing behind the netdev
 * @lose: fields of @hw to be lost, by enum labnic_loss
 * @faults: what is to come of calls
 * @journal: what was done
 * @engine: of labnic_engines[]: what rules the rate of queue pairs
 * @filler: statistics more than it counts; under rtnl, or the instance lock
 * @stats_lock: leaf, BH; covers @stats_base
 * @stats_base: what its counters were when they were last reset
 * @pause_lock: leaf, BH; covers @pause
 * @pause: how long priorities were paused
 * @xoff: mask of priorities that the peer is kept from sending
 * @xoff_sent: mask of those that were last told so
 * @xoff_work: tells it
 * @cc_file: for debugfs
 * @debugfs: its directory
 */
struct labnic {
	struct net_device *dev;
	struct net_device *lower;
	const struct labnic_personality *personality;
	struct labnic_cpu_stats __percpu *stats;
	struct labnic_driver drv;
	spinlock_t hw_lock;
	struct labnic_hw hw;
	unsigned int drop_ms;
	u32 speed;
	bool recover;
	bool right;
	bool held;
	unsigned long hold_until;
	bool phy_up;
	unsigned int resets;
	u64 first_open;
	struct delayed_work wire_work;
	struct delayed_work late_work;
	bool fw_lldp;
	bool detached;
	u32 lose[LABNIC_LOSSES];
	struct labnic_faults faults;
	struct labnic_journal journal;
	unsigned int engine;
	unsigned int filler;
	spinlock_t stats_lock;
	struct labnic_counters stats_base;
	spinlock_t pause_lock;
	struct labnic_pause pause[LABNIC_WAYS][LABNIC_PRIORITIES];
	u8 xoff;
	u8 xoff_sent;
	struct delayed_work xoff_work;
	struct labnic_cc_file cc_file[LABNIC_CCS];
	struct dentry *debugfs;
};

/* Of a file in debugfs that is shown by name_show() and takes lines by name_write(). */
#define LABNIC_DEFINE_OPEN(name)					\
static int name##_open(struct inode *inode, struct file *file)		\
{									\
	return single_open(file, name##_show, inode->i_private);	\
}
#define LABNIC_FILE_OPS(name) {						\
	.owner = THIS_MODULE,						\
	.open = name##_open,						\
	.read = seq_read,						\
	.write = name##_write,						\
	.llseek = seq_lseek,						\
	.release = single_release,					\
}

/* link.c */
int labnic_link_init(void);
void labnic_link_exit(void);
bool labnic_is(const struct net_device *dev);

/* netdev.c */
void labnic_setup(struct net_device *dev);
extern const u8 labnic_mac_control[ETH_ALEN];

/* wire.c */
void labnic_wire_init(struct labnic *nic);
void labnic_wire_exit(struct labnic *nic);
void labnic_wire_sync(struct labnic *nic, bool announce);
void labnic_wire_drop(struct labnic *nic, unsigned int ms);
void labnic_wire_train(struct labnic *nic);
void labnic_forget(struct labnic *nic);
void labnic_reset(struct labnic *nic);
extern unsigned int labnic_toggle_ms;

/* rxtx.c */
netdev_tx_t labnic_xmit(struct sk_buff *skb, struct net_device *dev);
rx_handler_result_t labnic_rx(struct sk_buff **pskb);

/* pause.c */
void labnic_pause_init(struct labnic *nic);
void labnic_pause_exit(struct labnic *nic);
void labnic_pause_rx(struct labnic *nic, const struct labnic_frame *frame);
void labnic_pause_end(struct labnic *nic, u8 pfc);
void labnic_pause_read(struct labnic *nic, struct labnic_counters *sum);
void labnic_xoff(struct labnic *nic, u8 mask);
u64 labnic_longest_pause(struct labnic *nic, bool forget);

/* classify.c */
void labnic_classify(const struct labnic_hw *hw, const struct sk_buff *skb,
		     int mac_offset, struct labnic_frame *frame);

/* stats.c */
struct labnic_cpu_stats __percpu *labnic_stats_alloc(void);
void labnic_stats_read(struct labnic *nic, struct labnic_counters *sum);
void labnic_stats_reset(struct labnic *nic);
void labnic_stats_pause_sent(struct labnic *nic, u8 mask);
void labnic_stats_port_inc(struct labnic *nic, enum labnic_port_stat stat);
void labnic_stats_add(struct labnic *nic, int prio, unsigned int stat, u64 by);

/* ethtool.c */
int labnic_stat_find(const char *name, int *prio, unsigned int *stat);

/* plant.c */
extern const struct file_operations labnic_plant_fops;

/* The priority of a PCP that nobody said anything else of: itself. */
static inline u8 labnic_default_pcp(u8 pcp)
{
	return pcp % LABNIC_PRIORITIES;
}

/* hw.c */
void labnic_hw_power_on(struct labnic_hw *hw);
void labnic_hw_begin(struct labnic *nic);
void labnic_hw_end(struct labnic *nic);
void labnic_hw_get(struct labnic *nic, struct labnic_hw *hw);
void labnic_hw_set_pfc(struct labnic *nic, u8 mask);
void labnic_hw_set_trust(struct labnic *nic, enum labnic_trust trust);
void labnic_hw_set_dscp(struct labnic *nic, u8 dscp, u8 prio);
void labnic_hw_set_pcp(struct labnic *nic, u8 pcp, u8 prio);
void labnic_hw_set_default(struct labnic *nic, u8 prio);
void labnic_hw_set_ets(struct labnic *nic, const struct ieee_ets *ets);
void labnic_hw_set_maxrate(struct labnic *nic, const u64 *kbps);
void labnic_hw_set_buffer(struct labnic *nic, const struct dcbnl_buffer *buf);
void labnic_hw_set_pause(struct labnic *nic, bool rx, bool tx);
void labnic_hw_set_storm(struct labnic *nic, u16 ms);
int labnic_hw_get_cc(struct labnic *nic, unsigned int cc, u32 *value);
int labnic_hw_set_cc(struct labnic *nic, unsigned int cc, u32 value);

/* right.c */
void labnic_right_set(struct labnic *nic);
void labnic_right_see(struct labnic *nic);

/* dcbnl.c */
extern const struct dcbnl_rtnl_ops labnic_dcbnl_ops;
extern const struct dcbnl_rtnl_ops labnic_dcbnl_ops_trust_by_app;
extern const struct dcbnl_rtnl_ops labnic_dcbnl_ops_few;
u8 labnic_getdcbx(struct net_device *dev);
u8 labnic_setdcbx(struct net_device *dev, u8 mode);

/* app.c */
void labnic_app_flush(struct labnic *nic);

/* ethtool.c */
extern const struct ethtool_ops labnic_ethtool_ops;

/* sets.c */
extern const struct file_operations labnic_statistics_fops;
void labnic_sets_init(struct labnic *nic);
void labnic_filler_names(const struct labnic *nic, u8 *data);
void labnic_filler_values(const struct labnic *nic, u64 *data);

/* personality.c */
const struct labnic_personality *labnic_next_personality(void);
extern const struct labnic_personality labnic_plain;
extern const struct labnic_personality labnic_late_dcb;
extern const struct labnic_personality labnic_no_dcb;
extern const struct labnic_personality labnic_mlx5;
extern const struct labnic_personality labnic_bnxt;
extern const struct labnic_personality labnic_ice;
extern const struct labnic_personality labnic_hns3;
extern const struct labnic_personality labnic_cee;

/* life.c */
void labnic_life_init(struct labnic *nic);
void labnic_life_begin(struct labnic *nic);
void labnic_life_exit(struct labnic *nic);
void labnic_detach(struct labnic *nic, bool detach);

/* lose.c */
extern const struct file_operations labnic_lose_fops;
void labnic_lose(struct labnic *nic, enum labnic_loss when);

/* journal.c */
void labnic_journal_init(struct labnic *nic);
__printf(3, 4) void labnic_journal(struct labnic *nic, int result,
				   const char *fmt, ...);

/* debugfs.c */
int labnic_line_get(char *line, size_t size, const char __user *buf, size_t len);
void labnic_debugfs_init(void);
void labnic_debugfs_exit(void);
void labnic_debugfs_add(struct labnic *nic);
void labnic_debugfs_renamed(struct labnic *nic);
void labnic_debugfs_del(struct labnic *nic);

/* provided.c: all that the provider needs; dev may be any netdev */
int labnic_read_hw(struct net_device *dev, struct labnic_hw *hw);
int labnic_read_prio(struct net_device *dev, struct labnic_counters *counters,
		     bool *times);
int labnic_get_ecn(struct net_device *dev, enum labnic_role role, u8 prio,
		   bool *on);
int labnic_set_ecn(struct net_device *dev, enum labnic_role role, u8 prio,
		   bool on);
bool labnic_ecn_per_port(struct net_device *dev, enum labnic_role role);
int labnic_get_cc(struct net_device *dev, unsigned int cc, u32 *value);
int labnic_set_cc(struct net_device *dev, unsigned int cc, u32 value);
extern const char * const labnic_engines[];
const char *labnic_engine(struct net_device *dev);
const char *labnic_habits(struct net_device *dev);

#endif /* LABNIC_H */
