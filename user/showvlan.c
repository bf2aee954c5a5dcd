// SPDX-License-Identifier: GPL-2.0
/* The VLANs on a port, or on the bond above it, and what fills their tags. */
#include <stdio.h>
#include <string.h>

#include "connect/connect.h"
#include "print.h"
#include "show.h"

static bool is_vlan_on(const struct model_port *port,
		       const struct conn_links *links,
		       const struct conn_link *link)
{
	const struct conn_link *lower;

	if (strcmp(link->kind, "vlan") || link->foreign)
		return false;
	lower = conn_links_find(links, link->lower);
	return lower && (lower->index == port->ifindex ||
			 (port->bond[0] && !strcmp(lower->name, port->bond)));
}

/* "2:3 4:4": socket priority to priority in the tag; the others have 0. */
static const char *egress_map(const struct conn_link *vlan, char *buf,
			      size_t size)
{
	size_t i, len = 0;

	snprintf(buf, size, "empty");
	for (i = 0; i < ARRAY_SIZE(vlan->egress) && len < size; i++)
		if (vlan->egress[i])
			len += (size_t)snprintf(buf + len, size - len,
						"%s%zu:%u", len ? " " : "", i,
						vlan->egress[i]);
	return buf;
}

void show_vlans(const struct model_port *port, const struct conn_links *links)
{
	char map[80];
	size_t i;

	out_open_array("vlans");
	for (i = 0; i < links->n; i++) {
		const struct conn_link *link = &links->link[i];

		if (!is_vlan_on(port, links, link))
			continue;
		out_open_object(NULL);
		out_str("ifname", "  VLAN %s, ", link->name);
		out_uint("id", "id %llu, ", link->vlan_id);
		out_str("egress_qos_map", "egress-qos-map %s\n",
			egress_map(link, map, sizeof(map)));
		out_close();
	}
	out_close();
}
