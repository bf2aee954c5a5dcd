// SPDX-License-Identifier: GPL-2.0
/* The minute before an incident. */
#include <string.h>

#include "incident.h"
#include "showcounters.h"

const struct model_sample *incident_end(const struct incident *incident)
{
	return &incident->sample[incident->n - 1];
}

static uint64_t before_end(const struct incident *incident, size_t i)
{
	return incident_end(incident)->at - incident->sample[i].at;
}

static void trace(struct incident *incident, uint32_t counter, unsigned int k)
{
	struct incident_trace *t = &incident->trace[incident->n_traces];
	uint64_t by;
	size_t i;

	*t = (struct incident_trace){ .counter = counter, .priority = k };
	for (i = 0; i < incident->n; i++) {
		by = incident->sample[i].counter[counter].value[k];
		if (by && !t->sum)
			t->begin_ms = before_end(incident, i);
		if (by > t->peak) {
			t->peak = by;
			t->peak_ms = before_end(incident, i);
		}
		t->sum += by;
	}
	incident->n_traces += t->sum > 0;
}

/* Traffic there is always; it tells least. */
static bool is_traffic(uint32_t counter)
{
	return counter >= ROCEGUARD_COUNTER_RX_BYTES &&
	       counter <= ROCEGUARD_COUNTER_TX_PACKETS;
}

static void trace_all(struct incident *incident, bool traffic)
{
	unsigned int k;
	uint32_t i;

	for (i = 0; i < RG_COUNTERS; i++)
		for (k = 0; k < (rg_counter_per_priority(i) ? RG_PRIORITIES : 1);
		     k++)
			if (is_traffic(i) == traffic)
				trace(incident, i, k);
}

bool incident_find(const struct model_samples *samples,
		   struct incident *incident)
{
	size_t i, end;

	memset(incident, 0, sizeof(*incident));
	for (i = 0; i < samples->n; i = end) {
		end = show_run(samples, i);
		if (!samples->sample[i].frozen ||
		    (incident->n && incident_end(incident)->at >
				    samples->sample[end - 1].at))
			continue;
		incident->sample = &samples->sample[i];
		incident->n = end - i;
	}
	if (!incident->n)
		return false;
	trace_all(incident, false);
	trace_all(incident, true);
	return true;
}

void incident_moved(const struct incident *incident,
		    const struct model_counters *port, uint64_t ms,
		    struct counters_moved *moved)
{
	struct counters_moved one;
	size_t i;

	memset(moved, 0, sizeof(*moved));
	for (i = 1; i < incident->n; i++) {
		const struct model_sample *sample = &incident->sample[i];

		if (before_end(incident, i) >= ms)
			continue;
		counters_of_sample(sample, port, sample->at - (sample - 1)->at,
				   &one);
		counters_add(moved, &one);
	}
}
