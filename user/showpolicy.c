// SPDX-License-Identifier: GPL-2.0
/* How a policy looks. */
#include "match.h"
#include "params.h"
#include "print.h"
#include "show.h"
#include "text.h"
#include "words.h"

static bool said(const struct rg_expert *x, enum rg_expert_bit bit)
{
	return x->set & BIT(bit);
}

/* A mask in words: " 3 4", or " none". */
static void mask_text(u64 mask, unsigned int n)
{
	unsigned int i;

	if (!mask)
		out_text(" none");
	for (i = 0; i < n; i++)
		if (mask & BIT_ULL(i))
			out_text(" %u", i);
}

static void mask_json(const char *key, u64 mask, unsigned int n)
{
	unsigned int i;

	out_open_array(key);
	for (i = 0; i < n; i++)
		if (mask & BIT_ULL(i))
			out_uint(NULL, NULL, i);
	out_close();
}

static void globs_text(const char *what, unsigned int n,
		       const char list[][ROCEGUARD_GLOB_MAX + 1])
{
	unsigned int i;

	if (n)
		out_text(", %s", what);
	for (i = 0; i < n; i++)
		out_str(NULL, i ? " or %s" : " %s", list[i]);
}

static void globs_json(const char *key, unsigned int n,
		       const char list[][ROCEGUARD_GLOB_MAX + 1])
{
	unsigned int i;

	out_open_array(key);
	for (i = 0; i < n; i++)
		out_str(NULL, NULL, list[i]);
	out_close();
}

static void speed_text(const struct rg_match *match)
{
	char speed[32];

	if (!match->speed_from && !match->speed_to)
		return;
	rg_speed_text(speed, sizeof(speed), match->speed_from,
		      match->speed_to);
	out_text(", speed %s", speed);
}

static void class_text(const struct rg_class *class)
{
	out_str(NULL, "  class %s: DSCP", class->name);
	mask_text(class->dscp, RG_DSCPS);
	out_text(", priority %u%s%s%s", class->priority,
		 class->lossless ? ", lossless" : "",
		 class->strict ? ", strict" : "", class->cnp ? ", CNP" : "");
	if (class->ecn != RG_NOT_SAID)
		out_text(", ECN %s", class->ecn == RG_YES ? "on" : "off");
	if (class->share)
		out_text(", share %u%%", class->share);
	if (class->cable)
		out_text(", cable %u m", class->cable);
	out_text("\n");
}

static void pairs_text(const char *what, const u8 *value, unsigned int n)
{
	unsigned int i;

	out_text("  %s:", what);
	for (i = 0; i < n; i++)
		if (value[i] != RG_UNSET)
			out_text(" %u:%u", i, value[i]);
	out_text("\n");
}

static void tcs_text(const struct rg_expert *x)
{
	unsigned int tc;

	out_text("  ets TC:");
	for (tc = 0; tc < RG_TCS; tc++) {
		if (x->tsa[tc] == RG_UNSET)
			continue;
		out_text(" %u:%s", tc, rg_word(&rg_words_tsa, x->tsa[tc]));
		if (x->tsa[tc] == ROCEGUARD_TSA_ETS)
			out_text(":%u%%", x->bandwidth[tc]);
	}
	out_text("\n");
}

static void expert_mask_text(const struct rg_expert *x, enum rg_expert_bit bit,
			     const char *what, u8 mask)
{
	if (!said(x, bit))
		return;
	out_text("  %s: priorities", what);
	mask_text(mask, RG_PRIORITIES);
	out_text("\n");
}

static void rates_text(const struct rg_expert *x)
{
	struct rg_text text;
	u64 kbps[RG_TCS];
	unsigned int tc;

	for (tc = 0; tc < RG_TCS; tc++)
		kbps[tc] = x->kbps[tc];
	rg_text_init(&text);
	rg_text_rates(&text, x->rated, kbps);
	out_text("  maxrate TC:limit: %s\n", text.buf);
}

static void buffers_text(const struct rg_expert *x)
{
	struct rg_text text;

	rg_text_init(&text);
	rg_text_buffers(&text, x->sized, x->buffer_size, x->prio_buffer);
	out_text("  buffer: %s\n", text.buf);
}

static void storm_text(const struct rg_expert *x)
{
	struct rg_text text;

	rg_text_init(&text);
	rg_text_storm(&text, x->storm);
	out_text("  storm-prevention: %s\n", text.buf);
}

static void params_text(const struct rg_expert *x)
{
	int i;

	for (i = 0; i < RG_PARAMS; i++) {
		const struct rg_param *param = &rg_params[i];

		if (!(x->params & BIT(i)))
			continue;
		out_text("  %s %s: %u%s%s", rg_word(&rg_words_knob, param->knob),
			 param->name, x->param[i],
			 strchr("/%", param->unit[0]) ? "" : " ", param->unit);
		if (x->param[i] != param->usual)
			out_text(", usual is %u", param->usual);
		out_text("\n");
	}
}

static void agents_text(const struct rg_expert *x)
{
	if (said(x, RG_EXPERT_CM_TOS))
		out_text("  rdma-cm: ToS %u\n", x->cm_tos);
	if (said(x, RG_EXPERT_CM_MODE))
		out_text("  rdma-cm: RoCE v%u\n", x->cm_mode);
	if (said(x, RG_EXPERT_VLAN_EGRESS))
		out_text("  vlan-egress: %s\n", x->vlan_egress ?
			 "the class of connections" : "left alone");
}

static void time_text(const struct rg_expert *x, enum rg_expert_bit bit,
		      const char *what, u32 ms)
{
	struct rg_text text;

	if (!said(x, bit))
		return;
	rg_text_init(&text);
	rg_text_time(&text, ms);
	out_text("  watchdog: %s time %s\n", what, text.buf);
}

static void watchdog_text(const struct rg_expert *x)
{
	const struct rg_watchdog *watchdog = &x->watchdog;

	time_text(x, RG_EXPERT_DETECTION, "detection", watchdog->detection_ms);
	time_text(x, RG_EXPERT_RESTORATION, "restoration",
		  watchdog->restoration_ms);
	if (said(x, RG_EXPERT_STORM_ACTION))
		out_text("  watchdog: action %s\n",
			 rg_word(&rg_words_storm_action, watchdog->action));
	if (said(x, RG_EXPERT_STORM_FORCE))
		out_text("  watchdog: %s\n", watchdog->force ?
			 "also where it drops the link" :
			 "not where it drops the link");
}

static void expert_text(const struct rg_expert *x)
{
	expert_mask_text(x, RG_EXPERT_PFC, "pfc", x->pfc);
	if (said(x, RG_EXPERT_CABLE))
		out_text("  pfc cable: %u m\n", x->cable);
	if (said(x, RG_EXPERT_TRUST))
		out_text("  dscp: trust %s\n",
			 rg_word(&rg_words_trust, x->trust));
	if (said(x, RG_EXPERT_MAP))
		pairs_text("dscp map DSCP:priority", x->map, RG_DSCPS);
	if (said(x, RG_EXPERT_PRIO_TC))
		pairs_text("ets map priority:TC", x->prio_tc, RG_PRIORITIES);
	if (said(x, RG_EXPERT_TC))
		tcs_text(x);
	expert_mask_text(x, RG_EXPERT_ECN_NP, "ecn NP", x->ecn_np);
	expert_mask_text(x, RG_EXPERT_ECN_RP, "ecn RP", x->ecn_rp);
	if (said(x, RG_EXPERT_PAUSE_RX))
		out_text("  pause rx: %s\n", x->pause_rx ? "on" : "off");
	if (said(x, RG_EXPERT_PAUSE_TX))
		out_text("  pause tx: %s\n", x->pause_tx ? "on" : "off");
	if (said(x, RG_EXPERT_DCBX))
		out_text("  dcbx: %s\n", rg_word(&rg_words_dcbx_mode, x->dcbx));
	if (said(x, RG_EXPERT_RATE))
		rates_text(x);
	if (said(x, RG_EXPERT_BUFFER_SIZE) || said(x, RG_EXPERT_BUFFER_PRIO))
		buffers_text(x);
	if (said(x, RG_EXPERT_STORM))
		storm_text(x);
	params_text(x);
	if (said(x, RG_EXPERT_MTU))
		out_text("  mtu: at least %u, checked only\n", x->mtu);
	agents_text(x);
	watchdog_text(x);
}

void show_policy(const struct model_policy *policy)
{
	const struct rg_policy_spec *spec = &policy->spec;
	unsigned int i;

	out_str(NULL, "%s: ", spec->name);
	out_text("%s, disruptive writes: %s, generation %u, governs %u port%s\n",
		 rg_word(&rg_words_policy_mode, spec->observe),
		 rg_word(&rg_words_disruptive, spec->disruptive),
		 policy->generation, policy->ports, policy->ports == 1 ? "" : "s");
	if (spec->priority)
		out_text("  priority %u among policies\n", spec->priority);
	if (spec->serial[0])
		out_str(NULL, "  serial %s\n", spec->serial);
	if (spec->rollout < 100)
		out_text("  rollout: %u%% of the hosts; this one comes after %u%% and %s\n",
			 spec->rollout, spec->rollout_at,
			 rg_policy_rolled_out(spec) ? "is in" :
						      "only observes yet");
	if (policy->confirm_left)
		out_text("  to be confirmed within %u s: 'roceguard policy confirm %s'\n",
			 policy->confirm_left, spec->name);
	out_text("  match: %s", spec->match.rdma ? "RoCE-capable ports" :
						    "all ports");
	globs_text("driver", spec->match.n_driver, spec->match.driver);
	globs_text("name", spec->match.n_ifname, spec->match.ifname);
	globs_text("PCI", spec->match.n_pci, spec->match.pci);
	globs_text("RDMA device", spec->match.n_rdma_device,
		   spec->match.rdma_device);
	speed_text(&spec->match);
	out_text("\n");
	for (i = 0; i < spec->n_classes; i++)
		class_text(&spec->class[i]);
	expert_text(&spec->expert);
	if (spec->connection_class[0])
		out_str(NULL, "  connections: class %s\n",
			spec->connection_class);
	if (spec->roce_mode)
		out_text("  connections: RoCE v%u\n", spec->roce_mode);
}

static void class_json(const struct rg_class *class)
{
	out_open_object(NULL);
	out_str("name", NULL, class->name);
	mask_json("dscp", class->dscp, RG_DSCPS);
	out_uint("priority", NULL, class->priority);
	out_bool("lossless", NULL, class->lossless);
	out_bool("strict", NULL, class->strict);
	out_bool("cnp", NULL, class->cnp);
	if (class->ecn != RG_NOT_SAID)
		out_bool("ecn", NULL, class->ecn == RG_YES);
	if (class->share)
		out_uint("share", NULL, class->share);
	if (class->cable)
		out_uint("cable_length", NULL, class->cable);
	out_close();
}

static void pairs_json(const char *key, const char *from, const char *to,
		       const u8 *value, unsigned int n)
{
	unsigned int i;

	out_open_array(key);
	for (i = 0; i < n; i++) {
		if (value[i] == RG_UNSET)
			continue;
		out_open_object(NULL);
		out_uint(from, NULL, i);
		out_uint(to, NULL, value[i]);
		out_close();
	}
	out_close();
}

static void tcs_json(const struct rg_expert *x)
{
	unsigned int tc;

	out_open_array("tc");
	for (tc = 0; tc < RG_TCS; tc++) {
		if (x->tsa[tc] == RG_UNSET)
			continue;
		out_open_object(NULL);
		out_uint("tc", NULL, tc);
		out_str("tsa", NULL, rg_word(&rg_words_tsa, x->tsa[tc]));
		out_uint("bandwidth", NULL, x->bandwidth[tc]);
		out_close();
	}
	out_close();
}

static void rates_json(const struct rg_expert *x)
{
	unsigned int tc;

	out_open_array("maxrate");
	for (tc = 0; tc < RG_TCS; tc++) {
		if (!(x->rated & BIT(tc)))
			continue;
		out_open_object(NULL);
		out_uint("tc", NULL, tc);
		out_uint("kbps", NULL, x->kbps[tc]);
		out_close();
	}
	out_close();
}

static void buffers_json(const struct rg_expert *x)
{
	unsigned int i;

	out_open_object("buffer");
	out_open_array("size");
	for (i = 0; i < RG_BUFFERS; i++) {
		if (!(x->sized & BIT(i)))
			continue;
		out_open_object(NULL);
		out_uint("buffer", NULL, i);
		out_uint("bytes", NULL, x->buffer_size[i]);
		out_close();
	}
	out_close();
	pairs_json("priority", "priority", "buffer", x->prio_buffer,
		   RG_PRIORITIES);
	out_close();
}

/* Milliseconds are a number; auto and off are none. */
static void storm_json(const struct rg_expert *x)
{
	struct rg_text text;

	rg_text_init(&text);
	rg_text_storm(&text, x->storm);
	if (x->storm == ROCEGUARD_STORM_OFF || x->storm == ROCEGUARD_STORM_AUTO)
		out_str("timeout", NULL, text.buf);
	else
		out_uint("timeout_ms", NULL, x->storm);
}

/* "rp-ai-rate" as "rp_ai_rate" */
static void param_json(const struct rg_param *param, u32 value)
{
	char key[64], *s;

	snprintf(key, sizeof(key), "%s", param->name);
	for (s = key; *s; s++)
		if (*s == '-')
			*s = '_';
	out_uint(key, NULL, value);
}

static void params_json(const struct rg_expert *x)
{
	int i;

	out_open_object("dcqcn");
	for (i = 0; i < RG_PARAMS; i++)
		if (x->params & BIT(i))
			param_json(&rg_params[i], x->param[i]);
	out_close();
}

static void agents_json(const struct rg_expert *x)
{
	if (said(x, RG_EXPERT_CM_TOS) || said(x, RG_EXPERT_CM_MODE)) {
		out_open_object("rdma_cm");
		if (said(x, RG_EXPERT_CM_TOS))
			out_uint("tos", NULL, x->cm_tos);
		if (said(x, RG_EXPERT_CM_MODE))
			out_uint("mode", NULL, x->cm_mode);
		out_close();
	}
	if (said(x, RG_EXPERT_VLAN_EGRESS)) {
		out_open_object("vlan");
		out_bool("egress", NULL, x->vlan_egress);
		out_close();
	}
}

static void watchdog_json(const struct rg_expert *x)
{
	const struct rg_watchdog *watchdog = &x->watchdog;

	out_open_object("watchdog");
	if (said(x, RG_EXPERT_DETECTION))
		out_uint("detection_ms", NULL, watchdog->detection_ms);
	if (said(x, RG_EXPERT_RESTORATION))
		out_uint("restoration_ms", NULL, watchdog->restoration_ms);
	if (said(x, RG_EXPERT_STORM_ACTION))
		out_str("action", NULL,
			rg_word(&rg_words_storm_action, watchdog->action));
	if (said(x, RG_EXPERT_STORM_FORCE))
		out_bool("force", NULL, watchdog->force);
	out_close();
}

static void expert_json(const struct rg_expert *x)
{
	if (said(x, RG_EXPERT_PFC) || said(x, RG_EXPERT_CABLE)) {
		out_open_object("pfc");
		if (said(x, RG_EXPERT_PFC))
			mask_json("priorities", x->pfc, RG_PRIORITIES);
		if (said(x, RG_EXPERT_CABLE))
			out_uint("cable_length", NULL, x->cable);
		out_close();
	}
	if (said(x, RG_EXPERT_TRUST) || said(x, RG_EXPERT_MAP)) {
		out_open_object("dscp");
		if (said(x, RG_EXPERT_TRUST))
			out_str("trust", NULL,
				rg_word(&rg_words_trust, x->trust));
		if (said(x, RG_EXPERT_MAP))
			pairs_json("map", "dscp", "priority", x->map,
				   RG_DSCPS);
		out_close();
	}
	if (said(x, RG_EXPERT_PRIO_TC) || said(x, RG_EXPERT_TC)) {
		out_open_object("ets");
		pairs_json("prio_tc", "priority", "tc", x->prio_tc,
			   RG_PRIORITIES);
		tcs_json(x);
		out_close();
	}
	if (said(x, RG_EXPERT_ECN_NP) || said(x, RG_EXPERT_ECN_RP)) {
		out_open_object("ecn");
		if (said(x, RG_EXPERT_ECN_NP))
			mask_json("np", x->ecn_np, RG_PRIORITIES);
		if (said(x, RG_EXPERT_ECN_RP))
			mask_json("rp", x->ecn_rp, RG_PRIORITIES);
		out_close();
	}
	if (said(x, RG_EXPERT_PAUSE_RX) || said(x, RG_EXPERT_PAUSE_TX)) {
		out_open_object("pause");
		if (said(x, RG_EXPERT_PAUSE_RX))
			out_bool("rx", NULL, x->pause_rx);
		if (said(x, RG_EXPERT_PAUSE_TX))
			out_bool("tx", NULL, x->pause_tx);
		out_close();
	}
	if (said(x, RG_EXPERT_DCBX))
		out_str("dcbx", NULL, rg_word(&rg_words_dcbx_mode, x->dcbx));
	if (said(x, RG_EXPERT_RATE))
		rates_json(x);
	if (said(x, RG_EXPERT_BUFFER_SIZE) || said(x, RG_EXPERT_BUFFER_PRIO))
		buffers_json(x);
	if (said(x, RG_EXPERT_STORM)) {
		out_open_object("storm_prevention");
		storm_json(x);
		out_close();
	}
	if (said(x, RG_EXPERT_PARAMS))
		params_json(x);
	if (said(x, RG_EXPERT_MTU)) {
		out_open_object("check");
		out_uint("mtu", NULL, x->mtu);
		out_close();
	}
	agents_json(x);
	if (said(x, RG_EXPERT_DETECTION) || said(x, RG_EXPERT_RESTORATION) ||
	    said(x, RG_EXPERT_STORM_ACTION) || said(x, RG_EXPERT_STORM_FORCE))
		watchdog_json(x);
}

static void json_rollout(const struct rg_policy_spec *spec)
{
	out_uint("rollout", NULL, spec->rollout);
	out_uint("rollout_at", NULL, spec->rollout_at);
	out_bool("rolled_out", NULL, rg_policy_rolled_out(spec));
	if (spec->serial[0])
		out_str("serial", NULL, spec->serial);
}

void show_policy_json(const struct model_policy *policy)
{
	const struct rg_policy_spec *spec = &policy->spec;
	unsigned int i;

	out_str("name", NULL, spec->name);
	out_str("mode", NULL, rg_word(&rg_words_policy_mode, spec->observe));
	out_str("disruptive", NULL,
		rg_word(&rg_words_disruptive, spec->disruptive));
	out_uint("priority", NULL, spec->priority);
	json_rollout(spec);
	out_uint("generation", NULL, policy->generation);
	out_uint("ports", NULL, policy->ports);
	if (policy->confirm_left)
		out_uint("confirm_left", NULL, policy->confirm_left);
	out_open_object("match");
	globs_json("driver", spec->match.n_driver, spec->match.driver);
	globs_json("ifname", spec->match.n_ifname, spec->match.ifname);
	globs_json("pci", spec->match.n_pci, spec->match.pci);
	globs_json("rdma_device", spec->match.n_rdma_device,
		   spec->match.rdma_device);
	if (spec->match.speed_from)
		out_uint("speed_from", NULL, spec->match.speed_from);
	if (spec->match.speed_to)
		out_uint("speed_to", NULL, spec->match.speed_to);
	out_bool("rdma", NULL, spec->match.rdma);
	out_close();
	out_open_array("class");
	for (i = 0; i < spec->n_classes; i++)
		class_json(&spec->class[i]);
	out_close();
	expert_json(&spec->expert);
	if (!spec->connection_class[0] && !spec->roce_mode)
		return;
	out_open_object("connection");
	if (spec->connection_class[0])
		out_str("class", NULL, spec->connection_class);
	if (spec->roce_mode)
		out_uint("roce_mode", NULL, spec->roce_mode);
	out_close();
}
