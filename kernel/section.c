// SPDX-License-Identifier: GPL-2.0
/*
 * One knob of one port, under a hold of rtnl of its own that looks the device
 * up again: a slow driver holds up nobody longer than one of its own calls
 * takes, and a device that goes in between is simply gone.
 */
#include <linux/rtnetlink.h>
#include "pass.h"
#include "provider_registry.h"

/**
 * rg_section_begin - look a port's device up and hold it still
 * @pass: the pass
 * @section: set up; rg_section_end() has to follow in any case
 *
 * Return: 0; -ENODEV if it is gone, -EAGAIN if it is away.
 */
int rg_section_begin(struct rg_pass *pass, struct rg_section *section)
{
	struct net_device *dev;

	memset(section, 0, sizeof(*section));
	rtnl_lock();
	rg_providers_hold();
	dev = pass->port->dev;
	section->dev = dev;
	if (!dev)
		return -ENODEV;
	/* Detached: the driver has no private data behind its netdev. */
	if (dev->reg_state != NETREG_REGISTERED || !netif_device_present(dev))
		return -EAGAIN;
	rg_port_driver(dev, pass->status.driver, sizeof(pass->status.driver));
	section->driver = pass->status.driver;
	section->provider = rg_provider_of(section->driver);
	section->habits = rg_habits_of(section->driver);
	if (section->provider && section->provider->habits) {
		const char *like = section->provider->habits(dev);

		if (like)
			section->habits = rg_habits_of(like);
	}
	section->want = &pass->want;
	section->have = &pass->have;
	section->learnt = &pass->port->learnt;
	return 0;
}

/**
 * rg_section_end - let go of what rg_section_begin() holds
 */
void rg_section_end(void)
{
	rg_providers_release();
	rtnl_unlock();
}
