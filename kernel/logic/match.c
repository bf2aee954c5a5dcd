// SPDX-License-Identifier: GPL-2.0
/* Which policy is for which port. */
#include "match.h"

/**
 * rg_glob - shell pattern match with '*' and '?'
 * @pattern: the pattern, matched against the whole of @text
 * @text: the text
 *
 * The kernel's glob_match() is an option that distributions may leave out, and
 * its character classes have no use in device names.
 *
 * Return: true if it matches.
 */
bool rg_glob(const char *pattern, const char *text)
{
	const char *star = NULL, *resume = NULL;

	while (*text) {
		if (*pattern == '*') {
			star = pattern++;
			resume = text;
		} else if (*pattern == '?' || *pattern == *text) {
			pattern++;
			text++;
		} else if (star) {
			pattern = star + 1;
			text = ++resume;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

static bool rg_is_literal(const char *pattern)
{
	return !strpbrk(pattern, "*?");
}

/* 0: not matched, 1: any will do, 2: by pattern, 3: by its own name. */
static int rg_match_any(const char list[][ROCEGUARD_GLOB_MAX + 1],
			unsigned int n, const char *text)
{
	unsigned int i;
	int best = 0;

	if (!n)
		return 1;
	for (i = 0; i < n; i++)
		if (rg_glob(list[i], text))
			best = max(best, rg_is_literal(list[i]) ? 3 : 2);
	return best;
}

/*
 * A bond's name is good for its legs, but their own is closer: 0: not matched, 1:
 * any will do, then by pattern and by name, of the bond and of the port.
 */
static int rg_match_name(const struct rg_match *match,
			 const struct rg_candidate *candidate)
{
	static const int own[] = { 0, 1, 3, 5 }, bond[] = { 0, 1, 2, 4 };
	int by_own = rg_match_any(match->ifname, match->n_ifname,
				  candidate->ifname);
	int by_bond = 0;

	if (candidate->bond && candidate->bond[0])
		by_bond = rg_match_any(match->ifname, match->n_ifname,
				       candidate->bond);
	return max(own[by_own], bond[by_bond]);
}

/**
 * rg_match_score - does a policy fit a port, and how closely?
 * @match: of the policy
 * @candidate: the port
 *
 * Return: 0 if it does not; else the higher the more specific: a name weighs
 * more than a driver, an exact one more than a pattern, the port's own more than
 * that of the bond above it.
 */
int rg_match_score(const struct rg_match *match,
		   const struct rg_candidate *candidate)
{
	int name = rg_match_name(match, candidate);
	int driver = rg_match_any(match->driver, match->n_driver,
				  candidate->driver);

	if (!name || !driver || (match->rdma && !candidate->rdma))
		return 0;
	return 4 * name + driver;
}
