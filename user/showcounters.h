/* SPDX-License-Identifier: GPL-2.0 */
/* How counters look, in text and JSON. */
#ifndef RG_SHOWCOUNTERS_H
#define RG_SHOWCOUNTERS_H

#include "counters.h"

/**
 * show_counters() - all counters of a port; an object in the array that is open
 * @counters: the port
 * @width: columns that a line of text may have
 */
void show_counters(const struct model_counters *counters, int width);

/**
 * show_moved() - what moved, with rates; an object in the array that is open
 * @counters: the port
 * @moved: its counters
 * @ms: in about what time
 */
void show_moved(const struct model_counters *counters,
		const struct counters_moved *moved, uint64_t ms);

/**
 * show_samples() - what the flight recorder has; objects in the array that is open
 * @samples: all of it, port by port
 */
void show_samples(const struct model_samples *samples);

/**
 * show_run() - the entries of the flight recorder that belong together
 * @samples: all
 * @from: the first
 *
 * Return: index of the one after the last of the same port and the same incident,
 * or of none.
 */
size_t show_run(const struct model_samples *samples, size_t from);

/* The members of a storm, into the object that is open. */
void show_storm_json(const struct model_storm *storm);

/* "a pause storm", ... */
const char *show_incident(uint32_t cause);

#endif /* RG_SHOWCOUNTERS_H */
