// SPDX-License-Identifier: GPL-2.0
#include <linux/kmod.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include "companions.h"
#include "log.h"
#include "port.h"
#include "rdma_link.h"

/*
 * Each driver is asked for once, so that one without a provider costs one
 * modprobe and not one an event.
 */
struct rg_companion {
	struct list_head list;
	char driver[RG_DRIVER_MAX];
	bool asked;
};

static DEFINE_SPINLOCK(rg_companions_lock);
static LIST_HEAD(rg_companions);
static int rg_rdma_status;

/* Somebody may still turn up; changes under rg_companions_lock. */
static bool rg_companions_busy;

static void rg_companions_load(struct work_struct *work);
static DECLARE_WORK(rg_companions_work, rg_companions_load);

static struct rg_companion *rg_companion_next(void)
{
	struct rg_companion *companion, *next = NULL;

	spin_lock(&rg_companions_lock);
	rg_companions_busy = false;
	list_for_each_entry(companion, &rg_companions, list) {
		if (!companion->asked) {
			rg_companions_busy = true;
			companion->asked = true;
			next = companion;
			break;
		}
	}
	spin_unlock(&rg_companions_lock);
	return next;
}

static void rg_rdma_load(void)
{
	static bool asked;

	if (asked || !IS_ENABLED(CONFIG_INFINIBAND))
		return;
	asked = true;
	rg_rdma_status = request_module("roceguard_rdma");
	if (rg_rdma_status && !rg_rdma_loaded())
		rg_notice("roceguard_rdma can't be loaded; ports are governed without their RDMA devices\n");
}

/* No lock is held: modprobe may take its time, and may want our symbols. */
static void rg_companions_load(struct work_struct *work)
{
	struct rg_companion *companion;

	rg_rdma_load();
	while ((companion = rg_companion_next()))
		request_module("roceguard-cc-%s", companion->driver);
	rg_ports_kick(ROCEGUARD_TRIGGER_TOPOLOGY);
}

static bool rg_companion_known(const char *driver)
{
	struct rg_companion *companion;

	list_for_each_entry(companion, &rg_companions, list)
		if (!strcmp(companion->driver, driver))
			return true;
	return false;
}

/**
 * rg_companions_want - a driver was met: ask for its provider, once
 * @driver: its name
 *
 * Does not wait.
 */
void rg_companions_want(const char *driver)
{
	struct rg_companion *companion;

	if (!driver[0])
		return;
	companion = kzalloc(sizeof(*companion), GFP_KERNEL);
	if (!companion)
		return;
	strscpy(companion->driver, driver, sizeof(companion->driver));
	spin_lock(&rg_companions_lock);
	if (!rg_companion_known(driver)) {
		list_add_tail(&companion->list, &rg_companions);
		rg_companions_busy = true;
		companion = NULL;
	}
	spin_unlock(&rg_companions_lock);
	if (!companion)
		schedule_work(&rg_companions_work);
	kfree(companion);
}

/**
 * rg_companions_settled - has everybody who was asked for come, or not?
 *
 * Until then a port may not know yet that it is RoCE-capable, or who reaches
 * its hardware.
 *
 * Return: true if nobody is waited for.
 */
bool rg_companions_settled(void)
{
	return !READ_ONCE(rg_companions_busy);
}

/**
 * rg_companions_rdma_reason - why roceguard_rdma.ko is not there
 *
 * Return: words.
 */
const char *rg_companions_rdma_reason(void)
{
	if (!IS_ENABLED(CONFIG_INFINIBAND))
		return "this kernel has no RDMA";
	if (READ_ONCE(rg_rdma_status))
		return "modprobe roceguard_rdma failed; see the kernel log";
	return "not loaded; run 'modprobe roceguard_rdma'";
}

/**
 * rg_companions_init - ask for roceguard_rdma.ko; does not wait
 */
void rg_companions_init(void)
{
	rg_companions_busy = true;
	schedule_work(&rg_companions_work);
}

/**
 * rg_companions_exit - wait for a modprobe under way; no port is left
 */
void rg_companions_exit(void)
{
	struct rg_companion *companion, *next;

	cancel_work_sync(&rg_companions_work);
	list_for_each_entry_safe(companion, next, &rg_companions, list) {
		list_del(&companion->list);
		kfree(companion);
	}
}
