/* SPDX-License-Identifier: GPL-2.0 */
/* What becomes of a policy that nobody confirms. */
#ifndef RG_CONFIRM_H
#define RG_CONFIRM_H

void rg_confirm_arm(void);
void rg_confirm_exit(void);

#endif /* RG_CONFIRM_H */
