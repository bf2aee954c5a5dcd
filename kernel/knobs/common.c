// SPDX-License-Identifier: GPL-2.0
/* What the knobs share: reasons in words, and reading the hardware. */
#include <linux/ethtool.h>
#include <net/net_namespace.h>
#include "../companions.h"
#include "../ethtool_call.h"
#include <net/netdev_lock.h>
#include "knob.h"

/**
 * rg_because - say why something is not right, and what to do about it
 * @section: the knob's section
 * @fmt: printf format
 */
void rg_because(struct rg_section *section, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vscnprintf(section->reason, sizeof(section->reason), fmt, args);
	va_end(args);
}

/**
 * rg_dcb_result - what a dcbnl operation's return value means
 * @ret: what it returned
 *
 * ice answers with positive numbers for "changed" and "changed, no reset".
 *
 * Return: 0 or a negative errno.
 */
int rg_dcb_result(int ret)
{
	return ret < 0 ? ret : 0;
}

/**
 * rg_knob_lock - take the instance lock, if a write of the knob needs it
 * @section: the knob's section
 * @id: of the knob
 *
 * The core takes it for no dcbnl operation, and most drivers that want it take
 * it themselves.
 */
void rg_knob_lock(const struct rg_section *section, enum roceguard_knob id)
{
	if (section->habits->locked & BIT(id))
		netdev_lock_ops(section->dev);
}

/**
 * rg_knob_unlock - undo rg_knob_lock()
 * @section: the knob's section
 * @id: of the knob
 */
void rg_knob_unlock(const struct rg_section *section, enum roceguard_knob id)
{
	if (section->habits->locked & BIT(id))
		netdev_unlock_ops(section->dev);
}

/**
 * rg_is_cee_only - does a driver speak CEE alone?
 * @ops: of the driver, or NULL
 *
 * Return: true if it has DCB, but nothing of IEEE 802.1Qaz.
 */
bool rg_is_cee_only(const struct dcbnl_rtnl_ops *ops)
{
	return ops && !ops->ieee_setpfc && !ops->ieee_setets &&
	       !ops->ieee_setapp && (ops->setpfccfg || ops->setall);
}

/**
 * rg_dcb_usable - does the port have an operation of dcbnl?
 * @section: the knob's section
 * @op: it is there
 *
 * Return: 0, or -EOPNOTSUPP with the reason set.
 */
int rg_dcb_usable(struct rg_section *section, bool op)
{
	struct net_device *dev = section->dev;

	if (op)
		return 0;
	if (!dev->dcbnl_ops)
		rg_because(section, "driver %s has no DCB for this port; use a PF of a DCB-capable NIC",
			   section->driver);
	else if (rg_is_cee_only(dev->dcbnl_ops))
		rg_because(section, "driver %s has CEE DCB only, not IEEE 802.1Qaz; set it with lldpad's dcbtool, or use another NIC",
			   section->driver);
	else
		rg_because(section, "driver %s has no operation for it; take it out of the policy, or use another NIC",
			   section->driver);
	return -EOPNOTSUPP;
}

static void rg_firmware_owns(struct rg_section *section, int err)
{
	const struct rg_habits *habits = section->habits;

	if (habits->lldp_off)
		rg_because(section, "firmware LLDP owns DCB (error %d); run 'ethtool --set-priv-flags %s %s'",
			   -err, section->dev->name, habits->lldp_off);
	else
		rg_because(section, "firmware LLDP owns DCB (error %d); %s", -err,
			   habits->lldp_tool ?:
			   "switch it off with the tool of the NIC's vendor");
}

/**
 * rg_dcb_owner - is it somebody else's to set DCB on this port?
 * @section: gets the reason
 * @err: what the driver said, negative
 *
 * Return: true if the driver does not take it from the host.
 */
bool rg_dcb_owner(struct rg_section *section, int err)
{
	const struct net_device *dev = section->dev;
	const struct dcbnl_rtnl_ops *ops = dev->dcbnl_ops;
	u8 dcbx = ops && ops->getdcbx ? ops->getdcbx(section->dev) : 0;

	if (rg_is_cee_only(ops))
		rg_dcb_usable(section, false);
	else if (dcbx & DCB_CAP_DCBX_LLD_MANAGED)
		rg_firmware_owns(section, err);
	else if (section->habits->not_in_bond && netif_is_lag_port(dev))
		rg_because(section, "driver %s changes no DCB in a bond (error %d); take %s out of it, 'roceguard port apply %s', and put it back",
			   section->driver, -err, dev->name, dev->name);
	else
		return false;
	return true;
}

/**
 * rg_provider_usable - does the port have operations of a provider?
 * @section: the knob's section
 * @ops: they are there
 *
 * Return: 0, or -EOPNOTSUPP with the reason set; -EAGAIN while a provider may come.
 */
int rg_provider_usable(struct rg_section *section, bool ops)
{
	if (ops)
		return 0;
	if (!section->provider && !rg_companions_settled()) {
		rg_because(section, "its provider is being loaded");
		return -EAGAIN;
	}
	if (!section->provider)
		rg_because(section, "no provider for driver %s; it stays as its driver has it",
			   section->driver);
	else
		rg_because(section, "%s has no operation for it; it stays as its driver has it",
			   section->provider->name);
	return -EOPNOTSUPP;
}

/**
 * rg_dcb_blame - find the reason why a dcbnl write failed
 * @section: the knob's section
 * @err: what the driver said, negative
 *
 * Leaves a reason that the knob has set already, unless DCB is not ours to set.
 */
void rg_dcb_blame(struct rg_section *section, int err)
{
	const struct dcbnl_rtnl_ops *ops = section->dev->dcbnl_ops;
	u8 dcbx = ops && ops->getdcbx ? ops->getdcbx(section->dev) : 0;

	if (rg_dcb_owner(section, err) || section->reason[0])
		return;
	if (dcbx && !(dcbx & DCB_CAP_DCBX_VER_IEEE))
		rg_because(section, "DCB is in CEE mode (error %d); run 'dcb dcbx set dev %s host ieee'",
			   -err, section->dev->name);
	else if (dcbx && !(dcbx & DCB_CAP_DCBX_HOST))
		rg_because(section, "DCB is not host-managed (error %d); run 'dcb dcbx set dev %s host ieee'",
			   -err, section->dev->name);
	else
		rg_because(section, "driver %s said error %d; see the kernel log",
			   section->driver, -err);
}

/**
 * rg_speed - the rate of the link
 * @section: the knob's section
 *
 * Return: Mbit/s; 0: not known, as most drivers have it without a link.
 */
u32 rg_speed(struct rg_section *section)
{
	const struct ethtool_ops *ops = section->dev->ethtool_ops;
	struct ethtool_link_ksettings link = {};
	int err;

	if (!ops || !ops->get_link_ksettings || rg_ethtool_begin(section->dev))
		return 0;
	err = ops->get_link_ksettings(section->dev, &link);
	rg_ethtool_end(section->dev);
	return err || link.base.speed == (u32)SPEED_UNKNOWN ? 0 :
							      link.base.speed;
}

/**
 * rg_read_hw - has the hardware itself something to say?
 * @section: the knob's section
 * @field: of what
 *
 * Reads it at the first question of a section.
 *
 * Return: true if @field of section->have->hw can be believed.
 */
bool rg_read_hw(struct rg_section *section, enum rg_hw_field field)
{
	struct rg_hw_state *hw = &section->have->hw;

	memset(hw, 0, sizeof(*hw));
	if (!section->provider || !section->provider->read_hw)
		return false;
	if (section->provider->read_hw(section->dev, hw))
		hw->valid = 0;
	if (!(hw->valid & BIT(field)))
		return false;
	section->source = ROCEGUARD_SOURCE_HARDWARE;
	return true;
}
