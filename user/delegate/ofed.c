// SPDX-License-Identifier: GPL-2.0
/*
 * ECN by the files of the driver of MLNX_OFED and DOCA-OFED. Before 25.10 they
 * answer a value that they have already with EPERM, so only what differs is
 * written. The same files made by roceguard itself are not meant.
 */
#include <stdio.h>

#include "ecn.h"

static const char *const roles[DELEGATE_ROLES] = {
	[DELEGATE_NP] = "roce_np",
	[DELEGATE_RP] = "roce_rp",
};

static void path_of(char *path, size_t size, const struct delegate_task *task,
		    int role, unsigned int prio)
{
	snprintf(path, size, "%s/sys/class/net/%s/ecn/%s/enable/%u", task->root,
		 task->port->ifname, roles[role], prio);
}

static bool ofed_is_there(const struct delegate_task *task)
{
	char path[512];

	if (task->port->has_netnsid)
		return false;
	snprintf(path, sizeof(path), "%s/sys/module/mlx_compat", task->root);
	if (!file_is_there(path))
		return false;
	path_of(path, sizeof(path), task, DELEGATE_NP, 0);
	return file_is_there(path);
}

/*
 * The firmware has one notification point for the port: on for one priority it is
 * on for all, and to switch it off for another would switch it off.
 */
static uint8_t named_of(const struct rg_want *want, int role)
{
	if (role == DELEGATE_NP && want->ecn_on[role])
		return want->ecn_on[role];
	return want->ecn_on[role] | want->ecn_off[role];
}

static int read_role(struct delegate_task *task, int role)
{
	uint8_t named = named_of(task->want, role);
	unsigned long on;
	unsigned int prio;
	char path[512];
	int err;

	task->ecn[role] = 0;
	for (prio = 0; prio < RG_PRIORITIES; prio++) {
		if (!(named & BIT(prio)))
			continue;
		path_of(path, sizeof(path), task, role, prio);
		err = file_number(path, 1, &on);
		if (err)
			return ecn_blame(task, path, err);
		if (on)
			task->ecn[role] |= (uint8_t)BIT(prio);
	}
	return 0;
}

static int ofed_read(struct delegate_task *task)
{
	int role, err = 0;

	for (role = 0; !err && role < DELEGATE_ROLES; role++)
		err = read_role(task, role);
	if (err)
		return err;
	task->same = task->ecn[DELEGATE_NP] == task->want->ecn_on[DELEGATE_NP] &&
		     task->ecn[DELEGATE_RP] == task->want->ecn_on[DELEGATE_RP];
	rg_text_ecn(&task->have, task->ecn, NULL);
	return 0;
}

static int write_role(struct delegate_task *task, int role)
{
	uint8_t on = task->want->ecn_on[role], wrong = on ^ task->ecn[role];
	unsigned int prio;
	char path[512];
	int err;

	for (prio = 0; prio < RG_PRIORITIES; prio++) {
		if (!(wrong & BIT(prio)))
			continue;
		path_of(path, sizeof(path), task, role, prio);
		err = file_write(path, on & BIT(prio) ? "1" : "0");
		if (err)
			return ecn_blame(task, path, err);
	}
	return 0;
}

static int ofed_write(struct delegate_task *task)
{
	int role, err = 0;

	for (role = 0; !err && role < DELEGATE_ROLES; role++)
		err = write_role(task, role);
	return err;
}

const struct delegate_backend delegate_ofed_ecn = {
	.knob	  = ROCEGUARD_KNOB_ECN,
	.is_there = ofed_is_there,
	.read	  = ofed_read,
	.write	  = ofed_write,
};
