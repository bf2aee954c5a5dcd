// SPDX-License-Identifier: GPL-2.0
/*
 * What becomes of the driver behind a netdev that stays: it is ready only some
 * time after it has registered, and it may be gone for a while.
 */
#include <linux/moduleparam.h>
#include "labnic.h"

static unsigned int labnic_late_ms = 300;
module_param_named(late_ms, labnic_late_ms, uint, 0644);
MODULE_PARM_DESC(late_ms,
		 "How long after its netdev is there a driver ends its start, in ms (default 300)");

static bool labnic_fw_lldp;
module_param_named(fw_lldp, labnic_fw_lldp, bool, 0644);
MODULE_PARM_DESC(fw_lldp,
		 "The firmware of the next NIC runs its LLDP agent, and that has DCB (bnxt, ice; default off)");

static bool labnic_warm;
module_param_named(warm, labnic_warm, bool, 0644);
MODULE_PARM_DESC(warm,
		 "The next NIC trusts DSCP already, as after a driver that was unloaded (default off)");

static void labnic_late_work(struct work_struct *work)
{
	struct labnic *nic = container_of(to_delayed_work(work), struct labnic,
					  late_work);

	nic->personality->late(nic);
	labnic_journal(nic, 0, "late start");
}

/**
 * labnic_life_init - power the hardware on and start the driver
 * @nic: the NIC
 */
void labnic_life_init(struct labnic *nic)
{
	INIT_DELAYED_WORK(&nic->late_work, labnic_late_work);
	nic->fw_lldp = READ_ONCE(labnic_fw_lldp);
	labnic_sets_init(nic);
	nic->personality->power_on(&nic->hw);
	if (READ_ONCE(labnic_warm))
		nic->hw.trust = LABNIC_TRUST_DSCP;
	nic->personality->load(nic);
}

/**
 * labnic_life_begin - the netdev is there
 * @nic: the NIC
 */
void labnic_life_begin(struct labnic *nic)
{
	if (nic->personality->late)
		schedule_delayed_work(&nic->late_work,
				      msecs_to_jiffies(labnic_late_ms));
}

void labnic_life_exit(struct labnic *nic)
{
	cancel_delayed_work_sync(&nic->late_work);
}

/**
 * labnic_detach - take the driver away behind its netdev, or bring it back
 * @nic: the NIC
 * @detach: which
 *
 * As mlx5 does when its profile changes: without rtnl. Its APP entries go while
 * the netdev is no longer present; the hardware keeps its settings.
 */
void labnic_detach(struct labnic *nic, bool detach)
{
	if (detach == nic->detached)
		return;
	labnic_journal(nic, 0, detach ? "detached" : "attached");
	if (detach) {
		netif_device_detach(nic->dev);
		labnic_app_flush(nic);
		WRITE_ONCE(nic->detached, true);
		return;
	}
	nic->personality->load(nic);
	WRITE_ONCE(nic->detached, false);
	if (nic->personality->late)
		nic->personality->late(nic);
	netif_device_attach(nic->dev);
}
