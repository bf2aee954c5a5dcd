/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The objects of the netlink contract as plain structs, and their requests.
 * Only the files model*.c know attributes; the commands know structs.
 *
 * Strings are never NULL; absent ones are "". Functions that talk to the
 * kernel return 0 or a negative errno; rgnl_words() has the words.
 */
#ifndef RG_MODEL_H
#define RG_MODEL_H

#include <stdbool.h>
#include <stdint.h>
#include <net/if.h>

#include "counter.h"
#include "policy.h"

struct rgnl;
struct nlattr;

/* As many knobs as the contract has. */
#define MODEL_KNOBS	RG_KNOBS
#define MODEL_TEXT	256
/* More are passed over. */
#define MODEL_LOST	8

/**
 * struct model_knob - one knob of a port
 * @id: enum roceguard_knob
 * @verdict: enum roceguard_verdict
 * @source: enum roceguard_source
 * @cost: enum roceguard_cost
 * @err: positive errno, 0 if no call failed
 * @reason: why it is not well, and the remedy
 * @have: as last read
 * @want: as the policy says
 * @delegated: it is the agent's
 * @to_hold: the agent is to write it, not only to compare
 */
struct model_knob {
	uint32_t id;
	uint32_t verdict;
	uint32_t source;
	uint32_t cost;
	uint32_t err;
	char reason[MODEL_TEXT];
	char have[MODEL_TEXT];
	char want[MODEL_TEXT];
	bool delegated;
	bool to_hold;
};

/**
 * struct model_overlay - what was said of a knob over the policy
 * @want: "" if nothing was
 * @has_who: @uid, @pid and @comm were told
 */
struct model_overlay {
	uint32_t id;			/* enum roceguard_knob */
	uint32_t uid;
	uint32_t pid;
	bool has_who;
	char want[MODEL_TEXT];
	char comm[MODEL_TEXT];
};

/**
 * struct model_entry - one entry of the history
 * @has_knob: @knob and @verdict were said
 */
struct model_entry {
	uint64_t seq;
	uint64_t time;			/* ns since the epoch */
	uint32_t action;		/* enum roceguard_action */
	uint32_t trigger;		/* enum roceguard_trigger */
	uint32_t ifindex;
	uint32_t knob;			/* enum roceguard_knob */
	uint32_t verdict;		/* enum roceguard_verdict */
	uint32_t duration_us;
	uint32_t err;
	uint32_t generation;
	uint32_t uid;
	uint32_t pid;
	bool has_trigger;
	bool has_knob;
	bool has_verdict;
	bool has_duration;
	bool has_uid;
	bool has_pid;
	bool link_drop;
	char ifname[IFNAMSIZ];
	char policy[ROCEGUARD_NAME_MAX + 1];
	char comm[MODEL_TEXT];
	char from[MODEL_TEXT];
	char to[MODEL_TEXT];
	char request[MODEL_TEXT];
};

/**
 * struct model_lost - a policy that fits a port and does not rule it
 * @policy: its name
 * @why: why not
 */
struct model_lost {
	char policy[ROCEGUARD_NAME_MAX + 1];
	char why[MODEL_TEXT];
};

/**
 * struct model_port - one port
 * @knob: indexed by enum roceguard_knob; unmanaged where not reported
 * @overlay: indexed by enum roceguard_knob
 * @policy: "" if none
 * @serial: of that policy, "" if none
 * @watchdog: what its watchdog does, "" if it has none
 * @policy_why: why that one
 * @fitting: how many policies fit
 * @n_lost: how many of @lost are used: the closest of those that do not rule
 * @pci: "" if none
 * @speed: Mbit/s, 0: not known
 * @rdma_device: "" if none
 * @bond: that it is a leg of, "" if none
 * @event: valid if @has_event
 */
struct model_port {
	uint32_t id;
	uint32_t ifindex;
	int32_t netnsid;
	uint32_t state;			/* enum roceguard_state */
	uint32_t generation;
	uint32_t trigger;		/* enum roceguard_trigger */
	uint32_t rdma_port;
	uint32_t pass_us;
	uint32_t ticket;
	uint32_t served;
	uint64_t corrections;
	uint64_t drifts;
	uint64_t link_drops;
	uint32_t drops_left;
	uint64_t passes;
	bool has_netnsid;
	bool has_trigger;
	bool dcb;
	bool roce_capable;
	bool has_event;
	char ifname[IFNAMSIZ];
	char driver[MODEL_TEXT];
	char reason[MODEL_TEXT];
	char policy[ROCEGUARD_NAME_MAX + 1];
	char serial[ROCEGUARD_NAME_MAX + 1];
	char watchdog[256];
	char policy_why[MODEL_TEXT];
	uint32_t fitting;
	uint32_t n_lost;
	struct model_lost lost[MODEL_LOST];
	char pci[MODEL_TEXT];
	uint32_t speed;
	char rdma_device[MODEL_TEXT];
	char bond[IFNAMSIZ];
	struct model_knob knob[MODEL_KNOBS];
	struct model_overlay overlay[MODEL_KNOBS];
	struct model_entry event;
};

/**
 * struct model_policy - one policy as the kernel has it
 * @ports: how many ports it governs
 */
struct model_policy {
	struct rg_policy_spec spec;
	uint32_t generation;
	uint32_t ports;
	uint32_t confirm_left;		/* s; 0: it is confirmed */
};

/**
 * struct model_host - the host as a whole
 */
struct model_host {
	uint32_t mode;			/* enum roceguard_mode */
	bool frozen;
	uint32_t freeze_left;		/* s; 0: it has no end */
	uint32_t generation;
	uint32_t policies;
	uint32_t ports;
	bool rdma;
	char version[MODEL_TEXT];
	char rdma_reason[MODEL_TEXT];
};

/**
 * struct model_report - what the agent says of a knob of a port
 * @port: id of the port
 * @generation: of the port, when it was looked at
 * @knob: enum roceguard_knob
 * @verdict: enum roceguard_verdict
 * @err: positive errno, 0 if no call failed
 * @from: what was there before a write
 * @have: as last read
 * @reason: why it is not well, and the remedy
 */
struct model_report {
	uint32_t port;
	uint32_t generation;
	uint32_t knob;
	uint32_t verdict;
	uint32_t err;
	char from[ROCEGUARD_REPORT_TEXT_MAX + 1];
	char have[ROCEGUARD_REPORT_TEXT_MAX + 1];
	char reason[ROCEGUARD_REPORT_REASON_MAX + 1];
};

/* As many counters as the contract has. */
#define MODEL_COUNTERS	RG_COUNTERS

/**
 * struct model_counter - one counter of a port
 * @has: mask of the priorities that have it; 1 for one of the port, 0: absent
 * @has_age: @age is its own
 * @age: ms since it was sampled, if not with the others
 * @value: by priority, or [0]
 */
struct model_counter {
	uint8_t has;
	bool has_age;
	uint32_t age;
	uint64_t value[RG_PRIORITIES];
};

/**
 * struct model_storm - a pause storm
 * @on: it began, or it lasts
 */
struct model_storm {
	uint32_t priority;
	uint32_t direction;		/* enum roceguard_direction */
	uint32_t since;			/* ms ago, of one that lasts */
	uint32_t action;		/* enum roceguard_storm_action */
	uint32_t lasted;		/* ms, of one that ended */
	bool on;
};

#define MODEL_STORMS	(2 * RG_PRIORITIES)

/**
 * struct model_counters - the counters of a port
 * @has_sampled: it has been sampled at all
 * @sampled: ms since then
 * @samples: how often
 * @read_us: what the last one took
 * @read_ms: when this was read, by the monotonic clock
 * @counter: indexed by enum roceguard_counter
 * @n_storms: how many of @storm are used: those that last
 */
struct model_counters {
	uint32_t id;
	uint32_t ifindex;
	int32_t netnsid;
	bool has_netnsid;
	bool has_sampled;
	uint32_t sampled;
	uint32_t read_us;
	uint64_t samples;
	uint64_t read_ms;
	char ifname[IFNAMSIZ];
	char driver[MODEL_TEXT];
	char rdma_device[MODEL_TEXT];
	struct model_counter counter[MODEL_COUNTERS];
	uint32_t n_storms;
	struct model_storm storm[MODEL_STORMS];
};

/**
 * struct model_sample - a second of a port, of the flight recorder
 * @frozen: of the minute before an incident
 * @counter: by how much those grew that did since the one before
 */
struct model_sample {
	uint32_t id;
	uint32_t ifindex;
	uint32_t cause;			/* enum roceguard_incident */
	int32_t netnsid;
	bool has_netnsid;
	bool frozen;
	uint64_t at;			/* ms since the epoch */
	char ifname[IFNAMSIZ];
	struct model_counter counter[MODEL_COUNTERS];
};

/**
 * struct model_congestion - a storm began or ended
 */
struct model_congestion {
	uint32_t id;
	uint32_t ifindex;
	int32_t netnsid;
	bool has_netnsid;
	char ifname[IFNAMSIZ];
	struct model_storm storm;
};

/* Growing arrays; zero them before use, free the array after. */
struct model_ports {
	struct model_port *port;
	size_t n;
};

struct model_policies {
	struct model_policy *policy;
	size_t n;
};

struct model_entries {
	struct model_entry *entry;
	size_t n;
	uint64_t first;		/* asked for from this sequence number on */
};

struct model_counters_list {
	struct model_counters *port;
	size_t n;
};

struct model_samples {
	struct model_sample *sample;
	size_t n;
	const char *ifname;	/* of one port only, or NULL */
	bool clear;		/* and what is kept of incidents may go */
};

int model_port_get(struct rgnl *nl, const char *ifname,
		   struct model_port *port);
int model_port_apply(struct rgnl *nl, const char *ifname, bool now,
		     struct model_port *port);
int model_port_restore(struct rgnl *nl, const char *ifname,
		       struct model_port *port);
int model_ports(struct rgnl *nl, struct model_ports *ports);
void model_ports_free(struct model_ports *ports);

int model_policy_get(struct rgnl *nl, const char *name,
		     struct model_policy *policy);
/* @confirm_within: s; 0: it stays without */
int model_policy_set(struct rgnl *nl, const struct rg_policy_spec *spec,
		     uint32_t confirm_within, struct model_policy *answer);
int model_policy_confirm(struct rgnl *nl, const char *name,
			 struct model_policy *answer);
int model_policy_del(struct rgnl *nl, const char *name, bool restore,
		     uint32_t *generation);
int model_policies(struct rgnl *nl, struct model_policies *policies);
void model_policies_free(struct model_policies *policies);

/* @report NULL: the agent lives; @timeout: s, for which that holds */
int model_report(struct rgnl *nl, const struct model_report *report,
		 uint32_t *timeout);

int model_mode_get(struct rgnl *nl, struct model_host *host);
/* @seconds: 0: until further notice */
int model_freeze(struct rgnl *nl, uint32_t seconds, struct model_host *host);
int model_thaw(struct rgnl *nl, struct model_host *host);

/* From entry @seq on; 0: all */
int model_history(struct rgnl *nl, uint64_t seq, struct model_entries *entries);
void model_entries_free(struct model_entries *entries);

/* @fresh: have it sampled soon; the answer does not wait for that */
int model_counters_get(struct rgnl *nl, const char *ifname, bool fresh,
		       struct model_counters *counters);
int model_counters(struct rgnl *nl, struct model_counters_list *list);
void model_counters_free(struct model_counters_list *list);

/* @ifname: NULL: all ports */
int model_samples(struct rgnl *nl, const char *ifname, bool clear,
		  struct model_samples *samples);
void model_samples_free(struct model_samples *samples);

/*
 * @ifindex: of the port; @cause: enum roceguard_incident
 * @kept: what is said of it: its names, and whether the minute before is kept
 */
int model_incident(struct rgnl *nl, uint32_t ifindex, uint32_t cause,
		   struct model_sample *kept);

struct nl_msg;

/* Encoding alone; 0 or a negative libnl error. */
int model_encode_policy(struct nl_msg *msg, const struct rg_policy_spec *spec);

/* Decoding alone, for events; -EBADMSG if the message is malformed. */
int model_decode_port(struct nlattr *attrs, int len, struct model_port *port);
int model_decode_entry(struct nlattr *attrs, int len,
		       struct model_entry *entry);
int model_decode_policy(struct nlattr *attrs, int len,
			struct model_policy *policy, bool *deleted);
int model_decode_host(struct nlattr *attrs, int len, struct model_host *host);
int model_decode_counters(struct nlattr *attrs, int len,
			  struct model_counters *counters);
int model_decode_sample(struct nlattr *attrs, int len,
			struct model_sample *sample);
int model_decode_congestion(struct nlattr *attrs, int len,
			    struct model_congestion *event);

#endif /* RG_MODEL_H */
