// SPDX-License-Identifier: GPL-2.0
/* The few words of sd_notify(3) that a service needs. */
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "agent/agent.h"

/* Nobody would notice one that was lost: the next one comes. */
void agent_notify(const char *fmt, ...)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	const char *path = getenv("NOTIFY_SOCKET");
	char text[256];
	va_list args;
	size_t len;
	int fd, n;

	if (!path || (*path != '/' && *path != '@'))
		return;
	len = strlen(path);
	if (len >= sizeof(to.sun_path))
		return;
	memcpy(to.sun_path, path, len);
	if (*path == '@')
		to.sun_path[0] = '\0';
	va_start(args, fmt);
	n = vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	if (n > 0)
		(void)sendto(fd, text, strlen(text), MSG_NOSIGNAL,
			     (struct sockaddr *)&to,
			     (socklen_t)(offsetof(struct sockaddr_un, sun_path) +
					 len));
	close(fd);
}

long agent_watchdog_ms(void)
{
	const char *usec = getenv("WATCHDOG_USEC");
	long ms = usec ? strtol(usec, NULL, 10) / 1000 / 2 : 0;

	return ms > 0 ? ms : LONG_MAX;
}
