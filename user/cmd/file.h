/* SPDX-License-Identifier: GPL-2.0 */
/* The commands of "policy" that need no module: @argv are the words after them. */
#ifndef RG_CMD_FILE_H
#define RG_CMD_FILE_H

struct rg_ctx;

int policy_diff(struct rg_ctx *ctx, int argc, char **argv);
int policy_new(struct rg_ctx *ctx, int argc, char **argv);
int policy_import(struct rg_ctx *ctx, int argc, char **argv);

#endif /* RG_CMD_FILE_H */
