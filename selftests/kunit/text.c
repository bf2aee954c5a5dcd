// SPDX-License-Identifier: GPL-2.0
#include "case.h"
#include "text.h"
#include "words.h"

CASE(settings_read_as_words)
{
	const u8 prio_tc[RG_PRIORITIES] = { [3] = 1, [6] = 2 };
	const u8 tsa[RG_TCS] = { ROCEGUARD_TSA_ETS, ROCEGUARD_TSA_STRICT, 9 };
	const u8 bandwidth[RG_TCS] = { 100 };
	const u8 ecn[] = { BIT(3), 0 };
	bool per_port[2] = {};
	struct rg_text text;

	rg_text_init(&text);
	rg_text_priorities(&text, 0);
	expect_str(text.buf, "none");
	rg_text_init(&text);
	rg_text_priorities(&text, 0x88);
	expect_str(text.buf, "3 7");
	rg_text_init(&text);
	rg_text_dscp(&text, 26, BIT(3) | BIT(4));
	rg_text_dscp(&text, 0, BIT(0));
	expect_str(text.buf, " 26:3+4 0:0");
	rg_text_init(&text);
	rg_text_ecn(&text, ecn, per_port);
	expect_str(text.buf, "np 3 rp none");
	per_port[0] = true;
	per_port[1] = true;
	rg_text_init(&text);
	rg_text_ecn(&text, ecn, per_port);
	expect_str(text.buf, "np port-wide rp none");
	rg_text_init(&text);
	rg_text_ecn(&text, ecn, NULL);
	expect_str(text.buf, "np 3 rp none");
	rg_text_init(&text);
	rg_text_ets(&text, prio_tc, tsa, bandwidth, 3);
	expect_str(text.buf,
		   "prio 3:1 6:2 tc 0:ets:100 1:strict 2:other");
}

CASE(limits_and_buffers_read_as_words)
{
	const u64 kbps[RG_TCS] = { 0, 10000000, 2500000, 64, 100000000000ULL };
	const u32 size[RG_BUFFERS] = { 20480, 131072 };
	u8 prio_buffer[RG_PRIORITIES];
	struct rg_text text;

	rg_text_init(&text);
	rg_text_rates(&text, 0x1f, kbps);
	expect_str(text.buf,
		   "0:none 1:10Gbit 2:2500Mbit 3:64kbit 4:4294967295kbit");
	memset(prio_buffer, RG_UNSET, sizeof(prio_buffer));
	rg_text_init(&text);
	rg_text_buffers(&text, 0x3, size, prio_buffer);
	expect_str(text.buf, "size 0:20480 1:131072");
	prio_buffer[3] = 1;
	rg_text_init(&text);
	rg_text_buffers(&text, 0x2, size, prio_buffer);
	expect_str(text.buf, "size 1:131072 prio 3:1");
	rg_text_init(&text);
	rg_text_buffers(&text, 0, size, prio_buffer);
	expect_str(text.buf, "prio 3:1");
}

CASE(cables_and_times_read_as_words)
{
	struct rg_text text;

	rg_text_init(&text);
	rg_text_priorities(&text, BIT(3));
	rg_text_delay(&text, 5, true);
	expect_str(text.buf, "3 cable 5m");
	rg_text_init(&text);
	rg_text_delay(&text, 5051, false);
	expect_str(text.buf, "delay 5051bit");
	rg_text_init(&text);
	rg_text_storm(&text, 8000);
	expect_str(text.buf, "8000ms");
	rg_text_init(&text);
	rg_text_storm(&text, ROCEGUARD_STORM_AUTO);
	expect_str(text.buf, "auto");
	rg_text_init(&text);
	rg_text_storm(&text, ROCEGUARD_STORM_OFF);
	expect_str(text.buf, "off");
	rg_text_init(&text);
	rg_text_time(&text, 60000);
	expect_str(text.buf, "60s");
	rg_text_init(&text);
	rg_text_time(&text, 1500);
	expect_str(text.buf, "1500ms");
	rg_text_init(&text);
	rg_text_mtu(&text, 1500);
	expect_str(text.buf, "1500 path 1024");
}

CASE(what_the_agent_holds_reads_as_words)
{
	u8 egress[RG_SKPRIOS];
	struct rg_text text;

	rg_text_init(&text);
	rg_text_rdma_cm(&text, 104, 2);
	expect_str(text.buf, "tos 104 mode 2");
	rg_text_init(&text);
	rg_text_rdma_cm(&text, RG_UNSET, 1);
	expect_str(text.buf, "mode 1");
	memset(egress, RG_UNSET, sizeof(egress));
	egress[2] = 3;
	egress[4] = 0;
	rg_text_init(&text);
	rg_text_egress(&text, egress);
	expect_str(text.buf, "2:3 4:0");
}

CASE(what_does_not_fit_ends_in_dots)
{
	struct rg_text text;
	int i;

	rg_text_init(&text);
	for (i = 0; i < 64; i++)
		rg_text_add(&text, "%d:3 ", i);
	expect_eq(strlen(text.buf), (size_t)RG_TEXT_MAX - 1);
	expect_str(text.buf + RG_TEXT_MAX - 4, "...");
}

CASE(words_lead_back_to_their_values)
{
	static const struct rg_words *const tables[] = {
		&rg_words_mode, &rg_words_policy_mode, &rg_words_disruptive,
		&rg_words_dcbx_mode, &rg_words_knob,
		&rg_words_verdict, &rg_words_source, &rg_words_cost,
		&rg_words_state, &rg_words_trigger, &rg_words_action,
		&rg_words_trust, &rg_words_tsa,
	};
	size_t t, i;

	for (t = 0; t < ARRAY_SIZE(tables); t++) {
		for (i = 0; i < tables[t]->n; i++)
			expect_eq(rg_word_value(tables[t],
						rg_word(tables[t], i)), (int)i);
		expect_str(rg_word(tables[t], tables[t]->n), "unknown");
		expect_eq(rg_word_value(tables[t], "unknown"), -1);
	}
}

SUITE(text,
      case_of(settings_read_as_words),
      case_of(limits_and_buffers_read_as_words),
      case_of(cables_and_times_read_as_words),
      case_of(what_the_agent_holds_reads_as_words),
      case_of(what_does_not_fit_ends_in_dots),
      case_of(words_lead_back_to_their_values));
