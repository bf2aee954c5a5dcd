/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The watchdog of a port: told by each sample of its counters, it tells of pause
 * storms, and has PFC off for a priority as long as the policy says so.
 */
#ifndef RG_COUNTERS_WATCHDOG_H
#define RG_COUNTERS_WATCHDOG_H

#include "../logic/storm.h"
#include "../pass.h"
#include "../port.h"
#include "counters.h"

/**
 * struct rg_watch - the watchdog of a port; guarded by its lock
 * @work: tells what has happened, and gives PFC back; with a reference to the port
 * @port: whose
 * @storm: by priority; NULL as long as it has not been paused
 * @watchdog: as the policy has it
 * @governed: a policy rules the port
 * @pfc: priorities that it has PFC on for
 * @may: nothing keeps passes from writing
 * @cost: enum roceguard_cost of writing PFC
 * @off: priorities whose PFC is to be off for a storm
 * @left: those that no policy holds any more, and whose PFC stays off
 * @by_frames: the NIC does not count how long it is paused
 * @counted: priorities that something is known of
 * @mbps: speed of the link, if that matters; 0: not known
 * @read_us: when the last one was read
 * @pace_us: from one sample to the next, on average
 * @begun: storms yet to be told of, as RG_STORM_ bits by priority
 * @taken: those of them that PFC was taken off for
 */
struct rg_watch {
	struct delayed_work work;
	struct rg_port *port;
	struct rg_storm *storm[RG_PRIORITIES];
	struct rg_watchdog watchdog;
	bool governed;
	u8 pfc;
	bool may;
	u8 cost;
	u8 off;
	u8 left;
	bool by_frames;
	u8 counted;
	u32 mbps;
	u64 read_us;
	u64 pace_us;
	u32 begun[RG_PRIORITIES];
	u8 taken;
};

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

void rg_watchdog_birth(struct rg_port *port, struct rg_watch *watch);
void rg_watchdog_death(struct rg_port *port);
void rg_watchdog_free(struct rg_port *port);

void rg_watchdog_want(struct rg_pass *pass);
void rg_watchdog_follow(struct rg_pass *pass);
void rg_watchdog_sampled(struct rg_port *port, const struct rg_sample *before,
			 const struct rg_sample *sample);

unsigned int rg_watchdog_storms(struct rg_port *port,
				struct rg_storm_now storm[RG_STORMS_MAX]);
void rg_watchdog_describe(struct rg_port *port, char *buf, size_t size);

#endif /* RG_COUNTERS_WATCHDOG_H */
