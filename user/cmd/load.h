/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RG_CMD_LOAD_H
#define RG_CMD_LOAD_H

struct conf_list;
struct rg_ctx;

/* "policy load": @argv are the words after it. */
int policy_load(struct rg_ctx *ctx, int argc, char **argv);

/*
 * load_rollouts() - where this host comes in the rollouts of policies
 * @what: the command, for the message
 * @list: those whose rollout is not the whole are told their place
 *
 * Return: 0, or RG_EXIT_KERNEL after saying that there is no machine-id.
 */
int load_rollouts(const char *what, struct conf_list *list);

#endif /* RG_CMD_LOAD_H */
