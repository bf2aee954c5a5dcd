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

/*
 * How a policy can fit a port, the most specific way first: of two policies the
 * one that fits in a higher row rules, and only where they are alike in that one
 * the next row counts. What names one thing comes before patterns, and what says
 * which port before what says which kind of port.
 */
enum rg_row {
	RG_ROW_NAME,
	RG_ROW_PCI,
	RG_ROW_RDMA_DEVICE,
	RG_ROW_BOND,
	RG_ROW_NAME_PATTERN,
	RG_ROW_PCI_PATTERN,
	RG_ROW_RDMA_DEVICE_PATTERN,
	RG_ROW_BOND_PATTERN,
	RG_ROW_DRIVER,
	RG_ROW_DRIVER_PATTERN,
	RG_ROW_SPEED,
	RG_ROW_SPEED_RANGE,
	RG_ROW_RDMA,

	RG_ROWS
};

/* Bit 0: it fits at all. */
#define RG_ROW_BIT(row)		BIT(RG_ROWS - (row))

/*
 * What a list of patterns is matched with, and the two rows it may fit in. A
 * bond's name is good for its legs, but their own is closer.
 */
enum rg_list {
	RG_LIST_NAME,
	RG_LIST_BOND,
	RG_LIST_PCI,
	RG_LIST_RDMA_DEVICE,
	RG_LIST_DRIVER,
};

static const struct {
	const char *key;
	enum rg_row exact;
	enum rg_row pattern;
} rg_lists[] = {
	[RG_LIST_NAME]	      = { "Name", RG_ROW_NAME, RG_ROW_NAME_PATTERN },
	[RG_LIST_BOND]	      = { "Name", RG_ROW_BOND, RG_ROW_BOND_PATTERN },
	[RG_LIST_PCI]	      = { "PCI", RG_ROW_PCI, RG_ROW_PCI_PATTERN },
	[RG_LIST_RDMA_DEVICE] = { "RDMADevice", RG_ROW_RDMA_DEVICE,
				  RG_ROW_RDMA_DEVICE_PATTERN },
	[RG_LIST_DRIVER]      = { "Driver", RG_ROW_DRIVER,
				  RG_ROW_DRIVER_PATTERN },
};

typedef const char (*rg_globs)[ROCEGUARD_GLOB_MAX + 1];

static rg_globs rg_list_globs(const struct rg_match *match, enum rg_list list,
			      unsigned int *n)
{
	switch (list) {
	case RG_LIST_NAME:
	case RG_LIST_BOND:
		*n = match->n_ifname;
		return match->ifname;
	case RG_LIST_PCI:
		*n = match->n_pci;
		return match->pci;
	case RG_LIST_RDMA_DEVICE:
		*n = match->n_rdma_device;
		return match->rdma_device;
	default:
		*n = match->n_driver;
		return match->driver;
	}
}

static const char *rg_list_text(const struct rg_candidate *candidate,
				enum rg_list list)
{
	const char *const texts[] = {
		[RG_LIST_NAME]	      = candidate->ifname,
		[RG_LIST_BOND]	      = candidate->bond,
		[RG_LIST_PCI]	      = candidate->pci,
		[RG_LIST_RDMA_DEVICE] = candidate->rdma_device,
		[RG_LIST_DRIVER]      = candidate->driver,
	};

	return texts[list] ? texts[list] : "";
}

/* The pattern that fits best: one without wildcards, else the first. */
static const char *rg_list_best(const struct rg_match *match,
				const struct rg_candidate *candidate,
				enum rg_list list)
{
	const char *text = rg_list_text(candidate, list), *best = NULL;
	unsigned int i, n;
	rg_globs globs = rg_list_globs(match, list, &n);

	for (i = 0; i < n; i++) {
		if (!rg_glob(globs[i], text))
			continue;
		if (!strpbrk(globs[i], "*?"))
			return globs[i];
		if (!best)
			best = globs[i];
	}
	return best;
}

static bool rg_list_fits(const struct rg_match *match,
			 const struct rg_candidate *candidate,
			 enum rg_list list, u32 *score)
{
	const char *best;
	unsigned int n;

	rg_list_globs(match, list, &n);
	if (!n)
		return true;
	/* An RDMA device comes after its port. */
	if (list == RG_LIST_RDMA_DEVICE && candidate->early &&
	    !rg_list_text(candidate, list)[0])
		return true;
	best = rg_list_best(match, candidate, list);
	if (!best || !rg_list_text(candidate, list)[0])
		return false;
	*score |= RG_ROW_BIT(strpbrk(best, "*?") ? rg_lists[list].pattern :
						   rg_lists[list].exact);
	return true;
}

static bool rg_speed_fits(const struct rg_match *match,
			  const struct rg_candidate *candidate, u32 *score)
{
	if (!match->speed_from && !match->speed_to)
		return true;
	if (!candidate->speed)
		return candidate->early;
	if (candidate->speed < match->speed_from ||
	    (match->speed_to && candidate->speed > match->speed_to))
		return false;
	*score |= RG_ROW_BIT(match->speed_from == match->speed_to ?
			     RG_ROW_SPEED : RG_ROW_SPEED_RANGE);
	return true;
}

/* Which key does not fit; NULL: none, and @score is complete. */
static const char *rg_match_judge(const struct rg_match *match,
				  const struct rg_candidate *candidate,
				  u32 *score)
{
	bool own, bond;
	size_t i;

	*score = BIT(0);
	if (match->rdma) {
		if (!candidate->rdma)
			return "RDMA";
		*score |= RG_ROW_BIT(RG_ROW_RDMA);
	}
	own = rg_list_fits(match, candidate, RG_LIST_NAME, score);
	bond = rg_list_fits(match, candidate, RG_LIST_BOND, score);
	if (!own && !bond)
		return rg_lists[RG_LIST_NAME].key;
	for (i = RG_LIST_PCI; i < ARRAY_SIZE(rg_lists); i++)
		if (!rg_list_fits(match, candidate, i, score))
			return rg_lists[i].key;
	return rg_speed_fits(match, candidate, score) ? NULL : "Speed";
}

/**
 * rg_match_score - does a policy fit a port, and how closely?
 * @match: of the policy
 * @candidate: the port
 *
 * Return: 0 if it does not; else the higher the more specific, see enum rg_row.
 */
u32 rg_match_score(const struct rg_match *match,
		   const struct rg_candidate *candidate)
{
	u32 score;

	return rg_match_judge(match, candidate, &score) ? 0 : score;
}

/**
 * rg_match_misfit - why does a policy not fit a port?
 * @match: of the policy
 * @candidate: the port
 *
 * Return: the key of [Match] that leaves the port out, NULL if none does.
 */
const char *rg_match_misfit(const struct rg_match *match,
			    const struct rg_candidate *candidate)
{
	u32 score;

	return rg_match_judge(match, candidate, &score);
}

/**
 * rg_match_beats - of two policies that fit a port, does the first rule it?
 * @a: the first
 * @a_score: how closely it fits
 * @b: the second
 * @b_score: how closely that fits
 *
 * Return: true if @a is more specific; or as specific and of a higher priority;
 * or alike in both, and its name comes first.
 */
bool rg_match_beats(const struct rg_policy_spec *a, u32 a_score,
		    const struct rg_policy_spec *b, u32 b_score)
{
	if (a_score != b_score)
		return a_score > b_score;
	if (a->priority != b->priority)
		return a->priority > b->priority;
	return strcmp(a->name, b->name) < 0;
}

static int rg_one_speed(char *buf, size_t size, const char *sign, u32 mbps)
{
	if (mbps % 1000)
		return snprintf(buf, size, "%s%uM", sign, mbps);
	return snprintf(buf, size, "%s%uG", sign, mbps / 1000);
}

/**
 * rg_speed_text - a speed or a range of speeds, as in [Match] Speed=
 * @buf: filled in
 * @size: of @buf, at least 32
 * @min_speed: Mbit/s
 * @max_speed: Mbit/s, 0: any above @min_speed
 */
void rg_speed_text(char *buf, size_t size, u32 min_speed, u32 max_speed)
{
	int n = 0;

	if (min_speed == max_speed) {
		rg_one_speed(buf, size, "", min_speed);
		return;
	}
	if (min_speed)
		n = rg_one_speed(buf, size, ">=", min_speed);
	if (max_speed)
		rg_one_speed(buf + n, size - n, n ? " <=" : "<=", max_speed);
}

/* "Name=roce0": what a policy says in a row that it fits in. */
static void rg_row_text(char *buf, size_t size, const struct rg_match *match,
			const struct rg_candidate *candidate, enum rg_row row)
{
	char speed[32];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rg_lists); i++) {
		if (rg_lists[i].exact != row && rg_lists[i].pattern != row)
			continue;
		snprintf(buf, size, "%s=%s", rg_lists[i].key,
			 rg_list_best(match, candidate, i));
		return;
	}
	if (row == RG_ROW_RDMA) {
		snprintf(buf, size, "RDMA=yes");
		return;
	}
	rg_speed_text(speed, sizeof(speed), match->speed_from, match->speed_to);
	snprintf(buf, size, "Speed=%s", speed);
}

/* The highest row of a score; RG_ROWS: it fits every port. */
static enum rg_row rg_top_row(u32 score)
{
	enum rg_row row = 0;

	while (row < RG_ROWS && !(score & RG_ROW_BIT(row)))
		row++;
	return row;
}

#define RG_ROW_TEXT	(ROCEGUARD_GLOB_MAX + 16)

static void rg_explain_sole(struct rg_choice *choice,
			     const struct rg_policy_spec *spec, u32 score,
			     const struct rg_candidate *candidate)
{
	char by[RG_ROW_TEXT] = "it takes every port";

	if (rg_top_row(score) < RG_ROWS)
		rg_row_text(by, sizeof(by), &spec->match, candidate,
			    rg_top_row(score));
	snprintf(choice->why, sizeof(choice->why), "the only one that fits: %s",
		 by);
}

/* Why @lost lost to @first, and for the closest of those why @first won. */
static void rg_explain_lost(struct rg_choice *choice, unsigned int i,
			    const struct rg_policy_spec *first, u32 first_score,
			    const struct rg_policy_spec *lost, u32 lost_score,
			    const struct rg_candidate *candidate)
{
	char *why = choice->lost[i].why, by[RG_ROW_TEXT];

	snprintf(choice->lost[i].policy, sizeof(choice->lost[i].policy), "%s",
		 lost->name);
	if (first_score != lost_score) {
		rg_row_text(by, sizeof(by), &first->match, candidate,
			    rg_top_row(first_score & ~lost_score));
		snprintf(why, RG_WHY_MAX, "%s is closer", by);
		if (!i)
			snprintf(choice->why, RG_WHY_MAX, "the closest by %s",
				 by);
	} else if (first->priority != lost->priority) {
		snprintf(why, RG_WHY_MAX, "as close, but of Priority=%u",
			 lost->priority);
		if (!i)
			snprintf(choice->why, RG_WHY_MAX,
				 "as close as others, and of Priority=%u",
				 first->priority);
	} else {
		snprintf(why, RG_WHY_MAX,
			 "as close, of the same priority, later by name");
		if (!i)
			snprintf(choice->why, RG_WHY_MAX,
				 "as close as others, of the same priority, first by name");
	}
}

/**
 * rg_match_explain - say why a policy rules a port, and why others do not
 * @choice: filled in, but for @n_fit, which is to be set
 * @spec: the policies that fit, each before those that it beats
 * @n: how many of them there are, at least 1
 * @candidate: the port
 */
void rg_match_explain(struct rg_choice *choice,
		      const struct rg_policy_spec *const *spec, unsigned int n,
		      const struct rg_candidate *candidate)
{
	u32 first = rg_match_score(&spec[0]->match, candidate);
	unsigned int i;

	choice->n_lost = n - 1;
	rg_explain_sole(choice, spec[0], first, candidate);
	for (i = 0; i < choice->n_lost; i++)
		rg_explain_lost(choice, i, spec[0], first, spec[i + 1],
				rg_match_score(&spec[i + 1]->match, candidate),
				candidate);
}
