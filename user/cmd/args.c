// SPDX-License-Identifier: GPL-2.0
/* Words after a command. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "base.h"
#include "cmd.h"
#include "print.h"

static const struct arg_option *find_option(const struct arg_option *options,
					    const char *word, const char **eq)
{
	size_t n = strcspn(word, "=");

	for (; options->name; options++) {
		if (strlen(options->name) != n ||
		    strncmp(options->name, word, n))
			continue;
		*eq = word[n] ? word + n + 1 : NULL;
		return options;
	}
	return NULL;
}

/* "--on x" and "--on=x" */
static int take_option(const struct arg_option *o, const char *eq,
		       char *next, bool *used_next)
{
	if (o->flag) {
		if (eq) {
			rg_error("%s takes no value", o->name);
			return RG_EXIT_USAGE;
		}
		*o->flag = true;
		return 0;
	}
	if (*o->value) {
		rg_error("%s stands twice", o->name);
		return RG_EXIT_USAGE;
	}
	*o->value = eq ? eq : next;
	*used_next = !eq;
	if (*o->value && **o->value)
		return 0;
	rg_error("%s needs a value", o->name);
	return RG_EXIT_USAGE;
}

int args_parse(int *argc, char **argv, const struct arg_option *options,
	       int max_words, const char *usage)
{
	const struct arg_option *o;
	const char *eq = NULL;
	int i, n = 0;

	for (i = 0; i < *argc; i++) {
		bool used_next = false;

		o = find_option(options, argv[i], &eq);
		if (o) {
			if (take_option(o, eq, argv[i + 1], &used_next))
				return RG_EXIT_USAGE;
			i += used_next;
			continue;
		}
		if (argv[i][0] == '-' || n == max_words)
			return cmd_unknown(argv[i], usage);
		argv[n++] = argv[i];
	}
	argv[n] = NULL;
	*argc = n;
	return 0;
}

int args_number(const char *name, const char *s, long min_value,
		long max_value, long *value)
{
	char *end;

	if (!s)
		return 0;
	errno = 0;
	*value = strtol(s, &end, 10);
	if (isdigit((unsigned char)*s) && !*end && !errno &&
	    *value >= min_value && *value <= max_value)
		return 0;
	rg_error("%s %s: use a number from %ld to %ld", name, s, min_value,
		 max_value);
	return RG_EXIT_USAGE;
}

int args_time(const char *name, const char *s, long min_value, long max_value,
	      long *seconds)
{
	static const struct {
		const char *unit;
		long seconds;
	} units[] = { { "", 1 }, { "s", 1 }, { "m", 60 }, { "h", 3600 },
		      { "d", 86400 } };
	char *end;
	long n;
	size_t i;

	if (!s)
		return 0;
	errno = 0;
	n = strtol(s, &end, 10);
	for (i = 0; i < ARRAY_SIZE(units); i++) {
		if (!isdigit((unsigned char)*s) || strcmp(end, units[i].unit) ||
		    errno || n > max_value)
			continue;
		*seconds = n * units[i].seconds;
		if (*seconds >= min_value && *seconds <= max_value)
			return 0;
	}
	rg_error("%s %s: use %lds to %ldh, as 90s, 5m or 1h", name, s,
		 min_value, max_value / 3600);
	return RG_EXIT_USAGE;
}
