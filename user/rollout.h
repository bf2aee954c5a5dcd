/* SPDX-License-Identifier: GPL-2.0 */
/* Where a host comes in the rollout of a policy. */
#ifndef RG_ROLLOUT_H
#define RG_ROLLOUT_H

#define ROLLOUT_ID_LEN	32

/**
 * rollout_machine_id() - the machine-id of this host
 * @path: of its file, as machine-id(5) has it
 * @id: set to its 32 hex digits
 *
 * Return: 0, -ENODATA if there is none in the file, or another negative errno.
 */
int rollout_machine_id(const char *path, char id[ROLLOUT_ID_LEN + 1]);

/**
 * rollout_at() - where a host comes in the rollout of a policy
 * @id: its machine-id
 * @policy: name of the policy
 *
 * The same at any time, for each policy another one, and evenly spread. The
 * machine-id, which is nobody's business, cannot be told from it.
 *
 * Return: 0..99: it is in from the step above on.
 */
unsigned int rollout_at(const char *id, const char *policy);

#endif /* RG_ROLLOUT_H */
