// SPDX-License-Identifier: GPL-2.0
/*
 * Everything the chain is judged by, read once: the route, the ports below it,
 * their policies and verdicts, the RDMA side. The verdicts are to be of now
 * and not of the last audit, so each port is first asked to look again; when
 * nothing may be written, that look reads only and finds what drifted.
 */

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "cmd/cmd.h"
#include "connect.h"
#include "nl.h"

#define SYSFS		"/sys"
#define LOOK_MS		5000
#define CARRIER_MS	10000
#define STEP_MS		20

static void pause_ms(unsigned int ms)
{
	struct timespec ts = { ms / 1000, ms % 1000 * 1000000L };

	nanosleep(&ts, NULL);
}

/* Tickets count up and wrap. */
static bool served(const struct model_port *port, uint32_t ticket)
{
	return (int32_t)(port->served - ticket) >= 0;
}

static int look_again(struct rgnl *nl, struct conn_port *p, const char *ifname)
{
	unsigned int ms = 0;
	uint32_t ticket;
	int err;

	err = model_port_apply(nl, ifname, false, &p->port);
	if (err)
		return err;
	ticket = p->port.ticket;
	while (!err && !served(&p->port, ticket) && ms < LOOK_MS) {
		pause_ms(STEP_MS);
		ms += STEP_MS;
		err = model_port_get(nl, ifname, &p->port);
	}
	p->fresh = !err && served(&p->port, ticket);
	p->late = !err && !p->fresh;
	return err;
}

static int read_policy(struct rgnl *nl, struct conn_port *p)
{
	struct rg_problem problem = { 0 };
	int err;

	if (!*p->port.policy)
		return 0;
	err = model_policy_get(nl, p->port.policy, &p->policy);
	if (err) {
		snprintf(p->why, sizeof(p->why), "%s", rgnl_words(nl));
		return err;
	}
	err = rg_policy_derive(&p->policy.spec, &p->want, &problem);
	if (err)
		snprintf(p->why, sizeof(p->why), "%s", problem.text);
	else
		p->has_policy = true;
	return err;
}

/* Only who may change things may ask for a look; others get the last one. */
static void read_port(struct rgnl *nl, const struct conn_args *args,
		      struct conn_port *p, const char *ifname)
{
	int err = args->dry_run ? -EPERM : look_again(nl, p, ifname);

	if (err == -EPERM || err == -EACCES)
		err = model_port_get(nl, ifname, &p->port);
	if (err) {
		snprintf(p->why, sizeof(p->why), "%s", rgnl_words(nl));
		return;
	}
	p->known = true;
	read_policy(nl, p);
}

static void read_module(struct rgnl **nl, struct conn_facts *facts)
{
	int err = *nl ? 0 : rgnl_open(nl);

	if (err == -ENOENT)
		snprintf(facts->module_why, sizeof(facts->module_why),
			 "roceguard.ko is not loaded");
	else if (err)
		snprintf(facts->module_why, sizeof(facts->module_why),
			 "no netlink socket: %s", strerror(-err));
	if (err)
		return;
	if (model_mode_get(*nl, &facts->host))
		snprintf(facts->module_why, sizeof(facts->module_why), "%s",
			 rgnl_words(*nl));
	else
		facts->module = true;
}

static bool all_have_carrier(const struct conn_route *route)
{
	unsigned int i;

	for (i = 0; i < route->n_ports; i++)
		if (!route->port[i].carrier)
			return false;
	return true;
}

/* The look may have written something that drops the link for a moment. */
static bool looked_at(const struct conn_facts *facts)
{
	unsigned int i;

	for (i = 0; i < facts->route.n_ports; i++)
		if (facts->port[i].fresh)
			return true;
	return false;
}

static int wait_for_carrier(struct nl_sock *sk, struct conn_facts *facts,
			    struct conn_error *error)
{
	struct conn_route *route = &facts->route;
	const struct conn_link *link;
	struct conn_links links;
	unsigned int ms = 0;
	unsigned int i;

	do {
		if (ms)
			pause_ms(10 * STEP_MS);
		ms += 10 * STEP_MS;
		if (conn_links_read(sk, &links, error))
			return -EINVAL;
		for (i = 0; i < route->n_ports; i++) {
			link = conn_links_find(&links, route->port[i].index);
			route->port[i].carrier = link && link->carrier;
		}
		conn_links_free(&links);
	} while (!all_have_carrier(route) && ms < CARRIER_MS);
	return 0;
}

static int find_way(struct nl_sock *sk, const struct conn_args *args,
		    struct conn_facts *facts, struct conn_error *error)
{
	struct conn_links links;
	int err;

	err = conn_links_read(sk, &links, error);
	if (err)
		return err;
	err = conn_route_find(sk, args, &links, &facts->route, error);
	conn_links_free(&links);
	return err;
}

static void read_gid(struct conn_facts *facts)
{
	const struct model_port *port = &facts->port[0].port;
	char gid[40];

	if (facts->route.source.ss_family == AF_UNSPEC)
		return;
	conn_address_gid(&facts->route.source, gid);
	/* A bond has an RDMA device of its own, whatever its ports had. */
	if (facts->route.n_ports == 1 && !*facts->route.bond)
		conn_gid_find(SYSFS, port->rdma_device, port->rdma_port,
			      facts->route.egress.name, gid, &facts->gid);
	else
		conn_gid_find(SYSFS, "", 0, facts->route.egress.name, gid,
			      &facts->gid);
}

/**
 * conn_facts_gather() - read everything
 * @nl: netlink socket to the module, opened unless it is open
 * @args: resolved arguments
 * @facts: filled in
 * @error: why it could not be read
 *
 * A module that is not loaded is a fact, not an error.
 *
 * Return: 0 or a negative errno.
 */
int conn_facts_gather(struct rgnl **nl, const struct conn_args *args,
		      struct conn_facts *facts, struct conn_error *error)
{
	struct nl_sock *sk;
	unsigned int i;
	int err;

	memset(facts, 0, sizeof(*facts));
	facts->gid = (struct conn_gid){ .index = -1, .ofed_tclass = -1 };
	sk = conn_rtnl_open(error);
	if (!sk)
		return -EINVAL;
	err = find_way(sk, args, facts, error);
	if (err)
		goto out;
	read_module(nl, facts);
	for (i = 0; facts->module && i < facts->route.n_ports; i++)
		read_port(*nl, args, &facts->port[i],
			  facts->route.port[i].name);
	if (looked_at(facts))
		err = wait_for_carrier(sk, facts, error);
	read_gid(facts);
out:
	conn_rtnl_close(sk);
	return err;
}
