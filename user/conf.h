/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Policy files: INI in systemd's manner, parsed with libinih into the struct
 * that the kernel's own logic checks, and written back.
 *
 * Every function that fails puts one line into the caller's buffer:
 * "FILE:LINE: what is wrong; what to do".
 */
#ifndef RG_CONF_H
#define RG_CONF_H

#include <stdio.h>

#include "policy.h"

/* No policy needs more; a larger file is none. */
#define CONF_SIZE_MAX	(64 * 1024)

/* As many policies may be loaded from one directory. */
#define CONF_FILES_MAX	64

/* A policy file and as many drop-ins, less one, make a policy. */
#define CONF_PARTS_MAX	32

#define CONF_PATH_MAX	512

#define CONF_ERROR_MAX	1024

/* Keys of a section are numbered from 1; none has more than these two. */
#define CONF_KEYS	(1 + max(ROCEGUARD_A_POLICY_MAX, RG_PARAMS))
#define CONF_SECTIONS	RG_WHERES

/**
 * struct conf_part - one of the files that a policy is made of
 * @file: as named in messages
 * @first: its first line: lines are counted on from file to file
 */
struct conf_part {
	char file[CONF_PATH_MAX];
	int first;
};

/**
 * struct conf - a policy and where each part of it stands in its files
 * @spec: the policy
 * @part: the policy file, then its drop-ins
 * @n_parts: how many are used
 * @line: of a section's key, by enum rg_where and attribute; key 0 is the
 *	section itself; 0: it does not stand there
 * @class_line: the same for each class
 * @dscp_line: where a DSCP was given to a class
 * @says_which: [Match] names a driver or a port
 */
struct conf {
	struct rg_policy_spec spec;
	struct conf_part part[CONF_PARTS_MAX];
	size_t n_parts;
	int line[CONF_SECTIONS][CONF_KEYS];
	int class_line[ROCEGUARD_CLASSES_MAX][CONF_KEYS];
	int dscp_line[RG_DSCPS];
	bool says_which;
};

/**
 * struct conf_list - the policies of one file, directory or profile
 * @conf: each of them
 * @n: how many
 * @folder: they are all that a directory has
 */
struct conf_list {
	struct conf *conf;
	size_t n;
	bool folder;
};

/**
 * struct conf_text - what stands in a file
 * @file: for messages
 * @text: need not end in NUL
 * @len: of @text
 */
struct conf_text {
	const char *file;
	const char *text;
	size_t len;
};

/**
 * conf_parse() - text to a policy, and check it
 * @conf: filled in
 * @file: for messages
 * @name: of the policy
 * @text: need not end in NUL
 * @len: of @text
 * @error: CONF_ERROR_MAX bytes
 *
 * Return: 0 or -1 with @error set.
 */
int conf_parse(struct conf *conf, const char *file, const char *name,
	       const char *text, size_t len, char *error);

/**
 * conf_parse_all() - a policy file and its drop-ins to a policy, and check it
 * @conf: filled in
 * @name: of the policy
 * @texts: the policy file, then the drop-ins: a later one overrules, key by
 *	key, a list goes on, and an empty value takes back what earlier ones said
 * @n: how many, at most CONF_PARTS_MAX
 * @error: CONF_ERROR_MAX bytes
 *
 * Return: 0 or -1 with @error set.
 */
int conf_parse_all(struct conf *conf, const char *name,
		   const struct conf_text *texts, size_t n, char *error);

/**
 * conf_load() - read what "policy load" was given
 * @list: filled in; all of it is valid, or there is an error
 * @what: a path, a directory, the name of a packaged profile, or NULL: the
 *	directory where policies of this host belong
 * @error: CONF_ERROR_MAX bytes
 *
 * Return: 0 or -1 with @error set. conf_list_free() after both.
 */
int conf_load(struct conf_list *list, const char *what, char *error);

/**
 * conf_policy_dir() - the directory where policies of this host belong
 */
const char *conf_policy_dir(void);

/**
 * conf_find_profile() - the file of a profile, or of the policy in its place
 * @name: of the profile
 * @path: CONF_PATH_MAX bytes
 * @error: CONF_ERROR_MAX bytes
 *
 * Return: 0 or -1 with @error set.
 */
int conf_find_profile(const char *name, char *path, char *error);

/**
 * conf_read_file() - what stands in a policy file
 * @path: of a regular file of at most CONF_SIZE_MAX bytes
 * @text: set to it, to be freed
 * @len: its length
 * @error: CONF_ERROR_MAX bytes
 *
 * Return: 0 or -1 with @error set.
 */
int conf_read_file(const char *path, char **text, size_t *len, char *error);

void conf_list_free(struct conf_list *list);

/**
 * conf_write() - a policy as a file that loads back to the same policy
 * @f: where to
 * @spec: the policy
 */
void conf_write(FILE *f, const struct rg_policy_spec *spec);

#endif /* RG_CONF_H */
