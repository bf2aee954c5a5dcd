// SPDX-License-Identifier: GPL-2.0
/*
 * /sys/kernel/debug/labnic/IFNAME/lose: settings that the hardware loses without
 * a word. A line "SETTING link" or "SETTING mtu" adds one to what goes each time
 * the link comes up or the MTU changes; "all" are all; "clear" ends it.
 */
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include "labnic.h"

#define LABNIC_LOSE_LINE	32

#define LABNIC_HW_FIELD(what, first, last)			\
	{ what, offsetof(struct labnic_hw, first),		\
	  offsetofend(struct labnic_hw, last) -			\
	  offsetof(struct labnic_hw, first) }

static const struct {
	const char *name;
	size_t offset;
	size_t size;
} labnic_settings[] = {
	LABNIC_HW_FIELD("pfc", pfc, pfc),
	LABNIC_HW_FIELD("dscp", trust, dscp2prio),
	LABNIC_HW_FIELD("ets", prio_tc, bandwidth),
	LABNIC_HW_FIELD("maxrate", maxrate, maxrate),
	LABNIC_HW_FIELD("buffer", prio2buffer, buffer_size),
	LABNIC_HW_FIELD("pause", pause_rx, pause_tx),
	LABNIC_HW_FIELD("storm", storm_ms, storm_ms),
	LABNIC_HW_FIELD("ecn", ecn, ecn),
	LABNIC_HW_FIELD("dcqcn", cc, cc),
};

static const char * const labnic_losses[LABNIC_LOSSES] = {
	[LABNIC_LOSS_LINK] = "link",
	[LABNIC_LOSS_MTU] = "mtu",
};

/**
 * labnic_lose - something happens with which settings may be lost
 * @nic: the NIC
 * @when: what
 */
void labnic_lose(struct labnic *nic, enum labnic_loss when)
{
	u32 lost = READ_ONCE(nic->lose[when]);
	struct labnic_hw fresh;
	unsigned int i;

	if (!lost)
		return;
	nic->personality->power_on(&fresh);
	spin_lock_bh(&nic->hw_lock);
	for (i = 0; i < ARRAY_SIZE(labnic_settings); i++)
		if (lost & BIT(i))
			memcpy((u8 *)&nic->hw + labnic_settings[i].offset,
			       (u8 *)&fresh + labnic_settings[i].offset,
			       labnic_settings[i].size);
	labnic_right_see(nic);
	spin_unlock_bh(&nic->hw_lock);
	labnic_journal(nic, 0, "lost 0x%02x with %s", lost, labnic_losses[when]);
}

static int labnic_lose_add(struct labnic *nic, const char *what,
			   const char *when)
{
	u32 lost = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(labnic_settings); i++)
		if (!strcmp(what, labnic_settings[i].name) ||
		    !strcmp(what, "all"))
			lost |= BIT(i);
	if (!lost)
		return -EINVAL;
	for (i = 0; i < LABNIC_LOSSES; i++) {
		if (strcmp(when, labnic_losses[i]))
			continue;
		WRITE_ONCE(nic->lose[i], nic->lose[i] | lost);
		return 0;
	}
	return -EINVAL;
}

static ssize_t labnic_lose_write(struct file *file, const char __user *buf,
				 size_t len, loff_t *pos)
{
	struct seq_file *s = file->private_data;
	struct labnic *nic = s->private;
	char line[LABNIC_LOSE_LINE], *what, *when;
	unsigned int i;
	int err;

	err = labnic_line_get(line, sizeof(line), buf, len);
	if (err)
		return err;
	when = strim(line);
	what = strsep(&when, " ");
	if (when) {
		err = labnic_lose_add(nic, what, when);
		return err ?: len;
	}
	if (strcmp(what, "clear"))
		return -EINVAL;
	for (i = 0; i < LABNIC_LOSSES; i++)
		WRITE_ONCE(nic->lose[i], 0);
	return len;
}

static int labnic_lose_show(struct seq_file *s, void *unused)
{
	const struct labnic *nic = s->private;
	unsigned int i, j;

	for (i = 0; i < LABNIC_LOSSES; i++)
		for (j = 0; j < ARRAY_SIZE(labnic_settings); j++)
			if (READ_ONCE(nic->lose[i]) & BIT(j))
				seq_printf(s, "%s %s\n", labnic_settings[j].name,
					   labnic_losses[i]);
	return 0;
}

LABNIC_DEFINE_OPEN(labnic_lose)

const struct file_operations labnic_lose_fops = LABNIC_FILE_OPS(labnic_lose);
