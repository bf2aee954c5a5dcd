// SPDX-License-Identifier: GPL-2.0
/*
 * A freeze that somebody forgets leaves a host unprotected from its next drift
 * on, so it may end by itself.
 */
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include "freeze.h"
#include "history.h"
#include "log.h"
#include "mode.h"
#include "netlink/netlink.h"
#include "policy.h"
#include "port.h"

static void rg_freeze_work(struct work_struct *work);
static DECLARE_DELAYED_WORK(rg_freeze_end, rg_freeze_work);

/* When the freeze ends by itself, ns; 0: it does not. */
static u64 rg_thaw_at;
static DEFINE_SPINLOCK(rg_freeze_lock);

static void rg_freeze_arm(u64 ns)
{
	mod_delayed_work(system_unbound_wq, &rg_freeze_end,
			 nsecs_to_jiffies(ns) + 1);
}

/**
 * rg_freeze - stop all writes
 * @seconds: for how long; 0: until rg_thaw()
 */
void rg_freeze(u32 seconds)
{
	u64 ns = (u64)seconds * NSEC_PER_SEC;

	spin_lock(&rg_freeze_lock);
	rg_mode_freeze(true);
	rg_thaw_at = ns ? ktime_get_ns() + ns : 0;
	spin_unlock(&rg_freeze_lock);
	if (ns)
		rg_freeze_arm(ns);
}

/**
 * rg_thaw - let writes go on
 */
void rg_thaw(void)
{
	spin_lock(&rg_freeze_lock);
	rg_mode_freeze(false);
	rg_thaw_at = 0;
	spin_unlock(&rg_freeze_lock);
}

/* ns until the freeze ends by itself; 0: it does not. */
static u64 rg_freeze_left_ns(void)
{
	u64 now = ktime_get_ns();

	lockdep_assert_held(&rg_freeze_lock);
	if (!rg_thaw_at)
		return 0;
	return rg_thaw_at > now ? rg_thaw_at - now : 1;
}

/**
 * rg_freeze_left - how long is the freeze yet to last?
 *
 * Return: seconds, at least 1; 0: there is none, or it has no end.
 */
u32 rg_freeze_left(void)
{
	u64 left;

	spin_lock(&rg_freeze_lock);
	left = rg_freeze_left_ns();
	spin_unlock(&rg_freeze_lock);
	return left ? div_u64(left - 1, NSEC_PER_SEC) + 1 : 0;
}

static void rg_freeze_over(void)
{
	u32 generation = rg_policy_touch();

	rg_info("the time of the freeze is over: thawed\n");
	rg_history_request(generation, "thaw: the time of the freeze is over");
	rg_netlink_mode_ntf();
	rg_ports_kick(ROCEGUARD_TRIGGER_POLICY);
}

/* Armed for a freeze that may have got another end since, or none. */
static void rg_freeze_work(struct work_struct *work)
{
	u64 left;

	spin_lock(&rg_freeze_lock);
	left = rg_freeze_left_ns();
	if (left == 1) {
		rg_mode_freeze(false);
		rg_thaw_at = 0;
	}
	spin_unlock(&rg_freeze_lock);
	if (left == 1)
		rg_freeze_over();
	else if (left)
		rg_freeze_arm(left);
}

/**
 * rg_freeze_exit - nothing thaws by itself any more
 */
void rg_freeze_exit(void)
{
	cancel_delayed_work_sync(&rg_freeze_end);
}
