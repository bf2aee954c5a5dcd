// SPDX-License-Identifier: GPL-2.0
/* What counters did between two readings. */
#include <stdio.h>
#include <string.h>

#include "counters.h"
#include "words.h"

static const struct {
	enum counters_unit unit;
	const char *word;
} units[MODEL_COUNTERS] = {
	[ROCEGUARD_COUNTER_RX_PAUSE] = { COUNTERS_FRAMES, "frames" },
	[ROCEGUARD_COUNTER_TX_PAUSE] = { COUNTERS_FRAMES, "frames" },
	[ROCEGUARD_COUNTER_RX_PAUSE_US] = { COUNTERS_US, "us" },
	[ROCEGUARD_COUNTER_TX_PAUSE_US] = { COUNTERS_US, "us" },
	[ROCEGUARD_COUNTER_RX_DISCARDS] = { COUNTERS_PACKETS, "packets" },
	[ROCEGUARD_COUNTER_RX_BYTES] = { COUNTERS_BYTES, "bytes" },
	[ROCEGUARD_COUNTER_TX_BYTES] = { COUNTERS_BYTES, "bytes" },
	[ROCEGUARD_COUNTER_RX_PACKETS] = { COUNTERS_PACKETS, "packets" },
	[ROCEGUARD_COUNTER_TX_PACKETS] = { COUNTERS_PACKETS, "packets" },
	[ROCEGUARD_COUNTER_RX_MARKED] = { COUNTERS_PACKETS, "packets" },
	[ROCEGUARD_COUNTER_RX_GLOBAL_PAUSE] = { COUNTERS_FRAMES, "frames" },
	[ROCEGUARD_COUNTER_TX_GLOBAL_PAUSE] = { COUNTERS_FRAMES, "frames" },
	[ROCEGUARD_COUNTER_CNP_SENT] = { COUNTERS_CNPS, "CNPs" },
	[ROCEGUARD_COUNTER_CNP_HANDLED] = { COUNTERS_CNPS, "CNPs" },
	[ROCEGUARD_COUNTER_CNP_IGNORED] = { COUNTERS_CNPS, "CNPs" },
	[ROCEGUARD_COUNTER_ECN_MARKED] = { COUNTERS_PACKETS, "packets" },
	[ROCEGUARD_COUNTER_OUT_OF_SEQUENCE] = { COUNTERS_EVENTS, "events" },
	[ROCEGUARD_COUNTER_PACKET_SEQ_ERR] = { COUNTERS_EVENTS, "events" },
	[ROCEGUARD_COUNTER_ACK_TIMEOUT] = { COUNTERS_EVENTS, "events" },
	[ROCEGUARD_COUNTER_RNR_RETRY] = { COUNTERS_EVENTS, "events" },
	[ROCEGUARD_COUNTER_OUT_OF_BUFFER] = { COUNTERS_EVENTS, "events" },
	[ROCEGUARD_COUNTER_RETRANSMITS] = { COUNTERS_PACKETS, "packets" },
	[ROCEGUARD_COUNTER_DUPLICATE_REQUEST] = { COUNTERS_EVENTS, "events" },
	[ROCEGUARD_COUNTER_HOST_STALLS] = { COUNTERS_EVENTS, "events" },
	[ROCEGUARD_COUNTER_STORM_WARNINGS] = { COUNTERS_EVENTS, "events" },
	[ROCEGUARD_COUNTER_STORM_ERRORS] = { COUNTERS_EVENTS, "events" },
	[ROCEGUARD_COUNTER_LINK_DOWNS] = { COUNTERS_EVENTS, "events" },
	[ROCEGUARD_COUNTER_STORM_EVENTS] = { COUNTERS_EVENTS, "events" },
};

enum counters_unit counters_unit(uint32_t counter)
{
	return units[counter].unit;
}

const char *counters_unit_word(uint32_t counter)
{
	return units[counter].word;
}

/* When a counter was sampled, by the clock of the reader. */
static uint64_t sampled_at(const struct model_counters *counters, uint32_t i)
{
	const struct model_counter *c = &counters->counter[i];
	uint64_t age = c->has_age ? c->age : counters->sampled;

	return counters->read_ms > age ? counters->read_ms - age : 0;
}

/* The clock of the kernel ticks in ms and ours in between. */
#define SAMPLE_JITTER_MS	2

static void since_one(const struct model_counters *before,
		      const struct model_counters *after, uint32_t i,
		      struct counters_moved *moved)
{
	const struct model_counter *from = &before->counter[i];
	const struct model_counter *to = &after->counter[i];
	uint64_t begin = sampled_at(before, i), end = sampled_at(after, i);
	unsigned int k;

	if (end <= begin + SAMPLE_JITTER_MS)
		return;
	moved->ms[i] = end - begin;
	for (k = 0; k < RG_PRIORITIES; k++) {
		if (!(from->has & to->has & BIT(k)) ||
		    to->value[k] < from->value[k])
			continue;
		moved->has[i] |= BIT(k);
		moved->by[i][k] = to->value[k] - from->value[k];
	}
}

bool counters_since(const struct model_counters *before,
		    const struct model_counters *after,
		    struct counters_moved *moved)
{
	bool any = false;
	uint32_t i;

	memset(moved, 0, sizeof(*moved));
	for (i = 0; i < MODEL_COUNTERS; i++) {
		since_one(before, after, i, moved);
		any |= moved->has[i];
	}
	return any;
}

void counters_of_sample(const struct model_sample *sample,
			const struct model_counters *port, uint64_t ms,
			struct counters_moved *moved)
{
	uint32_t i;

	memset(moved, 0, sizeof(*moved));
	for (i = 0; ms && i < MODEL_COUNTERS; i++) {
		moved->has[i] = port->counter[i].has | sample->counter[i].has;
		memcpy(moved->by[i], sample->counter[i].value,
		       sizeof(moved->by[i]));
		moved->ms[i] = ms;
	}
}

void counters_add(struct counters_moved *sum, const struct counters_moved *moved)
{
	unsigned int k;
	uint32_t i;

	for (i = 0; i < MODEL_COUNTERS; i++) {
		if (!moved->has[i])
			continue;
		sum->has[i] |= moved->has[i];
		sum->ms[i] += moved->ms[i];
		for (k = 0; k < RG_PRIORITIES; k++)
			sum->by[i][k] += moved->by[i][k];
	}
}

double counters_per_second(const struct counters_moved *moved, uint32_t counter,
			   unsigned int i)
{
	if (!moved->ms[counter])
		return 0;
	return (double)moved->by[counter][i] * 1000 /
	       (double)moved->ms[counter];
}

/* Three digits and a prefix of a thousand each: "999", "1.25k", "18.0M". */
static void scaled(double value, const char *space, const char *unit, char *buf)
{
	static const char *const prefix[] = { "", "k", "M", "G", "T", "P", "E" };
	size_t i = 0;
	int digits;

	while (value >= 999.5 && i + 1 < ARRAY_SIZE(prefix)) {
		value /= 1000;
		i++;
	}
	digits = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
	if (!i && value == (double)(uint64_t)value)
		digits = 0;
	snprintf(buf, COUNTERS_WORDS, "%.*f%s%s%s", digits, value, space,
		 prefix[i], unit);
}

const char *counters_rate_words(uint32_t counter, double per_second, char *buf)
{
	switch (counters_unit(counter)) {
	case COUNTERS_US:
		snprintf(buf, COUNTERS_WORDS, "%.1f%%", per_second / 10000);
		break;
	case COUNTERS_BYTES:
		scaled(per_second * 8, "", "bit/s", buf);
		break;
	default:
		scaled(per_second, "", "/s", buf);
		break;
	}
	return buf;
}

const char *counters_time_words(uint64_t ms, char *buf)
{
	if (ms < 1000)
		snprintf(buf, COUNTERS_WORDS, "%u ms", (unsigned int)ms);
	else if (ms < 100000)
		snprintf(buf, COUNTERS_WORDS, "%.1f s", (double)ms / 1000);
	else if (ms < 100 * 60000)
		snprintf(buf, COUNTERS_WORDS, "%u min", (unsigned int)(ms / 60000));
	else
		snprintf(buf, COUNTERS_WORDS, "%llu h",
			 (unsigned long long)(ms / 3600000));
	return buf;
}

const char *counters_value_words(uint32_t counter, uint64_t value, char *buf)
{
	switch (counters_unit(counter)) {
	case COUNTERS_US:
		if (value >= 10000)
			return counters_time_words(value / 1000, buf);
		snprintf(buf, COUNTERS_WORDS, "%u us", (unsigned int)value);
		break;
	case COUNTERS_BYTES:
		scaled((double)value, " ", "B", buf);
		break;
	default:
		snprintf(buf, COUNTERS_WORDS, "%llu %.*s",
			 (unsigned long long)value,
			 (int)strlen(counters_unit_word(counter)) - (value == 1),
			 counters_unit_word(counter));
		break;
	}
	return buf;
}
