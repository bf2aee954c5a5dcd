/* SPDX-License-Identifier: GPL-2.0 */
/* May a write drop the link? */
#ifndef RG_CONSENT_H
#define RG_CONSENT_H

#include "pass.h"

/**
 * enum rg_consent - an answer
 * @RG_CONSENT_YES: it may
 * @RG_CONSENT_LATER: not yet
 * @RG_CONSENT_OVER: not before the operator has said so
 */
enum rg_consent {
	RG_CONSENT_YES,
	RG_CONSENT_LATER,
	RG_CONSENT_OVER,
};

void rg_consent_begin(struct rg_pass *pass);
void rg_rival_at_link(struct rg_pass *pass);
bool rg_rival_dropped(const struct rg_pass *pass);
bool rg_consent_needed(const struct rg_pass *pass,
		       const struct rg_section *section,
		       enum roceguard_cost cost);
enum rg_consent rg_consent_ask(struct rg_pass *pass,
			       struct rg_section *section);
bool rg_consent_take(struct rg_pass *pass, struct rg_section *section,
		     const struct rg_knob *knob);
void rg_consent_end(struct rg_pass *pass);
void rg_consent_forget(const struct rg_port *port);

#endif /* RG_CONSENT_H */
