/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the counters of a port did between two readings, and in words. Nothing
 * here talks to the kernel.
 */
#ifndef RG_COUNTERS_H
#define RG_COUNTERS_H

#include "model.h"

/**
 * struct counters_moved - what the counters of a port did between two samples
 * @has: mask of priorities, or bit 0 for one of the port: what is known
 * @by: by how much, by priority or [0]
 * @ms: between the two samples of each, never 0 where @has is not
 */
struct counters_moved {
	uint8_t has[MODEL_COUNTERS];
	uint64_t by[MODEL_COUNTERS][RG_PRIORITIES];
	uint64_t ms[MODEL_COUNTERS];
};

/**
 * counters_since() - compare two readings of a port
 * @before: the first
 * @after: the second
 * @moved: filled in; a counter that one of them lacks, that was not sampled
 *	again in between or that went back is not known
 *
 * Return: is anything known?
 */
bool counters_since(const struct model_counters *before,
		    const struct model_counters *after,
		    struct counters_moved *moved);

/**
 * counters_of_sample() - the same, of an entry of the flight recorder
 * @sample: the entry, which has what grew
 * @port: the port now: what it counts at all
 * @ms: since the entry before; 0: not known, then nothing is
 * @moved: filled in
 */
void counters_of_sample(const struct model_sample *sample,
			const struct model_counters *port, uint64_t ms,
			struct counters_moved *moved);

/**
 * counters_add() - one after the other
 * @sum: grows by
 * @moved: this
 */
void counters_add(struct counters_moved *sum, const struct counters_moved *moved);

/* Of one kind: the unit of a counter. */
enum counters_unit {
	COUNTERS_FRAMES, COUNTERS_US, COUNTERS_PACKETS, COUNTERS_BYTES,
	COUNTERS_CNPS, COUNTERS_EVENTS,
};

enum counters_unit counters_unit(uint32_t counter);

/* "frames", "us", ... */
const char *counters_unit_word(uint32_t counter);

/**
 * counters_per_second() - a rate
 * @moved: what moved
 * @counter: enum roceguard_counter
 * @i: priority, or 0
 *
 * Return: in the unit of the counter, a second.
 */
double counters_per_second(const struct counters_moved *moved, uint32_t counter,
			   unsigned int i);

/* As long as the words of a rate or a number may be. */
#define COUNTERS_WORDS	32

/**
 * counters_rate_words() - a rate for people: "401/s", "99.7%", "1.25Gbit/s"
 * @counter: enum roceguard_counter
 * @per_second: in its unit
 * @buf: COUNTERS_WORDS bytes
 */
const char *counters_rate_words(uint32_t counter, double per_second, char *buf);

/**
 * counters_value_words() - how much: "1204 frames", "2.99 s", "1.25 GB"
 * @counter: enum roceguard_counter
 * @value: in its unit
 * @buf: COUNTERS_WORDS bytes
 */
const char *counters_value_words(uint32_t counter, uint64_t value, char *buf);

/**
 * counters_time_words() - "340 ms", "2.3 s", "5 min"
 * @ms: how long
 * @buf: COUNTERS_WORDS bytes
 */
const char *counters_time_words(uint64_t ms, char *buf);

#endif /* RG_COUNTERS_H */
