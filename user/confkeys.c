// SPDX-License-Identifier: GPL-2.0
/* Policy files: the sections and their keys. */
#include <string.h>

#include "confparse.h"

/* [Match] */

static int conf_glob(struct conf_parser *p, const char *s,
		     char list[][ROCEGUARD_GLOB_MAX + 1], unsigned int *n)
{
	unsigned int i;

	if (strlen(s) > ROCEGUARD_GLOB_MAX)
		return conf_fail(p, "a pattern of %zu bytes; use at most %d",
				 strlen(s), ROCEGUARD_GLOB_MAX);
	if (strpbrk(s, "[]\\"))
		return conf_fail(p, "the pattern \"%s\" has a bracket or a backslash; only * and ? are wildcards",
				 s);
	for (i = 0; i < *n; i++)
		if (!strcmp(list[i], s))
			return conf_fail(p, "\"%s\" stands twice; remove one",
					 s);
	if (*n == ROCEGUARD_GLOBS_MAX)
		return conf_fail(p, "more than %d patterns in %s=; use wildcards",
				 ROCEGUARD_GLOBS_MAX, p->key->name);
	strcpy(list[(*n)++], s);
	p->conf->says_which = true;
	return 0;
}

static int key_driver(struct conf_parser *p, char *word)
{
	struct rg_match *m = &p->conf->spec.match;

	return conf_glob(p, word, m->driver, &m->n_driver);
}

static int key_name(struct conf_parser *p, char *word)
{
	struct rg_match *m = &p->conf->spec.match;

	return conf_glob(p, word, m->ifname, &m->n_ifname);
}

static int key_pci(struct conf_parser *p, char *word)
{
	struct rg_match *m = &p->conf->spec.match;

	return conf_glob(p, word, m->pci, &m->n_pci);
}

static int key_rdma_device(struct conf_parser *p, char *word)
{
	struct rg_match *m = &p->conf->spec.match;

	return conf_glob(p, word, m->rdma_device, &m->n_rdma_device);
}

/* "100G", ">=25G", "<=100G": one speed, or the ends of a range. */
static int key_speed(struct conf_parser *p, char *word)
{
	struct rg_match *m = &p->conf->spec.match;
	bool least = !strncmp(word, ">=", 2), most = !strncmp(word, "<=", 2);
	u32 speed;

	if (conf_speed(p, word + (least || most ? 2 : 0), &speed))
		return -1;
	if ((!most && m->speed_from) || (!least && m->speed_to))
		return conf_fail(p, "Speed= stands twice with %s; use one speed, or one >= and one <=, and another policy for other speeds",
				 word);
	if (!most)
		m->speed_from = speed;
	if (!least)
		m->speed_to = speed;
	return 0;
}

static int key_rdma(struct conf_parser *p, char *word)
{
	return conf_yes(p, word, &p->conf->spec.match.rdma);
}

static const struct conf_key match_key[] = {
	{ "Driver", ROCEGUARD_A_MATCH_DRIVER, true, key_driver },
	{ "Name", ROCEGUARD_A_MATCH_IFNAME, true, key_name },
	{ "PCI", ROCEGUARD_A_MATCH_PCI, true, key_pci },
	{ "RDMADevice", ROCEGUARD_A_MATCH_RDMA_DEVICE, true, key_rdma_device },
	{ "Speed", ROCEGUARD_A_MATCH_SPEED_TO, true, key_speed },
	{ "RDMA", ROCEGUARD_A_MATCH_RDMA, false, key_rdma },
	{ }
};

/* [Class NAME] */

static struct rg_class *conf_class(struct conf_parser *p)
{
	return &p->conf->spec.class[p->class];
}

/* Said here and not left to rg_policy_derive(), which knows no lines. */
static int conf_dscp_taken(struct conf_parser *p, long dscp)
{
	const struct rg_policy_spec *spec = &p->conf->spec;
	char place[CONF_PLACE_MAX];
	unsigned int i;

	conf_place(p, p->conf->dscp_line[dscp], place);
	for (i = 0; i < spec->n_classes; i++) {
		if (!(spec->class[i].dscp & BIT_ULL(dscp)))
			continue;
		if (i == p->class)
			return conf_fail(p, "DSCP %ld stands twice, first on %s; remove one",
					 dscp, place);
		return conf_fail(p, "DSCP %ld is in class %s (%s) and in class %s; leave it in one",
				 dscp, spec->class[i].name, place,
				 conf_class(p)->name);
	}
	return 0;
}

static int key_class_dscp(struct conf_parser *p, char *word)
{
	long v;

	if (conf_dscp(p, word, &v) || conf_dscp_taken(p, v))
		return -1;
	conf_class(p)->dscp |= BIT_ULL(v);
	p->conf->dscp_line[v] = p->line;
	return 0;
}

static int key_class_priority(struct conf_parser *p, char *word)
{
	long v;

	if (conf_priority(p, word, &v))
		return -1;
	conf_class(p)->priority = (u8)v;
	return 0;
}

static int key_class_lossless(struct conf_parser *p, char *word)
{
	return conf_yes(p, word, &conf_class(p)->lossless);
}

static int key_class_strict(struct conf_parser *p, char *word)
{
	return conf_yes(p, word, &conf_class(p)->strict);
}

static int key_class_cnp(struct conf_parser *p, char *word)
{
	return conf_yes(p, word, &conf_class(p)->cnp);
}

static int key_class_ecn(struct conf_parser *p, char *word)
{
	bool v;

	if (conf_yes(p, word, &v))
		return -1;
	conf_class(p)->ecn = v ? RG_YES : RG_NO;
	return 0;
}

static int key_class_share(struct conf_parser *p, char *word)
{
	long v;

	if (conf_percent(p, "percentage", word, 1, &v))
		return -1;
	conf_class(p)->share = (u8)v;
	return 0;
}

static int key_class_cable(struct conf_parser *p, char *word)
{
	return conf_metres(p, word, &conf_class(p)->cable);
}

static const struct conf_key class_key[] = {
	{ "DSCP", ROCEGUARD_A_CLASS_DSCP, true, key_class_dscp },
	{ "Priority", ROCEGUARD_A_CLASS_PRIORITY, false, key_class_priority },
	{ "Lossless", ROCEGUARD_A_CLASS_LOSSLESS, false, key_class_lossless },
	{ "Strict", ROCEGUARD_A_CLASS_STRICT, false, key_class_strict },
	{ "ECN", ROCEGUARD_A_CLASS_ECN, false, key_class_ecn },
	{ "CNP", ROCEGUARD_A_CLASS_CNP, false, key_class_cnp },
	{ "Share", ROCEGUARD_A_CLASS_SHARE, false, key_class_share },
	{ "CableLength", ROCEGUARD_A_CLASS_CABLE_LENGTH, false,
	  key_class_cable },
	{ }
};

/* [Policy] and [Connection] */

static int key_mode(struct conf_parser *p, char *word)
{
	int v = conf_word(p, &rg_words_policy_mode, word);

	if (v < 0)
		return -1;
	p->conf->spec.observe = v == ROCEGUARD_POLICY_MODE_OBSERVE;
	return 0;
}

static int key_disruptive(struct conf_parser *p, char *word)
{
	int v = conf_word(p, &rg_words_disruptive, word);

	if (v < 0)
		return -1;
	p->conf->spec.disruptive = (u8)v;
	return 0;
}

static int key_policy_priority(struct conf_parser *p, char *word)
{
	long v;

	if (conf_number(p, "priority", word, 0, ROCEGUARD_PRIORITY_MAX, &v))
		return -1;
	p->conf->spec.priority = (u32)v;
	return 0;
}

static int key_rollout(struct conf_parser *p, char *word)
{
	long v;

	if (conf_percent(p, "percentage", word, 0, &v))
		return -1;
	p->conf->spec.rollout = (u8)v;
	return 0;
}

static int key_serial(struct conf_parser *p, char *word)
{
	if (!rg_name_valid(word))
		return conf_fail(p, "\"%s\" is no serial; use letters, digits, '.', '_' and '-', at most %d",
				 word, ROCEGUARD_NAME_MAX);
	strcpy(p->conf->spec.serial, word);
	return 0;
}

static const struct conf_key policy_key[] = {
	{ "Mode", ROCEGUARD_A_POLICY_MODE, false, key_mode },
	{ "Disruptive", ROCEGUARD_A_POLICY_DISRUPTIVE, false, key_disruptive },
	{ "Priority", ROCEGUARD_A_POLICY_PRIORITY, false, key_policy_priority },
	{ "Rollout", ROCEGUARD_A_POLICY_ROLLOUT, false, key_rollout },
	{ "Serial", ROCEGUARD_A_POLICY_SERIAL, false, key_serial },
	{ }
};

static int key_connection_class(struct conf_parser *p, char *word)
{
	if (!rg_name_valid(word))
		return conf_fail(p, "\"%s\" is no name of a class; use letters, digits, '.', '_' and '-', at most %d",
				 word, ROCEGUARD_NAME_MAX);
	strcpy(p->conf->spec.connection_class, word);
	return 0;
}

static int key_roce_mode(struct conf_parser *p, char *word)
{
	long v;

	if (conf_number(p, "RoCE mode", word, 1, 2, &v))
		return -1;
	p->conf->spec.roce_mode = (u8)v;
	return 0;
}

static const struct conf_key connection_key[] = {
	{ "Class", ROCEGUARD_A_CONNECTION_CLASS, false, key_connection_class },
	{ "RoCEMode", ROCEGUARD_A_CONNECTION_ROCE_MODE, false, key_roce_mode },
	{ }
};

const struct conf_section conf_sections[] = {
	{ "Match", RG_WHERE_MATCH, false, match_key },
	{ "Class", RG_WHERE_CLASS, true, class_key },
	{ "Policy", RG_WHERE_POLICY, false, policy_key },
	{ "Connection", RG_WHERE_CONNECTION, false, connection_key },
	{ "PFC", RG_WHERE_PFC, false, conf_pfc_key },
	{ "DSCP", RG_WHERE_DSCP, false, conf_dscp_key },
	{ "ETS", RG_WHERE_ETS, false, conf_ets_key },
	{ "ECN", RG_WHERE_ECN, false, conf_ecn_key },
	{ "Pause", RG_WHERE_PAUSE, false, conf_pause_key },
	{ "DCBX", RG_WHERE_DCBX, false, conf_dcbx_key },
	{ "MaxRate", RG_WHERE_MAXRATE, false, conf_maxrate_key },
	{ "Buffer", RG_WHERE_BUFFER, false, conf_buffer_key },
	{ "StormPrevention", RG_WHERE_STORM, false, conf_storm_key },
	{ "DCQCN", RG_WHERE_DCQCN, false, conf_dcqcn_key },
	{ "CNP", RG_WHERE_DCQCN, false, conf_cnp_key },
	{ "Check", RG_WHERE_CHECK, false, conf_check_key },
	{ "RDMACM", RG_WHERE_RDMA_CM, false, conf_rdma_cm_key },
	{ "VLAN", RG_WHERE_VLAN, false, conf_vlan_key },
	{ "Watchdog", RG_WHERE_WATCHDOG, false, conf_watchdog_key },
	{ }
};
