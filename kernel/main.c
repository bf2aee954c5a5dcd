// SPDX-License-Identifier: GPL-2.0
#include <linux/init.h>
#include <linux/module.h>
#include "companions.h"
#include "confirm.h"
#include "counters/counters.h"
#include "dcb_listener.h"
#include "events.h"
#include "freeze.h"
#include "history.h"
#include "log.h"
#include "mode.h"
#include "netlink/netlink.h"
#include "ofed_sysfs.h"
#include "policy.h"
#include "port.h"

/**
 * struct rg_part - a part of roceguard.ko
 * @name: for people
 * @init: begin; 0 or a negative errno
 * @exit: undo @init; the parts after it have gone
 */
struct rg_part {
	const char *name;
	int (*init)(void);
	void (*exit)(void);
};

static int rg_companions_begin(void)
{
	rg_companions_init();
	return 0;
}

/*
 * Requests come in last and go first; then the sources of events; with the
 * netdev notifier the ports, and when those are dead their queue is empty, and then
 * that of samples, which passes begin.
 */
static const struct rg_part rg_parts[] = {
	{ "mode",	  rg_mode_init,		NULL },
	{ "OFED's files", rg_ofed_sysfs_init,	NULL },
	{ "policies",	  NULL,			rg_policy_exit },
	{ "history",	  rg_history_init,	rg_history_exit },
	{ "companions",	  NULL,			rg_companions_exit },
	{ "counters",	  rg_counters_init,	rg_counters_exit },
	{ "ports",	  rg_ports_init,	rg_ports_exit },
	{ "events",	  rg_events_init,	rg_events_exit },
	{ "rescans",	  NULL,			rg_ports_rescan_exit },
	{ "confirmations", NULL,		rg_confirm_exit },
	{ "freeze",	  NULL,			rg_freeze_exit },
	{ "DCB listener", rg_dcb_listener_init,	rg_dcb_listener_exit },
	{ "netlink",	  rg_netlink_init,	rg_netlink_exit },
	{ "RDMA",	  rg_companions_begin,	NULL },
};

static void rg_parts_exit(size_t n)
{
	while (n--)
		if (rg_parts[n].exit)
			rg_parts[n].exit();
}

static int __init rg_init(void)
{
	size_t i;
	int err;

	for (i = 0; i < ARRAY_SIZE(rg_parts); i++) {
		err = rg_parts[i].init ? rg_parts[i].init() : 0;
		if (!err)
			continue;
		rg_warn("can't start %s: error %d\n", rg_parts[i].name, -err);
		rg_parts_exit(i);
		return err;
	}
	return 0;
}

static void __exit rg_exit(void)
{
	rg_parts_exit(ARRAY_SIZE(rg_parts));
}

module_init(rg_init);
module_exit(rg_exit);

MODULE_DESCRIPTION("RoCE v2 policy held at register and link-up");
MODULE_AUTHOR("The roceguard developers");
MODULE_LICENSE("GPL");
MODULE_VERSION(RG_VERSION);
