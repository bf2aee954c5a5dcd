// SPDX-License-Identifier: GPL-2.0
/* How ports, knobs, entries and the host look. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "inuse.h"
#include "print.h"
#include "show.h"
#include "words.h"

void show_wrapped(int indent, const char *text)
{
	int column = 0;
	char clean[4096];
	const char *s;
	size_t n;

	if (out_json())
		return;
	s = rg_clean(clean, sizeof(clean), text);
	while (*(s += strspn(s, " "))) {
		n = strcspn(s, " ");
		if (column && column + 1 + (int)n > SHOW_WIDTH) {
			out_text("\n");
			column = 0;
		}
		if (column) {
			out_text(" %.*s", (int)n, s);
			column += 1 + (int)n;
		} else {
			out_text("%*s%.*s", indent, "", (int)n, s);
			column = indent + (int)n;
		}
		s += n;
	}
	out_text("\n");
}

bool show_port_is_well(const struct model_port *port)
{
	return port->state == ROCEGUARD_STATE_ENFORCED ||
	       port->state == ROCEGUARD_STATE_UNMANAGED;
}

bool show_knob_is_well(const struct model_knob *knob)
{
	return knob->verdict == ROCEGUARD_VERDICT_UNMANAGED ||
	       knob->verdict == ROCEGUARD_VERDICT_HELD ||
	       knob->verdict == ROCEGUARD_VERDICT_CORRECTED;
}

const char *show_policy_at(const struct model_port *port, char *buf,
			   size_t size)
{
	if (port->policy[0])
		snprintf(buf, size, "%s@%u%s%s", port->policy,
			 port->generation, port->serial[0] ? ":" : "",
			 port->serial);
	else
		snprintf(buf, size, "-");
	return buf;
}

/* Keep a column: what is too long ends in "...", JSON has the whole. */
static const char *fit(char *buf, size_t width, const char *s)
{
	size_t n = strlen(s);

	if (n <= width)
		snprintf(buf, width + 1, "%s", s);
	else
		snprintf(buf, width + 1, "%.*s...", (int)width - 3, s);
	return buf;
}

/* "rxe0/1"; "-" for none; "capable" if one may come. */
static const char *rdma(const struct model_port *port, char *buf, size_t size)
{
	if (port->rdma_device[0])
		snprintf(buf, size, "%s/%u", port->rdma_device,
			 port->rdma_port);
	else
		snprintf(buf, size, "%s", port->roce_capable ? "capable" : "-");
	return buf;
}

void show_port_heading(void)
{
	out_text("%-15s %-10s %-24s %10s  %s\n", "PORT", "STATE",
		 "POLICY@GENERATION", "LINK_DROPS", "RDMA");
}

static void show_statistics(const struct model_port *port)
{
	out_text("    %llu corrections, %llu drifts, %llu passes, the last took %u us\n",
		 (unsigned long long)port->corrections,
		 (unsigned long long)port->drifts,
		 (unsigned long long)port->passes, port->pass_us);
}

/* "pfc refused: firmware LLDP owns DCB; ..." */
static void show_sick_knob(const struct model_knob *k)
{
	char line[3 * MODEL_TEXT];
	int n;

	n = snprintf(line, sizeof(line), "%s %s",
		     rg_word(&rg_words_knob, k->id),
		     rg_word(&rg_words_verdict, k->verdict));
	if (k->reason[0])
		n += snprintf(line + n, sizeof(line) - (size_t)n, ": %s",
			      k->reason);
	else if (k->err)
		n += snprintf(line + n, sizeof(line) - (size_t)n, ": %s",
			      strerror((int)k->err));
	if (k->verdict == ROCEGUARD_VERDICT_DRIFTED && k->have[0])
		snprintf(line + n, sizeof(line) - (size_t)n, "%s is %s, not %s",
			 k->reason[0] || k->err ? ";" : ":", k->have, k->want);
	show_wrapped(4, line);
}

/* "overlay: ecn np 3 rp 3, from sysfs by 4711/bash" */
static void show_overlay(const struct model_port *port, int indent)
{
	char line[3 * MODEL_TEXT];
	uint32_t i;
	int n;

	for (i = 0; i < MODEL_KNOBS; i++) {
		const struct model_overlay *o = &port->overlay[i];

		if (!o->want[0])
			continue;
		n = snprintf(line, sizeof(line), "overlay: %s %s, from sysfs",
			     rg_word(&rg_words_knob, o->id), o->want);
		if (o->has_who)
			snprintf(line + n, sizeof(line) - (size_t)n,
				 " by %u/%s", o->pid, o->comm);
		show_wrapped(indent, line);
	}
}

static void show_illness(const struct model_port *port)
{
	bool told = false;
	uint32_t i;

	if (show_port_is_well(port))
		return;
	for (i = 0; i < MODEL_KNOBS; i++) {
		if (show_knob_is_well(&port->knob[i]))
			continue;
		show_sick_knob(&port->knob[i]);
		told |= port->knob[i].reason[0] &&
			!strcmp(port->knob[i].reason, port->reason);
	}
	if (port->reason[0] && !told)
		show_wrapped(4, port->reason);
}

void show_port(const struct model_port *port, bool stats)
{
	char at[SHOW_POLICY_AT], text[MODEL_TEXT + 16];
	char name[25], clean[64];

	if (out_json()) {
		show_port_json(port, NULL, NULL);
		return;
	}
	out_text("%-15s %-10s %-24s %10llu  %s\n",
		 rg_clean(clean, sizeof(clean), port->ifname),
		 rg_word(&rg_words_state, port->state),
		 fit(name, 24, show_policy_at(port, at, sizeof(at))),
		 (unsigned long long)port->link_drops,
		 rdma(port, text, sizeof(text)));
	show_illness(port);
	show_overlay(port, 4);
	if (stats)
		show_statistics(port);
}

static void show_knob_detail(const struct model_knob *k)
{
	if (k->verdict == ROCEGUARD_VERDICT_UNMANAGED && !k->have[0]) {
		out_text("  %-16s unmanaged\n", rg_word(&rg_words_knob, k->id));
		return;
	}
	out_text("  %-16s %s, checked against %s", rg_word(&rg_words_knob, k->id),
		 rg_word(&rg_words_verdict, k->verdict),
		 k->source == ROCEGUARD_SOURCE_NONE ? "nothing" :
		 rg_word(&rg_words_source, k->source));
	if (k->id == ROCEGUARD_KNOB_MTU)
		out_text(", never written\n");
	else
		out_text(", a write is %s\n", rg_word(&rg_words_cost, k->cost));
	out_str(NULL, "         have: %s\n", k->have[0] ? k->have : "unknown");
	if (k->want[0])
		out_str(NULL, "         want: %s\n", k->want);
	if (k->reason[0])
		show_wrapped(9, k->reason);
	if (k->err)
		out_text("         errno %u: %s\n", k->err,
			 strerror((int)k->err));
}

/* Why this policy and no other. */
static void show_choice(const struct model_port *port)
{
	char line[3 * MODEL_TEXT];
	uint32_t i;

	if (!port->policy_why[0])
		return;
	snprintf(line, sizeof(line), "policy %s is %s", port->policy,
		 port->policy_why);
	show_wrapped(2, line);
	for (i = 0; i < port->n_lost; i++) {
		snprintf(line, sizeof(line), "not %s: %s", port->lost[i].policy,
			 port->lost[i].why);
		show_wrapped(4, line);
	}
	if (port->fitting > port->n_lost + 1)
		out_text("    and %u more that fit less\n",
			 port->fitting - port->n_lost - 1);
}

/* JSON: strings that are not there are left out. */
static void json_text(const char *key, const char *value)
{
	if (value[0])
		out_str(key, NULL, value);
}

static void show_choice_json(const struct model_port *port)
{
	uint32_t i;

	if (!port->policy_why[0])
		return;
	out_str("policy_why", NULL, port->policy_why);
	out_uint("policies_fitting", NULL, port->fitting);
	out_open_array("policies_lost");
	for (i = 0; i < port->n_lost; i++) {
		out_open_object(NULL);
		out_str("policy", NULL, port->lost[i].policy);
		out_str("why", NULL, port->lost[i].why);
		out_close();
	}
	out_close();
}

static void show_watchdog(const struct model_port *port)
{
	char line[sizeof(port->watchdog) + 16];

	if (!port->watchdog[0])
		return;
	snprintf(line, sizeof(line), "watchdog: %s", port->watchdog);
	show_wrapped(2, line);
}

static void show_use(const struct inuse *use)
{
	char words[3072];
	char line[sizeof(words) + 16];

	inuse_words(use, words, sizeof(words));
	snprintf(line, sizeof(line), "in use: %s", words);
	show_wrapped(2, line);
}

void show_port_detail(const struct model_port *port,
		      const struct conn_links *links, const struct inuse *use,
		      bool stats)
{
	char at[SHOW_POLICY_AT], text[MODEL_TEXT + 16];
	uint32_t i;

	if (out_json()) {
		show_port_json(port, links, use);
		return;
	}
	out_str(NULL, "%s: ", port->ifname);
	out_text("%s, policy %s, RDMA %s, ",
		 rg_word(&rg_words_state, port->state),
		 show_policy_at(port, at, sizeof(at)),
		 rdma(port, text, sizeof(text)));
	out_str(NULL, "driver %s", port->driver[0] ? port->driver : "-");
	if (port->pci[0])
		out_str(NULL, ", PCI %s", port->pci);
	out_text("\n");
	show_choice(port);
	if (!show_port_is_well(port) && port->reason[0])
		show_wrapped(4, port->reason);
	out_text("  last pass: %s; links dropped by us: %llu, left of the budget: %u\n",
		 port->has_trigger ? rg_word(&rg_words_trigger, port->trigger) :
				     "none yet",
		 (unsigned long long)port->link_drops, port->drops_left);
	show_watchdog(port);
	show_use(use);
	show_overlay(port, 2);
	show_vlans(port, links);
	for (i = 0; i < MODEL_KNOBS; i++)
		show_knob_detail(&port->knob[i]);
	if (stats)
		show_statistics(port);
}

static void show_knob_json(const struct model_knob *k)
{
	out_open_object(NULL);
	out_str("knob", NULL, rg_word(&rg_words_knob, k->id));
	out_str("verdict", NULL, rg_word(&rg_words_verdict, k->verdict));
	out_str("source", NULL, rg_word(&rg_words_source, k->source));
	out_str("cost", NULL, rg_word(&rg_words_cost, k->cost));
	json_text("have", k->have);
	json_text("want", k->want);
	json_text("reason", k->reason);
	if (k->err)
		out_uint("errno", NULL, k->err);
	if (k->delegated)
		out_str("delegated", NULL, k->to_hold ? "hold" : "compare");
	out_close();
}

static void show_overlay_json(const struct model_overlay *o)
{
	out_open_object(NULL);
	out_str("knob", NULL, rg_word(&rg_words_knob, o->id));
	out_str("want", NULL, o->want);
	if (o->has_who) {
		out_uint("uid", NULL, o->uid);
		out_uint("pid", NULL, o->pid);
		out_str("comm", NULL, o->comm);
	}
	out_close();
}

void show_port_json(const struct model_port *port,
		    const struct conn_links *links, const struct inuse *use)
{
	uint32_t i;

	out_open_object(NULL);
	out_uint("ifindex", NULL, port->ifindex);
	out_str("ifname", NULL, port->ifname);
	if (port->has_netnsid)
		out_int("netnsid", NULL, port->netnsid);
	json_text("driver", port->driver);
	json_text("pci", port->pci);
	if (port->speed)
		out_uint("speed_mbps", NULL, port->speed);
	out_str("state", NULL, rg_word(&rg_words_state, port->state));
	json_text("reason", port->reason);
	json_text("policy", port->policy);
	show_choice_json(port);
	out_uint("generation", NULL, port->generation);
	json_text("serial", port->serial);
	json_text("watchdog", port->watchdog);
	if (port->has_trigger)
		out_str("trigger", NULL,
			rg_word(&rg_words_trigger, port->trigger));
	out_bool("dcb", NULL, port->dcb);
	out_bool("roce_capable", NULL, port->roce_capable);
	if (port->rdma_device[0]) {
		out_str("rdma_device", NULL, port->rdma_device);
		out_uint("rdma_port", NULL, port->rdma_port);
	}
	json_text("bond", port->bond);
	out_uint("link_drops", NULL, port->link_drops);
	out_uint("drops_left", NULL, port->drops_left);
	out_uint("corrections", NULL, port->corrections);
	out_uint("drifts", NULL, port->drifts);
	out_uint("passes", NULL, port->passes);
	out_uint("pass_us", NULL, port->pass_us);
	out_open_array("knobs");
	for (i = 0; i < MODEL_KNOBS; i++)
		show_knob_json(&port->knob[i]);
	out_close();
	out_open_array("overlay");
	for (i = 0; i < MODEL_KNOBS; i++)
		if (port->overlay[i].want[0])
			show_overlay_json(&port->overlay[i]);
	out_close();
	if (links)
		show_vlans(port, links);
	if (use)
		inuse_json(use);
	out_close();
}

void show_entry_json(const struct model_entry *e)
{
	out_uint("seq", NULL, e->seq);
	out_uint("time_ns", NULL, e->time);
	out_str("action", NULL, rg_word(&rg_words_action, e->action));
	if (e->has_trigger)
		out_str("trigger", NULL,
			rg_word(&rg_words_trigger, e->trigger));
	if (e->ifindex)
		out_uint("ifindex", NULL, e->ifindex);
	json_text("ifname", e->ifname);
	if (e->has_knob)
		out_str("knob", NULL, rg_word(&rg_words_knob, e->knob));
	if (e->has_verdict)
		out_str("verdict", NULL,
			rg_word(&rg_words_verdict, e->verdict));
	json_text("from", e->from);
	json_text("to", e->to);
	if (e->has_duration)
		out_uint("duration_us", NULL, e->duration_us);
	out_bool("link_drop", NULL, e->link_drop);
	if (e->err)
		out_uint("errno", NULL, e->err);
	json_text("policy", e->policy);
	out_uint("generation", NULL, e->generation);
	json_text("request", e->request);
	if (e->has_uid)
		out_uint("uid", NULL, e->uid);
	if (e->has_pid)
		out_uint("pid", NULL, e->pid);
	json_text("comm", e->comm);
}

void show_host(const struct model_host *host)
{
	char left[32] = "";

	if (host->freeze_left)
		snprintf(left, sizeof(left), ", %u s left", host->freeze_left);
	out_text("%s%s, mode %s, generation %u, %u %s, %u %s\n",
		 host->frozen ? "frozen" : "not frozen", left,
		 rg_word(&rg_words_mode, host->mode),
		 host->generation, host->policies,
		 host->policies == 1 ? "policy" : "policies", host->ports,
		 host->ports == 1 ? "port" : "ports");
	if (!host->rdma && host->rdma_reason[0])
		out_str(NULL, "without RDMA: %s\n", host->rdma_reason);
}

void show_host_json(const struct model_host *host)
{
	out_str("mode", NULL, rg_word(&rg_words_mode, host->mode));
	out_bool("frozen", NULL, host->frozen);
	if (host->freeze_left)
		out_uint("freeze_left", NULL, host->freeze_left);
	out_uint("generation", NULL, host->generation);
	out_uint("policies", NULL, host->policies);
	out_uint("ports", NULL, host->ports);
	json_text("version", host->version);
	out_bool("rdma", NULL, host->rdma);
	json_text("rdma_reason", host->rdma_reason);
}
