/* SPDX-License-Identifier: GPL-2.0 */
/* How the objects look, in text and JSON. */
#ifndef RG_SHOW_H
#define RG_SHOW_H

#include "model.h"

struct conn_links;
struct inuse;

/* Lines are kept to this where words can be broken. */
#define SHOW_WIDTH	80

/**
 * show_wrapped() - words broken at blanks, text only
 * @indent: blanks before each line
 * @text: the words
 */
void show_wrapped(int indent, const char *text);

/* The heading of the table of ports, and a line with what is wrong below. */
void show_port_heading(void);
void show_port(const struct model_port *port, bool stats);

/* All knobs of one port, the VLANs that stand on it, and what uses it. */
void show_port_detail(const struct model_port *port,
		      const struct conn_links *links, const struct inuse *use,
		      bool stats);
void show_vlans(const struct model_port *port, const struct conn_links *links);

/*
 * The JSON of a port: an object in the array or object that is open. With @links
 * the VLANs that stand on it, with @use what uses it, too.
 */
void show_port_json(const struct model_port *port,
		    const struct conn_links *links, const struct inuse *use);

/* The members of an entry, into the object that is open. */
void show_entry_json(const struct model_entry *entry);

void show_policy(const struct model_policy *policy);

/* The members of a policy, into the object that is open. */
void show_policy_json(const struct model_policy *policy);

void show_host(const struct model_host *host);
void show_host_json(const struct model_host *host);

/* "enforced" and "unmanaged" are well, all else wants attention. */
bool show_port_is_well(const struct model_port *port);

/* A knob that wants attention. */
bool show_knob_is_well(const struct model_knob *knob);

/* "storage@5", or with its serial "storage@5:2026-11"; "-" without a policy. */
#define SHOW_POLICY_AT	(2 * ROCEGUARD_NAME_MAX + 16)
const char *show_policy_at(const struct model_port *port, char *buf,
			   size_t size);

#endif /* RG_SHOW_H */
