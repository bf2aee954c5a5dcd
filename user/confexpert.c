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

/**
 * struct mapping - a list of FROM:TO, each FROM once
 * @use: how to write one
 * @what: FROM, for the message
 * @from: reads FROM
 * @to: reads TO
 */
struct mapping {
	const char *use;
	const char *what;
	int (*from)(struct conf_parser *p, const char *s, long *value);
	int (*to)(struct conf_parser *p, const char *s, long *value);
};

static int conf_mapping(struct conf_parser *p, char *word,
			const struct mapping *mapping, u8 *table,
			enum rg_expert_bit bit)
{
	char whole[32], *part[2];
	long from, to;

	snprintf(whole, sizeof(whole), "%s", word);
	if (conf_split(word, part, 2) != 2)
		return conf_fail(p, "\"%s\" is no mapping; use %s", whole,
				 mapping->use);
	if (mapping->from(p, part[0], &from) || mapping->to(p, part[1], &to))
		return -1;
	if (table[from] != RG_UNSET)
		return conf_fail(p, "%s %ld is mapped twice; remove one",
				 mapping->what, from);
	table[from] = (u8)to;
	p->conf->spec.expert.set |= BIT(bit);
	return 0;
}

static int conf_buffer(struct conf_parser *p, const char *s, long *value)
{
	return conf_number(p, "buffer", s, 0, RG_BUFFERS - 1, value);
}

static int key_map(struct conf_parser *p, char *word)
{
	static const struct mapping mapping = {
		"DSCP:PRIORITY, as 26:3", "DSCP", conf_dscp, conf_priority,
	};

	return conf_mapping(p, word, &mapping, p->conf->spec.expert.map,
			    RG_EXPERT_MAP);
}

static int key_prio_tc(struct conf_parser *p, char *word)
{
	static const struct mapping mapping = {
		"PRIORITY:TC, as 3:1", "priority", conf_priority, conf_tc,
	};

	return conf_mapping(p, word, &mapping, p->conf->spec.expert.prio_tc,
			    RG_EXPERT_PRIO_TC);
}

static int key_prio_buffer(struct conf_parser *p, char *word)
{
	static const struct mapping mapping = {
		"PRIORITY:BUFFER, as 3:1", "priority", conf_priority,
		conf_buffer,
	};

	return conf_mapping(p, word, &mapping, p->conf->spec.expert.prio_buffer,
			    RG_EXPERT_BUFFER_PRIO);
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
		return conf_fail(p, "\"%s\" says too %s; use TC:ets:PERCENT or TC:strict, as 0:ets:50",
				 whole, n < 2 ? "little" : "much");
	if (conf_tc(p, part[0], &tc))
		return -1;
	tsa = conf_word(p, &rg_words_tsa, part[1]);
	if (tsa < 0)
		return -1;
	if ((tsa == ROCEGUARD_TSA_ETS) != (n == 3))
		return conf_fail(p, "\"%s\": %s; use TC:ets:PERCENT or TC:strict, as 0:ets:50",
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

static int key_dcbx_mode(struct conf_parser *p, char *word)
{
	struct rg_expert *x = &p->conf->spec.expert;
	int v = conf_word(p, &rg_words_dcbx_mode, word);

	if (v < 0)
		return -1;
	x->dcbx = (u8)v;
	x->set |= BIT(RG_EXPERT_DCBX);
	return 0;
}

/* "10Gbit", "500Mbit", "64kbit" or "none", in kbit/s */
static int conf_rate(struct conf_parser *p, char *word, u32 *kbps)
{
	static const struct {
		const char *unit;
		long kbps;
	} units[] = { { "Gbit", 1000000 }, { "Mbit", 1000 }, { "kbit", 1 } };
	size_t i, n = strlen(word), len;
	long v;

	if (!strcasecmp(word, "none")) {
		*kbps = 0;
		return 0;
	}
	for (i = 0; i < ARRAY_SIZE(units); i++) {
		len = strlen(units[i].unit);
		if (n <= len || strcasecmp(word + n - len, units[i].unit))
			continue;
		word[n - len] = '\0';
		if (conf_number(p, "rate", word, 1,
				(long)(UINT32_MAX / units[i].kbps), &v))
			return -1;
		*kbps = (u32)(v * units[i].kbps);
		return 0;
	}
	return conf_fail(p, "\"%s\" is no rate; use a number of kbit, Mbit or Gbit, as 10Gbit, or none",
			 word);
}

static int key_rate(struct conf_parser *p, char *word)
{
	struct rg_expert *x = &p->conf->spec.expert;
	char whole[32], *part[2];
	u32 kbps = 0;
	long tc;

	snprintf(whole, sizeof(whole), "%s", word);
	if (conf_split(word, part, 2) != 2)
		return conf_fail(p, "\"%s\" is no limit; use TC:RATE, as 1:10Gbit",
				 whole);
	if (conf_tc(p, part[0], &tc) || conf_rate(p, part[1], &kbps))
		return -1;
	if (x->rated & BIT(tc))
		return conf_fail(p, "TC %ld stands twice; remove one", tc);
	x->rated |= (u8)BIT(tc);
	x->kbps[tc] = kbps;
	x->set |= BIT(RG_EXPERT_RATE);
	return 0;
}

static int key_buffer_size(struct conf_parser *p, char *word)
{
	struct rg_expert *x = &p->conf->spec.expert;
	char whole[32], *part[2];
	long buffer, bytes;

	snprintf(whole, sizeof(whole), "%s", word);
	if (conf_split(word, part, 2) != 2)
		return conf_fail(p, "\"%s\" is no size; use BUFFER:BYTES, as 1:131072",
				 whole);
	if (conf_buffer(p, part[0], &buffer) ||
	    conf_number(p, "size in bytes", part[1], 0, UINT32_MAX, &bytes))
		return -1;
	if (x->sized & BIT(buffer))
		return conf_fail(p, "buffer %ld stands twice; remove one",
				 buffer);
	x->sized |= (u8)BIT(buffer);
	x->buffer_size[buffer] = (u32)bytes;
	x->set |= BIT(RG_EXPERT_BUFFER_SIZE);
	return 0;
}

static int key_pfc_cable(struct conf_parser *p, char *word)
{
	struct rg_expert *x = &p->conf->spec.expert;

	if (conf_metres(p, word, &x->cable))
		return -1;
	x->set |= BIT(RG_EXPERT_CABLE);
	return 0;
}

/* "80ms" or "8s" in ms, up to @most; which of them there are, rg_policy_derive() knows */
static int conf_milliseconds(struct conf_parser *p, char *word, long most,
			     const char *use, u32 *ms)
{
	static const struct {
		const char *unit;
		long ms;
	} units[] = { { "ms", 1 }, { "s", 1000 } };
	size_t i, n = strlen(word), len;
	long v;

	for (i = 0; i < ARRAY_SIZE(units); i++) {
		len = strlen(units[i].unit);
		if (n <= len || strcmp(word + n - len, units[i].unit))
			continue;
		word[n - len] = '\0';
		if (conf_number(p, "time", word, 1,
				most / units[i].ms, &v))
			return -1;
		*ms = (u32)(v * units[i].ms);
		return 0;
	}
	return conf_fail(p, "\"%s\" is no time; use %s", word, use);
}

static int key_storm(struct conf_parser *p, char *word)
{
	struct rg_expert *x = &p->conf->spec.expert;

	if (!strcasecmp(word, "off"))
		x->storm = ROCEGUARD_STORM_OFF;
	else if (!strcasecmp(word, "auto"))
		x->storm = ROCEGUARD_STORM_AUTO;
	else if (conf_milliseconds(p, word, ROCEGUARD_STORM_MAX,
				   "80ms to 8s, auto or off", &x->storm))
		return -1;
	x->set |= BIT(RG_EXPERT_STORM);
	return 0;
}

const struct conf_key conf_storm_key[] = {
	{ "Timeout", ROCEGUARD_A_STORM_PREVENTION_TIMEOUT, false, key_storm },
	{ }
};

static int key_detection(struct conf_parser *p, char *word)
{
	struct rg_expert *x = &p->conf->spec.expert;

	if (conf_milliseconds(p, word, ROCEGUARD_DETECTION_MAX, "100ms to 60s",
			      &x->watchdog.detection_ms))
		return -1;
	x->set |= BIT(RG_EXPERT_DETECTION);
	return 0;
}

static int key_restoration(struct conf_parser *p, char *word)
{
	struct rg_expert *x = &p->conf->spec.expert;

	if (conf_milliseconds(p, word, ROCEGUARD_RESTORATION_MAX,
			      "100ms to 3600s", &x->watchdog.restoration_ms))
		return -1;
	x->set |= BIT(RG_EXPERT_RESTORATION);
	return 0;
}

static int key_storm_action(struct conf_parser *p, char *word)
{
	struct rg_expert *x = &p->conf->spec.expert;
	int v = conf_word(p, &rg_words_storm_action, word);

	if (v < 0)
		return -1;
	x->watchdog.action = (u8)v;
	x->set |= BIT(RG_EXPERT_STORM_ACTION);
	return 0;
}

static int key_storm_force(struct conf_parser *p, char *word)
{
	struct rg_expert *x = &p->conf->spec.expert;

	if (conf_yes(p, word, &x->watchdog.force))
		return -1;
	x->set |= BIT(RG_EXPERT_STORM_FORCE);
	return 0;
}

const struct conf_key conf_watchdog_key[] = {
	{ "DetectionTime", ROCEGUARD_A_WATCHDOG_DETECTION, false,
	  key_detection },
	{ "RestorationTime", ROCEGUARD_A_WATCHDOG_RESTORATION, false,
	  key_restoration },
	{ "Action", ROCEGUARD_A_WATCHDOG_ACTION, false, key_storm_action },
	{ "Force", ROCEGUARD_A_WATCHDOG_FORCE, false, key_storm_force },
	{ }
};

static int key_mtu(struct conf_parser *p, char *word)
{
	struct rg_expert *x = &p->conf->spec.expert;
	long v;

	if (conf_number(p, "MTU", word, ROCEGUARD_MTU_MIN, ROCEGUARD_MTU_MAX,
			&v))
		return -1;
	x->mtu = (u32)v;
	x->set |= BIT(RG_EXPERT_MTU);
	return 0;
}

const struct conf_key conf_check_key[] = {
	{ "MTU", ROCEGUARD_A_CHECK_MTU, false, key_mtu },
	{ }
};

static int key_cm_tos(struct conf_parser *p, char *word)
{
	struct rg_expert *x = &p->conf->spec.expert;
	long v;

	if (conf_number(p, "ToS", word, 0, 255, &v))
		return -1;
	x->cm_tos = (u8)v;
	x->set |= BIT(RG_EXPERT_CM_TOS);
	return 0;
}

static int key_cm_mode(struct conf_parser *p, char *word)
{
	struct rg_expert *x = &p->conf->spec.expert;
	long v;

	if (conf_number(p, "RoCE mode", word, 1, 2, &v))
		return -1;
	x->cm_mode = (u8)v;
	x->set |= BIT(RG_EXPERT_CM_MODE);
	return 0;
}

static int key_vlan_egress(struct conf_parser *p, char *word)
{
	struct rg_expert *x = &p->conf->spec.expert;

	if (conf_yes(p, word, &x->vlan_egress))
		return -1;
	x->set |= BIT(RG_EXPERT_VLAN_EGRESS);
	return 0;
}

const struct conf_key conf_rdma_cm_key[] = {
	{ "ToS", ROCEGUARD_A_RDMA_CM_TOS, false, key_cm_tos },
	{ "Mode", ROCEGUARD_A_RDMA_CM_MODE, false, key_cm_mode },
	{ }
};

const struct conf_key conf_vlan_key[] = {
	{ "Egress", ROCEGUARD_A_VLAN_EGRESS, false, key_vlan_egress },
	{ }
};

const struct conf_key conf_dcbx_key[] = {
	{ "Mode", ROCEGUARD_A_DCBX_MODE, false, key_dcbx_mode },
	{ }
};

const struct conf_key conf_maxrate_key[] = {
	{ "TC", ROCEGUARD_A_MAXRATE_RATE, true, key_rate },
	{ }
};

const struct conf_key conf_buffer_key[] = {
	{ "Size", ROCEGUARD_A_BUFFER_SIZE, true, key_buffer_size },
	{ "Priority", ROCEGUARD_A_BUFFER_PRIO, true, key_prio_buffer },
	{ }
};

const struct conf_key conf_pfc_key[] = {
	{ "Priorities", ROCEGUARD_A_PFC_PRIORITIES, true, key_pfc },
	{ "CableLength", ROCEGUARD_A_PFC_CABLE_LENGTH, false, key_pfc_cable },
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
