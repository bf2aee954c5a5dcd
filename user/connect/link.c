// SPDX-License-Identifier: GPL-2.0
/* The interfaces of this network namespace, by rtnetlink. */

#include <errno.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cmd/cmd.h"
#include "connect.h"

struct nl_sock *conn_rtnl_open(struct conn_error *error)
{
	struct nl_sock *sk = nl_socket_alloc();
	int err = sk ? nl_connect(sk, NETLINK_ROUTE) : -NLE_NOMEM;

	if (!err) {
		/* A route is one message; an ACK after it would stay unread. */
		nl_socket_disable_auto_ack(sk);
		return sk;
	}
	conn_fail(error, RG_EXIT_KERNEL, "no rtnetlink socket: %s",
		  nl_geterror(err));
	nl_socket_free(sk);
	return NULL;
}

void conn_rtnl_close(struct nl_sock *sk)
{
	nl_socket_free(sk);
}

static void read_string(char *out, size_t size, const struct nlattr *nla)
{
	if (nla)
		snprintf(out, size, "%.*s", nla_len(nla),
			 (const char *)nla_data(nla));
}

/* IFLA_VLAN_EGRESS_QOS: one entry for each priority that is mapped. */
static void read_egress(struct conn_link *link, struct nlattr *map)
{
	struct ifla_vlan_qos_mapping entry;
	struct nlattr *nla;
	int rest;

	if (!map)
		return;
	nla_for_each_nested(nla, map, rest) {
		if (nla_type(nla) != IFLA_VLAN_QOS_MAPPING ||
		    nla_len(nla) < (int)sizeof(entry))
			continue;
		memcpy(&entry, nla_data(nla), sizeof(entry));
		if (entry.from < ARRAY_SIZE(link->egress))
			link->egress[entry.from] = entry.to & 7;
	}
}

static void read_info(struct conn_link *link, struct nlattr *info)
{
	struct nlattr *vlan[IFLA_VLAN_MAX + 1];
	struct nlattr *tb[IFLA_INFO_MAX + 1];

	if (!info || nla_parse_nested(tb, IFLA_INFO_MAX, info, NULL))
		return;
	read_string(link->kind, sizeof(link->kind), tb[IFLA_INFO_KIND]);
	if (strcmp(link->kind, "vlan") || !tb[IFLA_INFO_DATA] ||
	    nla_parse_nested(vlan, IFLA_VLAN_MAX, tb[IFLA_INFO_DATA], NULL))
		return;
	if (vlan[IFLA_VLAN_ID])
		link->vlan_id = nla_get_u16(vlan[IFLA_VLAN_ID]);
	read_egress(link, vlan[IFLA_VLAN_EGRESS_QOS]);
}

static unsigned int get_u32(const struct nlattr *nla)
{
	return nla ? nla_get_u32(nla) : 0;
}

static int add_link(struct nl_msg *msg, void *arg)
{
	static const struct nla_policy policy[IFLA_MAX + 1] = {
		[IFLA_IFNAME] = { .type = NLA_STRING },
		[IFLA_MTU] = { .type = NLA_U32 },
		[IFLA_LINK] = { .type = NLA_U32 },
		[IFLA_MASTER] = { .type = NLA_U32 },
		[IFLA_CARRIER] = { .type = NLA_U8 },
		[IFLA_LINKINFO] = { .type = NLA_NESTED },
	};
	const struct ifinfomsg *ifi = nlmsg_data(nlmsg_hdr(msg));
	struct nlattr *tb[IFLA_MAX + 1];
	struct conn_links *links = arg;
	struct conn_link *link;

	if (nlmsg_hdr(msg)->nlmsg_type != RTM_NEWLINK ||
	    nlmsg_parse(nlmsg_hdr(msg), sizeof(*ifi), tb, IFLA_MAX, policy))
		return NL_SKIP;
	link = realloc(links->link, (links->n + 1) * sizeof(*link));
	if (!link)
		return -NLE_NOMEM;
	links->link = link;
	link += links->n++;
	memset(link, 0, sizeof(*link));
	link->index = ifi->ifi_index;
	link->up = ifi->ifi_flags & IFF_UP;
	link->carrier = tb[IFLA_CARRIER] && nla_get_u8(tb[IFLA_CARRIER]);
	link->mtu = get_u32(tb[IFLA_MTU]);
	link->lower = get_u32(tb[IFLA_LINK]);
	link->master = get_u32(tb[IFLA_MASTER]);
	link->foreign = tb[IFLA_LINK_NETNSID];
	read_string(link->name, sizeof(link->name), tb[IFLA_IFNAME]);
	read_info(link, tb[IFLA_LINKINFO]);
	return NL_OK;
}

/**
 * conn_links_read() - all interfaces
 * @sk: rtnetlink socket
 * @links: filled in; conn_links_free() it
 * @error: why not
 *
 * Return: 0 or a negative errno.
 */
int conn_links_read(struct nl_sock *sk, struct conn_links *links,
		    struct conn_error *error)
{
	struct ifinfomsg ifi = { .ifi_family = AF_UNSPEC };
	int err;

	memset(links, 0, sizeof(*links));
	err = nl_socket_modify_cb(sk, NL_CB_VALID, NL_CB_CUSTOM, add_link,
				  links);
	if (!err)
		err = nl_send_simple(sk, RTM_GETLINK, NLM_F_DUMP, &ifi,
				     sizeof(ifi));
	if (err >= 0)
		err = nl_recvmsgs_default(sk);
	if (err >= 0)
		return 0;
	conn_links_free(links);
	return conn_fail(error, RG_EXIT_KERNEL,
			 "the kernel does not list its interfaces: %s",
			 nl_geterror(err));
}

void conn_links_free(struct conn_links *links)
{
	free(links->link);
	memset(links, 0, sizeof(*links));
}

/**
 * conn_links_find() - an interface by its number
 * @links: all of them
 * @index: ifindex
 *
 * Return: the interface or NULL.
 */
const struct conn_link *conn_links_find(const struct conn_links *links,
					unsigned int index)
{
	size_t i;

	for (i = 0; i < links->n; i++)
		if (links->link[i].index == index)
			return &links->link[i];
	return NULL;
}
