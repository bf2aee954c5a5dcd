/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RG_CMD_LOAD_H
#define RG_CMD_LOAD_H

struct rg_ctx;

/* "policy load": @argv are the words after it. */
int policy_load(struct rg_ctx *ctx, int argc, char **argv);

#endif /* RG_CMD_LOAD_H */
