// SPDX-License-Identifier: GPL-2.0
/* Small files of sysfs, configfs and debugfs. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "delegate.h"

/* One read: configfs of Linux 5.14 gave the same bytes again for ever. */
int file_read(const char *path, char *buf)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	ssize_t n;

	buf[0] = '\0';
	if (fd < 0)
		return -errno;
	n = read(fd, buf, DELEGATE_FILE_MAX - 1);
	if (n < 0)
		n = -errno;
	close(fd);
	if (n < 0)
		return (int)n;
	buf[n] = '\0';
	buf[strcspn(buf, "\n")] = '\0';
	return 0;
}

int file_write(const char *path, const char *value)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_NONBLOCK | O_NOCTTY |
			    O_CLOEXEC);
	size_t len = strlen(value);
	int err = 0;
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = write(fd, value, len);
	if (n < 0)
		err = -errno;
	else if ((size_t)n != len)
		err = -EIO;
	if (close(fd) && !err)
		err = -errno;
	return err;
}

int file_number(const char *path, unsigned long most, unsigned long *value)
{
	char text[DELEGATE_FILE_MAX], *end;
	int err = file_read(path, text);

	if (err)
		return err;
	errno = 0;
	*value = strtoul(text, &end, 0);
	if (errno || end == text || *end || text[0] == '-' || *value > most)
		return -EBADMSG;
	return 0;
}

bool file_is_there(const char *path)
{
	return !access(path, F_OK);
}

int folder_open(struct file_folder *folder, const char *fmt, ...)
{
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(folder->path, sizeof(folder->path), fmt, args);
	va_end(args);
	folder->made = false;
	if (n < 0 || n >= (int)sizeof(folder->path))
		return -ENAMETOOLONG;
	if (!mkdir(folder->path, 0755))
		folder->made = true;
	else if (errno != EEXIST)
		return -errno;
	return 0;
}

/* One that somebody else uses meanwhile stays: that is no harm. */
void folder_close(struct file_folder *folder)
{
	if (folder->made)
		(void)rmdir(folder->path);
}
