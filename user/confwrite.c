// SPDX-License-Identifier: GPL-2.0
/*
 * A policy as a file. What the policy says is written, and nothing else, so
 * that it loads back to the same policy.
 */
#include "conf.h"
#include "match.h"
#include "params.h"
#include "print.h"
#include "text.h"
#include "words.h"

/* A list goes on with its key again: libinih's lines are short. */
#define WORDS_A_LINE	10

static const char *yes(bool value)
{
	return value ? "yes" : "no";
}

/* A list under way: the key before the first word of each line. */
struct list {
	FILE *f;
	const char *key;
	unsigned int n;
};

static void list_next(struct list *l)
{
	if (l->n % WORDS_A_LINE)
		fputc(' ', l->f);
	else
		fprintf(l->f, "%s%s=", l->n ? "\n" : "", l->key);
	l->n++;
}

static void list_end(struct list *l)
{
	if (l->n)
		fputc('\n', l->f);
}

static void write_mask(FILE *f, const char *key, u64 mask, unsigned int n)
{
	struct list l = { f, key, 0 };
	unsigned int i;

	if (!mask)
		fprintf(f, "%s=none\n", key);
	for (i = 0; i < n; i++) {
		if (!(mask & BIT_ULL(i)))
			continue;
		list_next(&l);
		fprintf(f, "%u", i);
	}
	list_end(&l);
}

static void write_pairs(FILE *f, const char *key, const u8 *value,
			unsigned int n)
{
	struct list l = { f, key, 0 };
	unsigned int i;

	for (i = 0; i < n; i++) {
		if (value[i] == RG_UNSET)
			continue;
		list_next(&l);
		fprintf(f, "%u:%u", i, value[i]);
	}
	list_end(&l);
}

/* Cleaned: a newline in a pattern would be a key of its own. */
static void write_globs(FILE *f, const char *key,
			const char list[][ROCEGUARD_GLOB_MAX + 1],
			unsigned int n)
{
	char clean[4 * ROCEGUARD_GLOB_MAX + 8];
	unsigned int i;

	for (i = 0; i < n; i++)
		fprintf(f, "%s=%s\n", key,
			rg_clean(clean, sizeof(clean), list[i]));
}

static void write_match(FILE *f, const struct rg_match *m)
{
	char speed[32];

	fprintf(f, "[Match]\n");
	write_globs(f, "Driver", m->driver, m->n_driver);
	write_globs(f, "Name", m->ifname, m->n_ifname);
	write_globs(f, "PCI", m->pci, m->n_pci);
	write_globs(f, "RDMADevice", m->rdma_device, m->n_rdma_device);
	if (m->speed_from || m->speed_to) {
		rg_speed_text(speed, sizeof(speed), m->speed_from, m->speed_to);
		fprintf(f, "Speed=%s\n", speed);
	}
	fprintf(f, "RDMA=%s\n", yes(m->rdma));
}

static void write_class(FILE *f, const struct rg_class *class)
{
	fprintf(f, "\n[Class %s]\n", class->name);
	write_mask(f, "DSCP", class->dscp, RG_DSCPS);
	fprintf(f, "Priority=%u\n", class->priority);
	fprintf(f, "Lossless=%s\n", yes(class->lossless));
	if (class->strict)
		fprintf(f, "Strict=yes\n");
	if (class->ecn != RG_NOT_SAID)
		fprintf(f, "ECN=%s\n", yes(class->ecn == RG_YES));
	if (class->cnp)
		fprintf(f, "CNP=yes\n");
	if (class->share)
		fprintf(f, "Share=%u%%\n", class->share);
	if (class->cable)
		fprintf(f, "CableLength=%um\n", class->cable);
}

static void write_tcs(FILE *f, const struct rg_expert *x)
{
	struct list l = { f, "TC", 0 };
	unsigned int tc;

	for (tc = 0; tc < RG_TCS; tc++) {
		if (x->tsa[tc] == RG_UNSET)
			continue;
		list_next(&l);
		fprintf(f, "%u:%s", tc, rg_word(&rg_words_tsa, x->tsa[tc]));
		if (x->tsa[tc] == ROCEGUARD_TSA_ETS)
			fprintf(f, ":%u", x->bandwidth[tc]);
	}
	list_end(&l);
}

static void write_rates(FILE *f, const struct rg_expert *x)
{
	struct list l = { f, "TC", 0 };
	struct rg_text text;
	u64 kbps[RG_TCS];
	unsigned int tc;

	fprintf(f, "\n[MaxRate]\n");
	for (tc = 0; tc < RG_TCS; tc++) {
		if (!(x->rated & BIT(tc)))
			continue;
		kbps[tc] = x->kbps[tc];
		rg_text_init(&text);
		rg_text_rates(&text, (u8)BIT(tc), kbps);
		list_next(&l);
		fprintf(f, "%s", text.buf);
	}
	list_end(&l);
}

static void write_buffers(FILE *f, const struct rg_expert *x)
{
	struct list l = { f, "Size", 0 };
	unsigned int i;

	if (!(x->set & (BIT(RG_EXPERT_BUFFER_SIZE) | BIT(RG_EXPERT_BUFFER_PRIO))))
		return;
	fprintf(f, "\n[Buffer]\n");
	for (i = 0; i < RG_BUFFERS; i++) {
		if (!(x->sized & BIT(i)))
			continue;
		list_next(&l);
		fprintf(f, "%u:%u", i, x->buffer_size[i]);
	}
	list_end(&l);
	write_pairs(f, "Priority", x->prio_buffer, RG_PRIORITIES);
}

static void write_storm(FILE *f, const struct rg_expert *x)
{
	struct rg_text text;

	rg_text_init(&text);
	rg_text_storm(&text, x->storm);
	fprintf(f, "\n[StormPrevention]\nTimeout=%s\n", text.buf);
}

static void write_params(FILE *f, const struct rg_expert *x,
			 const char *section, enum roceguard_knob knob)
{
	int i;

	if (x->params & rg_params_of(knob))
		fprintf(f, "\n[%s]\n", section);
	for (i = 0; i < RG_PARAMS; i++)
		if (x->params & rg_params_of(knob) & BIT(i))
			fprintf(f, "%s=%u\n", rg_params[i].key, x->param[i]);
}

static bool said(const struct rg_expert *x, enum rg_expert_bit bit)
{
	return x->set & BIT(bit);
}

static void write_time(FILE *f, const char *key, u32 ms)
{
	struct rg_text text;

	rg_text_init(&text);
	rg_text_time(&text, ms);
	fprintf(f, "%s=%s\n", key, text.buf);
}

static void write_watchdog(FILE *f, const struct rg_expert *x)
{
	const struct rg_watchdog *watchdog = &x->watchdog;

	if (said(x, RG_EXPERT_DETECTION) || said(x, RG_EXPERT_RESTORATION) ||
	    said(x, RG_EXPERT_STORM_ACTION) || said(x, RG_EXPERT_STORM_FORCE))
		fprintf(f, "\n[Watchdog]\n");
	if (said(x, RG_EXPERT_DETECTION))
		write_time(f, "DetectionTime", watchdog->detection_ms);
	if (said(x, RG_EXPERT_RESTORATION))
		write_time(f, "RestorationTime", watchdog->restoration_ms);
	if (said(x, RG_EXPERT_STORM_ACTION))
		fprintf(f, "Action=%s\n",
			rg_word(&rg_words_storm_action, watchdog->action));
	if (said(x, RG_EXPERT_STORM_FORCE))
		fprintf(f, "Force=%s\n", yes(watchdog->force));
}

/* What the agent is to hold. */
static void write_agents(FILE *f, const struct rg_expert *x)
{
	if (said(x, RG_EXPERT_CM_TOS) || said(x, RG_EXPERT_CM_MODE))
		fprintf(f, "\n[RDMACM]\n");
	if (said(x, RG_EXPERT_CM_TOS))
		fprintf(f, "ToS=%u\n", x->cm_tos);
	if (said(x, RG_EXPERT_CM_MODE))
		fprintf(f, "Mode=%u\n", x->cm_mode);
	if (said(x, RG_EXPERT_VLAN_EGRESS))
		fprintf(f, "\n[VLAN]\nEgress=%s\n", yes(x->vlan_egress));
}

static void write_expert(FILE *f, const struct rg_expert *x)
{
	if (said(x, RG_EXPERT_PFC) || said(x, RG_EXPERT_CABLE))
		fprintf(f, "\n[PFC]\n");
	if (said(x, RG_EXPERT_PFC))
		write_mask(f, "Priorities", x->pfc, RG_PRIORITIES);
	if (said(x, RG_EXPERT_CABLE))
		fprintf(f, "CableLength=%um\n", x->cable);
	if (said(x, RG_EXPERT_TRUST) || said(x, RG_EXPERT_MAP))
		fprintf(f, "\n[DSCP]\n");
	if (said(x, RG_EXPERT_TRUST))
		fprintf(f, "Trust=%s\n", rg_word(&rg_words_trust, x->trust));
	write_pairs(f, "Map", x->map, RG_DSCPS);
	if (said(x, RG_EXPERT_PRIO_TC) || said(x, RG_EXPERT_TC))
		fprintf(f, "\n[ETS]\n");
	write_pairs(f, "PriorityTC", x->prio_tc, RG_PRIORITIES);
	write_tcs(f, x);
	if (said(x, RG_EXPERT_ECN_NP) || said(x, RG_EXPERT_ECN_RP))
		fprintf(f, "\n[ECN]\n");
	if (said(x, RG_EXPERT_ECN_NP))
		write_mask(f, "NP", x->ecn_np, RG_PRIORITIES);
	if (said(x, RG_EXPERT_ECN_RP))
		write_mask(f, "RP", x->ecn_rp, RG_PRIORITIES);
	if (said(x, RG_EXPERT_PAUSE_RX) || said(x, RG_EXPERT_PAUSE_TX))
		fprintf(f, "\n[Pause]\n");
	if (said(x, RG_EXPERT_PAUSE_RX))
		fprintf(f, "Rx=%s\n", yes(x->pause_rx));
	if (said(x, RG_EXPERT_PAUSE_TX))
		fprintf(f, "Tx=%s\n", yes(x->pause_tx));
	if (said(x, RG_EXPERT_DCBX))
		fprintf(f, "\n[DCBX]\nMode=%s\n",
			rg_word(&rg_words_dcbx_mode, x->dcbx));
	if (said(x, RG_EXPERT_RATE))
		write_rates(f, x);
	write_buffers(f, x);
	if (said(x, RG_EXPERT_STORM))
		write_storm(f, x);
	write_params(f, x, "DCQCN", ROCEGUARD_KNOB_DCQCN);
	write_params(f, x, "CNP", ROCEGUARD_KNOB_CNP);
	if (said(x, RG_EXPERT_MTU))
		fprintf(f, "\n[Check]\nMTU=%u\n", x->mtu);
	write_agents(f, x);
	write_watchdog(f, x);
}

void conf_write(FILE *f, const struct rg_policy_spec *spec)
{
	unsigned int i;

	fprintf(f, "# roceguard policy %s; keep it as %s.conf\n", spec->name,
		spec->name);
	write_match(f, &spec->match);
	for (i = 0; i < spec->n_classes; i++)
		write_class(f, &spec->class[i]);
	fprintf(f, "\n[Policy]\nMode=%s\nDisruptive=%s\n",
		rg_word(&rg_words_policy_mode, spec->observe),
		rg_word(&rg_words_disruptive, spec->disruptive));
	if (spec->priority)
		fprintf(f, "Priority=%u\n", spec->priority);
	if (spec->rollout < 100)
		fprintf(f, "Rollout=%u%%\n", spec->rollout);
	if (spec->serial[0])
		fprintf(f, "Serial=%s\n", spec->serial);
	if (spec->connection_class[0] || spec->roce_mode)
		fprintf(f, "\n[Connection]\n");
	if (spec->connection_class[0])
		fprintf(f, "Class=%s\n", spec->connection_class);
	if (spec->roce_mode)
		fprintf(f, "RoCEMode=%u\n", spec->roce_mode);
	write_expert(f, &spec->expert);
}
