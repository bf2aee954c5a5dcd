/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The last minute, in a page at most: of each second only what has moved, in as
 * few bytes as it takes.
 */
#ifndef RG_LOGIC_RECORDER_H
#define RG_LOGIC_RECORDER_H

#include "accumulate.h"

/* How far it goes back, if there is room: with up to some 16 values a second. */
#define RG_RECORDER_MS		60000

/* With all that belongs to it: as little as it begins with, and a page. */
#define RG_RECORDER_LEAST	512
#define RG_RECORDER_MOST	4096

/**
 * struct rg_recorder - the last minute of a port
 * @begin_ms: when the second before the oldest one ended
 * @end_ms: when the newest one ended
 * @at: where the oldest one is
 * @used: bytes
 * @n: how many seconds
 * @size: of @bytes
 * @bytes: a ring; of each second how many ms it was longer or shorter than 1000, how many
 *	values have moved, and for each which one it is and by how much it grew
 */
struct rg_recorder {
	u64 begin_ms;
	u64 end_ms;
	u32 at;
	u32 used;
	u32 n;
	u32 size;
	u8 bytes[];
};

/**
 * union rg_recorder_page - room for any of them
 * @recorder: that is there
 * @bytes: all of it
 */
union rg_recorder_page {
	struct rg_recorder recorder;
	u8 bytes[RG_RECORDER_MOST];
};

/**
 * struct rg_recorded - a second
 * @at_ms: when it ended, in the clock that it was recorded by
 * @moved: which counters have moved
 * @grown: by how much
 */
struct rg_recorded {
	u64 at_ms;
	struct rg_marks moved;
	struct rg_totals grown;
};

/**
 * struct rg_playback - how far a recorder has been read
 * @n: seconds
 * @at: where the next one is
 * @at_ms: when the last one ended
 */
struct rg_playback {
	u32 n;
	u32 at;
	u64 at_ms;
};

bool rg_recorder_wants(u32 counter);
void rg_recorder_start(struct rg_recorder *recorder, size_t room, u64 now_ms);
size_t rg_recorder_room(const struct rg_recorder *recorder);
void rg_recorder_move(struct rg_recorder *recorder,
		      const struct rg_recorder *from);
bool rg_recorder_add(struct rg_recorder *recorder, u64 at_ms,
		     const struct rg_marks *there, const struct rg_totals *was,
		     const struct rg_totals *is);
void rg_playback_start(struct rg_playback *playback,
		       const struct rg_recorder *recorder);
bool rg_playback_next(struct rg_playback *playback,
		      const struct rg_recorder *recorder,
		      struct rg_recorded *second);

#endif /* RG_LOGIC_RECORDER_H */
