/* SPDX-License-Identifier: GPL-2.0 */
/* The flight recorder: the last minute of a port, and the one before an incident. */
#ifndef RG_COUNTERS_FLIGHT_H
#define RG_COUNTERS_FLIGHT_H

#include "../logic/recorder.h"
#include "counters.h"

/**
 * struct rg_flight_last - when the last second ended
 * @have: which counters there were
 * @value: what they were
 */
struct rg_flight_last {
	struct rg_marks have;
	struct rg_totals value;
};

/**
 * struct rg_flight - the recorder of a port
 * @live: the last minute, or NULL as long as there is none
 * @last: what its next second begins with, or NULL: with the sample before
 * @kept: the minute before an incident that nobody has read yet, or NULL
 * @cause: enum roceguard_incident: of that
 * @seen: the link has been looked at
 * @up: it may be lost: the device was up then
 * @downs: how often it had been lost
 */
struct rg_flight {
	struct rg_recorder *live;
	struct rg_flight_last *last;
	struct rg_recorder *kept;
	u8 cause;
	bool seen;
	bool up;
	int downs;
};

/**
 * struct rg_flight_copy - what a recorder has, for readers
 * @live: has no second in it if nothing was recorded
 * @kept: likewise
 * @cause: of @kept
 */
struct rg_flight_copy {
	union rg_recorder_page live;
	union rg_recorder_page kept;
	u8 cause;
};

void rg_flight_sampled(struct rg_counters *c, const struct rg_sample *before,
		       const struct rg_sample *sample);
void rg_flight_link(struct rg_counters *c, bool up, int downs);
void rg_flight_free(struct rg_flight *flight);

bool rg_flight_keep(struct rg_port *port, enum roceguard_incident cause);
void rg_flight_get(struct rg_port *port, struct rg_flight_copy *copy);
void rg_flight_clear(struct rg_port *port, u64 end_ms);

#endif /* RG_COUNTERS_FLIGHT_H */
