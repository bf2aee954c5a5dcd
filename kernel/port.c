// SPDX-License-Identifier: GPL-2.0
#include <linux/etherdevice.h>
#include <linux/hashtable.h>
#include <linux/if_arp.h>
#include <linux/if_bridge.h>
#include <linux/if_macvlan.h>
#include <linux/if_team.h>
#include <linux/if_vlan.h>
#include <linux/pci.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <linux/xarray.h>
#include <net/net_namespace.h>
#include <net/rtnetlink.h>
#include "bond.h"
#include "consent.h"
#include "counters/counters.h"
#include "counters/watchdog.h"
#include "enforce.h"
#include "log.h"
#include "ofed_sysfs.h"
#include "policy.h"
#include "port.h"
#include "sysfs.h"

struct workqueue_struct *rg_wq;

/* More at once would wait for rtnl, each with a thread and its stack. */
#define RG_PASSES_AT_ONCE	32

/* Ports by id, by netdev and by ifindex; all change under rg_ports_lock. */
static DEFINE_XARRAY_ALLOC1(rg_ports);
static DEFINE_HASHTABLE(rg_ports_by_dev, 8);
static DEFINE_HASHTABLE(rg_ports_by_ifindex, 8);
static DEFINE_SPINLOCK(rg_ports_lock);
static u32 rg_port_next_id;
static unsigned int rg_ports_changes;

static void rg_ports_scan(struct work_struct *work);
static DECLARE_WORK(rg_ports_scan_work, rg_ports_scan);

/**
 * struct rg_port_room - what every port takes
 * @port: the port
 * @watch: its watchdog: both fit into one page, and apart they would not
 */
struct rg_port_room {
	struct rg_port port;
	struct rg_watch watch;
};

static void rg_port_free(struct kref *ref)
{
	struct rg_port *port = container_of(ref, struct rg_port, ref);
	int i;

	for (i = 0; i < RG_KNOBS; i++)
		kfree(port->report[i]);
	rg_watchdog_free(port);
	rg_counters_free(port);
	kfree(port->texts);
	kfree(port->before);
	kfree(container_of(port, struct rg_port_room, port));
}

/**
 * rg_port_put - drop a reference
 * @port: may be NULL
 */
void rg_port_put(struct rg_port *port)
{
	if (port)
		kref_put(&port->ref, rg_port_free);
}

/**
 * rg_port_driver - name of the driver of a netdev
 * @dev: under rtnl
 * @driver: filled in; "" if it has none
 * @size: of @driver
 */
void rg_port_driver(const struct net_device *dev, char *driver, size_t size)
{
	const struct device *parent = dev->dev.parent;
	const char *name = "";

	if (dev->rtnl_link_ops)
		name = dev->rtnl_link_ops->kind;
	else if (parent && parent->driver)
		name = parent->driver->name;
	strscpy(driver, name, size);
}

/**
 * rg_port_pci - PCI address of a netdev
 * @dev: under rtnl
 * @pci: filled in; "" if it has none
 * @size: of @pci
 *
 * A subfunction, or a NIC of a virtual machine, is on a bus of its own that is
 * on the PCI function.
 */
void rg_port_pci(const struct net_device *dev, char *pci, size_t size)
{
	const struct device *parent = dev->dev.parent;

	while (parent && !dev_is_pci(parent))
		parent = parent->parent;
	strscpy(pci, parent ? dev_name(parent) : "", size);
}

static bool rg_dev_is_stacked(const struct net_device *dev)
{
	return is_vlan_dev(dev) || netif_is_bond_master(dev) ||
	       netif_is_team_master(dev) || netif_is_bridge_master(dev) ||
	       netif_is_macvlan(dev) || !list_empty(&dev->adj_list.lower);
}

static bool rg_dev_has_policy(struct net_device *dev, const char *driver)
{
	char pci[RG_PCI_MAX];
	struct rg_candidate candidate = {
		.ifname = dev->name,
		.bond	= rg_bond_name(dev),
		.driver = driver,
		.rdma	= rg_habits_of(driver)->roce,
		.pci	= pci,
		.early	= true,
	};
	struct rg_policy *policy;
	u32 generation;

	rg_port_pci(dev, pci, sizeof(pci));
	policy = rg_policy_find(&candidate, NULL, &generation);
	rg_policy_put(policy);
	return policy;
}

static bool rg_dev_is_port(struct net_device *dev)
{
	char driver[RG_DRIVER_MAX];

	if (dev->type != ARPHRD_ETHER || dev->flags & IFF_LOOPBACK ||
	    rg_dev_is_stacked(dev))
		return false;
	if (dev->dcbnl_ops)
		return true;
	rg_port_driver(dev, driver, sizeof(driver));
	/* Physical: its driver may bring dcbnl_ops after register (i40e). */
	if (dev->dev.parent && !dev->rtnl_link_ops)
		return true;
	return rg_dev_has_policy(dev, driver);
}

/**
 * rg_port_of - the port of a netdev
 * @dev: the netdev, alive
 *
 * Return: it, with a reference, or NULL.
 */
struct rg_port *rg_port_of(const struct net_device *dev)
{
	struct rg_port *port, *found = NULL;
	unsigned long flags;

	spin_lock_irqsave(&rg_ports_lock, flags);
	hash_for_each_possible(rg_ports_by_dev, port, node, (unsigned long)dev) {
		if (port->key == dev) {
			kref_get(&port->ref);
			found = port;
			break;
		}
	}
	spin_unlock_irqrestore(&rg_ports_lock, flags);
	return found;
}

static int rg_port_publish(struct rg_port *port)
{
	unsigned long flags;
	int err;

	/* An id of its own first, for which memory may have to be found. */
	err = xa_alloc_cyclic(&rg_ports, &port->id, NULL, xa_limit_31b,
			      &rg_port_next_id, GFP_KERNEL);
	if (err < 0)
		return err;
	kref_get(&port->ref);
	spin_lock_irqsave(&rg_ports_lock, flags);
	hash_add(rg_ports_by_dev, &port->node, (unsigned long)port->key);
	hash_add(rg_ports_by_ifindex, &port->ifindex_node, port->ifindex);
	rg_ports_changes++;
	spin_unlock_irqrestore(&rg_ports_lock, flags);
	xa_store(&rg_ports, port->id, port, GFP_KERNEL);
	return 0;
}

static struct rg_port *rg_port_unpublish(const struct net_device *dev)
{
	struct rg_port *port = rg_port_of(dev);
	unsigned long flags;

	if (!port)
		return NULL;
	spin_lock_irqsave(&rg_ports_lock, flags);
	hash_del(&port->node);
	hash_del(&port->ifindex_node);
	rg_ports_changes++;
	spin_unlock_irqrestore(&rg_ports_lock, flags);
	xa_erase(&rg_ports, port->id);
	rg_port_put(port);
	return port;
}

static int rg_net_id(struct net *net)
{
	if (net_eq(net, &init_net))
		return -1;
	return peernet2id_alloc(&init_net, net, GFP_KERNEL);
}

static struct rg_port *rg_port_alloc(struct net_device *dev)
{
	struct rg_port_room *room = kzalloc(sizeof(*room), GFP_KERNEL);
	struct rg_port *port;

	if (!room)
		return NULL;
	port = &room->port;
	rg_watchdog_birth(port, &room->watch);
	kref_init(&port->ref);
	spin_lock_init(&port->lock);
	INIT_DELAYED_WORK(&port->work, rg_enforce);
	port->ifindex = dev->ifindex;
	port->net = dev_net(dev);
	port->nsid = rg_net_id(dev_net(dev));
	port->key = dev;
	port->dev = dev;
	strscpy(port->status.name, dev->name, sizeof(port->status.name));
	rg_port_driver(dev, port->status.driver, sizeof(port->status.driver));
	rg_port_pci(dev, port->status.pci, sizeof(port->status.pci));
	return port;
}

/**
 * rg_port_birth - make a port of a netdev, if it is one
 * @dev: the netdev, under rtnl
 *
 * Return: the port, new or known, with a reference, or NULL.
 */
struct rg_port *rg_port_birth(struct net_device *dev)
{
	struct rg_port *port = rg_port_of(dev);

	ASSERT_RTNL();
	if (port || !rg_dev_is_port(dev))
		return port;
	port = rg_port_alloc(dev);
	if (!port || rg_port_publish(port)) {
		rg_warn("%s: out of memory, it stays without a policy\n",
			dev->name);
		rg_port_put(port);
		return NULL;
	}
	rg_sysfs_add(port);
	return port;
}

/**
 * rg_port_death - a netdev goes, or turns out to be no port
 * @dev: the netdev, under rtnl; may have gone before
 */
void rg_port_death(struct net_device *dev)
{
	struct rg_port *port = rg_port_unpublish(dev);
	unsigned long flags;

	ASSERT_RTNL();
	if (!port)
		return;
	rg_ofed_sysfs_del(port);
	rg_sysfs_del(port);
	port->dev = NULL;

	spin_lock_irqsave(&port->lock, flags);
	port->dead = true;
	spin_unlock_irqrestore(&port->lock, flags);
	/* A pass under way wants rtnl: it is not waited for, it finds no dev. */
	if (cancel_delayed_work(&port->work))
		rg_port_put(port);
	rg_watchdog_death(port);
	rg_counters_death(port);
	rg_consent_forget(port);
	rg_port_put(port);
}

/**
 * rg_port_renamed - take over the new name of a netdev
 * @dev: the netdev, under rtnl
 */
void rg_port_renamed(struct net_device *dev)
{
	struct rg_port *port = rg_port_of(dev);
	unsigned long flags;

	if (!port)
		return;
	spin_lock_irqsave(&port->lock, flags);
	strscpy(port->status.name, dev->name, sizeof(port->status.name));
	/* Those under way carry the old name and will not find the port. */
	port->echo = 0;
	spin_unlock_irqrestore(&port->lock, flags);
	rg_port_put(port);
}

/*
 * What is on top of a netdev goes on its NETDEV_UNREGISTER, maybe after our
 * port did: that change must not give it a port that nobody would end.
 */
static bool rg_dev_is_listed(const struct net_device *dev)
{
	return __dev_get_by_index(dev_net(dev), dev->ifindex) == dev;
}

/**
 * rg_port_judge - a netdev changed: is it a port, or no longer?
 * @dev: the netdev, under rtnl
 */
void rg_port_judge(struct net_device *dev)
{
	struct rg_port *port;

	if (rg_dev_is_stacked(dev)) {
		rg_port_death(dev);
		return;
	}
	if (!rg_dev_is_listed(dev))
		return;
	port = rg_port_birth(dev);
	if (!port)
		return;
	rg_port_kick(port, ROCEGUARD_TRIGGER_TOPOLOGY);
	rg_port_put(port);
}

/* The queued work owns a reference; this is the only place that queues. */
static void rg_port_queue(struct rg_port *port, unsigned long delay, bool sooner)
{
	bool queued;

	lockdep_assert_held(&port->lock);
	if (port->dead)
		return;
	kref_get(&port->ref);
	if (sooner)
		queued = !mod_delayed_work(rg_wq, &port->work, delay);
	else
		queued = queue_delayed_work(rg_wq, &port->work, delay);
	/* It was queued already, with a reference: never the last one. */
	if (!queued)
		rg_port_put(port);
}

/**
 * rg_port_kick - have a port looked at; any context
 * @port: which
 * @trigger: why
 */
void rg_port_kick(struct rg_port *port, enum roceguard_trigger trigger)
{
	unsigned long flags;

	spin_lock_irqsave(&port->lock, flags);
	port->kicked |= BIT(trigger);
	rg_port_queue(port, 0, true);
	spin_unlock_irqrestore(&port->lock, flags);
}

/**
 * rg_port_apply - have a port looked at, for the operator says so
 * @port: which
 * @now: drop the link, if that is what it takes
 *
 * Return: the ticket, to be looked for in the port's @served.
 */
u32 rg_port_apply(struct rg_port *port, bool now)
{
	unsigned long flags;
	u32 ticket;

	spin_lock_irqsave(&port->lock, flags);
	port->kicked |= BIT(ROCEGUARD_TRIGGER_USER);
	port->now |= now;
	ticket = ++port->ticket;
	rg_port_queue(port, 0, true);
	spin_unlock_irqrestore(&port->lock, flags);
	return ticket;
}

static u32 rg_port_ask_back(struct rg_port *port, const char *policy)
{
	unsigned long flags;
	u32 ticket = 0;

	spin_lock_irqsave(&port->lock, flags);
	if (!policy || !strcmp(port->status.writer, policy)) {
		port->kicked |= BIT(ROCEGUARD_TRIGGER_USER);
		port->restore = true;
		ticket = ++port->ticket;
		rg_port_queue(port, 0, true);
	}
	spin_unlock_irqrestore(&port->lock, flags);
	return ticket;
}

/**
 * rg_port_put_back - have what a port had before us put back
 * @port: which
 */
void rg_port_put_back(struct rg_port *port)
{
	rg_port_ask_back(port, NULL);
}

/**
 * rg_port_restore - have it put back, for the operator says so
 * @port: which; its overlay goes
 *
 * Return: the ticket, to be looked for in the port's @served.
 */
u32 rg_port_restore(struct rg_port *port)
{
	unsigned long flags;

	spin_lock_irqsave(&port->lock, flags);
	rg_overlay_init(&port->status.overlay);
	spin_unlock_irqrestore(&port->lock, flags);
	return rg_port_ask_back(port, NULL);
}

/**
 * rg_port_again - have a port looked at later, unless it is sooner anyway
 * @port: which
 * @delay_ms: from now
 */
void rg_port_again(struct rg_port *port, unsigned long delay_ms)
{
	unsigned long flags;

	spin_lock_irqsave(&port->lock, flags);
	rg_port_queue(port, msecs_to_jiffies(delay_ms), false);
	spin_unlock_irqrestore(&port->lock, flags);
}

/**
 * rg_port_kick_dev - have the port of a netdev looked at, if it is one
 * @dev: the netdev, alive
 * @trigger: why
 */
void rg_port_kick_dev(const struct net_device *dev,
		      enum roceguard_trigger trigger)
{
	struct rg_port *port = rg_port_of(dev);

	if (!port)
		return;
	rg_port_kick(port, trigger);
	rg_port_put(port);
}

/**
 * rg_port_visible - may a netns see a port?
 * @port: the port
 * @net: the netns
 *
 * Return: true if it is its own, or @net is the initial one.
 */
bool rg_port_visible(const struct rg_port *port, const struct net *net)
{
	return net_eq(net, &init_net) || net_eq(net, port->net);
}

/**
 * rg_port_get_after - the next port in the order of ids
 * @id: after this one; 0: the first
 * @net: only those that it may see; NULL: all
 *
 * Return: it, with a reference, or NULL.
 */
struct rg_port *rg_port_get_after(u32 id, const struct net *net)
{
	unsigned long index = id;
	struct rg_port *port;

	xa_lock(&rg_ports);
	do {
		port = xa_find_after(&rg_ports, &index, ULONG_MAX, XA_PRESENT);
	} while (port && net && !rg_port_visible(port, net));
	if (port)
		kref_get(&port->ref);
	xa_unlock(&rg_ports);
	return port;
}

/**
 * rg_port_by_id - look a port up
 * @id: of it
 *
 * Return: it, with a reference, or NULL.
 */
struct rg_port *rg_port_by_id(u32 id)
{
	struct rg_port *port;

	xa_lock(&rg_ports);
	port = xa_load(&rg_ports, id);
	if (port)
		kref_get(&port->ref);
	xa_unlock(&rg_ports);
	return port;
}

/**
 * rg_port_step - the next port, in place of this one
 * @port: its reference is dropped
 * @net: only those that it may see; NULL: all
 *
 * Return: it, with a reference, or NULL.
 */
struct rg_port *rg_port_step(struct rg_port *port, const struct net *net)
{
	u32 id = port->id;

	rg_port_put(port);
	return rg_port_get_after(id, net);
}

/**
 * rg_port_name - what a port is called now
 * @port: the port
 * @name: of IFNAMSIZ bytes, filled in
 *
 * Return: @name.
 */
const char *rg_port_name(struct rg_port *port, char *name)
{
	unsigned long flags;

	spin_lock_irqsave(&port->lock, flags);
	strscpy(name, port->status.name, IFNAMSIZ);
	spin_unlock_irqrestore(&port->lock, flags);
	return name;
}

/**
 * rg_port_find - look a port up in a netns
 * @net: the netns
 * @ifindex: its interface index, if @name is NULL
 * @name: its name, or NULL
 *
 * Return: it, with a reference, or NULL.
 */
struct rg_port *rg_port_find(struct net *net, int ifindex, const char *name)
{
	struct rg_port *port = NULL;
	struct net_device *dev;

	rcu_read_lock();
	dev = name ? dev_get_by_name_rcu(net, name) :
		     dev_get_by_index_rcu(net, ifindex);
	if (dev)
		port = rg_port_of(dev);
	rcu_read_unlock();
	return port;
}

/**
 * rg_port_has_twin - does a DCB device of another netns have this ifindex?
 * @dev: the netdev, under rtnl
 *
 * The kernel's APP table knows devices by ifindex alone (dcb_app_lookup).
 *
 * Return: true if their entries would mix.
 */
bool rg_port_has_twin(const struct net_device *dev)
{
	struct rg_port *port;
	unsigned long flags;
	bool twin = false;

	ASSERT_RTNL();
	spin_lock_irqsave(&rg_ports_lock, flags);
	hash_for_each_possible(rg_ports_by_ifindex, port, ifindex_node,
			       dev->ifindex)
		twin |= port->ifindex == dev->ifindex && port->dev &&
			port->dev != dev && port->dev->dcbnl_ops;
	spin_unlock_irqrestore(&rg_ports_lock, flags);
	return twin;
}

/**
 * rg_ports_restore - have what ports had before a policy put back
 * @policy: its name; it has just gone
 */
void rg_ports_restore(const char *policy)
{
	struct rg_port *port;

	rg_for_each_port(port, NULL)
		rg_port_ask_back(port, policy);
}

/**
 * rg_ports_kick - have every port looked at
 * @trigger: why
 */
void rg_ports_kick(enum roceguard_trigger trigger)
{
	rg_ports_kick_net(NULL, trigger);
}

/**
 * rg_ports_kick_net - have every port of a netns looked at
 * @net: the netns; NULL: all
 * @trigger: why
 */
void rg_ports_kick_net(const struct net *net, enum roceguard_trigger trigger)
{
	struct rg_port *port;

	rg_for_each_port(port, NULL)
		if (!net || net_eq(port->net, net))
			rg_port_kick(port, trigger);
}

/**
 * rg_ports_count - how many ports a netns may see
 * @net: the netns
 *
 * Return: their number.
 */
unsigned int rg_ports_count(const struct net *net)
{
	struct rg_port *port;
	unsigned int n = 0;

	rg_for_each_port(port, net)
		n++;
	return n;
}

/**
 * rg_ports_governed - how many ports a policy rules
 * @policy: its name
 *
 * Return: their number, as of the last pass over each.
 */
unsigned int rg_ports_governed(const char *policy)
{
	struct rg_port *port;
	unsigned int n = 0;
	unsigned long flags;

	rg_for_each_port(port, NULL) {
		spin_lock_irqsave(&port->lock, flags);
		n += !strcmp(port->status.policy, policy);
		spin_unlock_irqrestore(&port->lock, flags);
	}
	return n;
}

/**
 * rg_ports_seq - changes whenever a port came or went
 *
 * Return: a number for dumps to compare.
 */
unsigned int rg_ports_seq(void)
{
	return READ_ONCE(rg_ports_changes);
}

static void rg_ports_scan(struct work_struct *work)
{
	struct net_device *dev;
	struct rg_port *port;
	struct net *net;

	rtnl_lock();
	down_read(&net_rwsem);
	for_each_net(net) {
		for_each_netdev(net, dev) {
			port = rg_port_birth(dev);
			if (!port)
				continue;
			rg_port_kick(port, ROCEGUARD_TRIGGER_POLICY);
			rg_port_put(port);
		}
	}
	up_read(&net_rwsem);
	rtnl_unlock();
}

/**
 * rg_ports_rescan - policies changed: look for netdevs that became ports
 *
 * Does not wait; known ports are kicked, too.
 */
void rg_ports_rescan(void)
{
	rg_ports_kick(ROCEGUARD_TRIGGER_POLICY);
	queue_work(rg_wq, &rg_ports_scan_work);
}

/**
 * rg_ports_rescan_exit - no rescan is under way any more, nor begins
 *
 * To be called while the netdev notifier still lets ports die, and not under
 * rtnl: a rescan that came later would make ports that nothing removes.
 */
void rg_ports_rescan_exit(void)
{
	cancel_work_sync(&rg_ports_scan_work);
}

/**
 * rg_ports_init - make the queue that passes run on
 *
 * Unbound and urgent, for a port that is up must not wait for its policy; one
 * that hangs in firmware holds up no other.
 *
 * Return: 0 or -ENOMEM.
 */
int rg_ports_init(void)
{
	rg_wq = alloc_workqueue("roceguard", WQ_UNBOUND | WQ_HIGHPRI,
				RG_PASSES_AT_ONCE);
	return rg_wq ? 0 : -ENOMEM;
}

/**
 * rg_ports_exit - wait for passes under way
 *
 * All ports are dead by now, so that none queues itself again.
 */
void rg_ports_exit(void)
{
	destroy_workqueue(rg_wq);
	xa_destroy(&rg_ports);
}
