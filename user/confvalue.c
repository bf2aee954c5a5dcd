// SPDX-License-Identifier: GPL-2.0
/* Policy files: single values, and the words for what is wrong. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "confparse.h"

/**
 * conf_part_of() - the file that a line stands in
 * @conf: the policy
 * @line: counted on from file to file
 *
 * Return: the index of its part.
 */
size_t conf_part_of(const struct conf *conf, int line)
{
	size_t i = conf->n_parts - 1;

	while (i && conf->part[i].first > line)
		i--;
	return i;
}

const char *conf_place(const struct conf_parser *p, int line, char *buf)
{
	size_t i = conf_part_of(p->conf, line);
	const struct conf_part *part = &p->conf->part[i];
	bool here = i == conf_part_of(p->conf, p->line);

	snprintf(buf, CONF_PLACE_MAX, here ? "%sline %d" : "%s:%d",
		 here ? "" : part->file, line - part->first + 1);
	return buf;
}

/* Only the first thing that is wrong is told. */
int conf_fail_at(struct conf_parser *p, int line, const char *fmt, ...)
{
	const struct conf_part *part;
	size_t n = 0;
	va_list args;

	if (p->error[0] && p->error_line <= line)
		return -1;
	p->error_line = line;
	part = &p->conf->part[line ? conf_part_of(p->conf, line) : 0];
	if (line)
		n = (size_t)snprintf(p->error, CONF_ERROR_MAX, "%s:%d: ",
				     part->file, line - part->first + 1);
	else
		n = (size_t)snprintf(p->error, CONF_ERROR_MAX, "%s: ",
				     part->file);
	if (n >= CONF_ERROR_MAX)
		return -1;
	va_start(args, fmt);
	vsnprintf(p->error + n, CONF_ERROR_MAX - n, fmt, args);
	va_end(args);
	return -1;
}

/*
 * Numbers. @what is "priority", "DSCP" ...; messages carry the range.
 */
int conf_number(struct conf_parser *p, const char *what, const char *s,
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

int conf_priority(struct conf_parser *p, const char *s, long *value)
 {
	return conf_number(p, "priority", s, 0, RG_PRIORITIES - 1, value);
}

int conf_dscp(struct conf_parser *p, const char *s, long *value)
 {
	return conf_number(p, "DSCP", s, 0, RG_DSCPS - 1, value);
}

int conf_tc(struct conf_parser *p, const char *s, long *value)
 {
	return conf_number(p, "TC", s, 0, RG_TCS - 1, value);
}

int conf_yes(struct conf_parser *p, const char *s, bool *value)
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

int conf_word(struct conf_parser *p, const struct rg_words *words,
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
int conf_split(char *s, char *part[], int max_parts)
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

/* "5m" and "5" */
int conf_metres(struct conf_parser *p, char *s, u16 *metres)
{
	size_t n = strlen(s);
	long v;

	if (n > 1 && s[n - 1] == 'm')
		s[n - 1] = '\0';
	if (conf_number(p, "length in metres", s, 1, ROCEGUARD_CABLE_MAX, &v))
		return -1;
	*metres = (u16)v;
	return 0;
}

/* "50%" and "50" */
int conf_percent(struct conf_parser *p, const char *what, char *s,
		 long min_value, long *value)
 {
	size_t n = strlen(s);

	if (n > 1 && s[n - 1] == '%')
		s[n - 1] = '\0';
	return conf_number(p, what, s, min_value, 100, value);
}

/* "100G", "2500M": whole numbers, for no NIC needs more. */
int conf_speed(struct conf_parser *p, const char *s, u32 *mbps)
{
	static const struct {
		const char *unit;
		unsigned long mbps;
	} units[] = { { "M", 1 }, { "G", 1000 }, { "T", 1000000 } };
	unsigned long n;
	char *end;
	size_t i;

	errno = 0;
	n = strtoul(s, &end, 10);
	for (i = 0; i < ARRAY_SIZE(units); i++) {
		if (!isdigit((unsigned char)*s) || strcmp(end, units[i].unit))
			continue;
		if (errno || !n || n > ROCEGUARD_SPEED_MAX / units[i].mbps)
			return conf_fail(p, "speed %s is out of range; use 1M to %uT",
					 s, ROCEGUARD_SPEED_MAX / 1000000);
		*mbps = (u32)(n * units[i].mbps);
		return 0;
	}
	return conf_fail(p, "\"%s\" is no speed; use 1M to %uT, as 100G, >=25G or <=2500M",
			 s, ROCEGUARD_SPEED_MAX / 1000000);
}
