// SPDX-License-Identifier: GPL-2.0
/* Whose QoS is it? That of a physical port belongs to one netdev alone. */
#include <linux/devlink.h>
#include "function.h"

/**
 * rg_function_judge - what a netdev is to the physical port below it
 * @is_virtfn: its PCI function is a VF
 * @flavour: of its devlink port, enum devlink_port_flavour or RG_FLAVOUR_NONE
 *
 * Return: what it is; one that nobody says anything of owns its port.
 */
enum rg_function rg_function_judge(bool is_virtfn, int flavour)
{
	switch (flavour) {
	case DEVLINK_PORT_FLAVOUR_PCI_PF:
	case DEVLINK_PORT_FLAVOUR_PCI_VF:
	case RG_FLAVOUR_PCI_SF:
		return RG_FUNCTION_REPRESENTOR;
	case DEVLINK_PORT_FLAVOUR_VIRTUAL:
		return RG_FUNCTION_GUEST;
	default:
		return is_virtfn ? RG_FUNCTION_GUEST : RG_FUNCTION_OWN;
	}
}
