/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RG_NETLINK_H
#define RG_NETLINK_H

#include "../history.h"
#include "../policy.h"
#include "../port.h"

struct rg_storm_news;

int rg_netlink_init(void);
void rg_netlink_exit(void);
void rg_netlink_policy_ntf(const char *name, const struct rg_policy *policy,
			   u32 generation);
void rg_netlink_mode_ntf(void);
void rg_netlink_port_ntf(struct rg_port *port, struct net *net,
			 const struct rg_entry *entry);
void rg_netlink_congestion_ntf(struct rg_port *port, struct net *net,
			       const struct rg_storm_news *news);

#endif /* RG_NETLINK_H */
