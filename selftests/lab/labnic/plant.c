// SPDX-License-Identifier: GPL-2.0
/*
 * /sys/kernel/debug/labnic/IFNAME/plant: counters that grow by nothing but a wish.
 * Lines "NAME BY"; NAME is what ethtool -S calls it.
 */
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/uaccess.h>
#include "labnic.h"

#define LABNIC_PLANT_LINE	64

static int labnic_plant(struct labnic *nic, char *line)
{
	char *name = strsep(&line, " ");
	unsigned int stat;
	int prio, err;
	u64 by;

	if (!line)
		return -EINVAL;
	err = kstrtou64(line, 0, &by);
	if (!err)
		err = labnic_stat_find(name, &prio, &stat);
	/* For how long it was paused is worked out. */
	if (!err && prio >= 0 &&
	    (stat == LABNIC_RX_PAUSE_US || stat == LABNIC_TX_PAUSE_US))
		err = -EOPNOTSUPP;
	if (err)
		return err;
	labnic_stats_add(nic, prio, stat, by);
	return 0;
}

static ssize_t labnic_plant_write(struct file *file, const char __user *buf,
				  size_t len, loff_t *pos)
{
	char line[LABNIC_PLANT_LINE];
	int err;

	if (len >= sizeof(line))
		return -EINVAL;
	if (copy_from_user(line, buf, len))
		return -EFAULT;
	line[len] = 0;
	err = labnic_plant(file->private_data, strim(line));
	return err ?: len;
}

const struct file_operations labnic_plant_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = labnic_plant_write,
	.llseek = noop_llseek,
};
