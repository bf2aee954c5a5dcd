/* SPDX-License-Identifier: GPL-2.0 */
/* The one loop: read, compare, write, read back, judge. */
#ifndef RG_ENFORCE_H
#define RG_ENFORCE_H

#include <linux/workqueue.h>

void rg_enforce(struct work_struct *work);

#endif /* RG_ENFORCE_H */
