/* SPDX-License-Identifier: GPL-2.0 */
/* What the host as a whole lets roceguard do. */
#ifndef RG_MODE_H
#define RG_MODE_H

#include <linux/types.h>
#include <uapi/linux/roceguard.h>

int rg_mode_init(void);
enum roceguard_mode rg_mode(void);
bool rg_mode_frozen(void);
void rg_mode_set(enum roceguard_mode mode);
void rg_mode_freeze(bool frozen);

#endif /* RG_MODE_H */
