// SPDX-License-Identifier: GPL-2.0
/* What a port has, without the module. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <linux/dcbnl.h>
#include <linux/ethtool.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../kernel/habits.h"
#include "compare.h"
#include "connect/connect.h"
#include "have.h"

/* Of <linux/dcbnl.h>, which has them since 5.0 and 6.2. */
#define HAVE_DCB_BUFFER		10
#define HAVE_DCB_APP_TRUST	11

static int have_fail(char *error, const char *ifname, const char *what,
		     const char *why)
{
	snprintf(error, HAVE_ERROR_MAX, "%s: %s: %s", ifname, what, why);
	return -1;
}

/* DCB */

/* The payload of an attribute, if it is as long as it has to be. */
static bool payload(const struct nlattr *attr, void *to, size_t size)
{
	if (!attr || nla_len(attr) < (int)size)
		return false;
	memcpy(to, nla_data(attr), size);
	return true;
}

static void take_ets(struct have *have, const struct nlattr *attr)
{
	struct ieee_ets ets;
	int tc;

	if (!payload(attr, &ets, sizeof(ets)))
		return;
	memcpy(have->prio_tc, ets.prio_tc, sizeof(have->prio_tc));
	memcpy(have->bandwidth, ets.tc_tx_bw, sizeof(have->bandwidth));
	for (tc = 0; tc < RG_TCS; tc++)
		have->tsa[tc] = rg_tsa_from_ieee(ets.tc_tsa[tc]);
	have->read |= BIT(ROCEGUARD_KNOB_ETS);
}

static void take_pfc(struct have *have, const struct nlattr *attr)
{
	struct ieee_pfc pfc;

	if (!payload(attr, &pfc, sizeof(pfc)))
		return;
	have->pfc = pfc.pfc_en;
	have->delay = pfc.delay;
	have->read |= BIT(ROCEGUARD_KNOB_PFC);
}

static void take_rates(struct have *have, const struct nlattr *attr)
{
	struct ieee_maxrate maxrate;
	int tc;

	if (!payload(attr, &maxrate, sizeof(maxrate)))
		return;
	for (tc = 0; tc < RG_TCS; tc++)
		have->kbps[tc] = maxrate.tc_maxrate[tc];
	have->read |= BIT(ROCEGUARD_KNOB_MAXRATE);
}

static void take_buffers(struct have *have, const struct nlattr *attr)
{
	struct dcbnl_buffer buffer;

	if (!payload(attr, &buffer, sizeof(buffer)))
		return;
	memcpy(have->prio_buffer, buffer.prio2buffer,
	       sizeof(have->prio_buffer));
	memcpy(have->buffer_size, buffer.buffer_size,
	       sizeof(have->buffer_size));
	have->read |= BIT(ROCEGUARD_KNOB_BUFFER);
}

static void take_apps(struct have *have, struct nlattr *table)
{
	struct nlattr *pos;
	struct dcb_app app;
	int rest;

	have->trust = ROCEGUARD_TRUST_PCP;
	have->read |= BIT(ROCEGUARD_KNOB_DSCP);
	if (!table)
		return;
	nla_for_each_nested(pos, table, rest) {
		if (!payload(pos, &app, sizeof(app)) ||
		    app.selector != IEEE_8021QAZ_APP_SEL_DSCP ||
		    app.protocol >= RG_DSCPS || app.priority >= RG_PRIORITIES)
			continue;
		have->map[app.protocol] |= (u8)BIT(app.priority);
		have->trust = ROCEGUARD_TRUST_DSCP;
	}
}

/* The first of the trusted selectors is the one that rules. */
static void take_trust(struct have *have, struct nlattr *table)
{
	const struct nlattr *first;

	if (!table)
		return;
	first = nla_data(table);
	have->apptrust = true;
	have->trust = nla_ok(first, nla_len(table)) && nla_len(first) &&
		      nla_get_u8(first) == IEEE_8021QAZ_APP_SEL_DSCP ?
		      ROCEGUARD_TRUST_DSCP : ROCEGUARD_TRUST_PCP;
}

void have_take_dcb(struct have *have, struct nlattr *attrs, int len)
{
	struct nlattr *ieee[HAVE_DCB_APP_TRUST + 1];
	struct nlattr *nest = nla_find(attrs, len, DCB_ATTR_IEEE);
	struct nlattr *dcbx = nla_find(attrs, len, DCB_ATTR_DCBX);

	have->dcb = true;
	if (payload(dcbx, &have->dcbx, sizeof(have->dcbx)))
		have->read |= BIT(ROCEGUARD_KNOB_DCBX);
	if (!nest || nla_parse_nested(ieee, HAVE_DCB_APP_TRUST, nest, NULL))
		return;
	take_ets(have, ieee[DCB_ATTR_IEEE_ETS]);
	take_pfc(have, ieee[DCB_ATTR_IEEE_PFC]);
	take_rates(have, ieee[DCB_ATTR_IEEE_MAXRATE]);
	take_buffers(have, ieee[HAVE_DCB_BUFFER]);
	take_apps(have, ieee[DCB_ATTR_IEEE_APP_TABLE]);
	take_trust(have, ieee[HAVE_DCB_APP_TRUST]);
}

static int on_dcb(struct nl_msg *msg, void *arg)
{
	struct nlmsghdr *nlh = nlmsg_hdr(msg);

	have_take_dcb(arg, nlmsg_attrdata(nlh, sizeof(struct dcbmsg)),
		      nlmsg_attrlen(nlh, sizeof(struct dcbmsg)));
	return NL_OK;
}

/* A driver without DCB refuses, which is an answer. */
static int read_dcb(struct nl_sock *sk, struct have *have)
{
	struct dcbmsg dcb = { .dcb_family = AF_UNSPEC, .cmd = DCB_CMD_IEEE_GET };
	struct nl_msg *msg = nlmsg_alloc_simple(RTM_GETDCB, 0);
	int err = -NLE_NOMEM;

	if (msg && !nlmsg_append(msg, &dcb, sizeof(dcb), NLMSG_ALIGNTO) &&
	    !nla_put_string(msg, DCB_ATTR_IFNAME, have->ifname))
		err = nl_socket_modify_cb(sk, NL_CB_VALID, NL_CB_CUSTOM,
					  on_dcb, have);
	if (!err)
		err = nl_send_auto(sk, msg);
	nlmsg_free(msg);
	if (err >= 0)
		err = nl_recvmsgs_default(sk);
	return err < 0 && err != -NLE_OPNOTSUPP ? err : 0;
}

/* Pause and storm prevention */

static bool ask_ethtool(int fd, const char *ifname, void *request)
{
	struct ifreq ifr = { 0 };

	snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", ifname);
	ifr.ifr_data = request;
	return !ioctl(fd, SIOCETHTOOL, &ifr);
}

static void read_ethtool(struct have *have)
{
	struct ethtool_pauseparam pause = { .cmd = ETHTOOL_GPAUSEPARAM };
	struct {
		struct ethtool_tunable tunable;
		uint16_t ms;
	} storm = { .tunable = { .cmd = ETHTOOL_GTUNABLE,
				 .id = ETHTOOL_PFC_PREVENTION_TOUT,
				 .type_id = ETHTOOL_TUNABLE_U16,
				 .len = sizeof(storm.ms) } };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return;
	if (ask_ethtool(fd, have->ifname, &pause)) {
		have->pause_rx = pause.rx_pause;
		have->pause_tx = pause.tx_pause;
		have->read |= BIT(ROCEGUARD_KNOB_PAUSE);
	}
	if (ask_ethtool(fd, have->ifname, &storm)) {
		have->storm = storm.ms;
		have->read |= BIT(ROCEGUARD_KNOB_STORM_PREVENTION);
	}
	close(fd);
}

/* ECN: MLNX_OFED's files, where the driver has them */

static bool read_role(const char *ifname, const char *role, u8 *mask)
{
	char path[PATH_MAX], text[16];
	int prio;

	*mask = 0;
	for (prio = 0; prio < RG_PRIORITIES; prio++) {
		snprintf(path, sizeof(path),
			 "/sys/class/net/%s/ecn/roce_%s/enable/%d", ifname,
			 role, prio);
		if (conn_file_read(path, text, sizeof(text)))
			return false;
		if (!strcmp(text, "1"))
			*mask |= (u8)BIT(prio);
	}
	return true;
}

static void read_ecn(struct have *have)
{
	if (read_role(have->ifname, "np", &have->ecn[0]) &&
	    read_role(have->ifname, "rp", &have->ecn[1]))
		have->read |= BIT(ROCEGUARD_KNOB_ECN);
}

/* Without a link it is -1, or cannot be read. */
static void read_speed(struct have *have)
{
	char path[PATH_MAX], text[16];
	long mbps;

	snprintf(path, sizeof(path), "/sys/class/net/%s/speed", have->ifname);
	if (conn_file_read(path, text, sizeof(text)))
		return;
	mbps = strtol(text, NULL, 10);
	if (mbps > 0)
		have->mbps = (u32)mbps;
}

/* Who it is */

/* As the module has it: the kind of a virtual device, else its bus's driver. */
static void read_driver(struct have *have, const char *kind)
{
	char path[PATH_MAX], target[PATH_MAX];
	const char *base;
	ssize_t n;

	if (*kind) {
		snprintf(have->driver, sizeof(have->driver), "%s", kind);
		return;
	}
	snprintf(path, sizeof(path), "/sys/class/net/%s/device/driver",
		 have->ifname);
	n = readlink(path, target, sizeof(target) - 1);
	if (n < 0)
		return;
	target[n] = '\0';
	base = strrchr(target, '/');
	snprintf(have->driver, sizeof(have->driver), "%.63s",
		 base ? base + 1 : target);
}

static bool is_rdma_of(const char *device, const char *ifname)
{
	char path[PATH_MAX], text[IFNAMSIZ];
	int port;

	for (port = 1; port <= 2; port++) {
		snprintf(path, sizeof(path),
			 "/sys/class/infiniband/%s/ports/%d/gid_attrs/ndevs/0",
			 device, port);
		if (!conn_file_read(path, text, sizeof(text)) &&
		    !strcmp(text, ifname))
			return true;
	}
	return false;
}

static bool has_rdma(const char *ifname)
{
	DIR *dir = opendir("/sys/class/infiniband");
	struct dirent *de;
	bool found = false;

	if (!dir)
		return false;
	while (!found && (de = readdir(dir)))
		found = de->d_name[0] != '.' && is_rdma_of(de->d_name, ifname);
	closedir(dir);
	return found;
}

static int read_link(struct nl_sock *sk, const struct conn_link *link,
		     struct have *have)
{
	int err;

	memset(have, 0, sizeof(*have));
	snprintf(have->ifname, sizeof(have->ifname), "%s", link->name);
	read_driver(have, link->kind);
	have->linked = link->up && link->carrier;
	have->mtu = link->mtu;
	have->read |= BIT(ROCEGUARD_KNOB_MTU);
	have->roce = rg_habits_of(have->driver)->roce || has_rdma(link->name);
	err = read_dcb(sk, have);
	/* One that stands on others (bond, VLAN) has DCB in those alone. */
	have->port = have->dcb || (have->roce && !*link->kind);
	if (!err && have->port) {
		read_ethtool(have);
		read_speed(have);
		read_ecn(have);
	}
	return err;
}

/* All devices */

/**
 * struct devices - the devices of this netns, and a socket to ask for more
 * @sk: rtnetlink
 * @links: each device
 */
struct devices {
	struct nl_sock *sk;
	struct conn_links links;
};

static int devices_open(struct devices *d, char *error)
{
	struct conn_error why = { 0 };

	d->sk = conn_rtnl_open(&why);
	if (d->sk && !conn_links_read(d->sk, &d->links, &why))
		return 0;
	if (d->sk)
		conn_rtnl_close(d->sk);
	snprintf(error, HAVE_ERROR_MAX, "%.*s", HAVE_ERROR_MAX - 1, why.text);
	return -1;
}

static void devices_close(struct devices *d)
{
	conn_links_free(&d->links);
	conn_rtnl_close(d->sk);
}

int have_list(struct have_list *list, char *error)
{
	struct devices d;
	struct have *have;
	size_t i;
	int err = 0;

	memset(list, 0, sizeof(*list));
	if (devices_open(&d, error))
		return -1;
	list->have = calloc(d.links.n ? d.links.n : 1, sizeof(*list->have));
	if (!list->have)
		err = have_fail(error, "ports", "reading", strerror(ENOMEM));
	for (i = 0; !err && i < d.links.n; i++) {
		have = &list->have[list->n];
		err = read_link(d.sk, &d.links.link[i], have);
		/* It may go while the others are read. */
		if (err == -NLE_NODEV)
			err = 0;
		else if (err)
			err = have_fail(error, d.links.link[i].name,
					"reading DCB", nl_geterror(err));
		else
			list->n += have->port;
	}
	devices_close(&d);
	if (err)
		have_list_free(list);
	return err;
}

void have_list_free(struct have_list *list)
{
	free(list->have);
	memset(list, 0, sizeof(*list));
}

int have_read(const char *ifname, struct have *have, char *error)
{
	const struct conn_link *link = NULL;
	struct devices d;
	size_t i;
	int err;

	if (devices_open(&d, error))
		return -1;
	for (i = 0; i < d.links.n; i++)
		if (!strcmp(d.links.link[i].name, ifname))
			link = &d.links.link[i];
	if (!link) {
		snprintf(error, HAVE_ERROR_MAX, "%.*s: no such device",
			 IFNAMSIZ, ifname);
		err = -1;
	} else {
		err = read_link(d.sk, link, have);
		if (err)
			have_fail(error, ifname, "reading DCB",
				  nl_geterror(err));
	}
	devices_close(&d);
	return err ? -1 : 0;
}
