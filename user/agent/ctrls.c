// SPDX-License-Identifier: GPL-2.0
/*
 * NVMe controllers over RDMA that lose their connection. Nothing tells of it, so
 * their states are read so often; the kernel module then keeps the minute before.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/agent.h"
#include "cmd/cmd.h"
#include "inuse.h"
#include "nl.h"

#define SYSFS		"/sys"
#define PATH_LEN	512

static void read_attr(const char *root, const char *name, const char *attr,
		      char *buf, size_t size)
{
	char path[PATH_LEN];

	snprintf(path, sizeof(path), "%s/class/nvme/%s/%s", root, name, attr);
	if (conn_file_read(path, buf, size))
		buf[0] = '\0';
}

/* Where it is remembered; NULL without memory. */
static struct agent_ctrl *remembered(struct agent_ctrls *ctrls,
				     const char *name)
{
	struct agent_ctrl *bigger;
	size_t i;

	for (i = 0; i < ctrls->n; i++)
		if (!strcmp(ctrls->ctrl[i].name, name))
			return &ctrls->ctrl[i];
	bigger = reallocarray(ctrls->ctrl, ctrls->n + 1, sizeof(*bigger));
	if (!bigger)
		return NULL;
	ctrls->ctrl = bigger;
	bigger = &ctrls->ctrl[ctrls->n++];
	memset(bigger, 0, sizeof(*bigger));
	snprintf(bigger->name, sizeof(bigger->name), "%.*s", CONN_NAME - 1, name);
	return bigger;
}

static int read_one(struct agent_ctrls *ctrls, const char *root,
		    const char *name)
{
	char state[CONN_NAME], transport[CONN_NAME];
	struct agent_ctrl *ctrl;
	bool live;

	read_attr(root, name, "transport", transport, sizeof(transport));
	if (strcmp(transport, "rdma"))
		return 0;
	ctrl = remembered(ctrls, name);
	if (!ctrl)
		return -ENOMEM;
	read_attr(root, name, "state", state, sizeof(state));
	read_attr(root, name, "address", ctrl->address, sizeof(ctrl->address));
	live = !strcmp(state, "live");
	/* Somebody's wish is no loss. */
	ctrl->lost = ctrl->live && (!strcmp(state, "connecting") ||
				    !strcmp(state, "resetting"));
	ctrl->live = live;
	ctrl->seen = true;
	return 0;
}

static void forget_unseen(struct agent_ctrls *ctrls)
{
	size_t i, n = 0;

	for (i = 0; i < ctrls->n; i++)
		if (ctrls->ctrl[i].seen)
			ctrls->ctrl[n++] = ctrls->ctrl[i];
	ctrls->n = n;
}

int agent_ctrls_read(struct agent_ctrls *ctrls, const char *root)
{
	char path[PATH_LEN];
	struct dirent *de;
	int err = 0;
	size_t i;
	DIR *dir;

	for (i = 0; i < ctrls->n; i++)
		ctrls->ctrl[i].seen = false;
	snprintf(path, sizeof(path), "%s/class/nvme", root);
	dir = opendir(path);
	while (dir && !err && (de = readdir(dir)))
		if (de->d_name[0] != '.')
			err = read_one(ctrls, root, de->d_name);
	if (dir)
		closedir(dir);
	if (!err)
		forget_unseen(ctrls);
	return err;
}

void agent_ctrls_free(struct agent_ctrls *ctrls)
{
	free(ctrls->ctrl);
	memset(ctrls, 0, sizeof(*ctrls));
}

/* While it is live there is a way; once it is lost there may be none. */
static void find_ports(struct agent_ctrl *ctrl, struct nl_sock *sk,
		       const struct conn_links *links)
{
	static struct conn_args args;
	struct conn_route route;
	struct conn_error error;
	unsigned int i;

	ctrl->n_ports = 0;
	if (inuse_address(ctrl->address, &args) ||
	    conn_route_find(sk, &args, links, &route, &error))
		return;
	for (i = 0; i < route.n_ports; i++)
		ctrl->port[ctrl->n_ports++] = route.port[i].index;
}

static void find_all_ports(struct agent *a, bool again)
{
	struct conn_links links = { };
	struct conn_error error;
	struct nl_sock *sk = NULL;
	size_t i;

	for (i = 0; i < a->ctrls.n; i++) {
		struct agent_ctrl *ctrl = &a->ctrls.ctrl[i];

		if (!ctrl->live || (ctrl->n_ports && !again))
			continue;
		if (!sk) {
			sk = conn_rtnl_open(&error);
			if (!sk || conn_links_read(sk, &links, &error))
				break;
		}
		find_ports(ctrl, sk, &links);
	}
	conn_links_free(&links);
	conn_rtnl_close(sk);
}

static int report(struct agent *a, const struct agent_ctrl *ctrl)
{
	struct model_sample kept;
	unsigned int i;
	int err;

	for (i = 0; i < ctrl->n_ports; i++) {
		err = model_incident(a->ctx->nl, ctrl->port[i],
				     ROCEGUARD_INCIDENT_RECONNECT, &kept);
		/* It is no port, or it has just gone. */
		if (err == -ENODEV)
			continue;
		if (err)
			return err;
		agent_say(AGENT_WARNING, "%s: %s lost its connection and reconnects%s",
			  kept.ifname, ctrl->name, kept.frozen ?
			  "; 'roceguard doctor --last-incident' tells the minute before" :
			  "");
	}
	return 0;
}

int agent_ctrls_look(struct agent *a, bool again)
{
	int err = agent_ctrls_read(&a->ctrls, SYSFS);
	size_t i;

	for (i = 0; !err && i < a->ctrls.n; i++)
		if (a->ctrls.ctrl[i].lost)
			err = report(a, &a->ctrls.ctrl[i]);
	if (!err)
		find_all_ports(a, again);
	return err;
}
