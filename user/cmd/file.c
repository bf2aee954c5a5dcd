// SPDX-License-Identifier: GPL-2.0
/* policy new, import: policy files on stdout */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "cmd.h"
#include "conf.h"
#include "file.h"
#include "import.h"
#include "nl.h"
#include "print.h"
#include "show.h"
#include "usage.h"
#include "words.h"

/* The word and --name; @name is the word unless it is given. */
static int parse(int argc, char **argv, const char *missing,
		 const char **name)
{
	const struct arg_option options[] = {
		{ "--name", NULL, name },
		{ }
	};
	int status = args_parse(&argc, argv, options, 1, cmd_policy_usage);

	if (status)
		return status;
	if (!argc) {
		rg_error("%s", missing);
		return RG_EXIT_USAGE;
	}
	if (!*name)
		*name = argv[0];
	if (rg_name_valid(*name))
		return 0;
	rg_error("\"%s\" is no name of a policy; give it one by --name, of letters, digits, '.', '_' and '-', at most %d",
		 *name, ROCEGUARD_NAME_MAX);
	return RG_EXIT_USAGE;
}

/* policy new */

static void show_file(const struct rg_ctx *ctx, const char *name,
		      const char *profile, const char *text, size_t len)
{
	if (ctx->json) {
		out_begin_object(ctx);
		out_str("name", NULL, name);
		out_str("profile", NULL, profile);
		out_str("text", NULL, text);
		out_end();
		return;
	}
	printf("# roceguard policy %s, from the profile %s; keep it as\n"
	       "# /etc/roceguard/policies.d/%s.conf and load it by 'roceguard policy load'.\n",
	       name, profile, name);
	fwrite(text, 1, len, stdout);
}

int policy_new(struct rg_ctx *ctx, int argc, char **argv)
{
	char path[CONF_PATH_MAX], error[CONF_ERROR_MAX], *text;
	const char *name = NULL;
	struct conf conf;
	size_t len;
	int status;

	status = parse(argc, argv, "policy new: name a profile", &name);
	if (status)
		return status;
	if (conf_find_profile(argv[0], path, error) ||
	    conf_read_file(path, &text, &len, error)) {
		rg_error("%s", error);
		return RG_EXIT_USAGE;
	}
	/* One byte more was made room for than a file may have. */
	text[len] = '\0';
	if (conf_parse(&conf, path, name, text, len, error)) {
		rg_error("%s", error);
		status = RG_EXIT_USAGE;
	} else {
		show_file(ctx, name, argv[0], text, len);
	}
	free(text);
	return status;
}

/* policy import */

/* Held by a policy, so it is what that policy says. */
static void take_ecn(struct rg_ctx *ctx, struct have *have)
{
	struct model_policy policy;
	struct rg_problem problem;
	struct model_port port;
	struct rg_want want;

	if (have->read & BIT(ROCEGUARD_KNOB_ECN) || rgnl_open(&ctx->nl) ||
	    model_port_get(ctx->nl, have->ifname, &port) ||
	    port.knob[ROCEGUARD_KNOB_ECN].verdict != ROCEGUARD_VERDICT_HELD ||
	    model_policy_get(ctx->nl, port.policy, &policy) ||
	    rg_policy_derive(&policy.spec, &want, &problem))
		return;
	memcpy(have->ecn, want.ecn_on, sizeof(have->ecn));
	have->read |= BIT(ROCEGUARD_KNOB_ECN);
}

static void write_import(const struct import *import, const struct have *have)
{
	char clean[64];
	u32 id;

	printf("# As %s (driver %s) was when this was written: loading it changes nothing.\n",
	       rg_clean(clean, sizeof(clean), have->ifname),
	       have->driver[0] ? have->driver : "-");
	for (id = 0; id < RG_KNOBS; id++)
		if (import->left_out & BIT(id))
			printf("# Left out: %s: %s.\n",
			       rg_word(&rg_words_knob, id), import->why[id]);
	conf_write(stdout, &import->spec);
}

static void show_import(struct rg_ctx *ctx, const struct import *import,
			const struct have *have)
{
	const struct model_policy policy = { .spec = import->spec };
	u32 id;

	if (!ctx->json) {
		write_import(import, have);
		return;
	}
	out_begin_object(ctx);
	show_policy_json(&policy);
	out_open_array("left_out");
	for (id = 0; id < RG_KNOBS; id++) {
		if (!(import->left_out & BIT(id)))
			continue;
		out_open_object(NULL);
		out_str("knob", NULL, rg_word(&rg_words_knob, id));
		out_str("reason", NULL, import->why[id]);
		out_close();
	}
	out_close();
	out_end();
}

int policy_import(struct rg_ctx *ctx, int argc, char **argv)
{
	char error[HAVE_ERROR_MAX];
	const char *name = NULL;
	struct import import;
	struct have have;
	int status;

	status = parse(argc, argv, "policy import: name a device", &name);
	if (status)
		return status;
	if (have_read(argv[0], &have, error)) {
		rg_error("policy import: %s", error);
		return RG_EXIT_KERNEL;
	}
	if (!have.port) {
		rg_error("policy import: %s is no port: driver %s has no DCB, and it is not RoCE-capable",
			 have.ifname, have.driver[0] ? have.driver : "-");
		return RG_EXIT_USAGE;
	}
	take_ecn(ctx, &have);
	if (import_port(&import, &have, name)) {
		rg_error("policy import: nothing of %s can be read", have.ifname);
		return RG_EXIT_KERNEL;
	}
	show_import(ctx, &import, &have);
	return RG_EXIT_OK;
}
