// SPDX-License-Identifier: GPL-2.0
/* Policy files: what was meant by a word that is none. */
#include <ctype.h>
#include <limits.h>
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

int conf_unknown_section(struct conf_parser *p, const char *name)
 {
	const struct conf_section *s, *best = NULL;
	unsigned int d, least = UINT_MAX;
	char known[160] = "", first[33];
	size_t n = 0;

	/* "Clas storage" is compared by its first word. */
	snprintf(first, sizeof(first), "%.*s", (int)strcspn(name, CONF_BLANKS),
		 name);
	for (s = conf_sections; s->name; s++) {
		n += (size_t)snprintf(known + n, sizeof(known) - n,
				      "%s[%s%s]", n ? " " : "", s->name,
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

int conf_unknown_key(struct conf_parser *p, const char *name)
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
