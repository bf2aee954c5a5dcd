// SPDX-License-Identifier: GPL-2.0
/*
 * /sys/kernel/debug/labnic/IFNAME/, for tests:
 *
 *   hw           what the hardware holds, a line each
 *   journal      what was done, oldest first: time, who, what, result
 *   personality  its name
 *   reset        write 1: reset the firmware
 *   resets       how many resets so far
 *   right        is the hardware as it was when 1 was written, to any NIC?
 *   plant        counters that grow: see plant.c
 *   statistics   how many it has, and their reset: see sets.c
 *   xoff         mask of priorities that it stops its peer from sending
 *   longest_pause  ms that a priority was paused without a break; 0 forgets it
 *   engine       what rules the rate of queue pairs: DCQCN, ZTR-RTT or PCC
 *   cc_params/   the parameters of DCQCN, one file each, to read and write
 *   faults       what is to come of calls: see fault.c
 *   lose         settings that the hardware loses: see lose.c
 *   detach       write 1: no driver behind the netdev any more; 0: again
 *
 * Outside the initial netns the directory is IFNAME@INODE-OF-THE-NETNS. It
 * follows renames and moves. Files are removed under rtnl, which waits for
 * their readers: none of them may take rtnl. Beside the directories: function,
 * see card.c.
 */
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <net/net_namespace.h>
#include "card.h"
#include "compat.h"
#include "labnic.h"

#define LABNIC_DIR_NAME		(IFNAMSIZ + 12)

static struct dentry *labnic_debugfs_root;

/**
 * labnic_line_get - take what was written to a file
 * @line: gets it, ended with 0
 * @size: bytes of @line
 * @buf: what was written
 * @len: bytes of @buf
 *
 * Return: 0, -EINVAL if it is too long, -EFAULT.
 */
int labnic_line_get(char *line, size_t size, const char __user *buf, size_t len)
{
	if (len >= size)
		return -EINVAL;
	if (copy_from_user(line, buf, len))
		return -EFAULT;
	line[len] = 0;
	return 0;
}

static void labnic_show_u8(struct seq_file *s, const char *what, const u8 *val,
			   unsigned int n)
{
	unsigned int i;

	seq_printf(s, "%s:", what);
	for (i = 0; i < n; i++)
		seq_printf(s, " %u", val[i]);
	seq_putc(s, '\n');
}

static void labnic_show_u32(struct seq_file *s, const char *what,
			    const u32 *val, unsigned int n)
{
	unsigned int i;

	seq_printf(s, "%s:", what);
	for (i = 0; i < n; i++)
		seq_printf(s, " %u", val[i]);
	seq_putc(s, '\n');
}

static void labnic_show_u64(struct seq_file *s, const char *what,
			    const u64 *val, unsigned int n)
{
	unsigned int i;

	seq_printf(s, "%s:", what);
	for (i = 0; i < n; i++)
		seq_printf(s, " %llu", val[i]);
	seq_putc(s, '\n');
}

static const char *labnic_tsa_name(u8 tsa)
{
	switch (tsa) {
	case IEEE_8021QAZ_TSA_STRICT:
		return "strict";
	case IEEE_8021QAZ_TSA_ETS:
		return "ets";
	default:
		return "vendor";
	}
}

static void labnic_show_config(struct seq_file *s, const struct labnic_hw *hw)
{
	unsigned int i;

	seq_printf(s, "pfc: 0x%02x\n", hw->pfc);
	seq_printf(s, "trust: %s\n", labnic_trust_orders[hw->trust].name);
	labnic_show_u8(s, "dscp2prio", hw->dscp2prio, LABNIC_DSCPS);
	labnic_show_u8(s, "pcp2prio", hw->pcp2prio, LABNIC_PCPS);
	seq_printf(s, "default_prio: %u\n", hw->default_prio);
	labnic_show_u8(s, "prio_tc", hw->prio_tc, LABNIC_PRIORITIES);
	seq_puts(s, "tsa:");
	for (i = 0; i < LABNIC_TCS; i++)
		seq_printf(s, " %s", labnic_tsa_name(hw->tsa[i]));
	seq_putc(s, '\n');
	labnic_show_u8(s, "bandwidth", hw->bandwidth, LABNIC_TCS);
	labnic_show_u64(s, "maxrate_kbps", hw->maxrate, LABNIC_TCS);
	labnic_show_u8(s, "prio2buffer", hw->prio2buffer, LABNIC_PRIORITIES);
	labnic_show_u32(s, "buffer_bytes", hw->buffer_size, LABNIC_BUFFERS);
	seq_printf(s, "pause_rx: %u\n", hw->pause_rx);
	seq_printf(s, "pause_tx: %u\n", hw->pause_tx);
	seq_printf(s, "ecn_np: 0x%02x\n", hw->ecn[LABNIC_NP]);
	seq_printf(s, "ecn_rp: 0x%02x\n", hw->ecn[LABNIC_RP]);
	seq_printf(s, "storm_prevention_ms: %u\n", hw->storm_ms);
	for (i = 0; i < LABNIC_CCS; i++)
		seq_printf(s, "cc_%s: %u\n", labnic_cc_names[i], hw->cc[i]);
}

static int labnic_hw_show(struct seq_file *s, void *unused)
{
	struct labnic *nic = s->private;
	struct labnic_hw hw;
	unsigned int resets;
	bool up, recover;

	spin_lock_bh(&nic->hw_lock);
	hw = nic->hw;
	up = nic->phy_up;
	recover = nic->recover;
	resets = nic->resets;
	spin_unlock_bh(&nic->hw_lock);

	seq_printf(s, "wire: %s\n", netdev_name(nic->lower));
	seq_printf(s, "link: %s\n", up ? "up" : "down");
	seq_printf(s, "first_open_ns: %llu\n", READ_ONCE(nic->first_open));
	seq_printf(s, "resets: %u\n", resets);
	seq_printf(s, "recovering: %u\n", recover);
	labnic_show_config(s, &hw);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(labnic_hw);

static int labnic_personality_show(struct seq_file *s, void *unused)
{
	struct labnic *nic = s->private;

	seq_printf(s, "%s\n", nic->personality->name);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(labnic_personality);

static int labnic_resets_show(struct seq_file *s, void *unused)
{
	struct labnic *nic = s->private;

	seq_printf(s, "%u\n", READ_ONCE(nic->resets));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(labnic_resets);

static void labnic_show_entry(struct seq_file *s,
			      const struct labnic_journal_entry *entry)
{
	u64 ns = entry->time;
	u32 rest = do_div(ns, NSEC_PER_SEC);

	seq_printf(s, "%llu.%09u %s: %s = %d\n", ns, rest, entry->comm,
		   entry->text, entry->result);
}

static int labnic_journal_show(struct seq_file *s, void *unused)
{
	struct labnic *nic = s->private;
	struct labnic_journal *copy;
	u64 seq;

	copy = kvmalloc(sizeof(*copy), GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	spin_lock_bh(&nic->journal.lock);
	copy->seq = nic->journal.seq;
	memcpy(copy->entry, nic->journal.entry, sizeof(copy->entry));
	spin_unlock_bh(&nic->journal.lock);

	seq = copy->seq > LABNIC_JOURNAL_ENTRIES ?
	      copy->seq - LABNIC_JOURNAL_ENTRIES : 0;
	for (; seq < copy->seq; seq++)
		labnic_show_entry(s,
				  &copy->entry[seq % LABNIC_JOURNAL_ENTRIES]);
	kvfree(copy);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(labnic_journal);

static ssize_t labnic_reset_write(struct file *file, const char __user *buf,
				  size_t len, loff_t *pos)
{
	struct labnic *nic = file->private_data;
	bool reset;
	int err;

	err = kstrtobool_from_user(buf, len, &reset);
	if (err)
		return err;
	if (reset)
		labnic_reset(nic);
	return len;
}

static const struct file_operations labnic_reset_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = labnic_reset_write,
	.llseek = noop_llseek,
};

static ssize_t labnic_right_read(struct file *file, char __user *buf, size_t len,
				 loff_t *pos)
{
	struct labnic *nic = file->private_data;

	return simple_read_from_buffer(buf, len, pos, READ_ONCE(nic->right) ?
				       "1\n" : "0\n", 2);
}

static ssize_t labnic_right_write(struct file *file, const char __user *buf,
				  size_t len, loff_t *pos)
{
	bool right;
	int err;

	err = kstrtobool_from_user(buf, len, &right);
	if (err)
		return err;
	if (right)
		labnic_right_set(file->private_data);
	return len;
}

static const struct file_operations labnic_right_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.read = labnic_right_read,
	.write = labnic_right_write,
	.llseek = default_llseek,
};

static int labnic_xoff_get(void *data, u64 *value)
{
	const struct labnic *nic = data;

	*value = READ_ONCE(nic->xoff);
	return 0;
}

static int labnic_xoff_set(void *data, u64 value)
{
	if (value > 0xff)
		return -ERANGE;
	labnic_xoff(data, value);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(labnic_xoff_fops, labnic_xoff_get, labnic_xoff_set,
			 "0x%02llx\n");

static int labnic_longest_get(void *data, u64 *value)
{
	*value = div_u64(labnic_longest_pause(data, false), NSEC_PER_MSEC);
	return 0;
}

static int labnic_longest_set(void *data, u64 value)
{
	if (value)
		return -EINVAL;
	labnic_longest_pause(data, true);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(labnic_longest_fops, labnic_longest_get,
			 labnic_longest_set, "%llu\n");

static int labnic_engine_show(struct seq_file *s, void *unused)
{
	const struct labnic *nic = s->private;

	seq_printf(s, "%s\n", labnic_engines[READ_ONCE(nic->engine)]);
	return 0;
}

LABNIC_DEFINE_OPEN(labnic_engine)

static ssize_t labnic_engine_write(struct file *file, const char __user *buf,
				   size_t len, loff_t *pos)
{
	struct labnic *nic = ((struct seq_file *)file->private_data)->private;
	char word[16];
	unsigned int i;
	int err;

	err = labnic_line_get(word, sizeof(word), buf, len);
	if (err)
		return err;
	for (i = 0; labnic_engines[i]; i++) {
		if (!sysfs_streq(word, labnic_engines[i]))
			continue;
		WRITE_ONCE(nic->engine, i);
		return len;
	}
	return -EINVAL;
}

static const struct file_operations labnic_engine_fops =
	LABNIC_FILE_OPS(labnic_engine);

static int labnic_cc_get(void *data, u64 *value)
{
	const struct labnic_cc_file *file = data;
	u32 v = 0;
	int err;

	err = labnic_hw_get_cc(file->nic, file->cc, &v);
	*value = v;
	return err;
}

static int labnic_cc_set(void *data, u64 value)
{
	const struct labnic_cc_file *file = data;

	return labnic_hw_set_cc(file->nic, file->cc, value);
}
DEFINE_DEBUGFS_ATTRIBUTE(labnic_cc_fops, labnic_cc_get, labnic_cc_set,
			 "%llu\n");

static void labnic_debugfs_add_cc(struct labnic *nic)
{
	struct dentry *dir = debugfs_create_dir("cc_params", nic->debugfs);
	unsigned int i;

	for (i = 0; i < LABNIC_CCS; i++) {
		if (nic->personality->no_cc & BIT(i))
			continue;
		nic->cc_file[i] = (struct labnic_cc_file){ nic, i };
		debugfs_create_file_unsafe(labnic_cc_names[i], 0600, dir,
					   &nic->cc_file[i], &labnic_cc_fops);
	}
}

static ssize_t labnic_detach_write(struct file *file, const char __user *buf,
				   size_t len, loff_t *pos)
{
	bool detach;
	int err;

	err = kstrtobool_from_user(buf, len, &detach);
	if (err)
		return err;
	labnic_detach(file->private_data, detach);
	return len;
}

static const struct file_operations labnic_detach_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = labnic_detach_write,
	.llseek = noop_llseek,
};

static void labnic_dir_name(const struct net_device *dev, char *name)
{
	const struct net *net = dev_net(dev);

	if (net_eq(net, &init_net))
		strscpy(name, netdev_name(dev), LABNIC_DIR_NAME);
	else
		snprintf(name, LABNIC_DIR_NAME, "%s@%u", netdev_name(dev),
			 net->ns.inum);
}

/**
 * labnic_debugfs_add - make the directory of a NIC
 * @nic: the NIC
 *
 * As with all of debugfs, failure is no reason to fail.
 */
void labnic_debugfs_add(struct labnic *nic)
{
	char name[LABNIC_DIR_NAME];
	struct dentry *dir;

	labnic_dir_name(nic->dev, name);
	dir = debugfs_create_dir(name, labnic_debugfs_root);
	nic->debugfs = dir;
	debugfs_create_file("hw", 0444, dir, nic, &labnic_hw_fops);
	debugfs_create_file("journal", 0444, dir, nic, &labnic_journal_fops);
	debugfs_create_file("personality", 0444, dir, nic,
			    &labnic_personality_fops);
	debugfs_create_file("reset", 0200, dir, nic, &labnic_reset_fops);
	debugfs_create_file("resets", 0444, dir, nic, &labnic_resets_fops);
	debugfs_create_file("right", 0644, dir, nic, &labnic_right_fops);
	debugfs_create_file("plant", 0200, dir, nic, &labnic_plant_fops);
	debugfs_create_file("statistics", 0644, dir, nic,
			    &labnic_statistics_fops);
	debugfs_create_file_unsafe("xoff", 0600, dir, nic, &labnic_xoff_fops);
	debugfs_create_file_unsafe("longest_pause", 0600, dir, nic,
				   &labnic_longest_fops);
	debugfs_create_file("engine", 0600, dir, nic, &labnic_engine_fops);
	labnic_debugfs_add_cc(nic);
	debugfs_create_file("faults", 0644, dir, nic, &labnic_faults_fops);
	debugfs_create_file("lose", 0644, dir, nic, &labnic_lose_fops);
	debugfs_create_file("detach", 0200, dir, nic, &labnic_detach_fops);
}

/**
 * labnic_debugfs_renamed - let the directory follow the name
 * @nic: the NIC
 */
void labnic_debugfs_renamed(struct labnic *nic)
{
	char name[LABNIC_DIR_NAME];

	if (IS_ERR_OR_NULL(nic->debugfs))
		return;
	labnic_dir_name(nic->dev, name);
	labnic_debugfs_rename(nic->debugfs, name);
}

void labnic_debugfs_del(struct labnic *nic)
{
	debugfs_remove(nic->debugfs);
	nic->debugfs = NULL;
}

void labnic_debugfs_init(void)
{
	labnic_debugfs_root = debugfs_create_dir(LABNIC_KIND, NULL);
	labnic_card_debugfs(labnic_debugfs_root);
}

void labnic_debugfs_exit(void)
{
	debugfs_remove(labnic_debugfs_root);
}
