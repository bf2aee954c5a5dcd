// SPDX-License-Identifier: GPL-2.0
/*
 * The steps of roceguard connect that need no kernel: what arguments are
 * refused, which byte a class becomes, which link of the chain is broken, where
 * a GID is found, what of nvme's command line is shown, which frames count.
 */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "cmd/cmd.h"
#include "connect/connect.h"

#define NQN "nqn.2026-08.com.winwinhost:nvme.pool01"
#define UUID "5ec4d2b1-8b1f-4d9c-9a39-5b7c3c0f2f11"

/* ---- arguments ---- */

/* @words: NULL if it is to be taken, else a part of the line it is refused in */
struct args_case {
	const char *argv[12];
	const char *words;
};

static const struct args_case args_cases[] = {
	{ { "-a", "192.0.2.1", "-n", NQN }, NULL },
	{ { "-t", "rdma", "-a", "2001:db8::1", "-n", NQN }, NULL },
	{ { "-a", "fe80::1%lo", "-n", NQN }, NULL },
	{ { "-a", "storage1.example", "-n", NQN }, NULL },
	{ { "--traddr=192.0.2.1", "--nqn=" NQN, "--tos=0x68" }, NULL },
	{ { "-a", "192.0.2.1", "-n", NQN, "-I", UUID, "-l", "-1" }, NULL },
	{ { "-a", "192.0.2.1", "-n", NQN, "-J", "none" }, NULL },
	{ { "-n", NQN }, "--traddr is missing" },
	{ { "-a", "192.0.2.1" }, "--nqn is missing" },
	{ { "-a", "192.0.2.300", "-n", NQN }, "not an IPv4 or IPv6" },
	{ { "-a", "192.0.2", "-n", NQN }, "not an IPv4 or IPv6" },
	{ { "-a", "2001:db8::g", "-n", NQN }, "not an IPv4 or IPv6" },
	{ { "-a", "fe80::1%nosuch0", "-n", NQN }, "no interface" },
	{ { "-a", "2001:db8::1%lo", "-n", NQN }, "not an IPv4 or IPv6" },
	{ { "-a", "192.0.2.1", "-n", NQN ",tos=0" }, "comma at byte 39" },
	{ { "-a", "192.0.2.1", "-n", "nqn with" }, "blank at byte 4" },
	{ { "-a", "192.0.2.1", "-n", "nqn\nx" }, "control byte at byte 4" },
	{ { "-a", "192.0.2.1", "-n", "nqn\x7f" }, "control byte at byte 4" },
	{ { "-a", "192.0.2.1", "-n", "" }, "--nqn is empty" },
	{ { "-a", "192.0.2.1", "-n", "none" }, "would leave it out" },
	{ { "-a", "192.0.2.1,x", "-n", NQN }, "--traddr has a comma" },
	{ { "-a", "192.0.2.1", "-n", NQN, "-q", "a,b" }, "--hostnqn has a comma" },
	{ { "-a", "192.0.2.1", "-n", NQN, "-S", "a,b" }, "has a comma" },
	{ { "-a", "192.0.2.1", "-n", NQN, "-w", "a,b" }, "has a comma" },
	{ { "-a", "192.0.2.1", "-n", NQN, "-f", "a,b" }, "has a comma" },
	{ { "-a", "192.0.2.1", "-n", NQN, "--context", "a,b" }, "has a comma" },
	{ { "-a", "192.0.2.1", "-n", NQN, "-I", "1234" }, "not a UUID" },
	{ { "-a", "192.0.2.1", "-n", NQN, "-s", "0" }, "must be 1 to 65535" },
	{ { "-a", "192.0.2.1", "-n", NQN, "-s", "65536" }, "must be 1 to" },
	{ { "-a", "192.0.2.1", "-n", NQN, "-s", "nvme" }, "not a number" },
	{ { "-a", "192.0.2.1", "-n", NQN, "-s", "4420x" }, "not a number" },
	{ { "-a", "192.0.2.1", "-n", NQN, "-s", "" }, "not a number" },
	{ { "-a", "192.0.2.1", "-n", NQN, "-T", "256" }, "must be 0 to 255" },
	{ { "-a", "192.0.2.1", "-n", NQN, "-T", "-1" }, "must be 0 to 255" },
	{ { "-a", "192.0.2.1", "-n", NQN, "-T",
	    "99999999999999999999" }, "must be 0 to 255" },
	{ { "-a", "192.0.2.1", "-n", NQN, "-T", "107" },
	  "use 104, or 106 for ECT(0)" },
	{ { "-a", "192.0.2.1", "-n", NQN, "-T", "3" }, "use 0, or 2 for" },
	{ { "-a", "192.0.2.1", "-n", NQN, "-Q", "15" }, "must be 16 to 1024" },
	{ { "-a", "192.0.2.1", "-n", NQN, "-c", "0" }, "must be 1 to" },
	{ { "-a", "192.0.2.1", "-n", NQN, "-t", "tcp" }, "over rdma only" },
	{ { "-a", "192.0.2.1", "-n", NQN, "--tls" }, "TCP transport only" },
	{ { "-a", "192.0.2.1", "-n", NQN, "-g" }, "TCP transport only" },
	{ { "-a", "192.0.2.1", "-n", NQN, "-o", "json" }, "roceguard -j" },
	{ { "-a", "192.0.2.1", "-n", NQN, "-w", "host" }, "--host-traddr host" },
	{ { "-a", "192.0.2.1", "-n", NQN, "-f", "nosuch0" }, "no such interf" },
	{ { "-a", "192.0.2.1", "-n", NQN, "-Z" }, "unknown option -Z" },
	{ { "-a", "192.0.2.1", "-n", NQN, "--nosuch" }, "unknown option --nosu" },
	{ { "-a", "192.0.2.1", "-n", NQN, "--anyway=1" }, "takes no value" },
	{ { "-a", "192.0.2.1", "-n" }, "--nqn needs a value" },
	{ { "-a", "192.0.2.1", "-n", NQN, "--tos" }, "--tos needs a value" },
	{ { "-a", "192.0.2.1", "-n", NQN, "extra" }, "what is \"extra\"?" },
};

static int parse(const struct args_case *c, struct conn_args *args,
		 struct conn_error *error)
{
	char *argv[ARRAY_SIZE(c->argv) + 2] = { "connect" };
	int argc = 1;

	while (argc <= (int)ARRAY_SIZE(c->argv) && c->argv[argc - 1]) {
		argv[argc] = (char *)c->argv[argc - 1];
		argc++;
	}
	memset(error, 0, sizeof(*error));
	return conn_args_parse(args, argc, argv, error);
}

static void test_args(void **state)
{
	struct conn_error error;
	struct conn_args args;
	unsigned int i;
	int err;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(args_cases); i++) {
		const struct args_case *c = &args_cases[i];

		err = parse(c, &args, &error);
		if (!c->words) {
			assert_string_equal(error.text, "");
			assert_int_equal(err, 0);
			continue;
		}
		if (!strstr(error.text, c->words))
			fail_msg("case %u: \"%s\" is not in \"%s\"", i,
				 c->words, error.text);
		assert_true(err < 0);
		assert_int_equal(error.status, RG_EXIT_USAGE);
	}
}

static void test_args_values(void **state)
{
	const struct args_case c = { { "-a", "192.0.2.1", "-n", NQN, "-s",
		"0x1144", "-T", "0x6a", "-i", "4", "-F", "9" }, NULL };
	struct conn_error error;
	struct conn_args args;

	(void)state;
	assert_int_equal(parse(&c, &args, &error), 0);
	assert_string_equal(args.trsvcid, "4420");
	assert_int_equal(args.tos, 106);
	assert_int_equal(args.timeout, 60);
	assert_int_equal(args.n_pass, 2);
	assert_string_equal(args.pass[0].name, "nr-io-queues");
	assert_string_equal(args.pass[0].value, "4");
	assert_string_equal(args.pass[1].name, "fast_io_fail_tmo");
	assert_int_equal(conn_args_resolve(&args, &error), 0);
	assert_string_equal(args.address, "192.0.2.1");
}

static void test_args_nqn_length(void **state)
{
	char nqn[CONN_NQN_MAX + 2];
	struct args_case c = { { "-a", "192.0.2.1", "-n", nqn }, NULL };
	struct conn_error error;
	struct conn_args args;

	(void)state;
	memset(nqn, 'n', sizeof(nqn));
	nqn[CONN_NQN_MAX] = '\0';
	assert_int_equal(parse(&c, &args, &error), 0);
	assert_int_equal(strlen(args.nqn), CONN_NQN_MAX);
	nqn[CONN_NQN_MAX] = 'n';
	nqn[CONN_NQN_MAX + 1] = '\0';
	assert_true(parse(&c, &args, &error) < 0);
	assert_non_null(strstr(error.text, "224 bytes, at most 223"));
}

/* Literals that are addresses, but not those of one host that can be had. */
static void test_resolve(void **state)
{
	static const struct {
		const char *traddr, *source, *words;
	} cases[] = {
		{ "0.0.0.0", NULL, "not the address of one host" },
		{ "224.0.0.1", NULL, "not the address of one host" },
		{ "255.255.255.255", NULL, "not the address of one host" },
		{ "::", NULL, "not the address of one host" },
		{ "ff02::1", NULL, "not the address of one host" },
		{ "::ffff:192.0.2.1", NULL, "not the address of one host" },
		{ "fe80::1", NULL, "needs its interface" },
		{ "192.0.2.1", "2001:db8::1", "different address families" },
		{ "fe80::1%lo", NULL, NULL },
		{ "2001:DB8:0::1", NULL, NULL },
	};
	struct conn_error error;
	struct conn_args args;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct args_case c = { { "-n", NQN, "-a", cases[i].traddr,
			cases[i].source ? "-w" : NULL, cases[i].source }, NULL };
		int err;

		assert_int_equal(parse(&c, &args, &error), 0);
		err = conn_args_resolve(&args, &error);
		if (!cases[i].words)
			assert_int_equal(err, 0);
		else
			assert_non_null(strstr(error.text, cases[i].words));
	}
	assert_string_equal(args.address, "2001:db8::1");
}

/* ---- addresses ---- */

static void test_gid_text(void **state)
{
	struct sockaddr_storage ss;
	char gid[40];

	(void)state;
	assert_int_equal(conn_address_parse("192.168.20.1", &ss), 0);
	conn_address_gid(&ss, gid);
	assert_string_equal(gid, "0000:0000:0000:0000:0000:ffff:c0a8:1401");
	assert_int_equal(conn_address_parse("2001:db8::a", &ss), 0);
	conn_address_gid(&ss, gid);
	assert_string_equal(gid, "2001:0db8:0000:0000:0000:0000:0000:000a");
}

/* ---- ToS ---- */

static void test_tos(void **state)
{
	static const struct {
		uint64_t dscp;
		enum rg_tristate ecn;
		bool held;
		int user;
		int byte;
		enum conn_ect ect;
	} cases[] = {
		{ BIT_ULL(26), RG_YES, true, -1, 106, CONN_ECT_ON },
		{ BIT_ULL(26), RG_YES, false, -1, 104, CONN_ECT_NOT_HELD },
		{ BIT_ULL(26), RG_NO, true, -1, 104, CONN_ECT_NOT_ASKED },
		{ BIT_ULL(26), RG_NOT_SAID, true, -1, 104, CONN_ECT_NOT_ASKED },
		{ BIT_ULL(0), RG_YES, true, -1, 2, CONN_ECT_ON },
		{ BIT_ULL(63), RG_YES, true, -1, 254, CONN_ECT_ON },
		{ BIT_ULL(26) | BIT_ULL(27), RG_YES, true, -1, 106, CONN_ECT_ON },
		{ BIT_ULL(26), RG_YES, true, 0, 0, CONN_ECT_ON },
		{ 0, RG_YES, true, -1, -1, CONN_ECT_UNKNOWN },
		{ 0, RG_YES, true, 8, 8, CONN_ECT_UNKNOWN },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct rg_class class = { .dscp = cases[i].dscp,
					  .ecn = cases[i].ecn };
		struct conn_tos tos;

		conn_tos_choose(&tos, &class, cases[i].held, cases[i].user);
		assert_int_equal(tos.byte, cases[i].byte);
		assert_int_equal(tos.ect, cases[i].ect);
		assert_int_equal(tos.from_user, cases[i].user >= 0);
	}
}

static void test_tos_words(void **state)
{
	char words[64];

	(void)state;
	conn_tos_words(106, words, sizeof(words));
	assert_string_equal(words, "106 = DSCP 26 + ECT(0)");
	conn_tos_words(104, words, sizeof(words));
	assert_string_equal(words, "104 = DSCP 26");
}

/* As computed from the kernel's ip_tos2prio for the bytes people use. */
static void test_tos_skprio(void **state)
{
	(void)state;
	assert_int_equal(rg_tos_skprio(104), 2);
	assert_int_equal(rg_tos_skprio(106), 2);
	assert_int_equal(rg_tos_skprio(96), 0);
	assert_int_equal(rg_tos_skprio(128), 0);
	assert_int_equal(rg_tos_skprio(184), 4);
	assert_int_equal(rg_tos_skprio(136), 2);
	assert_int_equal(rg_tos_skprio(16), 6);
}

/* ---- the chain ---- */

static struct conn_facts facts;
static struct conn_chain chain;
static struct conn_args args;

static void add_class(struct rg_policy_spec *spec, const char *name, int dscp,
		      int priority, bool lossless)
{
	struct rg_class *class = &spec->class[spec->n_classes++];

	rg_class_init(class);
	snprintf(class->name, sizeof(class->name), "%s", name);
	class->dscp = BIT_ULL(dscp);
	class->priority = priority;
	class->lossless = lossless;
	class->ecn = lossless ? RG_YES : RG_NOT_SAID;
}

static void derive(struct conn_port *p)
{
	struct rg_problem problem = { 0 };

	assert_int_equal(rg_policy_derive(&p->policy.spec, &p->want, &problem),
			 0);
}

/* A host where all is well: policy storage on roce0, everything held. */
static int all_well(void **state)
{
	struct conn_port *p = &facts.port[0];
	unsigned int i;

	(void)state;
	memset(&facts, 0, sizeof(facts));
	memset(&args, 0, sizeof(args));
	args.tos = -1;
	strcpy(args.address, "192.168.20.100");
	facts.module = true;
	conn_address_parse("192.168.20.1", &facts.route.source);
	facts.route.egress = (struct conn_link){ .index = 3, .name = "roce0",
		.mtu = 4200, .up = true, .carrier = true };
	facts.route.port[0] = facts.route.egress;
	facts.route.n_ports = 1;
	facts.gid = (struct conn_gid){ .device = "rxe0", .port = 1,
		.index = 1, .ofed_tclass = -1 };
	p->known = p->fresh = p->has_policy = true;
	p->port.state = ROCEGUARD_STATE_ENFORCED;
	strcpy(p->port.policy, "storage");
	rg_policy_init(&p->policy.spec);
	strcpy(p->policy.spec.name, "storage");
	add_class(&p->policy.spec, "storage", 26, 3, true);
	add_class(&p->policy.spec, "cnp", 48, 6, false);
	for (i = 0; i < MODEL_KNOBS; i++)
		p->port.knob[i] = (struct model_knob){ .id = i,
			.verdict = ROCEGUARD_VERDICT_HELD };
	derive(p);
	return 0;
}

static const struct conn_step *judge(const char *name)
{
	unsigned int i;

	conn_chain_judge(&args, &facts, &chain);
	for (i = 0; i < chain.n; i++)
		if (!strcmp(chain.step[i].name, name))
			return &chain.step[i];
	return NULL;
}

static void expect_broken(const char *name, const char *seen,
			  const char *remedy)
{
	const struct conn_step *step = judge(name);

	assert_non_null(step);
	assert_int_equal(step->status, CONN_BROKEN);
	assert_true(chain.broken > 0);
	if (!strstr(step->seen, seen))
		fail_msg("\"%s\" is not in \"%s\"", seen, step->seen);
	if (!strstr(step->remedy, remedy))
		fail_msg("\"%s\" is not in \"%s\"", remedy, step->remedy);
}

static void test_chain_intact(void **state)
{
	unsigned int i;

	(void)state;
	assert_non_null(judge("pfc"));
	for (i = 0; i < chain.n; i++)
		assert_int_equal(chain.step[i].status, CONN_OK);
	assert_int_equal(chain.broken, 0);
	assert_int_equal(chain.priority, 3);
	assert_int_equal(chain.tos.byte, 106);
}

/* What each verdict of each knob means to the chain, and what mends it. */
static void test_chain_verdicts(void **state)
{
	static const struct {
		uint32_t verdict;
		const char *remedy;
		enum conn_status dscp, ets, pfc, pause;
	} cases[] = {
		{ ROCEGUARD_VERDICT_HELD, "", CONN_OK, CONN_OK, CONN_OK, CONN_OK },
		{ ROCEGUARD_VERDICT_CORRECTED, "",
		  CONN_OK, CONN_OK, CONN_OK, CONN_OK },
		{ ROCEGUARD_VERDICT_UNMANAGED, "name it in policy storage",
		  CONN_BROKEN, CONN_UNKNOWN, CONN_BROKEN, CONN_UNKNOWN },
		{ ROCEGUARD_VERDICT_UNSUPPORTED, "roceguard port show roce0",
		  CONN_BROKEN, CONN_UNKNOWN, CONN_BROKEN, CONN_OK },
		{ ROCEGUARD_VERDICT_DRIFTED, "roceguard port apply roce0",
		  CONN_BROKEN, CONN_BROKEN, CONN_BROKEN, CONN_BROKEN },
		{ ROCEGUARD_VERDICT_DEFERRED, "roceguard port apply roce0 --now",
		  CONN_BROKEN, CONN_BROKEN, CONN_BROKEN, CONN_BROKEN },
		{ ROCEGUARD_VERDICT_PENDING, "roceguard port apply roce0",
		  CONN_BROKEN, CONN_BROKEN, CONN_BROKEN, CONN_BROKEN },
		{ ROCEGUARD_VERDICT_REFUSED, "roceguard port show roce0",
		  CONN_BROKEN, CONN_BROKEN, CONN_BROKEN, CONN_BROKEN },
		{ ROCEGUARD_VERDICT_CONTESTED, "stop the rival",
		  CONN_BROKEN, CONN_BROKEN, CONN_BROKEN, CONN_BROKEN },
		{ ROCEGUARD_VERDICT_DELEGATED, "roceguard port show roce0",
		  CONN_BROKEN, CONN_BROKEN, CONN_BROKEN, CONN_BROKEN },
		{ ROCEGUARD_VERDICT_INACTIVE, "roceguard port show roce0",
		  CONN_BROKEN, CONN_BROKEN, CONN_BROKEN, CONN_BROKEN },
		{ 99, "roceguard port apply roce0",
		  CONN_BROKEN, CONN_BROKEN, CONN_BROKEN, CONN_BROKEN },
	};
	static const struct {
		const char *name;
		unsigned int knob;
	} knobs[] = {
		{ "dscp", ROCEGUARD_KNOB_DSCP }, { "tc", ROCEGUARD_KNOB_ETS },
		{ "pfc", ROCEGUARD_KNOB_PFC }, { "pause", ROCEGUARD_KNOB_PAUSE },
	};
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const enum conn_status want[] = { cases[i].dscp, cases[i].ets,
			cases[i].pfc, cases[i].pause };

		for (k = 0; k < ARRAY_SIZE(knobs); k++) {
			const struct conn_step *step;

			all_well(state);
			facts.port[0].port.knob[knobs[k].knob].verdict =
				cases[i].verdict;
			step = judge(knobs[k].name);
			assert_non_null(step);
			assert_int_equal(step->status, want[k]);
			assert_int_equal(chain.broken, want[k] == CONN_BROKEN);
			if (want[k] != CONN_OK)
				assert_non_null(strstr(step->remedy,
						       cases[i].remedy));
		}
	}
}

static void test_chain_drift_words(void **state)
{
	struct model_knob *knob = &facts.port[0].port.knob[ROCEGUARD_KNOB_PFC];

	(void)state;
	knob->verdict = ROCEGUARD_VERDICT_DRIFTED;
	strcpy(knob->have, "off");
	strcpy(knob->want, "3");
	facts.host.frozen = true;
	expect_broken("pfc", "knob pfc is drifted: has off, wants 3",
		      "roceguard thaw");
	facts.host.frozen = false;
	facts.host.mode = ROCEGUARD_MODE_OBSERVE;
	expect_broken("pfc", "drifted", "mode=enforce");
	facts.host.mode = ROCEGUARD_MODE_ENFORCE;
	facts.port[0].policy.spec.observe = true;
	expect_broken("pfc", "drifted", "without --observe");
	facts.port[0].policy.spec.observe = false;
	facts.port[0].policy.spec.expert.dcbx = ROCEGUARD_DCBX_MODE_FOLLOW;
	expect_broken("pfc", "drifted", "Mode=follow");
}

static void test_chain_ecn(void **state)
{
	struct model_knob *knob = &facts.port[0].port.knob[ROCEGUARD_KNOB_ECN];

	(void)state;
	knob->verdict = ROCEGUARD_VERDICT_DRIFTED;
	assert_int_equal(judge("ecn")->status, CONN_NOTE);
	assert_int_equal(chain.broken, 0);
	assert_int_equal(chain.tos.byte, 104);
	assert_non_null(strstr(judge("tos")->seen,
			       "without ECT(0): the reaction point is not held"));
}

static void test_chain_host(void **state)
{
	(void)state;
	facts.module = false;
	strcpy(facts.module_why, "roceguard.ko is not loaded");
	facts.port[0].known = false;
	facts.port[0].has_policy = false;
	expect_broken("module", "not loaded", "modprobe roceguard");
	assert_int_equal(chain.tos.byte, -1);
	all_well(NULL);
	facts.host.mode = ROCEGUARD_MODE_OFF;
	expect_broken("module", "mode off", "mode=enforce");
}

static void test_chain_policy(void **state)
{
	struct conn_port *p = &facts.port[0];

	(void)state;
	p->port.policy[0] = '\0';
	p->has_policy = false;
	expect_broken("policy", "no policy governs",
		      "roceguard policy load storage --on roce0");
	assert_int_equal(chain.tos.byte, -1);
	all_well(NULL);
	p->known = false;
	p->has_policy = false;
	strcpy(p->why, "No such device");
	expect_broken("policy", "No such device", "Ethernet port");
	all_well(NULL);
	p->late = true;
	expect_broken("policy", "did not answer in time", "port show roce0");
	all_well(NULL);
	p->port.state = ROCEGUARD_STATE_SICK;
	expect_broken("policy", "does not answer", "port apply roce0");
}

static void test_chain_class(void **state)
{
	struct rg_policy_spec *spec = &facts.port[0].policy.spec;

	(void)state;
	add_class(spec, "backup", 34, 4, true);
	derive(&facts.port[0]);
	expect_broken("class", "several lossless classes: storage, backup",
		      "[Connection] Class=");
	strcpy(spec->connection_class, "backup");
	derive(&facts.port[0]);
	assert_int_equal(judge("class")->status, CONN_OK);
	assert_int_equal(chain.broken, 0);
	assert_int_equal(chain.priority, 4);
	assert_int_equal(chain.tos.byte, 34 << 2 | 2);
}

/* With several classes the user's ToS says which; the map says where to. */
static void test_chain_user_tos(void **state)
{
	struct rg_policy_spec *spec = &facts.port[0].policy.spec;

	(void)state;
	args.tos = 0;
	expect_broken("pfc", "takes priority 0, where policy storage has no PFC",
		      "leave --tos out: the policy's is 106");
	assert_int_equal(chain.priority, 0);
	args.tos = 48 << 2;
	expect_broken("pfc", "takes priority 6", "leave --tos out");
	/* The driver's default map would say 3: that is kept out of it. */
	args.tos = 27 << 2;
	expect_broken("pfc", "takes priority 0", "leave --tos out");
	add_class(spec, "backup", 34, 4, true);
	derive(&facts.port[0]);
	args.tos = 34 << 2;
	assert_int_equal(judge("class")->status, CONN_NOTE);
	assert_int_equal(chain.broken, 0);
	assert_int_equal(chain.priority, 4);
}

static void test_chain_pcp(void **state)
{
	struct conn_port *p = &facts.port[0];

	(void)state;
	p->want.trust = ROCEGUARD_TRUST_PCP;
	expect_broken("pfc", "takes priority 0",
		      "connect by a VLAN on roce0, or let policy storage trust DSCP");
	facts.route.tagged = true;
	strcpy(facts.route.vlan.name, "roce0.5");
	facts.route.vlan.egress[2] = 3;
	assert_int_equal(judge("pfc")->status, CONN_OK);
	assert_int_equal(chain.priority, 3);
	/* Not by DSCP >> 3: what is mapped is the socket priority. */
	facts.route.vlan.egress[2] = 0;
	facts.route.vlan.egress[3] = 3;
	expect_broken("pfc", "takes priority 0",
		      "ip link set dev roce0.5 type vlan egress-qos-map 2:3");
}

/* The port is right without the tag, but the way to the target may go by it. */
static void test_chain_tag(void **state)
{
	(void)state;
	assert_null(judge("tag"));
	facts.route.tagged = true;
	strcpy(facts.route.vlan.name, "roce0.5");
	assert_int_equal(judge("tag")->status, CONN_NOTE);
	assert_string_equal(judge("tag")->remedy,
			    "ip link set dev roce0.5 type vlan egress-qos-map 2:3");
	assert_int_equal(chain.broken, 0);
	assert_int_equal(chain.priority, 3);
	facts.route.vlan.egress[2] = 3;
	assert_null(judge("tag"));
}

static void test_chain_rdma(void **state)
{
	(void)state;
	facts.gid.index = -1;
	expect_broken("gid", "rxe0 has no RoCE v2 GID for 192.168.20.1", "roce0");
	facts.gid.v1_only = true;
	expect_broken("gid", "only RoCE v1", "RoCE v2");
	facts.gid.device[0] = '\0';
	expect_broken("rdma", "no RDMA device has 192.168.20.1 on roce0",
		      "rdma link add");
	all_well(NULL);
	facts.gid.ofed_tclass = 96;
	expect_broken("tclass", "traffic class 96 overrides",
		      "/sys/class/infiniband/rxe0/tc/1/traffic_class");
	facts.gid.ofed_tclass = 106;
	assert_null(judge("tclass"));
	assert_int_equal(chain.broken, 0);
}

static void test_chain_mtu_carrier(void **state)
{
	(void)state;
	facts.route.egress.mtu = 1500;
	assert_int_equal(judge("mtu")->status, CONN_NOTE);
	assert_non_null(strstr(judge("mtu")->seen, "payload 1024 bytes"));
	assert_int_equal(chain.broken, 0);
	facts.route.egress.mtu = 300;
	expect_broken("mtu", "too few", "ip link set dev roce0 mtu");
	all_well(NULL);
	facts.route.port[0].carrier = false;
	expect_broken("carrier", "no carrier", "cable");
	facts.route.port[0].up = false;
	expect_broken("carrier", "set down", "ip link set dev roce0 up");
}

/* Frames on a bond may take any of its ports: one bad one breaks the chain. */
static void test_chain_bond(void **state)
{
	(void)state;
	facts.route.port[1] = facts.route.port[0];
	strcpy(facts.route.port[1].name, "roce1");
	strcpy(facts.route.bond, "bond0");
	facts.port[1] = facts.port[0];
	facts.route.n_ports = 2;
	judge("pfc");
	assert_int_equal(chain.broken, 0);
	facts.port[1].port.knob[ROCEGUARD_KNOB_PFC].verdict =
		ROCEGUARD_VERDICT_DRIFTED;
	facts.port[1].port.knob[ROCEGUARD_KNOB_ECN].verdict =
		ROCEGUARD_VERDICT_UNSUPPORTED;
	judge("pfc");
	assert_int_equal(chain.broken, 1);
	assert_int_equal(chain.tos.byte, 104);
	facts.route.port[1].carrier = false;
	judge("carrier");
	assert_int_equal(chain.broken, 1);
}

/* The longest chain there can be has room. */
static void test_chain_full(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < CONN_PORTS; i++) {
		facts.route.port[i] = facts.route.port[0];
		facts.port[i] = facts.port[0];
	}
	facts.route.n_ports = CONN_PORTS;
	facts.route.tagged = true;
	facts.gid.ofed_tclass = 96;
	facts.gid.index = -1;
	judge("pfc");
	assert_true(chain.n <= CONN_STEPS_MAX);
}

/* ---- ports below an interface ---- */

static void expect_ports(struct conn_links *links, unsigned int egress,
			 const char *names, const char *why)
{
	struct conn_route route = { 0 };
	char text[256] = "";
	unsigned int i;

	route.egress = *conn_links_find(links, egress);
	conn_route_ports(links, &route);
	for (i = 0; i < route.n_ports; i++) {
		strcat(text, route.port[i].name);
		strcat(text, " ");
	}
	assert_string_equal(text, names);
	if (!strstr(route.why, why) || !*route.why != !*why)
		fail_msg("\"%s\" instead of \"%s\"", route.why, why);
}

static void test_route_ports(void **state)
{
	struct conn_link all[] = {
		{ .index = 1, .name = "eth1" },
		{ .index = 2, .name = "roce0", .kind = "labnic", .lower = 1 },
		{ .index = 3, .name = "roce0.5", .kind = "vlan", .lower = 2 },
		{ .index = 4, .name = "bond0", .kind = "bond" },
		{ .index = 5, .name = "p0", .master = 4 },
		{ .index = 6, .name = "p1", .master = 4 },
		{ .index = 7, .name = "bond0.7", .kind = "vlan", .lower = 4 },
		{ .index = 8, .name = "far", .kind = "vlan", .lower = 1,
		  .foreign = true },
		{ .index = 9, .name = "bond1", .kind = "bond" },
		{ .index = 11, .name = "team0", .kind = "team" },
		{ .index = 12, .name = "p2", .master = 11 },
		{ .index = 10, .name = "loop", .kind = "vlan", .lower = 10 },
	};
	struct conn_links links = { all, ARRAY_SIZE(all) };

	(void)state;
	expect_ports(&links, 1, "eth1 ", "");
	expect_ports(&links, 2, "roce0 ", "");
	expect_ports(&links, 3, "roce0 ", "");
	expect_ports(&links, 4, "p0 p1 ", "");
	expect_ports(&links, 7, "p0 p1 ", "");
	expect_ports(&links, 8, "", "another network namespace");
	expect_ports(&links, 9, "", "has no port");
	expect_ports(&links, 10, "", "too many");
	expect_ports(&links, 11, "p2 ", "");
}

/* ---- sysfs ---- */

static char root[] = "/tmp/test_connect.XXXXXX";

static void put(const char *path, const char *text)
{
	char full[512], *slash;
	FILE *f;

	snprintf(full, sizeof(full), "%s/%s", root, path);
	for (slash = full + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(full, 0700);
		*slash = '/';
	}
	f = fopen(full, "w");
	assert_non_null(f);
	fprintf(f, "%s\n", text);
	fclose(f);
}

static void put_gid(const char *device, unsigned int port, unsigned int index,
		    const char *gid, const char *type, const char *ndev)
{
	char path[256];

	snprintf(path, sizeof(path), "class/infiniband/%s/ports/%u/gids/%u",
		 device, port, index);
	put(path, gid);
	snprintf(path, sizeof(path),
		 "class/infiniband/%s/ports/%u/gid_attrs/types/%u", device,
		 port, index);
	put(path, type);
	snprintf(path, sizeof(path),
		 "class/infiniband/%s/ports/%u/gid_attrs/ndevs/%u", device,
		 port, index);
	put(path, ndev);
}

#define V4_GID "0000:0000:0000:0000:0000:ffff:c0a8:1401"
#define V6_GID "fd00:0000:0000:0000:0000:0000:0000:0001"

static int make_sysfs(void **state)
{
	(void)state;
	if (!mkdtemp(root))
		return -1;
	put_gid("mlx5_0", 1, 0, V6_GID, "IB/RoCE v1", "ens1");
	put_gid("rxe0", 1, 0, "fe80:0000:0000:0000:0000:0000:0000:0001",
		"RoCE v2", "roce0");
	put_gid("rxe0", 1, 1, V4_GID, "IB/RoCE v1", "roce0");
	put_gid("rxe0", 1, 2, V4_GID, "RoCE v2", "roce0");
	put_gid("rxe0", 1, 3, V4_GID, "RoCE v2", "roce0.5");
	put("class/infiniband/rxe0/tc/1/traffic_class", "Global tclass=96");
	put("class/infiniband/mlx5_0/tc/1/traffic_class", "0");
	put("class/nvme/nvme0/transport", "rdma");
	put("class/nvme/nvme0/subsysnqn", NQN);
	put("class/nvme/nvme0/address", "traddr=192.0.2.1,trsvcid=4420");
	put("class/nvme/nvme0/state", "live");
	put("class/nvme/nvme0/cntlid", "1");
	put("class/nvme/nvme1/transport", "rdma");
	put("class/nvme/nvme1/subsysnqn", NQN);
	put("class/nvme/nvme1/address",
	    "traddr=192.0.2.1,trsvcid=4420,host_traddr=192.0.2.9");
	put("class/nvme/nvme1/state", "connecting");
	put("class/nvme/nvme1/cntlid", "7");
	put("class/nvme/nvme2/transport", "tcp");
	put("class/nvme/nvme2/subsysnqn", NQN);
	put("class/nvme/nvme2/address", "traddr=192.0.2.1,trsvcid=4420");
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static int remove_sysfs(void **state)
{
	(void)state;
	return nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void test_gid_find(void **state)
{
	struct conn_gid gid;

	(void)state;
	conn_gid_find(root, "rxe0", 1, "roce0", V4_GID, &gid);
	assert_int_equal(gid.index, 2);
	assert_int_equal(gid.ofed_tclass, 96);
	conn_gid_find(root, "", 0, "roce0.5", V4_GID, &gid);
	assert_string_equal(gid.device, "rxe0");
	assert_int_equal(gid.port, 1);
	assert_int_equal(gid.index, 3);
	conn_gid_find(root, "rxe0", 1, "roce0", V6_GID, &gid);
	assert_string_equal(gid.device, "rxe0");
	assert_int_equal(gid.index, -1);
	assert_false(gid.v1_only);
	conn_gid_find(root, "mlx5_0", 1, "ens1", V6_GID, &gid);
	assert_int_equal(gid.index, -1);
	assert_true(gid.v1_only);
	assert_int_equal(gid.ofed_tclass, -1);
	conn_gid_find(root, "", 0, "ens9", V4_GID, &gid);
	assert_string_equal(gid.device, "");
}

static void test_ctrl_find(void **state)
{
	struct conn_args want = { .nqn = NQN, .trsvcid = "4420",
				  .address = "192.0.2.1" };
	struct conn_ctrl_set first = { { 1 } }, second = { { 2 } }, all;
	struct conn_ctrl ctrl;

	(void)state;
	conn_ctrl_list(root, &all);
	assert_int_equal(all.bit[0], 7);
	assert_true(conn_ctrl_wait_live(root, &want, &second, 0, &ctrl));
	assert_string_equal(ctrl.name, "nvme0");
	assert_false(conn_ctrl_wait_live(root, &want, &first, 0, &ctrl));
	assert_true(conn_ctrl_find(root, &want, &first, &ctrl));
	assert_string_equal(ctrl.name, "nvme1");
	assert_string_equal(ctrl.state, "connecting");
	assert_int_equal(ctrl.cntlid, 7);
	assert_false(conn_ctrl_find(root, &want, &all, &ctrl));
	strcpy(want.address, "192.0.2.10");
	assert_false(conn_ctrl_find(root, &want, NULL, &ctrl));
	strcpy(want.address, "192.0.2");
	assert_false(conn_ctrl_find(root, &want, NULL, &ctrl));
}

/* ---- nvme's command line ---- */

static void test_command(void **state)
{
	const struct args_case c = { { "-a", "192.0.2.1", "-n", NQN, "-S",
		"DHHC-1:00:abc=:", "-D", "-w", "192.0.2.9" }, NULL };
	static const char *const want[] = { "/usr/sbin/nvme", "connect",
		"--transport=rdma", "--traddr=192.0.2.1", "--trsvcid=4420",
		"--nqn=" NQN, "--host-traddr=192.0.2.9", "--tos=106",
		"--dhchap-secret=DHHC-1:00:abc=:", "--duplicate-connect" };
	struct conn_command cmd;
	struct conn_error error;
	struct conn_args parsed;
	char word[512];
	unsigned int i;

	(void)state;
	assert_int_equal(parse(&c, &parsed, &error), 0);
	assert_int_equal(conn_args_resolve(&parsed, &error), 0);
	assert_int_equal(conn_command_build(&cmd, want[0], &parsed, 106,
					    &error), 0);
	assert_int_equal(cmd.argc, ARRAY_SIZE(want));
	for (i = 0; i < cmd.argc; i++)
		assert_string_equal(cmd.argv[i], want[i]);
	assert_null(cmd.argv[i]);
	conn_command_word(&cmd, 8, word, sizeof(word));
	assert_string_equal(word, "--dhchap-secret=(secret)");
	conn_command_word(&cmd, 7, word, sizeof(word));
	assert_string_equal(word, "--tos=106");
	conn_command_free(&cmd);
}

static int run(const char *program, unsigned int timeout,
	       struct conn_error *error)
{
	struct conn_command cmd = { 0 };

	cmd.argv[0] = (char *)program;
	cmd.argv[1] = "30";
	memset(error, 0, sizeof(*error));
	return conn_nvme_run(&cmd, timeout, false, error);
}

static void test_run(void **state)
{
	struct conn_error error;

	(void)state;
	assert_int_equal(run("/bin/true", 5, &error), 0);
	assert_true(run("/bin/false", 5, &error) < 0);
	assert_int_equal(error.status, RG_EXIT_KERNEL);
	assert_non_null(strstr(error.text, "exit status 1"));
	assert_true(run("/nosuch/nvme", 5, &error) < 0);
	assert_non_null(strstr(error.text, "cannot be executed"));
	assert_true(run("/bin/sleep", 1, &error) < 0);
	assert_non_null(strstr(error.text, "did not end within 1 s and was"));
}

/* ---- counters ---- */

static void test_prio_names(void **state)
{
	static const struct {
		const char *name;
		bool found, tx;
		unsigned int priority;
	} cases[] = {
		{ "tx_prio3_packets", true, true, 3 },
		{ "rx_prio7_packets", true, false, 7 },
		{ "tx_packets_pri0", true, true, 0 },
		{ "frames_rx_pri_5", true, false, 5 },
		{ "tx_prio8_packets", false, false, 0 },
		{ "tx_prio3_bytes", false, false, 0 },
		{ "tx_prio3_packets_phy", false, false, 0 },
		{ "tx_prio", false, false, 0 },
		{ "", false, false, 0 },
	};
	unsigned int i, priority;
	bool tx;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		bool found = conn_prio_name(cases[i].name, &tx, &priority);

		assert_int_equal(found, cases[i].found);
		if (!found)
			continue;
		assert_int_equal(tx, cases[i].tx);
		assert_int_equal(priority, cases[i].priority);
	}
}

static void test_prio_since(void **state)
{
	struct conn_prio before = { true, { [0] = 5, [3] = 100 }, { 0 } };
	struct conn_prio after = { true, { [0] = 5, [3] = 140 }, { [3] = 9 } };
	struct conn_prio diff;

	(void)state;
	conn_prio_since(&before, &after, &diff);
	assert_true(diff.known);
	assert_int_equal(diff.tx[0], 0);
	assert_int_equal(diff.tx[3], 40);
	assert_int_equal(diff.rx[3], 9);
	/* A reset of the port in between: counted from zero. */
	after.tx[3] = 7;
	conn_prio_since(&before, &after, &diff);
	assert_int_equal(diff.tx[3], 7);
	before.known = false;
	conn_prio_since(&before, &after, &diff);
	assert_false(diff.known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_args),
		cmocka_unit_test(test_args_values),
		cmocka_unit_test(test_args_nqn_length),
		cmocka_unit_test(test_resolve),
		cmocka_unit_test(test_gid_text),
		cmocka_unit_test(test_tos),
		cmocka_unit_test(test_tos_words),
		cmocka_unit_test(test_tos_skprio),
		cmocka_unit_test_setup(test_chain_intact, all_well),
		cmocka_unit_test_setup(test_chain_verdicts, all_well),
		cmocka_unit_test_setup(test_chain_drift_words, all_well),
		cmocka_unit_test_setup(test_chain_ecn, all_well),
		cmocka_unit_test_setup(test_chain_host, all_well),
		cmocka_unit_test_setup(test_chain_policy, all_well),
		cmocka_unit_test_setup(test_chain_class, all_well),
		cmocka_unit_test_setup(test_chain_user_tos, all_well),
		cmocka_unit_test_setup(test_chain_pcp, all_well),
		cmocka_unit_test_setup(test_chain_tag, all_well),
		cmocka_unit_test_setup(test_chain_rdma, all_well),
		cmocka_unit_test_setup(test_chain_mtu_carrier, all_well),
		cmocka_unit_test_setup(test_chain_bond, all_well),
		cmocka_unit_test_setup(test_chain_full, all_well),
		cmocka_unit_test(test_route_ports),
		cmocka_unit_test(test_gid_find),
		cmocka_unit_test(test_ctrl_find),
		cmocka_unit_test(test_command),
		cmocka_unit_test(test_run),
		cmocka_unit_test(test_prio_names),
		cmocka_unit_test(test_prio_since),
	};

	return cmocka_run_group_tests_name("connect", tests, make_sysfs,
					   remove_sysfs);
}
