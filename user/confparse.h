/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Between the files that parse policy files: conf.c goes through lines,
 * confkeys.c and confexpert.c know the keys, confvalue.c reads values,
 * confmeant.c guesses what was meant.
 */
#ifndef RG_CONFPARSE_H
#define RG_CONFPARSE_H

#include "conf.h"
#include "words.h"

#define CONF_BLANKS	" \t"

struct conf_parser;

/**
 * struct conf_key - a key that a section may have
 * @name: as written
 * @attr: the attribute it becomes, index of its line
 * @again: may stand more than once; its words add up
 * @parse: takes one blank-separated word, or the value if it is no list
 */
struct conf_key {
	const char *name;
	int attr;
	bool again;
	int (*parse)(struct conf_parser *p, char *word);
};

/**
 * struct conf_section - a section that a file may have
 * @name: as written
 * @where: the same in the words of policy.h
 * @named: is followed by a name, as in [Class storage]
 * @key: its keys, ended by one without name
 */
struct conf_section {
	const char *name;
	enum rg_where where;
	bool named;
	const struct conf_key *key;
};

/**
 * struct conf_said - a line that says something
 * @section: where it stands
 * @class: where, if @section is [Class NAME]
 * @key: what about; NULL: it begins @section
 * @value: as written; the name, if it begins a class
 * @line: of it
 * @gone: the line that took it back, or 0
 */
struct conf_said {
	const struct conf_section *section;
	unsigned int class;
	const struct conf_key *key;
	char *value;
	int line;
	int gone;
};

/**
 * struct conf_parser - where parsing stands
 * @conf: what is filled in
 * @said: by all lines so far
 * @n_said: how many
 * @at: the next line
 * @end: of the text
 * @line: number of the line under way, from 1, counted on from file to file
 * @section: under way; NULL before the first
 * @class: under way, if @section is [Class NAME]
 * @key: under way
 * @error: of the caller; empty while all is well
 * @error_line: what it is about
 */
struct conf_parser {
	struct conf *conf;
	struct conf_said *said;
	size_t n_said;
	const char *at;
	const char *end;
	int line;
	const struct conf_section *section;
	unsigned int class;
	const struct conf_key *key;
	char *error;
	int error_line;
};

/* The keys of the expert sections. */
extern const struct conf_key conf_pfc_key[];
extern const struct conf_key conf_dscp_key[];
extern const struct conf_key conf_ets_key[];
extern const struct conf_key conf_ecn_key[];
extern const struct conf_key conf_pause_key[];
extern const struct conf_key conf_dcbx_key[];
extern const struct conf_key conf_maxrate_key[];
extern const struct conf_key conf_buffer_key[];
extern const struct conf_key conf_storm_key[];
extern const struct conf_key conf_check_key[];
extern const struct conf_key conf_watchdog_key[];

/* Those of [DCQCN] and [CNP], made of the table of parameters. */
extern struct conf_key conf_dcqcn_key[];
extern struct conf_key conf_cnp_key[];
void conf_params_init(void);
extern const struct conf_key conf_rdma_cm_key[];
extern const struct conf_key conf_vlan_key[];

/* Ended by one without name. */
extern const struct conf_section conf_sections[];

/*
 * All of these return -1 after a conf_fail(), else 0 or a value. Who refuses a
 * value says at the end what is right: "use A to B", "use a or b", "use ..., as
 * EXAMPLE" or "use ..., at most N"; the tests are generated from that.
 */

int conf_fail_at(struct conf_parser *p, int line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
#define conf_fail(p, ...) conf_fail_at(p, (p)->line, __VA_ARGS__)

/* Names a line: as "line 3", or with its file, if that is not the one under way. */
#define CONF_PLACE_MAX	(CONF_PATH_MAX + 16)
const char *conf_place(const struct conf_parser *p, int line, char *buf);
size_t conf_part_of(const struct conf *conf, int line);

int conf_number(struct conf_parser *p, const char *what, const char *s,
		long min_value, long max_value, long *value);
int conf_priority(struct conf_parser *p, const char *s, long *value);
int conf_dscp(struct conf_parser *p, const char *s, long *value);
int conf_tc(struct conf_parser *p, const char *s, long *value);
int conf_percent(struct conf_parser *p, const char *what, char *s,
		 long min_value, long *value);
int conf_metres(struct conf_parser *p, char *s, u16 *metres);
int conf_speed(struct conf_parser *p, const char *s, u32 *mbps);
int conf_yes(struct conf_parser *p, const char *s, bool *value);
int conf_word(struct conf_parser *p, const struct rg_words *words,
	      const char *s);
int conf_split(char *s, char *part[], int max_parts);

int conf_unknown_section(struct conf_parser *p, const char *name);
int conf_unknown_key(struct conf_parser *p, const char *name);

#endif /* RG_CONFPARSE_H */
