// SPDX-License-Identifier: GPL-2.0
/* One table of words for each enum of the contract. */
#include "counter.h"
#include "policy.h"
#include "words.h"
#ifdef __KERNEL__
#include <linux/build_bug.h>
#include <uapi/linux/roceguard.h>
#else
#include <assert.h>
#include <strings.h>
#include <linux/roceguard.h>
#endif

#define RG_WORDS(_name, _what, _last)					\
	static_assert(ARRAY_SIZE(rg_##_name##_word) == (_last) + 1,	\
		      "a value without its word");			\
	const struct rg_words rg_words_##_name = {			\
		.what = _what,						\
		.word = rg_##_name##_word,				\
		.n = (_last) + 1,					\
	}

static const char *const rg_mode_word[] = {
	[ROCEGUARD_MODE_ENFORCE]	= "enforce",
	[ROCEGUARD_MODE_OBSERVE]	= "observe",
	[ROCEGUARD_MODE_OFF]		= "off",
};
RG_WORDS(mode, "mode", ROCEGUARD_MODE_OFF);

static const char *const rg_policy_mode_word[] = {
	[ROCEGUARD_POLICY_MODE_ENFORCE]	= "enforce",
	[ROCEGUARD_POLICY_MODE_OBSERVE]	= "observe",
};
RG_WORDS(policy_mode, "policy mode", ROCEGUARD_POLICY_MODE_OBSERVE);

static const char *const rg_disruptive_word[] = {
	[ROCEGUARD_DISRUPTIVE_BUDGET]	= "budget",
	[ROCEGUARD_DISRUPTIVE_LINKDOWN]	= "linkdown",
	[ROCEGUARD_DISRUPTIVE_NOW]	= "now",
};
RG_WORDS(disruptive, "time for disruptive writes", ROCEGUARD_DISRUPTIVE_NOW);

static const char *const rg_knob_word[] = {
	[ROCEGUARD_KNOB_DSCP]		= "dscp",
	[ROCEGUARD_KNOB_ETS]		= "ets",
	[ROCEGUARD_KNOB_PAUSE]		= "pause",
	[ROCEGUARD_KNOB_PFC]		= "pfc",
	[ROCEGUARD_KNOB_ECN]		= "ecn",
	[ROCEGUARD_KNOB_DCBX]		= "dcbx",
	[ROCEGUARD_KNOB_MAXRATE]	= "maxrate",
	[ROCEGUARD_KNOB_BUFFER]		= "buffer",
	[ROCEGUARD_KNOB_STORM_PREVENTION] = "storm-prevention",
	[ROCEGUARD_KNOB_DCQCN]		= "dcqcn",
	[ROCEGUARD_KNOB_CNP]		= "cnp",
	[ROCEGUARD_KNOB_MTU]		= "mtu",
	[ROCEGUARD_KNOB_RDMA_CM]	= "rdma-cm",
	[ROCEGUARD_KNOB_VLAN_EGRESS]	= "vlan-egress",
};
RG_WORDS(knob, "knob", RG_KNOBS - 1);

static const char *const rg_dcbx_mode_word[] = {
	[ROCEGUARD_DCBX_MODE_KEEP]	= "keep",
	[ROCEGUARD_DCBX_MODE_FOLLOW]	= "follow",
	[ROCEGUARD_DCBX_MODE_HOST]	= "host",
};
RG_WORDS(dcbx_mode, "DCBX mode", ROCEGUARD_DCBX_MODE_HOST);

static const char *const rg_verdict_word[] = {
	[ROCEGUARD_VERDICT_UNMANAGED]	= "unmanaged",
	[ROCEGUARD_VERDICT_HELD]	= "held",
	[ROCEGUARD_VERDICT_CORRECTED]	= "corrected",
	[ROCEGUARD_VERDICT_DRIFTED]	= "drifted",
	[ROCEGUARD_VERDICT_DEFERRED]	= "deferred",
	[ROCEGUARD_VERDICT_PENDING]	= "pending",
	[ROCEGUARD_VERDICT_DELEGATED]	= "delegated",
	[ROCEGUARD_VERDICT_INACTIVE]	= "inactive",
	[ROCEGUARD_VERDICT_UNSUPPORTED]	= "unsupported",
	[ROCEGUARD_VERDICT_REFUSED]	= "refused",
	[ROCEGUARD_VERDICT_CONTESTED]	= "contested",
};
RG_WORDS(verdict, "verdict", ROCEGUARD_VERDICT_CONTESTED);

static const char *const rg_source_word[] = {
	[ROCEGUARD_SOURCE_NONE]		= "none",
	[ROCEGUARD_SOURCE_DERIVED]	= "derived",
	[ROCEGUARD_SOURCE_DRIVER]	= "driver",
	[ROCEGUARD_SOURCE_HARDWARE]	= "hardware",
};
RG_WORDS(source, "source", ROCEGUARD_SOURCE_HARDWARE);

static const char *const rg_cost_word[] = {
	[ROCEGUARD_COST_HITLESS]	= "hitless",
	[ROCEGUARD_COST_LINK_DROP]	= "link-drop",
	[ROCEGUARD_COST_RESET]		= "reset",
};
RG_WORDS(cost, "cost", ROCEGUARD_COST_RESET);

static const char *const rg_state_word[] = {
	[ROCEGUARD_STATE_UNMANAGED]	= "unmanaged",
	[ROCEGUARD_STATE_PENDING]	= "pending",
	[ROCEGUARD_STATE_ENFORCED]	= "enforced",
	[ROCEGUARD_STATE_DEGRADED]	= "degraded",
	[ROCEGUARD_STATE_DRIFTED]	= "drifted",
	[ROCEGUARD_STATE_DEFERRED]	= "deferred",
	[ROCEGUARD_STATE_CONTESTED]	= "contested",
	[ROCEGUARD_STATE_SICK]		= "sick",
};
RG_WORDS(state, "state", ROCEGUARD_STATE_SICK);

static const char *const rg_trigger_word[] = {
	[ROCEGUARD_TRIGGER_REGISTER]	= "register",
	[ROCEGUARD_TRIGGER_UP]		= "up",
	[ROCEGUARD_TRIGGER_CARRIER]	= "carrier",
	[ROCEGUARD_TRIGGER_RENAME]	= "rename",
	[ROCEGUARD_TRIGGER_TOPOLOGY]	= "topology",
	[ROCEGUARD_TRIGGER_RDMA]	= "rdma",
	[ROCEGUARD_TRIGGER_POLICY]	= "policy",
	[ROCEGUARD_TRIGGER_DCB_EVENT]	= "dcb-event",
	[ROCEGUARD_TRIGGER_AUDIT]	= "audit",
	[ROCEGUARD_TRIGGER_USER]	= "user",
	[ROCEGUARD_TRIGGER_WATCHDOG]	= "watchdog",
};
RG_WORDS(trigger, "trigger", ROCEGUARD_TRIGGER_WATCHDOG);

static const char *const rg_action_word[] = {
	[ROCEGUARD_ACTION_CORRECTION]	= "correction",
	[ROCEGUARD_ACTION_DRIFT]	= "drift",
	[ROCEGUARD_ACTION_REFUSAL]	= "refusal",
	[ROCEGUARD_ACTION_CONTEST]	= "contest",
	[ROCEGUARD_ACTION_REQUEST]	= "request",
	[ROCEGUARD_ACTION_RESTORE]	= "restore",
	[ROCEGUARD_ACTION_STORM]	= "storm",
};
RG_WORDS(action, "action", ROCEGUARD_ACTION_STORM);

static const char *const rg_trust_word[] = {
	[ROCEGUARD_TRUST_PCP]		= "pcp",
	[ROCEGUARD_TRUST_DSCP]		= "dscp",
};
RG_WORDS(trust, "trust", ROCEGUARD_TRUST_DSCP);

static const char *const rg_tsa_word[] = {
	[ROCEGUARD_TSA_STRICT]		= "strict",
	[ROCEGUARD_TSA_ETS]		= "ets",
};
RG_WORDS(tsa, "TSA", ROCEGUARD_TSA_ETS);

static const char *const rg_counter_word[] = {
	[ROCEGUARD_COUNTER_RX_PAUSE]	= "rx_pause",
	[ROCEGUARD_COUNTER_TX_PAUSE]	= "tx_pause",
	[ROCEGUARD_COUNTER_RX_PAUSE_US]	= "rx_pause_us",
	[ROCEGUARD_COUNTER_TX_PAUSE_US]	= "tx_pause_us",
	[ROCEGUARD_COUNTER_RX_DISCARDS]	= "rx_discards",
	[ROCEGUARD_COUNTER_RX_BYTES]	= "rx_bytes",
	[ROCEGUARD_COUNTER_TX_BYTES]	= "tx_bytes",
	[ROCEGUARD_COUNTER_RX_PACKETS]	= "rx_packets",
	[ROCEGUARD_COUNTER_TX_PACKETS]	= "tx_packets",
	[ROCEGUARD_COUNTER_RX_MARKED]	= "rx_marked",
	[ROCEGUARD_COUNTER_RX_GLOBAL_PAUSE]	= "rx_global_pause",
	[ROCEGUARD_COUNTER_TX_GLOBAL_PAUSE]	= "tx_global_pause",
	[ROCEGUARD_COUNTER_CNP_SENT]	= "cnp_sent",
	[ROCEGUARD_COUNTER_CNP_HANDLED]	= "cnp_handled",
	[ROCEGUARD_COUNTER_CNP_IGNORED]	= "cnp_ignored",
	[ROCEGUARD_COUNTER_ECN_MARKED]	= "ecn_marked",
	[ROCEGUARD_COUNTER_OUT_OF_SEQUENCE]	= "out_of_sequence",
	[ROCEGUARD_COUNTER_PACKET_SEQ_ERR]	= "packet_seq_err",
	[ROCEGUARD_COUNTER_ACK_TIMEOUT]	= "ack_timeout",
	[ROCEGUARD_COUNTER_RNR_RETRY]	= "rnr_retry",
	[ROCEGUARD_COUNTER_OUT_OF_BUFFER]	= "out_of_buffer",
	[ROCEGUARD_COUNTER_RETRANSMITS]	= "retransmits",
	[ROCEGUARD_COUNTER_DUPLICATE_REQUEST]	= "duplicate_request",
	[ROCEGUARD_COUNTER_HOST_STALLS]	= "host_stalls",
	[ROCEGUARD_COUNTER_STORM_WARNINGS]	= "storm_warnings",
	[ROCEGUARD_COUNTER_STORM_ERRORS]	= "storm_errors",
	[ROCEGUARD_COUNTER_LINK_DOWNS]	= "link_downs",
	[ROCEGUARD_COUNTER_STORM_EVENTS]	= "storm_events",
};
RG_WORDS(counter, "counter", RG_COUNTERS - 1);

static const char *const rg_direction_word[] = {
	[ROCEGUARD_DIRECTION_RECEIVED]	= "received",
	[ROCEGUARD_DIRECTION_SENT]	= "sent",
};
RG_WORDS(direction, "direction of pauses", ROCEGUARD_DIRECTION_SENT);

static const char *const rg_storm_action_word[] = {
	[ROCEGUARD_STORM_ACTION_ALERT]	= "alert",
	[ROCEGUARD_STORM_ACTION_PFC_OFF]	= "pfc-off",
};
RG_WORDS(storm_action, "action in a storm", ROCEGUARD_STORM_ACTION_PFC_OFF);

static const char *const rg_incident_word[] = {
	[ROCEGUARD_INCIDENT_NONE]	= "none",
	[ROCEGUARD_INCIDENT_STORM]	= "storm",
	[ROCEGUARD_INCIDENT_LINK_DOWN]	= "link-down",
	[ROCEGUARD_INCIDENT_RECONNECT]	= "reconnect",
};
RG_WORDS(incident, "incident", ROCEGUARD_INCIDENT_RECONNECT);

/**
 * rg_word - the word for a value
 * @words: the enum
 * @value: may come from a newer kernel than this program
 *
 * Return: the word; "unknown" for a value that is not known here.
 */
const char *rg_word(const struct rg_words *words, u32 value)
{
	return value < words->n ? words->word[value] : "unknown";
}

/**
 * rg_word_value - the value of a word
 * @words: the enum
 * @s: the word, case does not matter
 *
 * Return: the value, -1 if there is no such word.
 */
int rg_word_value(const struct rg_words *words, const char *s)
{
	size_t i;

	for (i = 0; i < words->n; i++)
		if (!strcasecmp(words->word[i], s))
			return (int)i;
	return -1;
}
