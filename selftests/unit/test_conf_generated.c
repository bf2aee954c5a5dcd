// SPDX-License-Identifier: GPL-2.0
/*
 * Policy files, generated from the table of sections and keys: no key is named
 * here but those of the smallest policy, so a new one is tested as it comes.
 *
 * What a key takes is learned from what it says to nonsense: every refusal of a
 * value has to end in what is right, in one of these forms, and this holds it to
 * its word.
 *
 *	use A to B		a number, both of them included; with or without unit
 *	use a or b or c		words
 *	use ..., as EXAMPLE	anything that has parts
 *	use ..., at most N	a name
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "confparse.h"
#include "model.h"
#include "nl.h"

#define NONSENSE	"~"
#define VALUES_MAX	48
#define VALUE_MAX	80
#define KEYS_MAX	160
#define TEXT_MAX	4096

/**
 * struct sample - what a key takes
 * @section: where it stands
 * @key: the key
 * @n: how many of @value
 * @value: accepted ones: of every number both ends, every word
 * @loads: it stood in a policy that is right as a whole
 */
struct sample {
	const struct conf_section *section;
	const struct conf_key *key;
	unsigned int n;
	char value[VALUES_MAX][VALUE_MAX];
	bool loads;
};

static struct sample samples[KEYS_MAX];
static size_t n_samples;

static struct conf conf;
static char error[CONF_ERROR_MAX];

static int parse(const char *text)
{
	return conf_parse(&conf, "f.conf", "f", text, strlen(text), error);
}

/* Is that what is wrong with the whole, and not with a value? */
static bool is_of_the_whole(void)
{
	const char *words = strchr(error, ' ');
	struct rg_problem problem;
	struct rg_want want;

	return words && rg_policy_derive(&conf.spec, &want, &problem) &&
	       !strcmp(words + 1, problem.text);
}

/* One line, with file and line, that a terminal can show. */
static void assert_told(int line)
{
	char place[32];
	size_t i, n;

	n = (size_t)snprintf(place, sizeof(place), "f.conf:%d: ", line);
	if (strncmp(error, place, n))
		fail_msg("expected %s..., saw %s", place, error);
	assert_true(strlen(error) > n + 10);
	for (i = 0; error[i]; i++)
		if (!isprint((unsigned char)error[i]))
			fail_msg("not one line: %s", error);
}

static const char *title(const struct conf_section *section)
{
	static char text[64];

	snprintf(text, sizeof(text), "[%s%s]", section->name,
		 section->named ? " a" : "");
	return text;
}

/* Does the parser take KEY=VALUE? If not, line 2 says why. */
static bool takes(const struct sample *s, const char *value)
{
	char text[TEXT_MAX];

	snprintf(text, sizeof(text), "%s\n%s=%s\n", title(s->section),
		 s->key->name, value);
	if (!parse(text) || is_of_the_whole())
		return true;
	assert_told(2);
	return false;
}

static void must_refuse(const struct sample *s, const char *value)
{
	if (takes(s, value))
		fail_msg("%s %s=%s is taken", title(s->section), s->key->name,
			 value);
	if (!strstr(error, "use ") && !strstr(error, "remove one") &&
	    !strstr(error, "leave it in one"))
		fail_msg("no remedy: %s", error);
}

/* What is said to be right: the parenthesised part of @pattern in the error. */
static bool said(const char *pattern, int part, char *out, size_t size)
{
	regmatch_t match[8];
	regex_t regex;
	bool found;

	assert_int_equal(regcomp(&regex, pattern, REG_EXTENDED), 0);
	found = !regexec(&regex, error, ARRAY_SIZE(match), match, 0);
	regfree(&regex);
	if (found)
		snprintf(out, size, "%.*s",
			 (int)(match[part].rm_eo - match[part].rm_so),
			 error + match[part].rm_so);
	return found;
}

#define RANGE	"use ([0-9]+[a-zA-Z]*) to ([0-9]+[a-zA-Z]*)"
#define WORDS	"use ([a-z0-9-]+( or [a-z0-9-]+)+)"
#define EXAMPLE	", as ([^ ,]+)"
#define NAME	"at most ([0-9]+)$"

static void add(struct sample *s, const char *value)
{
	unsigned int i;

	for (i = 0; i < s->n; i++)
		if (!strcmp(s->value[i], value))
			return;
	if (!takes(s, value))
		fail_msg("%s %s=%s is said to be right, and then: %s",
			 title(s->section), s->key->name, value, error);
	assert_true(s->n < VALUES_MAX);
	assert_true(strlen(value) < VALUE_MAX);
	strcpy(s->value[s->n++], value);
}

/* @value with @len bytes at @at replaced. */
static const char *replaced(const char *value, size_t at, size_t len,
			    const char *by)
{
	static char text[TEXT_MAX];

	snprintf(text, sizeof(text), "%.*s%s%s", (int)at, value, by,
		 value + at + len);
	return text;
}

/* Refused by the parser, or with the same line by what knows the limit. */
static void must_refuse_number(const struct sample *s, const char *value)
{
	if (!takes(s, value))
		return;
	assert_told(2);
	assert_non_null(strstr(error, "out of range"));
}

/* The number of @end more or less by one, with its unit. */
static const char *beside(const char *end, int by)
{
	static char text[32];
	char *unit;
	long long n = strtoll(end, &unit, 10);

	snprintf(text, sizeof(text), "%lld%s", n + by, unit);
	return text;
}

/* A number within a value: its ends are taken, one beyond is not. */
static void learn_number(struct sample *s, const char *value, size_t at,
			 size_t len)
{
	char low[32], high[32];

	must_refuse(s, replaced(value, at, len, NONSENSE));
	if (!said(RANGE, 1, low, sizeof(low)) ||
	    !said(RANGE, 2, high, sizeof(high)))
		fail_msg("no range: %s", error);
	must_refuse(s, replaced(value, at, len, "99999999999999999999"));
	must_refuse(s, replaced(value, at, len, "0x1"));
	must_refuse(s, replaced(value, at, len, "1.5"));
	/* The unit goes with its number. */
	while (!isdigit((unsigned char)low[strlen(low) - 1]) &&
	       isalpha((unsigned char)value[at + len]))
		len++;
	must_refuse_number(s, replaced(value, at, len, beside(low, -1)));
	must_refuse_number(s, replaced(value, at, len, beside(high, 1)));
	add(s, replaced(value, at, len, low));
	add(s, replaced(value, at, len, high));
}

/* Every run of digits and of letters. */
static void learn_parts(struct sample *s, const char *value)
{
	size_t at, len;

	for (at = 0; value[at]; at += len) {
		for (len = 0; isdigit((unsigned char)value[at + len]); len++)
			;
		if (len) {
			learn_number(s, value, at, len);
			continue;
		}
		for (len = 0; isalpha((unsigned char)value[at + len]); len++)
			;
		if (len)
			must_refuse(s, replaced(value, at, len, NONSENSE));
		else
			len = 1;
	}
	must_refuse(s, replaced(value, strlen(value), 0, ":1:1"));
}

static void learn_words(struct sample *s, char *words)
{
	char *word, *rest;

	for (word = strtok_r(words, " ", &rest); word;
	     word = strtok_r(NULL, " ", &rest))
		if (strcmp(word, "or"))
			add(s, word);
}

static void learn_name(struct sample *s, size_t most)
{
	char name[TEXT_MAX];

	memset(name, 'a', sizeof(name));
	name[most + 1] = '\0';
	must_refuse(s, name);
	name[most] = '\0';
	add(s, "a");
	if (!takes(s, name))
		fail_msg("a name of %zu: %s", most, error);
}

static void learn(struct sample *s)
{
	static const char *const tries[] = {
		"none", "auto", "off", "on", "yes", "no", "0", "1",
	};
	char text[VALUE_MAX];
	size_t i;

	if (takes(s, NONSENSE)) {
		/* Free text, as patterns are: only its length is bounded. */
		add(s, NONSENSE);
		memset(error, 0, sizeof(error));
		learn_name(s, ROCEGUARD_GLOB_MAX);
	} else if (said(EXAMPLE, 1, text, sizeof(text))) {
		add(s, text);
		learn_parts(s, text);
	} else if (said(RANGE, 1, text, sizeof(text))) {
		learn_parts(s, text);
	} else if (said(WORDS, 1, text, sizeof(text))) {
		learn_words(s, text);
	} else if (said(NAME, 1, text, sizeof(text))) {
		learn_name(s, (size_t)atoi(text));
	} else {
		fail_msg("%s %s= does not say what is right: %s",
			 title(s->section), s->key->name, error);
	}
	for (i = 0; i < ARRAY_SIZE(tries); i++)
		if (takes(s, tries[i]))
			add(s, tries[i]);
}

static void each_key_is_as_it_says(void **state)
{
	const struct conf_section *section;
	const struct conf_key *key;

	(void)state;
	for (section = conf_sections; section->name; section++) {
		for (key = section->key; key->name; key++) {
			assert_true(n_samples < KEYS_MAX);
			samples[n_samples].section = section;
			samples[n_samples].key = key;
			learn(&samples[n_samples++]);
		}
	}
	assert_true(n_samples > 20);
}

/* Duplicates, values and keys that are missing or unknown */

static void refused_at(int line, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void refused_at(int line, const char *fmt, ...)
{
	char text[TEXT_MAX];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (!parse(text))
		fail_msg("taken: %s", text);
	assert_told(line);
}

static void each_key_stands_once(void **state)
{
	const struct sample *s;

	(void)state;
	for (s = samples; s < samples + n_samples; s++) {
		const char *value = s->value[0], *name = s->key->name;

		refused_at(3, "%s\n%s=%s\n%s=%s\n", title(s->section), name,
			   value, name, value);
		assert_non_null(strstr(error, "twice"));
		if (!s->key->again)
			continue;
		refused_at(2, "%s\n%s=%s %s\n", title(s->section), name, value,
			   value);
		assert_non_null(strstr(error, "twice"));
	}
}

static void each_key_has_a_value(void **state)
{
	const struct sample *s;

	(void)state;
	for (s = samples; s < samples + n_samples; s++) {
		const char *name = s->key->name;

		refused_at(2, "%s\n%s=\n", title(s->section), name);
		assert_non_null(strstr(error, "has no value"));
		refused_at(2, "%s\n%s\n", title(s->section), name);
		assert_non_null(strstr(error, "neither [Section] nor Key=value"));
		refused_at(1, "%s=%s\n", name, s->value[0]);
		assert_non_null(strstr(error, "stands before any section"));
	}
}

/* A letter too many, another case, and in every other section. */
static void each_key_is_known_where_it_belongs(void **state)
{
	const struct conf_section *other;
	const struct conf_key *key;
	const struct sample *s;

	(void)state;
	for (s = samples; s < samples + n_samples; s++) {
		const char *name = s->key->name;

		refused_at(2, "%s\n%sx=%s\n", title(s->section), name,
			   s->value[0]);
		assert_non_null(strstr(error, "unknown key"));
		refused_at(2, "%s\n%c%s=%s\n", title(s->section),
			   tolower((unsigned char)name[0]), name + 1,
			   s->value[0]);
		assert_non_null(strstr(error, "did you mean"));
		for (other = conf_sections; other->name; other++) {
			for (key = other->key; key->name; key++)
				if (!strcmp(key->name, name))
					break;
			if (!key->name)
				refused_at(2, "%s\n%s=%s\n", title(other), name,
					   s->value[0]);
		}
	}
}

static void each_section_is_known_by_its_name(void **state)
{
	const struct conf_section *s;

	(void)state;
	for (s = conf_sections; s->name; s++) {
		refused_at(1, "[%sx]\n", s->name);
		refused_at(1, "[%s\n", s->name);
		refused_at(1, "[%s%s] x\n", s->name, s->named ? " a" : "");
		refused_at(1, s->named ? "[%s]\n" : "[%s a]\n", s->name);
		/* Nothing in it: it is no policy. */
		if (!parse(title(s)))
			fail_msg("%s alone is a policy", title(s));
	}
}

/* Whole policies */

struct line {
	const struct sample *sample;
	char value[2 * VALUE_MAX];
};

/**
 * struct document - a policy file
 * @n: how many of @line; no two are of one key
 */
struct document {
	unsigned int n;
	struct line line[KEYS_MAX];
};

static const struct sample *sample_of(const char *section, const char *key)
{
	const struct sample *s;

	for (s = samples; s < samples + n_samples; s++)
		if (!strcmp(s->section->name, section) &&
		    !strcmp(s->key->name, key))
			return s;
	fail_msg("there is no %s= in [%s]", key, section);
	return NULL;
}

static void say(struct document *d, const struct sample *s, const char *value)
{
	unsigned int i;

	for (i = 0; i < d->n && d->line[i].sample != s; i++)
		;
	d->line[i].sample = s;
	strcpy(d->line[i].value, value);
	d->n += i == d->n;
}

static void unsay(struct document *d, unsigned int i)
{
	memmove(&d->line[i], &d->line[i + 1],
		(d->n - i - 1) * sizeof(d->line[0]));
	d->n--;
}

/* The smallest policy there is. */
static void small(struct document *d)
{
	d->n = 0;
	say(d, sample_of("Class", "DSCP"), "26");
	say(d, sample_of("Class", "Priority"), "3");
}

static const char *text_of(const struct document *d)
{
	static char text[8 * TEXT_MAX];
	const struct conf_section *section;
	unsigned int i;
	size_t n = 0;
	bool begun;

	text[0] = '\0';
	for (section = conf_sections; section->name; section++) {
		begun = false;
		for (i = 0; i < d->n; i++) {
			if (d->line[i].sample->section != section)
				continue;
			n += (size_t)snprintf(text + n, sizeof(text) - n,
					      "%s%s%s=%s\n",
					      begun ? "" : title(section),
					      begun ? "" : "\n",
					      d->line[i].sample->key->name,
					      d->line[i].value);
			begun = true;
		}
	}
	return text;
}

/* Written, and sent and received, it is the same. */
static void assert_kept(const struct document *d)
{
	static struct model_policy received;
	static struct rg_policy_spec spec;
	struct nl_msg *msg = nlmsg_alloc_size(RGNL_MESSAGE_MAX);
	char *text = NULL;
	size_t len = 0;
	bool deleted;
	FILE *f;

	spec = conf.spec;
	assert_non_null(msg);
	assert_non_null(nlmsg_put(msg, 0, 0, 0x20, 0, 0));
	assert_int_equal(model_encode_policy(msg, &spec), 0);
	assert_int_equal(model_decode_policy(nlmsg_attrdata(nlmsg_hdr(msg), 0),
					     nlmsg_attrlen(nlmsg_hdr(msg), 0),
					     &received, &deleted), 0);
	nlmsg_free(msg);
	if (memcmp(&received.spec, &spec, sizeof(spec)))
		fail_msg("sent and received it is another:\n%s", text_of(d));
	f = open_memstream(&text, &len);
	assert_non_null(f);
	conf_write(f, &received.spec);
	fclose(f);
	if (parse(text))
		fail_msg("%s\nwas written as\n%s\n%s", text_of(d), text, error);
	if (memcmp(&conf.spec, &spec, sizeof(spec)))
		fail_msg("%s\nwas written as\n%s", text_of(d), text);
	free(text);
}

/* Load it; if it does, it must be kept. */
static bool loads(const struct document *d)
{
	unsigned int i;

	if (parse(text_of(d)))
		return false;
	assert_kept(d);
	for (i = 0; i < d->n; i++)
		((struct sample *)d->line[i].sample)->loads = true;
	return true;
}

/* Every value: alone, in the smallest policy, and with all that stands near it. */
static void each_value_is_kept(void **state)
{
	static struct document d;
	const struct sample *s, *other;
	unsigned int i, k;

	(void)state;
	for (s = samples; s < samples + n_samples; s++) {
		for (i = 0; i < s->n; i++) {
			d.n = 0;
			say(&d, s, s->value[i]);
			loads(&d);
			small(&d);
			say(&d, s, s->value[i]);
			loads(&d);
			for (other = samples; other < samples + n_samples;
			     other++) {
				if (other->section != s->section || other == s)
					continue;
				for (k = 0; k < other->n; k++) {
					d.n = 0;
					say(&d, s, s->value[i]);
					say(&d, other, other->value[k]);
					loads(&d);
					small(&d);
					say(&d, s, s->value[i]);
					say(&d, other, other->value[k]);
					loads(&d);
				}
			}
		}
	}
	for (s = samples; s < samples + n_samples; s++)
		if (!s->loads)
			fail_msg("nothing loads that says %s %s=",
				 title(s->section), s->key->name);
}

static const char *any_value(const struct sample *s)
{
	static char value[2 * VALUE_MAX];
	const char *a = s->value[(unsigned int)rand() % s->n];
	const char *b = s->value[(unsigned int)rand() % s->n];

	if (!s->key->again || !strcmp(a, b))
		return a;
	snprintf(value, sizeof(value), "%s %s", a, b);
	return value;
}

/* Policies that grow by chance, as long as they load. */
static void any_policy_is_kept(void **state)
{
	static struct document d, next;
	const struct sample *s;
	unsigned int i, steps, grown = 0;

	(void)state;
	srand(1);
	for (i = 0; i < 200; i++) {
		small(&d);
		for (steps = 0; steps < 40; steps++) {
			next = d;
			do {
				s = &samples[(unsigned int)rand() % n_samples];
				say(&next, s, any_value(s));
			} while (rand() % 3 == 0);
			if (!loads(&next))
				continue;
			d = next;
			grown++;
		}
	}
	/* Most that is tried fits. */
	assert_true(grown > 1000);
}

/* A key less: it still loads, or one line says what is missing. */
static void a_missing_key_is_told(void **state)
{
	static struct document d, less;
	unsigned int i, k, missing = 0;

	(void)state;
	srand(2);
	for (i = 0; i < 200; i++) {
		const struct sample *s;

		small(&d);
		for (k = 0; k < 40; k++) {
			less = d;
			s = &samples[(unsigned int)rand() % n_samples];
			say(&less, s, any_value(s));
			if (loads(&less))
				d = less;
		}
		for (k = 0; k < d.n; k++) {
			less = d;
			unsay(&less, k);
			if (loads(&less))
				continue;
			assert_non_null(strstr(error, "f.conf"));
			assert_null(strchr(error, '\n'));
			assert_true(is_of_the_whole());
			missing++;
		}
	}
	assert_true(missing > 200);
}

int main(void)
{
	/* In this order: the first one learns. */
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_key_is_as_it_says),
		cmocka_unit_test(each_key_stands_once),
		cmocka_unit_test(each_key_has_a_value),
		cmocka_unit_test(each_key_is_known_where_it_belongs),
		cmocka_unit_test(each_section_is_known_by_its_name),
		cmocka_unit_test(each_value_is_kept),
		cmocka_unit_test(any_policy_is_kept),
		cmocka_unit_test(a_missing_key_is_told),
	};

	return cmocka_run_group_tests_name("conf-generated", tests, NULL, NULL);
}
