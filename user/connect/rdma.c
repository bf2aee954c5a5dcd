// SPDX-License-Identifier: GPL-2.0
/*
 * The RDMA side of a source address, from sysfs: which device has it as a
 * RoCE v2 GID, and whether OFED's global traffic class overrides every ToS.
 */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "connect.h"

#define PATH_LEN	512
/* Larger than any GID table seen (mlx5: 256). */
#define GIDS_MAX	4096

/**
 * conn_file_read() - a small file of sysfs, without its newline
 * @path: the file
 * @buf: for the text
 * @size: of @buf
 *
 * Return: 0 or a negative errno.
 */
int conn_file_read(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len;

	buf[0] = '\0';
	if (fd < 0)
		return -errno;
	len = read(fd, buf, size - 1);
	if (len < 0) {
		len = -errno;
		close(fd);
		return len;
	}
	close(fd);
	buf[len] = '\0';
	buf[strcspn(buf, "\n")] = '\0';
	return 0;
}

/* One table: root/class/infiniband/DEVICE/ports/PORT. */
struct table {
	const char *root;
	const char *device;
	unsigned int port;
};

static int read_entry(const struct table *t, const char *what,
		      unsigned int index, char *buf, size_t size)
{
	char path[PATH_LEN];

	snprintf(path, sizeof(path), "%s/class/infiniband/%s/ports/%u/%s/%u",
		 t->root, t->device, t->port, what, index);
	return conn_file_read(path, buf, size);
}

/* With several GIDs of one address the one on this interface counts. */
static bool entry_fits(const struct table *t, unsigned int index,
		       const char *ifname)
{
	char ndev[CONN_NAME];

	return !read_entry(t, "gid_attrs/ndevs", index, ndev, sizeof(ndev)) &&
	       !strcmp(ndev, ifname);
}

static bool search_table(const struct table *t, const char *ifname,
			 const char *gid, struct conn_gid *out)
{
	char text[CONN_NAME];
	unsigned int i;

	for (i = 0; i < GIDS_MAX; i++) {
		if (read_entry(t, "gids", i, text, sizeof(text)) == -ENOENT)
			break;
		if (strcmp(text, gid) || !entry_fits(t, i, ifname) ||
		    read_entry(t, "gid_attrs/types", i, text, sizeof(text)))
			continue;
		snprintf(out->device, sizeof(out->device), "%s", t->device);
		out->port = t->port;
		out->v1_only = strcmp(text, "RoCE v2");
		out->index = out->v1_only ? -1 : (int)i;
		if (!out->v1_only)
			break;
	}
	return out->index >= 0;
}

static bool search_device(const char *root, const char *device,
			  const char *ifname, const char *gid,
			  struct conn_gid *out)
{
	struct table t = { .root = root, .device = device };
	char path[PATH_LEN];
	struct dirent *de;
	bool found = false;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/class/infiniband/%s/ports", root,
		 device);
	dir = opendir(path);
	if (!dir)
		return false;
	while (!found && (de = readdir(dir))) {
		t.port = strtoul(de->d_name, NULL, 10);
		found = t.port && search_table(&t, ifname, gid, out);
	}
	closedir(dir);
	return found;
}

static void search_all(const char *root, const char *ifname, const char *gid,
		       struct conn_gid *out)
{
	char path[PATH_LEN];
	struct dirent *de;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/class/infiniband", root);
	dir = opendir(path);
	if (!dir)
		return;
	while ((de = readdir(dir)))
		if (de->d_name[0] != '.' &&
		    search_device(root, de->d_name, ifname, gid, out))
			break;
	closedir(dir);
}

/* "Global tclass=106" and rules below it, or the bare number. */
static int parse_tclass(const char *text)
{
	const char *number = strstr(text, "tclass=");
	char *end;
	long value;

	number = number ? number + strlen("tclass=") : text;
	value = strtol(number, &end, 0);
	return end == number || value <= 0 || value > 255 ? -1 : (int)value;
}

static int read_tclass(const char *root, const char *device, unsigned int port)
{
	char path[PATH_LEN];
	char text[CONN_TEXT];

	snprintf(path, sizeof(path),
		 "%s/class/infiniband/%s/tc/%u/traffic_class", root, device,
		 port);
	return conn_file_read(path, text, sizeof(text)) ? -1 :
							  parse_tclass(text);
}

/**
 * conn_gid_find() - the RDMA side of a source address
 * @root: where sysfs is
 * @device: RDMA device to look at; "" to look at all
 * @port: its port; 0 with all devices
 * @ifname: the interface that has the address
 * @gid: the address as a GID
 * @out: filled in
 */
void conn_gid_find(const char *root, const char *device, unsigned int port,
		   const char *ifname, const char *gid, struct conn_gid *out)
{
	struct table t = { .root = root, .device = device, .port = port };

	*out = (struct conn_gid){ .index = -1, .ofed_tclass = -1 };
	if (*device)
		search_table(&t, ifname, gid, out);
	else
		search_all(root, ifname, gid, out);
	if (*device && !*out->device) {
		snprintf(out->device, sizeof(out->device), "%s", device);
		out->port = port;
	}
	if (*out->device)
		out->ofed_tclass = read_tclass(root, out->device, out->port);
}
