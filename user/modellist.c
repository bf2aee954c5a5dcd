// SPDX-License-Identifier: GPL-2.0
/*
 * The requests that are about all objects of a kind. A slot more is made before
 * each object, and kept if it decodes.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"
#include "nl.h"

static void *grow(void *array, size_t n, size_t size)
{
	/* Sizes are powers of two, so only there is it full. */
	if (n & (n - 1))
		return array;
	return reallocarray(array, n ? 2 * n : 1, size);
}

static int list_port(uint8_t cmd __attribute__((unused)),
		     struct nlattr *attrs, int len, void *arg)
{
	struct model_ports *list = arg;
	void *array = grow(list->port, list->n, sizeof(*list->port));
	int err;

	if (!array)
		return -ENOMEM;
	list->port = array;
	err = model_decode_port(attrs, len, &list->port[list->n]);
	list->n += !err;
	return err;
}

static void reset_ports(void *arg)
{
	((struct model_ports *)arg)->n = 0;
}

int model_ports(struct rgnl *nl, struct model_ports *ports)
{
	return rgnl_dump(nl, ROCEGUARD_CMD_PORT_GET, NULL, list_port,
			 reset_ports, ports);
}

void model_ports_free(struct model_ports *ports)
{
	free(ports->port);
	memset(ports, 0, sizeof(*ports));
}

static int list_policy(uint8_t cmd __attribute__((unused)),
		       struct nlattr *attrs, int len, void *arg)
{
	struct model_policies *list = arg;
	void *array = grow(list->policy, list->n, sizeof(*list->policy));
	bool deleted;
	int err;

	if (!array)
		return -ENOMEM;
	list->policy = array;
	err = model_decode_policy(attrs, len, &list->policy[list->n],
				  &deleted);
	list->n += !err;
	return err;
}

static void reset_policies(void *arg)
{
	((struct model_policies *)arg)->n = 0;
}

int model_policies(struct rgnl *nl, struct model_policies *policies)
{
	return rgnl_dump(nl, ROCEGUARD_CMD_POLICY_GET, NULL, list_policy,
			 reset_policies, policies);
}

void model_policies_free(struct model_policies *policies)
{
	free(policies->policy);
	memset(policies, 0, sizeof(*policies));
}

static int list_entry(uint8_t cmd __attribute__((unused)),
		      struct nlattr *attrs, int len, void *arg)
{
	struct model_entries *list = arg;
	void *array = grow(list->entry, list->n, sizeof(*list->entry));
	int err;

	if (!array)
		return -ENOMEM;
	list->entry = array;
	err = model_decode_entry(attrs, len, &list->entry[list->n]);
	list->n += !err;
	return err;
}

static void reset_entries(void *arg)
{
	((struct model_entries *)arg)->n = 0;
}

static int put_first(struct nl_msg *msg, void *arg)
{
	const struct model_entries *list = arg;

	return list->first ? nla_put_u64(msg, ROCEGUARD_A_ENTRY_SEQ,
					 list->first) : 0;
}

int model_history(struct rgnl *nl, uint64_t seq, struct model_entries *entries)
{
	entries->first = seq;
	return rgnl_dump(nl, ROCEGUARD_CMD_HISTORY_GET, put_first, list_entry,
			 reset_entries, entries);
}

void model_entries_free(struct model_entries *entries)
{
	free(entries->entry);
	memset(entries, 0, sizeof(*entries));
}
