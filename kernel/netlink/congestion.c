// SPDX-License-Identifier: GPL-2.0
/* congestion-ntf. */
#include <net/net_namespace.h>
#include "../counters/watchdog.h"
#include "family.h"

static int rg_news_put(struct sk_buff *skb, const struct rg_storm_news *news)
{
	struct nlattr *nest = nla_nest_start(skb, ROCEGUARD_A_COUNTERS_STORM);

	if (!nest ||
	    nla_put_u32(skb, ROCEGUARD_A_STORM_PRIORITY, news->priority) ||
	    nla_put_u32(skb, ROCEGUARD_A_STORM_DIRECTION, news->direction) ||
	    nla_put_u32(skb, ROCEGUARD_A_STORM_ON, news->on) ||
	    nla_put_u32(skb, ROCEGUARD_A_STORM_ACTION, news->action) ||
	    (!news->on && nla_put_u32(skb, ROCEGUARD_A_STORM_LASTED,
				      news->lasted_ms)))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static void rg_congestion_ntf_to(struct rg_port *port, struct net *net,
				 const struct rg_storm_news *news)
{
	struct sk_buff *msg;
	void *hdr;

	if (!rg_family_heard(net, RG_MCGRP_CONGESTION))
		return;
	msg = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!msg)
		return;
	hdr = genlmsg_put(msg, 0, 0, &rg_family, 0,
			  ROCEGUARD_CMD_CONGESTION_NTF);
	if (!hdr || rg_counters_id_put(msg, port, net) ||
	    rg_news_put(msg, news)) {
		nlmsg_free(msg);
		return;
	}
	genlmsg_end(msg, hdr);
	genlmsg_multicast_netns(&rg_family, net, msg, 0, RG_MCGRP_CONGESTION,
				GFP_KERNEL);
}

/**
 * rg_netlink_congestion_ntf - tell the listeners of a port's netns and of the host
 * @port: which
 * @net: its netns, held by rtnl
 * @news: a pause storm of it began or ended
 */
void rg_netlink_congestion_ntf(struct rg_port *port, struct net *net,
			       const struct rg_storm_news *news)
{
	rg_congestion_ntf_to(port, net, news);
	if (!net_eq(net, &init_net))
		rg_congestion_ntf_to(port, &init_net, news);
}
