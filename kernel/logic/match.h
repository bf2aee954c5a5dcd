/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RG_LOGIC_MATCH_H
#define RG_LOGIC_MATCH_H

#include "policy.h"

/**
 * struct rg_candidate - what a policy is matched against
 * @ifname: name of the port
 * @bond: name of the bond or team that it is a leg of; NULL or "": none
 * @driver: its driver
 * @rdma: RoCE-capable
 */
struct rg_candidate {
	const char *ifname;
	const char *bond;
	const char *driver;
	bool rdma;
};

bool rg_glob(const char *pattern, const char *text);
int rg_match_score(const struct rg_match *match,
		   const struct rg_candidate *candidate);

#endif /* RG_LOGIC_MATCH_H */
