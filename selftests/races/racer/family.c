// SPDX-License-Identifier: GPL-2.0
/* Requests to roceguard, most of them by the helper's own code. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/msg.h>

#include "conf.h"
#include "model.h"
#include "nl.h"
#include "racer.h"

/* A socket for as long as the module lives; it may be a new one each turn. */
static struct rgnl *family(struct racer *racer)
{
	struct rgnl *nl = racer->state;

	if (!nl && !rgnl_open(&nl))
		racer->state = nl;
	return nl;
}

static int answer(struct racer *racer, int err)
{
	if (err) {
		rgnl_close(racer->state);
		racer->state = NULL;
	}
	return err;
}

/* They replace each other: another priority, so that it is work for each port. */
static const char *const texts[] = {
	"[Match]\nDriver=labnic\n[PFC]\nPriorities=3\n[Pause]\nRx=no\nTx=no\n",
	"[Match]\nDriver=labnic\n[PFC]\nPriorities=4\n[DSCP]\nTrust=dscp\n"
	"Map=26:4 46:4\n[Pause]\nRx=no\nTx=no\n",
};

/* policy:NAME - set, replaced, deleted */
static int policy(struct racer *racer)
{
	static struct conf conf;
	static struct model_policy told;
	const char *name = racer->arg[0];
	struct rgnl *nl = family(racer);
	char error[CONF_ERROR_MAX];
	size_t i = racer->turns % 3;
	uint32_t generation;

	if (!nl)
		return -ENOENT;
	if (i == 2)
		return answer(racer, model_policy_del(nl, name,
						      racer->turns & 2,
						      &generation));
	if (conf_parse(&conf, "racer", name, texts[i], strlen(texts[i]), error))
		die("%s", error);
	/* Of some the time runs out: another one has come by then, or none. */
	return answer(racer, model_policy_set(nl, &conf.spec, racer->turns & 4 ? 1 : 0,
					      &told));
}

static void policy_end(struct racer *racer)
{
	struct rgnl *nl = family(racer);
	uint32_t generation;

	if (nl)
		model_policy_del(nl, racer->arg[0], false, &generation);
}

/* apply:IFNAME */
static int apply(struct racer *racer)
{
	static struct model_port port;
	struct rgnl *nl = family(racer);

	if (!nl)
		return -ENOENT;
	return answer(racer, model_port_apply(nl, racer->arg[0], racer->turns & 1,
					       &port));
}

/* freeze - and thaw */
static int freeze(struct racer *racer)
{
	struct model_host host;
	struct rgnl *nl = family(racer);

	if (!nl)
		return -ENOENT;
	pause_us(20000);
	return answer(racer, racer->turns & 1 ? model_thaw(nl, &host) :
						model_freeze(nl, 0, &host));
}

static void freeze_end(struct racer *racer)
{
	struct model_host host;
	struct rgnl *nl = family(racer);

	if (nl)
		model_thaw(nl, &host);
}

/* ports, policies, history */
static int list(struct racer *racer, int (*read)(struct rgnl *nl))
{
	struct rgnl *nl = family(racer);

	return answer(racer, nl ? read(nl) : -ENOENT);
}

static int ports(struct racer *racer)
{
	return list(racer, list_ports);
}

static int policies(struct racer *racer)
{
	return list(racer, list_policies);
}

static int history(struct racer *racer)
{
	return list(racer, list_history);
}

/* A dump by a slow reader: what it is about to tell goes meanwhile. */
struct slow {
	struct nl_sock *sk;
	int id;
};

static int slow_part(struct nl_msg *msg, void *arg)
{
	(void)msg;
	(void)arg;
	pause_us(1000);
	return NL_OK;
}

static int slow_begin(struct racer *racer)
{
	struct slow *slow = calloc(1, sizeof(*slow));

	if (!slow)
		return -ENOMEM;
	slow->sk = nl_begin(NETLINK_GENERIC);
	slow->id = genl_ctrl_resolve(slow->sk, ROCEGUARD_FAMILY_NAME);
	if (slow->id < 0)
		die("there is no family roceguard");
	nl_socket_set_msg_buf_size(slow->sk, 4096);
	nl_socket_enable_msg_peek(slow->sk);
	nl_socket_modify_cb(slow->sk, NL_CB_VALID, NL_CB_CUSTOM, slow_part,
			    NULL);
	/* a dump that changed under way is no fault here */
	nl_socket_modify_cb(slow->sk, NL_CB_DUMP_INTR, NL_CB_CUSTOM, slow_part,
			    NULL);
	racer->state = slow;
	return 0;
}

/* slow:CMD - a dump of port, policy, history, counters or counters-history */
static int slow_dump(struct racer *racer)
{
	static const struct { const char *name; uint8_t cmd; } dumps[] = {
		{ "port", ROCEGUARD_CMD_PORT_GET },
		{ "policy", ROCEGUARD_CMD_POLICY_GET },
		{ "history", ROCEGUARD_CMD_HISTORY_GET },
		{ "counters", ROCEGUARD_CMD_COUNTERS_GET },
		{ "counters-history", ROCEGUARD_CMD_COUNTERS_HISTORY_GET },
	};
	struct slow *slow = racer->state;
	struct nl_msg *msg = nlmsg_alloc();
	size_t i = 0;
	int err;

	while (strcmp(dumps[i].name, racer->arg[0]))
		if (++i == ARRAY_SIZE(dumps))
			die("there is no dump of '%s'", racer->arg[0]);
	if (!msg || !genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, slow->id, 0,
				 NLM_F_DUMP, dumps[i].cmd,
				 ROCEGUARD_FAMILY_VERSION))
		die("out of memory");
	nl_socket_disable_auto_ack(slow->sk);
	err = nl_send_auto(slow->sk, msg);
	nlmsg_free(msg);
	if (err >= 0)
		err = nl_recvmsgs_default(slow->sk);
	return err < 0 ? -EIO : 0;
}

const struct action family_actions[] = {
	{ "policy", ":NAME", NULL, policy, policy_end, true },
	{ "apply", ":IFNAME", NULL, apply, NULL, true },
	{ "freeze", "", NULL, freeze, freeze_end, false },
	{ "ports", "", NULL, ports, NULL, true },
	{ "policies", "", NULL, policies, NULL, true },
	{ "history", "", NULL, history, NULL, true },
	{ "slow", ":port|policy|history|counters|counters-history", slow_begin, slow_dump, NULL, false },
	{}
};
