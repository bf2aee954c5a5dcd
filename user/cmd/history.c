// SPDX-License-Identifier: GPL-2.0
/* history: what was done, newest last */
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "cmd.h"
#include "line.h"
#include "nl.h"
#include "print.h"
#include "show.h"
#include "usage.h"
#include "words.h"

/* The columns before the details, and where a line ends. */
#define COLUMNS		59
#define WIDTH		100

static void show_entry(const struct model_entry *e)
{
	char time[64], detail[LINE_MAX_ENTRY], clean[LINE_MAX_ENTRY];

	out_text("%-18s ", line_time(time, sizeof(time), "%m-%d %H:%M:%S",
				     e->time));
	out_str(NULL, "%-10s ", e->ifname[0] ? e->ifname : "-");
	out_text("%-9s %-6s ",
		 e->has_trigger ? rg_word(&rg_words_trigger, e->trigger) : "-",
		 e->has_knob ? rg_word(&rg_words_knob, e->knob) : "-");
	rg_clean(clean, sizeof(clean), line_detail(detail, sizeof(detail), e));
	if (strlen(clean) + COLUMNS <= WIDTH) {
		out_text("%-11s %s\n", line_result(e), clean);
		return;
	}
	out_text("%s\n", line_result(e));
	show_wrapped(4, detail);
}

static void show_entries(const struct model_entries *list, const char *ifname)
{
	size_t i, n = 0;

	for (i = 0; i < list->n; i++) {
		const struct model_entry *e = &list->entry[i];

		if (ifname && strcmp(ifname, e->ifname))
			continue;
		if (!n++)
			out_text("%-18s %-10s %-9s %-6s %-11s %s\n", "TIME",
				 "PORT", "TRIGGER", "KNOB", "VERDICT",
				 "FROM -> TO");
		if (out_json()) {
			out_open_object(NULL);
			show_entry_json(e);
			out_close();
		} else {
			show_entry(e);
		}
	}
}

int cmd_history(struct rg_ctx *ctx, int argc, char **argv)
{
	static const struct arg_option none[] = { { } };
	struct model_entries list = { };
	int err, status;

	argc--;
	argv++;
	if (argc && cmd_is_help(argv[0])) {
		printf("Usage:\n%s", cmd_history_usage);
		return RG_EXIT_OK;
	}
	status = args_parse(&argc, argv, none, 1, cmd_history_usage);
	if (status)
		return status;
	if (ctx_nl(ctx, "history"))
		return RG_EXIT_KERNEL;
	err = model_history(ctx->nl, 0, &list);
	if (err) {
		status = rgnl_complain(ctx->nl, "history", err);
	} else {
		out_begin_array(ctx);
		show_entries(&list, argv[0]);
		out_end();
	}
	model_entries_free(&list);
	return status;
}
