/* SPDX-License-Identifier: GPL-2.0 */
/* What chain.c (the host) and chain_port.c (one port) share. */
#ifndef RG_CONNECT_CHAIN_H
#define RG_CONNECT_CHAIN_H

#include "connect.h"

/**
 * struct chain_view - what the judges of one port look at
 * @args: resolved arguments
 * @facts: what was read
 * @p: the port, as roceguard.ko knows it
 * @link: the port, as rtnetlink knows it
 * @ifname: its name
 * @chain: where verdicts go
 */
struct chain_view {
	const struct conn_args *args;
	const struct conn_facts *facts;
	const struct conn_port *p;
	const struct conn_link *link;
	const char *ifname;
	struct conn_chain *chain;
};

struct conn_step *chain_add(struct conn_chain *chain, const char *name,
			    const char *port, enum conn_status status,
			    const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
void chain_mend(struct conn_step *step, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

bool chain_rp_held(const struct conn_port *p, const struct rg_class *class);
void chain_judge_port(const struct chain_view *v);

#endif /* RG_CONNECT_CHAIN_H */
