// SPDX-License-Identifier: GPL-2.0
/* What racer and nth share. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "racer.h"

void die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("wrong: ", stdout);
	vprintf(format, args);
	putchar('\n');
	va_end(args);
	exit(1);
}

unsigned long number(const char *arg, unsigned long otherwise)
{
	char *end;
	unsigned long n;

	if (!*arg)
		return otherwise;
	n = strtoul(arg, &end, 0);
	if (*end)
		die("'%s' is not a number", arg);
	return n;
}

void pause_us(unsigned long us)
{
	struct timespec time = { us / 1000000, us % 1000000 * 1000 };

	nanosleep(&time, NULL);
}

int module_load(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err;

	if (fd < 0)
		return -errno;
	err = syscall(SYS_finit_module, fd, "", 0) ? -errno : 0;
	close(fd);
	return err;
}
