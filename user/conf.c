// SPDX-License-Identifier: GPL-2.0
/* Policy files: text to policy. Finding files is confload.c's business. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <ini.h>

#include "conf.h"
#include "print.h"
#include "words.h"

#define BLANKS	" \t"

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
 * struct conf_parser - where parsing stands
 * @conf: what is filled in
 * @at: the next line
 * @end: of the text
 * @line: number of the line under way, from 1
 * @section: under way; NULL before the first
 * @class: under way, if @section is [Class NAME]
 * @key: under way
 * @error: of the caller; empty while all is well
 * @error_line: what it is about
 */
struct conf_parser {
	struct conf *conf;
	const char *at;
	const char *end;
	int line;
	const struct conf_section *section;
	unsigned int class;
	const struct conf_key *key;
	char *error;
	int error_line;
};

/* Only the first thing that is wrong is told. */
static __attribute__((format(printf, 3, 4)))
int conf_fail_at(struct conf_parser *p, int line, const char *fmt, ...)
{
	size_t n = 0;
	va_list args;

	if (p->error[0] && p->error_line <= line)
		return -1;
	p->error_line = line;
	if (line)
		n = (size_t)snprintf(p->error, CONF_ERROR_MAX, "%s:%d: ",
				     p->conf->file, line);
	else
		n = (size_t)snprintf(p->error, CONF_ERROR_MAX, "%s: ",
				     p->conf->file);
	if (n >= CONF_ERROR_MAX)
		return -1;
	va_start(args, fmt);
	vsnprintf(p->error + n, CONF_ERROR_MAX - n, fmt, args);
	va_end(args);
	return -1;
}

#define conf_fail(p, ...) conf_fail_at(p, (p)->line, __VA_ARGS__)

static int *conf_lines(struct conf_parser *p)
{
	return p->section->named ? p->conf->class_line[p->class] :
				   p->conf->line[p->section->where];
}

static struct rg_class *conf_class(struct conf_parser *p)
{
	return &p->conf->spec.class[p->class];
}

/*
 * Numbers. @what is "priority", "DSCP" ...; messages carry the range.
 */
static int conf_number(struct conf_parser *p, const char *what, const char *s,
		       long min_value, long max_value, long *value)
{
	char *end;

	errno = 0;
	*value = strtol(s, &end, 10);
	if (!isdigit((unsigned char)*s) || *end)
		return conf_fail(p, "\"%s\" is no %s; use %ld to %ld", s, what,
				 min_value, max_value);
	if (errno || *value < min_value || *value > max_value)
		return conf_fail(p, "%s %s is out of range; use %ld to %ld",
				 what, s, min_value, max_value);
	return 0;
}

static int conf_priority(struct conf_parser *p, const char *s, long *value)
{
	return conf_number(p, "priority", s, 0, RG_PRIORITIES - 1, value);
}

static int conf_dscp(struct conf_parser *p, const char *s, long *value)
{
	return conf_number(p, "DSCP", s, 0, RG_DSCPS - 1, value);
}

static int conf_tc(struct conf_parser *p, const char *s, long *value)
{
	return conf_number(p, "TC", s, 0, RG_TCS - 1, value);
}

static int conf_yes(struct conf_parser *p, const char *s, bool *value)
{
	static const char *const words[][2] = {
		{ "no", "yes" }, { "off", "on" }, { "false", "true" },
		{ "0", "1" },
	};
	size_t i, v;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		for (v = 0; v < 2; v++) {
			if (strcasecmp(s, words[i][v]))
				continue;
			*value = v;
			return 0;
		}
	}
	return conf_fail(p, "%s=%s; use yes or no", p->key->name, s);
}

static int conf_word(struct conf_parser *p, const struct rg_words *words,
		     const char *s)
{
	char known[256] = "";
	size_t i, n = 0;
	int value = rg_word_value(words, s);

	if (value >= 0)
		return value;
	for (i = 0; i < words->n; i++)
		n += (size_t)snprintf(known + n, sizeof(known) - n, "%s%s",
				      i ? " or " : "", words->word[i]);
	return conf_fail(p, "%s=%s; use %s", p->key->name, s, known);
}

/*
 * Split "3:ets:50" in place.
 *
 * Return: the number of parts, at most @max; more than @max if there are more.
 */
static int conf_split(char *s, char *part[], int max_parts)
{
	int n = 0;

	while (s && n < max_parts) {
		part[n++] = s;
		s = strchr(s, ':');
		if (s)
			*s++ = '\0';
	}
	return s ? max_parts + 1 : n;
}

/* [Match] */

static int conf_glob(struct conf_parser *p, const char *s,
		     char list[][ROCEGUARD_GLOB_MAX + 1], unsigned int *n)
{
	unsigned int i;

	if (strlen(s) > ROCEGUARD_GLOB_MAX)
		return conf_fail(p, "a pattern of %zu bytes; use at most %d",
				 strlen(s), ROCEGUARD_GLOB_MAX);
	if (strpbrk(s, "[]\\"))
		return conf_fail(p, "the pattern \"%s\" has a bracket or a backslash; only * and ? are wildcards",
				 s);
	for (i = 0; i < *n; i++)
		if (!strcmp(list[i], s))
			return conf_fail(p, "\"%s\" stands twice; remove one",
					 s);
	if (*n == ROCEGUARD_GLOBS_MAX)
		return conf_fail(p, "more than %d patterns in %s=; use wildcards",
				 ROCEGUARD_GLOBS_MAX, p->key->name);
	strcpy(list[(*n)++], s);
	p->conf->says_which = true;
	return 0;
}

static int key_driver(struct conf_parser *p, char *word)
{
	struct rg_match *m = &p->conf->spec.match;

	return conf_glob(p, word, m->driver, &m->n_driver);
}

static int key_name(struct conf_parser *p, char *word)
{
	struct rg_match *m = &p->conf->spec.match;

	return conf_glob(p, word, m->ifname, &m->n_ifname);
}

static int key_rdma(struct conf_parser *p, char *word)
{
	return conf_yes(p, word, &p->conf->spec.match.rdma);
}

static const struct conf_key match_key[] = {
	{ "Driver", ROCEGUARD_A_MATCH_DRIVER, true, key_driver },
	{ "Name", ROCEGUARD_A_MATCH_IFNAME, true, key_name },
	{ "RDMA", ROCEGUARD_A_MATCH_RDMA, false, key_rdma },
	{ }
};

/* [Class NAME] */

/* Said here and not left to rg_policy_derive(), which knows no lines. */
static int conf_dscp_taken(struct conf_parser *p, long dscp)
{
	const struct rg_policy_spec *spec = &p->conf->spec;
	int line = p->conf->dscp_line[dscp];
	unsigned int i;

	for (i = 0; i < spec->n_classes; i++) {
		if (!(spec->class[i].dscp & BIT_ULL(dscp)))
			continue;
		if (i == p->class)
			return conf_fail(p, "DSCP %ld stands twice, first on line %d; remove one",
					 dscp, line);
		return conf_fail(p, "DSCP %ld is in class %s (line %d) and in class %s; leave it in one",
				 dscp, spec->class[i].name, line,
				 conf_class(p)->name);
	}
	return 0;
}

static int key_class_dscp(struct conf_parser *p, char *word)
{
	long v;

	if (conf_dscp(p, word, &v) || conf_dscp_taken(p, v))
		return -1;
	conf_class(p)->dscp |= BIT_ULL(v);
	p->conf->dscp_line[v] = p->line;
	return 0;
}

static int key_class_priority(struct conf_parser *p, char *word)
{
	long v;

	if (conf_priority(p, word, &v))
		return -1;
	conf_class(p)->priority = (u8)v;
	return 0;
}

static int key_class_lossless(struct conf_parser *p, char *word)
{
	return conf_yes(p, word, &conf_class(p)->lossless);
}

static int key_class_strict(struct conf_parser *p, char *word)
{
	return conf_yes(p, word, &conf_class(p)->strict);
}

static int key_class_cnp(struct conf_parser *p, char *word)
{
	return conf_yes(p, word, &conf_class(p)->cnp);
}

static int key_class_ecn(struct conf_parser *p, char *word)
{
	bool v;

	if (conf_yes(p, word, &v))
		return -1;
	conf_class(p)->ecn = v ? RG_YES : RG_NO;
	return 0;
}

/* "50%" and "50" */
static int conf_percent(struct conf_parser *p, const char *what, char *s,
			long min_value, long *value)
{
	size_t n = strlen(s);

	if (n > 1 && s[n - 1] == '%')
		s[n - 1] = '\0';
	return conf_number(p, what, s, min_value, 100, value);
}

static int key_class_share(struct conf_parser *p, char *word)
{
	long v;

	if (conf_percent(p, "percentage", word, 1, &v))
		return -1;
	conf_class(p)->share = (u8)v;
	return 0;
}

static const struct conf_key class_key[] = {
	{ "DSCP", ROCEGUARD_A_CLASS_DSCP, true, key_class_dscp },
	{ "Priority", ROCEGUARD_A_CLASS_PRIORITY, false, key_class_priority },
	{ "Lossless", ROCEGUARD_A_CLASS_LOSSLESS, false, key_class_lossless },
	{ "Strict", ROCEGUARD_A_CLASS_STRICT, false, key_class_strict },
	{ "ECN", ROCEGUARD_A_CLASS_ECN, false, key_class_ecn },
	{ "CNP", ROCEGUARD_A_CLASS_CNP, false, key_class_cnp },
	{ "Share", ROCEGUARD_A_CLASS_SHARE, false, key_class_share },
	{ }
};

/* [Policy] and [Connection] */

static int key_mode(struct conf_parser *p, char *word)
{
	int v = conf_word(p, &rg_words_policy_mode, word);

	if (v < 0)
		return -1;
	p->conf->spec.observe = v == ROCEGUARD_POLICY_MODE_OBSERVE;
	return 0;
}

static const struct conf_key policy_key[] = {
	{ "Mode", ROCEGUARD_A_POLICY_MODE, false, key_mode },
	{ }
};

static int key_connection_class(struct conf_parser *p, char *word)
{
	if (!rg_name_valid(word))
		return conf_fail(p, "\"%s\" is no name of a class; use letters, digits, '.', '_' and '-', at most %d",
				 word, ROCEGUARD_NAME_MAX);
	strcpy(p->conf->spec.connection_class, word);
	return 0;
}

static int key_roce_mode(struct conf_parser *p, char *word)
{
	long v;

	if (conf_number(p, "RoCE mode", word, 1, 2, &v))
		return -1;
	p->conf->spec.roce_mode = (u8)v;
	return 0;
}

static const struct conf_key connection_key[] = {
	{ "Class", ROCEGUARD_A_CONNECTION_CLASS, false, key_connection_class },
	{ "RoCEMode", ROCEGUARD_A_CONNECTION_ROCE_MODE, false, key_roce_mode },
	{ }
};

/* The expert sections */

/* "none" stands alone: it says that the list is empty on purpose. */
static int conf_mask(struct conf_parser *p, const char *word,
		     enum rg_expert_bit bit, u8 *mask)
{
	struct rg_expert *x = &p->conf->spec.expert;
	bool said = x->set & BIT(bit);
	long v;

	if (!strcasecmp(word, "none")) {
		if (said)
			return conf_fail(p, "%s= has priorities and \"none\"; remove one of them",
					 p->key->name);
		x->set |= BIT(bit);
		return 0;
	}
	if (conf_priority(p, word, &v))
		return -1;
	if (said && !*mask)
		return conf_fail(p, "%s= has \"none\" and priorities; remove one of them",
				 p->key->name);
	if (*mask & BIT(v))
		return conf_fail(p, "priority %ld stands twice in %s=; remove one",
				 v, p->key->name);
	*mask |= BIT(v);
	x->set |= BIT(bit);
	return 0;
}

static int key_pfc(struct conf_parser *p, char *word)
{
	return conf_mask(p, word, RG_EXPERT_PFC, &p->conf->spec.expert.pfc);
}

static int key_ecn_np(struct conf_parser *p, char *word)
{
	return conf_mask(p, word, RG_EXPERT_ECN_NP,
			 &p->conf->spec.expert.ecn_np);
}

static int key_ecn_rp(struct conf_parser *p, char *word)
{
	return conf_mask(p, word, RG_EXPERT_ECN_RP,
			 &p->conf->spec.expert.ecn_rp);
}

static int key_trust(struct conf_parser *p, char *word)
{
	struct rg_expert *x = &p->conf->spec.expert;
	int v = conf_word(p, &rg_words_trust, word);

	if (v < 0)
		return -1;
	x->trust = (u8)v;
	x->set |= BIT(RG_EXPERT_TRUST);
	return 0;
}

static int key_map(struct conf_parser *p, char *word)
{
	struct rg_expert *x = &p->conf->spec.expert;
	char whole[32], *part[2];
	long dscp, priority;

	snprintf(whole, sizeof(whole), "%s", word);
	if (conf_split(word, part, 2) != 2)
		return conf_fail(p, "\"%s\" is no mapping; use DSCP:PRIORITY, as 26:3",
				 whole);
	if (conf_dscp(p, part[0], &dscp) ||
	    conf_priority(p, part[1], &priority))
		return -1;
	if (x->map[dscp] != RG_UNSET)
		return conf_fail(p, "DSCP %ld is mapped twice; remove one",
				 dscp);
	x->map[dscp] = (u8)priority;
	x->set |= BIT(RG_EXPERT_MAP);
	return 0;
}

static int key_prio_tc(struct conf_parser *p, char *word)
{
	struct rg_expert *x = &p->conf->spec.expert;
	char whole[32], *part[2];
	long priority, tc;

	snprintf(whole, sizeof(whole), "%s", word);
	if (conf_split(word, part, 2) != 2)
		return conf_fail(p, "\"%s\" is no mapping; use PRIORITY:TC, as 3:1",
				 whole);
	if (conf_priority(p, part[0], &priority) || conf_tc(p, part[1], &tc))
		return -1;
	if (x->prio_tc[priority] != RG_UNSET)
		return conf_fail(p, "priority %ld is mapped twice; remove one",
				 priority);
	x->prio_tc[priority] = (u8)tc;
	x->set |= BIT(RG_EXPERT_PRIO_TC);
	return 0;
}

static int key_ets_tc(struct conf_parser *p, char *word)
{
	struct rg_expert *x = &p->conf->spec.expert;
	char whole[32], *part[3];
	long tc, share = 0;
	int n, tsa;

	snprintf(whole, sizeof(whole), "%s", word);
	n = conf_split(word, part, 3);
	if (n < 2 || n > 3)
		return conf_fail(p, "\"%s\" says too %s; use TC:ets:PERCENT or TC:strict",
				 whole, n < 2 ? "little" : "much");
	if (conf_tc(p, part[0], &tc))
		return -1;
	tsa = conf_word(p, &rg_words_tsa, part[1]);
	if (tsa < 0)
		return -1;
	if ((tsa == ROCEGUARD_TSA_ETS) != (n == 3))
		return conf_fail(p, "\"%s\": %s; use TC:ets:PERCENT or TC:strict",
				 whole, n == 3 ? "strict has no percentage" :
						 "ets needs a percentage");
	if (n == 3 && conf_percent(p, "percentage", part[2], 0, &share))
		return -1;
	if (x->tsa[tc] != RG_UNSET)
		return conf_fail(p, "TC %ld stands twice; remove one", tc);
	x->tsa[tc] = (u8)tsa;
	x->bandwidth[tc] = (u8)share;
	x->set |= BIT(RG_EXPERT_TC);
	return 0;
}

static int conf_pause(struct conf_parser *p, const char *word,
		      enum rg_expert_bit bit, bool *value)
{
	if (conf_yes(p, word, value))
		return -1;
	p->conf->spec.expert.set |= BIT(bit);
	return 0;
}

static int key_pause_rx(struct conf_parser *p, char *word)
{
	return conf_pause(p, word, RG_EXPERT_PAUSE_RX,
			  &p->conf->spec.expert.pause_rx);
}

static int key_pause_tx(struct conf_parser *p, char *word)
{
	return conf_pause(p, word, RG_EXPERT_PAUSE_TX,
			  &p->conf->spec.expert.pause_tx);
}

static const struct conf_key pfc_key[] = {
	{ "Priorities", ROCEGUARD_A_PFC_PRIORITIES, true, key_pfc },
	{ }
};

static const struct conf_key dscp_key[] = {
	{ "Trust", ROCEGUARD_A_DSCP_TRUST, false, key_trust },
	{ "Map", ROCEGUARD_A_DSCP_MAP, true, key_map },
	{ }
};

static const struct conf_key ets_key[] = {
	{ "PriorityTC", ROCEGUARD_A_ETS_PRIO_TC, true, key_prio_tc },
	{ "TC", ROCEGUARD_A_ETS_TC, true, key_ets_tc },
	{ }
};

static const struct conf_key ecn_key[] = {
	{ "NP", ROCEGUARD_A_ECN_NP, true, key_ecn_np },
	{ "RP", ROCEGUARD_A_ECN_RP, true, key_ecn_rp },
	{ }
};

static const struct conf_key pause_key[] = {
	{ "Rx", ROCEGUARD_A_PAUSE_RX, false, key_pause_rx },
	{ "Tx", ROCEGUARD_A_PAUSE_TX, false, key_pause_tx },
	{ }
};

static const struct conf_section conf_sections[] = {
	{ "Match", RG_WHERE_MATCH, false, match_key },
	{ "Class", RG_WHERE_CLASS, true, class_key },
	{ "Policy", RG_WHERE_POLICY, false, policy_key },
	{ "Connection", RG_WHERE_CONNECTION, false, connection_key },
	{ "PFC", RG_WHERE_PFC, false, pfc_key },
	{ "DSCP", RG_WHERE_DSCP, false, dscp_key },
	{ "ETS", RG_WHERE_ETS, false, ets_key },
	{ "ECN", RG_WHERE_ECN, false, ecn_key },
	{ "Pause", RG_WHERE_PAUSE, false, pause_key },
};

/* What was meant */

static int lower(char c)
{
	return tolower((unsigned char)c);
}

/* Edit distance, case apart; long words are far from everything. */
static unsigned int distance(const char *a, const char *b)
{
	unsigned int row[33], i, k, diagonal, above;
	size_t na = strlen(a), nb = strlen(b);

	if (na > 32 || nb > 32)
		return UINT_MAX;
	for (k = 0; k <= nb; k++)
		row[k] = k;
	for (i = 1; i <= na; i++) {
		diagonal = row[0];
		row[0] = i;
		for (k = 1; k <= nb; k++) {
			above = row[k];
			row[k] = min(min(above, row[k - 1]) + 1,
				     diagonal + (lower(a[i - 1]) !=
						 lower(b[k - 1])));
			diagonal = above;
		}
	}
	return row[nb];
}

/* A third of the letters may be wrong, or the end be missing. */
static bool is_near(const char *typed, const char *known)
{
	size_t n = strlen(typed);

	if (n > 2 && !strncasecmp(typed, known, n))
		return true;
	return distance(typed, known) <= 1 + strlen(known) / 3;
}

static int conf_unknown_section(struct conf_parser *p, const char *name)
{
	const struct conf_section *s, *best = NULL;
	unsigned int d, least = UINT_MAX;
	char known[160] = "", first[33];
	size_t i, n = 0;

	/* "Clas storage" is compared by its first word. */
	snprintf(first, sizeof(first), "%.*s", (int)strcspn(name, BLANKS),
		 name);
	for (i = 0; i < ARRAY_SIZE(conf_sections); i++) {
		s = &conf_sections[i];
		n += (size_t)snprintf(known + n, sizeof(known) - n,
				      "%s[%s%s]", i ? " " : "", s->name,
				      s->named ? " NAME" : "");
		d = distance(first, s->name);
		if (d < least && is_near(first, s->name)) {
			least = d;
			best = s;
		}
	}
	if (best)
		return conf_fail(p, "unknown section [%s]; did you mean [%s%s]?",
				 name, best->name, best->named ? " NAME" : "");
	return conf_fail(p, "unknown section [%s]; known are %s", name, known);
}

static void conf_section_title(const struct conf_parser *p, char *buf,
			       size_t size)
{
	bool named = p->section->named;

	snprintf(buf, size, "[%s%s%s]", p->section->name, named ? " " : "",
		 named ? p->conf->spec.class[p->class].name : "");
}

static int conf_unknown_key(struct conf_parser *p, const char *name)
{
	const struct conf_key *k, *best = NULL;
	char known[160] = "", title[96];
	unsigned int d, least = UINT_MAX;
	size_t n = 0;

	conf_section_title(p, title, sizeof(title));
	for (k = p->section->key; k->name; k++) {
		n += (size_t)snprintf(known + n, sizeof(known) - n, "%s%s=",
				      n ? " " : "", k->name);
		d = distance(name, k->name);
		if (d < least && is_near(name, k->name)) {
			least = d;
			best = k;
		}
	}
	if (best)
		return conf_fail(p, "unknown key %s= in %s; did you mean %s=?",
				 name, title, best->name);
	return conf_fail(p, "unknown key %s= in %s; known are %s", name, title,
			 known);
}

/* Sections */

static int conf_begin_class(struct conf_parser *p, const char *name)
{
	struct rg_policy_spec *spec = &p->conf->spec;
	unsigned int i;

	if (!rg_name_valid(name))
		return conf_fail(p, "[Class %s]: a class needs a name of letters, digits, '.', '_' and '-', at most %d",
				 name, ROCEGUARD_NAME_MAX);
	for (i = 0; i < spec->n_classes; i++)
		if (!strcmp(spec->class[i].name, name))
			return conf_fail(p, "[Class %s] stands twice, first on line %d; join them",
					 name, p->conf->class_line[i][0]);
	if (spec->n_classes == ROCEGUARD_CLASSES_MAX)
		return conf_fail(p, "more than %d classes; there are no more priorities",
				 ROCEGUARD_CLASSES_MAX);
	p->class = spec->n_classes++;
	rg_class_init(&spec->class[p->class]);
	strcpy(spec->class[p->class].name, name);
	return 0;
}

static int conf_begin_section(struct conf_parser *p, char *title)
{
	const struct conf_section *s = NULL;
	char *name = NULL;
	size_t i, n;

	n = strcspn(title, BLANKS);
	for (i = 0; i < ARRAY_SIZE(conf_sections); i++) {
		s = &conf_sections[i];
		if (strlen(s->name) == n && !strncmp(s->name, title, n))
			break;
	}
	if (i == ARRAY_SIZE(conf_sections))
		return conf_unknown_section(p, title);
	name = title + n + strspn(title + n, BLANKS);
	if (!s->named && *name)
		return conf_unknown_section(p, title);
	p->section = s;
	if (s->named && conf_begin_class(p, name))
		return -1;
	if (!conf_lines(p)[0])
		conf_lines(p)[0] = p->line;
	return 0;
}

/*
 * libinih shortens the names of sections, is silent about those without keys
 * and about what follows the bracket; so they are read here, line by line as
 * libinih asks for them. A missing bracket is left to it.
 */
static int conf_section_line(struct conf_parser *p, const char *line, size_t n)
{
	const char *close = memchr(line, ']', n);
	char title[256];
	size_t len, after;

	if (!close)
		return 0;
	len = (size_t)(close - line) - 1;
	if (len >= sizeof(title))
		return conf_fail(p, "the section's name is too long");
	memcpy(title, line + 1, len);
	while (len && strchr(BLANKS, title[len - 1]))
		len--;
	title[len] = '\0';
	for (after = (size_t)(close - line) + 1; after < n; after++) {
		if (strchr(";#", line[after]))
			break;
		if (!strchr(BLANKS "\r", line[after]))
			return conf_fail(p, "words after [%s]; begin a new line",
					 title);
	}
	return conf_begin_section(p, title + strspn(title, BLANKS));
}

/*
 * Gives libinih the next line. Blanks in front are dropped, or an indented
 * line would continue the value above it, which is not systemd's manner.
 */
static char *conf_next_line(char *buf, int size, void *arg)
{
	struct conf_parser *p = arg;
	const char *newline;
	size_t n;

	if (p->error[0] || p->at == p->end)
		return NULL;
	p->line++;
	newline = memchr(p->at, '\n', (size_t)(p->end - p->at));
	n = (size_t)((newline ? newline : p->end) - p->at);
	while (n && strchr(BLANKS, *p->at)) {
		p->at++;
		n--;
	}
	if (n + 4 > (size_t)size) {
		conf_fail(p, "a line of %zu bytes; use at most %d, a list may go on with its key again",
			  n, size - 4);
		return NULL;
	}
	if (n && *p->at == '[' && conf_section_line(p, p->at, n))
		return NULL;
	memcpy(buf, p->at, n);
	buf[n] = '\n';
	buf[n + 1] = '\0';
	p->at = newline ? newline + 1 : p->end;
	return buf;
}

/* Keys */

static int conf_words(struct conf_parser *p, const char *value)
{
	char copy[512], *word, *rest;

	snprintf(copy, sizeof(copy), "%s", value);
	if (!p->key->again)
		return p->key->parse(p, copy);
	for (word = strtok_r(copy, BLANKS, &rest); word;
	     word = strtok_r(NULL, BLANKS, &rest))
		if (p->key->parse(p, word))
			return -1;
	return 0;
}

static int conf_assign(struct conf_parser *p, const char *name,
		       const char *value)
{
	int *line;

	if (!p->section)
		return conf_fail(p, "%s= stands before any section; put it below one, as [Match]",
				 name);
	for (p->key = p->section->key; p->key->name; p->key++)
		if (!strcmp(p->key->name, name))
			break;
	if (!p->key->name)
		return conf_unknown_key(p, name);
	if (!*value)
		return conf_fail(p, "%s= has no value; give it one or remove it",
				 name);
	line = &conf_lines(p)[p->key->attr];
	if (*line && !p->key->again)
		return conf_fail(p, "%s= stands twice, first on line %d; remove one",
				 name, *line);
	if (!*line)
		*line = p->line;
	return conf_words(p, value);
}

static int conf_on_key(void *arg, const char *section, const char *name,
		       const char *value)
{
	struct conf_parser *p = arg;

	(void)section;
	if (p->error[0])
		return 0;
	return !conf_assign(p, name, value);
}

/* The whole */

/* A policy file is text; anything else is told with its place. */
static int conf_check_bytes(struct conf_parser *p, const char *text,
			    size_t len)
{
	const unsigned char *s = (const unsigned char *)text;
	unsigned char ahead[5];
	size_t i, n, start = 0, line = 1;

	for (i = 0; i < len; i += n) {
		/* The text need not end in NUL. */
		memset(ahead, 0, sizeof(ahead));
		memcpy(ahead, s + i, min(len - i, sizeof(ahead) - 1));
		n = strchr("\t\r\n", s[i]) && s[i] ? 1 : rg_utf8_length(ahead);
		if (!n)
			return conf_fail_at(p, (int)line,
					    "byte %zu is 0x%02x, which is no text; is this a policy file?",
					    i - start + 1, s[i]);
		if (s[i] == '\n') {
			line++;
			start = i + 1;
		}
	}
	return 0;
}

static int conf_problem_line(const struct conf *conf,
			     const struct rg_problem *problem)
{
	const int *line = problem->where == RG_WHERE_CLASS ?
			  conf->class_line[problem->index] :
			  conf->line[problem->where];

	return line[problem->key] ? line[problem->key] : line[0];
}

static int conf_check(struct conf_parser *p)
{
	struct rg_problem problem;
	struct rg_want want;

	if (!rg_policy_derive(&p->conf->spec, &want, &problem))
		return 0;
	return conf_fail_at(p, conf_problem_line(p->conf, &problem), "%s",
			    problem.text);
}

int conf_parse(struct conf *conf, const char *file, const char *name,
	       const char *text, size_t len, char *error)
{
	struct conf_parser p = { .conf = conf, .error = error };
	int line;

	error[0] = '\0';
	memset(conf, 0, sizeof(*conf));
	snprintf(conf->file, sizeof(conf->file), "%s", file);
	rg_policy_init(&conf->spec);
	if (!rg_name_valid(name))
		return conf_fail_at(&p, 0, "\"%s\" is no name of a policy; rename the file with letters, digits, '.', '_' and '-', at most %d",
				    name, ROCEGUARD_NAME_MAX);
	strcpy(conf->spec.name, name);
	if (len > CONF_SIZE_MAX)
		return conf_fail_at(&p, 0, "too large; policy files are at most %d KiB",
				    CONF_SIZE_MAX / 1024);
	if (conf_check_bytes(&p, text, len))
		return -1;
	if (len >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) {
		text += 3;
		len -= 3;
	}
	p.at = text;
	p.end = text + len;
	line = ini_parse_stream(conf_next_line, &p, conf_on_key, &p);
	if (line < 0)
		return conf_fail_at(&p, 0, "out of memory");
	/* libinih tells a line it cannot read only after the last one. */
	if (line > 0 && (!error[0] || line < p.error_line))
		return conf_fail_at(&p, line, "neither [Section] nor Key=value nor # comment; mend the line");
	return error[0] ? -1 : conf_check(&p);
}
