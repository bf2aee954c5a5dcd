// SPDX-License-Identifier: GPL-2.0
#include <linux/devlink.h>
#include "case.h"
#include "function.h"

CASE(whose_the_qos_of_a_port_is)
{
	static const struct {
		bool is_virtfn;
		int flavour;
		enum rg_function function;
	} cases[] = {
		/* A PF, with and without a word of its driver. */
		{ false, RG_FLAVOUR_NONE, RG_FUNCTION_OWN },
		{ false, DEVLINK_PORT_FLAVOUR_PHYSICAL, RG_FUNCTION_OWN },
		/* A VF, likewise; in a guest it does not look like one. */
		{ true, RG_FLAVOUR_NONE, RG_FUNCTION_GUEST },
		{ true, DEVLINK_PORT_FLAVOUR_PHYSICAL, RG_FUNCTION_GUEST },
		{ true, DEVLINK_PORT_FLAVOUR_VIRTUAL, RG_FUNCTION_GUEST },
		{ false, DEVLINK_PORT_FLAVOUR_VIRTUAL, RG_FUNCTION_GUEST },
		/* Representors: of a host's PF, of a VF, of an SF. */
		{ false, DEVLINK_PORT_FLAVOUR_PCI_PF, RG_FUNCTION_REPRESENTOR },
		{ false, DEVLINK_PORT_FLAVOUR_PCI_VF, RG_FUNCTION_REPRESENTOR },
		{ false, RG_FLAVOUR_PCI_SF, RG_FUNCTION_REPRESENTOR },
		/* Ports of a switch are their own. */
		{ false, DEVLINK_PORT_FLAVOUR_CPU, RG_FUNCTION_OWN },
		{ false, DEVLINK_PORT_FLAVOUR_DSA, RG_FUNCTION_OWN },
		{ false, DEVLINK_PORT_FLAVOUR_UNUSED, RG_FUNCTION_OWN },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		expect_row(rg_function_judge(cases[i].is_virtfn,
					     cases[i].flavour) ==
			   cases[i].function, "virtfn %d, flavour %d",
			   cases[i].is_virtfn, cases[i].flavour);
}

SUITE(function,
      case_of(whose_the_qos_of_a_port_is));
