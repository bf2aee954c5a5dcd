// SPDX-License-Identifier: GPL-2.0
/* The journal: what was done to a NIC, by whom, when, with which result. */
#include <linux/ktime.h>
#include <linux/sched.h>
#include "labnic.h"

void labnic_journal_init(struct labnic *nic)
{
	spin_lock_init(&nic->journal.lock);
}

/**
 * labnic_journal - note something done
 * @nic: the NIC
 * @result: 0, or what the doer was answered
 * @fmt: what it was, one line
 */
void labnic_journal(struct labnic *nic, int result, const char *fmt, ...)
{
	struct labnic_journal *journal = &nic->journal;
	struct labnic_journal_entry *entry;
	va_list args;

	spin_lock_bh(&journal->lock);
	entry = &journal->entry[journal->seq++ % LABNIC_JOURNAL_ENTRIES];
	entry->time = ktime_get_ns();
	entry->result = result;
	get_task_comm(entry->comm, current);
	va_start(args, fmt);
	vscnprintf(entry->text, sizeof(entry->text), fmt, args);
	va_end(args);
	spin_unlock_bh(&journal->lock);
}
