// SPDX-License-Identifier: GPL-2.0
/* What the roceguard provider is given: the hardware as it is, and DCQCN. */
#include <linux/module.h>
#include <linux/moduleparam.h>
#include "labnic.h"

int labnic_do_read_hw(struct labnic *nic, void *arg)
{
	labnic_hw_get(nic, arg);
	return 0;
}

/**
 * labnic_read_hw - read the hardware past the driver
 * @dev: any netdev
 * @hw: a copy of its state
 *
 * Return: 0, -ENODEV if @dev is not a labnic, or what a fault says.
 */
int labnic_read_hw(struct net_device *dev, struct labnic_hw *hw)
{
	if (!labnic_is(dev))
		return -ENODEV;
	return labnic_call(netdev_priv(dev), LABNIC_READ_HW, hw);
}
EXPORT_SYMBOL_GPL(labnic_read_hw);

static bool labnic_prio_counters;
module_param_named(prio_counters, labnic_prio_counters, bool, 0644);
MODULE_PARM_DESC(prio_counters,
		 "Counters per priority can be read past the driver, and faster (default: no)");

int labnic_do_read_prio(struct labnic *nic, void *arg)
{
	labnic_stats_read(nic, arg);
	return 0;
}

/**
 * labnic_read_prio - read the counters of each priority past the driver
 * @dev: any netdev
 * @counters: theirs
 * @times: set to whether those of pauses' durations are good
 *
 * Return: 0, -ENODEV if @dev is not a labnic, -EOPNOTSUPP if that is not to be, or
 *	what a fault says.
 */
int labnic_read_prio(struct net_device *dev, struct labnic_counters *counters,
		     bool *times)
{
	struct labnic *nic = netdev_priv(dev);

	if (!labnic_is(dev))
		return -ENODEV;
	if (!READ_ONCE(labnic_prio_counters))
		return -EOPNOTSUPP;
	*times = !nic->personality->no_pause_us;
	return labnic_call(nic, LABNIC_READ_PRIO, counters);
}
EXPORT_SYMBOL_GPL(labnic_read_prio);

static int labnic_check_ecn(const struct net_device *dev, enum labnic_role role,
			    u8 prio)
{
	if (!labnic_is(dev))
		return -ENODEV;
	if (role >= LABNIC_ROLES || prio >= LABNIC_PRIORITIES)
		return -EINVAL;
	return 0;
}

/**
 * labnic_ecn_per_port - is an end of DCQCN one switch for the port?
 * @dev: any netdev
 * @role: the end
 *
 * Return: true if it is on for all priorities as soon as it is for one.
 */
bool labnic_ecn_per_port(struct net_device *dev, enum labnic_role role)
{
	const struct labnic *nic = netdev_priv(dev);

	return labnic_is(dev) && role == LABNIC_NP &&
	       nic->personality->np_per_port;
}
EXPORT_SYMBOL_GPL(labnic_ecn_per_port);

int labnic_do_getecn(struct labnic *nic, void *arg)
{
	struct labnic_ecn_arg *ecn = arg;

	labnic_hw_begin(nic);
	ecn->on = nic->hw.ecn[ecn->role] &
		  (labnic_ecn_per_port(nic->dev, ecn->role) ? 0xff :
							      BIT(ecn->prio));
	labnic_hw_end(nic);
	return 0;
}

int labnic_do_setecn(struct labnic *nic, void *arg)
{
	const struct labnic_ecn_arg *ecn = arg;

	labnic_hw_begin(nic);
	if (ecn->on)
		nic->hw.ecn[ecn->role] |= BIT(ecn->prio);
	else
		nic->hw.ecn[ecn->role] &= ~BIT(ecn->prio);
	labnic_hw_end(nic);
	labnic_journal(nic, 0, "ecn %s prio %u %s",
		       ecn->role == LABNIC_NP ? "np" : "rp", ecn->prio,
		       ecn->on ? "on" : "off");
	return 0;
}

/**
 * labnic_get_ecn - is an end of DCQCN on?
 * @dev: any netdev
 * @role: the end
 * @prio: the priority
 * @on: the answer
 *
 * Return: 0, -ENODEV if @dev is not a labnic, -EINVAL, or what a fault says.
 */
int labnic_get_ecn(struct net_device *dev, enum labnic_role role, u8 prio,
		   bool *on)
{
	struct labnic_ecn_arg arg = { .role = role, .prio = prio };
	int err;

	err = labnic_check_ecn(dev, role, prio);
	if (!err)
		err = labnic_call(netdev_priv(dev), LABNIC_GETECN, &arg);
	*on = arg.on;
	return err;
}
EXPORT_SYMBOL_GPL(labnic_get_ecn);

/**
 * labnic_set_ecn - switch an end of DCQCN
 * @dev: any netdev
 * @role: the end
 * @prio: the priority
 * @on: on or off
 *
 * Return: 0, -ENODEV if @dev is not a labnic, -EINVAL, or what a fault says.
 */
int labnic_set_ecn(struct net_device *dev, enum labnic_role role, u8 prio,
		   bool on)
{
	struct labnic_ecn_arg arg = { .role = role, .prio = prio, .on = on };
	int err;

	err = labnic_check_ecn(dev, role, prio);
	return err ?: labnic_call(netdev_priv(dev), LABNIC_SETECN, &arg);
}
EXPORT_SYMBOL_GPL(labnic_set_ecn);

int labnic_do_getparam(struct labnic *nic, void *arg)
{
	struct labnic_param_arg *param = arg;

	return labnic_hw_get_cc(nic, param->cc, &param->value);
}

int labnic_do_setparam(struct labnic *nic, void *arg)
{
	const struct labnic_param_arg *param = arg;

	return labnic_hw_set_cc(nic, param->cc, param->value);
}

/**
 * labnic_get_cc - read a parameter of congestion control
 * @dev: any netdev
 * @cc: enum labnic_cc
 * @value: the answer
 *
 * Return: 0, -ENODEV if @dev is not a labnic, -EOPNOTSUPP, or what a fault says.
 */
int labnic_get_cc(struct net_device *dev, unsigned int cc, u32 *value)
{
	struct labnic_param_arg arg = { .cc = cc };
	int err;

	if (!labnic_is(dev))
		return -ENODEV;
	err = labnic_call(netdev_priv(dev), LABNIC_GETPARAM, &arg);
	*value = arg.value;
	return err;
}
EXPORT_SYMBOL_GPL(labnic_get_cc);

/**
 * labnic_set_cc - write a parameter of congestion control
 * @dev: any netdev
 * @cc: enum labnic_cc
 * @value: what to write
 *
 * Return: 0, -ENODEV if @dev is not a labnic, -EOPNOTSUPP, or what a fault says.
 */
int labnic_set_cc(struct net_device *dev, unsigned int cc, u32 value)
{
	struct labnic_param_arg arg = { .cc = cc, .value = value };

	if (!labnic_is(dev))
		return -ENODEV;
	return labnic_call(netdev_priv(dev), LABNIC_SETPARAM, &arg);
}
EXPORT_SYMBOL_GPL(labnic_set_cc);

const char * const labnic_engines[] = { "DCQCN", "ZTR-RTT", "PCC", NULL };

/**
 * labnic_engine - what rules the rate of queue pairs
 * @dev: any netdev
 *
 * Return: its name, NULL: DCQCN.
 */
const char *labnic_engine(struct net_device *dev)
{
	const struct labnic *nic = netdev_priv(dev);
	unsigned int engine = labnic_is(dev) ? READ_ONCE(nic->engine) : 0;

	return engine ? labnic_engines[engine] : NULL;
}
EXPORT_SYMBOL_GPL(labnic_engine);

/**
 * labnic_habits - the real driver that a NIC behaves like
 * @dev: any netdev
 *
 * Return: its name, or NULL: none.
 */
const char *labnic_habits(struct net_device *dev)
{
	const struct labnic *nic = netdev_priv(dev);

	return labnic_is(dev) ? nic->personality->habits : NULL;
}
EXPORT_SYMBOL_GPL(labnic_habits);
