// SPDX-License-Identifier: GPL-2.0
/*
 * Any attributes as an answer of the kernel, the first byte says to what. A
 * policy that decodes can be sent and written, whatever it says; one without
 * contradictions comes back the same.
 */
#include "fuzz.h"

/* What is whole comes back as it was sent. */
static void comes_back(const struct rg_policy_spec *spec, struct nl_msg *msg)
{
	struct model_policy *again = malloc(sizeof(*again));
	struct nl_msg *second;
	bool deleted;

	must(again);
	must(!model_decode_policy(sent_attrs(msg), sent_len(msg), again,
				  &deleted));
	must(!deleted && !strcmp(again->spec.name, spec->name));
	second = policy_sent(&again->spec);
	must(sent_len(second) == sent_len(msg));
	must(!memcmp(sent_attrs(second), sent_attrs(msg),
		     (size_t)sent_len(msg)));
	nlmsg_free(second);
	free(again);
}

static void take_policy(struct nlattr *attrs, int len)
{
	struct model_policy *policy = malloc(sizeof(*policy));
	struct rg_problem problem;
	struct rg_want want;
	struct nl_msg *msg;
	bool deleted;
	size_t n;

	must(policy);
	if (!model_decode_policy(attrs, len, policy, &deleted)) {
		msg = policy_sent(&policy->spec);
		if (rg_policy_derive(&policy->spec, &want, &problem))
			must(problem.text[0]);
		else
			comes_back(&policy->spec, msg);
		nlmsg_free(msg);
		free(policy_written(&policy->spec, &n));
	}
	free(policy);
}

static void take_port(struct nlattr *attrs, int len)
{
	struct model_port *port = malloc(sizeof(*port));
	uint32_t i;

	must(port);
	if (!model_decode_port(attrs, len, port)) {
		must(port->ifindex);
		for (i = 0; i < MODEL_KNOBS; i++)
			must(port->knob[i].id == i);
		must(memchr(port->ifname, 0, sizeof(port->ifname)));
		must(memchr(port->reason, 0, sizeof(port->reason)));
	}
	free(port);
}

static void take_host(struct nlattr *attrs, int len)
{
	struct model_host host;

	if (!model_decode_host(attrs, len, &host))
		must(memchr(host.version, 0, sizeof(host.version)));
}

static void take_entry(struct nlattr *attrs, int len)
{
	struct model_entry entry;

	if (!model_decode_entry(attrs, len, &entry))
		must(memchr(entry.request, 0, sizeof(entry.request)));
}

/* What is absent has no value. */
static void is_counter(const struct model_counter *counter, uint32_t id)
{
	unsigned int k;

	if (!rg_counter_per_priority(id))
		must(counter->has <= 1);
	for (k = 0; k < RG_PRIORITIES; k++)
		must(counter->has & BIT(k) || !counter->value[k]);
}

static void take_counters(struct nlattr *attrs, int len)
{
	struct model_counters *counters = malloc(sizeof(*counters));
	uint32_t i;

	must(counters);
	if (!model_decode_counters(attrs, len, counters)) {
		must(counters->ifindex);
		must(memchr(counters->ifname, 0, sizeof(counters->ifname)));
		must(counters->n_storms <= MODEL_STORMS);
		for (i = 0; i < counters->n_storms; i++)
			must(counters->storm[i].priority < RG_PRIORITIES);
		for (i = 0; i < MODEL_COUNTERS; i++)
			is_counter(&counters->counter[i], i);
	}
	free(counters);
}

static void take_sample(struct nlattr *attrs, int len)
{
	struct model_sample *sample = malloc(sizeof(*sample));
	uint32_t i;

	must(sample);
	if (!model_decode_sample(attrs, len, sample)) {
		must(sample->at);
		must(memchr(sample->ifname, 0, sizeof(sample->ifname)));
		for (i = 0; i < MODEL_COUNTERS; i++)
			is_counter(&sample->counter[i], i);
	}
	free(sample);
}

static void take_congestion(struct nlattr *attrs, int len)
{
	struct model_congestion event;

	if (!model_decode_congestion(attrs, len, &event)) {
		must(event.ifindex);
		must(event.storm.priority < RG_PRIORITIES);
		must(event.storm.direction <= ROCEGUARD_DIRECTION_SENT);
	}
}

static void (*const take[])(struct nlattr *attrs, int len) = {
	take_policy, take_port, take_host, take_entry, take_counters, take_sample,
	take_congestion,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nlattr *attrs;

	if (!size || size > RGNL_MESSAGE_MAX)
		return 0;
	attrs = attrs_copy(data + 1, size - 1);
	take[data[0] % ARRAY_SIZE(take)](attrs, (int)size - 1);
	free(attrs);
	return 0;
}
