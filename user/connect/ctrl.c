// SPDX-License-Identifier: GPL-2.0
/* The controller that came of a connect, found in sysfs. */

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "connect.h"

#define PATH_LEN	512
#define STEP_MS		50

/* "nvme12" -> 12; -1 for anything else. */
static int ctrl_number(const char *name)
{
	char *end;
	long n;

	if (strncmp(name, "nvme", 4) || name[4] < '0' || name[4] > '9')
		return -1;
	n = strtol(name + 4, &end, 10);
	return *end || n >= CONN_CTRLS_MAX ? -1 : (int)n;
}

static DIR *open_class(const char *root)
{
	char path[PATH_LEN];

	snprintf(path, sizeof(path), "%s/class/nvme", root);
	return opendir(path);
}

/**
 * conn_ctrl_list() - the controllers there are
 * @root: where sysfs is
 * @set: filled in
 */
void conn_ctrl_list(const char *root, struct conn_ctrl_set *set)
{
	DIR *dir = open_class(root);
	struct dirent *de;
	int n;

	memset(set, 0, sizeof(*set));
	while (dir && (de = readdir(dir))) {
		n = ctrl_number(de->d_name);
		if (n >= 0)
			set->bit[n / 8] |= 1 << n % 8;
	}
	if (dir)
		closedir(dir);
}

static bool in_set(const struct conn_ctrl_set *set, int n)
{
	return set->bit[n / 8] & 1 << n % 8;
}

static void read_attr(const char *root, const char *ctrl, const char *attr,
		      char *buf, size_t size)
{
	char path[PATH_LEN];

	snprintf(path, sizeof(path), "%s/class/nvme/%s/%s", root, ctrl, attr);
	conn_file_read(path, buf, size);
}

/* "traddr=192.0.2.1,trsvcid=4420,..." has @key=@value as one whole part. */
static bool has_part(const char *address, const char *key, const char *value)
{
	size_t klen = strlen(key);
	size_t vlen = strlen(value);
	const char *p = address;

	while (p) {
		if (*p == ',')
			p++;
		if (!strncmp(p, key, klen) && p[klen] == '=' &&
		    !strncmp(p + klen + 1, value, vlen) &&
		    (!p[klen + 1 + vlen] || p[klen + 1 + vlen] == ','))
			return true;
		p = strchr(p, ',');
	}
	return false;
}

static bool is_ours(const char *root, const char *ctrl,
		    const struct conn_args *args, struct conn_ctrl *out)
{
	char text[CONN_TEXT];

	read_attr(root, ctrl, "transport", text, sizeof(text));
	if (strcmp(text, "rdma"))
		return false;
	read_attr(root, ctrl, "subsysnqn", text, sizeof(text));
	if (strcmp(text, args->nqn))
		return false;
	read_attr(root, ctrl, "address", out->address, sizeof(out->address));
	if (!has_part(out->address, "traddr", args->address) ||
	    !has_part(out->address, "trsvcid", args->trsvcid))
		return false;
	snprintf(out->name, sizeof(out->name), "%s", ctrl);
	read_attr(root, ctrl, "state", out->state, sizeof(out->state));
	read_attr(root, ctrl, "cntlid", text, sizeof(text));
	out->cntlid = atoi(text);
	return true;
}

/**
 * conn_ctrl_find() - the controller of a connection
 * @root: where sysfs is
 * @args: resolved arguments
 * @before: controllers that were there before; NULL for none
 * @out: filled in
 *
 * Return: true if there is one.
 */
bool conn_ctrl_find(const char *root, const struct conn_args *args,
		    const struct conn_ctrl_set *before, struct conn_ctrl *out)
{
	DIR *dir = open_class(root);
	struct dirent *de;
	bool found = false;
	int n;

	memset(out, 0, sizeof(*out));
	while (dir && !found && (de = readdir(dir))) {
		n = ctrl_number(de->d_name);
		found = n >= 0 && !(before && in_set(before, n)) &&
			is_ours(root, de->d_name, args, out);
	}
	if (dir)
		closedir(dir);
	return found;
}

/**
 * conn_ctrl_wait_live() - wait for the new controller to be live
 * @root: where sysfs is
 * @args: resolved arguments
 * @before: controllers that were there before
 * @seconds: at most
 * @out: filled in, as last seen
 *
 * Return: true if it is live.
 */
bool conn_ctrl_wait_live(const char *root, const struct conn_args *args,
			 const struct conn_ctrl_set *before,
			 unsigned int seconds, struct conn_ctrl *out)
{
	const struct timespec step = { .tv_nsec = STEP_MS * 1000000L };
	unsigned int ms;

	for (ms = 0; ms <= seconds * 1000; ms += STEP_MS) {
		if (conn_ctrl_find(root, args, before, out) &&
		    !strcmp(out->state, "live"))
			return true;
		nanosleep(&step, NULL);
	}
	return false;
}
