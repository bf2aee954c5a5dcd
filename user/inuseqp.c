// SPDX-License-Identifier: GPL-2.0
/* What uses a port: queue pairs, as "rdma resource show qp" has them. */
#include <errno.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <rdma/rdma_netlink.h>
#include <string.h>

#include "inuse.h"

/* Every port has these two from the start: IB_QPT_SMI and IB_QPT_GSI. */
#define QPT_OWN_MAX	1

#define NLDEV(cmd)	RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_##cmd)

struct search {
	const char *device;
	bool found;
	uint32_t index;
	int qps;
};

static int take_device(struct nl_msg *msg, void *arg)
{
	struct nlattr *tb[RDMA_NLDEV_ATTR_MAX];
	struct search *search = arg;

	if (nlmsg_parse(nlmsg_hdr(msg), 0, tb, RDMA_NLDEV_ATTR_MAX - 1, NULL) ||
	    !tb[RDMA_NLDEV_ATTR_DEV_NAME] || !tb[RDMA_NLDEV_ATTR_DEV_INDEX] ||
	    nla_strcmp(tb[RDMA_NLDEV_ATTR_DEV_NAME], search->device))
		return NL_SKIP;
	search->index = nla_get_u32(tb[RDMA_NLDEV_ATTR_DEV_INDEX]);
	search->found = true;
	return NL_OK;
}

static int take_qps(struct nl_msg *msg, void *arg)
{
	struct nlattr *table, *entry, *type;
	struct search *search = arg;
	int rest;

	table = nlmsg_find_attr(nlmsg_hdr(msg), 0, RDMA_NLDEV_ATTR_RES_QP);
	if (!table)
		return NL_SKIP;
	nla_for_each_nested(entry, table, rest) {
		type = nla_find(nla_data(entry), nla_len(entry),
				RDMA_NLDEV_ATTR_RES_TYPE);
		search->qps += type && nla_get_u8(type) > QPT_OWN_MAX;
	}
	return NL_OK;
}

static int ask(struct nl_sock *sk, struct nl_msg *msg,
	       int (*take)(struct nl_msg *msg, void *arg),
	       struct search *search)
{
	int err = msg ? 0 : -NLE_NOMEM;

	if (!err)
		err = nl_socket_modify_cb(sk, NL_CB_VALID, NL_CB_CUSTOM, take,
					  search);
	if (!err)
		err = nl_send_auto(sk, msg);
	if (err >= 0)
		err = nl_recvmsgs_default(sk);
	nlmsg_free(msg);
	return err < 0 ? -EIO : 0;
}

static int find_device(struct nl_sock *sk, struct search *search)
{
	int err = ask(sk, nlmsg_alloc_simple(NLDEV(GET), NLM_F_DUMP),
		      take_device, search);

	if (err)
		return err;
	return search->found ? 0 : -ENODEV;
}

static int count_qps(struct nl_sock *sk, struct search *search, uint32_t port)
{
	struct nl_msg *msg = nlmsg_alloc_simple(NLDEV(RES_QP_GET), NLM_F_DUMP);

	if (msg && (nla_put_u32(msg, RDMA_NLDEV_ATTR_DEV_INDEX,
				search->index) ||
		    nla_put_u32(msg, RDMA_NLDEV_ATTR_PORT_INDEX, port))) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return ask(sk, msg, take_qps, search);
}

/**
 * inuse_qps() - how many queue pairs use an RDMA port?
 * @device: name of the RDMA device
 * @port: its port
 *
 * Return: their number, but for those that each port has for itself, or a
 * negative errno.
 */
int inuse_qps(const char *device, uint32_t port)
{
	struct search search = { .device = device };
	struct nl_sock *sk = nl_socket_alloc();
	int err;

	if (!sk)
		return -ENOMEM;
	err = nl_connect(sk, NETLINK_RDMA) ? -EPROTONOSUPPORT : 0;
	if (!err)
		err = find_device(sk, &search);
	if (!err)
		err = count_qps(sk, &search, port);
	nl_socket_free(sk);
	return err ? err : search.qps;
}
