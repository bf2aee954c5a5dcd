/* SPDX-License-Identifier: GPL-2.0 */
/* What was done, by whom and why: a ring of the last entries of this host. */
#ifndef RG_HISTORY_H
#define RG_HISTORY_H

#include <linux/netdevice.h>
#include <linux/sched.h>
#include "logic/text.h"
#include "port.h"

#define RG_HISTORY_LEN	1024
#define RG_REQUEST_MAX	96

/**
 * struct rg_entry - one thing that was done
 * @seq: counts entries, from 1
 * @time: when, ns since the epoch
 * @action: enum roceguard_action
 * @netns: of the port, see rg_history_netns(); 0 for a request
 * @ifindex: of the port
 * @ifname: of the port, as it was then
 * @trigger: of the pass, enum roceguard_trigger
 * @knob: enum roceguard_knob
 * @verdict: enum roceguard_verdict
 * @link_drop: the write dropped the link
 * @err: errno of the write, positive, or 0
 * @duration_us: of the write
 * @generation: of the policy
 * @policy: its name
 * @from: what was there
 * @to: what was wanted
 * @request: what was asked for
 * @uid: who asked
 * @pid: who asked
 * @comm: who asked
 */
struct rg_entry {
	u64 seq;
	u64 time;
	u8 action;
	u64 netns;
	int ifindex;
	char ifname[IFNAMSIZ];
	u8 trigger;
	u8 knob;
	u8 verdict;
	bool link_drop;
	int err;
	u32 duration_us;
	u32 generation;
	char policy[ROCEGUARD_NAME_MAX + 1];
	char from[RG_TEXT_MAX];
	char to[RG_TEXT_MAX];
	char request[RG_REQUEST_MAX];
	u32 uid;
	u32 pid;
	char comm[TASK_COMM_LEN];
};

int rg_history_init(void);
void rg_history_exit(void);
u64 rg_history_netns(const struct net *net);
void rg_history_add(struct rg_entry *entry);
void __printf(2, 3) rg_history_request(u32 generation, const char *fmt, ...);
bool rg_history_get(u64 seq, struct rg_entry *entry);

#endif /* RG_HISTORY_H */
