// SPDX-License-Identifier: GPL-2.0
#include "case.h"
#include "policy.h"

/* Policies are large, and the stack of a kernel is not. */
static struct rg_policy_spec spec;
static struct rg_want want;
static struct rg_problem problem;

/* A lossless class, a strict one for CNPs, and the rest. */
static void storage(void)
{
	rg_policy_init(&spec);
	strcpy(spec.name, "storage");
	spec.n_classes = 2;
	rg_class_init(&spec.class[0]);
	strcpy(spec.class[0].name, "storage");
	spec.class[0].dscp = BIT_ULL(26);
	spec.class[0].priority = 3;
	spec.class[0].lossless = true;
	spec.class[0].ecn = RG_YES;
	spec.class[0].share = 50;
	rg_class_init(&spec.class[1]);
	strcpy(spec.class[1].name, "cnp");
	spec.class[1].dscp = BIT_ULL(48);
	spec.class[1].priority = 6;
	spec.class[1].strict = true;
	spec.class[1].cnp = true;
	strcpy(spec.connection_class, "storage");
}

CASE(classes_become_knobs)
{
	int dscp;

	storage();
	expect_eq(rg_policy_derive(&spec, &want, &problem), 0);
	expect_eq(want.knobs, (u32)((BIT(ROCEGUARD_KNOB_ECN + 1) - 1) |
				    BIT(ROCEGUARD_KNOB_CNP)));
	expect_eq(want.pfc, BIT(3));
	expect_false(want.pause_rx || want.pause_tx);
	expect_eq(want.trust, ROCEGUARD_TRUST_DSCP);
	expect_eq(want.exclusive, BIT(3) | BIT(6));
	for (dscp = 0; dscp < RG_DSCPS; dscp++)
		expect_eq(want.map[dscp],
			  dscp == 26 ? 3 : dscp == 48 ? 6 : RG_UNSET);
	expect_eq(want.ecn_on[0], BIT(3));
	expect_eq(want.ecn_on[1], BIT(3));
	expect_eq(want.ecn_off[0] | want.ecn_off[1], 0);
	expect_eq(want.params, BIT(ROCEGUARD_PARAM_NP_CNP_DSCP) |
			       BIT(ROCEGUARD_PARAM_NP_CNP_PRIORITY));
	expect_eq(want.param[ROCEGUARD_PARAM_NP_CNP_DSCP], 48);
	expect_eq(want.param[ROCEGUARD_PARAM_NP_CNP_PRIORITY], 6);
}

CASE(strict_classes_are_the_highest)
{
	storage();
	expect_eq(rg_policy_derive(&spec, &want, &problem), 0);
	expect_eq(want.n_tcs, 3);
	expect_eq(want.prio_tc[0], 0);
	expect_eq(want.prio_tc[3], 1);
	expect_eq(want.prio_tc[6], 2);
	expect_eq(want.tsa[0], ROCEGUARD_TSA_ETS);
	expect_eq(want.tsa[1], ROCEGUARD_TSA_ETS);
	expect_eq(want.tsa[2], ROCEGUARD_TSA_STRICT);
	expect_eq(want.bandwidth[0], 50);
	expect_eq(want.bandwidth[1], 50);
	expect_eq(want.bandwidth[2], 0);
}

CASE(unsaid_shares_divide_what_is_left)
{
	storage();
	spec.class[1].strict = false;
	spec.class[0].share = 51;
	expect_eq(rg_policy_derive(&spec, &want, &problem), 0);
	expect_eq(want.bandwidth[1], 51);
	expect_eq(want.bandwidth[2], 24);
	expect_eq(want.bandwidth[0], 25);
}

CASE(priority_0_is_open_to_all)
{
	storage();
	spec.class[0].priority = 0;
	spec.class[0].lossless = false;
	spec.class[0].share = 0;
	expect_eq(rg_policy_derive(&spec, &want, &problem), 0);
	expect_eq(want.exclusive, BIT(6));
	expect_eq(want.pfc, 0);
	expect_false(want.knobs & BIT(ROCEGUARD_KNOB_PFC));
}

CASE(an_expert_section_alone_names_its_knob_only)
{
	rg_policy_init(&spec);
	strcpy(spec.name, "x");
	spec.expert.set = BIT(RG_EXPERT_PAUSE_RX);
	spec.expert.pause_rx = true;
	expect_eq(rg_policy_derive(&spec, &want, &problem), 0);
	expect_eq(want.knobs, BIT(ROCEGUARD_KNOB_PAUSE));
	expect_true(want.pause_rx);
	expect_false(want.pause_tx);
}

CASE(the_longest_cable_counts)
{
	storage();
	spec.class[0].cable = 5;
	expect_eq(rg_policy_derive(&spec, &want, &problem), 0);
	expect_eq(want.cable, 5);
	spec.class[1].lossless = true;
	spec.class[1].cable = 40;
	expect_eq(rg_policy_derive(&spec, &want, &problem), 0);
	expect_eq(want.cable, 40);
	/* Lossless by global pause, which allows for no cable. */
	spec.expert.set = BIT(RG_EXPERT_PFC) | BIT(RG_EXPERT_PAUSE_RX) |
			  BIT(RG_EXPERT_PAUSE_TX);
	spec.expert.pause_rx = true;
	spec.expert.pause_tx = true;
	expect_eq(rg_policy_derive(&spec, &want, &problem), 0);
	expect_eq(want.cable, 0);
}

static void no_name(void)
{
	strcpy(spec.name, ".hidden");
}

static void no_priority(void)
{
	spec.class[1].priority = RG_UNSET;
}

static void no_dscp(void)
{
	spec.class[1].dscp = 0;
}

static void priority_out_of_range(void)
{
	spec.class[1].priority = 8;
}

static void priority_twice(void)
{
	spec.class[1].priority = 3;
}

static void dscp_twice(void)
{
	spec.class[1].dscp |= BIT_ULL(26);
}

static void class_twice(void)
{
	strcpy(spec.class[1].name, "storage");
}

static void lossless_for_all(void)
{
	spec.class[0].priority = 0;
}

static void strict_with_share(void)
{
	spec.class[1].share = 10;
}

static void too_much_share(void)
{
	spec.class[1].strict = false;
	spec.class[1].share = 51;
}

static void no_share_for_others(void)
{
	spec.class[0].share = 100;
}

static void pfc_for_others(void)
{
	spec.expert.set = BIT(RG_EXPERT_PFC);
	spec.expert.pfc = BIT(3) | BIT(6);
}

static void neither_pfc_nor_pause(void)
{
	spec.expert.set = BIT(RG_EXPERT_PFC);
}

static void pause_and_pfc(void)
{
	spec.expert.set = BIT(RG_EXPERT_PAUSE_TX);
	spec.expert.pause_tx = true;
}

static void trust_that_ignores_classes(void)
{
	spec.expert.set = BIT(RG_EXPERT_TRUST);
	spec.expert.trust = ROCEGUARD_TRUST_PCP;
}

static void map_into_a_class(void)
{
	spec.expert.set = BIT(RG_EXPERT_MAP);
	spec.expert.map[10] = 3;
}

static void map_out_of_a_class(void)
{
	spec.expert.set = BIT(RG_EXPERT_MAP);
	spec.expert.map[26] = 0;
}

static void half_of_ets(void)
{
	spec.expert.set = BIT(RG_EXPERT_TC);
}

static void ecn_against_a_class(void)
{
	spec.expert.set = BIT(RG_EXPERT_ECN_RP);
}

static void cnps_of_another_dscp(void)
{
	spec.expert.params = BIT(ROCEGUARD_PARAM_NP_CNP_DSCP);
	spec.expert.param[ROCEGUARD_PARAM_NP_CNP_DSCP] = 26;
}

static void cnps_of_another_priority(void)
{
	spec.expert.params = BIT(ROCEGUARD_PARAM_NP_CNP_PRIORITY);
	spec.expert.param[ROCEGUARD_PARAM_NP_CNP_PRIORITY] = 3;
}

static void cnps_of_two_classes(void)
{
	spec.class[0].cnp = true;
}

static void cable_of_a_lossy_class(void)
{
	spec.class[1].cable = 5;
}

static void too_long_a_cable(void)
{
	spec.class[0].cable = ROCEGUARD_CABLE_MAX + 1;
}

static void two_cables(void)
{
	spec.class[0].cable = 5;
	spec.expert.set = BIT(RG_EXPERT_CABLE);
	spec.expert.cable = 40;
}

static void cable_for_nothing(void)
{
	spec.class[0].lossless = false;
	spec.expert.set = BIT(RG_EXPERT_CABLE);
	spec.expert.cable = 5;
}

static void storm_too_short(void)
{
	spec.expert.set = BIT(RG_EXPERT_STORM);
	spec.expert.storm = ROCEGUARD_STORM_MIN - 1;
}

static void storm_too_long(void)
{
	spec.expert.set = BIT(RG_EXPERT_STORM);
	spec.expert.storm = ROCEGUARD_STORM_MAX + 1;
}

static void storm_of_no_number(void)
{
	spec.expert.set = BIT(RG_EXPERT_STORM);
	spec.expert.storm = ROCEGUARD_STORM_AUTO + 1;
}

static void detection_too_short(void)
{
	spec.expert.set = BIT(RG_EXPERT_DETECTION);
	spec.expert.watchdog.detection_ms = ROCEGUARD_DETECTION_MIN - 1;
}

static void detection_too_long(void)
{
	spec.expert.set = BIT(RG_EXPERT_DETECTION);
	spec.expert.watchdog.detection_ms = ROCEGUARD_DETECTION_MAX + 1;
}

static void restoration_too_short(void)
{
	spec.expert.set = BIT(RG_EXPERT_RESTORATION);
	spec.expert.watchdog.restoration_ms = ROCEGUARD_RESTORATION_MIN - 1;
}

static void restoration_too_long(void)
{
	spec.expert.set = BIT(RG_EXPERT_RESTORATION);
	spec.expert.watchdog.restoration_ms = ROCEGUARD_RESTORATION_MAX + 1;
}

static void no_pfc_to_switch_off(void)
{
	spec.class[0].lossless = false;
	spec.expert.set = BIT(RG_EXPERT_STORM_ACTION);
	spec.expert.watchdog.action = ROCEGUARD_STORM_ACTION_PFC_OFF;
}

static void force_an_alert(void)
{
	spec.expert.set = BIT(RG_EXPERT_STORM_FORCE);
	spec.expert.watchdog.force = true;
}

static void mtu_too_small(void)
{
	spec.expert.set = BIT(RG_EXPERT_MTU);
	spec.expert.mtu = ROCEGUARD_MTU_MIN - 1;
}

static void mtu_too_large(void)
{
	spec.expert.set = BIT(RG_EXPERT_MTU);
	spec.expert.mtu = ROCEGUARD_MTU_MAX + 1;
}

static void unknown_class(void)
{
	strcpy(spec.connection_class, "backup");
}

static void unknown_roce_mode(void)
{
	spec.roce_mode = 3;
}

static void nothing(void)
{
	spec.n_classes = 0;
	spec.connection_class[0] = 0;
}

CASE(contradictions_are_refused_where_they_lie)
{
	static const struct {
		void (*spoil)(void);
		enum rg_where where;
		int key;
	} cases[] = {
		{ no_name, RG_WHERE_POLICY, ROCEGUARD_A_POLICY_NAME },
		{ no_priority, RG_WHERE_CLASS, 0 },
		{ no_dscp, RG_WHERE_CLASS, 0 },
		{ priority_out_of_range, RG_WHERE_CLASS,
		  ROCEGUARD_A_CLASS_PRIORITY },
		{ priority_twice, RG_WHERE_CLASS, ROCEGUARD_A_CLASS_PRIORITY },
		{ dscp_twice, RG_WHERE_CLASS, ROCEGUARD_A_CLASS_DSCP },
		{ class_twice, RG_WHERE_CLASS, ROCEGUARD_A_CLASS_NAME },
		{ lossless_for_all, RG_WHERE_CLASS,
		  ROCEGUARD_A_CLASS_PRIORITY },
		{ strict_with_share, RG_WHERE_CLASS,
		  ROCEGUARD_A_CLASS_STRICT },
		{ too_much_share, RG_WHERE_CLASS, ROCEGUARD_A_CLASS_SHARE },
		{ no_share_for_others, RG_WHERE_CLASS,
		  ROCEGUARD_A_CLASS_SHARE },
		{ pfc_for_others, RG_WHERE_PFC, ROCEGUARD_A_PFC_PRIORITIES },
		{ neither_pfc_nor_pause, RG_WHERE_PFC,
		  ROCEGUARD_A_PFC_PRIORITIES },
		{ pause_and_pfc, RG_WHERE_PAUSE, ROCEGUARD_A_PAUSE_TX },
		{ trust_that_ignores_classes, RG_WHERE_DSCP,
		  ROCEGUARD_A_DSCP_TRUST },
		{ map_into_a_class, RG_WHERE_DSCP, ROCEGUARD_A_DSCP_MAP },
		{ map_out_of_a_class, RG_WHERE_DSCP, ROCEGUARD_A_DSCP_MAP },
		{ half_of_ets, RG_WHERE_ETS, 0 },
		{ ecn_against_a_class, RG_WHERE_ECN, ROCEGUARD_A_ECN_RP },
		{ cnps_of_another_dscp, RG_WHERE_DCQCN,
		  ROCEGUARD_PARAM_NP_CNP_DSCP + 1 },
		{ cnps_of_another_priority, RG_WHERE_DCQCN,
		  ROCEGUARD_PARAM_NP_CNP_PRIORITY + 1 },
		{ cnps_of_two_classes, RG_WHERE_CLASS, ROCEGUARD_A_CLASS_CNP },
		{ cable_of_a_lossy_class, RG_WHERE_CLASS,
		  ROCEGUARD_A_CLASS_CABLE_LENGTH },
		{ too_long_a_cable, RG_WHERE_CLASS,
		  ROCEGUARD_A_CLASS_CABLE_LENGTH },
		{ two_cables, RG_WHERE_PFC, ROCEGUARD_A_PFC_CABLE_LENGTH },
		{ cable_for_nothing, RG_WHERE_PFC,
		  ROCEGUARD_A_PFC_CABLE_LENGTH },
		{ storm_too_short, RG_WHERE_STORM,
		  ROCEGUARD_A_STORM_PREVENTION_TIMEOUT },
		{ storm_too_long, RG_WHERE_STORM,
		  ROCEGUARD_A_STORM_PREVENTION_TIMEOUT },
		{ storm_of_no_number, RG_WHERE_STORM,
		  ROCEGUARD_A_STORM_PREVENTION_TIMEOUT },
		{ detection_too_short, RG_WHERE_WATCHDOG,
		  ROCEGUARD_A_WATCHDOG_DETECTION },
		{ detection_too_long, RG_WHERE_WATCHDOG,
		  ROCEGUARD_A_WATCHDOG_DETECTION },
		{ restoration_too_short, RG_WHERE_WATCHDOG,
		  ROCEGUARD_A_WATCHDOG_RESTORATION },
		{ restoration_too_long, RG_WHERE_WATCHDOG,
		  ROCEGUARD_A_WATCHDOG_RESTORATION },
		{ no_pfc_to_switch_off, RG_WHERE_WATCHDOG,
		  ROCEGUARD_A_WATCHDOG_ACTION },
		{ force_an_alert, RG_WHERE_WATCHDOG,
		  ROCEGUARD_A_WATCHDOG_FORCE },
		{ mtu_too_small, RG_WHERE_CHECK, ROCEGUARD_A_CHECK_MTU },
		{ mtu_too_large, RG_WHERE_CHECK, ROCEGUARD_A_CHECK_MTU },
		{ unknown_class, RG_WHERE_CONNECTION,
		  ROCEGUARD_A_CONNECTION_CLASS },
		{ unknown_roce_mode, RG_WHERE_CONNECTION,
		  ROCEGUARD_A_CONNECTION_ROCE_MODE },
		{ nothing, RG_WHERE_POLICY, 0 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		storage();
		cases[i].spoil();
		memset(&problem, 0, sizeof(problem));
		expect_row(rg_policy_derive(&spec, &want, &problem) == -EINVAL,
			   "row %zu is not refused", i);
		expect_row(problem.where == cases[i].where &&
			   problem.key == cases[i].key,
			   "row %zu: section %d, key %d: %s", i, problem.where,
			   problem.key, problem.text);
		expect_row(problem.text[0] &&
			   strlen(problem.text) < RG_PROBLEM_MAX - 1,
			   "row %zu: '%s' is cut or empty", i, problem.text);
	}
}

CASE(a_watchdog_that_is_told_nothing_has_its_own_times)
{
	storage();
	expect_eq(rg_policy_derive(&spec, &want, &problem), 0);
	expect_false(want.watched);
	expect_eq(want.watchdog.detection_ms, RG_DETECTION_MS);
	expect_eq(want.watchdog.restoration_ms, RG_RESTORATION_MS);
	expect_eq(want.watchdog.action, ROCEGUARD_STORM_ACTION_ALERT);
	spec.expert.set = BIT(RG_EXPERT_STORM_ACTION) |
			  BIT(RG_EXPERT_DETECTION);
	spec.expert.watchdog.action = ROCEGUARD_STORM_ACTION_PFC_OFF;
	spec.expert.watchdog.detection_ms = 500;
	expect_eq(rg_policy_derive(&spec, &want, &problem), 0);
	expect_true(want.watched);
	expect_eq(want.watchdog.detection_ms, 500);
	expect_eq(want.watchdog.restoration_ms, RG_RESTORATION_MS);
	expect_eq(want.watchdog.action, ROCEGUARD_STORM_ACTION_PFC_OFF);
}

CASE(the_class_of_connections_is_what_vlans_map)
{
	int skprio;

	storage();
	spec.expert.set = BIT(RG_EXPERT_VLAN_EGRESS) | BIT(RG_EXPERT_CM_TOS);
	spec.expert.vlan_egress = true;
	spec.expert.cm_tos = 106;
	spec.class[0].dscp |= BIT_ULL(46);
	expect_eq(rg_policy_derive(&spec, &want, &problem), 0);
	expect_true(want.knobs & BIT(ROCEGUARD_KNOB_VLAN_EGRESS));
	expect_true(want.knobs & BIT(ROCEGUARD_KNOB_RDMA_CM));
	expect_eq(want.cm_tos, 106);
	expect_eq(want.cm_mode, RG_UNSET);
	for (skprio = 0; skprio < RG_SKPRIOS; skprio++)
		expect_eq(want.egress[skprio],
			  skprio == 2 || skprio == 4 ? 3 : RG_UNSET);
}

CASE(socket_priorities_are_those_of_the_kernel)
{
	expect_eq(rg_tos_skprio(0), 0);
	expect_eq(rg_tos_skprio(104), 2);
	expect_eq(rg_tos_skprio(106), 2);
	expect_eq(rg_tos_skprio(96), 0);
	expect_eq(rg_tos_skprio(184), 4);
	expect_eq(rg_tos_skprio(16), 6);
}

CASE(names_are_words_without_surprises)
{
	char name[ROCEGUARD_NAME_MAX + 2];

	memset(name, 'a', sizeof(name));
	name[ROCEGUARD_NAME_MAX + 1] = 0;
	expect_false(rg_name_valid(name));
	name[ROCEGUARD_NAME_MAX] = 0;
	expect_true(rg_name_valid(name));
	expect_true(rg_name_valid("a.B_9-"));
	expect_false(rg_name_valid(""));
	expect_false(rg_name_valid("-a"));
	expect_false(rg_name_valid("../a"));
	expect_false(rg_name_valid("a b"));
	expect_false(rg_name_valid("a\n"));
	expect_false(rg_name_valid("a/b"));
}

SUITE(policy,
      case_of(classes_become_knobs),
      case_of(strict_classes_are_the_highest),
      case_of(unsaid_shares_divide_what_is_left),
      case_of(priority_0_is_open_to_all),
      case_of(an_expert_section_alone_names_its_knob_only),
      case_of(the_longest_cable_counts),
      case_of(contradictions_are_refused_where_they_lie),
      case_of(a_watchdog_that_is_told_nothing_has_its_own_times),
      case_of(the_class_of_connections_is_what_vlans_map),
      case_of(socket_priorities_are_those_of_the_kernel),
      case_of(names_are_words_without_surprises));
