// SPDX-License-Identifier: GPL-2.0
#include "recorder.h"

#define RG_SECOND_MS	1000

/* All values, those per port behind those per priority. */
#define RG_VALUES	(RG_PRIORITY_COUNTERS * RG_PRIORITIES + RG_PORT_COUNTERS)

/* Seven bits a byte, the lowest first; 64 bits take ten. */
#define RG_MORE		0x80
#define RG_NUMBER_MAX	10

/* One second at most: its length, a byte how many, and each with a byte which. */
#define RG_SECOND_BYTES	(RG_NUMBER_MAX + 1 + RG_VALUES * (1 + RG_NUMBER_MAX))

/**
 * rg_recorder_wants - is a counter worth keeping?
 * @counter: enum roceguard_counter
 *
 * Return: false for packets: bytes say as much.
 */
bool rg_recorder_wants(u32 counter)
{
	return counter != ROCEGUARD_COUNTER_RX_PACKETS &&
	       counter != ROCEGUARD_COUNTER_TX_PACKETS;
}

static u8 rg_value_counter(unsigned int value)
{
	return value < RG_PRIORITY_COUNTERS * RG_PRIORITIES ?
		value / RG_PRIORITIES :
		value - RG_PRIORITY_COUNTERS * (RG_PRIORITIES - 1);
}

static u8 rg_value_priority(unsigned int value)
{
	return value < RG_PRIORITY_COUNTERS * RG_PRIORITIES ?
		value % RG_PRIORITIES : RG_NO_PRIORITY;
}

static size_t rg_write_number(u8 *to, u64 number)
{
	size_t len = 0;

	for (; number >= RG_MORE; number >>= 7)
		to[len++] = RG_MORE | (number & (RG_MORE - 1));
	to[len++] = (u8)number;
	return len;
}

static u8 rg_read_byte(const struct rg_recorder *recorder, u32 *at)
{
	u8 byte = recorder->bytes[*at];

	*at = (*at + 1) % recorder->size;
	return byte;
}

static u64 rg_read_number(const struct rg_recorder *recorder, u32 *at)
{
	unsigned int shift = 0;
	u64 number = 0;
	u8 byte;

	do {
		byte = rg_read_byte(recorder, at);
		number |= (u64)(byte & (RG_MORE - 1)) << shift;
		shift += 7;
	} while (byte & RG_MORE);
	return number;
}

/* Near to a second, on either side of it, in one byte. */
static u64 rg_pack_length(u64 length)
{
	return length >= RG_SECOND_MS ? (length - RG_SECOND_MS) << 1 :
					(RG_SECOND_MS - length) << 1 | 1;
}

static u64 rg_unpack_length(u64 packed)
{
	return packed & 1 ? RG_SECOND_MS - (packed >> 1) :
			    RG_SECOND_MS + (packed >> 1);
}

/* How long it was; @second may be NULL. */
static u64 rg_read_second(const struct rg_recorder *recorder, u32 *at,
			  struct rg_recorded *second)
{
	u64 length = rg_unpack_length(rg_read_number(recorder, at)), grown;
	unsigned int n = rg_read_byte(recorder, at), value;

	while (n--) {
		value = rg_read_byte(recorder, at);
		grown = rg_read_number(recorder, at);
		if (!second)
			continue;
		rg_mark(&second->moved, rg_value_counter(value),
			rg_value_priority(value));
		*rg_total(&second->grown, rg_value_counter(value),
			  rg_value_priority(value)) = grown;
	}
	return length;
}

static void rg_recorder_drop(struct rg_recorder *recorder)
{
	u32 at = recorder->at;

	recorder->begin_ms += rg_read_second(recorder, &at, NULL);
	recorder->used -= (at + recorder->size - recorder->at) % recorder->size;
	recorder->at = at;
	recorder->n--;
}

static u64 rg_value_of(const struct rg_totals *totals, unsigned int value)
{
	return value < RG_PRIORITY_COUNTERS * RG_PRIORITIES ?
		totals->prio[value / RG_PRIORITIES][value % RG_PRIORITIES] :
		totals->port[value - RG_PRIORITY_COUNTERS * RG_PRIORITIES];
}

/* Return: the bytes it takes. */
static size_t rg_write_second(u8 *to, u64 length, const struct rg_marks *there,
			      const struct rg_totals *was,
			      const struct rg_totals *is)
{
	size_t len = rg_write_number(to, rg_pack_length(length));
	size_t n = len++;
	unsigned int value;
	u64 grown;

	to[n] = 0;
	for (value = 0; value < RG_VALUES; value++) {
		grown = rg_value_of(is, value) - rg_value_of(was, value);
		if (!grown || !rg_recorder_wants(rg_value_counter(value)) ||
		    !rg_marked(there, rg_value_counter(value),
			       rg_value_priority(value)))
			continue;
		to[n]++;
		to[len++] = value;
		len += rg_write_number(to + len, grown);
	}
	return len;
}

/**
 * rg_recorder_start - begin to record
 * @recorder: with nothing in it
 * @room: bytes that it has, RG_RECORDER_LEAST to RG_RECORDER_MOST
 * @now_ms: what the first second is measured from
 */
void rg_recorder_start(struct rg_recorder *recorder, size_t room, u64 now_ms)
{
	recorder->begin_ms = now_ms;
	recorder->end_ms = now_ms;
	recorder->at = 0;
	recorder->used = 0;
	recorder->n = 0;
	recorder->size = room - sizeof(*recorder);
}

/**
 * rg_recorder_room - the bytes that a recorder has
 * @recorder: started
 *
 * Return: as rg_recorder_start() was told.
 */
size_t rg_recorder_room(const struct rg_recorder *recorder)
{
	return sizeof(*recorder) + recorder->size;
}

/**
 * rg_recorder_move - go on with more room
 * @recorder: started, with nothing in it yet, and not smaller than @from
 * @from: what has been recorded
 */
void rg_recorder_move(struct rg_recorder *recorder,
		      const struct rg_recorder *from)
{
	u32 i, at = from->at;

	recorder->begin_ms = from->begin_ms;
	recorder->end_ms = from->end_ms;
	recorder->used = from->used;
	recorder->n = from->n;
	for (i = 0; i < from->used; i++)
		recorder->bytes[i] = rg_read_byte(from, &at);
}

static bool rg_recorder_is_full(const struct rg_recorder *recorder, size_t len)
{
	return recorder->n && recorder->used + len > recorder->size;
}

static bool rg_recorder_is_long(const struct rg_recorder *recorder, u64 at_ms)
{
	return recorder->n &&
	       at_ms - recorder->begin_ms > RG_RECORDER_MS + RG_SECOND_MS;
}

/**
 * rg_recorder_add - record a second; the oldest ones make room
 * @recorder: the recorder
 * @at_ms: when it ended; later than the last one
 * @there: which counters were there at both of its ends
 * @was: their values when it began
 * @is: and when it ended, not lower
 *
 * Return: false if more room would keep more of the last minute: nothing was
 * recorded. With RG_RECORDER_MOST there is no more.
 */
bool rg_recorder_add(struct rg_recorder *recorder, u64 at_ms,
		     const struct rg_marks *there, const struct rg_totals *was,
		     const struct rg_totals *is)
{
	u8 bytes[RG_SECOND_BYTES];
	size_t len, i;
	u32 at;

	len = rg_write_second(bytes, at_ms - recorder->end_ms, there, was, is);
	while (rg_recorder_is_long(recorder, at_ms))
		rg_recorder_drop(recorder);
	if (recorder->used + len > recorder->size &&
	    rg_recorder_room(recorder) < RG_RECORDER_MOST)
		return false;
	while (rg_recorder_is_full(recorder, len))
		rg_recorder_drop(recorder);
	at = (recorder->at + recorder->used) % recorder->size;
	for (i = 0; i < len; i++)
		recorder->bytes[(at + i) % recorder->size] = bytes[i];
	recorder->used += len;
	recorder->end_ms = at_ms;
	recorder->n++;
	return true;
}

/**
 * rg_playback_start - read a recorder from its oldest second on
 * @playback: set up
 * @recorder: which does not change meanwhile
 */
void rg_playback_start(struct rg_playback *playback,
		       const struct rg_recorder *recorder)
{
	playback->n = 0;
	playback->at = recorder->at;
	playback->at_ms = recorder->begin_ms;
}

/**
 * rg_playback_next - read the next second
 * @playback: how far it has been read
 * @recorder: the recorder
 * @second: filled in
 *
 * Return: false if there is none.
 */
bool rg_playback_next(struct rg_playback *playback,
		      const struct rg_recorder *recorder,
		      struct rg_recorded *second)
{
	if (playback->n >= recorder->n)
		return false;
	memset(second, 0, sizeof(*second));
	playback->at_ms += rg_read_second(recorder, &playback->at, second);
	second->at_ms = playback->at_ms;
	playback->n++;
	return true;
}
