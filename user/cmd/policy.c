// SPDX-License-Identifier: GPL-2.0
/* policy show, confirm, delete, dump; the others have files of their own */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "cmd.h"
#include "conf.h"
#include "file.h"
#include "load.h"
#include "nl.h"
#include "print.h"
#include "show.h"
#include "usage.h"

/* Read the policy called @name, or all. */
static int read_policies(struct rg_ctx *ctx, const char *what,
			 const char *name, struct model_policies *list)
{
	static struct model_policy one;
	int err;

	if (ctx_nl(ctx, what))
		return RG_EXIT_KERNEL;
	if (name) {
		err = model_policy_get(ctx->nl, name, &one);
		list->policy = &one;
		list->n = 1;
	} else {
		err = model_policies(ctx->nl, list);
	}
	return err ? rgnl_complain(ctx->nl, what, err) : RG_EXIT_OK;
}

static void forget_policies(const char *name, struct model_policies *list)
{
	if (!name)
		model_policies_free(list);
}

static int policy_show(struct rg_ctx *ctx, int argc, char **argv)
{
	static const struct arg_option none[] = { { } };
	struct model_policies list = { };
	int status;
	size_t i;

	status = args_parse(&argc, argv, none, 1, cmd_policy_usage);
	if (!status)
		status = read_policies(ctx, "policy show", argv[0], &list);
	if (status)
		goto out;
	out_begin_array(ctx);
	for (i = 0; i < list.n; i++) {
		if (out_json()) {
			out_open_object(NULL);
			show_policy_json(&list.policy[i]);
			out_close();
		} else {
			show_policy(&list.policy[i]);
		}
	}
	out_end();
	if (!list.n && !ctx->json)
		rg_error("there is no policy; 'roceguard policy load storage' loads the packaged one");
out:
	forget_policies(argc ? argv[0] : NULL, &list);
	return status;
}

/* One file is one policy, so several need to be asked for one by one. */
static int dump_which(const struct model_policies *list)
{
	char names[512] = "";
	size_t i, n = 0;

	for (i = 0; i < list->n && n < sizeof(names); i++)
		n += (size_t)snprintf(names + n, sizeof(names) - n, "%s%s",
				      i ? ", " : "",
				      list->policy[i].spec.name);
	rg_error("policy dump: there are %zu policies and a file holds one; name one of %s",
		 list->n, names);
	return RG_EXIT_USAGE;
}

static int policy_dump(struct rg_ctx *ctx, int argc, char **argv)
{
	static const struct arg_option none[] = { { } };
	struct model_policies list = { };
	int status;

	status = args_parse(&argc, argv, none, 1, cmd_policy_usage);
	if (!status)
		status = read_policies(ctx, "policy dump", argv[0], &list);
	if (status)
		goto out;
	if (list.n > 1) {
		status = dump_which(&list);
	} else if (!list.n) {
		rg_error("policy dump: there is no policy");
		status = RG_EXIT_KERNEL;
	} else if (ctx->json) {
		out_begin_object(ctx);
		show_policy_json(&list.policy[0]);
		out_end();
	} else {
		conf_write(stdout, &list.policy[0].spec);
	}
out:
	forget_policies(argc ? argv[0] : NULL, &list);
	return status;
}

static int policy_delete(struct rg_ctx *ctx, int argc, char **argv)
{
	bool restore = false;
	const struct arg_option options[] = {
		{ "--restore", &restore, NULL },
		{ }
	};
	uint32_t generation;
	int err, status;

	status = args_parse(&argc, argv, options, 1, cmd_policy_usage);
	if (status)
		return status;
	if (!argc) {
		rg_error("policy delete: name a policy");
		return RG_EXIT_USAGE;
	}
	if (ctx_nl(ctx, "policy delete"))
		return RG_EXIT_KERNEL;
	err = model_policy_del(ctx->nl, argv[0], restore, &generation);
	if (err)
		return rgnl_complain(ctx->nl, "policy delete", err);
	out_begin_object(ctx);
	out_str("name", restore ?
		"%s deleted; its ports get back what they had before it\n" :
		"%s deleted; its ports keep what they have\n", argv[0]);
	out_uint("generation", NULL, generation);
	out_end();
	return RG_EXIT_OK;
}

static int confirm_one(struct rg_ctx *ctx, const char *name)
{
	struct model_policy policy;
	int err = model_policy_confirm(ctx->nl, name, &policy);

	if (err)
		return rgnl_complain(ctx->nl, "policy confirm", err);
	out_open_object(NULL);
	out_str("name", "%s is to stay\n", policy.spec.name);
	out_uint("generation", NULL, policy.generation);
	out_close();
	return RG_EXIT_OK;
}

static int policy_confirm(struct rg_ctx *ctx, int argc, char **argv)
{
	static const struct arg_option none[] = { { } };
	struct model_policies list = { };
	int status;
	size_t i, n = 0;

	status = args_parse(&argc, argv, none, 1, cmd_policy_usage);
	if (!status)
		status = read_policies(ctx, "policy confirm", argv[0], &list);
	if (status)
		goto out;
	out_begin_array(ctx);
	for (i = 0; !status && i < list.n; i++) {
		if (!argc && !list.policy[i].confirm_left)
			continue;
		status = confirm_one(ctx, list.policy[i].spec.name);
		n++;
	}
	out_end();
	if (!n && !ctx->json)
		rg_error("policy confirm: no policy waits for it");
out:
	forget_policies(argc ? argv[0] : NULL, &list);
	return status;
}

static const struct {
	const char *name;
	int (*run)(struct rg_ctx *ctx, int argc, char **argv);
} commands[] = {
	{ "show", policy_show },
	{ "load", policy_load },
	{ "confirm", policy_confirm },
	{ "diff", policy_diff },
	{ "new", policy_new },
	{ "import", policy_import },
	{ "delete", policy_delete },
	{ "dump", policy_dump },
};

int cmd_policy(struct rg_ctx *ctx, int argc, char **argv)
{
	size_t i;

	if (argc < 2)
		return cmd_unknown(NULL, cmd_policy_usage);
	if (cmd_is_help(argv[1])) {
		printf("Usage:\n%s", cmd_policy_usage);
		return RG_EXIT_OK;
	}
	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (!strcmp(commands[i].name, argv[1]))
			return commands[i].run(ctx, argc - 2, argv + 2);
	return cmd_unknown(argv[1], cmd_policy_usage);
}
