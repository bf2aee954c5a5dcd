// SPDX-License-Identifier: GPL-2.0
/*
 * Every allocation fails once: an operation is done with its first allocation
 * failing, then its second, and so on until it is done before the fault comes
 * (/proc/PID/fail-nth, Documentation/fault-injection). What it did by halves
 * must be undone by itself; what is done after it, without faults, must work.
 * Which allocations count is set in /sys/kernel/debug/failslab by the caller.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "conf.h"
#include "model.h"
#include "nl.h"
#include "racer/racer.h"

#define DEPTH_MAX	2000	/* further than anything goes */
#define WORKERS_MAX	128
#define LOWER		"nth-low"
#define NIC		"nth0"
#define RXE		"rxenth"

static struct nl_sock *route, *rdma;
static struct rgnl *family;
static const char *module_path, *module_name;
static unsigned int stride;	/* 1: each allocation; more: some, by chance */

/* Faults of this thread */

static int own_fd = -1;

static void arm(unsigned int n)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%u", n);

	if (own_fd < 0)
		own_fd = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	if (own_fd < 0 || pwrite(own_fd, text, (size_t)len, 0) != len)
		die("/proc/thread-self/fail-nth: %s", strerror(errno));
}

/* Was there a fault? It is disarmed. */
static bool disarm(void)
{
	char text[16] = "";

	if (pread(own_fd, text, sizeof(text) - 1, 0) <= 0)
		die("/proc/thread-self/fail-nth: %s", strerror(errno));
	arm(0);
	return !atoi(text);
}

/* Faults of the workers that passes run on, whichever takes it */

static int worker_fd[WORKERS_MAX];
static size_t workers;

static bool is_worker(const char *pid)
{
	char path[64], name[32] = "";
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%.16s/comm", pid);
	f = fopen(path, "re");
	if (!f)
		return false;
	if (!fgets(name, sizeof(name), f))
		name[0] = 0;
	fclose(f);
	return !strncmp(name, "kworker/u", 9);
}

static void arm_workers(unsigned int n)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	char path[64];
	int fd;

	if (!proc)
		die("/proc: %s", strerror(errno));
	workers = 0;
	while ((entry = readdir(proc)) && workers < WORKERS_MAX) {
		if (!is_worker(entry->d_name))
			continue;
		snprintf(path, sizeof(path), "/proc/%.16s/fail-nth",
			 entry->d_name);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			continue;
		if (dprintf(fd, "%u", n) > 0)
			worker_fd[workers++] = fd;
		else
			close(fd);
	}
	closedir(proc);
}

static bool disarm_workers(void)
{
	bool hit = false;
	char text[16];
	ssize_t n;

	while (workers) {
		int fd = worker_fd[--workers];

		n = pread(fd, text, sizeof(text) - 1, 0);
		if (n > 0) {
			text[n] = 0;
			hit |= !atoi(text);
			if (pwrite(fd, "0", 1, 0) != 1)
				die("a worker keeps its fault");
		}
		close(fd);
	}
	return hit;
}

/*
 * What fails: op under faults; before, unchanged and after are without. A request
 * that was refused must have left all as it was before: unchanged says so.
 */
struct operation {
	const char *name;
	int (*before)(void);
	int (*op)(void);
	int (*unchanged)(void);
	int (*after)(void);
	bool by_workers;
};

static const char *under_way;

static void well(const char *what, int err)
{
	if (err)
		die("%s: %s: %s", under_way, what, strerror(-err));
}

/* Modules */

static bool is_loaded(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/module/%.64s/initstate", name);
	return !access(path, F_OK);
}

/* Its parts come by themselves, some time after it. */
static int unload(void)
{
	static const char *const parts[] = { "roceguard_labnic",
					     "roceguard_rdma" };
	int tries;
	size_t i;

	for (tries = 0; tries < 500; tries++) {
		if (!is_loaded(module_name))
			return 0;
		if (!strcmp(module_name, "roceguard"))
			for (i = 0; i < ARRAY_SIZE(parts); i++)
				syscall(SYS_delete_module, parts[i], O_NONBLOCK);
		if (!syscall(SYS_delete_module, module_name, O_NONBLOCK))
			return 0;
		pause_us(10000);
	}
	return -errno;
}

static int load_and_unload(void)
{
	int err = module_load(module_path);

	return err ?: unload();
}

/* Requests */

static struct conf policy_conf;

static const char *const policy_texts[] = {
	"[Match]\nName=" NIC "\n[PFC]\nPriorities=3\n",
	"[Match]\nName=" NIC "\n[PFC]\nPriorities=4\n"
	"[DSCP]\nTrust=dscp\nMap=26:4\n",
};

static int policy_set(unsigned int which)
{
	static struct model_policy told;
	char error[CONF_ERROR_MAX];

	if (conf_parse(&policy_conf, "nth", "nth", policy_texts[which],
		       strlen(policy_texts[which]), error))
		die("%s", error);
	return model_policy_set(family, &policy_conf.spec, 0, &told);
}

static int policy_add(void)
{
	return policy_set(0);
}

static int policy_replace(void)
{
	return policy_set(1);
}

static int policy_del(void)
{
	uint32_t generation;

	return model_policy_del(family, "nth", false, &generation);
}

static int policy_del_restore(void)
{
	uint32_t generation;

	return model_policy_del(family, "nth", true, &generation);
}

static int policy_gone(void)
{
	int err = policy_del();

	return err == -ENOENT ? 0 : err;
}

static int policy_get(void)
{
	static struct model_policy policy;

	return model_policy_get(family, "nth", &policy);
}

static int policies(void)
{
	return list_policies(family);
}

static int ports(void)
{
	return list_ports(family);
}

static int history(void)
{
	return list_history(family);
}

static struct model_port port;

static int port_get(void)
{
	return model_port_get(family, "roce0", &port);
}

static int port_apply(void)
{
	return model_port_apply(family, "roce0", false, &port);
}

static int mode_get(void)
{
	struct model_host host;

	return model_mode_get(family, &host);
}

static int freeze(void)
{
	struct model_host host;

	return model_freeze(family, 0, &host);
}

static int thaw(void)
{
	struct model_host host;

	return model_thaw(family, &host);
}

/* A socket that a fault has hit may be left with half an answer. */
static int family_again(void)
{
	rgnl_close(family);
	return rgnl_open(&family);
}

static int thaw_again(void)
{
	return family_again() ?: thaw();
}

static int policy_gone_again(void)
{
	return family_again() ?: policy_gone();
}

static int policy_is_not(void)
{
	return family_again() ?: policy_get() == -ENOENT ? 0 : -EEXIST;
}

static int policy_is_first(void)
{
	static struct model_policy policy;
	int err = family_again() ?: model_policy_get(family, "nth", &policy);

	return err ?: policy.spec.expert.pfc == BIT(3) ? 0 : -ESTALE;
}

static int is_thawed(void)
{
	struct model_host host;
	int err = family_again() ?: model_mode_get(family, &host);

	return err ?: host.frozen ? -EBUSY : 0;
}

/* A pass, by whatever worker: waited for, however it ends. */
static int pass(void)
{
	uint32_t ticket;
	int err = port_apply(), tries;

	if (err)
		return err;
	ticket = port.ticket;
	for (tries = 0; tries < 300; tries++) {
		err = port_get();
		if (err || (int32_t)(port.served - ticket) >= 0)
			return err;
		pause_us(20000);
	}
	return -ETIMEDOUT;
}

static int pass_heals(void)
{
	int tries, err;

	for (tries = 0; tries < 30; tries++) {
		err = pass();
		if (!err && port.state == ROCEGUARD_STATE_ENFORCED)
			return 0;
		pause_us(200000);
	}
	return err ?: -EBUSY;
}

/* Something to correct */
static int pass_and_correct(void)
{
	if (system("dcb pfc set dev roce0 prio-pfc 3:off >/dev/null"))
		return -EIO;
	return pass();
}

/* Netdevs: the notifiers run in the thread that changes them */

static int nic_begin(void)
{
	link_delete(route, LOWER);
	return link_add(route, LOWER, "dummy", NULL) ?:
	       link_up(route, LOWER, true);
}

static int nic_add(void)
{
	return link_add(route, NIC, "labnic", LOWER);
}

static int nic_up(void)
{
	return link_up(route, NIC, true);
}

static int nic_down(void)
{
	return link_up(route, NIC, false);
}

static int nic_delete(void)
{
	return link_delete(route, NIC);
}

static int nic_gone(void)
{
	int err = nic_delete();

	return err == -ENODEV || err == -ENOENT ? 0 : err;
}

static int nic_add_up(void)
{
	return nic_add() ?: nic_up();
}

/* Goes with the NIC. */
static int upper_add(void)
{
	return link_add(route, "nthup", "macvlan", NIC);
}

static int nic_rename(void)
{
	return link_rename(route, NIC, "nth1");
}

static int nic_renamed_gone(void)
{
	link_rename(route, "nth1", NIC);
	return nic_gone();
}

static int netns_with_nic(void)
{
	struct nl_sock *sk;
	int home = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC), err;

	if (home < 0 || unshare(CLONE_NEWNET))
		return -errno;
	sk = nl_begin(NETLINK_ROUTE);
	err = link_add(sk, LOWER, "dummy", NULL) ?:
	      link_up(sk, LOWER, true) ?:
	      link_add(sk, NIC, "labnic", LOWER) ?: link_up(sk, NIC, true);
	nl_socket_free(sk);
	if (setns(home, CLONE_NEWNET))
		die("no way back from a netns: %s", strerror(errno));
	close(home);
	return err;
}

/* RDMA devices: ib_client's add, rename and remove, likewise */

static int rdma_add(void)
{
	return rxe_add(rdma, RXE, NIC);
}

static int rdma_delete(void)
{
	return rxe_delete(rdma, RXE);
}

static int rdma_gone(void)
{
	rdma_delete();
	return nic_gone();
}

static int nic_with_rdma(void)
{
	return nic_add_up() ?: rdma_add();
}

static const struct operation of_modules[] = {
	{ "load", NULL, load_and_unload, NULL, unload, false },
	{}
};

static const struct operation of_requests[] = {
	{ "policy-set, new", NULL, policy_add, policy_is_not,
	  policy_gone_again, false },
	{ "policy-set, replaced", policy_add, policy_replace, policy_is_first,
	  policy_gone_again, false },
	{ "policy-del", policy_add, policy_del, policy_is_first,
	  policy_gone_again, false },
	{ "policy-del, restore", policy_add, policy_del_restore,
	  policy_is_first, policy_gone_again, false },
	{ "policy-get", policy_add, policy_get, NULL, policy_gone_again, false },
	{ "policy-get, dump", NULL, policies, NULL, family_again, false },
	{ "port-get", NULL, port_get, NULL, family_again, false },
	{ "port-get, dump", NULL, ports, NULL, family_again, false },
	{ "port-apply", NULL, port_apply, NULL, family_again, false },
	{ "mode-get", NULL, mode_get, NULL, family_again, false },
	{ "mode-set", NULL, freeze, is_thawed, thaw_again, false },
	{ "history-get, dump", NULL, history, NULL, family_again, false },
	{}
};

static const struct operation of_passes[] = {
	{ "pass", NULL, pass, NULL, pass_heals, true },
	{ "pass that corrects", NULL, pass_and_correct, NULL, pass_heals, true },
	{}
};

static const struct operation of_links[] = {
	{ "register", NULL, nic_add, NULL, nic_gone, false },
	{ "up", nic_add, nic_up, NULL, nic_gone, false },
	{ "down", nic_add_up, nic_down, NULL, nic_gone, false },
	{ "rename", nic_add_up, nic_rename, NULL, nic_renamed_gone, false },
	{ "stacked upon", nic_add_up, upper_add, NULL, nic_gone, false },
	{ "unregister", nic_add_up, nic_delete, NULL, nic_gone, false },
	{ "netns", NULL, netns_with_nic, NULL, NULL, false },
	{}
};

static const struct operation of_rdma[] = {
	{ "RDMA device added", nic_add_up, rdma_add, NULL, rdma_gone, false },
	{ "RDMA device removed", nic_with_rdma, rdma_delete, NULL, rdma_gone, false },
	{ "netdev from under RDMA", nic_with_rdma, nic_delete, NULL, rdma_gone, false },
	{}
};

/* Done to the depth where no fault comes any more. */
static void to_the_end(const struct operation *operation)
{
	unsigned int n, done = 0, failed = 0;
	bool hit = true, lost;
	int err;

	under_way = operation->name;
	for (n = 1 + (unsigned int)random() % stride; hit; n += stride, done++) {
		if (n > DEPTH_MAX)
			die("%s: faults without an end", operation->name);
		if (operation->before)
			well("before", operation->before());
		if (operation->by_workers)
			arm_workers(n);
		else
			arm(n);
		errno = 0;
		err = operation->op();
		lost = errno == ENOBUFS;
		hit = operation->by_workers ? disarm_workers() : disarm();
		failed += !!err;
		if (!hit)
			well("without a fault", err);
		/* unless it is the core that has no memory for its own answer */
		if (err && !lost && operation->unchanged)
			well("refused, and done all the same",
			     operation->unchanged());
		if (operation->after)
			well("after", operation->after());
	}
	printf("%s: %u faults, %u of them told, none at allocation %u\n",
	       operation->name, done - 1, failed, n - stride);
}

static void each(const struct operation *operation)
{
	for (; operation->name; operation++) {
		to_the_end(operation);
		fflush(stdout);
	}
}

static void begin_family(void)
{
	int err = rgnl_open(&family);

	if (err)
		die("no family roceguard: %s", strerror(-err));
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[2] : "";

	stride = argc > 1 ? (unsigned int)number(argv[1], 1) : 1;
	srandom((unsigned int)getpid());
	if (!strcmp(what, "load") && argc == 5) {
		module_path = argv[3];
		module_name = argv[4];
		each(of_modules);
	} else if (!strcmp(what, "requests")) {
		begin_family();
		each(of_requests);
	} else if (!strcmp(what, "passes")) {
		begin_family();
		each(of_passes);
	} else if (!strcmp(what, "links") || !strcmp(what, "rdma")) {
		route = nl_begin(NETLINK_ROUTE);
		rdma = nl_begin(NETLINK_RDMA);
		under_way = what;
		well("a lower device", nic_begin());
		each(!strcmp(what, "rdma") ? of_rdma : of_links);
		link_delete(route, LOWER);
	} else {
		puts("usage: nth STRIDE load PATH NAME | requests | passes | links | rdma");
		return 1;
	}
	return 0;
}
