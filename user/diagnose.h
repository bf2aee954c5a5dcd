/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is wrong with a port's congestion control, by what its counters did. The
 * rules are a table in diagnose.c; nothing here talks to the kernel.
 */
#ifndef RG_DIAGNOSE_H
#define RG_DIAGNOSE_H

#include "counters.h"

/**
 * struct diagnose_facts - what is known of a port beside its counters
 * @policy: name of the policy that says so; "": the NIC as it is
 * @known: @lossless is known
 * @lossless: mask of priorities that are to have PFC on
 * @ecn: mask of priorities that are to have ECN on
 * @storm: mask of priorities with a storm that the watchdog of the kernel sees,
 *	by enum roceguard_direction
 */
struct diagnose_facts {
	char policy[ROCEGUARD_NAME_MAX + 1];
	bool known;
	uint8_t lossless;
	uint8_t ecn;
	uint8_t storm[2];
};

#define DIAGNOSE_TEXT	512
#define DIAGNOSE_FIGURES	6

/**
 * struct diagnose_figure - one that a finding stands on
 * @counter: enum roceguard_counter
 * @priorities: mask of those that it is the sum of; 0: it is one of the port
 * @by: by how much it moved
 * @ms: in what time
 */
struct diagnose_figure {
	uint32_t counter;
	uint8_t priorities;
	uint64_t by;
	uint64_t ms;
};

/**
 * struct diagnose_finding - something that is not well
 * @rule: its name
 * @priority: that it is about, -1: the port
 * @n_figures: how many of @figure are used
 * @figure: what was seen
 * @seen: the same in words
 * @means: what it means
 * @remedy: what to do
 */
struct diagnose_finding {
	const char *rule;
	int priority;
	unsigned int n_figures;
	struct diagnose_figure figure[DIAGNOSE_FIGURES];
	char seen[DIAGNOSE_TEXT];
	char means[DIAGNOSE_TEXT];
	char remedy[DIAGNOSE_TEXT];
};

/* More than all rules can find on one port at once. */
#define DIAGNOSE_MAX	96

/**
 * diagnose() - apply all rules
 * @moved: what the counters of the port did
 * @facts: what else is known
 * @finding: DIAGNOSE_MAX of them, filled in
 *
 * Return: how many were found.
 */
size_t diagnose(const struct counters_moved *moved,
		const struct diagnose_facts *facts,
		struct diagnose_finding *finding);

/**
 * diagnose_priorities() - "3", "3 and 4", "1, 3 and 4"; "none"
 * @mask: of priorities
 * @buf: COUNTERS_WORDS bytes
 */
const char *diagnose_priorities(uint8_t mask, char *buf);

#endif /* RG_DIAGNOSE_H */
