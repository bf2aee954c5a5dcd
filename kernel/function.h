/* SPDX-License-Identifier: GPL-2.0 */
/* PF, VF, SF, representor: whose QoS is it? */
#ifndef RG_FUNCTION_H
#define RG_FUNCTION_H

#include "knobs/knob.h"

bool rg_function_is_foreign(struct net_device *dev);
void rg_function_blame(struct rg_section *section);

#endif /* RG_FUNCTION_H */
