// SPDX-License-Identifier: GPL-2.0
/*
 * How many statistics a NIC has. Real ones have some 60 or, with those of each of
 * their queues, some 750: these are of no queue, and of no interest.
 *
 * /sys/kernel/debug/labnic/IFNAME/statistics: how many; to be written a number, of
 * those at least, or "reset": all begin with 0 again, as after a firmware reset.
 */
#include <linux/ethtool.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/uaccess.h>
#include "labnic.h"

#define LABNIC_STATISTICS_MAX	4096

static unsigned int labnic_statistics;
module_param_named(statistics, labnic_statistics, uint, 0644);
MODULE_PARM_DESC(statistics, "how many statistics the next NIC has at least (0)");

static const char * const labnic_filler_names_of[] = {
	"packets", "bytes", "csum_complete", "xdp_drop", "wqe_err", "cache_reuse",
};

/**
 * labnic_filler_names - name what fills the statistics up
 * @nic: the NIC
 * @data: as get_strings has it
 */
void labnic_filler_names(const struct labnic *nic, u8 *data)
{
	const unsigned int n = ARRAY_SIZE(labnic_filler_names_of);
	unsigned int i;

	for (i = 0; i < nic->filler; i++) {
		snprintf((char *)data, ETH_GSTRING_LEN, "rx%u_%s", i / n,
			 labnic_filler_names_of[i % n]);
		data += ETH_GSTRING_LEN;
	}
}

/**
 * labnic_filler_values - their values
 * @nic: the NIC
 * @data: as get_ethtool_stats has it
 */
void labnic_filler_values(const struct labnic *nic, u64 *data)
{
	unsigned int i;

	for (i = 0; i < nic->filler; i++)
		*data++ = i;
}

static int labnic_fill(struct labnic *nic, unsigned int least)
{
	const unsigned int own = LABNIC_PORT_STATS +
				 LABNIC_PRIORITIES * LABNIC_PRIO_STATS;

	if (least > LABNIC_STATISTICS_MAX)
		return -ERANGE;
	nic->filler = least > own ? least - own : 0;
	return 0;
}

/**
 * labnic_sets_init - a NIC gets as many as the module parameter says
 * @nic: the NIC
 */
void labnic_sets_init(struct labnic *nic)
{
	spin_lock_init(&nic->stats_lock);
	labnic_fill(nic, min_t(unsigned int, READ_ONCE(labnic_statistics),
			       LABNIC_STATISTICS_MAX));
}

static ssize_t labnic_statistics_write(struct file *file,
				       const char __user *buf, size_t len,
				       loff_t *pos)
{
	struct labnic *nic = ((struct seq_file *)file->private_data)->private;
	char word[16] = "";
	unsigned int least;
	int err;

	if (len >= sizeof(word))
		return -EINVAL;
	if (copy_from_user(word, buf, len))
		return -EFAULT;
	if (sysfs_streq(word, "reset")) {
		labnic_stats_reset(nic);
		return len;
	}
	err = kstrtouint(word, 0, &least);
	if (!err)
		err = labnic_fill(nic, least);
	return err ?: len;
}

static int labnic_statistics_show(struct seq_file *s, void *unused)
{
	const struct labnic *nic = s->private;

	seq_printf(s, "%d\n", labnic_ethtool_ops.get_sset_count(nic->dev,
								ETH_SS_STATS));
	return 0;
}

static int labnic_statistics_open(struct inode *inode, struct file *file)
{
	return single_open(file, labnic_statistics_show, inode->i_private);
}

const struct file_operations labnic_statistics_fops = {
	.owner = THIS_MODULE,
	.open = labnic_statistics_open,
	.read = seq_read,
	.write = labnic_statistics_write,
	.llseek = seq_lseek,
	.release = single_release,
};
