/* SPDX-License-Identifier: GPL-2.0 */
/* The modules that the core asks for and lives without. */
#ifndef RG_COMPANIONS_H
#define RG_COMPANIONS_H

#include <linux/types.h>

void rg_companions_init(void);
void rg_companions_exit(void);
void rg_companions_want(const char *driver);
bool rg_companions_settled(void);
const char *rg_companions_rdma_reason(void);

#endif /* RG_COMPANIONS_H */
