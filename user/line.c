// SPDX-License-Identifier: GPL-2.0
/* An entry as one line. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "counters.h"
#include "line.h"
#include "words.h"

const char *line_time(char *buf, size_t size, const char *format, uint64_t ns)
{
	time_t t = (time_t)(ns / 1000000000);
	char seconds[64] = "?";
	struct tm tm;

	if (localtime_r(&t, &tm))
		strftime(seconds, sizeof(seconds), format, &tm);
	snprintf(buf, size, "%s.%03u", seconds,
		 (unsigned int)(ns / 1000000 % 1000));
	return buf;
}

const char *line_result(const struct model_entry *e)
{
	return e->has_verdict ? rg_word(&rg_words_verdict, e->verdict) :
				rg_word(&rg_words_action, e->action);
}

/* Add a part, with a separator before all but the first. */
static __attribute__((format(printf, 4, 5)))
void add(char *buf, size_t size, const char *separator, const char *fmt, ...)
{
	size_t n = strlen(buf);
	va_list args;

	n += (size_t)snprintf(buf + n, size - n, "%s", n ? separator : "");
	if (n >= size)
		return;
	va_start(args, fmt);
	vsnprintf(buf + n, size - n, fmt, args);
	va_end(args);
}

const char *line_detail(char *buf, size_t size, const struct model_entry *e)
{
	buf[0] = '\0';
	if (e->request[0])
		add(buf, size, ", ", "%s", e->request);
	if (e->from[0] || e->to[0])
		add(buf, size, ", ", "%s -> %s", e->from[0] ? e->from : "?",
		    e->to[0] ? e->to : "?");
	if (e->err)
		add(buf, size, ", ", "%s", strerror((int)e->err));
	if (e->link_drop)
		add(buf, size, ", ", "link dropped");
	if (e->has_duration)
		add(buf, size, ", ", "%u us", e->duration_us);
	if (e->has_pid)
		add(buf, size, " ", "by %s[%u]", e->comm[0] ? e->comm : "?",
		    e->pid);
	if (e->has_uid)
		add(buf, size, " ", "uid %u", e->uid);
	return buf;
}

const char *line_storm(char *buf, size_t size, const struct model_storm *storm)
{
	char lasted[COUNTERS_WORDS];

	snprintf(buf, size, "pause storm on priority %u, %s", storm->priority,
		 rg_word(&rg_words_direction, storm->direction));
	if (storm->on)
		add(buf, size, ", ", "began");
	else
		add(buf, size, ", ", "ended after %s",
		    counters_time_words(storm->lasted, lasted));
	if (storm->action == ROCEGUARD_STORM_ACTION_PFC_OFF)
		add(buf, size, ": ", "PFC is %s there",
		    storm->on ? "off" : "on again");
	return buf;
}
