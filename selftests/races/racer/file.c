// SPDX-License-Identifier: GPL-2.0
/* Files that are read or written, and modules that come and go. */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "racer.h"

#define SYSFS	"/sys/class/net/%s/roceguard/%s"

static bool read_all(const char *path)
{
	char buf[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return false;
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		;
	close(fd);
	return !n;
}

/* sysfs:PATTERN - all that roceguard shows of ports so named */
static int sysfs(struct racer *racer)
{
	static const char *const below[] = { "*", "knobs/*", "counters/*" };
	const char *name = *racer->arg[0] ? racer->arg[0] : "*";
	char pattern[256];
	size_t i, j, n = 0;
	glob_t found;

	for (i = 0; i < ARRAY_SIZE(below); i++) {
		snprintf(pattern, sizeof(pattern), SYSFS, name, below[i]);
		if (glob(pattern, 0, NULL, &found))
			continue;
		for (j = 0; j < found.gl_pathc; j++)
			n += read_all(found.gl_pathv[j]);
		globfree(&found);
	}
	return n ? 0 : -ENOENT;
}

/* write:PATH:TEXT:US */
static int write_file(struct racer *racer)
{
	const char *text = racer->arg[1];
	int fd = open(racer->arg[0], O_WRONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = write(fd, text, strlen(text));
	close(fd);
	pause_us(number(racer->arg[2], 1000));
	return n < 0 ? -EIO : 0;
}

/* read:PATH:OFFSET - a block, past what may be cached */
static int read_block(struct racer *racer)
{
	static char buf[65536] __attribute__((aligned(4096)));
	int fd = open(racer->arg[0], O_RDONLY | O_DIRECT | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = pread(fd, buf, sizeof(buf), (off_t)(racer->turns % 64 * sizeof(buf)));
	close(fd);
	return n < 0 ? -EIO : 0;
}

static int unload(const char *name)
{
	return syscall(SYS_delete_module, name, O_NONBLOCK) ? -errno : 0;
}

/* In the order in which they can be loaded. */
static const char *const modules[] = {
	"roceguard", "roceguard_rdma", "roceguard_labnic",
};

static int load_all(const char *folder)
{
	char path[256];
	size_t i;
	int err;

	for (i = 0; i < ARRAY_SIZE(modules); i++) {
		snprintf(path, sizeof(path), "%.200s/%s.ko", folder, modules[i]);
		err = module_load(path);
		if (err && err != -EEXIST)
			return err;
	}
	return 0;
}

/* Others may hold a module for a moment, or bring one that uses it. */
static int unload_all(void)
{
	int tries, err = -EBUSY;
	size_t i;

	for (tries = 0; tries < 1000; tries++) {
		for (i = ARRAY_SIZE(modules); i--; )
			err = unload(modules[i]);
		if (!err || err == -ENOENT)
			return 0;
		pause_us(2000);
	}
	return err;
}

/* reload:FOLDER:US - of all modules, from where they are */
static int reload(struct racer *racer)
{
	int err = load_all(racer->arg[0]);

	if (!err)
		pause_us(racer->turns % 5 * number(racer->arg[1], 5000));
	return unload_all() ?: err;
}

const struct action file_actions[] = {
	{ "sysfs", "[:PATTERN]", NULL, sysfs, NULL, true },
	{ "write", ":PATH:TEXT[:US]", NULL, write_file, NULL, false },
	{ "read", ":PATH", NULL, read_block, NULL, false },
	{ "reload", ":FOLDER[:US]", NULL, reload, NULL, false },
	{}
};
