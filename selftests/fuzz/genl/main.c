// SPDX-License-Identifier: GPL-2.0
/*
 * genl TABLE writer|neighbour|stranger SEED SHARE ROUNDS [SET.ATTR=VALUE ...]
 *
 * Sends the family of TABLE every subset of every command's attributes, every
 * mutation of every attribute and header, or of what is many only SHARE percent,
 * and ROUNDS messages by chance from SEED. A neighbour's writes must be refused but those to its own ports, a
 * stranger's all.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "genl.h"

#define ALL_SUBSETS	10	/* of more attributes than that, a choice */
#define CHOICE		100
#define MANY		3	/* attributes of a command */

static struct message msg;
static unsigned int share;

void die(const char *fmt, ...)
{
	va_list args;

	fflush(stdout);
	va_start(args, fmt);
	fprintf(stderr, "genl: ");
	vfprintf(stderr, fmt, args);
	fprintf(stderr, "\n");
	va_end(args);
	exit(2);
}

/* What is few is sent in any case. */
static bool left_out(const struct plan *plan)
{
	return (plan->mutation ||
		__builtin_popcountll(plan->command->attrs) > MANY) &&
	       random_below(100) >= share;
}

static void send_plan(const struct plan *plan, const char *what)
{
	if (left_out(plan))
		return;
	message_make(&msg, plan);
	watch_ask(&msg, what);
}

/* Every subset of @mask, or of many attributes: one, two, all but one, chance. */
static void each_subset(uint64_t mask, void (*fn)(uint64_t subset, void *arg),
			void *arg)
{
	uint64_t subset = mask;
	unsigned int i, k;

	if (__builtin_popcountll(mask) <= ALL_SUBSETS) {
		do {
			fn(subset, arg);
			subset = (subset - 1) & mask;
		} while (subset != mask);
		return;
	}
	fn(0, arg);
	fn(mask, arg);
	for (i = 0; i < ATTRS_MAX; i++) {
		if (!(mask & attr_bit(i)))
			continue;
		fn(mask & ~attr_bit(i), arg);
		for (k = 0; k <= i; k++)
			if (mask & attr_bit(k))
				fn(attr_bit(i) | attr_bit(k), arg);
	}
	for (i = 0; i < CHOICE; i++)
		fn(mask & random_u64(), arg);
}

static void subset_top(uint64_t subset, void *arg)
{
	struct plan plan = { .command = arg, .attrs = subset };

	send_plan(&plan, "subset");
}

static void subset_inner(uint64_t subset, void *arg)
{
	struct plan *plan = arg;

	plan->inner_attrs = subset;
	send_plan(plan, "subset of a nest");
}

/* Which attributes of @set make a message in which @set is, and little else. */
static uint64_t context(const struct command *command, unsigned int attr)
{
	uint64_t first = command->attrs & -command->attrs;

	return first | attr_bit(attr);
}

/* All sets within attribute @attr of the command, however deep. */
static void each_inner(const struct command *command, unsigned int attr,
		       const struct attr *nest)
{
	const struct set *set = table_set(nest->nested);
	struct plan plan = { .command = command, .inner = set };
	unsigned int i;

	plan.attrs = context(command, attr);
	each_subset(all_attrs(set), subset_inner, &plan);
	for (i = 0; i < set->n; i++)
		if (set->attr[i].kind == KIND_NEST)
			each_inner(command, attr, &set->attr[i]);
}

static void subsets(const struct command *command)
{
	unsigned int i;

	/* those that are for answers only, too */
	each_subset(command->attrs, subset_top, (void *)command);
	for (i = 0; i < command->set->n; i++) {
		subset_top(attr_bit(i), (void *)command);
		if (command->attrs & attr_bit(i) &&
		    command->set->attr[i].kind == KIND_NEST)
			each_inner(command, i, &command->set->attr[i]);
	}
}

/* Every mutation of an attribute, alone with its context and among all. */
static void mutate_attr(const struct command *command, unsigned int top,
			const struct attr *attr)
{
	struct plan plan = { .command = command, .target = attr };
	const struct set *set;
	unsigned int i;

	for (i = 0; i < n_mutations; i++) {
		if (!(mutations[i].kinds & 1u << attr->kind))
			continue;
		plan.mutation = &mutations[i];
		plan.attrs = context(command, top);
		send_plan(&plan, mutations[i].name);
		plan.attrs |= command->attrs;
		send_plan(&plan, mutations[i].name);
	}
	if (attr->kind != KIND_NEST)
		return;
	set = table_set(attr->nested);
	for (i = 0; i < set->n; i++)
		mutate_attr(command, top, &set->attr[i]);
}

static void mutate(const struct command *command)
{
	unsigned int i;

	for (i = 0; i < command->set->n; i++)
		if (command->attrs & attr_bit(i) || !command->attrs)
			mutate_attr(command, i, &command->set->attr[i]);
}

static void mutate_header(const struct command *command)
{
	struct plan plan = { .command = command };
	unsigned int i;

	for (i = 0; i < n_header_mutations; i++) {
		plan.attrs = command->attrs;
		message_make(&msg, &plan);
		header_mutations[i].apply(&msg);
		watch_ask(&msg, header_mutations[i].name);
		plan.attrs = 0;
		message_make(&msg, &plan);
		header_mutations[i].apply(&msg);
		watch_ask(&msg, header_mutations[i].name);
	}
}

/* A message by chance: half of those that are right, and bytes of it changed. */
static void by_chance(void)
{
	const struct command *command;
	struct plan plan = { .wild = true };

	do {
		command = &table.command[random_below(table.n_commands)];
	} while (command->event);
	plan.command = command;
	plan.attrs = command->attrs & random_u64();
	if (!random_below(8))
		plan.attrs = random_u64() & all_attrs(command->set);
	message_make(&msg, &plan);
	if (random_below(2))
		mutate_bytes(&msg);
	watch_ask(&msg, "by chance");
}

static enum role role_named(const char *name)
{
	static const char *const roles[] = {
		[ROLE_WRITER] = "writer", [ROLE_NEIGHBOUR] = "neighbour",
		[ROLE_STRANGER] = "stranger",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(roles); i++)
		if (!strcmp(roles[i], name))
			return i;
	die("nobody is a %s", name);
}

int main(int argc, char **argv)
{
	unsigned long rounds;
	unsigned int i;

	if (argc < 5)
		die("usage: genl TABLE writer|neighbour|stranger SEED SHARE ROUNDS [SET.ATTR=VALUE ...]");
	setvbuf(stdout, NULL, _IOLBF, 0);
	table_read(argv[1]);
	random_begin(strtoull(argv[3], NULL, 0));
	share = strtoul(argv[4], NULL, 0);
	rounds = strtoul(argv[5], NULL, 0);
	for (i = 6; i < (unsigned int)argc; i++)
		table_hint(argv[i]);
	ask_open();
	watch_begin(role_named(argv[2]));
	for (i = 0; i < table.n_commands; i++) {
		mutate_header(&table.command[i]);
		if (table.command[i].event)
			continue;
		subsets(&table.command[i]);
		mutate(&table.command[i]);
	}
	while (rounds--)
		by_chance();
	return watch_end();
}
