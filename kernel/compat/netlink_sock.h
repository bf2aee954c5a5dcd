/* SPDX-License-Identifier: GPL-2.0 */
/* Netlink sockets of the kernel's own, from its socket calls. */
#ifndef RG_COMPAT_NETLINK_SOCK_H
#define RG_COMPAT_NETLINK_SOCK_H

#include <linux/net.h>
#include <linux/netlink.h>
#include <linux/sockptr.h>

/* The argument became sockaddr_unsized in 7.0; Kbuild looks for it. */
#ifdef RG_HAVE_SOCKADDR_UNSIZED
#define rg_sockaddr(_addr)	((struct sockaddr_unsized *)(_addr))
#else
#define rg_sockaddr(_addr)	((struct sockaddr *)(_addr))
#endif

/*
 * Binds to a port id of its own and takes unicast from the kernel only, so
 * that no process can call into the socket while it is being closed.
 */
static inline int rg_netlink_connect_kernel(struct socket *sock)
{
	struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };

	return kernel_connect(sock, rg_sockaddr(&kernel), sizeof(kernel), 0);
}

static inline int rg_netlink_join(struct socket *sock, int group)
{
	return sock->ops->setsockopt(sock, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP,
				     KERNEL_SOCKPTR(&group), sizeof(group));
}

/* When it returns no broadcast to the group is in the socket's callbacks. */
static inline void rg_netlink_leave(struct socket *sock, int group)
{
	sock->ops->setsockopt(sock, SOL_NETLINK, NETLINK_DROP_MEMBERSHIP,
			      KERNEL_SOCKPTR(&group), sizeof(group));
}

#endif /* RG_COMPAT_NETLINK_SOCK_H */
