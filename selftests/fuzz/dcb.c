// SPDX-License-Identifier: GPL-2.0
/*
 * dcb IFNAME SEED ROUNDS
 *
 * Sends what looks like the kernel's word of a DCB write to those who listen to
 * RTNLGRP_DCB in this network namespace, and to each of their port ids; right
 * at first, then with bytes changed by chance.
 */
#include <errno.h>
#include <linux/dcbnl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define PORTS_MAX	64

struct message {
	struct nlmsghdr nlh;
	struct dcbmsg dcb;
	struct nlattr nla;
	char ifname[IFNAMSIZ];
};

static uint64_t state;
static unsigned long sent, taken, refused;

static unsigned int below(unsigned int n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % n;
}

static void make(struct message *msg, const char *ifname)
{
	memset(msg, 0, sizeof(*msg));
	msg->nlh.nlmsg_len = sizeof(*msg);
	msg->nlh.nlmsg_type = RTM_SETDCB;
	msg->dcb.dcb_family = AF_UNSPEC;
	msg->dcb.cmd = DCB_CMD_IEEE_SET;
	msg->nla.nla_type = DCB_ATTR_IFNAME;
	msg->nla.nla_len = NLA_HDRLEN + strlen(ifname) + 1;
	snprintf(msg->ifname, sizeof(msg->ifname), "%s", ifname);
}

static void mutate(struct message *msg)
{
	unsigned int n = 1 + below(4);

	while (n--)
		((uint8_t *)msg)[below(sizeof(*msg))] = below(2) ? below(256) :
								   below(32);
}

static void transmit(int fd, const struct message *msg, uint32_t port,
		     uint32_t groups)
{
	struct sockaddr_nl to = {
		.nl_family = AF_NETLINK, .nl_pid = port, .nl_groups = groups,
	};

	sent++;
	if (sendto(fd, msg, sizeof(*msg), MSG_DONTWAIT, (struct sockaddr *)&to,
		   sizeof(to)) < 0)
		refused++;
	else
		taken++;
}

/* Of all sockets for rtnetlink, our module's among them, but that of rtnetlink. */
static unsigned int read_ports(uint32_t *ports)
{
	FILE *in = fopen("/proc/self/net/netlink", "r");
	unsigned int protocol, n = 0;
	char line[256];
	uint32_t port;

	while (in && n < PORTS_MAX && fgets(line, sizeof(line), in))
		if (sscanf(line, "%*s %u %u", &protocol, &port) == 2 &&
		    protocol == NETLINK_ROUTE && port)
			ports[n++] = port;
	if (in)
		fclose(in);
	return n;
}

int main(int argc, char **argv)
{
	struct sockaddr_nl local = { .nl_family = AF_NETLINK };
	socklen_t len = sizeof(local);
	uint32_t ports[PORTS_MAX];
	unsigned int n_ports, i, k;
	struct message msg;
	unsigned int rounds;
	int fd;

	if (argc != 4)
		return 2;
	state = strtoull(argv[2], NULL, 0) | 1;
	rounds = strtoul(argv[3], NULL, 0);
	fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
	if (fd < 0 || bind(fd, (struct sockaddr *)&local, sizeof(local)) ||
	    getsockname(fd, (struct sockaddr *)&local, &len)) {
		perror("netlink");
		return 2;
	}
	n_ports = read_ports(ports);
	for (i = 0; i < rounds; i++) {
		make(&msg, argv[1]);
		if (i % 4)
			mutate(&msg);
		/* its own port, lest rtnetlink itself get it, too */
		transmit(fd, &msg, local.nl_pid, 1u << (RTNLGRP_DCB - 1));
		for (k = 0; k < n_ports; k++)
			transmit(fd, &msg, ports[k], 0);
		while (recv(fd, &msg, sizeof(msg), MSG_DONTWAIT) >= 0)
			;
	}
	printf("%lu messages sent to the group and %u port ids: %lu taken, %lu refused\n",
	       sent, n_ports, taken, refused);
	return 0;
}
