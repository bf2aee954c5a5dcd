// SPDX-License-Identifier: GPL-2.0
/*
 * The host's side of the path, judged link by link in the order a frame meets
 * them: ToS -> DSCP -> priority -> traffic class -> PFC, and what must be
 * there for RDMA at all. Pure: facts in, verdicts out. A verdict of the kernel
 * is not repeated but read: what may be wrong right now is a broken link.
 */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "chain.h"
#include "compare.h"
#include "words.h"

/**
 * conn_status_word() - a status in one word
 * @status: of a link
 */
const char *conn_status_word(enum conn_status status)
{
	static const char *const words[] = {
		[CONN_OK] = "ok", [CONN_BROKEN] = "broken",
		[CONN_UNKNOWN] = "unknown", [CONN_NOTE] = "note",
	};

	return words[status];
}

/**
 * chain_add() - add a link to the chain
 * @chain: the chain
 * @name: one word
 * @port: of which port, "" if of the host
 * @status: what is known of it
 * @fmt: what was seen
 *
 * Return: the link, for chain_mend().
 */
struct conn_step *chain_add(struct conn_chain *chain, const char *name,
			    const char *port, enum conn_status status,
			    const char *fmt, ...)
{
	struct conn_step *step = &chain->step[chain->n++];
	va_list list;

	memset(step, 0, sizeof(*step));
	step->name = name;
	step->status = status;
	snprintf(step->port, sizeof(step->port), "%s", port);
	va_start(list, fmt);
	vsnprintf(step->seen, sizeof(step->seen), fmt, list);
	va_end(list);
	chain->broken += status == CONN_BROKEN;
	return step;
}

/**
 * chain_mend() - say what mends a link
 * @step: from chain_add()
 * @fmt: a command, or what to do
 */
void chain_mend(struct conn_step *step, const char *fmt, ...)
{
	va_list list;

	va_start(list, fmt);
	vsnprintf(step->remedy, sizeof(step->remedy), fmt, list);
	va_end(list);
}

/* ---- the host ---- */

static void judge_module(const struct conn_facts *facts,
			 struct conn_chain *chain)
{
	struct conn_step *step;

	if (!facts->module) {
		step = chain_add(chain, "module", "", CONN_BROKEN, "%s",
				 facts->module_why);
		chain_mend(step, "modprobe roceguard");
		return;
	}
	if (facts->host.mode == ROCEGUARD_MODE_OFF) {
		step = chain_add(chain, "module", "", CONN_BROKEN,
				 "roceguard.ko has mode off: it looks at no port");
		chain_mend(step, "load roceguard with mode=enforce");
		return;
	}
	chain_add(chain, "module", "", CONN_OK, "roceguard.ko, mode %s%s",
		  rg_word(&rg_words_mode, facts->host.mode),
		  facts->host.frozen ? ", frozen: writes nothing" : "");
}

static void judge_route(const struct conn_args *args,
			const struct conn_facts *facts,
			struct conn_chain *chain)
{
	const struct conn_route *route = &facts->route;
	char source[CONN_ADDRESS];
	struct conn_step *step;

	conn_address_print(&route->source, source);
	if (*route->why) {
		step = chain_add(chain, "route", "", CONN_BROKEN,
				 "%s leaves by %s, but %s", args->address,
				 route->egress.name, route->why);
		chain_mend(step, "give the address of a target behind a port of this host");
		return;
	}
	chain_add(chain, "route", "", CONN_OK, "%s leaves by %s from %s%s%s",
		  args->address, route->egress.name, source,
		  *route->gateway ? ", router " : "", route->gateway);
}

static void judge_tos(struct conn_chain *chain)
{
	const struct conn_tos *tos = &chain->tos;
	char words[64];

	conn_tos_words(tos->byte, words, sizeof(words));
	chain_add(chain, "tos", "", CONN_OK, "%s%s", words,
		  tos->from_user ? ", given with --tos" : conn_tos_why(tos));
}

/* ---- the RDMA side ---- */

static void judge_rdma(const struct conn_facts *facts,
		       struct conn_chain *chain)
{
	const struct conn_route *route = &facts->route;
	const struct conn_gid *gid = &facts->gid;
	char source[CONN_ADDRESS];
	struct conn_step *step;

	conn_address_print(&route->source, source);
	if (!*gid->device) {
		step = chain_add(chain, "rdma", "", CONN_BROKEN,
				 "no RDMA device has %s on %s", source,
				 route->egress.name);
		chain_mend(step, "load the RDMA driver of the NIC (software: rdma link add rxe0 type rxe netdev %s)",
			   route->egress.name);
		return;
	}
	chain_add(chain, "rdma", "", CONN_OK, "%s port %u", gid->device,
		  gid->port);
	if (gid->index >= 0) {
		chain_add(chain, "gid", "", CONN_OK, "%s is GID %d, RoCE v2",
			  source, gid->index);
		return;
	}
	step = chain_add(chain, "gid", "", CONN_BROKEN,
			 "%s has no RoCE v2 GID for %s%s", gid->device, source,
			 gid->v1_only ? ", only RoCE v1" : "");
	if (gid->v1_only)
		chain_mend(step, "switch the NIC to RoCE v2");
	else
		chain_mend(step, "put %s on %s itself, or connect from another address with -w",
			   source, route->egress.name);
}

static void judge_tclass(const struct conn_facts *facts,
			 struct conn_chain *chain)
{
	const struct conn_gid *gid = &facts->gid;
	struct conn_step *step;

	if (gid->ofed_tclass < 0 || gid->ofed_tclass == chain->tos.byte)
		return;
	step = chain_add(chain, "tclass", "", CONN_BROKEN,
			 "OFED's global traffic class %d overrides every ToS on %s",
			 gid->ofed_tclass, gid->device);
	chain_mend(step, "echo 0 > /sys/class/infiniband/%s/tc/%u/traffic_class",
		   gid->device, gid->port);
}

static void judge_mtu(const struct conn_facts *facts, struct conn_chain *chain)
{
	unsigned int mtu = facts->route.egress.mtu;
	unsigned int payload = rg_path_mtu(mtu);
	struct conn_step *step;

	if (!payload) {
		step = chain_add(chain, "mtu", "", CONN_BROKEN,
				 "%u bytes on %s are too few for RoCE v2", mtu,
				 facts->route.egress.name);
		chain_mend(step, "ip link set dev %s mtu 1500",
			   facts->route.egress.name);
		return;
	}
	step = chain_add(chain, "mtu", "",
			 payload < RG_PATH_MTU_MAX ? CONN_NOTE : CONN_OK,
			 "%u bytes: RDMA payload %u bytes a frame", mtu, payload);
	if (payload < RG_PATH_MTU_MAX)
		chain_mend(step, "MTU 4200 on both hosts and the switch carries %d",
			   RG_PATH_MTU_MAX);
}

/* ---- the chain ---- */

static void choose_tos(const struct conn_args *args,
		       const struct conn_facts *facts,
		       struct conn_chain *chain)
{
	const struct rg_class *class = NULL;
	unsigned int candidates;
	bool held = true;
	unsigned int i;

	for (i = 0; i < facts->route.n_ports; i++) {
		const struct conn_port *p = &facts->port[i];

		if (!p->has_policy)
			continue;
		if (!class)
			class = rg_policy_connections(&p->policy.spec,
						       &candidates);
		held = held && chain_rp_held(p, class);
	}
	conn_tos_choose(&chain->tos, class, class && held, args->tos);
}

/**
 * conn_chain_judge() - judge the host's side of the path
 * @args: resolved arguments
 * @facts: what was read
 * @chain: filled in
 */
void conn_chain_judge(const struct conn_args *args,
		      const struct conn_facts *facts, struct conn_chain *chain)
{
	struct chain_view v = { .args = args, .facts = facts, .chain = chain };
	unsigned int i;

	chain->n = 0;
	chain->broken = 0;
	chain->priority = -1;
	choose_tos(args, facts, chain);
	judge_module(facts, chain);
	judge_route(args, facts, chain);
	if (chain->tos.byte >= 0)
		judge_tos(chain);
	for (i = 0; i < facts->route.n_ports; i++) {
		v.p = &facts->port[i];
		v.link = &facts->route.port[i];
		v.ifname = v.link->name;
		chain_judge_port(&v);
	}
	if (facts->route.local)
		return;
	judge_rdma(facts, chain);
	judge_tclass(facts, chain);
	judge_mtu(facts, chain);
}
