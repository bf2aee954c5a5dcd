/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of `roceguard agent`. */
#ifndef RG_AGENT_H
#define RG_AGENT_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "connect/connect.h"
#include "damping.h"
#include "model.h"

struct nl_sock;
struct rg_ctx;
struct rgnl;

/**
 * struct agent_knob - a delegated knob of a port, as last served
 * @port: id of the port
 * @knob: enum roceguard_knob
 * @generation: of the port then
 * @served: the last port-apply then, after which nobody is a rival
 * @hold: it was to be written
 * @rdma_device: of the port then
 * @damping: the quarrel over it
 * @seen: in the round under way
 */
struct agent_knob {
	uint32_t port;
	uint32_t knob;
	uint32_t generation;
	uint32_t served;
	bool hold;
	char rdma_device[MODEL_TEXT];
	struct rg_damping damping;
	bool seen;
};

/**
 * struct agent_ctrl - an NVMe controller over RDMA
 * @name: nvme0
 * @address: as sysfs has it
 * @live: it is connected
 * @lost: it was when last read, and is not any more
 * @seen: in the round under way
 * @n_ports: how many of @port are used
 * @port: ifindex of those that its frames take, when it was last live
 */
struct agent_ctrl {
	char name[CONN_NAME];
	char address[CONN_TEXT];
	bool live;
	bool lost;
	bool seen;
	unsigned int n_ports;
	unsigned int port[CONN_PORTS];
};

struct agent_ctrls {
	struct agent_ctrl *ctrl;
	size_t n;
};

/**
 * struct agent - the agent at work
 * @ctx: with the socket for requests
 * @events: the socket that hears, NULL without module
 * @links: the socket that hears of interfaces
 * @policies: folder of the policies
 * @audit_s: most seconds between looks at every delegated knob
 * @timeout_s: for how long the kernel believes a report
 * @audit_at: when to look at all of them next, ms
 * @watchdog_ms: most between signs of life
 * @open: signals to be let in while waiting
 * @is_ready: systemd has been told
 * @told: errno of the trouble that has been told, 0: none
 * @news: something came that may be in the history
 * @instance: of the module, that policies were loaded into
 * @journaled: the last entry of the history that is in the journal
 * @told_ports: ports that were told of and are yet to be served
 * @knob: what has been served
 * @n_knobs: how many
 * @ctrls: NVMe controllers
 */
struct agent {
	struct rg_ctx *ctx;
	struct rgnl *events;
	struct nl_sock *links;
	const char *policies;
	long audit_s;
	uint32_t timeout_s;
	long audit_at;
	long watchdog_ms;
	sigset_t open;
	bool is_ready;
	int told;
	bool news;
	uint64_t instance;
	uint64_t journaled;
	struct model_ports told_ports;
	struct agent_knob *knob;
	size_t n_knobs;
	struct agent_ctrls ctrls;
};

/* journal.c: what is said, to journal and to systemd */

enum agent_level {
	AGENT_ERROR = 3, AGENT_WARNING = 4, AGENT_NOTICE = 5, AGENT_INFO = 6,
};

void agent_journal_open(void);
void agent_say(enum agent_level level, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * agent_journal() - put what is new in the history into the journal
 * @a: the agent
 *
 * Return: 0 or a negative errno.
 */
int agent_journal(struct agent *a);

/* notify.c */

/* A state for systemd, as sd_notify(3) has them; nothing without it. */
void agent_notify(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
long agent_watchdog_ms(void);

/* state.c: what is kept over a restart */

/**
 * agent_module_instance() - another number for each time the module is loaded
 *
 * Return: 0 if it is not.
 */
uint64_t agent_module_instance(void);
void agent_state_read(struct agent *a);
void agent_state_write(const struct agent *a);
bool agent_has_policies(const char *folder);

/* ports.c: the delegated knobs. Each returns 0 or a negative errno. */

int agent_audit(struct agent *a);
long agent_audit_ms(const struct agent *a);
int agent_port_told(struct agent *a, const struct model_port *port);
int agent_serve_told(struct agent *a);
void agent_ports_forget(struct agent *a);
void agent_ports_free(struct agent *a);

/* ctrls.c */

/**
 * agent_ctrls_read() - read the state of all controllers
 * @ctrls: what is remembered of them, updated
 * @root: where sysfs is below
 *
 * Return: 0 or -ENOMEM.
 */
int agent_ctrls_read(struct agent_ctrls *ctrls, const char *root);
void agent_ctrls_free(struct agent_ctrls *ctrls);

/**
 * agent_ctrls_look() - report those that reconnect
 * @a: the agent
 * @again: find out anew which ports each of them takes
 *
 * Return: 0 or a negative errno.
 */
int agent_ctrls_look(struct agent *a, bool again);

/* links.c */

int agent_links_open(struct agent *a);
int agent_links_fd(const struct agent *a);
bool agent_links_changed(struct agent *a);
void agent_links_close(struct agent *a);

#endif /* RG_AGENT_H */
