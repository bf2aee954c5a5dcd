/* SPDX-License-Identifier: GPL-2.0 */
/* Where counters come from. */
#ifndef RG_COUNTERS_SOURCE_H
#define RG_COUNTERS_SOURCE_H

#include <linux/netdevice.h>
#include "../logic/counter_names.h"
#include "../port.h"
#include "counters.h"
#include "flight.h"

/* The better ones first: what one of them tells, those after it need not. */
enum rg_origin {
	RG_ORIGIN_PROVIDER,
	RG_ORIGIN_ETHTOOL,
	RG_ORIGIN_DCBNL,
	RG_ORIGIN_PAUSE,
	RG_ORIGIN_RDMA,
	RG_ORIGINS
};

/**
 * struct rg_source - a source of a port's counters
 * @slot: its numbers that are counters
 * @n: how many
 * @given: how many numbers it gives in all
 * @form: changes when it gives others; what it means is the source's business
 * @pfc: priorities with PFC on: as dcbnl says, or when @slot was made
 * @made_ns: when that was
 * @err: of the last reading; 0: it was read
 * @raw: its numbers of this sample, or NULL; freed once they are counted
 * @read_ns: when they were read
 * @took_ns: what its calls took
 * @usual_ns: the less of the last two times: once is no habit
 * @rtnl_ns: what they are counted with among those of all ports that hold rtnl
 * @due_ns: not to be read before
 * @rest_ns: pause after the last error
 */
struct rg_source {
	struct rg_slot *slot;
	u16 n;
	u16 given;
	u32 form;
	u8 pfc;
	u64 made_ns;
	int err;
	u64 *raw;
	u64 read_ns;
	u64 took_ns;
	u64 usual_ns;
	u64 rtnl_ns;
	u64 due_ns;
	u64 rest_ns;
};

/**
 * struct rg_counters - what a port keeps for its counters
 * @work: the next sample, with a reference to the port
 * @port: whose
 * @lock: leaf; guards what follows up to @own
 * @stopped: nothing is queued any more
 * @fresh: somebody wants a sample soon
 * @hurry_ms: how often the cheap source is read, 0: as all
 * @snapshot: what readers see; only the work changes it
 * @own_have: counters that are ours, and no source's
 * @own: their totals
 * @flight: its recorder; what is not read by others is the work's alone, as all below
 * @ever: counters that were read since the port is there
 * @source: by enum rg_origin
 */
struct rg_counters {
	struct delayed_work work;
	struct rg_port *port;
	spinlock_t lock;
	bool stopped;
	bool fresh;
	u32 hurry_ms;
	struct rg_sample snapshot;
	u32 own_have;
	u64 own[RG_PORT_COUNTERS];
	struct rg_flight flight;
	struct rg_marks ever;
	struct rg_source source[RG_ORIGINS];
};

/**
 * struct rg_sampling - one sample being taken
 * @port: whose counters
 * @counters: they
 * @sample: being made
 * @dev: while rg_sampling_begin() holds it, or NULL
 * @driver: of the netdev
 * @foreign: its QoS is another's: neither DCB nor the provider is asked
 * @begin_ns: since when it holds that
 * @took_ns: the calls of the source being read, so far
 * @up: the device was up, as an administrator has it
 * @downs: how often its link had been lost
 */
struct rg_sampling {
	struct rg_port *port;
	struct rg_counters *counters;
	struct rg_sample *sample;
	struct net_device *dev;
	char driver[RG_DRIVER_MAX];
	bool foreign;
	u64 begin_ns;
	u64 took_ns;
	bool up;
	int downs;
};

struct rg_counters *rg_counters_of(struct rg_port *port);

int rg_sampling_begin(struct rg_sampling *s);
void rg_sampling_end(struct rg_sampling *s);

typedef bool (*rg_number_fn)(const void *numbers, unsigned int index,
			     struct rg_slot *slot);

bool rg_slot_name(struct rg_slot *slot, enum rg_counter_source kind,
		  const char *driver, const char *name);
int rg_source_make(struct rg_source *source, unsigned int given,
		   rg_number_fn number, const void *numbers);
int rg_source_room(struct rg_source *source);
void rg_source_drop(struct rg_source *source);
void rg_source_forget(struct rg_source *source);
void rg_source_holds_rtnl(struct rg_source *source, u64 ns);
u64 rg_sources_hold_rtnl(void);

/*
 * Each reads the numbers of a source into @raw of it: 0, -EOPNOTSUPP if the port
 * has no such source, or why it could not be read.
 */
int rg_read_provider(struct rg_sampling *s, struct rg_source *source);
int rg_read_ethtool(struct rg_sampling *s, struct rg_source *source);
int rg_read_dcbnl(struct rg_sampling *s, struct rg_source *source);
int rg_read_pause(struct rg_sampling *s, struct rg_source *source);
int rg_read_rdma(struct rg_sampling *s, struct rg_source *source);

#endif /* RG_COUNTERS_SOURCE_H */
