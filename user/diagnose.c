// SPDX-License-Identifier: GPL-2.0
/*
 * The rules of diagnosis, as a table: each is true when all of its conditions
 * are, and a counter that is not known makes none true.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "diagnose.h"
#include "words.h"

/* Where a counter is looked at. */
enum scope {
	OF_PORT,		/* counters of the port */
	ON_PRIORITY,		/* the one that a rule is about */
	ON_LOSSLESS,		/* all that are to have PFC */
	ON_ZERO,		/* priority 0, where goes what is marked wrong */
	ON_ALL,			/* all, and counters of the port */
};

enum measure {
	TOTAL,
	PER_SECOND,
	PERMILLE_OF_TIME,	/* of counters in us */
	PERMILLE_OF_ALL,	/* of all priorities */
};

/* What is no counter. */
enum fact {
	NO_FACT,
	LOSSLESS_KNOWN,
	SOME_LOSSLESS,		/* one priority at least is to have PFC on */
	LOSSLESS,		/* the priority is to have PFC on */
	ECN,			/* the priority is to have ECN on */
	STORM_RECEIVED,		/* the watchdog sees one on the priority */
	STORM_SENT,
};

/**
 * struct condition - one of those that a rule needs
 * @fact: it is about a fact and not about counters
 * @is_not: the fact must not hold
 * @scope: where to look
 * @measure: what of it
 * @counters: mask of enum roceguard_counter, which are summed up
 * @below: less than @limit, or else at least so much
 * @limit: to compare with
 */
struct condition {
	enum fact fact;
	bool is_not;
	enum scope scope;
	enum measure measure;
	uint64_t counters;
	bool below;
	double limit;
};

#define CONDITIONS	6

/**
 * struct rule - one row
 * @name: stable, for JSON and tests
 * @of_port: it is about the port and not about each priority
 * @unless: what was already found on the same priority, which explains it
 * @when: its conditions
 * @figure: what is shown of what was seen
 * @also: what is to be said of it beside figures
 * @means: what it means; {priority}, {lossless}, {policy} and {has} are filled in
 * @remedy: what to do, likewise
 */
struct rule {
	const char *name;
	bool of_port;
	const char *unless;
	struct condition when[CONDITIONS];
	struct {
		enum scope scope;
		uint64_t counters;
	} figure[DIAGNOSE_FIGURES];
	const char *also;
	const char *means;
	const char *remedy;
};

#define COUNTER(_name)	BIT_ULL(ROCEGUARD_COUNTER_##_name)
#define PAUSES		(COUNTER(RX_PAUSE) | COUNTER(TX_PAUSE))
#define BYTES		(COUNTER(RX_BYTES) | COUNTER(TX_BYTES))
#define LOSSES		(COUNTER(ACK_TIMEOUT) | COUNTER(OUT_OF_SEQUENCE) | \
			 COUNTER(PACKET_SEQ_ERR))
#define SIGNALS		(COUNTER(ECN_MARKED) | COUNTER(CNP_HANDLED) | \
			 COUNTER(CNP_IGNORED))

#define IS(_fact)	{ .fact = (_fact) }
#define IS_NOT(_fact)	{ .fact = (_fact), .is_not = true }
#define AT_LEAST(_scope, _measure, _counters, _limit)			\
	{ .scope = (_scope), .measure = (_measure),			\
	  .counters = (_counters), .limit = (_limit) }
#define BELOW(_scope, _measure, _counters, _limit)			\
	{ .scope = (_scope), .measure = (_measure),			\
	  .counters = (_counters), .below = true, .limit = (_limit) }

/* Paused so much of the time is a storm, as for the kernel's watchdog. */
#define STORM_PERMILLE	990

/* So many pauses a second are congestion that ECN should have met before. */
#define MANY_PAUSES	100

/* One mark may come just before the sample, its CNP after it. */
#define SOME_MARKS	10

/* Less on priority 0 than that is ARP and the like. */
#define SOME_BYTES	10000

#define RECEIVED_FIGURES						\
	{ { ON_PRIORITY, COUNTER(RX_PAUSE) },				\
	  { ON_PRIORITY, COUNTER(RX_PAUSE_US) },			\
	  { ON_PRIORITY, COUNTER(TX_BYTES) } }
#define SENT_FIGURES							\
	{ { ON_PRIORITY, COUNTER(TX_PAUSE) },				\
	  { ON_PRIORITY, COUNTER(TX_PAUSE_US) },			\
	  { OF_PORT, COUNTER(HOST_STALLS) } }

#define STORM_RECEIVED_MEANS						\
	"the switch holds back priority {priority} all the time: nothing of it " \
	"leaves this host, and whoever it waits for pauses, too"
#define STORM_RECEIVED_REMEDY						\
	"look on the switch for the port that receives or sends pauses on priority {priority} without end, and at the host behind it; until then " \
	"[Watchdog] Action=pfc-off in the policy gives the link back to traffic that may be lost"
#define STORM_SENT_MEANS						\
	"this host pauses the switch on priority {priority} all the time, which stops " \
	"others in the fabric, too: the NIC or its driver hangs, or the host does not take what comes"
#define STORM_SENT_REMEDY						\
	"look for errors of the NIC in the kernel log and reset it, or reload its driver; [StormPrevention] Timeout= in the policy lets the NIC stop it by itself"

static const struct rule rules[] = {
	{
		.name = "storm-received",
		.when = { IS(STORM_RECEIVED) },
		.figure = RECEIVED_FIGURES,
		.also = "the kernel's watchdog sees a storm of received pauses",
		.means = STORM_RECEIVED_MEANS,
		.remedy = STORM_RECEIVED_REMEDY,
	}, {
		.name = "storm-received",
		.unless = "storm-received",
		.when = { AT_LEAST(ON_PRIORITY, PERMILLE_OF_TIME,
				   COUNTER(RX_PAUSE_US), STORM_PERMILLE) },
		.figure = RECEIVED_FIGURES,
		.means = STORM_RECEIVED_MEANS,
		.remedy = STORM_RECEIVED_REMEDY,
	}, {
		.name = "storm-sent",
		.when = { IS(STORM_SENT) },
		.figure = SENT_FIGURES,
		.also = "the kernel's watchdog sees a storm of sent pauses",
		.means = STORM_SENT_MEANS,
		.remedy = STORM_SENT_REMEDY,
	}, {
		.name = "storm-sent",
		.unless = "storm-sent",
		.when = { AT_LEAST(ON_PRIORITY, PERMILLE_OF_TIME,
				   COUNTER(TX_PAUSE_US), STORM_PERMILLE) },
		.figure = SENT_FIGURES,
		.means = STORM_SENT_MEANS,
		.remedy = STORM_SENT_REMEDY,
	}, {
		.name = "storm-stopped-by-nic",
		.of_port = true,
		.when = { AT_LEAST(OF_PORT, TOTAL, COUNTER(STORM_ERRORS), 1) },
		.figure = { { OF_PORT, COUNTER(STORM_ERRORS) },
			    { OF_PORT, COUNTER(STORM_WARNINGS) },
			    { ON_ALL, COUNTER(TX_PAUSE) },
			    { OF_PORT, COUNTER(HOST_STALLS) } },
		.means = "the NIC has sent pauses for so long that it stopped them itself: what comes now may be lost",
		.remedy = "look why this host did not take what came: kernel log, PCIe link (lspci -vv: LnkSta), a hung process that owns queue pairs",
	}, {
		.name = "pause-outside-policy",
		.when = { IS(LOSSLESS_KNOWN), IS_NOT(LOSSLESS),
			  AT_LEAST(ON_PRIORITY, TOTAL, COUNTER(RX_PAUSE), 1) },
		.figure = RECEIVED_FIGURES,
		.means = "the switch pauses priority {priority}, and {policy} {has}: "
			 "the two do not agree which class is lossless",
		.remedy = "compare PFC and the DSCP map of the switch port with 'roceguard policy show'; switch PFC off there on priority {priority}, or make it lossless here",
	}, {
		.name = "pause-sent-outside-policy",
		.when = { IS(LOSSLESS_KNOWN), IS_NOT(LOSSLESS),
			  AT_LEAST(ON_PRIORITY, TOTAL, COUNTER(TX_PAUSE), 1) },
		.figure = SENT_FIGURES,
		.means = "the NIC pauses priority {priority}, and {policy} {has}: "
			 "PFC is on in the NIC where it should not be",
		.remedy = "'roceguard check' says what differs; 'roceguard port apply' puts it right",
	}, {
		.name = "global-pause",
		.of_port = true,
		.when = { IS(SOME_LOSSLESS),
			  AT_LEAST(OF_PORT, TOTAL, COUNTER(RX_GLOBAL_PAUSE), 1) },
		.figure = { { OF_PORT, COUNTER(RX_GLOBAL_PAUSE) },
			    { ON_LOSSLESS, COUNTER(RX_PAUSE) } },
		.means = "the switch sends 802.3x pauses, which stop all priorities, where {policy} {has}",
		.remedy = "switch PFC on and flow control (802.3x) off on the switch port; 'ethtool -a' shows this side",
	}, {
		.name = "slow-receiver",
		.of_port = true,
		.when = { AT_LEAST(ON_ALL, TOTAL, COUNTER(TX_PAUSE) |
				   COUNTER(TX_GLOBAL_PAUSE), 1),
			  AT_LEAST(OF_PORT, TOTAL, COUNTER(HOST_STALLS), 1) },
		.figure = { { ON_ALL, COUNTER(TX_PAUSE) },
			    { OF_PORT, COUNTER(TX_GLOBAL_PAUSE) },
			    { OF_PORT, COUNTER(HOST_STALLS) },
			    { OF_PORT, COUNTER(OUT_OF_BUFFER) } },
		.means = "this host takes frames more slowly than they come, and the NIC pauses the fabric for it",
		.remedy = "look at the PCIe link (lspci -vv: LnkSta not below LnkCap), NUMA node of NIC and memory, IOMMU and power saving; large pages for what queue pairs write to",
	}, {
		.name = "marks-without-cnps",
		.of_port = true,
		.when = { AT_LEAST(OF_PORT, TOTAL, COUNTER(ECN_MARKED), SOME_MARKS),
			  BELOW(OF_PORT, TOTAL, COUNTER(CNP_SENT), 1) },
		.figure = { { OF_PORT, COUNTER(ECN_MARKED) },
			    { OF_PORT, COUNTER(CNP_SENT) } },
		.means = "the switch marks what this host receives, and the host does not tell the senders: the notification point (NP) of ECN is off",
		.remedy = "ECN=yes in the class of the policy, or [ECN] NP=; 'roceguard port show DEV' says of the knob ecn what keeps it off",
	}, {
		.name = "cnps-ignored",
		.of_port = true,
		.when = { AT_LEAST(OF_PORT, TOTAL, COUNTER(CNP_IGNORED), 1),
			  BELOW(OF_PORT, TOTAL, COUNTER(CNP_HANDLED), 1) },
		.figure = { { OF_PORT, COUNTER(CNP_IGNORED) },
			    { OF_PORT, COUNTER(CNP_HANDLED) } },
		.means = "receivers ask this host to slow down, and it does not: the reaction point (RP) of ECN is off",
		.remedy = "ECN=yes in the class of the policy, or [ECN] RP=; 'roceguard port show DEV' says of the knob ecn what keeps it off",
	}, {
		.name = "loss-outside-lossless",
		.of_port = true,
		.when = { IS(SOME_LOSSLESS),
			  AT_LEAST(OF_PORT, TOTAL, LOSSES, 1),
			  BELOW(ON_LOSSLESS, TOTAL, PAUSES, 1),
			  AT_LEAST(ON_ZERO, TOTAL, BYTES, SOME_BYTES),
			  BELOW(ON_LOSSLESS, PERMILLE_OF_ALL, BYTES, 10) },
		.figure = { { OF_PORT, LOSSES },
			    { ON_LOSSLESS, PAUSES },
			    { ON_ZERO, BYTES },
			    { ON_LOSSLESS, BYTES } },
		.means = "RDMA loses frames while PFC has nothing to do: its frames travel on priority 0, which is lossy, and not on priority {lossless}",
		.remedy = "set the ToS of the connections ('roceguard connect' does, [RDMACM] ToS= for those that say none) and see that both ends and the switch trust DSCP ('roceguard port show DEV': dscp)",
	}, {
		.name = "pause-without-marks",
		.unless = "storm-received",
		.when = { IS(LOSSLESS), IS(ECN),
			  AT_LEAST(ON_PRIORITY, PER_SECOND, COUNTER(RX_PAUSE),
				   MANY_PAUSES),
			  BELOW(OF_PORT, TOTAL, SIGNALS, 1) },
		.figure = { { ON_PRIORITY, COUNTER(RX_PAUSE) },
			    { ON_PRIORITY, COUNTER(RX_PAUSE_US) },
			    { OF_PORT, COUNTER(ECN_MARKED) },
			    { OF_PORT, COUNTER(CNP_HANDLED) } },
		.means = "the fabric is congested on priority {priority}, and no frame of it was marked: the switch does not mark this class, so only PFC acts",
		.remedy = "switch on ECN (WRED) for the queue of priority {priority} on the switch, with thresholds below those of PFC; this host needs no change",
	},
};

/**
 * struct view - what the rules look at
 * @moved: the counters
 * @facts: what else is known
 * @priority: that is looked at, -1: the port
 */
struct view {
	const struct counters_moved *moved;
	const struct diagnose_facts *facts;
	int priority;
};

static uint8_t scope_mask(const struct view *v, enum scope scope,
			  uint32_t counter)
{
	bool per_priority = rg_counter_per_priority(counter);

	switch (scope) {
	case OF_PORT:
		return per_priority ? 0 : 1;
	case ON_PRIORITY:
		return per_priority ? BIT(v->priority) : 0;
	case ON_LOSSLESS:
		return per_priority ? v->facts->lossless : 0;
	case ON_ZERO:
		return per_priority ? BIT(0) : 0;
	default:
		return per_priority ? 0xff : 1;
	}
}

static bool sum(const struct view *v, enum scope scope, uint64_t counters,
		bool rate, double *value)
{
	bool known = false;
	unsigned int k;
	uint32_t i;

	*value = 0;
	for (i = 0; i < MODEL_COUNTERS; i++) {
		uint8_t mask = counters & BIT_ULL(i) ?
			scope_mask(v, scope, i) & v->moved->has[i] : 0;

		for (k = 0; k < RG_PRIORITIES; k++) {
			if (!(mask & BIT(k)))
				continue;
			known = true;
			*value += rate ? counters_per_second(v->moved, i, k) :
					 (double)v->moved->by[i][k];
		}
	}
	return known;
}

static bool measured(const struct view *v, const struct condition *c,
		     double *value)
{
	double all;

	if (!sum(v, c->scope, c->counters,
		 c->measure == PER_SECOND || c->measure == PERMILLE_OF_TIME,
		 value))
		return false;
	switch (c->measure) {
	case PERMILLE_OF_TIME:
		*value /= 1000;
		return true;
	case PERMILLE_OF_ALL:
		sum(v, ON_ALL, c->counters, false, &all);
		*value = all > 0 ? *value * 1000 / all : 0;
		return true;
	default:
		return true;
	}
}

static bool fact_holds(const struct view *v, enum fact fact)
{
	uint8_t bit = v->priority < 0 ? 0 : BIT(v->priority);

	switch (fact) {
	case LOSSLESS_KNOWN:
		return v->facts->known;
	case SOME_LOSSLESS:
		return v->facts->lossless;
	case LOSSLESS:
		return v->facts->lossless & bit;
	case ECN:
		return v->facts->ecn & bit;
	case STORM_RECEIVED:
		return v->facts->storm[ROCEGUARD_DIRECTION_RECEIVED] & bit;
	case STORM_SENT:
		return v->facts->storm[ROCEGUARD_DIRECTION_SENT] & bit;
	default:
		return true;
	}
}

static bool holds(const struct view *v, const struct condition *c)
{
	double value;

	if (c->fact)
		return fact_holds(v, c->fact) != c->is_not;
	if (!c->counters)
		return true;
	return measured(v, c, &value) &&
	       (c->below ? value < c->limit : value >= c->limit);
}

static bool applies(const struct view *v, const struct rule *rule)
{
	unsigned int i;

	for (i = 0; i < CONDITIONS; i++)
		if (!holds(v, &rule->when[i]))
			return false;
	return true;
}

const char *diagnose_priorities(uint8_t mask, char *buf)
{
	unsigned int k, left = hweight8(mask);
	size_t n = 0;

	snprintf(buf, COUNTERS_WORDS, "none");
	for (k = 0; k < RG_PRIORITIES; k++) {
		if (!(mask & BIT(k)))
			continue;
		left--;
		n += (size_t)snprintf(buf + n, COUNTERS_WORDS - n, "%u%s", k,
				      left > 1 ? ", " : left ? " and " : "");
	}
	return buf;
}

/* What was seen */

static __attribute__((format(printf, 2, 3)))
void say(char *text, const char *fmt, ...)
{
	size_t n = strlen(text);
	va_list args;

	va_start(args, fmt);
	vsnprintf(text + n, DIAGNOSE_TEXT - n, fmt, args);
	va_end(args);
}

static void add_figure(struct diagnose_finding *f, const struct view *v,
		       uint32_t counter, uint8_t mask)
{
	struct diagnose_figure *figure = &f->figure[f->n_figures];
	uint8_t moved = 0;
	unsigned int k;

	if (f->n_figures == DIAGNOSE_FIGURES)
		return;
	*figure = (struct diagnose_figure){ .counter = counter,
					    .ms = v->moved->ms[counter] };
	for (k = 0; k < RG_PRIORITIES; k++) {
		if (!(mask & BIT(k)) || !v->moved->by[counter][k])
			continue;
		moved |= BIT(k);
		figure->by += v->moved->by[counter][k];
	}
	/* Those that make up the sum are of interest, if there is one. */
	if (rg_counter_per_priority(counter))
		figure->priorities = moved ? moved : mask;
	f->n_figures++;
}

static void add_figures(struct diagnose_finding *f, const struct view *v,
			const struct rule *rule)
{
	unsigned int i;
	uint32_t c;

	for (i = 0; i < DIAGNOSE_FIGURES; i++) {
		for (c = 0; c < MODEL_COUNTERS; c++) {
			uint8_t mask = rule->figure[i].counters & BIT_ULL(c) ?
				scope_mask(v, rule->figure[i].scope, c) &
				v->moved->has[c] : 0;

			if (mask)
				add_figure(f, v, c, mask);
		}
	}
}

/* "rx_pause 1204 frames (401/s) on priority 3" */
static void say_figure(struct diagnose_finding *f,
		       const struct diagnose_figure *figure, bool where)
{
	char value[COUNTERS_WORDS], rate[COUNTERS_WORDS], on[COUNTERS_WORDS];

	say(f->seen, "%s %s", rg_word(&rg_words_counter, figure->counter),
	    counters_value_words(figure->counter, figure->by, value));
	if (figure->by)
		say(f->seen, " (%s)",
		    counters_rate_words(figure->counter,
					(double)figure->by * 1000 /
					(double)figure->ms, rate));
	if (figure->priorities && figure->priorities != 0xff && where)
		say(f->seen, " on priority %s",
		    diagnose_priorities(figure->priorities, on));
}

static void say_seen(struct diagnose_finding *f, const struct rule *rule)
{
	char time[COUNTERS_WORDS];
	unsigned int i;

	if (f->n_figures)
		say(f->seen, "in %s%s",
		    counters_time_words(f->figure[0].ms, time),
		    f->priority < 0 ? ": " : "");
	if (f->n_figures && f->priority >= 0)
		say(f->seen, " on priority %d: ", f->priority);
	for (i = 0; i < f->n_figures; i++) {
		if (i)
			say(f->seen, ", ");
		say_figure(f, &f->figure[i], f->priority < 0);
	}
	if (rule->also)
		say(f->seen, "%s%s", f->n_figures ? "; " : "", rule->also);
}

/* What it means, and what to do */

static void fill_in(char *text, const char *words, const struct view *v)
{
	char policy[ROCEGUARD_NAME_MAX + 16], has[COUNTERS_WORDS + 32];
	char lossless[COUNTERS_WORDS], priority[8];
	const struct {
		const char *name;
		const char *value;
	} values[] = {
		{ "{priority}", priority },
		{ "{lossless}", diagnose_priorities(v->facts->lossless, lossless) },
		{ "{policy}", policy },
		{ "{has}", has },
	};
	size_t i;

	snprintf(priority, sizeof(priority), "%d", v->priority);
	snprintf(policy, sizeof(policy), "%s%s",
		 v->facts->policy[0] ? "policy " : "the NIC", v->facts->policy);
	if (v->facts->lossless)
		snprintf(has, sizeof(has), "has PFC on priority %s only",
			 lossless);
	else
		snprintf(has, sizeof(has), "has PFC on no priority");
	while (*words) {
		for (i = 0; i < ARRAY_SIZE(values); i++)
			if (!strncmp(words, values[i].name,
				     strlen(values[i].name)))
				break;
		if (i < ARRAY_SIZE(values)) {
			say(text, "%s", values[i].value);
			words += strlen(values[i].name);
		} else {
			say(text, "%c", *words++);
		}
	}
}

static bool found_before(const struct diagnose_finding *finding, size_t n,
			 const char *name, int priority)
{
	size_t i;

	for (i = 0; name && i < n; i++)
		if (!strcmp(finding[i].rule, name) &&
		    finding[i].priority == priority)
			return true;
	return false;
}

static void find(const struct view *v, const struct rule *rule,
		 struct diagnose_finding *finding, size_t *n)
{
	struct diagnose_finding *f = &finding[*n];

	if (*n == DIAGNOSE_MAX || !applies(v, rule) ||
	    found_before(finding, *n, rule->unless, v->priority))
		return;
	memset(f, 0, sizeof(*f));
	f->rule = rule->name;
	f->priority = v->priority;
	add_figures(f, v, rule);
	say_seen(f, rule);
	fill_in(f->means, rule->means, v);
	fill_in(f->remedy, rule->remedy, v);
	(*n)++;
}

size_t diagnose(const struct counters_moved *moved,
		const struct diagnose_facts *facts,
		struct diagnose_finding *finding)
{
	struct view v = { .moved = moved, .facts = facts };
	size_t i, n = 0;

	for (i = 0; i < ARRAY_SIZE(rules); i++) {
		if (rules[i].of_port) {
			v.priority = -1;
			find(&v, &rules[i], finding, &n);
			continue;
		}
		for (v.priority = 0; v.priority < RG_PRIORITIES; v.priority++)
			find(&v, &rules[i], finding, &n);
	}
	return n;
}
