// SPDX-License-Identifier: GPL-2.0
/* Conversations over the unix sockets of a lab host: QMP and guest agent. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "talk.h"

bool pid_file_held(const char *path)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int fd, ret;

	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return false;
	ret = fcntl(fd, F_GETLK, &lock);
	close(fd);
	return !ret && lock.l_type != F_UNLCK;
}

int unix_connect(const char *path, int type, int timeout_s)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	struct timeval limit = { .tv_sec = timeout_s };
	int fd, saved;

	if (strlen(path) >= sizeof(addr.sun_path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	strcpy(addr.sun_path, path);
	fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
	if (!connect(fd, (struct sockaddr *)&addr, sizeof(addr)))
		return fd;
	saved = errno;
	close(fd);
	errno = saved;
	return -1;
}

static int send_all(int fd, const char *data, size_t len)
{
	ssize_t done;

	while (len) {
		done = send(fd, data, len, MSG_NOSIGNAL);
		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return -1;
		data += done;
		len -= done;
	}
	return 0;
}

int talk_send(struct talk *talk, const char *text)
{
	return send_all(talk->fd, text, strlen(text)) ||
	       send_all(talk->fd, "\n", 1) ? -1 : 0;
}

static struct json_object *next_line(struct talk *talk)
{
	struct json_object *value;
	size_t used;
	char *end;

	end = memchr(talk->buf, '\n', talk->len);
	if (!end)
		return NULL;
	*end = '\0';
	value = json_tokener_parse(talk->buf);
	used = end + 1 - talk->buf;
	talk->len -= used;
	memmove(talk->buf, end + 1, talk->len);
	return value;
}

/* The guest agent sets its answers apart by a byte that no text contains. */
static size_t strip_separators(char *text, size_t len)
{
	size_t from, to = 0;

	for (from = 0; from < len; from++)
		if (text[from] != '\xff')
			text[to++] = text[from];
	return to;
}

struct json_object *talk_receive(struct talk *talk)
{
	struct json_object *value;
	ssize_t got;

	for (;;) {
		while (memchr(talk->buf, '\n', talk->len)) {
			value = next_line(talk);
			if (value)
				return value;
		}
		if (talk->len == sizeof(talk->buf)) {
			errno = EMSGSIZE;
			return NULL;
		}
		got = recv(talk->fd, talk->buf + talk->len,
			   sizeof(talk->buf) - talk->len, 0);
		if (got < 0 && errno == EINTR)
			continue;
		if (!got)
			errno = ECONNRESET;
		if (got <= 0)
			return NULL;
		talk->len += strip_separators(talk->buf + talk->len, got);
	}
}

struct json_object *talk_ask(struct talk *talk, struct json_object *command)
{
	struct json_object *answer, *part;

	if (talk_send(talk, json_object_to_json_string(command)))
		goto broken;
	while ((answer = talk_receive(talk))) {
		if (json_object_object_get_ex(answer, "return", &part)) {
			json_object_get(part);
			json_object_put(answer);
			return part;
		}
		if (json_object_object_get_ex(answer, "error", &part)) {
			fprintf(stderr, "lab: %s\n",
				json_object_to_json_string(part));
			json_object_put(answer);
			return NULL;
		}
		json_object_put(answer);
	}
broken:
	fprintf(stderr, "lab: no answer from the host: %s\n", strerror(errno));
	return NULL;
}
