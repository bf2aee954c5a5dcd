// SPDX-License-Identifier: GPL-2.0
/* One request and all that the kernel answers to it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#include "genl.h"

#define PATIENCE	120	/* seconds; a kernel that says nothing hangs */
#define PARTS_MAX	100000

#ifndef NETLINK_EXT_ACK
#define NETLINK_EXT_ACK	11
#endif

static int fd = -1;
static uint32_t seq;
static uint8_t answer_buf[1 << 16];
static uint8_t last_part[1 << 16];	/* the last message of the family */

static void (*part_fn)(const struct nlmsghdr *nlh, void *arg);
static void *part_arg;

/* Called for each message of the answers to come; NULL: no more. */
void each_part(void (*fn)(const struct nlmsghdr *nlh, void *arg), void *arg)
{
	part_fn = fn;
	part_arg = arg;
}

static void set_option(int option)
{
	int on = 1;

	if (setsockopt(fd, SOL_NETLINK, option, &on, sizeof(on)))
		die("netlink option %d: %s", option, strerror(errno));
}

static const void *find(unsigned int type, size_t len)
{
	const struct nlmsghdr *nlh = (const struct nlmsghdr *)last_part;
	size_t at = NLMSG_HDRLEN + GENL_HDRLEN;
	const struct nlattr *nla;

	for (; at + sizeof(*nla) <= nlh->nlmsg_len;
	     at += NLA_ALIGN(nla->nla_len)) {
		nla = (const struct nlattr *)(last_part + at);
		if (nla->nla_len < sizeof(*nla))
			break;
		if (nla->nla_type == type && nla->nla_len == NLA_HDRLEN + len)
			return nla + 1;
	}
	return NULL;
}

bool answer_has(const struct attr *attr)
{
	return find(attr->number, sizeof(uint32_t));
}

/* An attribute at the top of the last message of the answer. */
static const void *answered(unsigned int type, size_t len)
{
	const void *value = find(type, len);

	if (!value)
		die("an answer without attribute %u", type);
	return value;
}

uint32_t answered_u32(const struct attr *attr)
{
	uint32_t value;

	memcpy(&value, answered(attr->number, sizeof(value)), sizeof(value));
	return value;
}

static void find_family(void)
{
	static const struct command control = { .number = CTRL_CMD_GETFAMILY };
	static struct message msg;
	struct answer answer;

	table.id = GENL_ID_CTRL;
	message_begin(&msg, &control);
	put(&msg, CTRL_ATTR_FAMILY_NAME, table.family,
	    strlen(table.family) + 1);
	message_end(&msg);
	ask(&msg, &answer);
	if (answer.refused)
		die("there is no family %s", table.family);
	memcpy(&table.id, answered(CTRL_ATTR_FAMILY_ID, sizeof(table.id)),
	       sizeof(table.id));
}

void ask_open(void)
{
	struct sockaddr_nl local = { .nl_family = AF_NETLINK };
	struct timeval patience = { .tv_sec = PATIENCE };

	fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	if (fd < 0 || bind(fd, (struct sockaddr *)&local, sizeof(local)) ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)))
		die("no netlink: %s", strerror(errno));
	set_option(NETLINK_EXT_ACK);
	set_option(NETLINK_CAP_ACK);
	find_family();
}

/* The words among the attributes behind an errno. */
static void take_words(struct answer *answer, const uint8_t *at,
		       const uint8_t *end)
{
	const struct nlattr *nla;

	for (; at + sizeof(*nla) <= end; at += NLA_ALIGN(nla->nla_len)) {
		nla = (const struct nlattr *)at;
		if (nla->nla_len < sizeof(*nla) || at + nla->nla_len > end)
			return;
		if ((nla->nla_type & NLA_TYPE_MASK) == NLMSGERR_ATTR_MSG)
			snprintf(answer->words, sizeof(answer->words), "%.*s",
				 nla->nla_len - NLA_HDRLEN, (const char *)(nla + 1));
	}
}

/* An acknowledgement, an error, or the end of a dump: all bear an errno. */
static void take_end(struct answer *answer, const struct nlmsghdr *nlh)
{
	const uint8_t *end = (const uint8_t *)nlh + nlh->nlmsg_len;
	const uint8_t *at = NLMSG_DATA(nlh);
	size_t len = nlh->nlmsg_type == NLMSG_ERROR ?
		     sizeof(struct nlmsgerr) : sizeof(int);
	int err = 0;

	if (at + sizeof(err) <= end)
		memcpy(&err, at, sizeof(err));
	answer->answered = true;
	answer->refused = err != 0;
	answer->err = -err;
	if (nlh->nlmsg_flags & NLM_F_ACK_TLVS)
		take_words(answer, at + len, end);
}

static void take_part(struct answer *answer, const struct nlmsghdr *nlh)
{
	if (++answer->parts > PARTS_MAX)
		die("an answer without end");
	memcpy(last_part, nlh, nlh->nlmsg_len);
	if (part_fn)
		part_fn(nlh, part_arg);
}

/* Receives until the answer to message number @until has ended. */
static void receive(struct answer *answer, uint32_t first, uint32_t until)
{
	struct nlmsghdr *nlh;
	ssize_t len;

	for (;;) {
		len = recv(fd, answer_buf, sizeof(answer_buf), 0);
		if (len < 0 && errno == ENOBUFS)
			continue;
		if (len < 0)
			die("the kernel does not answer: %s", strerror(errno));
		for (nlh = (struct nlmsghdr *)answer_buf;
		     NLMSG_OK(nlh, (size_t)len); nlh = NLMSG_NEXT(nlh, len)) {
			if (nlh->nlmsg_type != NLMSG_ERROR &&
			    nlh->nlmsg_type != NLMSG_DONE) {
				if (nlh->nlmsg_seq == first)
					take_part(answer, nlh);
				continue;
			}
			if (nlh->nlmsg_seq == first && !answer->answered)
				take_end(answer, nlh);
			if (nlh->nlmsg_seq == until)
				return;
		}
	}
}

static void transmit(struct message *msg)
{
	struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	struct nlmsghdr *nlh = message_header(msg);

	nlh->nlmsg_seq = ++seq;
	if (sendto(fd, msg->data, msg->len, 0, (struct sockaddr *)&kernel,
		   sizeof(kernel)) < 0)
		die("sending: %s", strerror(errno));
}

/*
 * The kernel need not answer what is no message to it, but then answers the
 * next one, a request that is always right.
 */
static void transmit_probe(void)
{
	static const struct command probe = { .number = CTRL_CMD_GETFAMILY };
	static struct message msg;
	uint16_t id = GENL_ID_CTRL;

	message_begin(&msg, &probe);
	put(&msg, CTRL_ATTR_FAMILY_ID, &id, sizeof(id));
	message_end(&msg);
	message_header(&msg)->nlmsg_type = GENL_ID_CTRL;
	transmit(&msg);
}

void ask(struct message *msg, struct answer *answer)
{
	uint32_t first;

	memset(answer, 0, sizeof(*answer));
	transmit(msg);
	first = seq;
	if (msg->unsound)
		transmit_probe();
	receive(answer, first, seq);
}

/* For the one who has to find out. */
void ask_print(const struct message *msg)
{
	size_t i, n = msg->len < 256 ? msg->len : 256;

	printf("  message of %zu bytes: ", msg->len);
	for (i = 0; i < n; i++)
		printf("%02x", msg->data[i]);
	printf("%s\n", n < msg->len ? "..." : "");
}
