/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernels this is written for, from the first to before the last. Which of
 * them it is proven on: selftests/lab/kernels.
 */
#ifndef RG_COMPAT_RANGE_H
#define RG_COMPAT_RANGE_H

#include <linux/version.h>

#define RG_KERNEL_FIRST		KERNEL_VERSION(5, 10, 0)
#define RG_KERNEL_BEFORE	KERNEL_VERSION(8, 0, 0)

#if LINUX_VERSION_CODE < RG_KERNEL_FIRST
#error "roceguard needs Linux 5.10 or newer"
#endif
#if LINUX_VERSION_CODE >= RG_KERNEL_BEFORE
#error "roceguard does not know this kernel yet; look for a newer release"
#endif

#endif /* RG_COMPAT_RANGE_H */
