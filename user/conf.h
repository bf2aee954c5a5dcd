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

#define CONF_ERROR_MAX	1024

/* Attributes of a section are numbered from 1; none has more than a policy. */
#define CONF_KEYS	(ROCEGUARD_A_POLICY_MAX + 1)
#define CONF_SECTIONS	RG_WHERES

/**
 * struct conf - a policy and where each part of it stands in its file
 * @spec: the policy
 * @file: as named in messages
 * @line: of a section's key, by enum rg_where and attribute; key 0 is the
 *	section itself; 0: it does not stand there
 * @class_line: the same for each class
 * @dscp_line: where a DSCP was given to a class
 * @says_which: [Match] names a driver or a port
 */
struct conf {
	struct rg_policy_spec spec;
	char file[512];
	int line[CONF_SECTIONS][CONF_KEYS];
	int class_line[ROCEGUARD_CLASSES_MAX][CONF_KEYS];
	int dscp_line[RG_DSCPS];
	bool says_which;
};

/**
 * struct conf_list - the policies of one file, directory or profile
 */
struct conf_list {
	struct conf *conf;
	size_t n;
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
 * conf_read() - read one policy file; the policy is called like it
 * @conf: filled in
 * @path: ends in ".conf"
 * @error: CONF_ERROR_MAX bytes
 *
 * Return: 0 or -1 with @error set.
 */
int conf_read(struct conf *conf, const char *path, char *error);

/**
 * conf_load() - read what "policy load" was given
 * @list: filled in; all of it is valid, or there is an error
 * @what: a path, a directory, or the name of a packaged profile
 * @error: CONF_ERROR_MAX bytes
 *
 * Return: 0 or -1 with @error set. conf_list_free() after both.
 */
int conf_load(struct conf_list *list, const char *what, char *error);
void conf_list_free(struct conf_list *list);

/**
 * conf_write() - a policy as a file that loads back to the same policy
 * @f: where to
 * @spec: the policy
 */
void conf_write(FILE *f, const struct rg_policy_spec *spec);

#endif /* RG_CONF_H */
