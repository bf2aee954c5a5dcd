/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RG_LOGIC_MATCH_H
#define RG_LOGIC_MATCH_H

#include "policy.h"

/* How many of the policies that fit a port, but do not rule it, are named. */
#define RG_LOST_MAX	3
#define RG_WHY_MAX	128

/**
 * struct rg_candidate - what a policy is matched against
 * @ifname: name of the port
 * @bond: name of the bond or team that it is a leg of; NULL or "": none
 * @driver: its driver
 * @rdma: RoCE-capable
 * @pci: its PCI address, or NULL or "": it has none
 * @rdma_device: name of its RDMA device, or NULL or "": none is known
 * @speed: Mbit/s, 0: not known
 * @early: what is not known yet may turn out to fit
 */
struct rg_candidate {
	const char *ifname;
	const char *bond;
	const char *driver;
	bool rdma;
	const char *pci;
	const char *rdma_device;
	u32 speed;
	bool early;
};

/**
 * struct rg_choice - why one policy rules a port and others do not
 * @why: of the one that does
 * @n_fit: how many fit, with the one that rules
 * @n_lost: how many of @lost are used
 * @lost: the closest of the others
 */
struct rg_choice {
	char why[RG_WHY_MAX];
	u32 n_fit;
	u32 n_lost;
	struct {
		char policy[ROCEGUARD_NAME_MAX + 1];
		char why[RG_WHY_MAX];
	} lost[RG_LOST_MAX];
};

bool rg_glob(const char *pattern, const char *text);
u32 rg_match_score(const struct rg_match *match,
		   const struct rg_candidate *candidate);
const char *rg_match_misfit(const struct rg_match *match,
			    const struct rg_candidate *candidate);
bool rg_match_beats(const struct rg_policy_spec *a, u32 a_score,
		    const struct rg_policy_spec *b, u32 b_score);
void rg_match_explain(struct rg_choice *choice,
		      const struct rg_policy_spec *const *spec, unsigned int n,
		      const struct rg_candidate *candidate);
void rg_speed_text(char *buf, size_t size, u32 min_speed, u32 max_speed);

#endif /* RG_LOGIC_MATCH_H */
