// SPDX-License-Identifier: GPL-2.0
/*
 * A policy that cuts off the one who loaded it cannot be taken back by them. So
 * it may have to be confirmed: if nobody does, the one before it is in force again,
 * and what that does not name is as it was.
 */
#include <linux/ktime.h>
#include <linux/workqueue.h>
#include "confirm.h"
#include "history.h"
#include "log.h"
#include "netlink/netlink.h"
#include "policy.h"
#include "port.h"

static void rg_confirm_work(struct work_struct *work);
static DECLARE_DELAYED_WORK(rg_confirm, rg_confirm_work);

static void rg_reverted(const char *name, const struct rg_policy *back,
			u32 generation)
{
	rg_info("policy %s was not confirmed: %s\n", name,
		back ? "the one before it is in force again" : "it is deleted");
	rg_history_request(generation, "policy %s was not confirmed: %s", name,
			   back ? "back to the one before" : "deleted");
	rg_netlink_policy_ntf(name, back, generation);
	rg_ports_restore(name);
	rg_ports_rescan();
}

static void rg_confirm_work(struct work_struct *work)
{
	char name[ROCEGUARD_NAME_MAX + 1];
	struct rg_policy *back;
	u32 generation;

	while (rg_policy_revert(ktime_get_ns(), name, &back, &generation)) {
		rg_reverted(name, back, generation);
		rg_policy_put(back);
	}
	rg_confirm_arm();
}

/**
 * rg_confirm_arm - see to it that the next policy to be confirmed is looked at
 */
void rg_confirm_arm(void)
{
	u64 soonest = rg_policy_soonest(), now = ktime_get_ns();

	if (soonest == U64_MAX)
		return;
	mod_delayed_work(system_unbound_wq, &rg_confirm,
			 soonest > now ? nsecs_to_jiffies(soonest - now) + 1 : 0);
}

/**
 * rg_confirm_exit - nothing is reverted any more
 */
void rg_confirm_exit(void)
{
	cancel_delayed_work_sync(&rg_confirm);
}
