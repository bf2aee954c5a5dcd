// SPDX-License-Identifier: GPL-2.0
/* Which personalities there are, and which one the next NIC gets. */
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include "labnic.h"

static const struct labnic_personality * const labnic_personalities[] = {
	&labnic_plain,
	&labnic_mlx5,
	&labnic_bnxt,
	&labnic_ice,
	&labnic_hns3,
	&labnic_cee,
	&labnic_late_dcb,
	&labnic_no_dcb,
};

static const struct labnic_personality *labnic_next = &labnic_plain;

static int labnic_personality_set(const char *val,
				  const struct kernel_param *kp)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(labnic_personalities); i++) {
		if (!sysfs_streq(val, labnic_personalities[i]->name))
			continue;
		WRITE_ONCE(labnic_next, labnic_personalities[i]);
		return 0;
	}
	pr_err("labnic: no personality \"%.*s\": use one of\n",
	       (int)strcspn(val, "\n"), val);
	for (i = 0; i < ARRAY_SIZE(labnic_personalities); i++)
		pr_err("labnic:   %s\n", labnic_personalities[i]->name);
	return -EINVAL;
}

static int labnic_personality_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%s\n", READ_ONCE(labnic_next)->name);
}

static const struct kernel_param_ops labnic_personality_ops = {
	.set = labnic_personality_set,
	.get = labnic_personality_get,
};
module_param_cb(personality, &labnic_personality_ops, NULL, 0644);
MODULE_PARM_DESC(personality,
		 "Whose habits the next NIC has: plain (default), mlx5, bnxt, ice, hns3, cee-only, late-dcb, no-dcb");

const struct labnic_personality *labnic_next_personality(void)
{
	return READ_ONCE(labnic_next);
}
