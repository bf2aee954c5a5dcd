// SPDX-License-Identifier: GPL-2.0
/*
 * /sys/class/net/IF/roceguard/. The folder is a kobject of the core's own
 * kind: it belongs to root whoever owns the netns, and none of our code is
 * needed to free it. Removal, under rtnl, waits for readers: they take the leaf
 * lock of the port and no other.
 */
#include <linux/kobject.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <linux/sysfs.h>
#include "counters/counters.h"
#include "log.h"
#include "logic/words.h"
#include "status.h"
#include "sysfs.h"

/**
 * struct rg_file - a file
 * @attr: for the core
 * @show: prints it from a copy of the port's status
 * @knob: which, for the files of knobs
 */
struct rg_file {
	struct kobj_attribute attr;
	int (*show)(const struct rg_port_status *status,
		    const struct rg_file *file, char *buf);
	enum roceguard_knob knob;
};

/**
 * rg_sysfs_port - the port whose folder it is
 * @kobj: the folder, of an open file
 *
 * Return: it, with a reference, or NULL if it is going.
 */
struct rg_port *rg_sysfs_port(const struct kobject *kobj)
{
	/* An open file keeps the folder, and that keeps the netdev. */
	return rg_port_of(to_net_dev(kobj_to_dev(kobj->parent)));
}

static ssize_t rg_file_show(struct kobject *kobj, struct kobj_attribute *attr,
			    char *buf)
{
	struct rg_file *file = container_of(attr, struct rg_file, attr);
	struct rg_port_status *status;
	struct rg_port *port;
	ssize_t len = -ENODEV;

	status = kzalloc(sizeof(*status), GFP_KERNEL);
	if (!status)
		return -ENOMEM;
	port = rg_sysfs_port(kobj);
	if (port) {
		rg_status_get(port, status);
		rg_port_put(port);
		len = file->show(status, file, buf);
	}
	kfree(status);
	return len;
}

static int rg_show_state(const struct rg_port_status *status,
			 const struct rg_file *file, char *buf)
{
	return sysfs_emit(buf, "%s\n", rg_word(&rg_words_state, status->state));
}

static int rg_show_policy(const struct rg_port_status *status,
			  const struct rg_file *file, char *buf)
{
	return sysfs_emit(buf, "%s\n", status->policy);
}

static int rg_show_trigger(const struct rg_port_status *status,
			   const struct rg_file *file, char *buf)
{
	return sysfs_emit(buf, "%s\n", rg_word(&rg_words_trigger, status->trigger));
}

static int rg_show_corrections(const struct rg_port_status *status,
			       const struct rg_file *file, char *buf)
{
	return sysfs_emit(buf, "%llu\n", status->corrections);
}

static int rg_show_drifts(const struct rg_port_status *status,
			  const struct rg_file *file, char *buf)
{
	return sysfs_emit(buf, "%llu\n", status->drifts);
}

static int rg_show_link_drops(const struct rg_port_status *status,
			      const struct rg_file *file, char *buf)
{
	return sysfs_emit(buf, "%llu\n", status->link_drops);
}

static int rg_show_knob(const struct rg_port_status *status,
			const struct rg_file *file, char *buf)
{
	return sysfs_emit(buf, "%s\n",
			  rg_word(&rg_words_verdict,
				  status->knob[file->knob].verdict));
}

#define RG_FILE(_name)							\
static struct rg_file rg_file_##_name = {				\
	.attr = __ATTR(_name, 0444, rg_file_show, NULL),		\
	.show = rg_show_##_name,					\
}

#define RG_KNOB_FILE(_name, _knob)					\
	RG_KNOB_FILE_CALLED(_name, #_name, _knob)
#define RG_KNOB_FILE_CALLED(_name, _called, _knob)			\
static struct rg_file rg_file_knob_##_name = {				\
	.attr = { .attr = { .name = _called, .mode = 0444 },		\
		  .show = rg_file_show },				\
	.show = rg_show_knob,						\
	.knob = (_knob),						\
}

RG_FILE(state);
RG_FILE(policy);
RG_FILE(trigger);
RG_FILE(corrections);
RG_FILE(drifts);
RG_FILE(link_drops);

RG_KNOB_FILE(dscp, ROCEGUARD_KNOB_DSCP);
RG_KNOB_FILE(ets, ROCEGUARD_KNOB_ETS);
RG_KNOB_FILE(pause, ROCEGUARD_KNOB_PAUSE);
RG_KNOB_FILE(pfc, ROCEGUARD_KNOB_PFC);
RG_KNOB_FILE(ecn, ROCEGUARD_KNOB_ECN);
RG_KNOB_FILE(dcbx, ROCEGUARD_KNOB_DCBX);
RG_KNOB_FILE(maxrate, ROCEGUARD_KNOB_MAXRATE);
RG_KNOB_FILE(buffer, ROCEGUARD_KNOB_BUFFER);
RG_KNOB_FILE_CALLED(storm_prevention, "storm-prevention",
		    ROCEGUARD_KNOB_STORM_PREVENTION);
RG_KNOB_FILE(dcqcn, ROCEGUARD_KNOB_DCQCN);
RG_KNOB_FILE(cnp, ROCEGUARD_KNOB_CNP);
RG_KNOB_FILE(mtu, ROCEGUARD_KNOB_MTU);
RG_KNOB_FILE_CALLED(rdma_cm, "rdma-cm", ROCEGUARD_KNOB_RDMA_CM);
RG_KNOB_FILE_CALLED(vlan_egress, "vlan-egress", ROCEGUARD_KNOB_VLAN_EGRESS);

static struct attribute *rg_port_files[] = {
	&rg_file_state.attr.attr,
	&rg_file_policy.attr.attr,
	&rg_file_trigger.attr.attr,
	&rg_file_corrections.attr.attr,
	&rg_file_drifts.attr.attr,
	&rg_file_link_drops.attr.attr,
	NULL
};

static struct attribute *rg_knob_files[] = {
	&rg_file_knob_dscp.attr.attr,
	&rg_file_knob_ets.attr.attr,
	&rg_file_knob_pause.attr.attr,
	&rg_file_knob_pfc.attr.attr,
	&rg_file_knob_ecn.attr.attr,
	&rg_file_knob_dcbx.attr.attr,
	&rg_file_knob_maxrate.attr.attr,
	&rg_file_knob_buffer.attr.attr,
	&rg_file_knob_storm_prevention.attr.attr,
	&rg_file_knob_dcqcn.attr.attr,
	&rg_file_knob_cnp.attr.attr,
	&rg_file_knob_mtu.attr.attr,
	&rg_file_knob_rdma_cm.attr.attr,
	&rg_file_knob_vlan_egress.attr.attr,
	NULL
};

static const struct attribute_group rg_port_group = { .attrs = rg_port_files };
static const struct attribute_group rg_knob_group = {
	.name  = "knobs",
	.attrs = rg_knob_files,
};

static const struct attribute_group *rg_groups[] = {
	&rg_port_group,
	&rg_knob_group,
	NULL
};

/**
 * rg_sysfs_add - make the folder of a port
 * @port: under rtnl, with its netdev registered
 *
 * A port without one is governed all the same.
 */
void rg_sysfs_add(struct rg_port *port)
{
	struct kobject *kobj;

	ASSERT_RTNL();
	kobj = kobject_create_and_add("roceguard", &port->dev->dev.kobj);
	if (kobj && sysfs_create_groups(kobj, rg_groups)) {
		kobject_put(kobj);
		kobj = NULL;
	}
	if (!kobj)
		rg_warn("%s: no folder in sysfs\n", port->dev->name);
	port->kobj = kobj;
}

/**
 * rg_sysfs_add_counters - make the files counters/ of a port
 * @port: is to be sampled for the first time; rtnl is taken
 *
 * They are as many as all others: ports that nobody counts go without.
 */
void rg_sysfs_add_counters(struct rg_port *port)
{
	rtnl_lock();
	if (port->kobj) {
		port->has_counters = !sysfs_create_group(port->kobj,
							 &rg_counter_group);
		if (!port->has_counters)
			rg_warn("%s: no counters in sysfs\n", port->dev->name);
	}
	rtnl_unlock();
}

/**
 * rg_sysfs_del - remove the folder of a port; waits for readers of it
 * @port: under rtnl, before its netdev is gone
 */
void rg_sysfs_del(struct rg_port *port)
{
	ASSERT_RTNL();
	if (!port->kobj)
		return;
	if (port->has_counters)
		sysfs_remove_group(port->kobj, &rg_counter_group);
	sysfs_remove_groups(port->kobj, rg_groups);
	kobject_put(port->kobj);
	port->kobj = NULL;
}
