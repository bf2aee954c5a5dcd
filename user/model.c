// SPDX-License-Identifier: GPL-2.0
/* The requests that are about one object. */
#include <errno.h>
#include <stdio.h>

#include "model.h"
#include "nl.h"

static int take_port(uint8_t cmd __attribute__((unused)),
		     struct nlattr *attrs, int len, void *arg)
{
	return model_decode_port(attrs, len, arg);
}

static int take_host(uint8_t cmd __attribute__((unused)),
		     struct nlattr *attrs, int len, void *arg)
{
	return model_decode_host(attrs, len, arg);
}

static int take_policy(uint8_t cmd __attribute__((unused)),
		       struct nlattr *attrs, int len, void *arg)
{
	bool deleted;

	return model_decode_policy(attrs, len, arg, &deleted);
}

/* A request that has one string; NULL when there is no memory. */
static struct nl_msg *request_string(struct rgnl *nl, uint8_t cmd, int type,
				     const char *value)
{
	struct nl_msg *msg = rgnl_request(nl, cmd);

	if (!msg || !nla_put_string(msg, type, value))
		return msg;
	nlmsg_free(msg);
	return NULL;
}

int model_port_get(struct rgnl *nl, const char *ifname,
		   struct model_port *port)
{
	return rgnl_do(nl, request_string(nl, ROCEGUARD_CMD_PORT_GET,
					  ROCEGUARD_A_PORT_IFNAME, ifname),
		       take_port, port);
}

int model_port_apply(struct rgnl *nl, const char *ifname, bool now,
		     struct model_port *port)
{
	struct nl_msg *msg = request_string(nl, ROCEGUARD_CMD_PORT_APPLY,
					    ROCEGUARD_A_PORT_IFNAME, ifname);

	if (msg && now && nla_put_u32(msg, ROCEGUARD_A_PORT_NOW, 1)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return rgnl_do(nl, msg, take_port, port);
}

int model_port_restore(struct rgnl *nl, const char *ifname,
		       struct model_port *port)
{
	return rgnl_do(nl, request_string(nl, ROCEGUARD_CMD_PORT_RESTORE,
					  ROCEGUARD_A_PORT_IFNAME, ifname),
		       take_port, port);
}

int model_policy_get(struct rgnl *nl, const char *name,
		     struct model_policy *policy)
{
	return rgnl_do(nl, request_string(nl, ROCEGUARD_CMD_POLICY_GET,
					  ROCEGUARD_A_POLICY_NAME, name),
		       take_policy, policy);
}

int model_policy_set(struct rgnl *nl, const struct rg_policy_spec *spec,
		     uint32_t confirm_within, struct model_policy *answer)
{
	struct nl_msg *msg = rgnl_request(nl, ROCEGUARD_CMD_POLICY_SET);

	if (msg && (model_encode_policy(msg, spec) ||
		    (confirm_within &&
		     nla_put_u32(msg, ROCEGUARD_A_POLICY_CONFIRM_WITHIN,
				 confirm_within)))) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return rgnl_do(nl, msg, take_policy, answer);
}

int model_policy_confirm(struct rgnl *nl, const char *name,
			 struct model_policy *answer)
{
	return rgnl_do(nl, request_string(nl, ROCEGUARD_CMD_POLICY_CONFIRM,
					  ROCEGUARD_A_POLICY_NAME, name),
		       take_policy, answer);
}

int model_policy_del(struct rgnl *nl, const char *name, bool restore,
		     uint32_t *generation)
{
	struct nl_msg *msg = request_string(nl, ROCEGUARD_CMD_POLICY_DEL,
					    ROCEGUARD_A_POLICY_NAME, name);
	struct model_policy answer;
	int err;

	if (msg && restore &&
	    nla_put_u32(msg, ROCEGUARD_A_POLICY_RESTORE, 1)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	err = rgnl_do(nl, msg, take_policy, &answer);
	if (!err)
		*generation = answer.generation;
	return err;
}

int model_mode_get(struct rgnl *nl, struct model_host *host)
{
	return rgnl_do(nl, rgnl_request(nl, ROCEGUARD_CMD_MODE_GET), take_host,
		       host);
}

static int set_frozen(struct rgnl *nl, bool frozen, uint32_t seconds,
		      struct model_host *host)
{
	struct nl_msg *msg = rgnl_request(nl, ROCEGUARD_CMD_MODE_SET);

	if (msg && (nla_put_u32(msg, ROCEGUARD_A_HOST_FROZEN, frozen) ||
		    (seconds && nla_put_u32(msg, ROCEGUARD_A_HOST_FREEZE_FOR,
					    seconds)))) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return rgnl_do(nl, msg, take_host, host);
}

int model_freeze(struct rgnl *nl, uint32_t seconds, struct model_host *host)
{
	return set_frozen(nl, true, seconds, host);
}

int model_thaw(struct rgnl *nl, struct model_host *host)
{
	return set_frozen(nl, false, 0, host);
}

/* What is not printable ASCII, names of devices maybe, the kernel refuses. */
static int put_plain(struct nl_msg *msg, int type, const char *text)
{
	char plain[ROCEGUARD_REPORT_REASON_MAX + 1];
	char *c;

	if (!*text)
		return 0;
	snprintf(plain, sizeof(plain), "%s", text);
	for (c = plain; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	return nla_put_string(msg, type, plain);
}

static int put_report(struct nl_msg *msg, const struct model_report *report)
{
	int err;

	err = nla_put_u32(msg, ROCEGUARD_A_REPORT_PORT, report->port);
	if (!err)
		err = nla_put_u32(msg, ROCEGUARD_A_REPORT_GENERATION,
				  report->generation);
	if (!err)
		err = nla_put_u32(msg, ROCEGUARD_A_REPORT_KNOB, report->knob);
	if (!err)
		err = nla_put_u32(msg, ROCEGUARD_A_REPORT_VERDICT,
				  report->verdict);
	if (!err && report->err)
		err = nla_put_u32(msg, ROCEGUARD_A_REPORT_ERRNO, report->err);
	if (!err)
		err = put_plain(msg, ROCEGUARD_A_REPORT_FROM, report->from);
	if (!err)
		err = put_plain(msg, ROCEGUARD_A_REPORT_HAVE, report->have);
	return err ? err : put_plain(msg, ROCEGUARD_A_REPORT_REASON,
				     report->reason);
}

static int take_timeout(uint8_t cmd __attribute__((unused)),
			struct nlattr *attrs, int len, void *arg)
{
	struct nlattr *timeout = nla_find(attrs, len,
					  ROCEGUARD_A_REPORT_TIMEOUT);

	if (!timeout || nla_len(timeout) < 4)
		return -EBADMSG;
	*(uint32_t *)arg = nla_get_u32(timeout);
	return 0;
}

int model_report(struct rgnl *nl, const struct model_report *report,
		 uint32_t *timeout)
{
	struct nl_msg *msg = rgnl_request(nl, ROCEGUARD_CMD_DELEGATE_REPORT);

	if (msg && (report ? put_report(msg, report) :
			     nla_put_u32(msg, ROCEGUARD_A_REPORT_ALIVE, 1))) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return rgnl_do(nl, msg, take_timeout, timeout);
}
