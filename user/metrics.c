// SPDX-License-Identifier: GPL-2.0
/* The host in the text format of Prometheus. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "counter.h"
#include "metrics.h"
#include "nl.h"
#include "print.h"
#include "words.h"

#define VALUE_MAX	32

/* In a second. */
#define MS	1000U
#define US	1000000U

/* Quotes, and what is no UTF-8, make a name longer. */
#define ESCAPED_MAX	(8 * MODEL_TEXT)

/**
 * struct family - the samples of one name
 * @name: with its unit; of a counter it ends in _total
 * @type: "counter" or "gauge"
 * @help: one line, without a backslash
 */
struct family {
	const char *name;
	const char *type;
	const char *help;
};

/**
 * struct writer - the family under way
 * @f: where to
 * @family: it
 * @told: with its first sample, and not at all without
 * @next: where the counters of the next port are likely to be
 */
struct writer {
	FILE *f;
	const struct family *family;
	size_t next;
	bool told;
};

static void begin(struct writer *w, const struct family *family)
{
	w->family = family;
	w->told = false;
}

/* As in NAME{TEXT}. */
struct labels {
	char text[4 * ESCAPED_MAX];
	size_t n;
};

static void sample(struct writer *w, const struct labels *labels,
		   const char *value)
{
	const struct family *family = w->family;

	if (!w->told)
		fprintf(w->f, "# HELP %s %s\n# TYPE %s %s\n", family->name,
			family->help, family->name, family->type);
	w->told = true;
	if (labels->n)
		fprintf(w->f, "%s{%s} %s\n", family->name, labels->text, value);
	else
		fprintf(w->f, "%s %s\n", family->name, value);
}

static void sample_bool(struct writer *w, const struct labels *labels,
			bool value)
{
	sample(w, labels, value ? "1" : "0");
}

/* @unit: how many make one of the base unit: MS or US for a second */
static void sample_number(struct writer *w, const struct labels *labels,
			  uint64_t value, uint32_t unit)
{
	unsigned int us = (unsigned int)(value % unit * (US / unit));
	char text[VALUE_MAX];

	if (us)
		snprintf(text, sizeof(text), "%" PRIu64 ".%06u", value / unit,
			 us);
	else
		snprintf(text, sizeof(text), "%" PRIu64, value / unit);
	sample(w, labels, text);
}

/* Labels */

static void labels_cut(struct labels *labels, size_t n)
{
	labels->text[n] = '\0';
	labels->n = n;
}

static void label(struct labels *labels, const char *name, const char *value)
{
	char clean[ESCAPED_MAX / 2], escaped[ESCAPED_MAX];
	const char *from;
	size_t n = 0;

	if (!value[0])
		return;
	rg_clean(clean, sizeof(clean), value);
	for (from = clean; *from; from++) {
		if (*from == '"' || *from == '\\')
			escaped[n++] = '\\';
		escaped[n++] = *from;
	}
	escaped[n] = '\0';
	n = (size_t)snprintf(labels->text + labels->n,
			     sizeof(labels->text) - labels->n, "%s%s=\"%s\"",
			     labels->n ? "," : "", name, escaped);
	labels->n += n;
}

static void label_number(struct labels *labels, const char *name, int64_t value)
{
	char text[VALUE_MAX];

	snprintf(text, sizeof(text), "%" PRId64, value);
	label(labels, name, text);
}

/**
 * struct value_family - a member of a struct
 * @family: its name
 * @offset: of the member
 * @size: of the member: that of a bool, a uint32_t or a uint64_t
 * @unit: see sample_number()
 */
struct value_family {
	struct family family;
	size_t offset;
	size_t size;
	uint32_t unit;
};

#define VALUE(_object, _name, _type, _help, _member, _unit)		\
	{ { "roceguard_" _name, _type, _help },				\
	  offsetof(struct _object, _member),				\
	  sizeof(((struct _object *)NULL)->_member), _unit }

static void sample_member(struct writer *w, const struct labels *labels,
			  const struct value_family *row, const void *object)
{
	const char *member = (const char *)object + row->offset;

	if (row->size == sizeof(bool))
		sample_bool(w, labels, *(const bool *)member);
	else if (row->size == sizeof(uint32_t))
		sample_number(w, labels, *(const uint32_t *)member,
			      row->unit);
	else
		sample_number(w, labels, *(const uint64_t *)member,
			      row->unit);
}

/* Which port: by RDMA and by its netdev, whose name is one of a namespace. */
static void label_port(struct labels *labels, const struct model_port *port)
{
	labels_cut(labels, 0);
	label(labels, "device", port->rdma_device);
	if (port->rdma_device[0])
		label_number(labels, "port", port->rdma_port);
	label(labels, "netdev", port->ifname);
	if (port->has_netnsid)
		label_number(labels, "netnsid", port->netnsid);
}

/* A sample for each word, 1 for the one that holds. */
static void sample_words(struct writer *w, struct labels *labels,
			 const char *name, const struct rg_words *words,
			 uint32_t value)
{
	size_t i, n = labels->n;

	for (i = 0; i < words->n; i++) {
		label(labels, name, words->word[i]);
		sample_bool(w, labels, i == value);
		labels_cut(labels, n);
	}
}

/* Ports that have nothing to do with RoCE are left out. */
static bool is_told(const struct model_port *port)
{
	return port->dcb || port->policy[0];
}

#define each_port(_metrics, _port)					\
	for (_port = (_metrics)->ports.port;				\
	     _port < (_metrics)->ports.port + (_metrics)->ports.n; _port++)\
		if (is_told(_port))

/* The host */

static const struct family up = {
	"roceguard_up", "gauge",
	"Whether the kernel module is loaded; nothing else is told without it."
};

static const struct family info = {
	"roceguard_info", "gauge", "The kernel module."
};

static const struct family mode = {
	"roceguard_mode", "gauge",
	"What the host does with policies: 1 for the mode that it is in."
};

#define HOST(_name, _help, _member) \
	VALUE(model_host, _name, "gauge", _help, _member, 1)

static const struct value_family host_families[] = {
	HOST("frozen", "Whether all writes to ports are stopped.", frozen),
	HOST("generation", "Changes of policies or of the mode so far.",
	     generation),
	HOST("policies", "Policies that are loaded.", policies),
	HOST("ports", "Ports that the kernel module knows.", ports),
};

static void write_host(struct writer *w, const struct model_host *host)
{
	struct labels labels = { };
	size_t i;

	begin(w, &mode);
	sample_words(w, &labels, "mode", &rg_words_mode, host->mode);
	for (i = 0; i < ARRAY_SIZE(host_families); i++) {
		begin(w, &host_families[i].family);
		sample_member(w, &labels, &host_families[i], host);
	}
	label(&labels, "version", host->version);
	begin(w, &info);
	sample_bool(w, &labels, true);
}

/* Ports */

static const struct family port_info = {
	"roceguard_port_info", "gauge",
	"The driver of a port, and the policy that rules it, with its serial."
};

static const struct family port_state = {
	"roceguard_port_state", "gauge",
	"The state of a port: 1 for the one that it is in."
};

static const struct family knob_verdict = {
	"roceguard_knob_verdict", "gauge",
	"What came of a knob that the policy names: 1 for its verdict."
};

#define PORT(_name, _type, _help, _member, _unit) \
	VALUE(model_port, _name, _type, _help, _member, _unit)

static const struct value_family port_families[] = {
	PORT("port_generation", "gauge",
	     "The generation of policies that the port holds.", generation, 1),
	PORT("corrections_total", "counter",
	     "Knobs that were wrong and were written.", corrections, 1),
	PORT("drifts_total", "counter",
	     "Knobs that were found wrong and were not to be written.", drifts,
	     1),
	PORT("link_drops_total", "counter",
	     "How often a write of roceguard dropped the link.", link_drops, 1),
	PORT("link_drops_left", "gauge",
	     "How often roceguard may still drop the link, by its budget.",
	     drops_left, 1),
	PORT("passes_total", "counter", "Runs over the knobs of a port.",
	     passes, 1),
	PORT("pass_seconds", "gauge", "How long the last pass took.", pass_us,
	     US),
};

static void write_port_family(struct writer *w, const struct value_family *row,
			      const struct metrics *metrics)
{
	const struct model_port *port;
	struct labels labels;

	begin(w, &row->family);
	each_port(metrics, port) {
		label_port(&labels, port);
		sample_member(w, &labels, row, port);
	}
}

static void write_port_info(struct writer *w, const struct metrics *metrics)
{
	const struct model_port *port;
	struct labels labels;

	begin(w, &port_info);
	each_port(metrics, port) {
		label_port(&labels, port);
		label(&labels, "driver", port->driver);
		label(&labels, "policy", port->policy);
		label(&labels, "serial", port->serial);
		sample_bool(w, &labels, true);
	}
}

static void write_port_states(struct writer *w, const struct metrics *metrics)
{
	const struct model_port *port;
	struct labels labels;

	begin(w, &port_state);
	each_port(metrics, port) {
		label_port(&labels, port);
		sample_words(w, &labels, "state", &rg_words_state, port->state);
	}
}

static void write_port_knobs(struct writer *w, const struct model_port *port)
{
	const struct model_knob *knob;
	struct labels labels;
	size_t i;

	for (i = 0; i < MODEL_KNOBS; i++) {
		knob = &port->knob[i];
		if (knob->verdict == ROCEGUARD_VERDICT_UNMANAGED)
			continue;
		label_port(&labels, port);
		label(&labels, "knob", rg_word(&rg_words_knob, knob->id));
		label(&labels, "verdict",
		      rg_word(&rg_words_verdict, knob->verdict));
		sample_bool(w, &labels, true);
	}
}

static void write_knobs(struct writer *w, const struct metrics *metrics)
{
	const struct model_port *port;

	begin(w, &knob_verdict);
	each_port(metrics, port)
		write_port_knobs(w, port);
}

static void write_ports(struct writer *w, const struct metrics *metrics)
{
	size_t i;

	write_port_info(w, metrics);
	write_port_states(w, metrics);
	write_knobs(w, metrics);
	for (i = 0; i < ARRAY_SIZE(port_families); i++)
		write_port_family(w, &port_families[i], metrics);
}

/* Counters */

/**
 * struct counter_family - one or two counters
 * @family: its name
 * @counter: enum roceguard_counter
 * @direction: of each, "" where it has none
 * @n: how many
 * @unit: see sample_number()
 */
struct counter_family {
	struct family family;
	uint32_t counter[2];
	const char *direction[2];
	size_t n;
	uint32_t unit;
};

#define RX_TX(_name, _help, _rx, _tx, _unit)			\
	{ { "roceguard_" _name "_total", "counter", _help },		\
	  { ROCEGUARD_COUNTER_##_rx, ROCEGUARD_COUNTER_##_tx },		\
	  { "rx", "tx" }, 2, _unit }
#define RX(_name, _help, _counter)					\
	{ { "roceguard_" _name "_total", "counter", _help },		\
	  { ROCEGUARD_COUNTER_##_counter }, { "rx" }, 1, 1 }
#define ONE(_name, _help, _counter)					\
	{ { "roceguard_" _name "_total", "counter", _help },		\
	  { ROCEGUARD_COUNTER_##_counter }, { "" }, 1, 1 }

static const struct counter_family counter_families[] = {
	RX_TX("pfc_pause_frames", "PFC frames for a priority.", RX_PAUSE,
	      TX_PAUSE, 1),
	RX_TX("pfc_pause_seconds",
	      "How long a priority was paused, rx: here, tx: at the peer.",
	      RX_PAUSE_US, TX_PAUSE_US, US),
	RX_TX("priority_bytes", "Bytes of a priority.", RX_BYTES, TX_BYTES, 1),
	RX_TX("priority_packets", "Frames of a priority.", RX_PACKETS,
	      TX_PACKETS, 1),
	RX("priority_discards", "Frames of a priority received and dropped.",
	   RX_DISCARDS),
	RX("priority_marked_packets",
	   "Frames of a priority received that the NIC marked CE.", RX_MARKED),
	RX_TX("global_pause_frames", "Pause frames, 802.3x.", RX_GLOBAL_PAUSE,
	      TX_GLOBAL_PAUSE, 1),
	ONE("cnp_sent", "CNPs sent.", CNP_SENT),
	ONE("cnp_handled", "CNPs received that slowed a queue pair down.",
	    CNP_HANDLED),
	ONE("cnp_ignored", "CNPs received that slowed nothing down.",
	    CNP_IGNORED),
	ONE("ecn_marked_packets", "RoCE packets received with CE.",
	    ECN_MARKED),
	ONE("out_of_sequence", "Packets received out of sequence.",
	    OUT_OF_SEQUENCE),
	ONE("packet_seq_err", "NAKs received: the peer missed a packet.",
	    PACKET_SEQ_ERR),
	ONE("ack_timeout", "Requests that were not answered in time.",
	    ACK_TIMEOUT),
	ONE("rnr_retry",
	    "NAKs received: the peer had no receive buffer posted.",
	    RNR_RETRY),
	ONE("out_of_buffer",
	    "Packets received with no receive buffer posted.", OUT_OF_BUFFER),
	ONE("retransmits", "Packets or requests sent again.", RETRANSMITS),
	ONE("duplicate_request", "Requests received again.",
	    DUPLICATE_REQUEST),
	ONE("host_stalls", "Times that the host did not drain the NIC.",
	    HOST_STALLS),
	ONE("storm_warnings", "The NIC's own: it has sent pauses for long.",
	    STORM_WARNINGS),
	ONE("storm_errors",
	    "The NIC's own: it has sent pauses for too long and stopped.",
	    STORM_ERRORS),
	ONE("link_downs", "Times that the link was lost.", LINK_DOWNS),
	ONE("storm_events", "Pause storms that roceguard has seen.",
	    STORM_EVENTS),
};

static const struct family storm = {
	"roceguard_pfc_storm", "gauge",
	"Whether a priority is in a pause storm, rx: paused, tx: it pauses."
};

static const struct family counter_age = {
	"roceguard_counter_age_seconds", "gauge",
	"How long ago a counter was read that was not read with the others."
};

/* Ports and their counters mostly come in the same order. */
static const struct model_counters *counters_of(struct writer *w,
						const struct metrics *metrics,
						const struct model_port *port)
{
	const struct model_counters_list *list = &metrics->counters;
	size_t i, at;

	for (i = 0; i < list->n; i++) {
		at = (w->next + i) % list->n;
		if (list->port[at].id != port->id)
			continue;
		w->next = at + 1;
		return &list->port[at];
	}
	return NULL;
}

#define each_port_counters(_w, _metrics, _port, _counters)		\
	each_port(_metrics, _port)					\
		if ((_counters = counters_of(_w, _metrics, _port)))

static void write_counter(struct writer *w, const struct counter_family *row,
			  size_t i, struct labels *labels,
			  const struct model_counters *counters)
{
	const struct model_counter *counter = &counters->counter[row->counter[i]];
	size_t n = labels->n, with_direction;
	unsigned int prio;

	label(labels, "direction", row->direction[i]);
	with_direction = labels->n;
	for (prio = 0; prio < RG_PRIORITIES; prio++) {
		if (!(counter->has & 1u << prio))
			continue;
		if (rg_counter_per_priority(row->counter[i]))
			label_number(labels, "priority", prio);
		sample_number(w, labels, counter->value[prio], row->unit);
		labels_cut(labels, with_direction);
	}
	labels_cut(labels, n);
}

static void write_counter_family(struct writer *w,
				 const struct counter_family *row,
				 const struct metrics *metrics)
{
	const struct model_counters *counters;
	const struct model_port *port;
	struct labels labels;
	size_t i;

	begin(w, &row->family);
	each_port_counters(w, metrics, port, counters) {
		label_port(&labels, port);
		for (i = 0; i < row->n; i++)
			write_counter(w, row, i, &labels, counters);
	}
}

/* Of each direction the priorities whose pauses are counted. */
static const struct {
	uint32_t counter[2];
	const char *word;
} directions[] = {
	[ROCEGUARD_DIRECTION_RECEIVED] = {
		{ ROCEGUARD_COUNTER_RX_PAUSE, ROCEGUARD_COUNTER_RX_PAUSE_US },
		"rx"
	},
	[ROCEGUARD_DIRECTION_SENT] = {
		{ ROCEGUARD_COUNTER_TX_PAUSE, ROCEGUARD_COUNTER_TX_PAUSE_US },
		"tx"
	},
};

static bool is_stormy(const struct model_counters *counters, size_t direction,
		      unsigned int prio)
{
	uint32_t i;

	for (i = 0; i < counters->n_storms; i++)
		if (counters->storm[i].direction == direction &&
		    counters->storm[i].priority == prio)
			return true;
	return false;
}

static void write_port_storms(struct writer *w, struct labels *labels,
			      const struct model_counters *counters)
{
	size_t i, n = labels->n, with_direction;
	unsigned int prio;
	uint8_t has;

	for (i = 0; i < ARRAY_SIZE(directions); i++) {
		has = counters->counter[directions[i].counter[0]].has |
		      counters->counter[directions[i].counter[1]].has;
		label(labels, "direction", directions[i].word);
		with_direction = labels->n;
		for (prio = 0; prio < RG_PRIORITIES; prio++) {
			if (!(has & 1u << prio))
				continue;
			label_number(labels, "priority", prio);
			sample_bool(w, labels, is_stormy(counters, i, prio));
			labels_cut(labels, with_direction);
		}
		labels_cut(labels, n);
	}
}

static void write_storms(struct writer *w, const struct metrics *metrics)
{
	const struct model_counters *counters;
	const struct model_port *port;
	struct labels labels;

	begin(w, &storm);
	each_port_counters(w, metrics, port, counters) {
		label_port(&labels, port);
		write_port_storms(w, &labels, counters);
	}
}

#define SAMPLE(_name, _type, _help, _member, _unit) \
	VALUE(model_counters, _name, _type, _help, _member, _unit)

static const struct value_family sample_families[] = {
	SAMPLE("sample_age_seconds", "gauge",
	       "How long ago the counters were sampled.", sampled, MS),
	SAMPLE("samples_total", "counter",
	       "How often the counters were sampled.", samples, 1),
	SAMPLE("sample_read_seconds", "gauge",
	       "How long the NIC took to tell its counters the last time.",
	       read_us, US),
};

/* Of ports that have been sampled. */
static void write_sample_family(struct writer *w,
				const struct value_family *row,
				const struct metrics *metrics)
{
	const struct model_counters *counters;
	const struct model_port *port;
	struct labels labels;

	begin(w, &row->family);
	each_port_counters(w, metrics, port, counters) {
		if (!counters->has_sampled)
			continue;
		label_port(&labels, port);
		sample_member(w, &labels, row, counters);
	}
}

static void write_ages(struct writer *w, const struct metrics *metrics)
{
	const struct model_counters *counters;
	const struct model_port *port;
	struct labels labels;
	uint32_t i;

	begin(w, &counter_age);
	each_port_counters(w, metrics, port, counters)
		for (i = 0; i < RG_COUNTERS; i++) {
			if (!counters->counter[i].has_age)
				continue;
			label_port(&labels, port);
			label(&labels, "counter", rg_word(&rg_words_counter, i));
			sample_number(w, &labels, counters->counter[i].age, MS);
		}
}

static void write_counters(struct writer *w, const struct metrics *metrics)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(counter_families); i++)
		write_counter_family(w, &counter_families[i], metrics);
	write_storms(w, metrics);
	for (i = 0; i < ARRAY_SIZE(sample_families); i++)
		write_sample_family(w, &sample_families[i], metrics);
	write_ages(w, metrics);
}

void metrics_write(FILE *f, const struct metrics *metrics)
{
	const struct labels none = { };
	struct writer w = { .f = f };

	begin(&w, &up);
	sample_bool(&w, &none, metrics->up);
	if (!metrics->up)
		return;
	write_host(&w, &metrics->host);
	write_ports(&w, metrics);
	write_counters(&w, metrics);
}

/* Asking */

static int ask(struct rgnl *nl, struct metrics *metrics)
{
	int err = model_mode_get(nl, &metrics->host);

	if (!err)
		err = model_ports(nl, &metrics->ports);
	if (!err)
		err = model_counters(nl, &metrics->counters);
	return err;
}

/* Gone since it was opened, and maybe back with another number. */
static bool is_gone(const struct rgnl *nl, int err)
{
	return err == -ENOENT && rgnl_is_gone(nl);
}

int metrics_read(struct rgnl **nl, struct metrics *metrics)
{
	bool was_open = *nl;
	int err = 0;

	memset(metrics, 0, sizeof(*metrics));
	if (!was_open)
		err = rgnl_open(nl);
	if (!err)
		err = ask(*nl, metrics);
	if (*nl && is_gone(*nl, err)) {
		rgnl_close(*nl);
		*nl = NULL;
		metrics_free(metrics);
		if (was_open)
			return metrics_read(nl, metrics);
	}
	metrics->up = !err;
	return err == -ENOENT && !*nl ? 0 : err;
}

void metrics_free(struct metrics *metrics)
{
	model_ports_free(&metrics->ports);
	model_counters_free(&metrics->counters);
}
