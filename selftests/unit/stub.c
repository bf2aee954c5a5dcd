// SPDX-License-Identifier: GPL-2.0
/* What user/roceguard.c, whose main() a test cannot have, gives to others. */
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "nl.h"

int cmd_unknown(const char *word, const char *usage)
{
	fprintf(stderr, "what is \"%s\"?\n%s", word ? word : "", usage);
	return RG_EXIT_USAGE;
}

bool cmd_is_help(const char *word)
{
	return word && !strcmp(word, "help");
}

int ctx_nl(struct rg_ctx *ctx, const char *what)
{
	int err = rgnl_open(&ctx->nl);

	return err ? rgnl_complain(NULL, what, err) : RG_EXIT_OK;
}
