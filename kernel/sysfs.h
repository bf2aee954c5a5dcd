/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RG_SYSFS_H
#define RG_SYSFS_H

#include "port.h"

struct rg_port *rg_sysfs_port(const struct kobject *kobj);
void rg_sysfs_add(struct rg_port *port);
void rg_sysfs_add_counters(struct rg_port *port);
void rg_sysfs_del(struct rg_port *port);

#endif /* RG_SYSFS_H */
