// SPDX-License-Identifier: GPL-2.0
/* Netdevs that come, go, flap, change names, addresses and namespaces. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/dcbnl.h>
#include <linux/rtnetlink.h>
#include <netlink/msg.h>
#include <netlink/route/addr.h>
#include <netlink/route/link.h>

#include "racer.h"

/* What stays beneath devices that come and go. */
#define LOWER	"lower%s"

static int to_errno(int err)
{
	static const int of[] = {
		[NLE_EXIST] = EEXIST, [NLE_OBJ_NOTFOUND] = ENOENT,
		[NLE_NODEV] = ENODEV, [NLE_BUSY] = EBUSY, [NLE_NOMEM] = ENOMEM,
		[NLE_INVAL] = EINVAL, [NLE_OPNOTSUPP] = EOPNOTSUPP,
		[NLE_PERM] = EPERM,
	};

	err = abs(err);
	return err < (int)ARRAY_SIZE(of) && of[err] ? -of[err] : err ? -EIO : 0;
}

struct nl_sock *nl_begin(int protocol)
{
	struct nl_sock *sk = nl_socket_alloc();

	if (!sk || nl_connect(sk, protocol))
		die("no socket of netlink protocol %d", protocol);
	return sk;
}

static struct rtnl_link *link_alloc(void)
{
	struct rtnl_link *link = rtnl_link_alloc();

	if (!link)
		die("out of memory");
	return link;
}

/* The index comes by name every time: a device of that name may be a new one. */
static struct rtnl_link *link_named(struct nl_sock *sk, const char *name)
{
	struct rtnl_link *link;

	return rtnl_link_get_kernel(sk, 0, name, &link) ? NULL : link;
}

static int index_of(struct nl_sock *sk, const char *name)
{
	struct rtnl_link *link = link_named(sk, name);
	int index = link ? rtnl_link_get_ifindex(link) : 0;

	if (link)
		rtnl_link_put(link);
	return index;
}

int link_add(struct nl_sock *sk, const char *name, const char *kind,
	     const char *lower)
{
	struct rtnl_link *link = link_alloc();
	int index, err;

	rtnl_link_set_name(link, name);
	rtnl_link_set_type(link, kind);
	if (lower) {
		index = index_of(sk, lower);
		if (!index) {
			rtnl_link_put(link);
			return -ENODEV;
		}
		rtnl_link_set_link(link, index);
	}
	err = rtnl_link_add(sk, link, NLM_F_CREATE | NLM_F_EXCL);
	rtnl_link_put(link);
	return to_errno(err);
}

int link_delete(struct nl_sock *sk, const char *name)
{
	struct rtnl_link *link = link_alloc();
	int err;

	rtnl_link_set_name(link, name);
	err = rtnl_link_delete(sk, link);
	rtnl_link_put(link);
	return to_errno(err);
}

/* change NAME as @set has it; the kernel knows it by index. */
static int link_change(struct nl_sock *sk, const char *name,
		       void (*set)(struct rtnl_link *change, const void *how),
		       const void *how)
{
	struct rtnl_link *link, *change;
	int index = index_of(sk, name), err;

	if (!index)
		return -ENODEV;
	link = link_alloc();
	rtnl_link_set_ifindex(link, index);
	change = link_alloc();
	set(change, how);
	err = rtnl_link_change(sk, link, change, 0);
	rtnl_link_put(change);
	rtnl_link_put(link);
	return to_errno(err);
}

static void set_up(struct rtnl_link *change, const void *how)
{
	if (how)
		rtnl_link_set_flags(change, IFF_UP);
	else
		rtnl_link_unset_flags(change, IFF_UP);
}

int link_up(struct nl_sock *sk, const char *name, bool up)
{
	return link_change(sk, name, set_up, up ? "up" : NULL);
}

static int route_begin(struct racer *racer)
{
	racer->route = nl_begin(NETLINK_ROUTE);
	return 0;
}

/* flap:IFNAME:US - down and up, with a pause after each */
static int flap(struct racer *racer)
{
	unsigned long us = number(racer->arg[1], 1000);
	int err = link_up(racer->route, racer->arg[0], false);

	pause_us(us);
	err = first(link_up(racer->route, racer->arg[0], true), err);
	pause_us(us);
	return err;
}

static void flap_end(struct racer *racer)
{
	link_up(racer->route, racer->arg[0], true);
}

static void set_name(struct rtnl_link *change, const void *how)
{
	rtnl_link_set_name(change, how);
}

int link_rename(struct nl_sock *sk, const char *from, const char *to)
{
	return link_change(sk, from, set_name, to);
}

/* rename:IFNAME - to IFNAMEx and back */
static int rename_there_and_back(struct racer *racer)
{
	char other[IFNAMSIZ];
	int err;

	snprintf(other, sizeof(other), "%.14sx", racer->arg[0]);
	err = link_rename(racer->route, racer->arg[0], other);
	return err ?: link_rename(racer->route, other, racer->arg[0]);
}

static void set_address(struct rtnl_link *change, const void *how)
{
	struct nl_addr *addr = nl_addr_build(AF_LLC, how, 6);

	if (!addr)
		die("out of memory");
	rtnl_link_set_addr(change, addr);
	nl_addr_put(addr);
}

/* mac:IFNAME - another address, so that its GIDs change */
static int change_mac(struct racer *racer)
{
	unsigned char mac[6] = { 2, 0, 0, 0, (unsigned char)getpid(),
				 (unsigned char)racer->turns };

	return link_change(racer->route, racer->arg[0], set_address, mac);
}

static void set_mtu(struct rtnl_link *change, const void *how)
{
	rtnl_link_set_mtu(change, *(const unsigned int *)how);
}

/* mtu:IFNAME */
static int change_mtu(struct racer *racer)
{
	unsigned int mtu = racer->turns & 1 ? 1500 : 1400;

	return link_change(racer->route, racer->arg[0], set_mtu, &mtu);
}

/* A dummy beneath, that lives as long as the racer. */
static int lower_begin(struct racer *racer)
{
	char lower[IFNAMSIZ];
	int err;

	route_begin(racer);
	snprintf(lower, sizeof(lower), LOWER, racer->arg[0]);
	err = link_add(racer->route, lower, "dummy", NULL);
	return err ?: link_up(racer->route, lower, true);
}

static void lower_end(struct racer *racer)
{
	char lower[IFNAMSIZ];

	snprintf(lower, sizeof(lower), LOWER, racer->arg[0]);
	link_delete(racer->route, lower);
}

static int nic_add(struct racer *racer)
{
	char lower[IFNAMSIZ];

	snprintf(lower, sizeof(lower), LOWER, racer->arg[0]);
	return link_add(racer->route, racer->arg[0], "labnic", lower);
}

/* birth:IFNAME:US - a labnic comes, goes up, and after US has gone */
static int birth(struct racer *racer)
{
	const char *name = racer->arg[0];
	int err = nic_add(racer);

	if (err)
		return err;
	if (racer->turns % 3)
		err = link_up(racer->route, name, true);
	pause_us(number(racer->arg[1], 0) * (racer->turns % 4));
	return first(link_delete(racer->route, name), err);
}

/* stack:IFNAME:KIND - a vlan, macvlan ... on top comes and goes */
static int stack(struct racer *racer)
{
	char upper[IFNAMSIZ];
	int err;

	snprintf(upper, sizeof(upper), "up%.8s%d", racer->arg[0],
		 getpid() % 1000);
	err = link_add(racer->route, upper, racer->arg[1], racer->arg[0]);
	if (err)
		return err;
	err = link_up(racer->route, upper, true);
	pause_us(2000);
	return first(link_delete(racer->route, upper), err);
}

static void set_master(struct rtnl_link *change, const void *how)
{
	rtnl_link_set_master(change, *(const int *)how);
}

static int bridge_begin(struct racer *racer)
{
	route_begin(racer);
	return link_add(racer->route, "race-br", "bridge", NULL);
}

/* enslave:IFNAME - into a bridge and out: a port of it is still a NIC */
static int enslave(struct racer *racer)
{
	int bridge = index_of(racer->route, "race-br"), none = 0, err;

	err = link_change(racer->route, racer->arg[0], set_master, &bridge);
	pause_us(1000);
	return first(link_change(racer->route, racer->arg[0], set_master, &none), err);
}

static void bridge_end(struct racer *racer)
{
	link_delete(racer->route, "race-br");
}

/* Namespaces */

static int net_open(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		die("%s: %s", path, strerror(errno));
	return fd;
}

static void set_net(struct rtnl_link *change, const void *how)
{
	rtnl_link_set_ns_fd(change, *(const int *)how);
}

struct two_nets {
	int home, away;
	struct nl_sock *there;
};

static int move_begin(struct racer *racer)
{
	struct two_nets *nets = calloc(1, sizeof(*nets));

	if (!nets)
		return -ENOMEM;
	lower_begin(racer);
	nets->home = net_open("/proc/self/ns/net");
	if (unshare(CLONE_NEWNET))
		die("unshare: %s", strerror(errno));
	nets->away = net_open("/proc/self/ns/net");
	nets->there = nl_begin(NETLINK_ROUTE);
	if (setns(nets->home, CLONE_NEWNET))
		die("setns: %s", strerror(errno));
	racer->state = nets;
	return 0;
}

/* move:IFNAME - a labnic comes, moves to another netns and back, and goes */
static int move(struct racer *racer)
{
	struct two_nets *nets = racer->state;
	const char *name = racer->arg[0];
	int err = nic_add(racer);

	if (err)
		return err;
	err = link_up(racer->route, name, true);
	err = first(link_change(racer->route, name, set_net, &nets->away), err);
	err = first(link_up(nets->there, name, true), err);
	err = first(link_change(nets->there, name, set_net, &nets->home), err);
	return first(link_delete(racer->route, name), err);
}

/* netns:rdma - a netns with a NIC, and an RDMA device on it, goes as it is */
static int netns(struct racer *racer)
{
	struct nl_sock *route, *rdma;
	int err;

	if (unshare(CLONE_NEWNET))
		return -errno;
	route = nl_begin(NETLINK_ROUTE);
	err = link_add(route, "low", "dummy", NULL) ?:
	      link_up(route, "low", true) ?:
	      link_add(route, "race", "labnic", "low") ?:
	      link_up(route, "race", true);
	if (!err && *racer->arg[0]) {
		rdma = nl_begin(NETLINK_RDMA);
		err = rxe_add(rdma, "rxerace", "race");
		if (!err && racer->turns & 1)
			err = rxe_delete(rdma, "rxerace");
		nl_socket_free(rdma);
	}
	if (racer->turns % 3 == 2)
		err = first(link_delete(route, "race"), err);
	nl_socket_free(route);
	return err;
}

/* A rival's write: PFC by the DCB socket, as any tool does it. */
static int put_pfc(struct nl_msg *msg, const char *name, unsigned char on)
{
	struct dcbmsg head = { .dcb_family = AF_UNSPEC,
			       .cmd = DCB_CMD_IEEE_SET };
	struct ieee_pfc pfc = { .pfc_cap = 8, .pfc_en = on };
	struct nlattr *nest;
	int err = nlmsg_append(msg, &head, sizeof(head), NLMSG_ALIGNTO);

	err = err ?: nla_put_string(msg, DCB_ATTR_IFNAME, name);
	nest = nla_nest_start(msg, DCB_ATTR_IEEE);
	err = err ?: nla_put(msg, DCB_ATTR_IEEE_PFC, sizeof(pfc), &pfc);
	nla_nest_end(msg, nest);
	return err;
}

static int set_pfc(struct nl_sock *sk, const char *name, unsigned char on)
{
	struct nl_msg *msg = nlmsg_alloc_simple(RTM_SETDCB, 0);
	int err = msg ? put_pfc(msg, name, on) : -NLE_NOMEM;

	/* frees the message; what the driver said of it is in the answer, unread */
	return to_errno(err ?: nl_send_sync(sk, msg));
}

/* rival:IFNAME:US - PFC off and on another priority, in turn */
static int rival(struct racer *racer)
{
	pause_us(number(racer->arg[1], 1000));
	return set_pfc(racer->route, racer->arg[0],
		       racer->turns & 1 ? 0 : 1 << 5);
}

const struct action link_actions[] = {
	{ "flap", ":IFNAME[:US]", route_begin, flap, flap_end, false },
	{ "rename", ":IFNAME", route_begin, rename_there_and_back, NULL, false },
	{ "mac", ":IFNAME", route_begin, change_mac, NULL, true },
	{ "mtu", ":IFNAME", route_begin, change_mtu, NULL, true },
	{ "birth", ":IFNAME[:US]", lower_begin, birth, lower_end, false },
	{ "stack", ":IFNAME:KIND", route_begin, stack, NULL, false },
	{ "enslave", ":IFNAME", bridge_begin, enslave, bridge_end, false },
	{ "move", ":IFNAME", move_begin, move, lower_end, false },
	{ "netns", "[:rdma]", NULL, netns, NULL, false },
	{ "rival", ":IFNAME[:US]", route_begin, rival, NULL, false },
	{}
};
