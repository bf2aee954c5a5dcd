// SPDX-License-Identifier: GPL-2.0
/*
 * Who reaches the hardware of which driver. Providers come and go while ports
 * live: a section holds the registry for as long as it uses one, and a
 * provider that wants to go waits for the sections, never for rtnl.
 */
#include <linux/list.h>
#include <linux/rwsem.h>
#include <linux/slab.h>
#include "port.h"
#include "provider_registry.h"

struct rg_provider {
	struct list_head list;
	const struct rg_provider_ops *ops;
};

static DECLARE_RWSEM(rg_providers_sem);
static LIST_HEAD(rg_providers);

/**
 * rg_providers_hold - keep providers from going; nests in rtnl
 */
void rg_providers_hold(void)
{
	down_read(&rg_providers_sem);
}

/**
 * rg_providers_release - undo rg_providers_hold()
 */
void rg_providers_release(void)
{
	up_read(&rg_providers_sem);
}

/**
 * rg_provider_of - the provider for a driver
 * @driver: its name
 *
 * Return: it, usable while the registry is held, or NULL.
 */
const struct rg_provider_ops *rg_provider_of(const char *driver)
{
	struct rg_provider *provider;

	list_for_each_entry(provider, &rg_providers, list)
		if (!strcmp(provider->ops->driver, driver))
			return provider->ops;
	return NULL;
}

/**
 * rg_provider_register - offer a provider
 * @ops: stays valid until rg_provider_unregister()
 *
 * Return: 0, -EEXIST if its driver has one already, or -ENOMEM.
 */
int rg_provider_register(const struct rg_provider_ops *ops)
{
	struct rg_provider *provider;
	int err = 0;

	provider = kzalloc(sizeof(*provider), GFP_KERNEL);
	if (!provider)
		return -ENOMEM;
	provider->ops = ops;
	down_write(&rg_providers_sem);
	if (rg_provider_of(ops->driver))
		err = -EEXIST;
	else
		list_add(&provider->list, &rg_providers);
	up_write(&rg_providers_sem);
	if (err)
		kfree(provider);
	else
		rg_ports_kick(ROCEGUARD_TRIGGER_TOPOLOGY);
	return err;
}
EXPORT_SYMBOL_GPL(rg_provider_register);

/**
 * rg_provider_unregister - take a provider back; waits until it is unused
 * @ops: as registered; not under rtnl
 */
void rg_provider_unregister(const struct rg_provider_ops *ops)
{
	struct rg_provider *provider, *found = NULL;

	down_write(&rg_providers_sem);
	list_for_each_entry(provider, &rg_providers, list)
		if (provider->ops == ops)
			found = provider;
	if (found)
		list_del(&found->list);
	up_write(&rg_providers_sem);
	kfree(found);
	rg_ports_kick(ROCEGUARD_TRIGGER_TOPOLOGY);
}
EXPORT_SYMBOL_GPL(rg_provider_unregister);
