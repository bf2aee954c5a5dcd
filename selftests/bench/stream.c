// SPDX-License-Identifier: GPL-2.0
/*
 * stream DEV DSCP US: sends a RoCE v2 frame on a port every so many
 * microseconds, down or not, until it is killed: an application that does not
 * wait for anybody's configuration. Past routing and neighbours, which would hold
 * frames back for a while after link-up; to an address that nobody has.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netinet/ip.h>
#include <netinet/udp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define ROCE_V2_PORT	4791
#define BTH_SEND_ONLY	0x04
#define PAYLOAD		64
#define ICRC		4

struct frame {
	struct ether_header eth;
	struct iphdr ip;
	struct udphdr udp;
	uint8_t bth[12];
	uint8_t payload[PAYLOAD + ICRC];
} __attribute__((packed));

static void fill(struct frame *frame, unsigned int dscp)
{
	static const uint8_t to[ETH_ALEN] = { 0x02, 0, 0, 0, 0, 0xfe };
	static const uint8_t from[ETH_ALEN] = { 0x02, 0, 0, 0, 0, 0xfd };
	size_t udp_len = sizeof(*frame) - offsetof(struct frame, udp);

	memset(frame, 0, sizeof(*frame));
	memcpy(frame->eth.ether_dhost, to, sizeof(to));
	memcpy(frame->eth.ether_shost, from, sizeof(from));
	frame->eth.ether_type = htons(ETHERTYPE_IP);
	frame->ip.version = 4;
	frame->ip.ihl = sizeof(frame->ip) / 4;
	frame->ip.tos = dscp << 2;
	frame->ip.ttl = 1;
	frame->ip.protocol = IPPROTO_UDP;
	frame->ip.tot_len = htons(udp_len + sizeof(frame->ip));
	frame->udp.dest = htons(ROCE_V2_PORT);
	frame->udp.source = htons(ROCE_V2_PORT);
	frame->udp.len = htons(udp_len);
	frame->bth[0] = BTH_SEND_ONLY;
	/* Of a queue pair that is not connection set-up. */
	frame->bth[7] = 0x11;
}

static void die(const char *what)
{
	fprintf(stderr, "stream: %s: %s\n", what, strerror(errno));
	exit(2);
}

int main(int argc, char **argv)
{
	struct sockaddr_ll at = { .sll_family = AF_PACKET };
	struct timespec pause = { 0 };
	struct frame frame;
	int sock;

	if (argc != 4) {
		fprintf(stderr, "usage: stream DEV DSCP US\n");
		return 1;
	}
	at.sll_ifindex = if_nametoindex(argv[1]);
	if (!at.sll_ifindex)
		die(argv[1]);
	fill(&frame, strtoul(argv[2], NULL, 10));
	pause.tv_nsec = strtoul(argv[3], NULL, 10) * 1000;
	sock = socket(AF_PACKET, SOCK_RAW, 0);
	if (sock < 0)
		die("socket");
	for (;;) {
		if (sendto(sock, &frame, sizeof(frame), 0,
			   (struct sockaddr *)&at, sizeof(at)) < 0 &&
		    errno != ENETDOWN && errno != ENOBUFS)
			die("send");
		nanosleep(&pause, NULL);
	}
}
