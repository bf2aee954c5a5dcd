// SPDX-License-Identifier: GPL-2.0
/*
 * What happens to netdevs. The notifier runs under rtnl and, for some devices
 * and events, under the instance lock that their own DCB operations take: it
 * marks and queues, and never calls a driver.
 */
#include <linux/netdevice.h>
#include <linux/notifier.h>
#include "bond.h"
#include "events.h"
#include "port.h"

static void rg_event_register(struct net_device *dev)
{
	struct rg_port *port = rg_port_birth(dev);

	if (!port)
		return;
	rg_port_kick(port, ROCEGUARD_TRIGGER_REGISTER);
	rg_port_put(port);
}

static int rg_netdev_event(struct notifier_block *nb, unsigned long event,
			   void *ptr)
{
	struct net_device *dev = netdev_notifier_info_to_dev(ptr);

	switch (event) {
	case NETDEV_REGISTER:
		rg_event_register(dev);
		break;
	case NETDEV_UNREGISTER:
		rg_port_death(dev);
		break;
	case NETDEV_UP:
		rg_port_kick_dev(dev, ROCEGUARD_TRIGGER_UP);
		break;
	case NETDEV_CHANGE:
		rg_port_kick_dev(dev, ROCEGUARD_TRIGGER_CARRIER);
		rg_bond_kick_waiting(dev);
		break;
	case NETDEV_CHANGENAME:
		rg_port_renamed(dev);
		rg_port_kick_dev(dev, ROCEGUARD_TRIGGER_RENAME);
		rg_bond_kick_legs(dev, ROCEGUARD_TRIGGER_RENAME);
		break;
	case NETDEV_CHANGELOWERSTATE:
		/* Of a leg: what its bond makes of its carrier. */
		rg_bond_kick_waiting(dev);
		break;
	case NETDEV_CHANGEMTU:	/* some write their buffers anew for it */
		rg_port_kick_dev(dev, ROCEGUARD_TRIGGER_TOPOLOGY);
		break;
	case NETDEV_CHANGEUPPER:
		rg_port_judge(dev);
		break;
	default:
		break;
	}
	return NOTIFY_DONE;
}

/*
 * Before the many that wait for rtnl to follow a link: who is first in the queue
 * has it first, and frames may be sent any moment.
 */
static struct notifier_block rg_netdev_notifier = {
	.notifier_call = rg_netdev_event,
	.priority      = 1,
};

/**
 * rg_events_init - begin to listen; tells of the netdevs there are
 *
 * Return: 0 or a negative errno.
 */
int rg_events_init(void)
{
	return register_netdevice_notifier(&rg_netdev_notifier);
}

/**
 * rg_events_exit - stop listening; every port dies
 */
void rg_events_exit(void)
{
	unregister_netdevice_notifier(&rg_netdev_notifier);
}
