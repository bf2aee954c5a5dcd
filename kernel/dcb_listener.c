// SPDX-License-Identifier: GPL-2.0
/*
 * rtnetlink tells RTNLGRP_DCB of every IEEE and CEE write that goes through
 * it. A kernel socket in that group of each netns hears them, our own
 * announcements included: those are delivered within the announcing call and
 * known by its task.
 */
#include <linux/dcbnl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/dcbnl.h>
#include <net/net_namespace.h>
#include <net/netlink.h>
#include <net/netns/generic.h>
#include <net/sock.h>
#include "compat/netlink_sock.h"
#include "dcb_listener.h"

#define RG_LISTENER_BUF	8192	/* dcbnl answers with one message of up to that */

struct rg_listener {
	struct net *net;
	struct socket *sock;
	struct work_struct work;
	bool deaf;		/* messages were lost */
};

static unsigned int rg_listener_id;

/* Who announces, and for which port; both under rtnl. */
static struct task_struct *rg_announcer;
static struct rg_port *rg_announced;

static void rg_listener_ready(struct sock *sk)
{
	struct rg_listener *listener = sk->sk_user_data;
	unsigned long flags;

	if (READ_ONCE(rg_announcer) == current) {
		spin_lock_irqsave(&rg_announced->lock, flags);
		rg_announced->echo++;
		spin_unlock_irqrestore(&rg_announced->lock, flags);
	}
	queue_work(rg_wq, &listener->work);
}

static void rg_listener_error(struct sock *sk)
{
	struct rg_listener *listener = sk->sk_user_data;

	WRITE_ONCE(listener->deaf, true);
	queue_work(rg_wq, &listener->work);
}

static bool rg_is_echo(struct rg_port *port)
{
	unsigned long flags;
	bool echo;

	spin_lock_irqsave(&port->lock, flags);
	echo = port->echo;
	if (echo)
		port->echo--;
	spin_unlock_irqrestore(&port->lock, flags);
	return echo;
}

static void rg_listener_heard(struct rg_listener *listener,
			      const struct nlmsghdr *nlh)
{
	const struct nlattr *name;
	char ifname[IFNAMSIZ];
	struct rg_port *port;

	if (nlh->nlmsg_type != RTM_SETDCB && nlh->nlmsg_type != RTM_GETDCB)
		return;
	name = nlmsg_find_attr(nlh, sizeof(struct dcbmsg), DCB_ATTR_IFNAME);
	if (!name || nla_len(name) > IFNAMSIZ)
		return;
	nla_strscpy(ifname, name, sizeof(ifname));
	port = rg_port_find(listener->net, 0, ifname);
	if (!port)
		return;
	if (!rg_is_echo(port))
		rg_port_kick(port, ROCEGUARD_TRIGGER_DCB_EVENT);
	rg_port_put(port);
}

static int rg_listener_recv(struct rg_listener *listener, void *buf)
{
	struct sockaddr_nl from = {};
	struct msghdr msg = {
		.msg_name    = &from,
		.msg_namelen = sizeof(from),
		.msg_flags   = MSG_DONTWAIT,
	};
	struct kvec vec = { .iov_base = buf, .iov_len = RG_LISTENER_BUF };
	struct nlmsghdr *nlh = buf;
	int len;

	len = kernel_recvmsg(listener->sock, &msg, &vec, 1, RG_LISTENER_BUF,
			     MSG_DONTWAIT);
	if (len < 0)
		return len;
	/* A process may send to the group, too: only the kernel is port 0. */
	if (from.nl_pid)
		return 0;
	for (; nlmsg_ok(nlh, len); nlh = nlmsg_next(nlh, &len))
		rg_listener_heard(listener, nlh);
	return 0;
}

static void rg_listener_work(struct work_struct *work)
{
	struct rg_listener *listener;
	void *buf;
	int err;

	listener = container_of(work, struct rg_listener, work);
	buf = kmalloc(RG_LISTENER_BUF, GFP_KERNEL);
	if (!buf) {
		rg_ports_kick_net(listener->net, ROCEGUARD_TRIGGER_AUDIT);
		return;
	}
	do {
		err = rg_listener_recv(listener, buf);
		/* The overrun is read like a message; go on after it. */
		if (err == -ENOBUFS) {
			WRITE_ONCE(listener->deaf, true);
			err = 0;
		}
	} while (!err);
	if (xchg(&listener->deaf, false))
		rg_ports_kick_net(listener->net, ROCEGUARD_TRIGGER_AUDIT);
	kfree(buf);
}

static int __net_init rg_listener_net_init(struct net *net)
{
	struct rg_listener *listener = net_generic(net, rg_listener_id);
	int err;

	listener->net = net;
	INIT_WORK(&listener->work, rg_listener_work);
	err = sock_create_kern(net, PF_NETLINK, SOCK_RAW, NETLINK_ROUTE,
			       &listener->sock);
	if (err)
		return err;
	listener->sock->sk->sk_user_data = listener;
	listener->sock->sk->sk_data_ready = rg_listener_ready;
	listener->sock->sk->sk_error_report = rg_listener_error;
	err = rg_netlink_connect_kernel(listener->sock);
	if (!err)
		err = rg_netlink_join(listener->sock, RTNLGRP_DCB);
	if (err)
		sock_release(listener->sock);
	return err;
}

static void __net_exit rg_listener_net_exit(struct net *net)
{
	struct rg_listener *listener = net_generic(net, rg_listener_id);

	/* Outside the group nothing queues the work any more. */
	rg_netlink_leave(listener->sock, RTNLGRP_DCB);
	cancel_work_sync(&listener->work);
	sock_release(listener->sock);
}

static struct pernet_operations rg_listener_ops = {
	.init = rg_listener_net_init,
	.exit = rg_listener_net_exit,
	.id   = &rg_listener_id,
	.size = sizeof(struct rg_listener),
};

/**
 * rg_dcb_listener_init - listen in every netns, now and later
 *
 * Return: 0 or a negative errno.
 */
int rg_dcb_listener_init(void)
{
	return register_pernet_subsys(&rg_listener_ops);
}

/**
 * rg_dcb_listener_exit - stop listening; not under rtnl
 */
void rg_dcb_listener_exit(void)
{
	unregister_pernet_subsys(&rg_listener_ops);
}

/**
 * rg_dcb_announce - tell other listeners (lldpad) that we wrote DCB
 * @port: of which
 * @dev: its netdev, under rtnl
 *
 * The core reads everything anew for that, firmware included: once a pass.
 */
void rg_dcb_announce(struct rg_port *port, struct net_device *dev)
{
	ASSERT_RTNL();
	rg_announced = port;
	WRITE_ONCE(rg_announcer, current);
	dcbnl_ieee_notify(dev, RTM_SETDCB, DCB_CMD_IEEE_SET, 0, 0);
	WRITE_ONCE(rg_announcer, NULL);
}
