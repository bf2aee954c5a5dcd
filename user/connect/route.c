// SPDX-License-Identifier: GPL-2.0
/*
 * Where frames to the target leave this host: the routing table's answer, and
 * the ports below it. The same question rdma_cm asks when nvme-rdma connects.
 */

#include <errno.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "cmd/cmd.h"
#include "connect.h"

/* A VLAN on a bond of VLANs is deeper than anything seen. */
#define DEPTH_MAX	6

/* The kernel's answer, and the errno of its refusal: libnl has its own. */
struct answer {
	bool valid;
	int err;
	unsigned int oif;
	unsigned char type;
	struct sockaddr_storage source;
	struct sockaddr_storage gateway;
};

static size_t address_bytes(const struct sockaddr_storage *ss, void **data)
{
	if (ss->ss_family == AF_INET) {
		*data = &((struct sockaddr_in *)ss)->sin_addr;
		return sizeof(struct in_addr);
	}
	*data = &((struct sockaddr_in6 *)ss)->sin6_addr;
	return sizeof(struct in6_addr);
}

static void get_address(struct sockaddr_storage *ss, int family,
			const struct nlattr *nla)
{
	void *data;

	memset(ss, 0, sizeof(*ss));
	if (!nla)
		return;
	ss->ss_family = family;
	if (nla_len(nla) != (int)address_bytes(ss, &data))
		ss->ss_family = AF_UNSPEC;
	else
		memcpy(data, nla_data(nla), nla_len(nla));
}

static int take_route(struct nl_msg *msg, void *arg)
{
	const struct rtmsg *rtm = nlmsg_data(nlmsg_hdr(msg));
	struct nlattr *tb[RTA_MAX + 1];
	struct answer *answer = arg;

	if (nlmsg_hdr(msg)->nlmsg_type != RTM_NEWROUTE ||
	    nlmsg_parse(nlmsg_hdr(msg), sizeof(*rtm), tb, RTA_MAX, NULL))
		return NL_SKIP;
	answer->type = rtm->rtm_type;
	if (tb[RTA_OIF])
		answer->oif = nla_get_u32(tb[RTA_OIF]);
	get_address(&answer->source, rtm->rtm_family, tb[RTA_PREFSRC]);
	get_address(&answer->gateway, rtm->rtm_family, tb[RTA_GATEWAY]);
	answer->valid = true;
	return NL_OK;
}

static int take_error(struct sockaddr_nl *nla, struct nlmsgerr *nlerr,
		      void *arg)
{
	struct answer *answer = arg;

	(void)nla;
	answer->err = nlerr->error;
	return NL_STOP;
}

static unsigned int wanted_oif(const struct conn_args *args)
{
	const struct sockaddr_in6 *sin6 = (const void *)&args->peer;

	if (*args->host_iface)
		return if_nametoindex(args->host_iface);
	return sin6->sin6_family == AF_INET6 ? sin6->sin6_scope_id : 0;
}

static struct nl_msg *build_request(const struct conn_args *args)
{
	struct rtmsg rtm = { .rtm_family = args->peer.ss_family };
	struct nl_msg *msg = nlmsg_alloc_simple(RTM_GETROUTE, 0);
	unsigned int oif = wanted_oif(args);
	void *data;
	size_t len;
	int err;

	if (!msg)
		return NULL;
	len = address_bytes(&args->peer, &data);
	rtm.rtm_dst_len = 8 * len;
	if (args->source.ss_family != AF_UNSPEC)
		rtm.rtm_src_len = 8 * len;
	err = nlmsg_append(msg, &rtm, sizeof(rtm), NLMSG_ALIGNTO);
	if (!err)
		err = nla_put(msg, RTA_DST, len, data);
	if (!err && rtm.rtm_src_len) {
		address_bytes(&args->source, &data);
		err = nla_put(msg, RTA_SRC, len, data);
	}
	if (!err && oif)
		err = nla_put_u32(msg, RTA_OIF, oif);
	if (!err)
		return msg;
	nlmsg_free(msg);
	return NULL;
}

static int ask(struct nl_sock *sk, const struct conn_args *args,
	       struct answer *answer)
{
	struct nl_msg *msg = build_request(args);
	struct nl_cb *cb = nl_cb_alloc(NL_CB_DEFAULT);
	int err = msg && cb ? 0 : -ENOMEM;

	if (!err) {
		nl_cb_set(cb, NL_CB_VALID, NL_CB_CUSTOM, take_route, answer);
		nl_cb_err(cb, NL_CB_CUSTOM, take_error, answer);
		err = nl_send_auto(sk, msg) < 0 ? -EIO : 0;
	}
	if (!err && nl_recvmsgs(sk, cb) < 0 && !answer->err)
		err = -EIO;
	if (cb)
		nl_cb_put(cb);
	nlmsg_free(msg);
	return err ? err : answer->err;
}

static int no_route(const struct conn_args *args, int err,
		    struct conn_error *error)
{
	const char *why = err == -ENETUNREACH ? "no route to it" :
						strerror(-err);

	if (*args->host_traddr)
		return conn_fail(error, RG_EXIT_KERNEL,
				 "%s: %s from %s; is that an address of this host?",
				 args->address, why, args->host_traddr);
	return conn_fail(error, RG_EXIT_KERNEL, "%s: %s%s%s", args->address,
			 why, *args->host_iface ? " by " : "",
			 args->host_iface);
}

/* An IPv6 route carries the source only where one was chosen. */
static void set_source(const struct conn_args *args,
		       const struct answer *answer, struct conn_route *route)
{
	struct sockaddr_in6 *sin6 = (struct sockaddr_in6 *)&route->source;

	route->source = args->source.ss_family != AF_UNSPEC ? args->source :
							      answer->source;
	if (sin6->sin6_family == AF_INET6 &&
	    IN6_IS_ADDR_LINKLOCAL(&sin6->sin6_addr))
		sin6->sin6_scope_id = answer->oif;
}

/**
 * conn_route_find() - the way to the target
 * @sk: rtnetlink socket
 * @args: resolved arguments
 * @links: all interfaces
 * @route: filled in
 * @error: why there is none
 *
 * Return: 0 or a negative errno.
 */
int conn_route_find(struct nl_sock *sk, const struct conn_args *args,
		    const struct conn_links *links, struct conn_route *route,
		    struct conn_error *error)
{
	struct answer answer = { 0 };
	const struct conn_link *link;
	int err;

	memset(route, 0, sizeof(*route));
	err = ask(sk, args, &answer);
	if (err)
		return no_route(args, err, error);
	link = conn_links_find(links, answer.oif);
	if (!answer.valid || !link)
		return conn_fail(error, RG_EXIT_KERNEL,
				 "%s: the kernel names no interface to it",
				 args->address);
	route->egress = *link;
	route->local = answer.type == RTN_LOCAL;
	set_source(args, &answer, route);
	conn_address_print(&answer.gateway, route->gateway);
	conn_route_ports(links, route);
	return 0;
}

static void __attribute__((format(printf, 2, 3)))
no_port(struct conn_route *route, const char *fmt, ...)
{
	va_list list;

	va_start(list, fmt);
	vsnprintf(route->why, sizeof(route->why), fmt, list);
	va_end(list);
}

static void add_port(struct conn_route *route, const struct conn_link *link)
{
	if (route->n_ports < CONN_PORTS)
		route->port[route->n_ports++] = *link;
	else
		no_port(route, "%s has more ports than roceguard looks at",
			route->bond);
}

static void descend(const struct conn_links *links, struct conn_route *route,
		    const struct conn_link *link, unsigned int depth)
{
	const struct conn_link *lower;
	size_t i;

	if (depth > DEPTH_MAX) {
		no_port(route, "too many interfaces below %s",
			route->egress.name);
		return;
	}
	if (!strcmp(link->kind, "vlan")) {
		lower = link->foreign ? NULL :
			conn_links_find(links, link->lower);
		route->tagged = true;
		route->vlan = *link;
		if (lower)
			descend(links, route, lower, depth + 1);
		else
			no_port(route,
				"the device below %s is in another network namespace",
				link->name);
		return;
	}
	if (strcmp(link->kind, "bond") && strcmp(link->kind, "team")) {
		add_port(route, link);
		return;
	}
	snprintf(route->bond, sizeof(route->bond), "%s", link->name);
	for (i = 0; i < links->n; i++)
		if (links->link[i].master == link->index)
			descend(links, route, &links->link[i], depth + 1);
	if (!route->n_ports)
		no_port(route, "bond %s has no port", link->name);
}

/**
 * conn_route_ports() - the ports below the egress interface
 * @links: all interfaces
 * @route: @egress is set; the ports, the VLAN and the bond are filled in
 *
 * Frames on a bond may take any of its ports, so all of them count.
 */
void conn_route_ports(const struct conn_links *links,
		      struct conn_route *route)
{
	route->n_ports = 0;
	route->tagged = false;
	route->bond[0] = '\0';
	route->why[0] = '\0';
	if (route->local)
		no_port(route, "it is an address of this host itself");
	else
		descend(links, route, &route->egress, 0);
}
