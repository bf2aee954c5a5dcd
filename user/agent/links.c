// SPDX-License-Identifier: GPL-2.0
/* Hears that interfaces have changed, VLANs above all; not what. */
#include <errno.h>
#include <linux/rtnetlink.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>
#include <sys/socket.h>

#include "agent/agent.h"

int agent_links_open(struct agent *a)
{
	a->links = nl_socket_alloc();
	if (!a->links)
		return -ENOMEM;
	if (nl_connect(a->links, NETLINK_ROUTE) ||
	    nl_socket_add_memberships(a->links, RTNLGRP_LINK, 0) ||
	    nl_socket_set_nonblocking(a->links))
		return -EIO;
	return 0;
}

int agent_links_fd(const struct agent *a)
{
	return nl_socket_get_fd(a->links);
}

/* An overrun is a change as well. */
bool agent_links_changed(struct agent *a)
{
	bool changed = false;
	char byte;

	for (;;) {
		if (recv(agent_links_fd(a), &byte, sizeof(byte), 0) >= 0 ||
		    errno == ENOBUFS)
			changed = true;
		else if (errno != EINTR)
			return changed;
	}
}

void agent_links_close(struct agent *a)
{
	if (a->links)
		nl_socket_free(a->links);
	a->links = NULL;
}
