// SPDX-License-Identifier: GPL-2.0
/* A freeze that outlasts a reboot. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "frozen.h"

#ifndef STATEDIR
#define STATEDIR	"/var/lib/roceguard"
#endif

/* The file: "until=1798765432", or "until=thaw". */
#define UNTIL		"until="
#define UNTIL_THAW	"thaw"

const char *frozen_path(void)
{
	const char *path = getenv("ROCEGUARD_FROZEN");

	return path && *path ? path : STATEDIR "/frozen";
}

static int write_line(int fd, time_t until)
{
	char line[64];
	int n;

	if (until == FROZEN_FOR_EVER)
		n = snprintf(line, sizeof(line), UNTIL UNTIL_THAW "\n");
	else
		n = snprintf(line, sizeof(line), UNTIL "%lld\n",
			     (long long)until);
	errno = ENOSPC;
	if (write(fd, line, (size_t)n) != n || fchmod(fd, 0644) || fsync(fd))
		return -errno;
	return 0;
}

/* The name is safe once its folder is. */
static int sync_folder(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int err = 0;

	if (fd < 0 || fsync(fd))
		err = -errno;
	if (fd >= 0)
		close(fd);
	return err;
}

static int replace(const char *folder, const char *path, time_t until)
{
	char temp[PATH_MAX];
	int fd, err;

	if (snprintf(temp, sizeof(temp), "%s.XXXXXX", path) >=
	    (int)sizeof(temp))
		return -ENAMETOOLONG;
	fd = mkostemp(temp, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = write_line(fd, until);
	close(fd);
	if (!err && rename(temp, path))
		err = -errno;
	if (err)
		unlink(temp);
	return err ? err : sync_folder(folder);
}

int frozen_keep(time_t until)
{
	const char *path = frozen_path();
	char copy[PATH_MAX];
	char *folder;

	if (snprintf(copy, sizeof(copy), "%s", path) >= (int)sizeof(copy))
		return -ENAMETOOLONG;
	folder = dirname(copy);
	if (mkdir(folder, 0755) && errno != EEXIST)
		return -errno;
	return replace(folder, path, until);
}

static int parse(const char *line, time_t *until)
{
	char *end;

	if (strncmp(line, UNTIL, strlen(UNTIL)))
		return -EBADMSG;
	line += strlen(UNTIL);
	*until = FROZEN_FOR_EVER;
	if (!strcmp(line, UNTIL_THAW "\n"))
		return 0;
	errno = 0;
	*until = strtoll(line, &end, 10);
	return errno || *until <= 0 || strcmp(end, "\n") ? -EBADMSG : 0;
}

int frozen_read(time_t *until)
{
	int fd = open(frozen_path(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	char line[64];
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = read(fd, line, sizeof(line) - 1);
	if (n < 0)
		n = -errno;
	close(fd);
	if (n < 0)
		return (int)n;
	line[n] = '\0';
	return parse(line, until);
}

int frozen_forget(void)
{
	return unlink(frozen_path()) && errno != ENOENT ? -errno : 0;
}
