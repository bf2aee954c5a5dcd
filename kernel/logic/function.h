/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RG_LOGIC_FUNCTION_H
#define RG_LOGIC_FUNCTION_H

#include "base.h"

/* As in enum devlink_port_flavour; this one came with 5.12. */
#define RG_FLAVOUR_PCI_SF	7
/* The driver says nothing. */
#define RG_FLAVOUR_NONE		-1

/**
 * enum rg_function - what a netdev is to the physical port below it
 * @RG_FUNCTION_OWN: its owner, who sets its QoS: a PF, an uplink representor
 * @RG_FUNCTION_GUEST: a VF or SF, one of several that share it
 * @RG_FUNCTION_REPRESENTOR: the switch's side of a VF, SF or of a host's PF
 */
enum rg_function {
	RG_FUNCTION_OWN,
	RG_FUNCTION_GUEST,
	RG_FUNCTION_REPRESENTOR,
};

enum rg_function rg_function_judge(bool is_virtfn, int flavour);

#endif /* RG_LOGIC_FUNCTION_H */
