// SPDX-License-Identifier: GPL-2.0
#include <linux/atomic.h>
#include <linux/cred.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/user_namespace.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>
#include "history.h"

static DEFINE_SPINLOCK(rg_history_lock);
static struct rg_entry *rg_ring;
static u64 rg_history_seq;

/**
 * struct rg_history_net - what history knows a netns by
 * @id: a number that no other one ever gets
 *
 * Entries outlive their netns, and a later one may have its address and its
 * inode number: it must not see them.
 */
struct rg_history_net {
	u64 id;
};

static unsigned int rg_history_net_id;

static int __net_init rg_history_net_init(struct net *net)
{
	static atomic64_t last;
	struct rg_history_net *known = net_generic(net, rg_history_net_id);

	known->id = atomic64_inc_return(&last);
	return 0;
}

static struct pernet_operations rg_history_net_ops = {
	.init = rg_history_net_init,
	.id   = &rg_history_net_id,
	.size = sizeof(struct rg_history_net),
};

/**
 * rg_history_netns - what entries of a netns are marked with
 * @net: one that lives
 *
 * Return: a number that no other netns ever gets; never 0.
 */
u64 rg_history_netns(const struct net *net)
{
	const struct rg_history_net *known =
		net_generic(net, rg_history_net_id);

	return known->id;
}

/**
 * rg_history_init - make the ring
 *
 * Return: 0 or a negative errno.
 */
int rg_history_init(void)
{
	int err;

	rg_ring = kvcalloc(RG_HISTORY_LEN, sizeof(*rg_ring), GFP_KERNEL);
	if (!rg_ring)
		return -ENOMEM;
	err = register_pernet_subsys(&rg_history_net_ops);
	if (err)
		kvfree(rg_ring);
	return err;
}

/**
 * rg_history_exit - free the ring
 */
void rg_history_exit(void)
{
	unregister_pernet_subsys(&rg_history_net_ops);
	kvfree(rg_ring);
}

/**
 * rg_history_add - record something
 * @entry: what; its sequence number and time are filled in
 */
void rg_history_add(struct rg_entry *entry)
{
	entry->time = ktime_get_real_ns();
	spin_lock(&rg_history_lock);
	entry->seq = ++rg_history_seq;
	rg_ring[entry->seq % RG_HISTORY_LEN] = *entry;
	spin_unlock(&rg_history_lock);
}

/**
 * rg_history_request - record what the current task asked for
 * @generation: that it began
 * @fmt: printf format
 */
void rg_history_request(u32 generation, const char *fmt, ...)
{
	struct rg_entry *entry = kzalloc(sizeof(*entry), GFP_KERNEL);
	va_list args;

	if (!entry)
		return;
	entry->action = ROCEGUARD_ACTION_REQUEST;
	entry->trigger = ROCEGUARD_TRIGGER_USER;
	entry->generation = generation;
	entry->uid = from_kuid(&init_user_ns, current_uid());
	entry->pid = task_tgid_nr(current);
	get_task_comm(entry->comm, current);
	va_start(args, fmt);
	vscnprintf(entry->request, sizeof(entry->request), fmt, args);
	va_end(args);
	rg_history_add(entry);
	kfree(entry);
}

/**
 * rg_history_get - read an entry
 * @seq: the first one that is not older than this
 * @entry: filled in
 *
 * Return: false if there is none.
 */
bool rg_history_get(u64 seq, struct rg_entry *entry)
{
	bool found;

	spin_lock(&rg_history_lock);
	if (rg_history_seq >= RG_HISTORY_LEN)
		seq = max(seq, rg_history_seq - RG_HISTORY_LEN + 1);
	seq = max_t(u64, seq, 1);
	found = seq <= rg_history_seq;
	if (found)
		*entry = rg_ring[seq % RG_HISTORY_LEN];
	spin_unlock(&rg_history_lock);
	return found;
}
