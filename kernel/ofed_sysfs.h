/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RG_OFED_SYSFS_H
#define RG_OFED_SYSFS_H

#include "port.h"

struct rg_pass;

int rg_ofed_sysfs_init(void);
void rg_ofed_sysfs_refresh(struct rg_pass *pass);
void rg_ofed_sysfs_settle(struct rg_pass *pass);
void rg_ofed_sysfs_del(struct rg_port *port);

#endif /* RG_OFED_SYSFS_H */
