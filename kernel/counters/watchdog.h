/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The watchdog of a port: told by each sample of its counters, it tells of pause
 * storms, and has PFC off for a priority as long as the policy says so.
 */
#ifndef RG_COUNTERS_WATCHDOG_H
#define RG_COUNTERS_WATCHDOG_H

#include "../pass.h"
#include "../port.h"
#include "counters.h"

/**
 * struct rg_storm_news - a pause storm began or ended
 * @priority: of which priority
 * @direction: enum roceguard_direction
 * @on: it began
 * @action: enum roceguard_storm_action: what was done
 * @lasted_ms: for so long, up to now or until it last was one
 */
struct rg_storm_news {
	u8 priority;
	u8 direction;
	bool on;
	u8 action;
	u32 lasted_ms;
};

/**
 * struct rg_storm_now - a pause storm that goes on
 * @priority: of which priority
 * @direction: enum roceguard_direction
 * @action: enum roceguard_storm_action: what is done about it
 * @since_ms: for so long
 */
struct rg_storm_now {
	u8 priority;
	u8 direction;
	u8 action;
	u32 since_ms;
};

#define RG_STORMS_MAX	(2 * RG_PRIORITIES)
#define RG_WATCHDOG_WORDS_MAX	256

int rg_watchdog_birth(struct rg_port *port);
void rg_watchdog_death(struct rg_port *port);
void rg_watchdog_free(struct rg_port *port);

void rg_watchdog_want(struct rg_pass *pass);
void rg_watchdog_follow(struct rg_pass *pass);
void rg_watchdog_sampled(struct rg_port *port, const struct rg_sample *sample);

unsigned int rg_watchdog_storms(struct rg_port *port,
				struct rg_storm_now storm[RG_STORMS_MAX]);
void rg_watchdog_describe(struct rg_port *port, char *buf, size_t size);

#endif /* RG_COUNTERS_WATCHDOG_H */
