// SPDX-License-Identifier: GPL-2.0
/*
 * labctl - one request to a running lab
 *
 *   labctl switch SOCKET WORD...    a command for labswitch
 *   labctl qmp SOCKET JSON          a command for QEMU's monitor
 */
#define _GNU_SOURCE
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "talk.h"

#define TIMEOUT_S 10

static int cannot_reach(const char *what, const char *path)
{
	fprintf(stderr, "lab: cannot reach %s at %s: %s\n", what, path,
		strerror(errno));
	return 1;
}

static int ask_switch(const char *path, int count, char **words)
{
	char line[4096], answer[65536];
	size_t len = 0;
	ssize_t got;
	int fd, i;

	for (i = 0; i < count; i++) {
		len += snprintf(line + len, sizeof(line) - len, "%s%s",
				i ? "\t" : "", words[i]);
		if (len >= sizeof(line)) {
			fputs("lab: the command is too long\n", stderr);
			return 1;
		}
	}
	fd = unix_connect(path, SOCK_SEQPACKET, TIMEOUT_S);
	if (fd < 0 || send(fd, line, len, MSG_NOSIGNAL) < 0)
		return cannot_reach("the switch", path);
	got = recv(fd, answer, sizeof(answer) - 1, 0);
	close(fd);
	if (got <= 0)
		return cannot_reach("the switch", path);
	answer[got] = '\0';
	if (!strncmp(answer, "error ", 6)) {
		fprintf(stderr, "lab: %s\n", answer + 6);
		return 1;
	}
	fputs(answer, stdout);
	return 0;
}

static int ask_qmp(const char *path, const char *text)
{
	static struct talk talk;
	struct json_object *greeting, *hello, *command, *answer;

	command = json_tokener_parse(text);
	if (!command) {
		fprintf(stderr, "lab: '%s' is no JSON\n", text);
		return 1;
	}
	talk.fd = unix_connect(path, SOCK_STREAM, TIMEOUT_S);
	if (talk.fd < 0)
		return cannot_reach("the host", path);
	greeting = talk_receive(&talk);
	if (!greeting)
		return cannot_reach("the host", path);
	json_object_put(greeting);
	hello = json_tokener_parse("{\"execute\":\"qmp_capabilities\"}");
	json_object_put(talk_ask(&talk, hello));
	answer = talk_ask(&talk, command);
	if (!answer)
		return 1;
	if (json_object_object_length(answer))
		puts(json_object_to_json_string(answer));
	json_object_put(answer);
	json_object_put(command);
	json_object_put(hello);
	close(talk.fd);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc >= 4 && !strcmp(argv[1], "switch"))
		return ask_switch(argv[2], argc - 3, argv + 3);
	if (argc == 4 && !strcmp(argv[1], "qmp"))
		return ask_qmp(argv[2], argv[3]);
	fputs("usage: labctl switch SOCKET WORD... | qmp SOCKET JSON\n",
	      stderr);
	return 1;
}
