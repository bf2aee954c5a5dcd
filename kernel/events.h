/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RG_EVENTS_H
#define RG_EVENTS_H

int rg_events_init(void);
void rg_events_exit(void);

#endif /* RG_EVENTS_H */
