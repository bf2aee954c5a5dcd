// SPDX-License-Identifier: GPL-2.0
/*
 * dump ROUNDS [PAUSE_US]: reads the counters of all ports from the kernel, that
 * often, and says how long each took and had the processor for, in us: the least
 * that a program has to do for them.
 */
#include <errno.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/roceguard.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define ANSWER_MAX	(64 * 1024)

struct request {
	struct nlmsghdr nlh;
	struct genlmsghdr genl;
	struct nlattr attr;
	char name[NLMSG_ALIGN(sizeof(ROCEGUARD_FAMILY_NAME))];
};

static char answer[ANSWER_MAX];

static void die(const char *what)
{
	fprintf(stderr, "dump: %s: %s\n", what, strerror(errno));
	exit(2);
}

static size_t receive(int sock)
{
	ssize_t n = recv(sock, answer, sizeof(answer), 0);

	if (n < (ssize_t)NLMSG_HDRLEN)
		die("recv");
	return (size_t)n;
}

static void ask(int sock, uint16_t family, uint8_t cmd, uint16_t flags,
		struct request *request, size_t len)
{
	request->nlh.nlmsg_len = (uint32_t)len;
	request->nlh.nlmsg_type = family;
	request->nlh.nlmsg_flags = NLM_F_REQUEST | flags;
	request->genl.cmd = cmd;
	request->genl.version = 1;
	if (send(sock, request, len, 0) != (ssize_t)len)
		die("send");
}

static uint16_t family_id(int sock)
{
	struct request request = {
		.attr = {
			.nla_len = NLA_HDRLEN + sizeof(ROCEGUARD_FAMILY_NAME),
			.nla_type = CTRL_ATTR_FAMILY_NAME,
		},
		.name = ROCEGUARD_FAMILY_NAME,
	};
	const struct nlmsghdr *nlh = (const struct nlmsghdr *)answer;
	const char *at = answer + NLMSG_HDRLEN + GENL_HDRLEN;
	struct nlattr attr;
	uint16_t id;
	size_t n;

	ask(sock, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 0, &request,
	    sizeof(request));
	n = receive(sock);
	if (nlh->nlmsg_type == NLMSG_ERROR) {
		errno = ENOENT;
		die(ROCEGUARD_FAMILY_NAME);
	}
	for (; at + NLA_HDRLEN <= answer + n; at += NLA_ALIGN(attr.nla_len)) {
		memcpy(&attr, at, sizeof(attr));
		if (attr.nla_type != CTRL_ATTR_FAMILY_ID)
			continue;
		memcpy(&id, at + NLA_HDRLEN, sizeof(id));
		return id;
	}
	errno = EBADMSG;
	die("the answer");
	return 0;
}

/* Return: is this the end of the dump? */
static bool is_last(size_t n)
{
	const struct nlmsghdr *nlh = (const struct nlmsghdr *)answer;
	int left = (int)n, err;

	for (; NLMSG_OK(nlh, left); nlh = NLMSG_NEXT(nlh, left)) {
		if (nlh->nlmsg_type == NLMSG_DONE)
			return true;
		if (nlh->nlmsg_type != NLMSG_ERROR)
			continue;
		memcpy(&err, NLMSG_DATA(nlh), sizeof(err));
		errno = -err;
		die("counters-get");
	}
	return false;
}

static void dump(int sock, uint16_t family)
{
	struct request request = { 0 };

	ask(sock, family, ROCEGUARD_CMD_COUNTERS_GET, NLM_F_DUMP, &request,
	    NLMSG_HDRLEN + GENL_HDRLEN);
	while (!is_last(receive(sock)))
		;
}

static uint64_t now_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

int main(int argc, char **argv)
{
	unsigned long rounds, pause_us;
	uint64_t begin, had;
	uint16_t family;
	int sock;

	if (argc < 2 || argc > 3) {
		fprintf(stderr, "usage: dump ROUNDS [PAUSE_US]\n");
		return 1;
	}
	rounds = strtoul(argv[1], NULL, 10);
	pause_us = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
	sock = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	if (sock < 0)
		die("socket");
	family = family_id(sock);
	for (; rounds; rounds--) {
		had = now_ns(CLOCK_PROCESS_CPUTIME_ID);
		begin = now_ns(CLOCK_MONOTONIC);
		dump(sock, family);
		begin = now_ns(CLOCK_MONOTONIC) - begin;
		had = now_ns(CLOCK_PROCESS_CPUTIME_ID) - had;
		printf("%.1f %.1f\n", (double)begin / 1000, (double)had / 1000);
		usleep((useconds_t)pause_us);
	}
	return 0;
}
