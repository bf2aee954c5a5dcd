// SPDX-License-Identifier: GPL-2.0
/* Counters, the flight recorder and storms: attributes to structs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "modelfield.h"
#include "words.h"

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* One counter */

/* As it comes: of the port a value, else eight and which of them are there. */
struct counter_nest {
	uint32_t id;
	uint32_t age;
	uint32_t priorities;
	uint64_t value;
	bool has_age;
	bool has_value;
};

static const struct field counter_field[] = {
	FIELD(counter_nest, ROCEGUARD_A_COUNTER_ID, U32, id),
	FIELD_FLAG(counter_nest, ROCEGUARD_A_COUNTER_VALUE, U64, value,
		   has_value),
	FIELD(counter_nest, ROCEGUARD_A_COUNTER_PRIORITIES, U32, priorities),
	FIELD_FLAG(counter_nest, ROCEGUARD_A_COUNTER_AGE, U32, age, has_age),
};

static int counter_read(struct nlattr *nest, struct model_counter *counters)
{
	struct counter_nest c = { .id = MODEL_COUNTERS };
	struct model_counter *to;
	struct nlattr *values;
	unsigned int k;
	int err;

	err = nest_read(counter_field, ARRAY_SIZE(counter_field), nest, &c);
	/* One that is not known here is of a newer kernel. */
	if (err || c.id >= MODEL_COUNTERS)
		return err;
	to = &counters[c.id];
	memset(to, 0, sizeof(*to));
	to->age = c.age;
	to->has_age = c.has_age;
	if (!rg_counter_per_priority(c.id)) {
		to->has = c.has_value;
		to->value[0] = c.value;
		return 0;
	}
	values = nla_find(nla_data(nest), nla_len(nest),
			  ROCEGUARD_A_COUNTER_VALUES);
	if (!values || nla_len(values) < (int)sizeof(to->value))
		return -EBADMSG;
	memcpy(to->value, nla_data(values), sizeof(to->value));
	to->has = (uint8_t)c.priorities;
	for (k = 0; k < RG_PRIORITIES; k++)
		if (!(to->has & BIT(k)))
			to->value[k] = 0;
	return 0;
}

/* A storm */

static const struct field storm_field[] = {
	FIELD(model_storm, ROCEGUARD_A_STORM_PRIORITY, U32, priority),
	FIELD(model_storm, ROCEGUARD_A_STORM_DIRECTION, U32, direction),
	FIELD(model_storm, ROCEGUARD_A_STORM_SINCE, U32, since),
	FIELD(model_storm, ROCEGUARD_A_STORM_ON, BOOL, on),
	FIELD(model_storm, ROCEGUARD_A_STORM_ACTION, U32, action),
	FIELD(model_storm, ROCEGUARD_A_STORM_LASTED, U32, lasted),
};

static int storm_read(struct nlattr *nest, struct model_storm *storm)
{
	int err;

	memset(storm, 0, sizeof(*storm));
	err = nest_read(storm_field, ARRAY_SIZE(storm_field), nest, storm);
	if (!err && (storm->priority >= RG_PRIORITIES || storm->direction > 1))
		err = -EBADMSG;
	return err;
}

/* The counters of a port */

static const struct field counters_field[] = {
	FIELD(model_counters, ROCEGUARD_A_COUNTERS_ID, U32, id),
	FIELD(model_counters, ROCEGUARD_A_COUNTERS_IFINDEX, U32, ifindex),
	FIELD(model_counters, ROCEGUARD_A_COUNTERS_IFNAME, TEXT, ifname),
	FIELD_FLAG(model_counters, ROCEGUARD_A_COUNTERS_NETNSID, S32, netnsid,
		   has_netnsid),
	FIELD(model_counters, ROCEGUARD_A_COUNTERS_DRIVER, TEXT, driver),
	FIELD(model_counters, ROCEGUARD_A_COUNTERS_RDMA_DEVICE, TEXT,
	      rdma_device),
	FIELD_FLAG(model_counters, ROCEGUARD_A_COUNTERS_SAMPLED, U32, sampled,
		   has_sampled),
	FIELD(model_counters, ROCEGUARD_A_COUNTERS_SAMPLES, U64, samples),
	FIELD(model_counters, ROCEGUARD_A_COUNTERS_READ_US, U32, read_us),
};

static int counters_read(struct nlattr *attr, struct model_counters *c)
{
	switch (nla_type(attr)) {
	case ROCEGUARD_A_COUNTERS_COUNTER:
		return counter_read(attr, c->counter);
	case ROCEGUARD_A_COUNTERS_STORM:
		if (c->n_storms == MODEL_STORMS)
			return 0;
		return storm_read(attr, &c->storm[c->n_storms++]);
	default:
		return fields_read(counters_field, ARRAY_SIZE(counters_field),
				   attr, c);
	}
}

int model_decode_counters(struct nlattr *attrs, int len,
			  struct model_counters *counters)
{
	struct nlattr *pos;
	int rem, err;

	memset(counters, 0, sizeof(*counters));
	attr_for_each(pos, attrs, len, rem) {
		err = counters_read(pos, counters);
		if (err)
			return err;
	}
	return counters->ifindex ? 0 : -EBADMSG;
}

static int take_counters(uint8_t cmd __attribute__((unused)),
			 struct nlattr *attrs, int len, void *arg)
{
	struct model_counters *counters = arg;
	int err = model_decode_counters(attrs, len, counters);

	counters->read_ms = now_ms();
	return err;
}

int model_counters_get(struct rgnl *nl, const char *ifname, bool fresh,
		       struct model_counters *counters)
{
	struct nl_msg *msg = rgnl_request(nl, ROCEGUARD_CMD_COUNTERS_GET);

	memset(counters, 0, sizeof(*counters));
	if (msg && (nla_put_string(msg, ROCEGUARD_A_COUNTERS_IFNAME, ifname) ||
		    (fresh && nla_put_u32(msg, ROCEGUARD_A_COUNTERS_FRESH, 1)))) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return rgnl_do(nl, msg, take_counters, counters);
}

static int list_counters(uint8_t cmd, struct nlattr *attrs, int len, void *arg)
{
	struct model_counters_list *list = arg;
	struct model_counters *bigger;
	int err;

	bigger = reallocarray(list->port, list->n + 1, sizeof(*bigger));
	if (!bigger)
		return -ENOMEM;
	list->port = bigger;
	err = take_counters(cmd, attrs, len, &list->port[list->n]);
	list->n += !err;
	return err;
}

static void reset_counters(void *arg)
{
	((struct model_counters_list *)arg)->n = 0;
}

int model_counters(struct rgnl *nl, struct model_counters_list *list)
{
	return rgnl_dump(nl, ROCEGUARD_CMD_COUNTERS_GET, NULL, list_counters,
			 reset_counters, list);
}

void model_counters_free(struct model_counters_list *list)
{
	free(list->port);
	memset(list, 0, sizeof(*list));
}

/* The flight recorder */

static const struct field sample_field[] = {
	FIELD(model_sample, ROCEGUARD_A_SAMPLE_ID, U32, id),
	FIELD(model_sample, ROCEGUARD_A_SAMPLE_IFINDEX, U32, ifindex),
	FIELD(model_sample, ROCEGUARD_A_SAMPLE_IFNAME, TEXT, ifname),
	FIELD_FLAG(model_sample, ROCEGUARD_A_SAMPLE_NETNSID, S32, netnsid,
		   has_netnsid),
	FIELD(model_sample, ROCEGUARD_A_SAMPLE_AT, U64, at),
	FIELD(model_sample, ROCEGUARD_A_SAMPLE_FROZEN, BOOL, frozen),
	FIELD(model_sample, ROCEGUARD_A_SAMPLE_CAUSE, U32, cause),
};

int model_decode_sample(struct nlattr *attrs, int len,
			struct model_sample *sample)
{
	struct nlattr *pos;
	int rem, err;

	memset(sample, 0, sizeof(*sample));
	attr_for_each(pos, attrs, len, rem) {
		if (nla_type(pos) == ROCEGUARD_A_SAMPLE_COUNTER)
			err = counter_read(pos, sample->counter);
		else
			err = fields_read(sample_field,
					  ARRAY_SIZE(sample_field), pos,
					  sample);
		if (err)
			return err;
	}
	return sample->at ? 0 : -EBADMSG;
}

static int list_sample(uint8_t cmd __attribute__((unused)),
		       struct nlattr *attrs, int len, void *arg)
{
	struct model_samples *list = arg;
	struct model_sample *bigger;
	int err;

	bigger = reallocarray(list->sample, list->n + 1, sizeof(*bigger));
	if (!bigger)
		return -ENOMEM;
	list->sample = bigger;
	err = model_decode_sample(attrs, len, &list->sample[list->n]);
	list->n += !err;
	return err;
}

static void reset_samples(void *arg)
{
	((struct model_samples *)arg)->n = 0;
}

static int put_samples(struct nl_msg *msg, void *arg)
{
	const struct model_samples *list = arg;
	int err = 0;

	if (list->ifname)
		err = nla_put_string(msg, ROCEGUARD_A_SAMPLE_IFNAME,
				     list->ifname);
	if (!err && list->clear)
		err = nla_put_u32(msg, ROCEGUARD_A_SAMPLE_CLEAR, 1);
	return err;
}

int model_samples(struct rgnl *nl, const char *ifname, bool clear,
		  struct model_samples *list)
{
	list->ifname = ifname;
	list->clear = clear;
	return rgnl_dump(nl, ROCEGUARD_CMD_COUNTERS_HISTORY_GET, put_samples,
			 list_sample, reset_samples, list);
}

void model_samples_free(struct model_samples *list)
{
	free(list->sample);
	memset(list, 0, sizeof(*list));
}

static int take_kept(uint8_t cmd __attribute__((unused)), struct nlattr *attrs,
		     int len, void *arg)
{
	return object_read(sample_field, ARRAY_SIZE(sample_field), attrs, len,
			   arg);
}

int model_incident(struct rgnl *nl, uint32_t ifindex, uint32_t cause,
		   struct model_sample *kept)
{
	struct nl_msg *msg = rgnl_request(nl, ROCEGUARD_CMD_INCIDENT_REPORT);

	memset(kept, 0, sizeof(*kept));
	if (msg && (nla_put_u32(msg, ROCEGUARD_A_SAMPLE_IFINDEX, ifindex) ||
		    nla_put_u32(msg, ROCEGUARD_A_SAMPLE_CAUSE, cause))) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return rgnl_do(nl, msg, take_kept, kept);
}

/* Events */

static const struct field congestion_field[] = {
	FIELD(model_congestion, ROCEGUARD_A_COUNTERS_ID, U32, id),
	FIELD(model_congestion, ROCEGUARD_A_COUNTERS_IFINDEX, U32, ifindex),
	FIELD(model_congestion, ROCEGUARD_A_COUNTERS_IFNAME, TEXT, ifname),
	FIELD_FLAG(model_congestion, ROCEGUARD_A_COUNTERS_NETNSID, S32, netnsid,
		   has_netnsid),
};

static int congestion_read(struct nlattr *attr, struct model_congestion *event)
{
	if (nla_type(attr) == ROCEGUARD_A_COUNTERS_STORM)
		return storm_read(attr, &event->storm);
	return fields_read(congestion_field, ARRAY_SIZE(congestion_field), attr,
			   event);
}

int model_decode_congestion(struct nlattr *attrs, int len,
			    struct model_congestion *event)
{
	struct nlattr *pos;
	int rem, err;

	memset(event, 0, sizeof(*event));
	attr_for_each(pos, attrs, len, rem) {
		err = congestion_read(pos, event);
		if (err)
			return err;
	}
	return event->ifindex ? 0 : -EBADMSG;
}
