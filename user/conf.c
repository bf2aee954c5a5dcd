// SPDX-License-Identifier: GPL-2.0
/*
 * Policy files: from text, line by line, to a policy that is checked. Finding
 * files is confload.c's business.
 *
 * What every line said is kept, for a later file may take it back: then all the
 * rest is said anew to an empty policy. So no key needs to know how to unsay.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ini.h>

#include "confparse.h"
#include "print.h"

/* Sections */

static int *conf_lines(struct conf_parser *p)
{
	return p->section->named ? p->conf->class_line[p->class] :
				   p->conf->line[p->section->where];
}

/* Where a thing stands: its first line in the last file that names it. */
static void conf_stands(const struct conf_parser *p, int *line)
{
	if (!*line || conf_part_of(p->conf, *line) !=
		      conf_part_of(p->conf, p->line))
		*line = p->line;
}

static int conf_remember(struct conf_parser *p, const struct conf_key *key,
			 const char *value)
{
	struct conf_said *said;

	/* Sizes are powers of two, so only there is it full. */
	if (!(p->n_said & (p->n_said - 1))) {
		said = reallocarray(p->said, p->n_said ? 2 * p->n_said : 1,
				    sizeof(*said));
		if (!said)
			return conf_fail(p, "out of memory");
		p->said = said;
	}
	said = &p->said[p->n_said];
	*said = (struct conf_said){
		.section = p->section,
		.class	 = p->class,
		.key	 = key,
		.value	 = strdup(value),
		.line	 = p->line,
	};
	if (!said->value)
		return conf_fail(p, "out of memory");
	p->n_said++;
	return 0;
}

/* A class that an earlier file has begun goes on. */
static int conf_begin_class(struct conf_parser *p, const char *name)
{
	struct rg_policy_spec *spec = &p->conf->spec;
	char place[CONF_PLACE_MAX];
	unsigned int i;

	if (!rg_name_valid(name))
		return conf_fail(p, "[Class %s]: a class needs a name of letters, digits, '.', '_' and '-', at most %d",
				 name, ROCEGUARD_NAME_MAX);
	for (i = 0; i < spec->n_classes; i++)
		if (!strcmp(spec->class[i].name, name))
			break;
	if (i == ROCEGUARD_CLASSES_MAX)
		return conf_fail(p, "more than %d classes; there are no more priorities",
				 ROCEGUARD_CLASSES_MAX);
	p->class = i;
	if (i == spec->n_classes) {
		rg_class_init(&spec->class[i]);
		strcpy(spec->class[i].name, name);
		spec->n_classes++;
		return 0;
	}
	if (conf_part_of(p->conf, conf_lines(p)[0]) !=
	    conf_part_of(p->conf, p->line))
		return 0;
	return conf_fail(p, "[Class %s] stands twice, first on %s; join them",
			 name, conf_place(p, conf_lines(p)[0], place));
}

static int conf_begin(struct conf_parser *p, const struct conf_section *section,
		      const char *name)
{
	p->section = section;
	if (section->named && conf_begin_class(p, name))
		return -1;
	conf_stands(p, &conf_lines(p)[0]);
	return 0;
}

static int conf_begin_section(struct conf_parser *p, char *title)
{
	size_t n = strcspn(title, CONF_BLANKS);
	const struct conf_section *s;
	char *name;

	for (s = conf_sections; s->name; s++)
		if (strlen(s->name) == n && !strncmp(s->name, title, n))
			break;
	if (!s->name)
		return conf_unknown_section(p, title);
	name = title + n + strspn(title + n, CONF_BLANKS);
	if (!s->named && *name)
		return conf_unknown_section(p, title);
	return conf_begin(p, s, name) ? -1 : conf_remember(p, NULL, name);
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
	while (len && strchr(CONF_BLANKS, title[len - 1]))
		len--;
	title[len] = '\0';
	for (after = (size_t)(close - line) + 1; after < n; after++) {
		if (strchr(";#", line[after]))
			break;
		if (!strchr(CONF_BLANKS "\r", line[after]))
			return conf_fail(p, "words after [%s]; begin a new line",
					 title);
	}
	return conf_begin_section(p, title + strspn(title, CONF_BLANKS));
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
	while (n && strchr(CONF_BLANKS, *p->at)) {
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
	for (word = strtok_r(copy, CONF_BLANKS, &rest); word;
	     word = strtok_r(NULL, CONF_BLANKS, &rest))
		if (p->key->parse(p, word))
			return -1;
	return 0;
}

static int conf_say(struct conf_parser *p, const struct conf_key *key,
		    const char *value)
{
	p->key = key;
	conf_stands(p, &conf_lines(p)[key->attr]);
	return conf_words(p, value);
}

static void conf_empty(struct conf *conf)
{
	struct rg_policy_spec *spec = &conf->spec;
	char name[sizeof(spec->name)];

	strcpy(name, spec->name);
	rg_policy_init(spec);
	strcpy(spec->name, name);
	memset(conf->line, 0, sizeof(conf->line));
	memset(conf->class_line, 0, sizeof(conf->class_line));
	memset(conf->dscp_line, 0, sizeof(conf->dscp_line));
	conf->says_which = false;
}

/* Say anew, to an empty policy, what stood when @before was reached. */
static int conf_say_anew(struct conf_parser *p, int before)
{
	struct conf_parser now = *p;
	const struct conf_said *said;
	int err = 0;

	conf_empty(now.conf);
	for (said = p->said; !err && said < p->said + p->n_said; said++) {
		if (said->line >= before || (said->gone && said->gone < before))
			continue;
		now.section = said->section;
		now.class = said->class;
		now.line = said->line;
		err = said->key ? conf_say(&now, said->key, said->value) :
				  conf_begin(&now, said->section, said->value);
	}
	return err;
}

/* What earlier lines said of the key under way. */
static int conf_take_back(struct conf_parser *p)
{
	struct conf_said *said;
	bool any = false;

	for (said = p->said; said < p->said + p->n_said; said++) {
		if (said->gone || said->key != p->key ||
		    (p->section->named && said->class != p->class))
			continue;
		said->gone = p->line;
		any = true;
	}
	return any ? conf_say_anew(p, p->line + 1) : 0;
}

static int conf_assign(struct conf_parser *p, const char *name,
		       const char *value)
{
	char place[CONF_PLACE_MAX];
	bool drop_in = p->conf->n_parts > 1;
	int line;

	if (!p->section)
		return conf_fail(p, "%s= stands before any section; put it below one, as [Match]",
				 name);
	for (p->key = p->section->key; p->key->name; p->key++)
		if (!strcmp(p->key->name, name))
			break;
	if (!p->key->name)
		return conf_unknown_key(p, name);
	if (!*value && drop_in)
		return conf_take_back(p);
	if (!*value)
		return conf_fail(p, "%s= has no value; give it one or remove it",
				 name);
	line = conf_lines(p)[p->key->attr];
	if (line && !p->key->again) {
		if (conf_part_of(p->conf, line) ==
		    conf_part_of(p->conf, p->line))
			return conf_fail(p, "%s= stands twice, first on %s; remove one",
					 name, conf_place(p, line, place));
		if (conf_take_back(p))
			return -1;
	}
	if (conf_say(p, p->key, value))
		return -1;
	return conf_remember(p, p->key, value);
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

/* As many bytes as a character has; 0 if it is none of text. */
static size_t conf_text_length(const unsigned char *s, size_t left)
{
	unsigned char ahead[5] = {};

	if (*s == '\t' || *s == '\n')
		return 1;
	/* Ends a line of some systems; anywhere else nobody would see it. */
	if (*s == '\r')
		return left == 1 || s[1] == '\n';
	/* The text need not end in NUL. */
	memcpy(ahead, s, min(left, sizeof(ahead) - 1));
	return rg_utf8_length(ahead);
}

/* A policy file is text; anything else is told with its place. */
static int conf_check_bytes(struct conf_parser *p, const char *text,
			    size_t len)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t i, n, start = 0;
	int line = p->line + 1;

	for (i = 0; i < len; i += n) {
		n = conf_text_length(s + i, len - i);
		if (!n)
			return conf_fail_at(p, line,
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

static int conf_derive(const struct conf_parser *p, struct rg_problem *problem)
{
	struct rg_want want;

	return rg_policy_derive(&p->conf->spec, &want, problem);
}

/* The file without which, and without those after it, all would be right. */
static const struct conf_part *conf_culprit(struct conf_parser *p)
{
	struct rg_problem problem;
	size_t i;

	for (i = p->conf->n_parts - 1; i; i--)
		if (!conf_say_anew(p, p->conf->part[i].first) &&
		    !conf_derive(p, &problem))
			return &p->conf->part[i];
	return NULL;
}

static int conf_check(struct conf_parser *p)
{
	const struct conf_part *culprit;
	struct rg_problem problem;
	int line;

	if (!conf_derive(p, &problem))
		return 0;
	line = conf_problem_line(p->conf, &problem);
	culprit = conf_culprit(p);
	if (!culprit || (line && conf_part_of(p->conf, line) ==
				 (size_t)(culprit - p->conf->part)))
		return conf_fail_at(p, line, "%s", problem.text);
	return conf_fail_at(p, line, "%s; it was right before the drop-in %s",
			    problem.text, culprit->file);
}

static int conf_read_text(struct conf_parser *p, const struct conf_text *t)
{
	struct conf_part *part = &p->conf->part[p->conf->n_parts++];
	const char *text = t->text;
	size_t len = t->len;
	int line;

	snprintf(part->file, sizeof(part->file), "%s", t->file);
	part->first = p->line + 1;
	if (len > CONF_SIZE_MAX)
		return conf_fail_at(p, part->first, "too large; policy files are at most %d KiB",
				    CONF_SIZE_MAX / 1024);
	if (conf_check_bytes(p, text, len))
		return -1;
	if (len >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) {
		text += 3;
		len -= 3;
	}
	p->section = NULL;
	p->at = text;
	p->end = text + len;
	line = ini_parse_stream(conf_next_line, p, conf_on_key, p);
	if (line < 0)
		return conf_fail(p, "out of memory");
	if (line > 0)
		line += part->first - 1;
	/* libinih tells a line it cannot read only after the last one. */
	if (line > 0 && (!p->error[0] || line < p->error_line))
		return conf_fail_at(p, line, "neither [Section] nor Key=value nor # comment; mend the line");
	return p->error[0] ? -1 : 0;
}

int conf_parse_all(struct conf *conf, const char *name,
		   const struct conf_text *texts, size_t n, char *error)
{
	struct conf_parser p = { .conf = conf, .error = error };
	size_t i;
	int err = 0;

	error[0] = '\0';
	memset(conf, 0, sizeof(*conf));
	snprintf(conf->part[0].file, sizeof(conf->part[0].file), "%s",
		 texts[0].file);
	if (!rg_name_valid(name))
		return conf_fail_at(&p, 0, "\"%s\" is no name of a policy; rename the file with letters, digits, '.', '_' and '-', at most %d",
				    name, ROCEGUARD_NAME_MAX);
	strcpy(conf->spec.name, name);
	conf_params_init();
	conf_empty(conf);
	for (i = 0; !err && i < n; i++)
		err = conf_read_text(&p, &texts[i]);
	if (!err)
		err = conf_check(&p);
	for (i = 0; i < p.n_said; i++)
		free(p.said[i].value);
	free(p.said);
	return err;
}

int conf_parse(struct conf *conf, const char *file, const char *name,
	       const char *text, size_t len, char *error)
{
	const struct conf_text one = { file, text, len };

	return conf_parse_all(conf, name, &one, 1, error);
}
