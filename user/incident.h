/* SPDX-License-Identifier: GPL-2.0 */
/* The minute before an incident, by what the flight recorder kept of it. */
#ifndef RG_INCIDENT_H
#define RG_INCIDENT_H

#include "counters.h"

/**
 * struct incident_trace - one counter in that minute
 * @counter: enum roceguard_counter
 * @priority: or 0
 * @sum: by how much it grew
 * @begin_ms: how long before the end it first did
 * @peak: most in an entry
 * @peak_ms: how long before the end that was
 */
struct incident_trace {
	uint32_t counter;
	unsigned int priority;
	uint64_t sum;
	uint64_t begin_ms;
	uint64_t peak;
	uint64_t peak_ms;
};

/* More than a port has. */
#define INCIDENT_TRACES	(RG_PRIORITY_COUNTERS * RG_PRIORITIES + RG_PORT_COUNTERS)

/**
 * struct incident - what was kept
 * @sample: its entries, the first
 * @n: how many there are
 * @n_traces: how many of @trace are used
 * @trace: what moved, in the order of the counters, those of traffic last
 */
struct incident {
	const struct model_sample *sample;
	size_t n;
	unsigned int n_traces;
	struct incident_trace trace[INCIDENT_TRACES];
};

/**
 * incident_find() - the last one
 * @samples: all that the flight recorder has
 * @incident: filled in, as long as @samples is there
 *
 * Return: is there one?
 */
bool incident_find(const struct model_samples *samples,
		   struct incident *incident);

/**
 * incident_end() - its last entry, which says why it was kept
 * @incident: the incident
 */
const struct model_sample *incident_end(const struct incident *incident);

/**
 * incident_moved() - what the counters did at the end
 * @incident: the incident
 * @port: the port now: what it counts at all
 * @ms: in so much time before the end, at most
 * @moved: filled in
 */
void incident_moved(const struct incident *incident,
		    const struct model_counters *port, uint64_t ms,
		    struct counters_moved *moved);

#endif /* RG_INCIDENT_H */
