// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>
#include "words.h"

static const char *const rg_states[] = {
	[ROCEGUARD_STATE_UNMANAGED]	= "unmanaged",
	[ROCEGUARD_STATE_PENDING]	= "pending",
	[ROCEGUARD_STATE_ENFORCED]	= "enforced",
	[ROCEGUARD_STATE_DEGRADED]	= "degraded",
	[ROCEGUARD_STATE_DRIFTED]	= "drifted",
	[ROCEGUARD_STATE_DEFERRED]	= "deferred",
	[ROCEGUARD_STATE_CONTESTED]	= "contested",
	[ROCEGUARD_STATE_SICK]		= "sick",
};

static const char *const rg_verdicts[] = {
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

static const char *const rg_triggers[] = {
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
};

/**
 * rg_word_state - a port state in a word
 * @state: enum roceguard_state
 *
 * Return: the word.
 */
const char *rg_word_state(unsigned int state)
{
	return state < ARRAY_SIZE(rg_states) ? rg_states[state] : "?";
}

/**
 * rg_word_verdict - a verdict in a word
 * @verdict: enum roceguard_verdict
 *
 * Return: the word.
 */
const char *rg_word_verdict(unsigned int verdict)
{
	return verdict < ARRAY_SIZE(rg_verdicts) ? rg_verdicts[verdict] : "?";
}

/**
 * rg_word_trigger - a trigger in a word
 * @trigger: enum roceguard_trigger
 *
 * Return: the word.
 */
const char *rg_word_trigger(unsigned int trigger)
{
	return trigger < ARRAY_SIZE(rg_triggers) ? rg_triggers[trigger] : "?";
}
