/* SPDX-License-Identifier: GPL-2.0 */
/* A pass: one run over a port, and what its steps share. */
#ifndef RG_PASS_H
#define RG_PASS_H

#include "history.h"
#include "knobs/knob.h"
#include "policy.h"
#include "port.h"

/* A knob that is found wrong is written in so many rounds, then it is refused. */
#define RG_ROUNDS		2

/* A rival shows as drift that only these found. */
#define RG_RIVAL_TRIGGERS	(BIT(ROCEGUARD_TRIGGER_DCB_EVENT) | \
				 BIT(ROCEGUARD_TRIGGER_AUDIT))
/* After these a sick port is given another chance. */
#define RG_HEALING_TRIGGERS	(BIT(ROCEGUARD_TRIGGER_REGISTER) | \
				 BIT(ROCEGUARD_TRIGGER_UP) | \
				 BIT(ROCEGUARD_TRIGGER_CARRIER) | \
				 BIT(ROCEGUARD_TRIGGER_USER))
/* What a write that failed is tried again for. */
#define RG_FRESH_TRIGGERS	(RG_HEALING_TRIGGERS | \
				 BIT(ROCEGUARD_TRIGGER_TOPOLOGY) | \
				 BIT(ROCEGUARD_TRIGGER_POLICY))

/**
 * struct rg_pass - one run over a port
 * @port: which
 * @triggers: why, all of them
 * @fresh: those that have come since the last pass
 * @trigger: why, the weightiest
 * @ticket: the newest port-apply that it serves
 * @policy: that rules, or NULL
 * @want: what is to be held, by the policy and over it by the port's overlay
 * @provided: a provider reaches its hardware
 * @why_not: why nothing may be written, or NULL
 * @not_yet: has @why_not, if the rollout has not come here
 * @status: what will be published
 * @have: what was read
 * @entry: the history entry being written
 * @seen: knobs looked at
 * @corrected: knobs written and found right since
 * @was: what was there before
 * @refused: knobs whose last write failed or did not stick
 * @wrote: writes of this round
 * @wrote_dcb: DCB was written and is to be announced
 * @look_again: a knob that waits for another is due now
 * @told: something happened that listeners want to know
 * @stop: the device does not answer; ask it nothing more
 * @pause_was: bit 0 rx, bit 1 tx: global pause before we wrote it
 * @pause_written: we wrote it
 * @linked: the link was up when the pass looked
 * @downs: how often it had gone down by then
 * @now: the operator does not mind a lost link
 * @ofed: there can be files of ofed_sysfs.c, and what they say is known
 * @paid: the budget has been asked, and what it costs has come off it
 * @spent: it did cost something
 * @consented: the link may be dropped
 * @used: such a write was made, and the driver took it
 * @lost_turn: another port of the host, or leg of the bond, has no link just now
 * @again_ns: when a write that waits may be made, from now; 0: nothing waits
 */
struct rg_pass {
	struct rg_port *port;
	unsigned long triggers;
	unsigned long fresh;
	enum roceguard_trigger trigger;
	u32 ticket;
	struct rg_policy *policy;
	struct rg_want want;
	bool provided;
	const char *why_not;
	char not_yet[80];
	struct rg_port_status status;
	struct rg_have have;
	struct rg_entry entry;
	u32 seen;
	u32 corrected;
	char was[RG_KNOBS][RG_TEXT_MAX];
	u32 refused;
	unsigned int wrote;
	bool wrote_dcb;
	bool look_again;
	bool told;
	bool stop;
	u8 pause_was;
	bool pause_written;
	bool linked;
	int downs;
	bool now;
	bool ofed;
	bool paid;
	bool spent;
	bool consented;
	bool used;
	bool lost_turn;
	u64 again_ns;
};

bool rg_pass_governs(const struct rg_pass *pass);
const char *rg_pass_ruler(const struct rg_pass *pass);
bool rg_pfc_is_lost(const struct rg_pass *pass);
bool rg_port_has_link(const struct net_device *dev);

int rg_section_begin(struct rg_pass *pass, struct rg_section *section);
void rg_section_end(void);

void rg_tell(struct rg_pass *pass, const struct rg_section *section);
void rg_tell_knob(struct rg_pass *pass, const struct rg_section *section,
		  const struct rg_knob *knob, enum roceguard_action action);

void rg_describe(struct rg_section *section, const struct rg_knob *knob,
		 struct rg_knob_status *status);
void rg_verdict(struct rg_knob_status *status, enum roceguard_verdict verdict,
		int err, const char *reason);
void rg_refused(struct rg_pass *pass, const struct rg_section *section,
		const struct rg_knob *knob);
void rg_failed(struct rg_pass *pass, struct rg_knob_status *status, int err,
	       const char *reason);
enum roceguard_cost rg_knob_cost(const struct rg_section *section,
				 const struct rg_knob *knob);
void rg_knob_run(struct rg_pass *pass, const struct rg_knob *knob,
		 unsigned int round);

void rg_log_corrections(const struct rg_pass *pass);

unsigned long rg_pace(struct rg_pass *pass, unsigned long *due);

#endif /* RG_PASS_H */
