// SPDX-License-Identifier: GPL-2.0
/* What uses a port: addresses and default routes, by rtnetlink. */
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <string.h>

#include "inuse.h"

/**
 * inuse_reaches() - do frames of an interface leave by a port?
 * @links: all interfaces
 * @from: ifindex of the interface: the port, or a VLAN or bond on top of it
 * @port: ifindex of the port
 *
 * Return: true if they may.
 */
bool inuse_reaches(const struct conn_links *links, unsigned int from,
		   unsigned int port)
{
	const struct conn_link *link = conn_links_find(links, from);
	struct conn_route route = { 0 };
	unsigned int i;

	if (!link)
		return false;
	route.egress = *link;
	conn_route_ports(links, &route);
	for (i = 0; i < route.n_ports; i++)
		if (route.port[i].index == port)
			return true;
	return false;
}

/* A question, and what has come of it so far. */
struct search {
	const struct conn_links *links;
	unsigned int port;
	const struct sockaddr_storage *address;
	bool found;
};

static bool dump(struct nl_sock *sk, int type, const void *header, size_t len,
		 int (*take)(struct nl_msg *msg, void *arg),
		 struct search *search)
{
	if (nl_socket_modify_cb(sk, NL_CB_VALID, NL_CB_CUSTOM, take, search) ||
	    nl_send_simple(sk, type, NLM_F_DUMP, (void *)header, len) < 0 ||
	    nl_recvmsgs_default(sk) < 0)
		return false;
	return search->found;
}

static int take_address(struct nl_msg *msg, void *arg)
{
	const struct ifaddrmsg *ifa = nlmsg_data(nlmsg_hdr(msg));
	const struct sockaddr_in6 *sin6;
	const struct sockaddr_in *sin;
	struct nlattr *tb[IFA_MAX + 1];
	struct search *search = arg;
	const struct nlattr *own;
	const void *wanted;
	int len;

	if (nlmsg_hdr(msg)->nlmsg_type != RTM_NEWADDR ||
	    ifa->ifa_family != search->address->ss_family ||
	    nlmsg_parse(nlmsg_hdr(msg), sizeof(*ifa), tb, IFA_MAX, NULL))
		return NL_SKIP;
	sin = (const struct sockaddr_in *)search->address;
	sin6 = (const struct sockaddr_in6 *)search->address;
	wanted = ifa->ifa_family == AF_INET ? (const void *)&sin->sin_addr :
					      (const void *)&sin6->sin6_addr;
	len = ifa->ifa_family == AF_INET ? 4 : 16;
	own = tb[IFA_LOCAL] ? tb[IFA_LOCAL] : tb[IFA_ADDRESS];
	if (own && nla_len(own) == len && !memcmp(nla_data(own), wanted, len))
		search->found |= inuse_reaches(search->links, ifa->ifa_index,
					       search->port);
	return NL_OK;
}

static bool is_any(const struct sockaddr_storage *address)
{
	const struct sockaddr_in6 *sin6 = (const struct sockaddr_in6 *)address;
	const struct sockaddr_in *sin = (const struct sockaddr_in *)address;

	return address->ss_family == AF_INET ? !sin->sin_addr.s_addr :
					       IN6_IS_ADDR_UNSPECIFIED(&sin6->sin6_addr);
}

/**
 * inuse_has_address() - is an address of this host on a port?
 * @sk: rtnetlink socket
 * @links: all interfaces
 * @port: ifindex of the port
 * @address: the address; one that stands for all is on every port
 *
 * Return: true if it is.
 */
bool inuse_has_address(struct nl_sock *sk, const struct conn_links *links,
		       unsigned int port, const char *address)
{
	struct sockaddr_storage ss;
	struct ifaddrmsg ifa = { 0 };
	struct search search = {
		.links = links, .port = port, .address = &ss,
	};

	if (conn_address_parse(address, &ss))
		return false;
	if (is_any(&ss))
		return true;
	ifa.ifa_family = (unsigned char)ss.ss_family;
	return dump(sk, RTM_GETADDR, &ifa, sizeof(ifa), take_address, &search);
}

static void take_hops(struct search *search, const struct nlattr *multipath)
{
	const struct rtnexthop *hop = nla_data(multipath);
	int rest = nla_len(multipath);

	for (; RTNH_OK(hop, rest); hop = RTNH_NEXT(hop)) {
		search->found |= inuse_reaches(search->links,
					       (unsigned int)hop->rtnh_ifindex,
					       search->port);
		rest -= NLMSG_ALIGN(hop->rtnh_len);
	}
}

static int take_default(struct nl_msg *msg, void *arg)
{
	const struct rtmsg *rtm = nlmsg_data(nlmsg_hdr(msg));
	struct nlattr *tb[RTA_MAX + 1];
	struct search *search = arg;

	if (nlmsg_hdr(msg)->nlmsg_type != RTM_NEWROUTE || rtm->rtm_dst_len ||
	    rtm->rtm_type != RTN_UNICAST || rtm->rtm_table != RT_TABLE_MAIN ||
	    nlmsg_parse(nlmsg_hdr(msg), sizeof(*rtm), tb, RTA_MAX, NULL))
		return NL_SKIP;
	if (tb[RTA_OIF])
		search->found |= inuse_reaches(search->links,
					       nla_get_u32(tb[RTA_OIF]),
					       search->port);
	if (tb[RTA_MULTIPATH])
		take_hops(search, tb[RTA_MULTIPATH]);
	return NL_OK;
}

/**
 * inuse_has_default() - does a default route lead over a port?
 * @sk: rtnetlink socket
 * @links: all interfaces
 * @port: ifindex of the port
 *
 * Return: true if one of IPv4 or IPv6 does.
 */
bool inuse_has_default(struct nl_sock *sk, const struct conn_links *links,
		       unsigned int port)
{
	struct search search = { .links = links, .port = port };
	struct rtmsg v4 = { .rtm_family = AF_INET };
	struct rtmsg v6 = { .rtm_family = AF_INET6 };

	return dump(sk, RTM_GETROUTE, &v4, sizeof(v4), take_default, &search) ||
	       dump(sk, RTM_GETROUTE, &v6, sizeof(v6), take_default, &search);
}
