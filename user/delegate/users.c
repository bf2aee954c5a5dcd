// SPDX-License-Identifier: GPL-2.0
/* Who has connections by rdma_cm, from the resources that nldev lists. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <linux/netlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <rdma/rdma_netlink.h>

#include "delegate.h"

#define USERS_MAX	32
#define NAME_MAX_LEN	32

/* Seconds that the kernel has for an answer. */
#define PATIENCE	5

/**
 * struct users - what a dump has told so far
 * @device: that is looked for
 * @index: of it; ~0: not found
 * @port: of it
 * @n: how many of the rest are used
 * @name: kernel module, or command and PID
 * @count: connections of each
 */
struct users {
	const char *device;
	uint32_t index;
	uint32_t port;
	unsigned int n;
	char name[USERS_MAX][NAME_MAX_LEN];
	unsigned int count[USERS_MAX];
};

static const struct nlattr *attr(const struct nlmsghdr *nlh, int type)
{
	return nlmsg_find_attr((struct nlmsghdr *)nlh, 0, type);
}

static int take_device(struct nl_msg *msg, void *arg)
{
	const struct nlattr *name, *index;
	struct users *users = arg;

	name = attr(nlmsg_hdr(msg), RDMA_NLDEV_ATTR_DEV_NAME);
	index = attr(nlmsg_hdr(msg), RDMA_NLDEV_ATTR_DEV_INDEX);
	if (name && index && nla_len(index) >= 4 &&
	    !nla_strcmp(name, users->device))
		users->index = nla_get_u32(index);
	return NL_OK;
}

static void add_user(struct users *users, const char *name)
{
	unsigned int i;

	for (i = 0; i < users->n; i++)
		if (!strcmp(users->name[i], name))
			break;
	if (i == USERS_MAX)
		return;
	if (i == users->n)
		snprintf(users->name[users->n++], NAME_MAX_LEN, "%s", name);
	users->count[i]++;
}

static void take_entry(struct users *users, const struct nlattr *entry)
{
	char name[NAME_MAX_LEN], path[64], comm[DELEGATE_FILE_MAX];
	struct nlattr *tb[RDMA_NLDEV_ATTR_MAX];
	const struct nlattr *port, *kernel, *pid;

	if (nla_parse_nested(tb, RDMA_NLDEV_ATTR_MAX - 1,
			     (struct nlattr *)entry, NULL))
		return;
	port = tb[RDMA_NLDEV_ATTR_PORT_INDEX];
	kernel = tb[RDMA_NLDEV_ATTR_RES_KERN_NAME];
	pid = tb[RDMA_NLDEV_ATTR_RES_PID];
	if (port && nla_len(port) >= 4 && nla_get_u32(port) != users->port)
		return;
	if (kernel) {
		nla_strlcpy(name, kernel, sizeof(name));
	} else if (pid && nla_len(pid) >= 4) {
		snprintf(path, sizeof(path), "/proc/%u/comm", nla_get_u32(pid));
		if (file_read(path, comm))
			strcpy(comm, "pid");
		snprintf(name, sizeof(name), "%.15s[%u]", comm,
			 nla_get_u32(pid));
	} else {
		return;
	}
	add_user(users, name);
}

static int take_ids(struct nl_msg *msg, void *arg)
{
	const struct nlattr *table = attr(nlmsg_hdr(msg),
					  RDMA_NLDEV_ATTR_RES_CM_ID);
	struct nlattr *entry;
	int rem;

	if (!table)
		return NL_OK;
	nla_for_each_nested(entry, (struct nlattr *)table, rem) {
		take_entry(arg, entry);
	}
	return NL_OK;
}

static int dump(struct nl_sock *sk, int command, const struct users *users)
{
	struct nl_msg *msg;
	int err = -NLE_NOMEM;

	msg = nlmsg_alloc_simple(RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command),
				 NLM_F_DUMP);
	if (!msg)
		return err;
	err = command == RDMA_NLDEV_CMD_GET ? 0 :
	      nla_put_u32(msg, RDMA_NLDEV_ATTR_DEV_INDEX, users->index);
	if (!err)
		err = nl_send_auto(sk, msg);
	nlmsg_free(msg);
	return err < 0 ? err : nl_recvmsgs_default(sk);
}

static int ask(struct nl_sock *sk, struct users *users)
{
	const struct timeval patience = { .tv_sec = PATIENCE };
	int err;

	if (nl_connect(sk, NETLINK_RDMA))
		return -EPROTONOSUPPORT;
	if (setsockopt(nl_socket_get_fd(sk), SOL_SOCKET, SO_RCVTIMEO, &patience,
		       sizeof(patience)))
		return -errno;
	nl_socket_modify_cb(sk, NL_CB_VALID, NL_CB_CUSTOM, take_device, users);
	err = dump(sk, RDMA_NLDEV_CMD_GET, users);
	if (err >= 0 && users->index == UINT32_MAX)
		return -ENODEV;
	nl_socket_modify_cb(sk, NL_CB_VALID, NL_CB_CUSTOM, take_ids, users);
	if (err >= 0)
		err = dump(sk, RDMA_NLDEV_CMD_RES_CM_ID_GET, users);
	return err < 0 ? -EIO : 0;
}

int rdma_users(const char *device, uint32_t port, char *buf, size_t size)
{
	struct users users = {
		.device = device, .index = UINT32_MAX, .port = port,
	};
	struct nl_sock *sk = nl_socket_alloc();
	unsigned int i;
	size_t at = 0;
	int err;

	if (!sk)
		return -ENOMEM;
	err = ask(sk, &users);
	nl_socket_free(sk);
	if (err)
		return err;
	snprintf(buf, size, "nobody");
	for (i = 0; i < users.n && at < size; i++)
		at += (size_t)snprintf(buf + at, size - at, "%s%s (%u)",
				       i ? ", " : "", users.name[i],
				       users.count[i]);
	return 0;
}
