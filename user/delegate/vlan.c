// SPDX-License-Identifier: GPL-2.0
/*
 * Egress maps of the VLANs on top of a port, or of its bond. rdma_cm looks the
 * priority of a connection's frames up in there by what the kernel makes of the
 * ToS, so it is that which has to be mapped, and nothing else onto the class.
 */
#include <errno.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <string.h>

#include "connect/connect.h"
#include "delegate.h"

unsigned int vlan_differs(const struct rg_want *want, const uint8_t *egress,
			  uint8_t *right)
{
	unsigned int i, wrong = 0, class = 0;

	for (i = 0; i < RG_SKPRIOS; i++)
		if (want->egress[i] != RG_UNSET)
			class |= BIT(want->egress[i]);
	/* What is not mapped has priority 0, which is anybody's. */
	class &= ~BIT(0);
	for (i = 0; i < VLAN_SKPRIOS; i++) {
		right[i] = egress[i];
		if (i < RG_SKPRIOS && want->egress[i] != RG_UNSET)
			right[i] = want->egress[i];
		else if (class & BIT(egress[i] & 7))
			right[i] = 0;
		if (right[i] != egress[i])
			wrong |= BIT(i);
	}
	return wrong;
}

static bool is_on_top(const struct conn_link *vlan, const struct conn_link *port)
{
	return !strcmp(vlan->kind, "vlan") && !vlan->foreign &&
	       (vlan->lower == port->index ||
		(port->master && vlan->lower == port->master));
}

static void describe(struct delegate_task *task, const struct conn_link *vlan)
{
	unsigned int i;

	rg_text_add(&task->have, "%s%s", task->have.len ? " " : "", vlan->name);
	for (i = 0; i < VLAN_SKPRIOS; i++)
		if (vlan->egress[i])
			rg_text_add(&task->have, " %u:%u", i, vlan->egress[i]);
}

/* Calls @each for every VLAN on top; 0 or its first error. */
static int for_each_vlan(struct delegate_task *task, struct nl_sock *sk,
			 int (*each)(struct delegate_task *task,
				     struct nl_sock *sk,
				     const struct conn_link *vlan))
{
	const struct conn_link *port;
	struct conn_links links;
	struct conn_error error;
	size_t i;
	int err;

	err = conn_links_read(sk, &links, &error);
	if (err) {
		delegate_because(task, "%s", error.text);
		return err;
	}
	port = conn_links_find(&links, task->port->ifindex);
	for (i = 0; port && !err && i < links.n; i++)
		if (is_on_top(&links.link[i], port))
			err = each(task, sk, &links.link[i]);
	conn_links_free(&links);
	return port ? err : -ENODEV;
}

static int look_at(struct delegate_task *task,
		   struct nl_sock *sk __attribute__((unused)),
		   const struct conn_link *vlan)
{
	uint8_t right[VLAN_SKPRIOS];

	if (vlan_differs(task->want, vlan->egress, right))
		task->same = false;
	describe(task, vlan);
	return 0;
}

static int put_map(struct nl_msg *msg, unsigned int wrong, const uint8_t *right)
{
	struct nlattr *info, *data, *map;
	unsigned int i;

	info = nla_nest_start(msg, IFLA_LINKINFO);
	if (!info || nla_put_string(msg, IFLA_INFO_KIND, "vlan"))
		return -EMSGSIZE;
	data = nla_nest_start(msg, IFLA_INFO_DATA);
	map = data ? nla_nest_start(msg, IFLA_VLAN_EGRESS_QOS) : NULL;
	if (!map)
		return -EMSGSIZE;
	for (i = 0; i < VLAN_SKPRIOS; i++) {
		struct ifla_vlan_qos_mapping entry = {
			.from = i, .to = right[i],
		};

		if (wrong & BIT(i) && nla_put(msg, IFLA_VLAN_QOS_MAPPING,
					      sizeof(entry), &entry))
			return -EMSGSIZE;
	}
	nla_nest_end(msg, map);
	nla_nest_end(msg, data);
	nla_nest_end(msg, info);
	return 0;
}

static int correct(struct delegate_task *task, struct nl_sock *sk,
		   const struct conn_link *vlan)
{
	struct ifinfomsg ifi = {
		.ifi_family = AF_UNSPEC, .ifi_index = (int)vlan->index,
	};
	uint8_t right[VLAN_SKPRIOS];
	struct nl_msg *msg;
	unsigned int wrong;
	int err = -EMSGSIZE;

	wrong = vlan_differs(task->want, vlan->egress, right);
	if (!wrong)
		return 0;
	msg = nlmsg_alloc_simple(RTM_NEWLINK, NLM_F_ACK);
	if (!msg)
		return -ENOMEM;
	if (!nlmsg_append(msg, &ifi, sizeof(ifi), NLMSG_ALIGNTO) &&
	    !put_map(msg, wrong, right))
		err = nl_send_auto(sk, msg);
	nlmsg_free(msg);
	if (err >= 0)
		err = nl_wait_for_ack(sk);
	if (err >= 0)
		return 0;
	delegate_because(task, "%s: %s", vlan->name, nl_geterror(err));
	return -EREMOTEIO;
}

static int with_socket(struct delegate_task *task,
		       int (*each)(struct delegate_task *task,
				   struct nl_sock *sk,
				   const struct conn_link *vlan))
{
	struct conn_error error;
	struct nl_sock *sk;
	int err;

	if (task->port->has_netnsid) {
		delegate_because(task, "the port is in another network namespace; set the egress map there: 'ip link set VLAN type vlan egress'");
		return -EOPNOTSUPP;
	}
	sk = conn_rtnl_open(&error);
	if (!sk) {
		delegate_because(task, "%s", error.text);
		return -EIO;
	}
	err = for_each_vlan(task, sk, each);
	conn_rtnl_close(sk);
	return err;
}

static int vlan_read(struct delegate_task *task)
{
	int err;

	task->same = true;
	err = with_socket(task, look_at);
	if (!err && !task->have.len)
		rg_text_add(&task->have, "no VLAN");
	return err;
}

static int vlan_write(struct delegate_task *task)
{
	return with_socket(task, correct);
}

const struct delegate_backend delegate_vlan = {
	.knob  = ROCEGUARD_KNOB_VLAN_EGRESS,
	.read  = vlan_read,
	.write = vlan_write,
};
