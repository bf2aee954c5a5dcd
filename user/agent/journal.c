// SPDX-License-Identifier: GPL-2.0
/*
 * Lines on stdout, which systemd puts into the journal; before each its priority
 * as in sd-daemon(3), where it is the journal that reads.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/agent.h"
#include "cmd/cmd.h"
#include "line.h"
#include "nl.h"
#include "print.h"
#include "words.h"

#define LINE_LEN	1536

static bool priorities;

void agent_journal_open(void)
{
	priorities = getenv("JOURNAL_STREAM");
	if (priorities)
		rg_error_prefix = "<3>";
}

void agent_say(enum agent_level level, const char *fmt, ...)
{
	char line[LINE_LEN], clean[LINE_LEN];
	va_list args;

	va_start(args, fmt);
	vsnprintf(line, sizeof(line), fmt, args);
	va_end(args);
	if (priorities)
		printf("<%d>", (int)level);
	printf("%s\n", rg_clean(clean, sizeof(clean), line));
	fflush(stdout);
}

static const uint8_t levels[] = {
	[ROCEGUARD_ACTION_CORRECTION]	= AGENT_NOTICE,
	[ROCEGUARD_ACTION_DRIFT]	= AGENT_WARNING,
	[ROCEGUARD_ACTION_REFUSAL]	= AGENT_ERROR,
	[ROCEGUARD_ACTION_CONTEST]	= AGENT_WARNING,
	[ROCEGUARD_ACTION_REQUEST]	= AGENT_NOTICE,
	[ROCEGUARD_ACTION_RESTORE]	= AGENT_NOTICE,
	[ROCEGUARD_ACTION_STORM]	= AGENT_WARNING,
};

static void say_entry(const struct model_entry *e)
{
	char detail[LINE_MAX_ENTRY];

	line_detail(detail, sizeof(detail), e);
	agent_say(e->action < ARRAY_SIZE(levels) ? levels[e->action] :
						   AGENT_INFO,
		  "%s %s %s%s%s%s%s", e->ifname[0] ? e->ifname : "host",
		  e->has_trigger ? rg_word(&rg_words_trigger, e->trigger) : "-",
		  e->has_knob ? rg_word(&rg_words_knob, e->knob) : "",
		  e->has_knob ? " " : "", line_result(e), detail[0] ? ": " : "",
		  detail);
}

int agent_journal(struct agent *a)
{
	struct model_entries list = { };
	size_t i;
	int err;

	err = model_history(a->ctx->nl, a->journaled + 1, &list);
	for (i = 0; !err && i < list.n; i++) {
		say_entry(&list.entry[i]);
		a->journaled = list.entry[i].seq;
	}
	if (!err && list.n)
		agent_state_write(a);
	model_entries_free(&list);
	return err;
}
