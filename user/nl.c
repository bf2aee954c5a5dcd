// SPDX-License-Identifier: GPL-2.0
/* All netlink of the helper. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/roceguard.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>

#include "base.h"
#include "cmd/cmd.h"
#include "nl.h"
#include "print.h"

/* How often a dump that changed under way is read again. */
#define NL_DUMP_TRIES	10

/* A "do" never waits for a driver, so this long means a bug. */
#define NL_ANSWER_SECONDS	30

/* The family's id or groups, known a moment ago, are gone. */
#define RGNL_UNLOADED	"the kernel module was unloaded; run 'modprobe roceguard'"

/* Events wait here while we print; a burst of all ports fits. */
#define NL_EVENT_BUFFER	(1 << 20)

/**
 * struct rgnl - a socket
 * @sk: libnl's
 * @family: id of our family
 * @err: what the kernel answered to the request under way
 * @heard: something came in the last read
 * @done: the request is answered
 * @fn: takes its replies
 * @arg: for @fn
 * @gone: the family was unregistered
 * @words: why the last request failed
 */
struct rgnl {
	struct nl_sock *sk;
	int family;
	int err;
	rgnl_fn fn;
	void *arg;
	bool heard;
	bool done;
	bool gone;
	char words[256];
};

/*
 * libnl has error numbers of its own and maps several errnos to one. Where
 * the kernel has not answered, this is the closest errno.
 */
static int nl_errno(int nlerr)
{
	static const struct {
		int nlerr;
		int err;
	} table[] = {
		{ NLE_NOMEM, ENOMEM },
		{ NLE_PERM, EPERM },
		{ NLE_NOACCESS, EACCES },
		{ NLE_OBJ_NOTFOUND, ENOENT },
		{ NLE_AGAIN, EAGAIN },
		{ NLE_INTR, EINTR },
		{ NLE_AF_NOSUPPORT, EAFNOSUPPORT },
		{ NLE_PROTO_MISMATCH, EPROTONOSUPPORT },
		{ NLE_MSGSIZE, EMSGSIZE },
		{ NLE_MSG_TRUNC, EMSGSIZE },
		{ NLE_DUMP_INTR, EAGAIN },
		{ NLE_NODEV, ENODEV },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(table); i++)
		if (table[i].nlerr == abs(nlerr))
			return -table[i].err;
	return -EIO;
}

/* A failure of libnl's own, in its words. */
static int nl_failed(struct rgnl *nl, int nlerr)
{
	if (nlerr == -NLE_OBJ_NOTFOUND)
		snprintf(nl->words, sizeof(nl->words), RGNL_UNLOADED);
	else
		snprintf(nl->words, sizeof(nl->words), "netlink: %s",
			 nl_geterror(nlerr));
	return nl_errno(nlerr);
}

/* The extack that follows an error, if there is one. */
static void nl_take_extack(struct rgnl *nl, const struct nlmsghdr *nlh,
			   size_t payload)
{
	struct nlattr *tb[NLMSGERR_ATTR_MAX + 1];
	const char *start = (const char *)nlmsg_data(nlh) + payload;
	int len = nlmsg_datalen(nlh) - (int)payload;

	if (!(nlh->nlmsg_flags & NLM_F_ACK_TLVS) || len <= 0)
		return;
	if (nla_parse(tb, NLMSGERR_ATTR_MAX, (struct nlattr *)start, len, NULL))
		return;
	if (tb[NLMSGERR_ATTR_MSG])
		nla_strlcpy(nl->words, tb[NLMSGERR_ATTR_MSG],
			    sizeof(nl->words));
}

static void nl_take_error(struct rgnl *nl, int err, const struct nlmsghdr *nlh,
			  size_t payload)
{
	nl->err = err;
	nl->heard = true;
	nl->done = true;
	nl_take_extack(nl, nlh, payload);
	if (!err || nl->words[0])
		return;
	/* We always say what was not found; generic netlink has no words. */
	snprintf(nl->words, sizeof(nl->words), "%s",
		 err == -ENOENT ? RGNL_UNLOADED : strerror(-err));
}

static int nl_on_error(struct sockaddr_nl *from __attribute__((unused)),
		       struct nlmsgerr *e, void *arg)
{
	const struct nlmsghdr *nlh = (const struct nlmsghdr *)
				     ((const char *)e - NLMSG_HDRLEN);
	size_t payload = sizeof(*e);

	/* Without NETLINK_CAP_ACK the whole request stands before the extack. */
	if (!(nlh->nlmsg_flags & NLM_F_CAPPED))
		payload += NLMSG_ALIGN(e->msg.nlmsg_len) - NLMSG_HDRLEN;
	nl_take_error(arg, e->error, nlh, payload);
	return NL_STOP;
}

/* The end of a dump carries its error, which libnl does not look at. */
static int nl_on_done(struct nl_msg *msg, void *arg)
{
	const struct nlmsghdr *nlh = nlmsg_hdr(msg);
	struct rgnl *nl = arg;
	int err;

	nl->heard = true;
	nl->done = true;
	if (nlmsg_datalen(nlh) < (int)sizeof(err))
		return NL_OK;
	memcpy(&err, nlmsg_data(nlh), sizeof(err));
	if (err < 0)
		nl_take_error(nl, err, nlh, sizeof(err));
	return NL_OK;
}

static int nl_on_ack(struct nl_msg *msg __attribute__((unused)), void *arg)
{
	struct rgnl *nl = arg;

	nl->heard = true;
	nl->done = true;
	return NL_STOP;
}

static int nl_on_ctrl(struct rgnl *nl, struct nlmsghdr *nlh)
{
	struct genlmsghdr *g = nlmsg_data(nlh);
	struct nlattr *id;

	if (!genlmsg_valid_hdr(nlh, 0) || g->cmd != CTRL_CMD_DELFAMILY)
		return NL_OK;
	id = nla_find(genlmsg_attrdata(g, 0), genlmsg_attrlen(g, 0),
		      CTRL_ATTR_FAMILY_ID);
	if (id && nla_len(id) >= 2 && nla_get_u16(id) == nl->family)
		nl->gone = true;
	return NL_OK;
}

static int nl_on_message(struct nl_msg *msg, void *arg)
{
	struct nlmsghdr *nlh = nlmsg_hdr(msg);
	struct rgnl *nl = arg;
	struct genlmsghdr *g;

	nl->heard = true;
	if (nlh->nlmsg_type == GENL_ID_CTRL)
		return nl_on_ctrl(nl, nlh);
	if (nlh->nlmsg_type != nl->family || !genlmsg_valid_hdr(nlh, 0))
		return NL_SKIP;
	if (!nl->fn || nl->err)
		return NL_OK;
	g = nlmsg_data(nlh);
	nl->err = nl->fn(g->cmd, genlmsg_attrdata(g, 0),
			 genlmsg_attrlen(g, 0), nl->arg);
	if (nl->err && !nl->words[0])
		snprintf(nl->words, sizeof(nl->words), "%s",
			 strerror(-nl->err));
	return NL_OK;
}

static int nl_set_up(struct rgnl *nl)
{
	const struct timeval patience = { .tv_sec = NL_ANSWER_SECONDS };
	int on = 1, err;

	err = genl_connect(nl->sk);
	if (err)
		return nl_errno(err);
	/* Words and short acknowledgements are a comfort, not a need. */
	(void)setsockopt(nl_socket_get_fd(nl->sk), SOL_NETLINK,
			 NETLINK_EXT_ACK, &on, sizeof(on));
	(void)setsockopt(nl_socket_get_fd(nl->sk), SOL_NETLINK,
			 NETLINK_CAP_ACK, &on, sizeof(on));
	if (setsockopt(nl_socket_get_fd(nl->sk), SOL_SOCKET, SO_RCVTIMEO,
		       &patience, sizeof(patience)))
		return -errno;
	nl->family = genl_ctrl_resolve(nl->sk, ROCEGUARD_FAMILY_NAME);
	if (nl->family < 0)
		return nl_errno(nl->family);
	err = nl_socket_modify_cb(nl->sk, NL_CB_VALID, NL_CB_CUSTOM,
				  nl_on_message, nl);
	if (!err)
		err = nl_socket_modify_cb(nl->sk, NL_CB_FINISH, NL_CB_CUSTOM,
					  nl_on_done, nl);
	if (!err)
		err = nl_socket_modify_cb(nl->sk, NL_CB_ACK, NL_CB_CUSTOM,
					  nl_on_ack, nl);
	if (!err)
		err = nl_socket_modify_err_cb(nl->sk, NL_CB_CUSTOM,
					      nl_on_error, nl);
	return err ? nl_errno(err) : 0;
}

int rgnl_open(struct rgnl **result)
{
	struct rgnl *nl = calloc(1, sizeof(*nl));
	int err = -ENOMEM;

	if (!nl)
		return err;
	nl->sk = nl_socket_alloc();
	if (nl->sk)
		err = nl_set_up(nl);
	if (err) {
		rgnl_close(nl);
		return err;
	}
	*result = nl;
	return 0;
}

void rgnl_close(struct rgnl *nl)
{
	if (!nl)
		return;
	if (nl->sk)
		nl_socket_free(nl->sk);
	free(nl);
}

struct nl_msg *rgnl_request(struct rgnl *nl, uint8_t cmd)
{
	struct nl_msg *msg = nlmsg_alloc_size(RGNL_MESSAGE_MAX);

	if (!msg)
		return NULL;
	if (genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, nl->family, 0, 0, cmd,
			ROCEGUARD_FAMILY_VERSION))
		return msg;
	nlmsg_free(msg);
	return NULL;
}

/* Send, and take what comes until the acknowledgement or the end. */
static int nl_exchange(struct rgnl *nl, struct nl_msg *msg, rgnl_fn fn,
		       void *arg)
{
	int err;

	nl->fn = fn;
	nl->arg = arg;
	nl->done = false;
	nl->err = 0;
	nl->words[0] = '\0';
	if (!msg)
		return nl_failed(nl, -NLE_NOMEM);
	err = nl_send_auto(nl->sk, msg);
	nlmsg_free(msg);
	if (err < 0)
		return nl_failed(nl, err);
	do {
		nl->heard = false;
		err = nl_recvmsgs_default(nl->sk);
	} while (err >= 0 && nl->heard && !nl->done);
	if (nl->err)
		return nl->err;
	if (err == -NLE_DUMP_INTR)
		return -EAGAIN;
	if (err >= 0 && !nl->done)
		err = -NLE_AGAIN;
	if (err != -NLE_AGAIN)
		return err < 0 ? nl_failed(nl, err) : 0;
	snprintf(nl->words, sizeof(nl->words),
		 "the kernel did not answer within %d s", NL_ANSWER_SECONDS);
	return -ETIMEDOUT;
}

int rgnl_do(struct rgnl *nl, struct nl_msg *msg, rgnl_fn fn, void *arg)
{
	return nl_exchange(nl, msg, fn, arg);
}

int rgnl_dump(struct rgnl *nl, uint8_t cmd,
	      int (*put)(struct nl_msg *msg, void *arg), rgnl_fn fn,
	      void (*reset)(void *arg), void *arg)
{
	struct nl_msg *msg;
	int try, err = 0;

	for (try = 0; try < NL_DUMP_TRIES; try++) {
		reset(arg);
		msg = rgnl_request(nl, cmd);
		if (msg && put && put(msg, arg)) {
			nlmsg_free(msg);
			msg = NULL;
		}
		if (msg)
			nlmsg_hdr(msg)->nlmsg_flags |= NLM_F_DUMP;
		err = nl_exchange(nl, msg, fn, arg);
		if (err != -EAGAIN)
			return err;
	}
	snprintf(nl->words, sizeof(nl->words),
		 "the list kept changing while it was read; try again");
	return err;
}

const char *rgnl_words(const struct rgnl *nl)
{
	return nl->words[0] ? nl->words : "no error";
}

bool rgnl_is_gone(const struct rgnl *nl)
{
	return !strcmp(nl->words, RGNL_UNLOADED);
}

/* Of other namespaces the kernel says more than that it is not permitted. */
static bool nl_said_why(const struct rgnl *nl)
{
	return nl && nl->words[0] && strcmp(nl->words, strerror(EPERM));
}

int rgnl_complain(const struct rgnl *nl, const char *what, int err)
{
	if (!nl && err == -ENOENT)
		rg_error("the kernel module is not loaded; run 'modprobe roceguard'");
	else if (err == -EPERM && !nl_said_why(nl))
		rg_error("%s: permission denied; run it as root (CAP_NET_ADMIN)",
			 what);
	else
		rg_error("%s: %s", what, nl ? rgnl_words(nl) : strerror(-err));
	return RG_EXIT_KERNEL;
}

static int nl_join(struct rgnl *nl, int group)
{
	int fd = nl_socket_get_fd(nl->sk);
	int err;

	/* Not nl_socket_add_membership(): it loses the errno. */
	if (!setsockopt(fd, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &group,
			sizeof(group)))
		return 0;
	err = -errno;
	/* The group went with the family between the question and now. */
	snprintf(nl->words, sizeof(nl->words), "%s",
		 err == -EINVAL ? RGNL_UNLOADED : strerror(-err));
	return err;
}

int rgnl_listen(struct rgnl *nl)
{
	static const struct {
		const char *family;
		const char *group;
	} groups[] = {
		{ ROCEGUARD_FAMILY_NAME, ROCEGUARD_MCGRP_PORT },
		{ ROCEGUARD_FAMILY_NAME, ROCEGUARD_MCGRP_POLICY },
		{ ROCEGUARD_FAMILY_NAME, ROCEGUARD_MCGRP_CONGESTION },
		{ "nlctrl", "notify" },
	};
	int id[ARRAY_SIZE(groups)];
	size_t i;
	int err;

	/*
	 * All are asked for before the first is joined, for libnl takes an
	 * event that arrives in between for the answer.
	 */
	for (i = 0; i < ARRAY_SIZE(groups); i++) {
		id[i] = genl_ctrl_resolve_grp(nl->sk, groups[i].family,
					      groups[i].group);
		if (id[i] < 0)
			return nl_failed(nl, id[i]);
	}
	for (i = 0; i < ARRAY_SIZE(groups); i++) {
		err = nl_join(nl, id[i]);
		if (err)
			return err;
	}
	nl_socket_disable_seq_check(nl->sk);
	err = nl_socket_set_buffer_size(nl->sk, NL_EVENT_BUFFER, 0);
	if (!err)
		err = nl_socket_set_nonblocking(nl->sk);
	return err ? nl_failed(nl, err) : 0;
}

int rgnl_fd(const struct rgnl *nl)
{
	return nl_socket_get_fd(nl->sk);
}

int rgnl_events(struct rgnl *nl, rgnl_fn fn, void *arg)
{
	int err;

	nl->fn = fn;
	nl->arg = arg;
	nl->err = 0;
	nl->words[0] = '\0';
	errno = 0;
	err = nl_recvmsgs_default(nl->sk);
	if (nl->err)
		return nl->err;
	if (nl->gone)
		return -ENODEV;
	if (err >= 0 || err == -NLE_AGAIN || err == -NLE_INTR)
		return 0;
	/* libnl calls an overrun "out of memory". */
	if (err == -NLE_NOMEM && errno == ENOBUFS)
		return -ENOBUFS;
	return nl_failed(nl, err);
}
