// SPDX-License-Identifier: GPL-2.0
/* RDMA devices that come, go and change names. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <rdma/rdma_netlink.h>

#include "racer.h"

#define TYPE(_cmd)	RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_##_cmd)

/* What the kernel answered last; libnl has no words for many of them. */
static int answered;

static int on_error(struct sockaddr_nl *from, struct nlmsgerr *error, void *arg)
{
	(void)from;
	(void)arg;
	answered = error->error;
	return NL_STOP;
}

static int on_ack(struct nl_msg *msg, void *arg)
{
	(void)msg;
	(void)arg;
	return NL_STOP;
}

static struct nl_msg *request(int type, int flags)
{
	struct nl_msg *msg = nlmsg_alloc_simple(type, flags);

	if (!msg)
		die("out of memory");
	return msg;
}

static int ask(struct nl_sock *sk, struct nl_msg *msg)
{
	int err;

	answered = 0;
	nl_socket_modify_err_cb(sk, NL_CB_CUSTOM, on_error, NULL);
	nl_socket_modify_cb(sk, NL_CB_ACK, NL_CB_CUSTOM, on_ack, NULL);
	err = nl_send_auto(sk, msg);
	nlmsg_free(msg);
	if (err < 0)
		return -EIO;
	err = nl_recvmsgs_default(sk);
	return answered ?: err < 0 ? -EIO : 0;
}

struct wanted {
	const char *name;
	uint32_t index;
	bool found;
};

static int take_device(struct nl_msg *msg, void *arg)
{
	struct nlattr *attrs[RDMA_NLDEV_ATTR_MAX + 1];
	struct wanted *wanted = arg;

	if (nlmsg_parse(nlmsg_hdr(msg), 0, attrs, RDMA_NLDEV_ATTR_MAX, NULL) ||
	    !attrs[RDMA_NLDEV_ATTR_DEV_NAME] ||
	    !attrs[RDMA_NLDEV_ATTR_DEV_INDEX] ||
	    strcmp(nla_get_string(attrs[RDMA_NLDEV_ATTR_DEV_NAME]),
		   wanted->name))
		return NL_OK;
	wanted->index = nla_get_u32(attrs[RDMA_NLDEV_ATTR_DEV_INDEX]);
	wanted->found = true;
	return NL_OK;
}

/* Devices are known by index; there is no way from the name but to list all. */
static int index_of(struct nl_sock *sk, const char *name, uint32_t *index)
{
	struct wanted wanted = { .name = name };
	struct nl_msg *msg = request(TYPE(GET), NLM_F_DUMP);
	int err;

	nl_socket_modify_cb(sk, NL_CB_VALID, NL_CB_CUSTOM, take_device, &wanted);
	nl_socket_disable_auto_ack(sk);
	err = ask(sk, msg);
	nl_socket_enable_auto_ack(sk);
	*index = wanted.index;
	return wanted.found ? 0 : err ?: -ENODEV;
}

int rxe_add(struct nl_sock *sk, const char *name, const char *netdev)
{
	struct nl_msg *msg = request(TYPE(NEWLINK), 0);

	if (nla_put_string(msg, RDMA_NLDEV_ATTR_DEV_NAME, name) ||
	    nla_put_string(msg, RDMA_NLDEV_ATTR_LINK_TYPE, "rxe") ||
	    nla_put_string(msg, RDMA_NLDEV_ATTR_NDEV_NAME, netdev))
		die("out of memory");
	return ask(sk, msg);
}

/* A request about a device: its type, then one attribute more or none. */
static struct nl_msg *about(struct nl_sock *sk, int type, const char *name)
{
	struct nl_msg *msg;
	uint32_t index;

	if (index_of(sk, name, &index))
		return NULL;
	msg = request(type, 0);
	if (nla_put_u32(msg, RDMA_NLDEV_ATTR_DEV_INDEX, index))
		die("out of memory");
	return msg;
}

int rxe_delete(struct nl_sock *sk, const char *name)
{
	struct nl_msg *msg = about(sk, TYPE(DELLINK), name);

	return msg ? ask(sk, msg) : -ENODEV;
}

static int rdma_begin(struct racer *racer)
{
	racer->route = nl_begin(NETLINK_ROUTE);
	racer->state = nl_begin(NETLINK_RDMA);
	return 0;
}

/* rxe:NAME:IFNAME:US - comes, and goes after US */
static int rxe(struct racer *racer)
{
	int err = rxe_add(racer->state, racer->arg[0], racer->arg[1]);

	if (err)
		return err;
	pause_us(number(racer->arg[2], 0) * (racer->turns % 3));
	return rxe_delete(racer->state, racer->arg[0]);
}

static int rdma_rename_to(struct nl_sock *sk, const char *from, const char *to)
{
	struct nl_msg *msg = about(sk, TYPE(SET), from);

	if (!msg)
		return -ENODEV;
	if (nla_put_string(msg, RDMA_NLDEV_ATTR_DEV_NAME, to))
		die("out of memory");
	return ask(sk, msg);
}

/* rdma-rename:NAME - to NAMEx and back */
static int rdma_rename(struct racer *racer)
{
	char other[64];
	int err;

	snprintf(other, sizeof(other), "%.60sx", racer->arg[0]);
	err = rdma_rename_to(racer->state, racer->arg[0], other);
	return first(rdma_rename_to(racer->state, other, racer->arg[0]), err);
}

/* rdma-event:NAME:IFNAME - its netdev goes from under an RDMA device */
static int rdma_orphan(struct racer *racer)
{
	const char *netdev = racer->arg[1];
	int err = link_add(racer->route, netdev, "labnic", "race-low");

	if (err)
		return err;
	err = link_up(racer->route, netdev, true) ?:
	      rxe_add(racer->state, racer->arg[0], netdev);
	pause_us(racer->turns % 4 * 2000);
	return first(link_delete(racer->route, netdev), err);
}

static int orphan_begin(struct racer *racer)
{
	rdma_begin(racer);
	return link_add(racer->route, "race-low", "dummy", NULL) ?:
	       link_up(racer->route, "race-low", true);
}

static void orphan_end(struct racer *racer)
{
	link_delete(racer->route, "race-low");
}

const struct action rdma_actions[] = {
	{ "rxe", ":NAME:IFNAME[:US]", rdma_begin, rxe, NULL, false },
	{ "rdma-rename", ":NAME", rdma_begin, rdma_rename, NULL, false },
	{ "rdma-orphan", ":NAME:IFNAME", orphan_begin, rdma_orphan, orphan_end, false },
	{}
};
