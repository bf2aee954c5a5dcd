// SPDX-License-Identifier: GPL-2.0
/*
 * seed DIR FILE.conf...: makes inputs of targets decode and model in DIR: those
 * policies as they are sent, and one of each other object of the contract.
 */
#include "fuzz.h"

static const char *dir;

static void save(const char *target, const char *name, int kind,
		 struct nl_msg *msg)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s/%s", dir, target, name);
	f = fopen(path, "w");
	must(f);
	if (kind >= 0)
		fputc(kind, f);
	fwrite(sent_attrs(msg), 1, (size_t)sent_len(msg), f);
	must(!fclose(f));
}

static void save_policies(const char *path)
{
	char error[CONF_ERROR_MAX];
	struct conf_list list;
	struct nl_msg *msg;

	if (conf_load(&list, path, error)) {
		fprintf(stderr, "%s\n", error);
		exit(1);
	}
	msg = policy_sent(&list.conf->spec);
	save("decode", list.conf->spec.name, -1, msg);
	save("model", list.conf->spec.name, 0, msg);
	nlmsg_free(msg);
	conf_list_free(&list);
}

static struct nl_msg *object(void)
{
	struct nl_msg *msg = nlmsg_alloc_size(RGNL_MESSAGE_MAX);

	must(msg && nlmsg_put(msg, 0, 0, 0x20, 0, 0));
	return msg;
}

/* All attributes from 1 to @last: numbers, but strings where @strings says so. */
static void fill(struct nl_msg *msg, int last, uint64_t strings, uint64_t wide,
		 uint64_t nests)
{
	int type;

	for (type = 1; type <= last; type++) {
		if (nests & BIT_ULL(type))
			continue;
		if (strings & BIT_ULL(type))
			must(!nla_put_string(msg, type, "roce0"));
		else if (wide & BIT_ULL(type))
			must(!nla_put_u64(msg, type, 7));
		else
			must(!nla_put_u32(msg, type, 1));
	}
}

static void fill_entry(struct nl_msg *msg)
{
	fill(msg, ROCEGUARD_A_ENTRY_MAX,
	     BIT_ULL(ROCEGUARD_A_ENTRY_IFNAME) | BIT_ULL(ROCEGUARD_A_ENTRY_FROM) |
	     BIT_ULL(ROCEGUARD_A_ENTRY_TO) | BIT_ULL(ROCEGUARD_A_ENTRY_POLICY) |
	     BIT_ULL(ROCEGUARD_A_ENTRY_REQUEST) | BIT_ULL(ROCEGUARD_A_ENTRY_COMM),
	     BIT_ULL(ROCEGUARD_A_ENTRY_SEQ) | BIT_ULL(ROCEGUARD_A_ENTRY_TIME), 0);
}

static void save_entry(void)
{
	struct nl_msg *msg = object();

	fill_entry(msg);
	save("model", "entry", 3, msg);
	nlmsg_free(msg);
}

static void save_host(void)
{
	struct nl_msg *msg = object();

	fill(msg, ROCEGUARD_A_HOST_MAX,
	     BIT_ULL(ROCEGUARD_A_HOST_VERSION) |
	     BIT_ULL(ROCEGUARD_A_HOST_RDMA_REASON), 0, 0);
	save("model", "host", 2, msg);
	nlmsg_free(msg);
}

static void save_port(void)
{
	struct nl_msg *msg = object();
	struct nlattr *nest;

	fill(msg, ROCEGUARD_A_PORT_MAX,
	     BIT_ULL(ROCEGUARD_A_PORT_IFNAME) | BIT_ULL(ROCEGUARD_A_PORT_DRIVER) |
	     BIT_ULL(ROCEGUARD_A_PORT_REASON) | BIT_ULL(ROCEGUARD_A_PORT_POLICY) |
	     BIT_ULL(ROCEGUARD_A_PORT_RDMA_DEVICE),
	     BIT_ULL(ROCEGUARD_A_PORT_CORRECTIONS) |
	     BIT_ULL(ROCEGUARD_A_PORT_DRIFTS) |
	     BIT_ULL(ROCEGUARD_A_PORT_LINK_DROPS) |
	     BIT_ULL(ROCEGUARD_A_PORT_PASSES),
	     BIT_ULL(ROCEGUARD_A_PORT_KNOB) | BIT_ULL(ROCEGUARD_A_PORT_EVENT) |
	     BIT_ULL(ROCEGUARD_A_PORT_OVERLAY));
	nest = nla_nest_start(msg, ROCEGUARD_A_PORT_KNOB | NLA_F_NESTED);
	must(nest);
	fill(msg, ROCEGUARD_A_KNOB_MAX,
	     BIT_ULL(ROCEGUARD_A_KNOB_REASON) | BIT_ULL(ROCEGUARD_A_KNOB_HAVE) |
	     BIT_ULL(ROCEGUARD_A_KNOB_WANT), 0, 0);
	nla_nest_end(msg, nest);
	nest = nla_nest_start(msg, ROCEGUARD_A_PORT_OVERLAY | NLA_F_NESTED);
	must(nest);
	fill(msg, ROCEGUARD_A_OVERLAY_MAX,
	     BIT_ULL(ROCEGUARD_A_OVERLAY_WANT) |
	     BIT_ULL(ROCEGUARD_A_OVERLAY_COMM), 0, 0);
	nla_nest_end(msg, nest);
	nest = nla_nest_start(msg, ROCEGUARD_A_PORT_EVENT | NLA_F_NESTED);
	must(nest);
	fill_entry(msg);
	nla_nest_end(msg, nest);
	save("model", "port", 1, msg);
	nlmsg_free(msg);
}

static void put_counter(struct nl_msg *msg, int type, uint32_t id)
{
	const uint64_t value[RG_PRIORITIES] = { 1 };
	struct nlattr *nest = nla_nest_start(msg, type | NLA_F_NESTED);

	must(nest);
	must(!nla_put_u32(msg, ROCEGUARD_A_COUNTER_ID, id));
	must(!nla_put_u32(msg, ROCEGUARD_A_COUNTER_AGE, 7));
	if (rg_counter_per_priority(id)) {
		must(!nla_put_u32(msg, ROCEGUARD_A_COUNTER_PRIORITIES, 9));
		must(!nla_put(msg, ROCEGUARD_A_COUNTER_VALUES, sizeof(value),
			      value));
	} else {
		must(!nla_put_u64(msg, ROCEGUARD_A_COUNTER_VALUE, 7));
	}
	nla_nest_end(msg, nest);
}

static void put_storm(struct nl_msg *msg)
{
	struct nlattr *nest = nla_nest_start(msg, ROCEGUARD_A_COUNTERS_STORM |
						  NLA_F_NESTED);

	must(nest);
	fill(msg, ROCEGUARD_A_STORM_MAX, 0, 0, 0);
	nla_nest_end(msg, nest);
}

static void save_counters(void)
{
	struct nl_msg *msg = object();

	fill(msg, ROCEGUARD_A_COUNTERS_MAX,
	     BIT_ULL(ROCEGUARD_A_COUNTERS_IFNAME) |
	     BIT_ULL(ROCEGUARD_A_COUNTERS_DRIVER) |
	     BIT_ULL(ROCEGUARD_A_COUNTERS_RDMA_DEVICE),
	     BIT_ULL(ROCEGUARD_A_COUNTERS_SAMPLES),
	     BIT_ULL(ROCEGUARD_A_COUNTERS_COUNTER) |
	     BIT_ULL(ROCEGUARD_A_COUNTERS_STORM));
	put_counter(msg, ROCEGUARD_A_COUNTERS_COUNTER,
		    ROCEGUARD_COUNTER_RX_PAUSE);
	put_counter(msg, ROCEGUARD_A_COUNTERS_COUNTER,
		    ROCEGUARD_COUNTER_CNP_SENT);
	put_storm(msg);
	save("model", "counters", 4, msg);
	save("model", "congestion", 6, msg);
	nlmsg_free(msg);
}

static void save_sample(void)
{
	struct nl_msg *msg = object();

	fill(msg, ROCEGUARD_A_SAMPLE_MAX, BIT_ULL(ROCEGUARD_A_SAMPLE_IFNAME),
	     BIT_ULL(ROCEGUARD_A_SAMPLE_AT),
	     BIT_ULL(ROCEGUARD_A_SAMPLE_COUNTER));
	put_counter(msg, ROCEGUARD_A_SAMPLE_COUNTER,
		    ROCEGUARD_COUNTER_TX_PAUSE);
	save("model", "sample", 5, msg);
	nlmsg_free(msg);
}

int main(int argc, char **argv)
{
	int i;

	must(argc > 2);
	dir = argv[1];
	for (i = 2; i < argc; i++)
		save_policies(argv[i]);
	save_port();
	save_host();
	save_entry();
	save_counters();
	save_sample();
	return 0;
}
