// SPDX-License-Identifier: GPL-2.0
/*
 * agent: the helper as a service. Loads the policies when the module has none
 * yet, journals the history, and serves the delegated knobs. All it keeps can be
 * found again: it may be killed at any moment.
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "agent/agent.h"
#include "args.h"
#include "cmd.h"
#include "conf.h"
#include "line.h"
#include "load.h"
#include "nl.h"
#include "print.h"
#include "usage.h"

/* How soon to look again for a module that is not there. */
#define ABSENT_MS	1000

/* How often the states of controllers are read, if there are any. */
#define CTRLS_MS	1000

/* How long to let changes of links come to rest. */
#define REST_MS		100

static volatile sig_atomic_t stopped, reload;

static void on_signal(int number)
{
	if (number == SIGHUP)
		reload = 1;
	else
		stopped = 1;
}

static void catch_signals(sigset_t *open)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = on_signal };
	sigset_t block;
	size_t i;

	sigemptyset(&block);
	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		sigaddset(&block, numbers[i]);
	sigprocmask(SIG_BLOCK, &block, open);
	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		sigdelset(open, numbers[i]);
		sigaction(numbers[i], &action, NULL);
	}
}

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Policies */

static int load_policies(struct agent *a)
{
	char *words[] = { (char *)a->policies, NULL };
	int status;

	if (!agent_has_policies(a->policies)) {
		agent_say(AGENT_INFO, "no policy in %s", a->policies);
		return RG_EXIT_OK;
	}
	status = policy_load(a->ctx, 1, words);
	fflush(stdout);
	if (status == RG_EXIT_USAGE || status == RG_EXIT_KERNEL)
		agent_say(AGENT_ERROR, "the policies of %s are not in force, see above; mend it, then 'systemctl reload roceguard-agent'",
			  a->policies);
	return status;
}

/* A module that was loaded anew has none; one that was not keeps what it has. */
static void load_once(struct agent *a)
{
	uint64_t instance = agent_module_instance();
	char *freeze[] = { "freeze", "--restore", NULL };

	agent_state_read(a);
	if (a->instance == instance)
		return;
	agent_say(AGENT_INFO, "the module is new, loading %s", a->policies);
	/* First, for a policy is a reason to write. */
	cmd_freeze(a->ctx, 2, freeze);
	load_policies(a);
	a->instance = instance;
	a->journaled = 0;
	agent_state_write(a);
}

/* Waiting */

static int wait_for(struct agent *a, long until)
{
	struct pollfd p[2] = { { .fd = -1 }, { .fd = -1 } };
	struct timespec left = { };
	long ms = until - now_ms();
	nfds_t n = 0;

	if (a->events) {
		p[n++] = (struct pollfd){ rgnl_fd(a->events), POLLIN, 0 };
		p[n++] = (struct pollfd){ agent_links_fd(a), POLLIN, 0 };
	}
	if (ms > a->watchdog_ms)
		ms = a->watchdog_ms;
	if (a->events && a->ctrls.n && ms > CTRLS_MS)
		ms = CTRLS_MS;
	if (ms > 0) {
		left.tv_sec = ms / 1000;
		left.tv_nsec = ms % 1000 * 1000000;
	}
	agent_notify("WATCHDOG=1");
	if (ppoll(p, n, &left, &a->open) < 0 && errno != EINTR)
		return -errno;
	return 0;
}

/* Serving */

/* The history has what was done; a storm is somebody else's doing. */
static int tell_storm(struct nlattr *attrs, int len)
{
	struct model_congestion event;
	int err = model_decode_congestion(attrs, len, &event);
	char words[128];

	if (!err)
		agent_say(event.storm.on ? AGENT_WARNING : AGENT_NOTICE, "%s: %s",
			  event.ifname,
			  line_storm(words, sizeof(words), &event.storm));
	return err;
}

static int take_event(uint8_t cmd, struct nlattr *attrs, int len, void *arg)
{
	static struct model_port port;
	struct agent *a = arg;
	int err;

	if (cmd == ROCEGUARD_CMD_CONGESTION_NTF)
		return tell_storm(attrs, len);
	a->news = true;
	if (cmd != ROCEGUARD_CMD_PORT_NTF)
		return 0;
	err = model_decode_port(attrs, len, &port);
	return err ? err : agent_port_told(a, &port);
}

static int look_at_all(struct agent *a)
{
	int err = agent_audit(a);

	if (!err)
		err = agent_ctrls_look(a, true);
	a->audit_at = now_ms() + agent_audit_ms(a);
	return err;
}

static int serve_events(struct agent *a)
{
	int err = rgnl_events(a->events, take_event, a);

	if (err == -ENOBUFS)
		err = look_at_all(a);
	if (!err)
		err = agent_serve_told(a);
	if (!err && agent_links_changed(a) && a->audit_at > now_ms() + REST_MS)
		a->audit_at = now_ms() + REST_MS;
	if (!err && a->news)
		err = agent_journal(a);
	a->news = false;
	return err;
}

static int serve(struct agent *a)
{
	int err = 0;

	while (!stopped && !err) {
		if (reload) {
			reload = 0;
			load_policies(a);
		}
		if (now_ms() >= a->audit_at)
			err = look_at_all(a);
		if (!err)
			err = wait_for(a, a->audit_at);
		if (!err && !stopped)
			err = serve_events(a);
		if (!err && a->ctrls.n)
			err = agent_ctrls_look(a, false);
	}
	return err;
}

/* The module comes and goes */

static int attach(struct agent *a)
{
	int err;

	err = rgnl_open(&a->ctx->nl);
	if (!err)
		err = rgnl_open(&a->events);
	/* Listen first, so that nothing is lost in between. */
	if (!err)
		err = rgnl_listen(a->events);
	if (!err)
		err = agent_links_open(a);
	return err;
}

static void detach(struct agent *a)
{
	rgnl_close(a->events);
	rgnl_close(a->ctx->nl);
	a->events = NULL;
	a->ctx->nl = NULL;
	agent_links_close(a);
	agent_ports_forget(a);
}

static void ready(struct agent *a, const char *status)
{
	if (!a->is_ready)
		agent_notify("READY=1");
	agent_notify("STATUS=%s", status);
	a->is_ready = true;
}

static int run_once(struct agent *a)
{
	int err = attach(a);

	if (err == -ENOENT) {
		ready(a, "waits for the kernel module");
		return err;
	}
	if (!err) {
		load_once(a);
		err = agent_journal(a);
	}
	if (!err)
		err = look_at_all(a);
	if (!err) {
		ready(a, "serves");
		a->told = 0;
		err = serve(a);
	}
	return err;
}

/* Each reason to wait is told once. */
static void tell_why(struct agent *a, int err)
{
	if (err == -ENODEV)
		err = -ENOENT;
	if (err == a->told)
		return;
	a->told = err;
	if (err == -ENOENT)
		agent_say(AGENT_WARNING, "the kernel module is not loaded; waiting for it");
	else
		agent_say(AGENT_ERROR, "netlink: %s; trying again", strerror(-err));
}

static int run(struct agent *a)
{
	int err;

	while (!stopped) {
		err = run_once(a);
		detach(a);
		if (stopped || !err)
			break;
		if (err == -EPERM) {
			agent_say(AGENT_ERROR, "permission denied; run it as root (CAP_NET_ADMIN)");
			return RG_EXIT_KERNEL;
		}
		tell_why(a, err);
		if (wait_for(a, now_ms() + ABSENT_MS))
			break;
	}
	agent_notify("STOPPING=1");
	return RG_EXIT_OK;
}

int cmd_agent(struct rg_ctx *ctx, int argc, char **argv)
{
	const char *audit = NULL, *policies = NULL;
	struct agent a = { .ctx = ctx, .audit_s = 30 };
	const struct arg_option options[] = {
		{ "--policies", NULL, &policies },
		{ "--audit", NULL, &audit },
		{ }
	};
	int status;

	argc--;
	argv++;
	if (argc && cmd_is_help(argv[0])) {
		printf("Usage:\n%s", cmd_agent_usage);
		return RG_EXIT_OK;
	}
	status = args_parse(&argc, argv, options, 0, cmd_agent_usage);
	if (!status)
		status = args_number("--audit", audit, 1, 3600, &a.audit_s);
	if (status)
		return status;
	if (ctx->json) {
		rg_error("agent: it has no JSON; its lines are for the journal");
		return RG_EXIT_USAGE;
	}
	a.policies = policies ? policies : conf_policy_dir();
	agent_journal_open();
	a.watchdog_ms = agent_watchdog_ms();
	catch_signals(&a.open);
	status = run(&a);
	agent_ports_free(&a);
	agent_ctrls_free(&a.ctrls);
	return status;
}
