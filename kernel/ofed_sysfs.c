// SPDX-License-Identifier: GPL-2.0
/*
 * /sys/class/net/IF/ecn/roce_{np,rp}/, as MLNX_OFED's driver makes them, for
 * scripts that know only these. What is written there goes over the policy and is
 * enforced like it. The folders are made by passes, once a provider is there and
 * only where OFED's own can't come: it makes them after register, and takes no
 * notice if it can't. As with those of sysfs.c, readers and writers take the leaf
 * lock of the port and no other, and wait for nothing.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/kernel.h>
#include <linux/kobject.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include "function.h"
#include "log.h"
#include "logic/params.h"
#include "mode.h"
#include "ofed_sysfs.h"
#include "pass.h"

static char *rg_ofed_param = "auto";
module_param_named(ofed_sysfs, rg_ofed_param, charp, 0444);
MODULE_PARM_DESC(ofed_sysfs, "auto (default): make the ecn/ files of MLNX_OFED where its driver is not, off: never");

static bool rg_ofed_off;

/* In all other passes there is something more urgent than what nobody holds. */
#define RG_OFED_LOOKS	(BIT(ROCEGUARD_TRIGGER_AUDIT) | BIT(ROCEGUARD_TRIGGER_USER))

/**
 * struct rg_ofed_folders - the folders of a port
 * @ecn: ecn/
 * @role: ecn/roce_np/ and ecn/roce_rp/
 */
struct rg_ofed_folders {
	struct kobject *ecn;
	struct kobject *role[RG_ROLES];
};

static const char *const rg_ofed_role[RG_ROLES] = {
	[RG_ROLE_NP] = "roce_np",
	[RG_ROLE_RP] = "roce_rp",
};

/**
 * struct rg_ofed_file - a file
 * @attr: for the core
 * @path: below ecn/ROLE/, for history
 * @role: whose folder it is in
 * @which: priority, or enum roceguard_param
 * @takes: is it a value to write?
 * @value: what it says, or a negative errno; under the port's lock
 * @say: put it into the overlay, true: it is news; under the port's lock
 */
struct rg_ofed_file {
	struct kobj_attribute attr;
	const char *path;
	enum rg_role role;
	u8 which;
	bool (*takes)(const struct rg_ofed_file *file, u32 value);
	s64 (*value)(const struct rg_port_brief *status,
		     const struct rg_ofed_file *file);
	bool (*say)(struct rg_overlay *overlay, const struct rg_ofed_file *file,
		    u32 value, const struct rg_said *said);
};

static struct rg_port *rg_ofed_port(const struct kobject *role)
{
	/* An open file keeps the folder, and that keeps the netdev. */
	return rg_port_of(to_net_dev(kobj_to_dev(role->parent->parent)));
}

static s64 rg_ofed_value(struct rg_port *port, const struct rg_ofed_file *file)
{
	unsigned long flags;
	s64 value;

	spin_lock_irqsave(&port->lock, flags);
	value = file->value(&port->status, file);
	spin_unlock_irqrestore(&port->lock, flags);
	return value;
}

static ssize_t rg_ofed_show(struct kobject *kobj, struct kobj_attribute *attr,
			    char *buf)
{
	struct rg_ofed_file *file = container_of(attr, struct rg_ofed_file, attr);
	struct rg_port *port = rg_ofed_port(kobj);
	s64 value;

	if (!port)
		return -ENODEV;
	value = rg_ofed_value(port, file);
	rg_port_put(port);
	return value < 0 ? value : sysfs_emit(buf, "%lld\n", value);
}

static struct rg_said rg_ofed_speaker(void)
{
	struct rg_said said = {
		.generation = rg_policy_generation(),
		.uid	    = from_kuid(&init_user_ns, current_uid()),
		.pid	    = task_tgid_nr(current),
	};

	BUILD_BUG_ON(RG_COMM_MAX < TASK_COMM_LEN);
	get_task_comm(said.comm, current);
	return said;
}

static int rg_ofed_say(struct rg_port *port, const struct rg_ofed_file *file,
		       u32 value)
{
	struct rg_said said = rg_ofed_speaker();
	char name[IFNAMSIZ];
	unsigned long flags;
	s64 now = rg_ofed_value(port, file);
	bool news;

	if (now < 0)
		return now;
	spin_lock_irqsave(&port->lock, flags);
	news = file->say(&port->status.overlay, file, value, &said);
	spin_unlock_irqrestore(&port->lock, flags);
	if (news)
		rg_history_request(said.generation, "sysfs %s/ecn/%s/%s = %u",
				   rg_port_name(port, name),
				   rg_ofed_role[file->role], file->path, value);
	rg_port_kick(port, ROCEGUARD_TRIGGER_POLICY);
	return 0;
}

static ssize_t rg_ofed_store(struct kobject *kobj, struct kobj_attribute *attr,
			     const char *buf, size_t len)
{
	struct rg_ofed_file *file = container_of(attr, struct rg_ofed_file, attr);
	struct rg_port *port;
	u32 value;
	int err;

	if (!capable(CAP_NET_ADMIN))
		return -EPERM;
	err = kstrtou32(buf, 0, &value);
	if (err)
		return err;
	if (!file->takes(file, value))
		return -ERANGE;
	port = rg_ofed_port(kobj);
	if (!port)
		return -ENODEV;
	err = rg_ofed_say(port, file, value);
	rg_port_put(port);
	return err ?: len;
}

/* What was written is read back at once, though no pass has seen to it yet. */
static bool rg_ofed_is_unseen(const struct rg_port_brief *status)
{
	return status->overlay.serial != status->overlay_seen;
}

static bool rg_ofed_enable_takes(const struct rg_ofed_file *file, u32 value)
{
	return value <= 1;
}

static s64 rg_ofed_enable_value(const struct rg_port_brief *status,
				const struct rg_ofed_file *file)
{
	enum rg_tristate said = RG_NOT_SAID;

	if (rg_ofed_is_unseen(status))
		said = rg_overlay_ecn(&status->overlay, file->role, file->which);
	if (said != RG_NOT_SAID)
		return said == RG_YES;
	return !!(status->ecn_live[file->role] & BIT(file->which));
}

static bool rg_ofed_enable_say(struct rg_overlay *overlay,
			       const struct rg_ofed_file *file, u32 value,
			       const struct rg_said *said)
{
	return rg_overlay_say_ecn(overlay, file->role, file->which, value, said);
}

#define RG_OFED_ENABLE(_role, _prio)					\
static struct rg_ofed_file rg_ofed_##_role##_enable_##_prio = {		\
	.attr  = __ATTR(_prio, 0644, rg_ofed_show, rg_ofed_store),	\
	.path  = "enable/" #_prio,					\
	.role  = RG_ROLE_##_role,					\
	.which = (_prio),						\
	.takes = rg_ofed_enable_takes,					\
	.value = rg_ofed_enable_value,					\
	.say   = rg_ofed_enable_say,					\
}

#define RG_OFED_ENABLES(_role)						\
	RG_OFED_ENABLE(_role, 0);					\
	RG_OFED_ENABLE(_role, 1);					\
	RG_OFED_ENABLE(_role, 2);					\
	RG_OFED_ENABLE(_role, 3);					\
	RG_OFED_ENABLE(_role, 4);					\
	RG_OFED_ENABLE(_role, 5);					\
	RG_OFED_ENABLE(_role, 6);					\
	RG_OFED_ENABLE(_role, 7);					\
	static struct attribute *rg_ofed_##_role##_enables[] = {	\
		&rg_ofed_##_role##_enable_0.attr.attr,			\
		&rg_ofed_##_role##_enable_1.attr.attr,			\
		&rg_ofed_##_role##_enable_2.attr.attr,			\
		&rg_ofed_##_role##_enable_3.attr.attr,			\
		&rg_ofed_##_role##_enable_4.attr.attr,			\
		&rg_ofed_##_role##_enable_5.attr.attr,			\
		&rg_ofed_##_role##_enable_6.attr.attr,			\
		&rg_ofed_##_role##_enable_7.attr.attr,			\
		NULL							\
	};								\
	static const struct attribute_group rg_ofed_##_role##_enable = { \
		.name  = "enable",					\
		.attrs = rg_ofed_##_role##_enables,			\
	}

RG_OFED_ENABLES(NP);
RG_OFED_ENABLES(RP);

static bool rg_ofed_param_takes(const struct rg_ofed_file *file, u32 value)
{
	const struct rg_param *param = &rg_params[file->which];

	return value >= param->min && value <= param->max;
}

static s64 rg_ofed_param_value(const struct rg_port_brief *status,
			       const struct rg_ofed_file *file)
{
	const struct rg_overlay *overlay = &status->overlay;

	if (!(status->params_live & BIT(file->which)))
		return -EOPNOTSUPP;
	if (rg_ofed_is_unseen(status) && overlay->params & BIT(file->which))
		return overlay->param[file->which];
	return status->param_live[file->which];
}

static bool rg_ofed_param_say(struct rg_overlay *overlay,
			      const struct rg_ofed_file *file, u32 value,
			      const struct rg_said *said)
{
	return rg_overlay_say_param(overlay, file->which, value, said);
}

#define RG_OFED_PARAM(_role, _name, _param)				\
static struct rg_ofed_file rg_ofed_##_name = {				\
	.attr  = __ATTR(_name, 0644, rg_ofed_show, rg_ofed_store),	\
	.path  = #_name,						\
	.role  = RG_ROLE_##_role,					\
	.which = ROCEGUARD_PARAM_##_param,				\
	.takes = rg_ofed_param_takes,					\
	.value = rg_ofed_param_value,					\
	.say   = rg_ofed_param_say,					\
}

RG_OFED_PARAM(NP, min_time_between_cnps, NP_CNP_INTERVAL);
RG_OFED_PARAM(NP, cnp_dscp, NP_CNP_DSCP);
RG_OFED_PARAM(NP, cnp_802p_prio, NP_CNP_PRIORITY);

RG_OFED_PARAM(RP, clamp_tgt_rate, RP_CLAMP_TARGET_RATE);
RG_OFED_PARAM(RP, clamp_tgt_rate_after_time_inc, RP_CLAMP_TARGET_RATE_AFTER_TIME);
RG_OFED_PARAM(RP, rpg_time_reset, RP_TIME_RESET);
RG_OFED_PARAM(RP, rpg_byte_reset, RP_BYTE_RESET);
RG_OFED_PARAM(RP, rpg_threshold, RP_THRESHOLD);
RG_OFED_PARAM(RP, rpg_max_rate, RP_MAX_RATE);
RG_OFED_PARAM(RP, rpg_ai_rate, RP_AI_RATE);
RG_OFED_PARAM(RP, rpg_hai_rate, RP_HAI_RATE);
RG_OFED_PARAM(RP, rpg_gd, RP_GD);
RG_OFED_PARAM(RP, rpg_min_dec_fac, RP_MIN_DEC_FACTOR);
RG_OFED_PARAM(RP, rpg_min_rate, RP_MIN_RATE);
RG_OFED_PARAM(RP, rate_to_set_on_first_cnp, RP_FIRST_CNP_RATE);
RG_OFED_PARAM(RP, dce_tcp_g, RP_ALPHA_G);
RG_OFED_PARAM(RP, dce_tcp_rtt, RP_ALPHA_PERIOD);
RG_OFED_PARAM(RP, rate_reduce_monitor_period, RP_REDUCE_PERIOD);
RG_OFED_PARAM(RP, initial_alpha_value, RP_ALPHA_INITIAL);

static struct attribute *rg_ofed_np_params[] = {
	&rg_ofed_min_time_between_cnps.attr.attr,
	&rg_ofed_cnp_dscp.attr.attr,
	&rg_ofed_cnp_802p_prio.attr.attr,
	NULL
};

static struct attribute *rg_ofed_rp_params[] = {
	&rg_ofed_clamp_tgt_rate.attr.attr,
	&rg_ofed_clamp_tgt_rate_after_time_inc.attr.attr,
	&rg_ofed_rpg_time_reset.attr.attr,
	&rg_ofed_rpg_byte_reset.attr.attr,
	&rg_ofed_rpg_threshold.attr.attr,
	&rg_ofed_rpg_max_rate.attr.attr,
	&rg_ofed_rpg_ai_rate.attr.attr,
	&rg_ofed_rpg_hai_rate.attr.attr,
	&rg_ofed_rpg_gd.attr.attr,
	&rg_ofed_rpg_min_dec_fac.attr.attr,
	&rg_ofed_rpg_min_rate.attr.attr,
	&rg_ofed_rate_to_set_on_first_cnp.attr.attr,
	&rg_ofed_dce_tcp_g.attr.attr,
	&rg_ofed_dce_tcp_rtt.attr.attr,
	&rg_ofed_rate_reduce_monitor_period.attr.attr,
	&rg_ofed_initial_alpha_value.attr.attr,
	NULL
};

static const struct attribute_group rg_ofed_np_param_group = {
	.attrs = rg_ofed_np_params,
};

static const struct attribute_group rg_ofed_rp_param_group = {
	.attrs = rg_ofed_rp_params,
};

static const struct attribute_group *rg_ofed_np_groups[] = {
	&rg_ofed_np_param_group,
	&rg_ofed_NP_enable,
	NULL
};

static const struct attribute_group *rg_ofed_rp_groups[] = {
	&rg_ofed_rp_param_group,
	&rg_ofed_RP_enable,
	NULL
};

static const struct attribute_group **const rg_ofed_groups[RG_ROLES] = {
	[RG_ROLE_NP] = rg_ofed_np_groups,
	[RG_ROLE_RP] = rg_ofed_rp_groups,
};

/**
 * rg_ofed_sysfs_init - take the module parameter over
 *
 * Return: 0, or -EINVAL if there is no such value.
 */
int rg_ofed_sysfs_init(void)
{
	rg_ofed_off = !strcmp(rg_ofed_param, "off");
	if (rg_ofed_off || !strcmp(rg_ofed_param, "auto"))
		return 0;
	rg_warn("ofed_sysfs=%s is unknown; use auto or off\n", rg_ofed_param);
	return -EINVAL;
}

/* OFED's drivers stand on this module of its own. */
static bool rg_ofed_is_there(void)
{
	struct kobject *compat = kset_find_obj(THIS_MODULE->mkobj.kobj.kset,
					       "mlx_compat");

	kobject_put(compat);
	return compat;
}

static bool rg_ofed_is_taken(const struct net_device *dev)
{
	struct kernfs_node *other = sysfs_get_dirent(dev->dev.kobj.sd, "ecn");

	sysfs_put(other);
	return other;
}

static void rg_ofed_folders_free(struct rg_ofed_folders *folders)
{
	enum rg_role role;

	for (role = RG_ROLE_NP; role < RG_ROLES; role++) {
		if (!folders->role[role])
			continue;
		sysfs_remove_groups(folders->role[role], rg_ofed_groups[role]);
		kobject_put(folders->role[role]);
	}
	kobject_put(folders->ecn);
	kfree(folders);
}

static int rg_ofed_fill(struct rg_ofed_folders *folders, enum rg_role role)
{
	struct kobject *kobj;
	int err;

	kobj = kobject_create_and_add(rg_ofed_role[role], folders->ecn);
	if (!kobj)
		return -ENOMEM;
	err = sysfs_create_groups(kobj, rg_ofed_groups[role]);
	if (err) {
		kobject_put(kobj);
		return err;
	}
	folders->role[role] = kobj;
	return 0;
}

static void rg_ofed_sysfs_add(struct rg_port *port)
{
	struct rg_ofed_folders *folders;
	enum rg_role role;
	int err = 0;

	if (port->ofed || rg_ofed_is_there() || rg_ofed_is_taken(port->dev))
		return;
	folders = kzalloc(sizeof(*folders), GFP_KERNEL);
	if (!folders)
		return;
	folders->ecn = kobject_create_and_add("ecn", &port->dev->dev.kobj);
	if (!folders->ecn)
		err = -ENOMEM;
	for (role = RG_ROLE_NP; !err && role < RG_ROLES; role++)
		err = rg_ofed_fill(folders, role);
	if (err) {
		rg_warn("%s: no ecn folder in sysfs: error %d\n",
			port->dev->name, -err);
		rg_ofed_folders_free(folders);
		return;
	}
	port->ofed = folders;
}

/**
 * rg_ofed_sysfs_del - remove the files of a port; waits for who uses one
 * @port: under rtnl, before its netdev is gone
 */
void rg_ofed_sysfs_del(struct rg_port *port)
{
	ASSERT_RTNL();
	if (!port->ofed)
		return;
	rg_ofed_folders_free(port->ofed);
	port->ofed = NULL;
}

/* What a read has found, and nothing of what it has not looked at. */
static void rg_ofed_take(struct rg_pass *pass)
{
	struct rg_port_status *status = &pass->status;
	const struct rg_have *have = &pass->have;
	enum rg_role role;
	int i;

	for (role = RG_ROLE_NP; role < RG_ROLES; role++)
		status->ecn_live[role] =
			(status->ecn_live[role] & ~have->ecn_read[role]) |
			(have->ecn[role] & have->ecn_read[role]);
	status->params_live |= have->params_read;
	for (i = 0; i < RG_PARAMS; i++)
		if (have->params_read & BIT(i))
			status->param_live[i] = have->param[i];
}

/* What the pass has not read. */
static int rg_ofed_read_rest(struct rg_pass *pass, struct rg_section *section)
{
	static const struct rg_knob *const params[] = {
		&rg_knob_dcqcn, &rg_knob_cnp,
	};
	struct rg_want rest = { .params = ~pass->have.params_read };
	enum rg_role role;
	size_t i;
	int err;

	for (role = RG_ROLE_NP; role < RG_ROLES; role++)
		rest.ecn_off[role] = ~pass->have.ecn_read[role];
	section->want = &rest;
	err = rg_knob_ecn.read(section);
	for (i = 0; !err && i < ARRAY_SIZE(params); i++) {
		err = params[i]->read(section);
		if (err == -EOPNOTSUPP)
			err = 0;
	}
	if (!err)
		rg_ofed_take(pass);
	return err;
}

static bool rg_ofed_can_be(const struct rg_section *section)
{
	return !rg_ofed_off && rg_mode() != ROCEGUARD_MODE_OFF &&
	       section->provider && section->provider->get_enable &&
	       section->provider->set_enable &&
	       !rg_function_is_foreign(section->dev);
}

/**
 * rg_ofed_sysfs_refresh - learn what the files are to say
 * @pass: the pass, with nothing left to do but to tell
 */
void rg_ofed_sysfs_refresh(struct rg_pass *pass)
{
	struct rg_port *port = pass->port;
	struct rg_section section;

	pass->ofed = port->ofed;
	if (pass->stop || port->sick)
		return;
	rg_ofed_take(pass);
	if (port->ofed ? pass->provided && !(pass->triggers & RG_OFED_LOOKS) :
			 !pass->provided)
		return;
	if (!rg_section_begin(pass, &section))
		pass->ofed = rg_ofed_can_be(&section) &&
			     (!rg_ofed_read_rest(pass, &section) || port->ofed);
	rg_section_end();
}

/**
 * rg_ofed_sysfs_settle - make the files, or remove them
 * @pass: the pass, after what it has learned can be seen
 */
void rg_ofed_sysfs_settle(struct rg_pass *pass)
{
	struct rg_port *port = pass->port;
	struct rg_section section;

	if (pass->ofed == !!port->ofed)
		return;
	if (!rg_section_begin(pass, &section)) {
		if (pass->ofed)
			rg_ofed_sysfs_add(port);
		else
			rg_ofed_sysfs_del(port);
	}
	rg_section_end();
}
