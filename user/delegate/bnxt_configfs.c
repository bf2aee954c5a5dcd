// SPDX-License-Identifier: GPL-2.0
/* ECN by the configfs of Broadcom's own bnxt_re, which has one switch a port. */
#include <stdio.h>
#include <string.h>

#include "ecn.h"

#define BNXT_FOLDER	"/sys/kernel/config/bnxt_re"

static bool bnxt_is_there(const struct delegate_task *task)
{
	char path[512];

	if (!*task->port->rdma_device || strchr(task->port->rdma_device, '/'))
		return false;
	snprintf(path, sizeof(path), "%s" BNXT_FOLDER, task->root);
	return !strcmp(task->port->driver, "bnxt_en") && file_is_there(path);
}

static int open_device(struct delegate_task *task, struct file_folder *folder)
{
	int err = folder_open(folder, "%s" BNXT_FOLDER "/%s", task->root,
			      task->port->rdma_device);

	return err ? ecn_blame(task, folder->path, err) : 0;
}

static void path_of(char *path, size_t size, const struct delegate_task *task,
		    const struct file_folder *folder, const char *file)
{
	snprintf(path, size, "%s/ports/%u/cc/%s", folder->path,
		 task->port->rdma_port, file);
}

static int bnxt_read(struct delegate_task *task)
{
	struct file_folder folder = { };
	char path[640];
	int err;

	err = open_device(task, &folder);
	if (err)
		return err;
	path_of(path, sizeof(path), task, &folder, "ecn_enable");
	err = ecn_switch_read(task, path);
	folder_close(&folder);
	return err;
}

/* What is written takes effect with the next write to "apply". */
static int bnxt_write(struct delegate_task *task)
{
	struct file_folder folder = { };
	char path[640];
	int err;

	err = open_device(task, &folder);
	if (err)
		return err;
	path_of(path, sizeof(path), task, &folder, "ecn_enable");
	err = file_write(path, ecn_port_wide(task->want) ? "0x1" : "0x0");
	if (!err) {
		path_of(path, sizeof(path), task, &folder, "apply");
		err = file_write(path, "0x1");
	}
	folder_close(&folder);
	return err ? ecn_blame(task, path, err) : 0;
}

const struct delegate_backend delegate_bnxt_configfs_ecn = {
	.knob	  = ROCEGUARD_KNOB_ECN,
	.is_there = bnxt_is_there,
	.read	  = bnxt_read,
	.write	  = bnxt_write,
};
