/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RG_SHIM_LIST_H
#define RG_SHIM_LIST_H

struct list_head {
	struct list_head *next, *prev;
};

#endif /* RG_SHIM_LIST_H */
