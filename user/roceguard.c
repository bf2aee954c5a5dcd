// SPDX-License-Identifier: GPL-2.0
/* The helper: options, and the table of objects. */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/usage.h"
#include "model.h"
#include "nl.h"
#include "print.h"

/**
 * struct object - a word of the first level
 * @name: as typed
 * @run: its command
 * @usage: its usage lines
 */
struct object {
	const char *name;
	int (*run)(struct rg_ctx *ctx, int argc, char **argv);
	const char *usage;
};

static const struct object objects[] = {
	{ "policy", cmd_policy, cmd_policy_usage },
	{ "port", cmd_port, cmd_port_usage },
	{ "counters", cmd_counters, cmd_counters_usage },
	{ "monitor", cmd_monitor, cmd_monitor_usage },
	{ "history", cmd_history, cmd_history_usage },
	{ "check", cmd_check, cmd_check_usage },
	{ "doctor", cmd_doctor, cmd_doctor_usage },
	{ "freeze", cmd_freeze, cmd_freeze_usage },
	{ "thaw", cmd_thaw, cmd_thaw_usage },
	{ "connect", cmd_connect, cmd_connect_usage },
	{ "agent", cmd_agent, cmd_agent_usage },
	{ "export", cmd_export, cmd_export_usage },
};

#define N_OBJECTS	(sizeof(objects) / sizeof(objects[0]))

static void print_usage(FILE *f)
{
	size_t i;

	fputs("Usage: roceguard [OPTIONS] OBJECT COMMAND ...\n", f);
	for (i = 0; i < N_OBJECTS; i++)
		fputs(objects[i].usage, f);
	fputs("Options:\n"
	      "  -j, --json        print JSON\n"
	      "  -p, --pretty      indent the JSON\n"
	      "  -s, --statistics  show counters and all ports\n"
	      "  -V, --version     print the version\n"
	      "  -h, --help        print this\n"
	      "Exit status: 0 fine, 1 usage or bad policy file, 2 kernel or runtime error,\n"
	      "  3 drift or a failed check.  See roceguard(8).\n", f);
}

int cmd_unknown(const char *word, const char *usage)
{
	if (word)
		rg_error("what is \"%s\"?", word);
	else
		rg_error("a word is missing");
	fprintf(stderr, "Usage:\n%s", usage);
	return RG_EXIT_USAGE;
}

bool cmd_is_help(const char *word)
{
	return word && (!strcmp(word, "help") || !strcmp(word, "--help") ||
			!strcmp(word, "-h"));
}

int ctx_nl(struct rg_ctx *ctx, const char *what)
{
	int err;

	if (ctx->nl)
		return RG_EXIT_OK;
	err = rgnl_open(&ctx->nl);
	return err ? rgnl_complain(NULL, what, err) : RG_EXIT_OK;
}

/* The module's version as well, if it is there: the two belong together. */
static int print_version(struct rg_ctx *ctx)
{
	struct model_host host;

	printf("roceguard %s", RG_VERSION);
	if (!rgnl_open(&ctx->nl) && !model_mode_get(ctx->nl, &host))
		printf(", kernel module %s", host.version);
	puts("");
	return RG_EXIT_OK;
}

static int run(struct rg_ctx *ctx, int argc, char **argv)
{
	size_t i;

	if (!argc || cmd_is_help(argv[0])) {
		print_usage(argc ? stdout : stderr);
		return argc ? RG_EXIT_OK : RG_EXIT_USAGE;
	}
	for (i = 0; i < N_OBJECTS; i++) {
		if (strcmp(objects[i].name, argv[0]))
			continue;
		return objects[i].run(ctx, argc, argv);
	}
	rg_error("what is \"%s\"?", argv[0]);
	print_usage(stderr);
	return RG_EXIT_USAGE;
}

/* Data that did not get out is an error, and a closed pipe is none of ours. */
static int finish(int status)
{
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	if (errno != EPIPE)
		rg_error("writing the output: %s", strerror(errno));
	return status ? status : RG_EXIT_KERNEL;
}

int main(int argc, char **argv)
{
	static const struct option long_options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "pretty", no_argument, NULL, 'p' },
		{ "statistics", no_argument, NULL, 's' },
		{ "version", no_argument, NULL, 'V' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	struct rg_ctx ctx = { };
	bool version = false;
	int c, status;

	signal(SIGPIPE, SIG_IGN);
	while ((c = getopt_long(argc, argv, "+jpsVh", long_options,
				NULL)) != -1) {
		switch (c) {
		case 'j':
			ctx.json = true;
			break;
		case 'p':
			ctx.pretty = true;
			break;
		case 's':
			ctx.stats = true;
			break;
		case 'V':
			version = true;
			break;
		case 'h':
			print_usage(stdout);
			return finish(RG_EXIT_OK);
		default:
			/* getopt has said what it does not know. */
			print_usage(stderr);
			return RG_EXIT_USAGE;
		}
	}
	status = version ? print_version(&ctx) :
			   run(&ctx, argc - optind, argv + optind);
	rgnl_close(ctx.nl);
	return finish(status);
}
