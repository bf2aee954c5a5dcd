// SPDX-License-Identifier: GPL-2.0
/*
 * ECN by the debugfs of the kernel's bnxt_re, since 6.15, which has one switch a
 * port. The driver says that it wrote whatever the firmware said.
 */
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ecn.h"

/* The PCI address of a port, by which debugfs knows it. */
static bool pci_of(const struct delegate_task *task, char *pci, size_t size)
{
	char path[512], target[PATH_MAX];
	ssize_t n;

	snprintf(path, sizeof(path), "%s/sys/class/net/%s/device", task->root,
		 task->port->ifname);
	n = readlink(path, target, sizeof(target) - 1);
	if (n <= 0)
		return false;
	target[n] = '\0';
	snprintf(pci, size, "%s", basename(target));
	return true;
}

static bool path_of(const struct delegate_task *task, char *path, size_t size)
{
	char pci[64];

	if (!pci_of(task, pci, sizeof(pci)))
		return false;
	snprintf(path, size, "%s/sys/kernel/debug/bnxt_re/%s/cc_config/enable_cc",
		 task->root, pci);
	return true;
}

static bool bnxt_is_there(const struct delegate_task *task)
{
	char path[512];

	return !task->port->has_netnsid &&
	       !strcmp(task->port->driver, "bnxt_en") &&
	       path_of(task, path, sizeof(path)) && file_is_there(path);
}

static int bnxt_read(struct delegate_task *task)
{
	char path[512] = "";

	path_of(task, path, sizeof(path));
	return ecn_switch_read(task, path);
}

static int bnxt_write(struct delegate_task *task)
{
	char path[512] = "";
	int err;

	path_of(task, path, sizeof(path));
	err = file_write(path, ecn_port_wide(task->want) ? "1" : "0");
	return err ? ecn_blame(task, path, err) : 0;
}

const struct delegate_backend delegate_bnxt_debugfs_ecn = {
	.knob	  = ROCEGUARD_KNOB_ECN,
	.is_there = bnxt_is_there,
	.read	  = bnxt_read,
	.write	  = bnxt_write,
};
