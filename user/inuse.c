// SPDX-License-Identifier: GPL-2.0
/* What uses a port: NVMe controllers and exports, and all of it in words. */
#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "inuse.h"
#include "print.h"

#define NVME_CTRLS	"/sys/class/nvme"
#define NVMET_PORTS	"/sys/kernel/config/nvmet/ports"
#define PATH_LEN	512

static bool is_network(const char *transport)
{
	return !strcmp(transport, "rdma") || !strcmp(transport, "tcp");
}

/* NVMe controllers of this host */

static void take_part(const char *part, const char *key, char *to, size_t size)
{
	size_t n = strlen(key);

	if (!strncmp(part, key, n) && part[n] == '=')
		snprintf(to, size, "%s", part + n + 1);
}

int inuse_address(const char *text, struct conn_args *args)
{
	char copy[CONN_TEXT], *part, *rest;

	memset(args, 0, sizeof(*args));
	snprintf(copy, sizeof(copy), "%s", text);
	for (part = strtok_r(copy, ",", &rest); part;
	     part = strtok_r(NULL, ",", &rest)) {
		take_part(part, "traddr", args->address, sizeof(args->address));
		take_part(part, "host_traddr", args->host_traddr,
			  sizeof(args->host_traddr));
		take_part(part, "host_iface", args->host_iface,
			  sizeof(args->host_iface));
	}
	if (conn_address_parse(args->address, &args->peer))
		return -1;
	if (*args->host_traddr &&
	    conn_address_parse(args->host_traddr, &args->source))
		return -1;
	return 0;
}

/* An attribute of an object in sysfs or configfs, or "". */
static void read_attr(const char *folder, const char *object, const char *attr,
		      char *buf, size_t size)
{
	char path[PATH_LEN];

	snprintf(path, sizeof(path), "%s/%s/%s", folder, object, attr);
	if (conn_file_read(path, buf, size))
		buf[0] = '\0';
}

/* Where frames to a controller leave, as the routing table says now. */
static bool leads_over(const char *address, unsigned int port,
		       struct nl_sock *sk, const struct conn_links *links)
{
	static struct conn_args args;
	struct conn_route route;
	struct conn_error error;
	unsigned int i;

	/* Without a way there is none over this port either. */
	if (inuse_address(address, &args) ||
	    conn_route_find(sk, &args, links, &route, &error))
		return false;
	for (i = 0; i < route.n_ports; i++)
		if (route.port[i].index == port)
			return true;
	return false;
}

static void look_at_ctrl(struct inuse *use, const char *ctrl, unsigned int port,
			 struct nl_sock *sk, const struct conn_links *links)
{
	struct inuse_ctrl *to = &use->ctrl[use->n_ctrls];
	char text[CONN_TEXT];

	read_attr(NVME_CTRLS, ctrl, "transport", text, sizeof(text));
	if (!is_network(text))
		return;
	read_attr(NVME_CTRLS, ctrl, "state", text, sizeof(text));
	if (strcmp(text, "live"))
		return;
	read_attr(NVME_CTRLS, ctrl, "address", text, sizeof(text));
	if (!leads_over(text, port, sk, links) || use->n_ctrls++ >= INUSE_NAMES)
		return;
	snprintf(to->name, sizeof(to->name), "%.*s", CONN_NAME - 1, ctrl);
	read_attr(NVME_CTRLS, ctrl, "subsysnqn", to->nqn, sizeof(to->nqn));
}

static void look_at_ctrls(struct inuse *use, unsigned int port,
			  struct nl_sock *sk, const struct conn_links *links)
{
	DIR *dir = opendir(NVME_CTRLS);
	struct dirent *de;

	while (dir && (de = readdir(dir)))
		if (de->d_name[0] != '.')
			look_at_ctrl(use, de->d_name, port, sk, links);
	if (dir)
		closedir(dir);
}

/* What this host exports */

/* nvmet listens once there is a subsystem to be connected to. */
static bool is_served(const char *port)
{
	char path[PATH_LEN];
	struct dirent *de;
	bool any = false;
	DIR *dir;

	snprintf(path, sizeof(path), NVMET_PORTS "/%s/subsystems", port);
	dir = opendir(path);
	while (dir && (de = readdir(dir)))
		any |= de->d_name[0] != '.';
	if (dir)
		closedir(dir);
	return any;
}

static void look_at_listener(struct inuse *use, const char *name,
			     unsigned int port, struct nl_sock *sk,
			     const struct conn_links *links)
{
	char text[CONN_NAME], address[CONN_ADDRESS], service[16];
	bool v6;

	read_attr(NVMET_PORTS, name, "addr_trtype", text, sizeof(text));
	if (!is_network(text) || !is_served(name))
		return;
	read_attr(NVMET_PORTS, name, "addr_traddr", address, sizeof(address));
	read_attr(NVMET_PORTS, name, "addr_trsvcid", service, sizeof(service));
	if (!inuse_has_address(sk, links, port, address) ||
	    use->n_listeners++ >= INUSE_NAMES)
		return;
	v6 = strchr(address, ':');
	snprintf(use->listener[use->n_listeners - 1],
		 sizeof(use->listener[0]), "%s%s%s:%.6s", v6 ? "[" : "",
		 address, v6 ? "]" : "", service);
}

static void look_at_listeners(struct inuse *use, unsigned int port,
			      struct nl_sock *sk,
			      const struct conn_links *links)
{
	DIR *dir = opendir(NVMET_PORTS);
	struct dirent *de;

	while (dir && (de = readdir(dir)))
		if (de->d_name[0] != '.')
			look_at_listener(use, de->d_name, port, sk, links);
	if (dir)
		closedir(dir);
}

void inuse_read(struct inuse *use, const struct model_port *port,
		struct nl_sock *sk, const struct conn_links *links)
{
	memset(use, 0, sizeof(*use));
	/* Its addresses, routes and interfaces are not ours to see. */
	if (port->has_netnsid)
		return;
	use->known = true;
	if (port->rdma_device[0])
		use->qps = inuse_qps(port->rdma_device, port->rdma_port);
	look_at_ctrls(use, port->ifindex, sk, links);
	look_at_listeners(use, port->ifindex, sk, links);
	snprintf(use->bond, sizeof(use->bond), "%s", port->bond);
	use->default_route = inuse_has_default(sk, links, port->ifindex);
}

/* In words */

struct words {
	char *buf;
	size_t size;
	size_t n;
};

static void __attribute__((format(printf, 2, 3)))
say(struct words *w, const char *fmt, ...)
{
	va_list args;

	if (w->n && w->n < w->size)
		w->n += (size_t)snprintf(w->buf + w->n, w->size - w->n, ", ");
	if (w->n >= w->size)
		return;
	va_start(args, fmt);
	w->n += (size_t)vsnprintf(w->buf + w->n, w->size - w->n, fmt, args);
	va_end(args);
}

void inuse_words(const struct inuse *use, char *buf, size_t size)
{
	struct words w = { .buf = buf, .size = size };
	unsigned int i;

	buf[0] = '\0';
	if (!use->known)
		say(&w, "unknown, it is in another network namespace");
	if (use->qps < 0)
		say(&w, "QPs unknown (%s)", strerror(-use->qps));
	else if (use->qps)
		say(&w, "%d QP%s", use->qps, use->qps == 1 ? "" : "s");
	for (i = 0; i < use->n_ctrls && i < INUSE_NAMES; i++)
		say(&w, "%s (%s)", use->ctrl[i].name, use->ctrl[i].nqn);
	if (i < use->n_ctrls)
		say(&w, "%u more NVMe controllers", use->n_ctrls - i);
	for (i = 0; i < use->n_listeners && i < INUSE_NAMES; i++)
		say(&w, "NVMe exported on %s", use->listener[i]);
	if (i < use->n_listeners)
		say(&w, "and on %u more", use->n_listeners - i);
	if (use->bond[0])
		say(&w, "leg of %s", use->bond);
	if (use->default_route)
		say(&w, "default route");
	if (!w.n)
		say(&w, "nothing");
}

void inuse_json(const struct inuse *use)
{
	unsigned int i;

	if (!use->known)
		return;
	out_open_object("in_use");
	if (use->qps >= 0)
		out_uint("qps", NULL, (unsigned int)use->qps);
	out_open_array("controllers");
	for (i = 0; i < use->n_ctrls && i < INUSE_NAMES; i++) {
		out_open_object(NULL);
		out_str("name", NULL, use->ctrl[i].name);
		out_str("nqn", NULL, use->ctrl[i].nqn);
		out_close();
	}
	out_close();
	out_open_array("listeners");
	for (i = 0; i < use->n_listeners && i < INUSE_NAMES; i++)
		out_str(NULL, NULL, use->listener[i]);
	out_close();
	if (use->bond[0])
		out_str("bond", NULL, use->bond);
	out_bool("default_route", NULL, use->default_route);
	out_close();
}
