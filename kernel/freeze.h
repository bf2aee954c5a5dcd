/* SPDX-License-Identifier: GPL-2.0 */
/* Stopping all writes, for a while or until further notice. */
#ifndef RG_FREEZE_H
#define RG_FREEZE_H

#include <linux/types.h>

void rg_freeze(u32 seconds);
void rg_thaw(void);
u32 rg_freeze_left(void);
void rg_freeze_exit(void);

#endif /* RG_FREEZE_H */
