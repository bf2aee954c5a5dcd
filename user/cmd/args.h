/* SPDX-License-Identifier: GPL-2.0 */
/* Words after a command: options in any place, then what is left. */
#ifndef RG_ARGS_H
#define RG_ARGS_H

#include <stdbool.h>

/**
 * struct arg_option - an option of a command
 * @name: with its dashes
 * @flag: set if it stands there and takes no value
 * @value: set to its value if it takes one
 */
struct arg_option {
	const char *name;
	bool *flag;
	const char **value;
};

/**
 * args_parse() - take the options out
 * @argc: number of words, updated
 * @argv: the words, updated to those that are no options
 * @options: ended by one without name
 * @max_words: how many words may be left
 * @usage: shown when something is wrong
 *
 * Return: 0, or RG_EXIT_USAGE after saying what is wrong.
 */
int args_parse(int *argc, char **argv, const struct arg_option *options,
	       int max_words, const char *usage);

/**
 * args_number() - a bounded number
 * @name: of the option, for the message
 * @s: as typed; NULL leaves @value alone
 * @min_value: least
 * @max_value: most
 * @value: set
 *
 * Return: 0, or RG_EXIT_USAGE after saying what is wrong.
 */
int args_number(const char *name, const char *s, long min_value,
		long max_value, long *value);

/**
 * args_time() - a bounded time: "90", "90s", "5m", "1h" or "7d"
 * @name: of the option, for the message
 * @s: as typed; NULL leaves @seconds alone
 * @min_value: least, in seconds
 * @max_value: most, in seconds
 * @seconds: set
 *
 * Return: 0, or RG_EXIT_USAGE after saying what is wrong.
 */
int args_time(const char *name, const char *s, long min_value, long max_value,
	      long *seconds);

#endif /* RG_ARGS_H */
