// SPDX-License-Identifier: GPL-2.0
/*
 * /sys/kernel/debug/labnic/function: what the next NIC is on the one card of the
 * host: its uplink (physical), the representor of a PF, VF or SF, or one of these
 * itself (virtual). The card is a devlink with a port for each, made when the
 * first is asked for; "none" ends it once no NIC is on it.
 *
 * Locks: labnic_card_lock, the devlink instance lock, rtnl. As the core wants it,
 * ports are there before their netdevs and longer than these.
 */
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/rtnetlink.h>
#include <linux/seq_file.h>
#include <net/devlink.h>
#include "card.h"
#include "labnic.h"

enum labnic_function {
	LABNIC_PHYSICAL,
	LABNIC_PF,
	LABNIC_VF,
	LABNIC_SF,
	LABNIC_VIRTUAL,
	LABNIC_FUNCTIONS,
	LABNIC_NO_FUNCTION = LABNIC_FUNCTIONS
};

static const char * const labnic_function_names[] = {
	[LABNIC_PHYSICAL] = "physical",
	[LABNIC_PF] = "pf",
	[LABNIC_VF] = "vf",
	[LABNIC_SF] = "sf",
	[LABNIC_VIRTUAL] = "virtual",
	[LABNIC_NO_FUNCTION] = "none",
};

struct labnic_card {
	struct devlink_port port[LABNIC_FUNCTIONS];
};

static const struct devlink_ops labnic_devlink_ops;

static DEFINE_MUTEX(labnic_card_lock);	/* covers these two */
static struct platform_device *labnic_card_device;
static struct devlink *labnic_devlink;

/* Both under rtnl: of the next NIC, and a mask of those that there are. */
static enum labnic_function labnic_next_function = LABNIC_NO_FUNCTION;
static unsigned long labnic_functions_taken;

static void labnic_card_flavours(struct labnic_card *card)
{
	struct devlink_port_attrs uplink = {
		.flavour = DEVLINK_PORT_FLAVOUR_PHYSICAL,
	};
	struct devlink_port_attrs guest = {
		.flavour = DEVLINK_PORT_FLAVOUR_VIRTUAL,
	};

	devlink_port_attrs_set(&card->port[LABNIC_PHYSICAL], &uplink);
	devlink_port_attrs_pci_pf_set(&card->port[LABNIC_PF], 0, 0, false);
	devlink_port_attrs_pci_vf_set(&card->port[LABNIC_VF], 0, 0, 0, false);
	devlink_port_attrs_pci_sf_set(&card->port[LABNIC_SF], 0, 0, 0, false);
	devlink_port_attrs_set(&card->port[LABNIC_VIRTUAL], &guest);
}

static void labnic_card_unplug(struct labnic_card *card, unsigned int ports)
{
	while (ports--)
		devlink_port_unregister(&card->port[ports]);
}

static int labnic_card_plug(struct devlink *devlink)
{
	struct labnic_card *card = devlink_priv(devlink);
	unsigned int i;
	int err;

	labnic_card_flavours(card);
	for (i = 0; i < LABNIC_FUNCTIONS; i++) {
		err = devlink_port_register(devlink, &card->port[i], i);
		if (err) {
			labnic_card_unplug(card, i);
			return err;
		}
	}
	devlink_register(devlink);
	return 0;
}

static int labnic_card_make(void)
{
	struct platform_device *pdev;
	struct devlink *devlink;
	int err;

	if (labnic_devlink)
		return 0;
	pdev = platform_device_register_simple(LABNIC_KIND, PLATFORM_DEVID_NONE,
					       NULL, 0);
	if (IS_ERR(pdev))
		return PTR_ERR(pdev);
	devlink = devlink_alloc(&labnic_devlink_ops, sizeof(struct labnic_card),
				&pdev->dev);
	if (!devlink) {
		err = -ENOMEM;
		goto err_device;
	}
	err = labnic_card_plug(devlink);
	if (err)
		goto err_devlink;
	labnic_card_device = pdev;
	labnic_devlink = devlink;
	return 0;

err_devlink:
	devlink_free(devlink);
err_device:
	platform_device_unregister(pdev);
	return err;
}

/**
 * labnic_card_exit - the card goes, if there is one
 *
 * No NIC is on it, and none will be.
 */
void labnic_card_exit(void)
{
	if (!labnic_devlink)
		return;
	devlink_unregister(labnic_devlink);
	labnic_card_unplug(devlink_priv(labnic_devlink), LABNIC_FUNCTIONS);
	devlink_free(labnic_devlink);
	labnic_devlink = NULL;
	platform_device_unregister(labnic_card_device);
}

static int labnic_function_choose(enum labnic_function function)
{
	bool unused;
	int err;

	if (function != LABNIC_NO_FUNCTION) {
		err = labnic_card_make();
		if (err)
			return err;
	}
	rtnl_lock();
	labnic_next_function = function;
	unused = function == LABNIC_NO_FUNCTION && !labnic_functions_taken;
	rtnl_unlock();
	if (unused)
		labnic_card_exit();
	return 0;
}

static ssize_t labnic_function_write(struct file *file, const char __user *buf,
				     size_t len, loff_t *pos)
{
	int function, err;
	char word[16];

	err = labnic_line_get(word, sizeof(word), buf, len);
	if (err)
		return err;
	function = __sysfs_match_string(labnic_function_names,
					ARRAY_SIZE(labnic_function_names), word);
	if (function < 0)
		return function;
	mutex_lock(&labnic_card_lock);
	err = labnic_function_choose(function);
	mutex_unlock(&labnic_card_lock);
	return err ?: len;
}

static int labnic_function_show(struct seq_file *s, void *unused)
{
	seq_printf(s, "%s\n",
		   labnic_function_names[READ_ONCE(labnic_next_function)]);
	return 0;
}

LABNIC_DEFINE_OPEN(labnic_function)

const struct file_operations labnic_function_fops =
	LABNIC_FILE_OPS(labnic_function);

/**
 * labnic_card_seat - give a NIC its place on the card, if it is to have one
 * @dev: the netdev, not yet registered
 * @extack: gets the reason
 *
 * Return: 0, -EBUSY if another one has it.
 */
int labnic_card_seat(struct net_device *dev, struct netlink_ext_ack *extack)
{
	struct labnic_card *card;

	if (labnic_next_function == LABNIC_NO_FUNCTION)
		return 0;
	if (labnic_functions_taken & BIT(labnic_next_function)) {
		NL_SET_ERR_MSG(extack,
			       "the card has this function already: write another one, or none, to /sys/kernel/debug/labnic/function");
		return -EBUSY;
	}
	card = devlink_priv(labnic_devlink);
	SET_NETDEV_DEVLINK_PORT(dev, &card->port[labnic_next_function]);
	return 0;
}

/**
 * labnic_card_take - a NIC takes its place; labnic_card_leave() has to follow
 * @dev: being registered
 */
void labnic_card_take(struct net_device *dev)
{
	if (dev->devlink_port)
		labnic_functions_taken |= BIT(dev->devlink_port->index);
}

/**
 * labnic_card_leave - a NIC leaves its place
 * @dev: no longer known to the devlink core
 */
void labnic_card_leave(struct net_device *dev)
{
	if (dev->devlink_port)
		labnic_functions_taken &= ~BIT(dev->devlink_port->index);
}
