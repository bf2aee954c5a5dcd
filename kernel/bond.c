// SPDX-License-Identifier: GPL-2.0
/*
 * Bonds and teams. What one of them makes of a leg is not its carrier: it is
 * noticed later (miimon), comes back later still (updelay), and with LACP the
 * switch has a say, too. The bond itself is asked, as for `ip -d link`.
 */
#include <linux/if_bonding.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <net/netlink.h>
#include <net/rtnetlink.h>
#include "bond.h"
#include "pass.h"

/* More than any kernel's bond_get_slave_size(). */
#define RG_LEG_INFO_MAX		512
#define RG_LACP_CARRIES		(LACP_STATE_COLLECTING | LACP_STATE_DISTRIBUTING)

/**
 * rg_bond_of - the bond or team that a netdev is a leg of
 * @dev: under rtnl
 *
 * Return: it, or NULL.
 */
struct net_device *rg_bond_of(struct net_device *dev)
{
	struct net_device *upper = netdev_master_upper_dev_get(dev);

	return upper && netif_is_lag_master(upper) ? upper : NULL;
}

/**
 * rg_bond_name - the name of the bond or team that a netdev is a leg of
 * @dev: under rtnl, as the name is good for
 *
 * Return: it, or "".
 */
const char *rg_bond_name(struct net_device *dev)
{
	const struct net_device *bond = rg_bond_of(dev);

	return bond ? bond->name : "";
}

static bool rg_info_carries(const struct sk_buff *info)
{
	const struct nlattr *head = (const struct nlattr *)info->data;
	const struct nlattr *mii, *lacp;

	mii = nla_find(head, info->len, IFLA_BOND_SLAVE_MII_STATUS);
	if (mii && nla_get_u8(mii) != BOND_LINK_UP)
		return false;
	lacp = nla_find(head, info->len,
			IFLA_BOND_SLAVE_AD_ACTOR_OPER_PORT_STATE);
	return !lacp ||
	       (nla_get_u8(lacp) & RG_LACP_CARRIES) == RG_LACP_CARRIES;
}

/* Would the bond send by this leg, should it have to? */
static bool rg_leg_carries(const struct net_device *bond,
			   const struct net_device *leg)
{
	const struct rtnl_link_ops *ops = bond->rtnl_link_ops;
	struct sk_buff *info;
	bool carries;

	if (!rg_port_has_link(leg))
		return false;
	/* A team tells nobody. */
	if (!ops || !ops->fill_slave_info)
		return true;
	info = alloc_skb(RG_LEG_INFO_MAX, GFP_KERNEL);
	if (!info)
		return false;
	carries = !ops->fill_slave_info(info, bond, leg) &&
		  rg_info_carries(info);
	kfree_skb(info);
	return carries;
}

/**
 * rg_bond_leg_missing - is there a leg beside this one that carries nothing now?
 * @dev: under rtnl
 *
 * Return: the first one that is down or just coming back, or NULL.
 */
struct net_device *rg_bond_leg_missing(struct net_device *dev)
{
	struct net_device *bond = rg_bond_of(dev), *leg;
	struct list_head *iter;

	if (!bond)
		return NULL;
	netdev_for_each_lower_dev(bond, leg, iter)
		if (leg != dev && !rg_leg_carries(bond, leg))
			return leg;
	return NULL;
}

/**
 * rg_bond_kick_legs - have the legs of a bond or team looked at
 * @bond: under rtnl; any other netdev has none
 * @trigger: why
 */
void rg_bond_kick_legs(struct net_device *bond, enum roceguard_trigger trigger)
{
	struct net_device *leg;
	struct list_head *iter;

	if (!netif_is_lag_master(bond))
		return;
	netdev_for_each_lower_dev(bond, leg, iter)
		rg_port_kick_dev(leg, trigger);
}

/**
 * rg_bond_kick_waiting - a leg has changed: who waits for it?
 * @leg: under rtnl; any other netdev is waited for by none
 */
void rg_bond_kick_waiting(struct net_device *leg)
{
	struct net_device *bond = rg_bond_of(leg), *other;
	struct list_head *iter;
	struct rg_port *port;

	if (!bond)
		return;
	netdev_for_each_lower_dev(bond, other, iter) {
		port = other == leg ? NULL : rg_port_of(other);
		if (port && READ_ONCE(port->leg_since))
			rg_port_kick(port, ROCEGUARD_TRIGGER_TOPOLOGY);
		rg_port_put(port);
	}
}
