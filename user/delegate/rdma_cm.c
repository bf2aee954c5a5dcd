// SPDX-License-Identifier: GPL-2.0
/*
 * What rdma_cm gives connections that say nothing themselves, from configfs. It
 * is lost when the RDMA device or rdma_cm is loaded anew.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "delegate.h"

#define CM_FOLDER	"/sys/kernel/config/rdma_cm"

static const char *const modes[] = {
	[1] = "IB/RoCE v1",
	[2] = "RoCE v2",
};

/* A name that is to be part of a path. */
static bool is_plain(const char *name)
{
	return *name && *name != '.' && !strchr(name, '/');
}

static int open_device(struct delegate_task *task, struct file_folder *folder)
{
	const char *device = task->port->rdma_device;
	char config[512], cm[512];
	int err;

	if (!is_plain(device)) {
		delegate_because(task, "%s has no RDMA device; load the RDMA driver of its NIC",
				 task->port->ifname);
		return -EOPNOTSUPP;
	}
	snprintf(config, sizeof(config), "%s/sys/kernel/config", task->root);
	snprintf(cm, sizeof(cm), "%s%s", task->root, CM_FOLDER);
	if (!file_is_there(cm)) {
		delegate_because(task, "%s is not there; run 'modprobe rdma_cm' and mount configfs on %s",
				 CM_FOLDER, config);
		return -EAGAIN;
	}
	err = folder_open(folder, "%s/%s", cm, device);
	if (err)
		delegate_because(task, "%s/%s: %s", CM_FOLDER, device,
				 strerror(-err));
	return err;
}

static void path_of(char *path, size_t size, const struct delegate_task *task,
		    const struct file_folder *folder, const char *file)
{
	snprintf(path, size, "%s/ports/%u/%s", folder->path,
		 task->port->rdma_port, file);
}

static int read_tos(struct delegate_task *task, const struct file_folder *folder)
{
	unsigned long tos;
	char path[640];
	int err;

	path_of(path, sizeof(path), task, folder, "default_roce_tos");
	err = file_number(path, 255, &tos);
	if (!err)
		task->tos = (uint8_t)tos;
	return err;
}

static int read_mode(struct delegate_task *task,
		     const struct file_folder *folder)
{
	char path[640], text[DELEGATE_FILE_MAX];
	uint8_t mode;
	int err;

	path_of(path, sizeof(path), task, folder, "default_roce_mode");
	err = file_read(path, text);
	for (mode = 1; !err && mode < ARRAY_SIZE(modes); mode++) {
		if (strcmp(text, modes[mode]))
			continue;
		task->mode = mode;
		return 0;
	}
	return err ? err : -EBADMSG;
}

/* Whom a change would reach: all that say nothing themselves. */
static void name_users(struct delegate_task *task)
{
	char users[ROCEGUARD_REPORT_REASON_MAX];
	int err;

	err = rdma_users(task->port->rdma_device, task->port->rdma_port, users,
			 sizeof(users));
	if (err)
		snprintf(users, sizeof(users), "not known, %s", strerror(-err));
	delegate_because(task, "for new connections without a ToS of their own; users of rdma_cm here: %s",
			 users);
}

static int cm_read(struct delegate_task *task)
{
	const struct rg_want *want = task->want;
	struct file_folder folder = { };
	int err;

	err = open_device(task, &folder);
	if (err)
		return err;
	task->tos = RG_UNSET;
	task->mode = RG_UNSET;
	if (want->cm_tos != RG_UNSET)
		err = read_tos(task, &folder);
	if (!err && want->cm_mode != RG_UNSET)
		err = read_mode(task, &folder);
	folder_close(&folder);
	if (err)
		return err;
	task->same = task->tos == want->cm_tos && task->mode == want->cm_mode;
	rg_text_rdma_cm(&task->have, task->tos, task->mode);
	if (!task->same)
		name_users(task);
	return 0;
}

static int write_value(struct delegate_task *task,
		       const struct file_folder *folder, const char *file,
		       const char *value)
{
	char path[640];
	int err;

	path_of(path, sizeof(path), task, folder, file);
	err = file_write(path, value);
	if (err)
		delegate_because(task, "writing '%s' to %s of %s port %u: %s",
				 value, file, task->port->rdma_device,
				 task->port->rdma_port, strerror(-err));
	return err;
}

static int cm_write(struct delegate_task *task)
{
	const struct rg_want *want = task->want;
	struct file_folder folder = { };
	char tos[8];
	int err;

	err = open_device(task, &folder);
	if (err)
		return err;
	snprintf(tos, sizeof(tos), "%u", want->cm_tos);
	if (task->tos != want->cm_tos)
		err = write_value(task, &folder, "default_roce_tos", tos);
	if (!err && task->mode != want->cm_mode)
		err = write_value(task, &folder, "default_roce_mode",
				  modes[want->cm_mode]);
	folder_close(&folder);
	return err;
}

const struct delegate_backend delegate_rdma_cm = {
	.knob  = ROCEGUARD_KNOB_RDMA_CM,
	.read  = cm_read,
	.write = cm_write,
};
