// SPDX-License-Identifier: GPL-2.0
/*
 * The moment at which hardware becomes right, or stops being so, told by the
 * hardware itself: a look from outside would come late. What is right was read
 * off a NIC and goes for all of them, those made later included.
 */
#include "labnic.h"

static DEFINE_SPINLOCK(labnic_right_lock);	/* within labnic.hw_lock */
static struct labnic_hw labnic_right;
static bool labnic_right_known;

/**
 * labnic_right_set - what a NIC holds now is right
 * @nic: the NIC
 */
void labnic_right_set(struct labnic *nic)
{
	spin_lock_bh(&nic->hw_lock);
	spin_lock(&labnic_right_lock);
	memcpy(&labnic_right, &nic->hw, sizeof(labnic_right));
	labnic_right_known = true;
	spin_unlock(&labnic_right_lock);
	labnic_right_see(nic);
	spin_unlock_bh(&nic->hw_lock);
}

/**
 * labnic_right_see - hardware may have changed: tell if that made it right or not
 * @nic: the NIC, with its hw_lock held
 */
void labnic_right_see(struct labnic *nic)
{
	bool right;

	lockdep_assert_held(&nic->hw_lock);
	spin_lock(&labnic_right_lock);
	right = labnic_right_known &&
		!memcmp(&nic->hw, &labnic_right, sizeof(labnic_right));
	spin_unlock(&labnic_right_lock);
	if (right == nic->right)
		return;
	WRITE_ONCE(nic->right, right);
	labnic_journal(nic, 0, "hardware %s", right ? "right" : "wrong");
}
