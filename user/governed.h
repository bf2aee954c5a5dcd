/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ports, the policy of each, and whether they are as it says: by the module, and
 * by what this program reads itself, which no audit has to have come to yet.
 */
#ifndef RG_GOVERNED_H
#define RG_GOVERNED_H

#include "diff.h"

struct rg_ctx;

/**
 * struct governed - a port and its policy
 * @policy: its name, "" if none
 * @want: what that holds, if there is one
 * @known: the module knows it; NULL without the module
 * @compared: @diff is filled in
 * @diff: what it has, and how that differs
 */
struct governed {
	char policy[ROCEGUARD_NAME_MAX + 1];
	struct rg_want want;
	const struct model_port *known;
	bool compared;
	struct diff_port diff;
};

/**
 * struct governed_list - ports
 * @module: it is loaded
 * @known: what it knows
 */
struct governed_list {
	struct governed *port;
	size_t n;
	bool module;
	struct model_ports known;
};

/**
 * governed_read() - find out
 * @ctx: the options; the socket is opened if there is a module
 * @what: the command, for messages
 * @ifname: of one port, or of a bond: its legs; NULL: all that have a policy
 * @dcb: and those that have DCB
 * @list: filled in; governed_free() it after success and failure
 *
 * Without the module the policies of this host's directory are taken.
 *
 * Return: RG_EXIT_OK, or another exit status after saying why.
 */
int governed_read(struct rg_ctx *ctx, const char *what, const char *ifname,
		  bool dcb, struct governed_list *list);
void governed_free(struct governed_list *list);

/**
 * governed_differs() - does a knob differ that the module takes for right?
 * @port: the port
 * @i: of @port->diff.diff
 */
bool governed_differs(const struct governed *port, unsigned int i);

/**
 * governed_is_well() - is all as the policy says?
 * @port: the port
 */
bool governed_is_well(const struct governed *port);

/**
 * governed_show() - the port, and what is wrong with it; text, or the members of
 * the JSON object that is open
 * @port: the port
 */
void governed_show(const struct governed *port);

#endif /* RG_GOVERNED_H */
