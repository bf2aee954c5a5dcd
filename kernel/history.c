// SPDX-License-Identifier: GPL-2.0
#include <linux/cred.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/user_namespace.h>
#include "history.h"

static DEFINE_SPINLOCK(rg_history_lock);
static struct rg_entry *rg_ring;
static u64 rg_history_seq;

/**
 * rg_history_init - make the ring
 *
 * Return: 0 or -ENOMEM.
 */
int rg_history_init(void)
{
	rg_ring = kvcalloc(RG_HISTORY_LEN, sizeof(*rg_ring), GFP_KERNEL);
	return rg_ring ? 0 : -ENOMEM;
}

/**
 * rg_history_exit - free the ring
 */
void rg_history_exit(void)
{
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
