/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RG_LOG_H
#define RG_LOG_H

#include <linux/printk.h>

#define rg_info(fmt, ...)	pr_info("roceguard: " fmt, ##__VA_ARGS__)
#define rg_notice(fmt, ...)	pr_notice("roceguard: " fmt, ##__VA_ARGS__)
#define rg_warn(fmt, ...)	pr_warn_ratelimited("roceguard: " fmt, ##__VA_ARGS__)

#endif /* RG_LOG_H */
