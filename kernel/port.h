/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ports: netdevs that have DCB, may get it, or are named by a policy.
 *
 * Locks, outermost first: rtnl, the netdev instance lock, the policy mutex,
 * port->lock. The last is a leaf and may be taken in atomic context.
 */
#ifndef RG_PORT_H
#define RG_PORT_H

#include <linux/kobject.h>
#include <linux/kref.h>
#include <linux/netdevice.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include "habits.h"
#include "logic/budget.h"
#include "logic/damping.h"
#include "logic/match.h"
#include "logic/overlay.h"
#include "logic/policy.h"
#include "logic/text.h"

#define RG_REASON_MAX	160
#define RG_DRIVER_MAX	32
#define RG_PCI_MAX	32
#define RG_TRIGGERS	(ROCEGUARD_TRIGGER_WATCHDOG + 1)

/**
 * enum rg_learnt - what a driver turned out not to do
 * @RG_LEARNT_NO_DELAY: ieee_pfc.delay does not read back as it was written
 */
enum rg_learnt {
	RG_LEARNT_NO_DELAY,
};

/**
 * struct rg_knob_status - what came of a knob
 * @brief: all but the words
 * @verdict: enum roceguard_verdict
 * @source: enum roceguard_source
 * @cost: enum roceguard_cost of a write
 * @delegated: RG_YES: the agent is to hold it, RG_NO: to compare only, RG_NOT_SAID:
 *	it is not the agent's
 * @err: errno of the call that failed, positive, or 0
 * @have: as last read
 * @want: as the policy says
 * @reason: why it is not right, and what to do
 */
struct rg_knob_status {
	struct_group_tagged(rg_knob_brief, brief,
		u8 verdict;
		u8 source;
		u8 cost;
		u8 delegated;
		int err;
	);
	char have[RG_TEXT_MAX];
	char want[RG_TEXT_MAX];
	char reason[RG_REASON_MAX];
};

/**
 * struct rg_port_status - all that readers see of a port
 * @brief: all but the knobs
 * @name: of the netdev
 * @driver: of the netdev
 * @state: enum roceguard_state
 * @trigger: of the last pass
 * @reason: of the state, if no knob explains it
 * @policy: name of the policy that rules, or ""
 * @serial: of that policy, or ""
 * @choice: why that one
 * @writer: name of the policy that last wrote to it, or "": none since it was
 *	restored
 * @generation: the newest one that a pass has looked at
 * @served: the newest port-apply that a pass has served
 * @dcb: has dcbnl_ops
 * @roce: RoCE-capable
 * @rdma_device: name of its RDMA device, or ""
 * @rdma_port: port of it
 * @bond: name of the bond or team that it is a leg of, or ""
 * @pci: address of its PCI function, or ""
 * @speed: as it last was in Mbit/s, if a policy asks for it; 0: not known
 * @corrections: knobs written
 * @drifts: knobs found wrong
 * @link_drops: links dropped by our writes
 * @drops_left: how many more the budget allows within 24 hours
 * @passes: passes made
 * @pass_us: duration of the last one
 * @overlay: what was said of single settings, over the policy; not by passes
 * @overlay_seen: serial of the newest one that a pass has looked at
 * @ecn_live: mask of priorities that the hardware had on in the last pass, by
 *	role; only of ports with files of ofed_sysfs.c, as what follows
 * @params_live: mask of enum roceguard_param that it has
 * @param_live: their values then
 * @knob: by enum roceguard_knob
 */
struct rg_port_status {
	struct_group_tagged(rg_port_brief, brief,
	char name[IFNAMSIZ];
	char driver[RG_DRIVER_MAX];
	u8 state;
	u8 trigger;
	char reason[RG_REASON_MAX];
	char policy[ROCEGUARD_NAME_MAX + 1];
	char serial[ROCEGUARD_NAME_MAX + 1];
	struct rg_choice choice;
	char writer[ROCEGUARD_NAME_MAX + 1];
	u32 generation;
	u32 served;
	bool dcb;
	bool roce;
	char rdma_device[64];
	u32 rdma_port;
	char bond[IFNAMSIZ];
	char pci[RG_PCI_MAX];
	u32 speed;
	u64 corrections;
	u64 drifts;
	u64 link_drops;
	u32 drops_left;
	u64 passes;
	u32 pass_us;
	struct rg_overlay overlay;
	u32 overlay_seen;
	u8 ecn_live[2];
	u32 params_live;
	u32 param_live[RG_PARAMS];
	); /* brief */
	struct rg_knob_status knob[RG_KNOBS];
};

struct rg_before;
struct rg_counters;
struct rg_ofed_folders;
struct rg_report;
struct rg_watch;

/**
 * struct rg_port - a port, from REGISTER to UNREGISTER in one netns
 * @ref: one for the tables, one for the queued work, one for every holder
 * @id: never reused; cursor of dumps
 * @ifindex: of the netdev
 * @net: its netns; to compare only, not to follow
 * @nsid: of @net as the initial netns numbers it; -1 for that itself
 * @key: the netdev as hash key; to compare only
 * @node: in the table by netdev
 * @ifindex_node: in the table by ifindex
 * @dev: the netdev; valid under rtnl until UNREGISTER clears it
 * @kobj: the sysfs folder; under rtnl
 * @has_counters: it has the files counters/; under rtnl
 * @ofed: the folders of ofed_sysfs.c, or NULL; under rtnl
 * @watch: its watchdog
 * @counters: what is counted, or NULL as long as nothing is; stays
 * @work: the next pass
 * @lock: guards what follows up to @damping
 * @kicked: triggers that the next pass is for
 * @ticket: port-applies asked for
 * @now: one of them does not mind a lost link
 * @restore: what it had is to be put back
 * @dead: UNREGISTER was seen; nothing is queued any more
 * @status: what readers see, see status.c
 * @knob: likewise
 * @texts: likewise; may be NULL
 * @echo: our own DCB notifications not yet come back
 * @report: what the agent last said of each knob, or NULL
 * @damping: quarrels, by knob; only passes touch it, as all below
 * @linked_at: when the link last came up, ns
 * @retry_ms: pause before the next look at something pending
 * @due: what the next pass is for, if nothing kicks the port before
 * @owed: what else it is for: of a pass that had to wait for another port's link
 * @leg_since: since when it waits for another leg of its bond, ns; 0: it does not;
 *	set under rtnl
 * @recheck_at: when to look once more after register, for drivers still
 *	initialise then; ns
 * @rechecked: that has been arranged
 * @sick: left alone until the next link event
 * @drifted: knobs whose drift has been told
 * @refused: errno of the refusal that has been told of each knob, since the
 *	policy or the operator last spoke; 0: none
 * @told_generation: of the policies then
 * @learnt: bits of enum rg_learnt since then
 * @asked_generation: of the policies, when the agent was last waited for
 * @asked_at: since when, ns
 * @budget: links that may yet be dropped
 * @dropped_at: when we last dropped the link, ns; 0: never
 * @downs: how often it had gone down before that
 * @refunded: a drop of then that the driver refused, and that cost nothing unless
 *	the link did go down
 * @drop_is_free: the link has come up and was not dropped since
 * @rival_at: when a rival last wrote what drops the link, ns; 0: never
 * @rival_downs: how often it had gone down by that
 * @seen_downs: how often it had gone down by the last pass
 * @before: what it had before our first write, or NULL
 * @restoring: that is being put back
 */
struct rg_port {
	struct kref ref;
	u32 id;
	int ifindex;
	struct net *net;
	int nsid;
	void *key;
	struct hlist_node node;
	struct hlist_node ifindex_node;
	struct net_device *dev;
	struct kobject *kobj;
	bool has_counters;
	struct rg_ofed_folders *ofed;
	struct rg_watch *watch;
	struct rg_counters *counters;
	struct delayed_work work;

	spinlock_t lock;
	unsigned long kicked;
	u32 ticket;
	bool now;
	bool restore;
	bool dead;
	struct rg_port_brief status;
	struct rg_knob_brief knob[RG_KNOBS];
	char *texts;
	unsigned int echo;
	struct rg_report *report[RG_KNOBS];

	struct rg_damping damping[RG_KNOBS];
	u64 linked_at;
	unsigned int retry_ms;
	unsigned long due;
	unsigned long owed;
	u64 leg_since;
	u64 recheck_at;
	bool rechecked;
	bool sick;
	u32 drifted;
	int refused[RG_KNOBS];
	u32 told_generation;
	u32 learnt;
	u32 asked_generation;
	u64 asked_at;
	struct rg_budget budget;
	u64 dropped_at;
	int downs;
	bool refunded;
	bool drop_is_free;
	u64 rival_at;
	int rival_downs;
	int seen_downs;
	struct rg_before *before;
	bool restoring;
};

int rg_ports_init(void);
void rg_ports_exit(void);
void rg_ports_rescan(void);
void rg_ports_rescan_exit(void);

struct rg_port *rg_port_birth(struct net_device *dev);
void rg_port_death(struct net_device *dev);
void rg_port_renamed(struct net_device *dev);
void rg_port_judge(struct net_device *dev);

struct rg_port *rg_port_of(const struct net_device *dev);
struct rg_port *rg_port_by_id(u32 id);
struct rg_port *rg_port_get_after(u32 id, const struct net *net);
struct rg_port *rg_port_step(struct rg_port *port, const struct net *net);
struct rg_port *rg_port_find(struct net *net, int ifindex, const char *name);
void rg_port_put(struct rg_port *port);

#define rg_for_each_port(port, net)					\
	for (port = rg_port_get_after(0, net); port;			\
	     port = rg_port_step(port, net))

const char *rg_port_name(struct rg_port *port, char *name);
bool rg_port_visible(const struct rg_port *port, const struct net *net);

void rg_port_kick(struct rg_port *port, enum roceguard_trigger trigger);
u32 rg_port_apply(struct rg_port *port, bool now);
void rg_port_put_back(struct rg_port *port);
u32 rg_port_restore(struct rg_port *port);
void rg_ports_restore(const char *policy);
void rg_port_kick_dev(const struct net_device *dev,
		      enum roceguard_trigger trigger);
void rg_ports_kick(enum roceguard_trigger trigger);
void rg_ports_kick_net(const struct net *net, enum roceguard_trigger trigger);
void rg_port_again(struct rg_port *port, unsigned long delay_ms);

void rg_port_driver(const struct net_device *dev, char *driver, size_t size);
void rg_port_pci(const struct net_device *dev, char *pci, size_t size);
bool rg_port_has_twin(const struct net_device *dev);
unsigned int rg_ports_count(const struct net *net);
unsigned int rg_ports_governed(const char *policy);
unsigned int rg_ports_seq(void);

extern struct workqueue_struct *rg_wq;

#endif /* RG_PORT_H */
