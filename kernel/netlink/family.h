/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the commands of the family. */
#ifndef RG_NETLINK_FAMILY_H
#define RG_NETLINK_FAMILY_H

#include <net/genetlink.h>
#include <uapi/linux/roceguard.h>
#include "../compat/genetlink.h"
#include "../counters/counters.h"
#include "netlink.h"

enum rg_mcgrp { RG_MCGRP_PORT, RG_MCGRP_POLICY, RG_MCGRP_CONGESTION };

extern struct genl_family rg_family;

/* With every counter, each with an age, and what it is of. */
#define RG_COUNTER_MSG	(nla_total_size(0) + 3 * nla_total_size(sizeof(u32)))
#define RG_ALL_COUNTERS_MSG						\
	(512 +								\
	 RG_PRIORITY_COUNTERS *						\
	 (RG_COUNTER_MSG + nla_total_size(RG_PRIORITIES * sizeof(u64))) + \
	 RG_PORT_COUNTERS *						\
	 (RG_COUNTER_MSG + nla_total_size_64bit(sizeof(u64))))

extern const struct nla_policy rg_policy_attrs[ROCEGUARD_A_POLICY_MAX + 1];
extern const struct nla_policy rg_policy_key[ROCEGUARD_A_POLICY_NAME + 1];
extern const struct nla_policy
rg_policy_del_attrs[ROCEGUARD_A_POLICY_RESTORE + 1];
extern const struct nla_policy rg_port_key[ROCEGUARD_A_PORT_IFNAME + 1];
extern const struct nla_policy rg_port_apply_attrs[ROCEGUARD_A_PORT_NOW + 1];
extern const struct nla_policy rg_no_attrs[ROCEGUARD_A_HOST_MODE + 1];
extern const struct nla_policy rg_host_attrs[ROCEGUARD_A_HOST_FREEZE_FOR + 1];
extern const struct nla_policy
rg_report_attrs[ROCEGUARD_A_REPORT_ALIVE + 1];
extern const struct nla_policy
rg_counters_key[ROCEGUARD_A_COUNTERS_FRESH + 1];
extern const struct nla_policy
rg_sample_key[ROCEGUARD_A_SAMPLE_CLEAR + 1];
extern const struct nla_policy
rg_incident_attrs[ROCEGUARD_A_SAMPLE_CAUSE + 1];
extern const struct nla_policy rg_entry_key[ROCEGUARD_A_ENTRY_SEQ + 1];

int rg_policy_get_doit(struct sk_buff *skb, struct genl_info *info);
int rg_policy_get_start(struct netlink_callback *cb);
int rg_policy_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int rg_policy_set_doit(struct sk_buff *skb, struct genl_info *info);
int rg_policy_del_doit(struct sk_buff *skb, struct genl_info *info);
int rg_policy_confirm_doit(struct sk_buff *skb, struct genl_info *info);
int rg_port_get_doit(struct sk_buff *skb, struct genl_info *info);
int rg_port_get_start(struct netlink_callback *cb);
int rg_port_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int rg_port_apply_doit(struct sk_buff *skb, struct genl_info *info);
int rg_port_restore_doit(struct sk_buff *skb, struct genl_info *info);
int rg_mode_get_doit(struct sk_buff *skb, struct genl_info *info);
int rg_mode_set_doit(struct sk_buff *skb, struct genl_info *info);
int rg_delegate_report_doit(struct sk_buff *skb, struct genl_info *info);
int rg_counters_get_doit(struct sk_buff *skb, struct genl_info *info);
int rg_counters_get_start(struct netlink_callback *cb);
int rg_counters_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
typedef int (*rg_port_put_fn)(struct sk_buff *skb, struct rg_port *port,
			      const struct net *net);
int rg_ports_dump(struct sk_buff *skb, struct netlink_callback *cb, u8 cmd,
		  rg_port_put_fn put);
int rg_counters_history_start(struct netlink_callback *cb);
int rg_counters_history_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int rg_incident_report_doit(struct sk_buff *skb, struct genl_info *info);
int rg_history_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);

struct rg_port *rg_port_asked(struct net *net, const struct nlattr *ifindex,
			      const struct nlattr *ifname,
			      struct netlink_ext_ack *extack);
int rg_counter_put(struct sk_buff *skb, u32 id, const struct rg_marks *have,
		   const struct rg_totals *value);
int rg_counters_id_put(struct sk_buff *skb, struct rg_port *port,
		       const struct net *net);
int rg_entry_put(struct sk_buff *skb, const struct rg_entry *entry);

bool rg_family_heard(struct net *net, enum rg_mcgrp group);
bool rg_from_init_net(struct genl_info *info);
struct sk_buff *rg_reply_begin(struct genl_info *info, size_t size, void **hdr);
int rg_reply_end(struct sk_buff *msg, void *hdr, int err,
		 struct genl_info *info);

#endif /* RG_NETLINK_FAMILY_H */
