// SPDX-License-Identifier: GPL-2.0
/* The rtnl link kind "labnic" and what happens to a NIC when its wire changes. */
#include <linux/etherdevice.h>
#include <linux/if_arp.h>
#include <linux/module.h>
#include <net/rtnetlink.h>
#include "card.h"
#include "compat.h"
#include "labnic.h"

static int labnic_validate(struct nlattr *tb[], struct nlattr *data[],
			   struct netlink_ext_ack *extack)
{
	if (!tb[IFLA_LINK]) {
		NL_SET_ERR_MSG(extack, "labnic needs a wire: add \"link DEV\"");
		return -EINVAL;
	}
	if (!tb[IFLA_ADDRESS])
		return 0;
	if (nla_len(tb[IFLA_ADDRESS]) != ETH_ALEN ||
	    !is_valid_ether_addr(nla_data(tb[IFLA_ADDRESS]))) {
		NL_SET_ERR_MSG(extack,
			       "labnic needs a unicast Ethernet address");
		return -EADDRNOTAVAIL;
	}
	return 0;
}

static int labnic_check_lower(struct net_device *lower,
			      struct netlink_ext_ack *extack)
{
	if (!lower) {
		NL_SET_ERR_MSG(extack, "the wire (link DEV) does not exist");
		return -ENODEV;
	}
	if (lower->type != ARPHRD_ETHER || lower->flags & IFF_LOOPBACK) {
		NL_SET_ERR_MSG(extack,
			       "the wire (link DEV) is not an Ethernet device");
		return -EINVAL;
	}
	if (labnic_is(lower)) {
		NL_SET_ERR_MSG(extack, "the wire (link DEV) is a labnic");
		return -EINVAL;
	}
	if (netdev_is_rx_handler_busy(lower)) {
		NL_SET_ERR_MSG(extack,
			       "the wire (link DEV) already serves another device");
		return -EBUSY;
	}
	return 0;
}

static int labnic_add(struct net_device *dev, struct net_device *lower,
		      struct nlattr *tb[], struct netlink_ext_ack *extack)
{
	struct labnic *nic = netdev_priv(dev);
	int err;

	err = labnic_check_lower(lower, extack) ?: labnic_card_seat(dev, extack);
	if (err)
		return err;

	nic->dev = dev;
	nic->lower = lower;
	nic->personality = labnic_next_personality();
	nic->speed = LABNIC_SPEED_MBPS;
	labnic_journal_init(nic);

	dev->dcbnl_ops = nic->personality->dcbnl_ops;
	if (nic->personality->ops_lock)
		labnic_request_ops_lock(dev);
	dev->max_mtu = lower->mtu;
	if (!tb[IFLA_MTU])
		dev->mtu = lower->mtu;
	else if (dev->mtu > lower->mtu) {
		NL_SET_ERR_MSG(extack, "MTU above that of the wire");
		return -EINVAL;
	}
	dev->needed_headroom = lower->needed_headroom;
	dev->needed_tailroom = lower->needed_tailroom;
	if (!tb[IFLA_ADDRESS])
		eth_hw_addr_inherit(dev, lower);

	err = register_netdevice(dev);
	if (err)
		return err;
	labnic_wire_sync(nic, false);
	labnic_life_begin(nic);
	return 0;
}

#ifdef LABNIC_HAVE_NEWLINK_PARAMS
static int labnic_newlink(struct net_device *dev,
			  struct rtnl_newlink_params *params,
			  struct netlink_ext_ack *extack)
{
	struct net *net = rtnl_newlink_link_net(params);
	u32 ifindex = nla_get_u32(params->tb[IFLA_LINK]);

	return labnic_add(dev, __dev_get_by_index(net, ifindex), params->tb,
			  extack);
}
#else
static int labnic_newlink(struct net *net, struct net_device *dev,
			  struct nlattr *tb[], struct nlattr *data[],
			  struct netlink_ext_ack *extack)
{
	u32 ifindex = nla_get_u32(tb[IFLA_LINK]);

	return labnic_add(dev, __dev_get_by_index(net, ifindex), tb, extack);
}
#endif

static void labnic_dellink(struct net_device *dev, struct list_head *head)
{
	unregister_netdevice_queue(dev, head);
}

static struct rtnl_link_ops labnic_link_ops __read_mostly = {
	.kind = LABNIC_KIND,
	.priv_size = sizeof(struct labnic),
	.setup = labnic_setup,
	.validate = labnic_validate,
	.newlink = labnic_newlink,
	.dellink = labnic_dellink,
};

/**
 * labnic_is - is this netdev a labnic?
 * @dev: any netdev
 *
 * Return: true if its private data are a struct labnic.
 */
bool labnic_is(const struct net_device *dev)
{
	return dev->rtnl_link_ops == &labnic_link_ops;
}

static void labnic_own_event(struct net_device *dev, unsigned long event)
{
	switch (event) {
	case NETDEV_UP:
		labnic_journal(netdev_priv(dev), 0, "NETDEV_UP");
		break;
	case NETDEV_CHANGENAME:
	case NETDEV_REGISTER:	/* after a move to another netns too */
		labnic_debugfs_renamed(netdev_priv(dev));
		break;
	default:
		break;
	}
}

static void labnic_follow_mtu(struct labnic *nic)
{
	struct net_device *dev = nic->dev;
	unsigned int mtu = nic->lower->mtu;
	int err;

	dev->max_mtu = mtu;
	if (dev->mtu <= mtu)
		return;
	err = dev_set_mtu(dev, mtu);
	if (err)
		netdev_err(dev, "cannot follow the wire to MTU %u: %d\n", mtu,
			   err);
}

static void labnic_lower_event(struct net_device *lower, unsigned long event)
{
	struct labnic *nic = rtnl_dereference(lower->rx_handler_data);
	LIST_HEAD(head);

	switch (event) {
	case NETDEV_UP:
	case NETDEV_DOWN:
	case NETDEV_CHANGE:
		labnic_wire_sync(nic, true);
		break;
	case NETDEV_CHANGEMTU:
		labnic_follow_mtu(nic);
		break;
	case NETDEV_UNREGISTER:
		/*
		 * A move of the wire to another netns is none of our business,
		 * and a NIC that goes in the same batch is on its way.
		 */
		if (lower->reg_state != NETREG_UNREGISTERING ||
		    nic->dev->reg_state != NETREG_REGISTERED)
			break;
		labnic_dellink(nic->dev, &head);
		unregister_netdevice_many(&head);
		break;
	default:
		break;
	}
}

static int labnic_netdev_event(struct notifier_block *nb, unsigned long event,
			       void *ptr)
{
	struct net_device *dev = netdev_notifier_info_to_dev(ptr);

	if (labnic_is(dev))
		labnic_own_event(dev, event);
	else if (rcu_access_pointer(dev->rx_handler) == labnic_rx)
		labnic_lower_event(dev, event);
	return NOTIFY_DONE;
}

static struct notifier_block labnic_netdev_nb = {
	.notifier_call = labnic_netdev_event,
};

int labnic_link_init(void)
{
	int err;

	err = register_netdevice_notifier(&labnic_netdev_nb);
	if (err)
		return err;
	err = rtnl_link_register(&labnic_link_ops);
	if (err)
		unregister_netdevice_notifier(&labnic_netdev_nb);
	return err;
}

void labnic_link_exit(void)
{
	/* Deletes every device of the kind. */
	rtnl_link_unregister(&labnic_link_ops);
	unregister_netdevice_notifier(&labnic_netdev_nb);
}
