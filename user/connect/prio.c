// SPDX-License-Identifier: GPL-2.0
/*
 * Which priority the frames of a connection took, by the port's own
 * per-priority packet counters: ethtool statistics under three names.
 */

#include <errno.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include "connect.h"

/* More than any driver has; keeps a wrong count from eating memory. */
#define STATS_MAX	65536

static const struct {
	bool tx;
	const char *before;
	const char *after;
} names[] = {
	{ true, "tx_prio", "_packets" },	/* mlx5, mlx4 */
	{ false, "rx_prio", "_packets" },
	{ true, "tx_packets_pri", "" },		/* bnxt */
	{ false, "rx_packets_pri", "" },
	{ true, "frames_tx_pri_", "" },		/* ionic */
	{ false, "frames_rx_pri_", "" },
};

/**
 * conn_prio_name() - is this statistic packets of one priority?
 * @name: as the driver calls it
 * @tx: set: sent, or else received
 * @priority: set
 *
 * Return: true if it is.
 */
bool conn_prio_name(const char *name, bool *tx, unsigned int *priority)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		size_t len = strlen(names[i].before);
		char digit;

		if (strncmp(name, names[i].before, len))
			continue;
		digit = name[len];
		if (digit < '0' || digit > '7' ||
		    strcmp(name + len + 1, names[i].after))
			continue;
		*tx = names[i].tx;
		*priority = digit - '0';
		return true;
	}
	return false;
}

static int ethtool(int fd, const char *ifname, void *request)
{
	struct ifreq ifr = { 0 };

	snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", ifname);
	ifr.ifr_data = request;
	return ioctl(fd, SIOCETHTOOL, &ifr) ? -errno : 0;
}

static unsigned int count(int fd, const char *ifname)
{
	struct {
		struct ethtool_sset_info info;
		uint32_t length;
	} request = {
		.info.cmd = ETHTOOL_GSSET_INFO,
		.info.sset_mask = 1ULL << ETH_SS_STATS,
	};

	if (ethtool(fd, ifname, &request) || !request.info.sset_mask ||
	    request.length > STATS_MAX)
		return 0;
	return request.length;
}

static void take(struct conn_prio *prio, const struct ethtool_gstrings *strings,
		 const struct ethtool_stats *stats)
{
	unsigned int n = stats->n_stats < strings->len ? stats->n_stats :
							  strings->len;
	char name[ETH_GSTRING_LEN + 1] = "";
	unsigned int priority;
	unsigned int i;
	bool tx;

	for (i = 0; i < n; i++) {
		memcpy(name, strings->data + i * ETH_GSTRING_LEN,
		       ETH_GSTRING_LEN);
		if (!conn_prio_name(name, &tx, &priority))
			continue;
		prio->known = true;
		(tx ? prio->tx : prio->rx)[priority] += stats->data[i];
	}
}

static void read_stats(int fd, const char *ifname, unsigned int n,
		       struct conn_prio *prio)
{
	struct ethtool_gstrings *strings;
	struct ethtool_stats *stats;

	strings = calloc(1, sizeof(*strings) + (size_t)n * ETH_GSTRING_LEN);
	stats = calloc(1, sizeof(*stats) + (size_t)n * sizeof(__u64));
	if (strings && stats) {
		strings->cmd = ETHTOOL_GSTRINGS;
		strings->string_set = ETH_SS_STATS;
		strings->len = n;
		stats->cmd = ETHTOOL_GSTATS;
		stats->n_stats = n;
		if (!ethtool(fd, ifname, strings) &&
		    !ethtool(fd, ifname, stats))
			take(prio, strings, stats);
	}
	free(strings);
	free(stats);
}

/**
 * conn_prio_read() - add a port's per-priority packet counters
 * @ifname: the port
 * @prio: added to; @known is set if the driver has such counters
 */
void conn_prio_read(const char *ifname, struct conn_prio *prio)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	unsigned int n;

	if (fd < 0)
		return;
	n = count(fd, ifname);
	if (n)
		read_stats(fd, ifname, n, prio);
	close(fd);
}

/**
 * conn_prio_since() - what was counted in between
 * @before: earlier
 * @after: later
 * @diff: set to the difference
 *
 * A counter that went back was reset: it then counts from zero.
 */
void conn_prio_since(const struct conn_prio *before,
		     const struct conn_prio *after, struct conn_prio *diff)
{
	unsigned int i;

	diff->known = before->known && after->known;
	for (i = 0; i < RG_PRIORITIES; i++) {
		diff->tx[i] = after->tx[i] -
			(after->tx[i] < before->tx[i] ? 0 : before->tx[i]);
		diff->rx[i] = after->rx[i] -
			(after->rx[i] < before->rx[i] ? 0 : before->rx[i]);
	}
}
