/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A freeze is to outlast a reboot, of which the kernel knows nothing: a small file
 * keeps it, and "freeze --restore" asks for it again.
 */
#ifndef RG_FROZEN_H
#define RG_FROZEN_H

#include <time.h>

/* What a freeze without an end lasts until. */
#define FROZEN_FOR_EVER	0

/**
 * frozen_path() - where it is kept
 *
 * Return: /var/lib/roceguard/frozen, or what ROCEGUARD_FROZEN says.
 */
const char *frozen_path(void);

/**
 * frozen_keep() - keep a freeze; what was kept is replaced in one step
 * @until: seconds since the epoch, or FROZEN_FOR_EVER
 *
 * Return: 0 or a negative errno.
 */
int frozen_keep(time_t until);

/**
 * frozen_read() - what is kept
 * @until: set
 *
 * Return: 0, -ENOENT: nothing is; -EBADMSG: it cannot be understood; or another
 * negative errno.
 */
int frozen_read(time_t *until);

/**
 * frozen_forget() - keep nothing
 *
 * Return: 0, also if nothing was kept, or a negative errno.
 */
int frozen_forget(void);

#endif /* RG_FROZEN_H */
