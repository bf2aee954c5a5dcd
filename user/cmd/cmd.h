/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a command of the helper is. Each OBJECT has one file here with one
 * entry point; user/roceguard.c has the table.
 */
#ifndef RG_CMD_H
#define RG_CMD_H

#include <stdbool.h>

struct rgnl;

/* Exit status, as in the man page. */
enum rg_exit {
	RG_EXIT_OK = 0,
	RG_EXIT_USAGE = 1,	/* usage or a bad policy file */
	RG_EXIT_KERNEL = 2,	/* the kernel or the system said no */
	RG_EXIT_DRIFT = 3,	/* drift, or a check that failed */
};

/**
 * struct rg_ctx - what the options on the command line say
 * @json: -j
 * @pretty: -p
 * @stats: -s
 * @nl: the netlink socket, NULL until ctx_nl() opened it
 */
struct rg_ctx {
	bool json;
	bool pretty;
	bool stats;
	struct rgnl *nl;
};

/**
 * ctx_nl() - open the netlink socket unless it is open
 * @ctx: the context
 * @what: the command, for the message
 *
 * Return: RG_EXIT_OK, or RG_EXIT_KERNEL after saying why not. Whoever can do
 * without the module calls rgnl_open() itself, which prints nothing.
 */
int ctx_nl(struct rg_ctx *ctx, const char *what);

/*
 * The commands: @argv[0] is the OBJECT as typed, @argv[argc] is NULL. They
 * print data on stdout and messages on stderr and return an enum rg_exit.
 */
int cmd_policy(struct rg_ctx *ctx, int argc, char **argv);
int cmd_port(struct rg_ctx *ctx, int argc, char **argv);
int cmd_counters(struct rg_ctx *ctx, int argc, char **argv);
int cmd_monitor(struct rg_ctx *ctx, int argc, char **argv);
int cmd_history(struct rg_ctx *ctx, int argc, char **argv);
int cmd_check(struct rg_ctx *ctx, int argc, char **argv);
int cmd_doctor(struct rg_ctx *ctx, int argc, char **argv);
int cmd_freeze(struct rg_ctx *ctx, int argc, char **argv);
int cmd_thaw(struct rg_ctx *ctx, int argc, char **argv);
int cmd_agent(struct rg_ctx *ctx, int argc, char **argv);
int cmd_export(struct rg_ctx *ctx, int argc, char **argv);
int cmd_connect(struct rg_ctx *ctx, int argc, char **argv);

/* The usage lines of cmd_connect(), for --help; newline-terminated. */
extern const char cmd_connect_usage[];

/**
 * cmd_unknown() - complain about a word that is no command
 * @word: what was typed; NULL if nothing was
 * @usage: the usage lines to show
 *
 * Return: RG_EXIT_USAGE.
 */
int cmd_unknown(const char *word, const char *usage);

/**
 * cmd_is_help() - is this word a call for help
 * @word: may be NULL
 */
bool cmd_is_help(const char *word);

#endif /* RG_CMD_H */
