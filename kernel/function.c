// SPDX-License-Identifier: GPL-2.0
/*
 * PF, VF, SF, representor: whose QoS is it? What a driver offers there is no
 * answer: some let a VF or a representor set DCB that has no effect, or that has
 * one on all who share the port.
 */
#include <linux/pci.h>
#include "compat/devlink_port.h"
#include "function.h"
#include "logic/function.h"
#include "port.h"

static struct pci_dev *rg_pci_of(const struct net_device *dev)
{
	struct device *parent = dev->dev.parent;

	/* An SF stands on an auxiliary device of its PF. */
	while (parent && !dev_is_pci(parent))
		parent = parent->parent;
	return parent ? to_pci_dev(parent) : NULL;
}

static enum rg_function rg_function_of(struct net_device *dev)
{
	const struct devlink_port *port = rg_devlink_port(dev);
	const struct pci_dev *pdev = rg_pci_of(dev);

	return rg_function_judge(pdev && pdev->is_virtfn,
				 port && port->attrs_set ? port->attrs.flavour :
							   RG_FLAVOUR_NONE);
}

/**
 * rg_function_is_foreign - does the QoS of a netdev's port belong to another?
 * @dev: under rtnl, present
 *
 * Return: true for a VF, an SF or a representor of one.
 */
bool rg_function_is_foreign(struct net_device *dev)
{
	return rg_function_of(dev) != RG_FUNCTION_OWN;
}

/* On the same switch, or, if there is none, on the function that @dev is part of. */
static bool rg_is_owner(struct net_device *owner, struct net_device *dev)
{
	const struct devlink_port *its = rg_devlink_port(owner);
	const struct devlink_port *own = rg_devlink_port(dev);
	struct pci_dev *pdev = rg_pci_of(dev);

	if (rg_function_of(owner) != RG_FUNCTION_OWN)
		return false;
	if (its && own && its->devlink == own->devlink)
		return true;
	return pdev && rg_pci_of(owner) == pci_physfn(pdev);
}

/* An owner is a physical netdev, and so always a port. */
static struct net_device *rg_owner_of(struct net_device *dev)
{
	struct net_device *owner = NULL;
	struct rg_port *port;

	rg_for_each_port(port, NULL)
		if (!owner && port->dev && rg_is_owner(port->dev, dev))
			owner = port->dev;
	return owner;
}

static const char *rg_function_word(struct net_device *dev)
{
	return rg_function_of(dev) == RG_FUNCTION_GUEST ? "a VF or SF" :
							  "a representor";
}

/**
 * rg_function_blame - say whose QoS it is
 * @section: of a foreign function; gets the reason
 */
void rg_function_blame(struct rg_section *section)
{
	const struct net_device *owner = rg_owner_of(section->dev);
	const char *what = rg_function_word(section->dev);

	if (owner)
		rg_because(section, "this is %s: QoS belongs to the PF %s; set it there",
			   what, owner->name);
	else
		rg_because(section, "this is %s: QoS belongs to its PF, which has no netdev on this host; set it there",
			   what);
}
