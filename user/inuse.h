/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What would suffer if the link of a port dropped. Only read, and only by this
 * program: nothing of it can be reached from the kernel module without leaning on
 * three other subsystems.
 */
#ifndef RG_INUSE_H
#define RG_INUSE_H

#include "connect/connect.h"
#include "model.h"

/* As many are named; the rest is counted. */
#define INUSE_NAMES	8

/**
 * struct inuse_ctrl - a live NVMe controller
 * @name: nvme0
 * @nqn: of its subsystem
 */
struct inuse_ctrl {
	char name[CONN_NAME];
	char nqn[CONN_NQN_MAX + 1];
};

/**
 * struct inuse - what uses a port
 * @known: false: it is a port of another network namespace
 * @qps: queue pairs on its RDMA device but for those of the device itself; a
 *	negative errno if nobody could tell
 * @n_ctrls: NVMe controllers whose way leads over it
 * @ctrl: the first ones
 * @n_listeners: where this host exports NVMe over it
 * @listener: the first ones, as "192.0.2.1:4420"
 * @bond: the bond that it is a leg of, or ""
 * @default_route: it carries one
 */
struct inuse {
	bool known;
	int qps;
	unsigned int n_ctrls;
	struct inuse_ctrl ctrl[INUSE_NAMES];
	unsigned int n_listeners;
	char listener[INUSE_NAMES][CONN_ADDRESS + 16];
	char bond[IF_NAMESIZE];
	bool default_route;
};

/**
 * inuse_read() - find out what uses a port
 * @use: filled in
 * @port: the port
 * @sk: rtnetlink socket
 * @links: all interfaces
 */
void inuse_read(struct inuse *use, const struct model_port *port,
		struct nl_sock *sk, const struct conn_links *links);

/**
 * inuse_words() - "2 QPs, nvme0 (nqn...), default route"
 * @use: what uses a port
 * @buf: filled in; "nothing" if nothing does
 * @size: of @buf
 */
void inuse_words(const struct inuse *use, char *buf, size_t size);

/* An object "in_use" in the object that is open. */
void inuse_json(const struct inuse *use);

/* Between the files of this part. */

/**
 * inuse_address() - the way of a controller, from what sysfs says of it
 * @text: "traddr=192.0.2.1,trsvcid=4420,host_traddr=192.0.2.2"
 * @args: address, source and interface are filled in
 *
 * Return: 0, or -1 if there is no address of an IP network in it.
 */
int inuse_address(const char *text, struct conn_args *args);

bool inuse_reaches(const struct conn_links *links, unsigned int from,
		   unsigned int port);
bool inuse_has_address(struct nl_sock *sk, const struct conn_links *links,
		       unsigned int port, const char *address);
bool inuse_has_default(struct nl_sock *sk, const struct conn_links *links,
		       unsigned int port);
int inuse_qps(const char *device, uint32_t port);

#endif /* RG_INUSE_H */
