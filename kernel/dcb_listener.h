/* SPDX-License-Identifier: GPL-2.0 */
/* Who else writes DCB: a listener in RTNLGRP_DCB of every netns. */
#ifndef RG_DCB_LISTENER_H
#define RG_DCB_LISTENER_H

#include "port.h"

int rg_dcb_listener_init(void);
void rg_dcb_listener_exit(void);
void rg_dcb_announce(struct rg_port *port, struct net_device *dev);

#endif /* RG_DCB_LISTENER_H */
