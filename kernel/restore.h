/* SPDX-License-Identifier: GPL-2.0 */
/* What a port had before we first wrote to it, and how it gets that back. */
#ifndef RG_RESTORE_H
#define RG_RESTORE_H

#include "pass.h"

int rg_before_keep(struct rg_pass *pass, const struct rg_knob *knob);
void rg_before_forget(struct rg_port *port);
void rg_restore(struct rg_pass *pass);

#endif /* RG_RESTORE_H */
