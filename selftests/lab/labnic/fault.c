// SPDX-License-Identifier: GPL-2.0
/*
 * /sys/kernel/debug/labnic/IFNAME/faults: what is to come of calls. A line
 *
 *   CALLS fail ERRNO | ignore | alter | delay MS | hang MS   [nth N]
 *
 * adds one; CALLS is the name of an operation, "any", "reads" or "writes", nth
 * counts these calls from now on. "release" lets go of what hangs, "clear" does
 * too, and forgets all faults and counts.
 */
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include "labnic.h"

#define LABNIC_FAULT_LINE	64
#define LABNIC_FAULT_WORDS	5
#define LABNIC_FAULT_MS_MAX	60000

static const struct {
	const char *name;
	u32 max;		/* of the argument, 0: none */
} labnic_fault_kinds[LABNIC_FAULT_KINDS] = {
	[LABNIC_FAULT_NONE] = { "none" },
	[LABNIC_FAULT_FAIL] = { "fail", MAX_ERRNO },
	[LABNIC_FAULT_IGNORE] = { "ignore" },
	[LABNIC_FAULT_ALTER] = { "alter" },
	[LABNIC_FAULT_DELAY] = { "delay", LABNIC_FAULT_MS_MAX },
	[LABNIC_FAULT_HANG] = { "hang", LABNIC_FAULT_MS_MAX },
};

void labnic_faults_init(struct labnic *nic)
{
	spin_lock_init(&nic->faults.lock);
	init_waitqueue_head(&nic->faults.wait);
}

/**
 * labnic_fault_of - count a call and see what is to come of it
 * @nic: the NIC
 * @op: what is called
 *
 * Return: the fault, of kind LABNIC_FAULT_NONE if there is none.
 */
struct labnic_fault labnic_fault_of(struct labnic *nic, enum labnic_op op)
{
	struct labnic_faults *faults = &nic->faults;
	struct labnic_fault found = { .kind = LABNIC_FAULT_NONE };
	struct labnic_fault *fault;
	unsigned int i;

	spin_lock_bh(&faults->lock);
	faults->calls[op]++;
	for (i = 0; i < faults->n; i++) {
		fault = &faults->fault[i];
		if (!(fault->ops & BIT(op)))
			continue;
		fault->seen++;
		if (found.kind || (fault->nth && fault->seen != fault->nth))
			continue;
		fault->hits++;
		found = *fault;
	}
	spin_unlock_bh(&faults->lock);
	return found;
}

static void labnic_hang(struct labnic *nic, unsigned int ms)
{
	u32 released = READ_ONCE(nic->faults.released);

	labnic_journal(nic, 0, "hangs");
	wait_event_timeout(nic->faults.wait,
			   READ_ONCE(nic->faults.released) != released,
			   msecs_to_jiffies(ms));
	labnic_journal(nic, 0, "goes on");
}

/**
 * labnic_fault_wait - let the time pass that a fault takes
 * @nic: the NIC
 * @fault: of a call that may sleep
 */
void labnic_fault_wait(struct labnic *nic, const struct labnic_fault *fault)
{
	switch (fault->kind) {
	case LABNIC_FAULT_DELAY:
		msleep(fault->arg);
		break;
	case LABNIC_FAULT_HANG:
		labnic_hang(nic, fault->arg);
		break;
	default:
		break;
	}
}

static void labnic_faults_release(struct labnic *nic)
{
	WRITE_ONCE(nic->faults.released, nic->faults.released + 1);
	wake_up_all(&nic->faults.wait);
}

static void labnic_faults_clear(struct labnic *nic)
{
	struct labnic_faults *faults = &nic->faults;

	spin_lock_bh(&faults->lock);
	faults->n = 0;
	memset(faults->calls, 0, sizeof(faults->calls));
	spin_unlock_bh(&faults->lock);
	labnic_faults_release(nic);
}

static int labnic_faults_add(struct labnic *nic, const struct labnic_fault *fault)
{
	struct labnic_faults *faults = &nic->faults;
	int err = 0;

	spin_lock_bh(&faults->lock);
	if (faults->n < LABNIC_FAULTS)
		faults->fault[faults->n++] = *fault;
	else
		err = -ENOSPC;
	spin_unlock_bh(&faults->lock);
	return err;
}

static u32 labnic_ops_named(const char *name)
{
	u32 mask = 0;
	int op;

	for (op = 0; op < LABNIC_OPS; op++) {
		const struct labnic_op_desc *desc = &labnic_ops[op];

		if (!desc->name)
			continue;
		if (!strcmp(name, desc->name) || !strcmp(name, "any") ||
		    !strcmp(name, desc->write ? "writes" : "reads"))
			mask |= BIT(op);
	}
	return mask;
}

static int labnic_fault_parse(struct labnic_fault *fault, char **word, int n)
{
	int kind, used = 2, err;

	memset(fault, 0, sizeof(*fault));
	fault->ops = labnic_ops_named(word[0]);
	if (!fault->ops || n < used)
		return -EINVAL;
	for (kind = LABNIC_FAULT_FAIL; kind < LABNIC_FAULT_KINDS; kind++)
		if (!strcmp(word[1], labnic_fault_kinds[kind].name))
			break;
	if (kind == LABNIC_FAULT_KINDS)
		return -EINVAL;
	fault->kind = kind;
	if (labnic_fault_kinds[kind].max) {
		if (n <= used)
			return -EINVAL;
		err = kstrtou32(word[used++], 0, &fault->arg);
		if (err)
			return err;
		if (!fault->arg || fault->arg > labnic_fault_kinds[kind].max)
			return -ERANGE;
	}
	if (n == used)
		return 0;
	if (n != used + 2 || strcmp(word[used], "nth"))
		return -EINVAL;
	return kstrtou32(word[used + 1], 0, &fault->nth);
}

static int labnic_faults_command(struct labnic *nic, char *line)
{
	char *word[LABNIC_FAULT_WORDS], *next;
	struct labnic_fault fault;
	int n = 0, err;

	line = strim(line);
	while ((next = strsep(&line, " "))) {
		if (!*next)
			continue;
		if (n == LABNIC_FAULT_WORDS)
			return -EINVAL;
		word[n++] = next;
	}
	if (!n)
		return -EINVAL;
	if (n == 1 && !strcmp(word[0], "clear")) {
		labnic_faults_clear(nic);
		return 0;
	}
	if (n == 1 && !strcmp(word[0], "release")) {
		labnic_faults_release(nic);
		return 0;
	}
	err = labnic_fault_parse(&fault, word, n);
	return err ?: labnic_faults_add(nic, &fault);
}

static ssize_t labnic_faults_write(struct file *file, const char __user *buf,
				   size_t len, loff_t *pos)
{
	struct seq_file *s = file->private_data;
	char line[LABNIC_FAULT_LINE];
	int err;

	err = labnic_line_get(line, sizeof(line), buf, len) ?:
	      labnic_faults_command(s->private, line);
	return err ?: len;
}

static void labnic_fault_show(struct seq_file *s, const struct labnic_fault *fault)
{
	seq_printf(s, "fault: %s %u nth %u ops 0x%x seen %u hits %u\n",
		   labnic_fault_kinds[fault->kind].name, fault->arg,
		   fault->nth, fault->ops, fault->seen, fault->hits);
}

static int labnic_faults_show(struct seq_file *s, void *unused)
{
	struct labnic *nic = s->private;
	struct labnic_faults *faults = &nic->faults;
	unsigned int i;

	spin_lock_bh(&faults->lock);
	for (i = 0; i < LABNIC_OPS; i++)
		if (labnic_ops[i].name)
			seq_printf(s, "%s: %u\n", labnic_ops[i].name,
				   faults->calls[i]);
	for (i = 0; i < faults->n; i++)
		labnic_fault_show(s, &faults->fault[i]);
	spin_unlock_bh(&faults->lock);
	return 0;
}

LABNIC_DEFINE_OPEN(labnic_faults)

const struct file_operations labnic_faults_fops = LABNIC_FILE_OPS(labnic_faults);
