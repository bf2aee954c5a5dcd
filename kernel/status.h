/* SPDX-License-Identifier: GPL-2.0 */
/* What readers see of a port, as the port keeps it. */
#ifndef RG_STATUS_H
#define RG_STATUS_H

#include "port.h"

void rg_status_get(struct rg_port *port, struct rg_port_status *status);
char *rg_status_texts(const struct rg_port_status *status);
char *rg_status_set(struct rg_port *port, const struct rg_port_status *status,
		    char *texts);

#endif /* RG_STATUS_H */
