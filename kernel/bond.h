/* SPDX-License-Identifier: GPL-2.0 */
/* Bonds and teams: what is above a port, and the legs beside it. */
#ifndef RG_BOND_H
#define RG_BOND_H

#include "port.h"

struct net_device *rg_bond_of(struct net_device *dev);
const char *rg_bond_name(struct net_device *dev);
struct net_device *rg_bond_leg_missing(struct net_device *dev);
void rg_bond_kick_legs(struct net_device *bond, enum roceguard_trigger trigger);
void rg_bond_kick_waiting(struct net_device *leg);

#endif /* RG_BOND_H */
