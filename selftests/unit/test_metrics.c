// SPDX-License-Identifier: GPL-2.0
/* user/metrics.c and user/httpd.c: what Prometheus is told, and where. */
#include <arpa/inet.h>
#include <ctype.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "counter.h"
#include "httpd.h"
#include "metrics.h"

static struct model_port ports[3];
static struct model_counters counters[2];
static struct metrics metrics;
static char *text;

static void render(void)
{
	size_t len;
	FILE *f;

	free(text);
	f = open_memstream(&text, &len);
	assert_non_null(f);
	metrics_write(f, &metrics);
	assert_int_equal(fclose(f), 0);
}

/* A line of its own, from its begin to its end. */
static bool has_line(const char *line)
{
	const char *at = text;
	size_t n = strlen(line);

	while ((at = strstr(at, line))) {
		if ((at == text || at[-1] == '\n') && at[n] == '\n')
			return true;
		at += n;
	}
	return false;
}

static void expect_line(const char *line)
{
	if (!has_line(line))
		fail_msg("no line '%s' in\n%s", line, text);
}

static void expect_nothing_of(const char *word)
{
	if (strstr(text, word))
		fail_msg("'%s' is in\n%s", word, text);
}

static void count_port(struct model_counters *c, uint32_t counter,
		       uint64_t value)
{
	c->counter[counter].has = 1;
	c->counter[counter].value[0] = value;
}

static void count_priority(struct model_counters *c, uint32_t counter,
			   unsigned int prio, uint64_t value)
{
	c->counter[counter].has |= (uint8_t)(1u << prio);
	c->counter[counter].value[prio] = value;
}

/* A governed port with RDMA, one of another namespace, one without DCB. */
static int set_up(void **state)
{
	(void)state;
	memset(ports, 0, sizeof(ports));
	memset(counters, 0, sizeof(counters));
	metrics = (struct metrics){
		.up = true,
		.ports = { ports, 3 },
		.counters = { counters, 2 },
	};
	strcpy(metrics.host.version, "1.2");
	ports[0] = (struct model_port){
		.id = 1, .dcb = true, .rdma_port = 1, .generation = 7,
		.state = ROCEGUARD_STATE_ENFORCED, .corrections = 5000000000,
		.pass_us = 1500,
	};
	strcpy(ports[0].ifname, "eth0");
	strcpy(ports[0].rdma_device, "mlx5_0");
	strcpy(ports[0].driver, "mlx5_core");
	strcpy(ports[0].policy, "storage");
	ports[0].knob[ROCEGUARD_KNOB_PFC].id = ROCEGUARD_KNOB_PFC;
	ports[0].knob[ROCEGUARD_KNOB_PFC].verdict = ROCEGUARD_VERDICT_HELD;
	ports[1] = (struct model_port){
		.id = 2, .dcb = true, .has_netnsid = true, .netnsid = 4,
	};
	strcpy(ports[1].ifname, "e\"\\\n\xff");
	ports[2] = (struct model_port){ .id = 3 };
	strcpy(ports[2].ifname, "wlan0");
	counters[0].id = 1;
	counters[1].id = 2;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	free(text);
	text = NULL;
	return 0;
}

static void without_the_module_it_says_so(void **state)
{
	(void)state;
	metrics.up = false;
	render();
	expect_line("roceguard_up 0");
	expect_nothing_of("netdev");
}

static void a_port_is_told_with_its_labels(void **state)
{
	(void)state;
	render();
	expect_line("roceguard_up 1");
	expect_line("roceguard_info{version=\"1.2\"} 1");
	expect_line("roceguard_corrections_total{device=\"mlx5_0\",port=\"1\",netdev=\"eth0\"} 5000000000");
	expect_line("roceguard_port_generation{device=\"mlx5_0\",port=\"1\",netdev=\"eth0\"} 7");
	expect_line("roceguard_pass_seconds{device=\"mlx5_0\",port=\"1\",netdev=\"eth0\"} 0.001500");
	expect_line("roceguard_port_info{device=\"mlx5_0\",port=\"1\",netdev=\"eth0\",driver=\"mlx5_core\",policy=\"storage\"} 1");
	expect_line("roceguard_port_state{device=\"mlx5_0\",port=\"1\",netdev=\"eth0\",state=\"enforced\"} 1");
	expect_line("roceguard_port_state{device=\"mlx5_0\",port=\"1\",netdev=\"eth0\",state=\"sick\"} 0");
	expect_line("roceguard_knob_verdict{device=\"mlx5_0\",port=\"1\",netdev=\"eth0\",knob=\"pfc\",verdict=\"held\"} 1");
	expect_nothing_of("knob=\"dscp\"");
	expect_nothing_of("wlan0");
}

/* Or one port of a namespace would spoil the scrape of the whole host. */
static void no_name_breaks_the_format(void **state)
{
	(void)state;
	render();
	expect_line("roceguard_corrections_total{netdev=\"e\\\"\\\\\\\\x0a\\\\xff\",netnsid=\"4\"} 0");
}

static void what_is_absent_stays_absent(void **state)
{
	(void)state;
	render();
	expect_nothing_of("roceguard_pfc_");
	expect_nothing_of("roceguard_cnp_");
	expect_nothing_of("roceguard_sample_");
	count_priority(&counters[0], ROCEGUARD_COUNTER_RX_PAUSE, 3, 0);
	count_port(&counters[0], ROCEGUARD_COUNTER_CNP_SENT, 0);
	render();
	expect_line("roceguard_pfc_pause_frames_total{device=\"mlx5_0\",port=\"1\",netdev=\"eth0\",direction=\"rx\",priority=\"3\"} 0");
	expect_line("roceguard_cnp_sent_total{device=\"mlx5_0\",port=\"1\",netdev=\"eth0\"} 0");
	expect_nothing_of("priority=\"2\"");
	expect_nothing_of("direction=\"tx\"");
	expect_nothing_of("roceguard_cnp_handled");
}

static void units_are_base_units(void **state)
{
	(void)state;
	count_priority(&counters[0], ROCEGUARD_COUNTER_TX_PAUSE_US, 4,
		       12345678901234567);
	counters[0].has_sampled = true;
	counters[0].sampled = 1050;
	counters[0].read_us = 12;
	counters[0].samples = 9;
	render();
	expect_line("roceguard_pfc_pause_seconds_total{device=\"mlx5_0\",port=\"1\",netdev=\"eth0\",direction=\"tx\",priority=\"4\"} 12345678901.234567");
	expect_line("roceguard_sample_age_seconds{device=\"mlx5_0\",port=\"1\",netdev=\"eth0\"} 1.050000");
	expect_line("roceguard_sample_read_seconds{device=\"mlx5_0\",port=\"1\",netdev=\"eth0\"} 0.000012");
	expect_line("roceguard_samples_total{device=\"mlx5_0\",port=\"1\",netdev=\"eth0\"} 9");
}

static void a_storm_shows_while_it_lasts(void **state)
{
	(void)state;
	count_priority(&counters[0], ROCEGUARD_COUNTER_RX_PAUSE, 3, 1);
	count_priority(&counters[0], ROCEGUARD_COUNTER_RX_PAUSE, 4, 1);
	counters[0].n_storms = 1;
	counters[0].storm[0].priority = 4;
	counters[0].storm[0].direction = ROCEGUARD_DIRECTION_RECEIVED;
	render();
	expect_line("roceguard_pfc_storm{device=\"mlx5_0\",port=\"1\",netdev=\"eth0\",direction=\"rx\",priority=\"3\"} 0");
	expect_line("roceguard_pfc_storm{device=\"mlx5_0\",port=\"1\",netdev=\"eth0\",direction=\"rx\",priority=\"4\"} 1");
}

/* Everything that there can be, on both ports. */
static void render_all(void)
{
	unsigned int prio;
	uint32_t i, port;

	for (port = 0; port < 2; port++) {
		counters[port].has_sampled = true;
		for (i = 0; i < RG_COUNTERS; i++) {
			counters[port].counter[i].has_age = true;
			if (!rg_counter_per_priority(i))
				count_port(&counters[port], i, i);
			for (prio = 0; rg_counter_per_priority(i) && prio < 8;
			     prio++)
				count_priority(&counters[port], i, prio, i);
		}
	}
	render();
}

/* The format wants a family in one piece, told of before its first sample. */
static void families_are_in_one_piece(void **state)
{
	char *line, *next, family[64] = "", name[80];
	size_t n;

	(void)state;
	render_all();
	for (line = text; *line; line = next) {
		next = strchr(line, '\n') + 1;
		if (!strncmp(line, "# HELP ", 7)) {
			n = strcspn(line + 7, " ");
			snprintf(family, sizeof(family), "%.*s", (int)n,
				 line + 7);
			snprintf(name, sizeof(name), "# HELP %s ", family);
			assert_null(strstr(next, name));
			snprintf(name, sizeof(name), "# TYPE %s ", family);
			assert_int_equal(strncmp(next, name, strlen(name)), 0);
		} else if (*line != '#') {
			n = strcspn(line, "{ ");
			assert_int_equal(n, strlen(family));
			assert_int_equal(strncmp(line, family, n), 0);
		}
	}
}

static void every_counter_is_told(void **state)
{
	size_t n = 0;
	char *at;

	(void)state;
	render_all();
	/* Two ports, eight of each per priority. */
	for (at = text; (at = strstr(at, "_total{")); at++)
		n++;
	/* Those of policies and samples: corrections, drifts, drops, passes. */
	assert_int_equal(n, 2 * (8 * RG_PRIORITY_COUNTERS + RG_PORT_COUNTERS) +
			 2 * 5);
}

/* What the alerts and the dashboard ask for is there to be asked for. */
static void expect_known(const char *path)
{
	char line[1024], type[128], *at;
	FILE *f = fopen(path, "r");
	size_t n, names = 0;

	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		for (at = line; (at = strstr(at, "roceguard_")); at += n) {
			n = strspn(at, "abcdefghijklmnopqrstuvwxyz_");
			snprintf(type, sizeof(type), "# TYPE %.*s ", (int)n, at);
			if (!strstr(text, type))
				fail_msg("%s: %.*s is not told", path, (int)n,
					 at);
			names++;
		}
	fclose(f);
	assert_true(names > 10);
}

static void alerts_and_dashboard_ask_for_what_there_is(void **state)
{
	(void)state;
	render_all();
	expect_known(TEST_PROMETHEUS "/roceguard.rules.yml");
	expect_known(TEST_PROMETHEUS "/roceguard.rules.test.yml");
	expect_known(TEST_PROMETHEUS "/roceguard-dashboard.json");
}

static void an_address_is_numbers(void **state)
{
	static const char *const bad[] = {
		"", ":", "9791", ":9791", "127.0.0.1", "127.0.0.1:",
		"127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:-1",
		"127.0.0.1:97 91", "127.0.0.1:9791x", "127.0.0:9791",
		"localhost:9791", "::1:9791", "[::1]9791", "[::1:9791",
		"[::1]", "[]:9791", "[127.0.0.1]:9791", "[::1] :9791",
		"127.0.0.1:99999999999999999999",
		"[0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000]:1",
	};
	struct httpd_address address;
	struct sockaddr_in6 *six = (struct sockaddr_in6 *)&address.to;
	struct sockaddr_in *four = (struct sockaddr_in *)&address.to;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (httpd_parse(bad[i], &address))
			fail_msg("'%s' was taken", bad[i]);
	assert_true(httpd_parse("127.0.0.1:9791", &address));
	assert_int_equal(four->sin_family, AF_INET);
	assert_int_equal(ntohl(four->sin_addr.s_addr), INADDR_LOOPBACK);
	assert_int_equal(ntohs(four->sin_port), 9791);
	assert_true(httpd_parse("[::1]:1", &address));
	assert_int_equal(six->sin6_family, AF_INET6);
	assert_memory_equal(&six->sin6_addr, &in6addr_loopback,
			    sizeof(in6addr_loopback));
	assert_true(httpd_parse("0.0.0.0:65535", &address));
}

#define metrics_test(_name) \
	cmocka_unit_test_setup_teardown(_name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		metrics_test(without_the_module_it_says_so),
		metrics_test(a_port_is_told_with_its_labels),
		metrics_test(no_name_breaks_the_format),
		metrics_test(what_is_absent_stays_absent),
		metrics_test(units_are_base_units),
		metrics_test(a_storm_shows_while_it_lasts),
		metrics_test(families_are_in_one_piece),
		metrics_test(every_counter_is_told),
		metrics_test(alerts_and_dashboard_ask_for_what_there_is),
		cmocka_unit_test(an_address_is_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
