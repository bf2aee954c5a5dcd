/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The third walk: connect arguments -> route -> ports -> the host's chain ->
 * nvme connect with ToS -> live controller. One file a step; this header is
 * what the steps hand to each other.
 */
#ifndef RG_CONNECT_H
#define RG_CONNECT_H

#include <netinet/in.h>
#include <net/if.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model.h"
#include "policy.h"

/* Longest line a step has to say. */
#define CONN_TEXT	400
/* What was seen of a knob: has, wants, why. */
#define CONN_SEEN	(4 * MODEL_TEXT)
/* An address as text, with the scope of a link-local one. */
#define CONN_ADDRESS	(INET6_ADDRSTRLEN + 1 + IF_NAMESIZE)
/* Ports below one egress interface: the slaves of a bond. */
#define CONN_PORTS	16
/* RDMA device and controller names in sysfs. */
#define CONN_NAME	64
/* Longest NQN (NVMe base specification, 4.5). */
#define CONN_NQN_MAX	223
#define CONN_ROCE_PORT	"4420"

/**
 * struct conn_error - why a step could not be done
 * @status: exit status of the program: 1 usage, 2 runtime
 * @text: one line without full stop
 */
struct conn_error {
	int status;
	char text[CONN_TEXT];
};

int conn_fail(struct conn_error *error, int status, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#define usage_fail(error, ...) conn_fail(error, RG_EXIT_USAGE, __VA_ARGS__)

/* ---- args.c: what was asked for ---- */

#define CONN_PASS_MAX	32

/**
 * struct conn_pass - an option that nvme-cli gets as it is
 * @name: its long name there, without the dashes
 * @value: what was given
 * @flag: has no value
 * @secret: not to be shown
 */
struct conn_pass {
	const char *name;
	char value[CONN_NQN_MAX + 1];
	bool flag;
	bool secret;
};

/**
 * struct conn_args - checked arguments
 * @nqn: subsystem
 * @traddr: as written by the user
 * @trsvcid: decimal port number
 * @host_traddr: source address, "" if not given
 * @host_iface: interface the connection has to leave by, "" if not given
 * @tos: 0..255, -1 if not given
 * @anyway: connect over a broken chain
 * @dry_run: only say what would be done
 * @verbose: pass on what nvme says on its standard output
 * @help: only show the help
 * @timeout: seconds until nvme is stopped
 * @n_pass: how many of @pass are used
 * @pass: options that go to nvme unchanged
 * @address: @traddr as a literal, filled in by conn_args_resolve()
 * @peer: the same in binary
 * @source: @host_traddr in binary, family AF_UNSPEC if not given
 */
struct conn_args {
	char nqn[CONN_NQN_MAX + 1];
	char traddr[CONN_NQN_MAX + 1];
	char trsvcid[8];
	char host_traddr[CONN_ADDRESS];
	char host_iface[IF_NAMESIZE];
	int tos;
	bool anyway;
	bool dry_run;
	bool verbose;
	bool help;
	unsigned int timeout;
	unsigned int n_pass;
	struct conn_pass pass[CONN_PASS_MAX];
	char address[CONN_ADDRESS];
	struct sockaddr_storage peer;
	struct sockaddr_storage source;
};

int conn_args_parse(struct conn_args *args, int argc, char **argv,
		    struct conn_error *error);
int conn_args_target(struct conn_args *args, const char *address,
		     struct conn_error *error);
/* ---- resolve.c, help.c ---- */

int conn_args_resolve(struct conn_args *args, struct conn_error *error);
void conn_help(void);

/* ---- address.c ---- */

int conn_address_parse(const char *text, struct sockaddr_storage *out);
void conn_address_print(const struct sockaddr_storage *in,
			char out[CONN_ADDRESS]);
bool conn_address_looks_literal(const char *text);
void conn_address_gid(const struct sockaddr_storage *in, char gid[40]);

/* ---- route.c and link.c: where its frames leave ---- */

/**
 * struct conn_link - an interface, as rtnetlink shows it
 * @index: ifindex
 * @lower: ifindex of what it stands on (a VLAN's real device), or 0
 * @master: ifindex of its bond or bridge, or 0
 * @name: ifname
 * @kind: rtnl link kind, "" for a physical one
 * @mtu: bytes
 * @up: administratively up
 * @carrier: has a link
 * @foreign: @lower lives in another network namespace
 * @vlan_id: of a VLAN
 * @egress: priority in the tag by socket priority, of a VLAN
 */
struct conn_link {
	unsigned int index;
	unsigned int lower;
	unsigned int master;
	char name[IF_NAMESIZE];
	char kind[16];
	unsigned int mtu;
	bool up;
	bool carrier;
	bool foreign;
	uint16_t vlan_id;
	uint8_t egress[16];
};

struct conn_links {
	struct conn_link *link;
	size_t n;
};

/**
 * struct conn_route - the way to the target
 * @egress: the interface that the routing table names
 * @source: source address
 * @gateway: next router, "" if the target is on the wire
 * @local: the target is one of this host's own addresses
 * @tagged: the way leads through a VLAN
 * @vlan: that VLAN
 * @bond: name of the bond on the way, "" if none
 * @n_ports: how many of @port are used
 * @port: the ports its frames may take
 * @why: why there is no port
 */
struct conn_route {
	struct conn_link egress;
	struct sockaddr_storage source;
	char gateway[CONN_ADDRESS];
	bool local;
	bool tagged;
	struct conn_link vlan;
	char bond[IF_NAMESIZE];
	unsigned int n_ports;
	struct conn_link port[CONN_PORTS];
	char why[CONN_TEXT];
};

struct nl_sock;
struct nl_sock *conn_rtnl_open(struct conn_error *error);
void conn_rtnl_close(struct nl_sock *sk);
int conn_links_read(struct nl_sock *sk, struct conn_links *links,
		    struct conn_error *error);
void conn_links_free(struct conn_links *links);
const struct conn_link *conn_links_find(const struct conn_links *links,
					unsigned int index);
int conn_route_find(struct nl_sock *sk, const struct conn_args *args,
		    const struct conn_links *links, struct conn_route *route,
		    struct conn_error *error);
void conn_route_ports(const struct conn_links *links,
		      struct conn_route *route);

/* ---- rdma.c: what sysfs says of RDMA devices ---- */

/**
 * struct conn_gid - the RDMA side of a source address
 * @device: RDMA device, "" if none was found
 * @port: its port
 * @index: in the GID table, -1 if the address is not there as RoCE v2
 * @v1_only: the address is there, but as RoCE v1 only
 * @ofed_tclass: OFED's global traffic class, -1 if there is no such file or
 *	it is not set
 */
struct conn_gid {
	char device[CONN_NAME];
	unsigned int port;
	int index;
	bool v1_only;
	int ofed_tclass;
};

void conn_gid_find(const char *root, const char *device, unsigned int port,
		   const char *ifname, const char *gid, struct conn_gid *out);
int conn_file_read(const char *path, char *buf, size_t size);

/* ---- tos.c: the byte ---- */

/**
 * enum conn_ect - why frames carry ECT(0), or why not
 * @CONN_ECT_ON: the reaction point is held
 * @CONN_ECT_NOT_ASKED: the class does not ask for ECN
 * @CONN_ECT_NOT_HELD: it does, but the reaction point is not held
 * @CONN_ECT_UNKNOWN: there is no policy to go by
 */
enum conn_ect {
	CONN_ECT_ON,
	CONN_ECT_NOT_ASKED,
	CONN_ECT_NOT_HELD,
	CONN_ECT_UNKNOWN,
};

/**
 * struct conn_tos - the ToS byte of the connection
 * @byte: 0..255, -1: none can be named, the host's default is used
 * @by_policy: what the policy says, -1 if it says nothing
 * @from_user: @byte is the user's
 * @ect: of @by_policy
 */
struct conn_tos {
	int byte;
	int by_policy;
	bool from_user;
	enum conn_ect ect;
};

int conn_tos_check(unsigned long tos, struct conn_error *error);
void conn_tos_choose(struct conn_tos *tos, const struct rg_class *class,
		     bool rp_held, int user);
void conn_tos_words(int byte, char *buf, size_t size);
const char *conn_tos_why(const struct conn_tos *tos);
bool conn_tos_ect0(int byte);

/* ---- facts.c: everything the chain is judged by ---- */

/**
 * struct conn_port - a port on the way, as roceguard.ko knows it
 * @known: it does know it
 * @fresh: looked at just now, and not up to one audit ago
 * @late: the look that was asked for did not end in time
 * @has_policy: a policy governs it, and @policy and @want are filled in
 * @port: the port
 * @policy: its policy
 * @want: what the policy makes of the port
 * @why: why it is not known, or its policy is not
 */
struct conn_port {
	bool known;
	bool fresh;
	bool late;
	bool has_policy;
	struct model_port port;
	struct model_policy policy;
	struct rg_want want;
	char why[CONN_TEXT];
};

/**
 * struct conn_facts - what is known before nvme runs
 * @route: the way to the target
 * @module: roceguard.ko answers, and @host is filled in
 * @module_why: why not
 * @host: mode and freeze
 * @port: by the same index as the ports of @route
 * @gid: the RDMA side of the source address
 */
struct conn_facts {
	struct conn_route route;
	bool module;
	char module_why[CONN_TEXT];
	struct model_host host;
	struct conn_port port[CONN_PORTS];
	struct conn_gid gid;
};

int conn_facts_gather(struct rgnl **nl, const struct conn_args *args,
		      struct conn_facts *facts, struct conn_error *error);

/* ---- chain.c: the host's side of the path, link by link ---- */

/**
 * enum conn_status - what is known of one link of the chain
 * @CONN_OK: it is as it must be
 * @CONN_BROKEN: it is not, and frames may be lost
 * @CONN_UNKNOWN: nothing says, and nothing speaks against it
 * @CONN_NOTE: does not bear on losslessness
 */
enum conn_status {
	CONN_OK,
	CONN_BROKEN,
	CONN_UNKNOWN,
	CONN_NOTE,
};

/**
 * struct conn_step - one link of the chain
 * @name: one word
 * @port: of which port, "" if of the host
 * @status: what is known
 * @seen: what was seen
 * @remedy: what mends it, "" if there is nothing to mend
 */
struct conn_step {
	const char *name;
	char port[IF_NAMESIZE];
	enum conn_status status;
	char seen[CONN_SEEN];
	char remedy[CONN_TEXT];
};

#define CONN_STEPS_MAX	(8 + 9 * CONN_PORTS)

/**
 * struct conn_chain - the whole chain
 * @n: how many of @step are used
 * @step: in the order a frame meets them
 * @broken: how many are broken
 * @tos: the ToS byte
 * @priority: what its frames take, -1 if it is not known
 */
struct conn_chain {
	unsigned int n;
	struct conn_step step[CONN_STEPS_MAX];
	unsigned int broken;
	struct conn_tos tos;
	int priority;
};

void conn_chain_judge(const struct conn_args *args,
		      const struct conn_facts *facts, struct conn_chain *chain);
const char *conn_status_word(enum conn_status status);

/* ---- nvme.c: running nvme-cli ---- */

#define CONN_ARGV_MAX	(2 * CONN_PASS_MAX + 24)

/**
 * struct conn_command - an nvme command line
 * @argv: for execve(), absolute path first
 * @argc: entries
 * @secret: bit n: entry n is not to be shown
 */
struct conn_command {
	char *argv[CONN_ARGV_MAX + 1];
	unsigned int argc;
	uint64_t secret[2];
};

const char *conn_nvme_path(struct conn_error *error);
int conn_command_build(struct conn_command *cmd, const char *nvme,
		       const struct conn_args *args, int tos,
		       struct conn_error *error);
void conn_command_word(const struct conn_command *cmd, unsigned int i,
		       char *buf, size_t size);
void conn_command_free(struct conn_command *cmd);
int conn_nvme_transport(struct conn_error *error);
int conn_nvme_run(const struct conn_command *cmd, unsigned int timeout,
		  bool verbose, struct conn_error *error);

/* ---- ctrl.c: the controller that came of it ---- */

struct conn_ctrl {
	char name[CONN_NAME];
	char state[CONN_NAME];
	char address[CONN_TEXT];
	int cntlid;
};

/* The controllers there are, by number. */
#define CONN_CTRLS_MAX	1024
struct conn_ctrl_set {
	uint8_t bit[CONN_CTRLS_MAX / 8];
};

void conn_ctrl_list(const char *root, struct conn_ctrl_set *set);
bool conn_ctrl_find(const char *root, const struct conn_args *args,
		    const struct conn_ctrl_set *before, struct conn_ctrl *out);
bool conn_ctrl_wait_live(const char *root, const struct conn_args *args,
			 const struct conn_ctrl_set *before,
			 unsigned int seconds, struct conn_ctrl *out);

/* ---- prio.c: which priority the frames took ---- */

/**
 * struct conn_prio - per-priority packet counters of a port
 * @known: the driver has them
 * @tx: packets sent, by priority
 * @rx: packets received, by priority
 */
struct conn_prio {
	bool known;
	uint64_t tx[RG_PRIORITIES];
	uint64_t rx[RG_PRIORITIES];
};

void conn_prio_read(const char *ifname, struct conn_prio *prio);
bool conn_prio_name(const char *name, bool *tx, unsigned int *priority);
void conn_prio_since(const struct conn_prio *before,
		     const struct conn_prio *after, struct conn_prio *diff);

/* ---- report.c: what came of it ---- */

enum conn_outcome {
	CONN_DRY_RUN,
	CONN_REFUSED,
	CONN_FAILED,
	CONN_DEGRADED,
	CONN_CONNECTED,
};

/**
 * struct conn_result - everything there is to tell
 * @outcome: in one word
 * @args: what was asked for
 * @facts: what was read
 * @chain: how it was judged
 * @cmd: the nvme command
 * @ctrl: the controller, name "" if there is none
 * @frames: packets by priority since before the connect
 * @error: text "" if nothing failed
 */
struct conn_result {
	enum conn_outcome outcome;
	struct conn_args args;
	struct conn_facts facts;
	struct conn_chain chain;
	struct conn_command cmd;
	struct conn_ctrl ctrl;
	struct conn_prio frames;
	struct conn_error error;
};

struct rg_ctx;
void conn_report(const struct rg_ctx *ctx, const struct conn_result *r);
void conn_report_broken(const struct conn_chain *chain);
void conn_report_tos(const struct conn_result *r);
void conn_report_tos_chosen(const struct conn_chain *chain);
void conn_report_links(const struct conn_chain *chain);

#endif /* RG_CONNECT_H */
