/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RG_CMD_COUNTERSWATCH_H
#define RG_CMD_COUNTERSWATCH_H

struct rg_ctx;

/* "counters watch": @argv are the words after it. */
int counters_watch(struct rg_ctx *ctx, int argc, char **argv);

#endif /* RG_CMD_COUNTERSWATCH_H */
