// SPDX-License-Identifier: GPL-2.0
/*
 * roceguard_rdma.ko: tells the core which RDMA device is on top of a port, and
 * what its statistics are. The only user of ib_core symbols, so that an RDMA stack that is replaced, or
 * must unload, takes this module along and never the core.
 */
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <rdma/ib_verbs.h>
#include "../compat/ib_netdev.h"
#include "devices.h"

static DEFINE_MUTEX(rg_rdma_mutex);
static LIST_HEAD(rg_rdma_devices);

static struct rg_rdma_device *rg_rdma_known(const struct ib_device *ibdev)
{
	struct rg_rdma_device *device;

	list_for_each_entry(device, &rg_rdma_devices, list)
		if (device->ibdev == ibdev)
			return device;
	return NULL;
}

static bool rg_rdma_port_of(struct ib_device *ibdev, struct net_device *dev,
			    u32 *port)
{
	u32 i;

	rdma_for_each_port(ibdev, i) {
		if (rg_ib_port_is(ibdev, i, dev)) {
			*port = i;
			return true;
		}
	}
	return false;
}

static bool rg_rdma_find_port(struct net_device *dev,
			      struct rg_rdma_port *port)
{
	struct ib_device *ibdev;
	bool found = false;

	ibdev = ib_device_get_by_netdev(dev, RDMA_DRIVER_UNKNOWN);
	if (!ibdev)
		return false;
	mutex_lock(&rg_rdma_mutex);
	if (rg_rdma_known(ibdev) && rg_rdma_port_of(ibdev, dev, &port->port)) {
		strscpy(port->device, dev_name(&ibdev->dev),
			sizeof(port->device));
		found = true;
	}
	mutex_unlock(&rg_rdma_mutex);
	ib_device_put(ibdev);
	return found;
}

static void rg_rdma_device_free(struct kref *ref)
{
	kfree(container_of(ref, struct rg_rdma_device, ref));
}

/**
 * rg_rdma_pin - look a device up
 * @name: of the device
 *
 * Return: it, for rg_rdma_unpin(), or NULL.
 */
struct rg_rdma_device *rg_rdma_pin(const char *name)
{
	struct rg_rdma_device *device, *found = NULL;

	mutex_lock(&rg_rdma_mutex);
	list_for_each_entry(device, &rg_rdma_devices, list) {
		if (strcmp(device->name, name))
			continue;
		kref_get(&device->ref);
		found = device;
		break;
	}
	mutex_unlock(&rg_rdma_mutex);
	return found;
}

/**
 * rg_rdma_unpin - undo rg_rdma_pin()
 * @device: the device
 */
void rg_rdma_unpin(struct rg_rdma_device *device)
{
	kref_put(&device->ref, rg_rdma_device_free);
}

static const struct rg_rdma_ops rg_rdma_lookups = {
	.find = rg_rdma_find_port,
	.read = rg_rdma_read_port,
};

/* ib_core ignores an error of ours: nothing may be left behind with it. */
static int rg_rdma_add(struct ib_device *ibdev)
{
	struct rg_rdma_device *device;

	device = kzalloc(sizeof(*device), GFP_KERNEL);
	if (!device)
		return -ENOMEM;
	device->ibdev = ibdev;
	strscpy(device->name, dev_name(&ibdev->dev), sizeof(device->name));
	kref_init(&device->ref);
	mutex_init(&device->mutex);
	INIT_LIST_HEAD(&device->stats);
	mutex_lock(&rg_rdma_mutex);
	list_add(&device->list, &rg_rdma_devices);
	mutex_unlock(&rg_rdma_mutex);
	rg_rdma_changed(NULL);
	return 0;
}

static void rg_rdma_remove(struct ib_device *ibdev, void *client_data)
{
	struct rg_rdma_device *device;

	mutex_lock(&rg_rdma_mutex);
	device = rg_rdma_known(ibdev);
	if (device)
		list_del(&device->list);
	mutex_unlock(&rg_rdma_mutex);
	if (device) {
		rg_rdma_stats_free(device);
		rg_rdma_unpin(device);
	}
	rg_rdma_changed(NULL);
}

static void rg_rdma_rename(struct ib_device *ibdev, void *client_data)
{
	struct rg_rdma_device *device;

	mutex_lock(&rg_rdma_mutex);
	device = rg_rdma_known(ibdev);
	if (device)
		strscpy(device->name, dev_name(&ibdev->dev),
			sizeof(device->name));
	mutex_unlock(&rg_rdma_mutex);
	rg_rdma_changed(NULL);
}

static struct ib_client rg_rdma_client = {
	.name		= "roceguard",
	.add		= rg_rdma_add,
	.remove		= rg_rdma_remove,
	.rename		= rg_rdma_rename,
	.no_kverbs_req	= 1,
};

static int __init rg_rdma_init(void)
{
	int err = ib_register_client(&rg_rdma_client);

	if (!err)
		rg_rdma_register(&rg_rdma_lookups);
	return err;
}

static void __exit rg_rdma_exit(void)
{
	rg_rdma_unregister();
	ib_unregister_client(&rg_rdma_client);
}

module_init(rg_rdma_init);
module_exit(rg_rdma_exit);

MODULE_DESCRIPTION("roceguard: RDMA devices on top of ports");
MODULE_AUTHOR("The roceguard developers");
MODULE_LICENSE("GPL");
MODULE_VERSION(RG_VERSION);
