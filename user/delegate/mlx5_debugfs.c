// SPDX-License-Identifier: GPL-2.0
/*
 * The debugfs of the kernel's mlx5, cc_params, has the parameters of DCQCN but no
 * switch for a priority: there is nothing to hold ECN by, which is worth saying.
 */
#include <errno.h>
#include <string.h>

#include "ecn.h"

static bool mlx5_is_there(const struct delegate_task *task)
{
	return !strcmp(task->port->driver, "mlx5_core");
}

static int mlx5_read(struct delegate_task *task)
{
	delegate_because(task, "the kernel's own mlx5_core has no file for ECN, only the driver of MLNX_OFED has; load a provider for mlx5_core");
	return -EOPNOTSUPP;
}

const struct delegate_backend delegate_mlx5_ecn = {
	.knob	  = ROCEGUARD_KNOB_ECN,
	.is_there = mlx5_is_there,
	.read	  = mlx5_read,
};
