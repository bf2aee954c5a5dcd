// SPDX-License-Identifier: GPL-2.0
/* Reads the table that `table` has made of the spec. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "genl.h"

struct table table;

static const char *const kinds[] = {
	[KIND_U32] = "u32", [KIND_S32] = "s32", [KIND_U64] = "u64",
	[KIND_STRING] = "string", [KIND_NEST] = "nest", [KIND_PAD] = "pad",
	[KIND_BINARY] = "binary",
};

static enum kind kind_named(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(kinds[i], name))
			return i;
	die("attributes of type %s are unknown", name);
}

static struct set *set_named(const char *name)
{
	unsigned int i;

	for (i = 0; i < table.n_sets; i++)
		if (!strcmp(table.set[i].name, name))
			return &table.set[i];
	return NULL;
}

static struct set *set_add(const char *name)
{
	struct set *set = set_named(name);

	if (set)
		return set;
	if (table.n_sets == SETS_MAX)
		die("more than %d sets", SETS_MAX);
	set = &table.set[table.n_sets++];
	strcpy(set->name, name);
	return set;
}

static struct attr *attr_named(struct set *set, const char *name)
{
	unsigned int i;

	for (i = 0; i < set->n; i++)
		if (!strcmp(set->attr[i].name, name))
			return &set->attr[i];
	die("%s has no attribute %s", set->name, name);
}

const struct set *table_set(const char *name)
{
	const struct set *set = set_named(name);

	if (!set)
		die("there is no set %s", name);
	return set;
}

const struct attr *table_attr(const struct set *set, const char *name)
{
	return attr_named((struct set *)set, name);
}

const struct command *table_command(const char *name, bool dump)
{
	unsigned int i;

	for (i = 0; i < table.n_commands; i++)
		if (!strcmp(table.command[i].name, name) &&
		    table.command[i].dump == dump)
			return &table.command[i];
	die("there is no command %s", name);
}

static bool read_attr(const char *line)
{
	char set_name[WORD_MAX], kind[WORD_MAX];
	struct attr attr = {};
	struct set *set;

	if (sscanf(line, "attr %63s %u %63s %63s %" SCNu64 " %" SCNu64 " %63s",
		   set_name, &attr.number, attr.name, kind, &attr.min,
		   &attr.max, attr.nested) != 7)
		return false;
	attr.kind = kind_named(kind);
	set = set_add(set_name);
	if (set->n == ATTRS_MAX)
		die("more than %d attributes in %s", ATTRS_MAX, set_name);
	set->attr[set->n++] = attr;
	return true;
}

static bool read_command(char *line)
{
	char way[WORD_MAX], who[WORD_MAX], set_name[WORD_MAX];
	struct command command = {};
	struct set *set;
	char *word;
	int at;

	if (sscanf(line, "command %u %63s %63s %63s %63s%n", &command.number,
		   command.name, way, who, set_name, &at) != 5)
		return false;
	set = set_named(set_name);
	if (!set || table.n_commands == COMMANDS_MAX)
		die("command without its set, or too many: %s", line);
	command.set = set;
	command.dump = !strcmp(way, "dump");
	command.event = !strcmp(way, "event");
	command.admin = !strcmp(who, "admin");
	for (word = strtok(line + at, " \n"); word; word = strtok(NULL, " \n"))
		command.attrs |= attr_bit(attr_named(set, word) - set->attr);
	table.command[table.n_commands++] = command;
	return true;
}

/* Fills in the one table there is. */
void table_read(const char *file)
{
	FILE *in = fopen(file, "r");
	char line[1024];

	if (!in)
		die("cannot read %s", file);
	while (fgets(line, sizeof(line), in)) {
		if (sscanf(line, "family %63s %u", table.family,
			   &table.version) == 2)
			continue;
		if (!read_attr(line) && !read_command(line))
			die("not a line of a table: %s", line);
	}
	fclose(in);
	if (!table.n_commands)
		die("%s has no commands", file);
}

/* SET.ATTR=VALUE */
void table_hint(const char *hint)
{
	char set_name[WORD_MAX], name[WORD_MAX], value[WORD_MAX];
	struct set *set;

	if (sscanf(hint, "%63[^.].%63[^=]=%63s", set_name, name, value) != 3)
		die("not SET.ATTR=VALUE: %s", hint);
	set = set_named(set_name);
	if (!set)
		die("there is no set %s", set_name);
	strcpy(attr_named(set, name)->hint, value);
}
