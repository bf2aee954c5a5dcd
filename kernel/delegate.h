/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Delegated knobs: what only files of user space reach, and the agent's word on
 * it. The kernel says what is to be held and judges; the agent reads, writes and
 * reports, and what it said holds for a while only.
 */
#ifndef RG_DELEGATE_H
#define RG_DELEGATE_H

#include "logic/text.h"
#include "pass.h"

/**
 * struct rg_report - what the agent said of a knob of a port
 * @knob: enum roceguard_knob
 * @generation: of the port, when the agent looked at it
 * @verdict: enum roceguard_verdict
 * @err: errno of the call that failed, positive, or 0
 * @from: what was there before a write
 * @have: as last read
 * @reason: why it is not right, and what to do
 * @at: when it was said, ns
 * @policy: that ruled the port then
 * @told: a pass has put it into history
 */
struct rg_report {
	u8 knob;
	u32 generation;
	u8 verdict;
	int err;
	char from[RG_TEXT_MAX];
	char have[RG_TEXT_MAX];
	char reason[RG_REASON_MAX];
	u64 at;
	char policy[ROCEGUARD_NAME_MAX + 1];
	bool told;
};

unsigned int rg_agent_timeout_s(void);
void rg_agent_lives(void);
int rg_delegate_report(u32 id, struct rg_report *report,
		       struct netlink_ext_ack *extack);
void rg_delegated_run(struct rg_pass *pass, struct rg_section *section,
		      const struct rg_knob *knob);

#endif /* RG_DELEGATE_H */
