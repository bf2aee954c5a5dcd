/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RG_SHIM_KREF_H
#define RG_SHIM_KREF_H

struct kref {
	int refcount;
};

#endif /* RG_SHIM_KREF_H */
