// SPDX-License-Identifier: GPL-2.0
/*
 * The link: up when the wire is, and down for a while when the NIC itself drops
 * it, because a write makes it do so or because its firmware was reset.
 *
 * Only the work may wait for rtnl, and even it only tries: it is cancelled
 * under rtnl.
 */
#include <linux/jiffies.h>
#include <linux/moduleparam.h>
#include <linux/rtnetlink.h>
#include "labnic.h"

#define LABNIC_RETRY_MS	10

unsigned int labnic_toggle_ms = 200;
module_param_named(toggle_ms, labnic_toggle_ms, uint, 0644);
MODULE_PARM_DESC(toggle_ms,
		 "How long a write that drops the link keeps it down, in ms (default 200)");

static unsigned int labnic_reset_ms = 500;
module_param_named(reset_ms, labnic_reset_ms, uint, 0644);
MODULE_PARM_DESC(reset_ms,
		 "How long a firmware reset keeps the link down, in ms (default 500)");

static unsigned int labnic_link_ms;
module_param_named(link_ms, labnic_link_ms, uint, 0644);
MODULE_PARM_DESC(link_ms,
		 "How long the link takes to come up once the NIC is, in ms (default 0)");

/* However short, a loss of the link is told before it is over. */
static void labnic_end_hold(struct labnic *nic)
{
	if (nic->held && !netif_carrier_ok(nic->dev) &&
	    !time_before(jiffies, nic->hold_until))
		nic->held = false;
}

/**
 * labnic_wire_sync - make the carrier what the wire and the NIC say
 * @nic: the NIC; rtnl is held
 * @announce: tell it at once, not only when linkwatch comes to it, which lets
 *	up to a second pass and would lose a short loss; not from an ndo
 */
void labnic_wire_sync(struct labnic *nic, bool announce)
{
	struct net_device *dev = nic->dev;
	bool up;

	ASSERT_RTNL();
	labnic_end_hold(nic);

	spin_lock_bh(&nic->hw_lock);
	up = netif_running(nic->lower) && netif_carrier_ok(nic->lower) &&
	     !nic->held && !nic->drop_ms;
	WRITE_ONCE(nic->phy_up, up);
	spin_unlock_bh(&nic->hw_lock);

	if (up == netif_carrier_ok(dev))
		return;
	labnic_journal(nic, 0, "link %s", up ? "up" : "down");
	if (up) {
		labnic_lose(nic, LABNIC_LOSS_LINK);
		netif_carrier_on(dev);
	} else {
		netif_carrier_off(dev);
		labnic_stats_port_inc(nic, LABNIC_LINK_DOWNS);
	}
	if (announce && dev->flags & IFF_UP)
		netdev_state_change(dev);
}

/*
 * The driver starts again on hardware that has forgotten everything; one that is
 * busy for so long, when the link is coming back.
 */
static void labnic_recover(struct labnic *nic)
{
	bool recover;

	labnic_end_hold(nic);
	if (nic->personality->busy_in_reset && nic->held)
		return;
	spin_lock_bh(&nic->hw_lock);
	recover = nic->recover;
	spin_unlock_bh(&nic->hw_lock);
	if (!recover)
		return;
	labnic_app_flush(nic);
	nic->personality->load(nic);
	WRITE_ONCE(nic->recover, false);
	labnic_journal(nic, 0, "driver recovered");
}

/* Down for so long from now, or longer. */
static void labnic_hold(struct labnic *nic, unsigned int ms)
{
	unsigned long until = jiffies + msecs_to_jiffies(ms);

	if (!nic->held || time_after(until, nic->hold_until))
		nic->hold_until = until;
	nic->held = true;
}

static void labnic_begin_drop(struct labnic *nic)
{
	unsigned int ms;

	spin_lock_bh(&nic->hw_lock);
	ms = nic->drop_ms;
	nic->drop_ms = 0;
	spin_unlock_bh(&nic->hw_lock);
	if (ms)
		labnic_hold(nic, ms);
}

static void labnic_wire_work(struct work_struct *work)
{
	struct labnic *nic = container_of(to_delayed_work(work), struct labnic,
					  wire_work);
	long left;

	if (!rtnl_trylock()) {
		schedule_delayed_work(&nic->wire_work,
				      msecs_to_jiffies(LABNIC_RETRY_MS));
		return;
	}
	labnic_begin_drop(nic);
	labnic_recover(nic);
	labnic_wire_sync(nic, true);
	if (nic->held) {
		left = nic->hold_until - jiffies;
		schedule_delayed_work(&nic->wire_work, max(left, 1L));
	}
	rtnl_unlock();
}

/**
 * labnic_wire_drop - drop the link for a while
 * @nic: the NIC
 * @ms: for how long; 0: not at all
 *
 * No frame passes from now on; the carrier follows when rtnl is free, as with
 * the event of a real port.
 */
void labnic_wire_drop(struct labnic *nic, unsigned int ms)
{
	if (!ms)
		return;
	spin_lock_bh(&nic->hw_lock);
	WRITE_ONCE(nic->phy_up, false);
	nic->drop_ms = max(nic->drop_ms, ms);
	spin_unlock_bh(&nic->hw_lock);
	mod_delayed_work(system_wq, &nic->wire_work, 0);
}

/**
 * labnic_wire_train - the NIC goes up: its link follows, but takes its time
 * @nic: the NIC; rtnl is held
 */
void labnic_wire_train(struct labnic *nic)
{
	unsigned int ms = READ_ONCE(labnic_link_ms);

	ASSERT_RTNL();
	if (!ms)
		return;
	labnic_hold(nic, ms);
	mod_delayed_work(system_wq, &nic->wire_work, msecs_to_jiffies(ms));
}

/**
 * labnic_forget - hardware and driver are as powered on
 * @nic: the NIC; rtnl is held
 */
void labnic_forget(struct labnic *nic)
{
	ASSERT_RTNL();
	spin_lock_bh(&nic->hw_lock);
	nic->personality->power_on(&nic->hw);
	labnic_right_see(nic);
	spin_unlock_bh(&nic->hw_lock);
	labnic_app_flush(nic);
	nic->personality->load(nic);
	labnic_journal(nic, 0, "all forgotten");
}

/**
 * labnic_reset - reset the firmware
 * @nic: the NIC
 *
 * Everything configured is lost at once and the link goes down. The driver
 * notices a little later: it drops its APP entries and starts again.
 */
void labnic_reset(struct labnic *nic)
{
	spin_lock_bh(&nic->hw_lock);
	WRITE_ONCE(nic->phy_up, false);
	/* Pairs with labnic_protected(): no frame leaves with these settings. */
	smp_wmb();
	nic->personality->power_on(&nic->hw);
	labnic_right_see(nic);
	nic->recover = true;
	nic->resets++;
	spin_unlock_bh(&nic->hw_lock);
	labnic_journal(nic, 0, "firmware reset");
	labnic_wire_drop(nic, max(labnic_reset_ms, 1U));
}

void labnic_wire_init(struct labnic *nic)
{
	INIT_DELAYED_WORK(&nic->wire_work, labnic_wire_work);
}

void labnic_wire_exit(struct labnic *nic)
{
	cancel_delayed_work_sync(&nic->wire_work);
}
