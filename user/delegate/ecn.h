/* SPDX-License-Identifier: GPL-2.0 */
/* What the ways to ECN have in common. */
#ifndef RG_DELEGATE_ECN_H
#define RG_DELEGATE_ECN_H

#include "delegate.h"

/**
 * ecn_port_wide() - does a policy want ECN on a port that has one switch for all?
 * @want: what it holds
 */
bool ecn_port_wide(const struct rg_want *want);

/**
 * ecn_switch_read() - a file with the one switch of a port
 * @task: gets what was read
 * @path: of the file
 *
 * Return: 0 or a negative errno.
 */
int ecn_switch_read(struct delegate_task *task, const char *path);

/**
 * ecn_blame() - say why a file could not be read or written
 * @task: gets the reason
 * @path: of the file
 * @err: negative errno
 *
 * Return: @err.
 */
int ecn_blame(struct delegate_task *task, const char *path, int err);

#endif /* RG_DELEGATE_ECN_H */
