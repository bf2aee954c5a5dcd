// SPDX-License-Identifier: GPL-2.0
/* Policy files: what was meant by a word that is none. */
#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "confparse.h"

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

/* A list of what is known; what no longer fits is left out. */
struct known {
	char words[512];
	size_t n;
};

static void __attribute__((format(printf, 2, 3)))
known_add(struct known *known, const char *fmt, ...)
{
	char word[64];
	va_list args;
	size_t n;

	va_start(args, fmt);
	vsnprintf(word, sizeof(word), fmt, args);
	va_end(args);
	n = strlen(word);
	if (known->n + n + 2 > sizeof(known->words))
		return;
	if (known->n)
		known->words[known->n++] = ' ';
	memcpy(known->words + known->n, word, n + 1);
	known->n += n;
}

int conf_unknown_section(struct conf_parser *p, const char *name)
 {
	const struct conf_section *s, *best = NULL;
	unsigned int d, least = UINT_MAX;
	struct known known = {};
	char first[33];

	/* "Clas storage" is compared by its first word. */
	snprintf(first, sizeof(first), "%.*s", (int)strcspn(name, CONF_BLANKS),
		 name);
	for (s = conf_sections; s->name; s++) {
		known_add(&known, "[%s%s]", s->name, s->named ? " NAME" : "");
		d = distance(first, s->name);
		if (d < least && is_near(first, s->name)) {
			least = d;
			best = s;
		}
	}
	if (best)
		return conf_fail(p, "unknown section [%s]; did you mean [%s%s]?",
				 name, best->name, best->named ? " NAME" : "");
	return conf_fail(p, "unknown section [%s]; known are %s", name,
			 known.words);
}

static void conf_section_title(const struct conf_parser *p, char *buf,
			       size_t size)
{
	bool named = p->section->named;

	snprintf(buf, size, "[%s%s%s]", p->section->name, named ? " " : "",
		 named ? p->conf->spec.class[p->class].name : "");
}

int conf_unknown_key(struct conf_parser *p, const char *name)
 {
	const struct conf_key *k, *best = NULL;
	unsigned int d, least = UINT_MAX;
	struct known known = {};
	char title[96];

	conf_section_title(p, title, sizeof(title));
	for (k = p->section->key; k->name; k++) {
		known_add(&known, "%s=", k->name);
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
			 known.words);
}
