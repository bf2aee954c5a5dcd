/* SPDX-License-Identifier: GPL-2.0 */
/* The way to a target, as doctor looks at it. */
#ifndef RG_DOCTORPATH_H
#define RG_DOCTORPATH_H

struct rg_ctx;
struct doctor_path;

/**
 * doctor_path_find() - find the way to a target, and judge it
 * @ctx: the options; the socket is opened if there is a module
 * @address: of the target, as typed
 * @path: set; free() it
 *
 * Nothing is written, nor is any port asked to look again.
 *
 * Return: RG_EXIT_OK, or another exit status after saying why.
 */
int doctor_path_find(struct rg_ctx *ctx, const char *address,
		     struct doctor_path **path);

/**
 * doctor_path_device() - what it leads through
 * @path: the way
 *
 * Return: a bond, or else a port; NULL if no port is on it.
 */
const char *doctor_path_device(const struct doctor_path *path);

/**
 * doctor_path_show() - the links of the chain that are broken, and with JSON all
 * @path: the way
 *
 * Return: how many are.
 */
unsigned int doctor_path_show(const struct doctor_path *path);

#endif /* RG_DOCTORPATH_H */
