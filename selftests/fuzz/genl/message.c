// SPDX-License-Identifier: GPL-2.0
/* Makes messages: those of the spec, but for the one place that a plan names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "genl.h"

struct nlmsghdr *message_header(struct message *msg)
{
	return (struct nlmsghdr *)msg->data;
}

struct genlmsghdr *message_genl(struct message *msg)
{
	return NLMSG_DATA(message_header(msg));
}

/* What finds no room is left out: so huge a message is wrong in any case. */
void put_bytes(struct message *msg, const void *data, size_t len)
{
	size_t room = sizeof(msg->data) - msg->len;

	if (len > room)
		len = room;
	memcpy(msg->data + msg->len, data, len);
	msg->len += len;
}

static void put_padding(struct message *msg)
{
	static const uint8_t zeros[NLA_ALIGNTO];

	put_bytes(msg, zeros, NLA_ALIGN(msg->len) - msg->len);
}

void put(struct message *msg, unsigned int type, const void *data, size_t len)
{
	struct nlattr nla = { .nla_len = NLA_HDRLEN + len, .nla_type = type };

	put_bytes(msg, &nla, sizeof(nla));
	put_bytes(msg, data, len);
	put_padding(msg);
}

/* The place is remembered, for the message may move on to have no room. */
size_t nest_begin(struct message *msg, unsigned int type)
{
	size_t at = msg->len;

	put(msg, type, "", 0);
	return at;
}

void nest_end(struct message *msg, size_t at)
{
	struct nlattr *nla = (struct nlattr *)(msg->data + at);

	if (at + sizeof(*nla) <= sizeof(msg->data))
		nla->nla_len = msg->len - at;
}

uint64_t attr_bit(unsigned int i)
{
	return 1ull << i;
}

uint64_t all_attrs(const struct set *set)
{
	return set->n < ATTRS_MAX ? attr_bit(set->n) - 1 : ~0ull;
}

void put_number(struct message *msg, const struct attr *attr, uint64_t value)
{
	uint32_t half = value;

	if (attr->kind == KIND_U64)
		put(msg, attr->number, &value, sizeof(value));
	else
		put(msg, attr->number, &half, sizeof(half));
}

static uint64_t number(const struct attr *attr, bool wild)
{
	if (wild && random_below(2))
		return attr->min + random_u64() % (attr->max - attr->min + 1 ?: 1);
	if (wild && !random_below(4))
		return random_below(2) ? attr->min : attr->max;
	return attr->hint[0] ? strtoull(attr->hint, NULL, 0) : attr->min;
}

/* Few names, so that they meet again. */
static void put_text(struct message *msg, const struct attr *attr, bool wild)
{
	static const char *const texts[] = {
		"*", "a", "b", "fuzz", "fuzz1", "fuzz2", "fuzz3", "[a", "?oce0",
		"lo", "-x", "..", "%s%n",
	};
	const char *text = attr->hint[0] ? attr->hint : "a";

	if (wild && random_below(2))
		text = texts[random_below(ARRAY_SIZE(texts))];
	put(msg, attr->number, text, strlen(text) + 1);
}

static void put_nest(struct message *msg, const struct attr *attr,
		     const struct plan *plan)
{
	const struct set *set = table_set(attr->nested);
	uint64_t attrs = all_attrs(set);
	size_t at;

	if (set == plan->inner)
		attrs = plan->inner_attrs;
	else if (plan->wild && random_below(2))
		attrs &= random_u64();
	at = nest_begin(msg, attr->number | NLA_F_NESTED);
	put_set(msg, set, attrs, plan);
	nest_end(msg, at);
}

void put_attr(struct message *msg, const struct attr *attr,
	      const struct plan *plan)
{
	switch (attr->kind) {
	case KIND_NEST:
		put_nest(msg, attr, plan);
		break;
	case KIND_STRING:
		put_text(msg, attr, plan->wild);
		break;
	case KIND_BINARY:
	case KIND_PAD:
		put(msg, attr->number, "", 0);
		break;
	default:
		put_number(msg, attr, number(attr, plan->wild));
	}
}

void put_set(struct message *msg, const struct set *set, uint64_t attrs,
	     const struct plan *plan)
{
	const struct attr *attr;
	unsigned int i;

	for (i = 0; i < set->n; i++) {
		attr = &set->attr[i];
		if (!(attrs & attr_bit(i)))
			continue;
		if (plan->mutation && attr == plan->target)
			plan->mutation->put(msg, set, attr, plan);
		else
			put_attr(msg, attr, plan);
		if (plan->wild && !random_below(8))
			put_attr(msg, attr, plan);
	}
}

/* The sequence number is filled in when it is sent. */
void message_begin(struct message *msg, const struct command *command)
{
	struct nlmsghdr nlh = {
		.nlmsg_type  = table.id,
		.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK |
			       (command->dump ? NLM_F_DUMP : 0),
	};
	struct genlmsghdr genl = {
		.cmd = command->number, .version = table.version,
	};

	msg->len = 0;
	msg->command = command;
	msg->unsound = false;
	msg->core = command->event;
	put_bytes(msg, &nlh, sizeof(nlh));
	put_bytes(msg, &genl, sizeof(genl));
}

void message_end(struct message *msg)
{
	message_header(msg)->nlmsg_len = msg->len;
}

void message_make(struct message *msg, const struct plan *plan)
{
	message_begin(msg, plan->command);
	put_set(msg, plan->command->set, plan->attrs, plan);
	message_end(msg);
}
