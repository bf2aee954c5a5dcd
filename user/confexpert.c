// SPDX-License-Identifier: GPL-2.0
/* Policy files: the expert sections, which name a knob directly. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "confparse.h"

/* "none" stands alone: it says that the list is empty on purpose. */
static int conf_mask(struct conf_parser *p, const char *word,
		     enum rg_expert_bit bit, u8 *mask)
{
	struct rg_expert *x = &p->conf->spec.expert;
	bool said = x->set & BIT(bit);
	long v;

	if (!strcasecmp(word, "none")) {
		if (said)
			return conf_fail(p, "%s= has priorities and \"none\"; remove one of them",
					 p->key->name);
		x->set |= BIT(bit);
		return 0;
	}
	if (conf_priority(p, word, &v))
		return -1;
	if (said && !*mask)
		return conf_fail(p, "%s= has \"none\" and priorities; remove one of them",
				 p->key->name);
	if (*mask & BIT(v))
		return conf_fail(p, "priority %ld stands twice in %s=; remove one",
				 v, p->key->name);
	*mask |= BIT(v);
	x->set |= BIT(bit);
	return 0;
}

static int key_pfc(struct conf_parser *p, char *word)
{
	return conf_mask(p, word, RG_EXPERT_PFC, &p->conf->spec.expert.pfc);
}

static int key_ecn_np(struct conf_parser *p, char *word)
{
	return conf_mask(p, word, RG_EXPERT_ECN_NP,
			 &p->conf->spec.expert.ecn_np);
}

static int key_ecn_rp(struct conf_parser *p, char *word)
{
	return conf_mask(p, word, RG_EXPERT_ECN_RP,
			 &p->conf->spec.expert.ecn_rp);
}

static int key_trust(struct conf_parser *p, char *word)
{
	struct rg_expert *x = &p->conf->spec.expert;
	int v = conf_word(p, &rg_words_trust, word);

	if (v < 0)
		return -1;
	x->trust = (u8)v;
	x->set |= BIT(RG_EXPERT_TRUST);
	return 0;
}

static int key_map(struct conf_parser *p, char *word)
{
	struct rg_expert *x = &p->conf->spec.expert;
	char whole[32], *part[2];
	long dscp, priority;

	snprintf(whole, sizeof(whole), "%s", word);
	if (conf_split(word, part, 2) != 2)
		return conf_fail(p, "\"%s\" is no mapping; use DSCP:PRIORITY, as 26:3",
				 whole);
	if (conf_dscp(p, part[0], &dscp) ||
	    conf_priority(p, part[1], &priority))
		return -1;
	if (x->map[dscp] != RG_UNSET)
		return conf_fail(p, "DSCP %ld is mapped twice; remove one",
				 dscp);
	x->map[dscp] = (u8)priority;
	x->set |= BIT(RG_EXPERT_MAP);
	return 0;
}

static int key_prio_tc(struct conf_parser *p, char *word)
{
	struct rg_expert *x = &p->conf->spec.expert;
	char whole[32], *part[2];
	long priority, tc;

	snprintf(whole, sizeof(whole), "%s", word);
	if (conf_split(word, part, 2) != 2)
		return conf_fail(p, "\"%s\" is no mapping; use PRIORITY:TC, as 3:1",
				 whole);
	if (conf_priority(p, part[0], &priority) || conf_tc(p, part[1], &tc))
		return -1;
	if (x->prio_tc[priority] != RG_UNSET)
		return conf_fail(p, "priority %ld is mapped twice; remove one",
				 priority);
	x->prio_tc[priority] = (u8)tc;
	x->set |= BIT(RG_EXPERT_PRIO_TC);
	return 0;
}

static int key_ets_tc(struct conf_parser *p, char *word)
{
	struct rg_expert *x = &p->conf->spec.expert;
	char whole[32], *part[3];
	long tc, share = 0;
	int n, tsa;

	snprintf(whole, sizeof(whole), "%s", word);
	n = conf_split(word, part, 3);
	if (n < 2 || n > 3)
		return conf_fail(p, "\"%s\" says too %s; use TC:ets:PERCENT or TC:strict",
				 whole, n < 2 ? "little" : "much");
	if (conf_tc(p, part[0], &tc))
		return -1;
	tsa = conf_word(p, &rg_words_tsa, part[1]);
	if (tsa < 0)
		return -1;
	if ((tsa == ROCEGUARD_TSA_ETS) != (n == 3))
		return conf_fail(p, "\"%s\": %s; use TC:ets:PERCENT or TC:strict",
				 whole, n == 3 ? "strict has no percentage" :
						 "ets needs a percentage");
	if (n == 3 && conf_percent(p, "percentage", part[2], 0, &share))
		return -1;
	if (x->tsa[tc] != RG_UNSET)
		return conf_fail(p, "TC %ld stands twice; remove one", tc);
	x->tsa[tc] = (u8)tsa;
	x->bandwidth[tc] = (u8)share;
	x->set |= BIT(RG_EXPERT_TC);
	return 0;
}

static int conf_pause(struct conf_parser *p, const char *word,
		      enum rg_expert_bit bit, bool *value)
{
	if (conf_yes(p, word, value))
		return -1;
	p->conf->spec.expert.set |= BIT(bit);
	return 0;
}

static int key_pause_rx(struct conf_parser *p, char *word)
{
	return conf_pause(p, word, RG_EXPERT_PAUSE_RX,
			  &p->conf->spec.expert.pause_rx);
}

static int key_pause_tx(struct conf_parser *p, char *word)
{
	return conf_pause(p, word, RG_EXPERT_PAUSE_TX,
			  &p->conf->spec.expert.pause_tx);
}

const struct conf_key conf_pfc_key[] = {
	{ "Priorities", ROCEGUARD_A_PFC_PRIORITIES, true, key_pfc },
	{ }
};

const struct conf_key conf_dscp_key[] = {
	{ "Trust", ROCEGUARD_A_DSCP_TRUST, false, key_trust },
	{ "Map", ROCEGUARD_A_DSCP_MAP, true, key_map },
	{ }
};

const struct conf_key conf_ets_key[] = {
	{ "PriorityTC", ROCEGUARD_A_ETS_PRIO_TC, true, key_prio_tc },
	{ "TC", ROCEGUARD_A_ETS_TC, true, key_ets_tc },
	{ }
};

const struct conf_key conf_ecn_key[] = {
	{ "NP", ROCEGUARD_A_ECN_NP, true, key_ecn_np },
	{ "RP", ROCEGUARD_A_ECN_RP, true, key_ecn_rp },
	{ }
};

const struct conf_key conf_pause_key[] = {
	{ "Rx", ROCEGUARD_A_PAUSE_RX, false, key_pause_rx },
	{ "Tx", ROCEGUARD_A_PAUSE_TX, false, key_pause_tx },
	{ }
};
