// SPDX-License-Identifier: GPL-2.0
/* labnic.ko: init and exit. */
#include <linux/module.h>
#include <net/rtnetlink.h>
#include "card.h"
#include "labnic.h"

static int __init labnic_init(void)
{
	int err;

	labnic_debugfs_init();
	err = labnic_link_init();
	if (err) {
		labnic_debugfs_exit();
		labnic_card_exit();
	}
	return err;
}

static void __exit labnic_exit(void)
{
	labnic_link_exit();
	labnic_debugfs_exit();
	labnic_card_exit();
}

module_init(labnic_init);
module_exit(labnic_exit);

MODULE_DESCRIPTION("Lab NIC with DCB, stacked on a plain Ethernet device");
MODULE_AUTHOR("The roceguard developers");
MODULE_LICENSE("GPL");
MODULE_ALIAS_RTNL_LINK(LABNIC_KIND);
