// SPDX-License-Identifier: GPL-2.0
/*
 * Running nvme-cli: by absolute path, with an argument vector of our own, a
 * clean environment and no open files but the standard ones, for a bounded
 * time. No shell ever sees a word of the user's.
 */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "cmd/cmd.h"
#include "connect.h"

#define STEP_MS		20
/* From a polite signal to the other one, and from that to giving up. */
#define GRACE_MS	2000
#define MODPROBE_MS	30000
/* Where the kernel has no close_range(): the helper opens but a few. */
#define OPEN_MAX_SEEN	1024

static char *const environment[] = {
	"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C", NULL,
};

static const char *first_executable(const char *const *paths)
{
	for (; *paths; paths++)
		if (!access(*paths, X_OK))
			return *paths;
	return NULL;
}

/**
 * conn_nvme_path() - where nvme-cli is
 * @error: why not
 *
 * Return: an absolute path, or NULL.
 */
const char *conn_nvme_path(struct conn_error *error)
{
	static const char *const paths[] = {
		"/usr/sbin/nvme", "/sbin/nvme", "/usr/bin/nvme", NULL,
	};
	const char *path = first_executable(paths);

	if (!path)
		conn_fail(error, RG_EXIT_KERNEL,
			  "nvme-cli is not installed (no /usr/sbin/nvme): apt install nvme-cli");
	return path;
}

static int __attribute__((format(printf, 3, 4)))
append(struct conn_command *cmd, bool secret, const char *fmt, ...)
{
	char word[2 * CONN_TEXT];
	va_list list;
	char *copy;

	va_start(list, fmt);
	vsnprintf(word, sizeof(word), fmt, list);
	va_end(list);
	copy = cmd->argc < CONN_ARGV_MAX ? strdup(word) : NULL;
	if (!copy)
		return -ENOMEM;
	if (secret)
		cmd->secret[cmd->argc / 64] |= BIT_ULL(cmd->argc % 64);
	cmd->argv[cmd->argc++] = copy;
	cmd->argv[cmd->argc] = NULL;
	return 0;
}

static int append_all(struct conn_command *cmd, const char *nvme,
		      const struct conn_args *args, int tos)
{
	unsigned int i;
	int err;

	err = append(cmd, false, "%s", nvme) ||
	      append(cmd, false, "connect") ||
	      append(cmd, false, "--transport=rdma") ||
	      append(cmd, false, "--traddr=%s", args->address) ||
	      append(cmd, false, "--trsvcid=%s", args->trsvcid) ||
	      append(cmd, false, "--nqn=%s", args->nqn);
	if (!err && *args->host_traddr)
		err = append(cmd, false, "--host-traddr=%s", args->host_traddr);
	if (!err && tos >= 0)
		err = append(cmd, false, "--tos=%d", tos);
	if (!err && args->verbose)
		err = append(cmd, false, "--verbose");
	for (i = 0; i < args->n_pass && !err; i++) {
		const struct conn_pass *pass = &args->pass[i];

		err = pass->flag ? append(cmd, false, "--%s", pass->name) :
				   append(cmd, pass->secret, "--%s=%s",
					  pass->name, pass->value);
	}
	return err ? -ENOMEM : 0;
}

/**
 * conn_command_build() - the nvme command line
 * @cmd: filled in; conn_command_free() it
 * @nvme: absolute path
 * @args: resolved arguments
 * @tos: 0..255, or -1 to leave it to the host's default
 * @error: why not
 *
 * Return: 0 or a negative errno.
 */
int conn_command_build(struct conn_command *cmd, const char *nvme,
		       const struct conn_args *args, int tos,
		       struct conn_error *error)
{
	memset(cmd, 0, sizeof(*cmd));
	if (!append_all(cmd, nvme, args, tos))
		return 0;
	conn_command_free(cmd);
	return conn_fail(error, RG_EXIT_KERNEL, "out of memory");
}

/**
 * conn_command_word() - one word of the command line, fit to be shown
 * @cmd: the command
 * @i: which word
 * @buf: for the word
 * @size: of @buf
 */
void conn_command_word(const struct conn_command *cmd, unsigned int i,
		       char *buf, size_t size)
{
	const char *word = cmd->argv[i];

	if (cmd->secret[i / 64] & BIT_ULL(i % 64))
		snprintf(buf, size, "%.*s=(secret)", (int)strcspn(word, "="),
			 word);
	else
		snprintf(buf, size, "%s", word);
}

void conn_command_free(struct conn_command *cmd)
{
	unsigned int i;

	for (i = 0; i < cmd->argc; i++)
		free(cmd->argv[i]);
	memset(cmd, 0, sizeof(*cmd));
}

static void close_others(void)
{
	int fd;

#ifdef __NR_close_range
	if (!syscall(__NR_close_range, 3U, ~0U, 0))
		return;
#endif
	for (fd = OPEN_MAX_SEEN; fd > 2; fd--)
		close(fd);
}

/* Only async-signal-safe calls from here to execve(). */
static void __attribute__((noreturn)) child(char *const *argv, bool show)
{
	sigset_t none;
	int null = open("/dev/null", O_RDWR);

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (null < 0 || dup2(null, 0) < 0 || dup2(show ? 2 : null, 1) < 0)
		_exit(126);
	close_others();
	execve(argv[0], argv, environment);
	_exit(127);
}

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000LL + ts.tv_nsec / 1000000;
}

static bool ended(pid_t pid, int *status, int ms)
{
	const struct timespec step = { .tv_nsec = STEP_MS * 1000000L };
	int64_t until = now_ms() + ms;
	pid_t got;

	do {
		got = waitpid(pid, status, WNOHANG);
		if (got == pid)
			return true;
		if (got < 0 && errno != EINTR)
			return false;
		nanosleep(&step, NULL);
	} while (now_ms() < until);
	return false;
}

/*
 * Return: the exit status of @argv, -EINTR if it died of a signal, -ETIMEDOUT
 * if it had to be stopped, -EBUSY if it could not be.
 */
static int run(char *const *argv, bool show, int ms)
{
	int status;
	pid_t pid;

	/* A caller that ignores it would make the child's end unknowable. */
	signal(SIGCHLD, SIG_DFL);
	pid = fork();
	if (pid < 0)
		return -errno;
	if (!pid)
		child(argv, show);
	if (ended(pid, &status, ms))
		return WIFEXITED(status) ? WEXITSTATUS(status) : -EINTR;
	kill(pid, SIGTERM);
	if (ended(pid, &status, GRACE_MS))
		return -ETIMEDOUT;
	kill(pid, SIGKILL);
	return ended(pid, &status, GRACE_MS) ? -ETIMEDOUT : -EBUSY;
}

static bool transport_there(void)
{
	return !access("/dev/nvme-fabrics", F_OK) &&
	       !access("/sys/module/nvme_rdma", F_OK);
}

static int may_connect(struct conn_error *error)
{
	if (!access("/dev/nvme-fabrics", W_OK))
		return 0;
	return conn_fail(error, RG_EXIT_KERNEL,
			 "/dev/nvme-fabrics: %s; connect as root",
			 strerror(errno));
}

/**
 * conn_nvme_transport() - have the nvme-rdma transport
 * @error: why not
 *
 * Return: 0 or a negative errno.
 */
int conn_nvme_transport(struct conn_error *error)
{
	static const char *const paths[] = {
		"/sbin/modprobe", "/usr/sbin/modprobe", NULL,
	};
	const char *path = first_executable(paths);
	char *argv[] = { (char *)path, "nvme-rdma", NULL };
	int err;

	if (transport_there())
		return may_connect(error);
	if (geteuid())
		return conn_fail(error, RG_EXIT_KERNEL,
				 "nvme-rdma is not loaded; connect as root");
	if (!path)
		return conn_fail(error, RG_EXIT_KERNEL,
				 "nvme-rdma is not loaded, and there is no /sbin/modprobe: apt install kmod");
	err = run(argv, true, MODPROBE_MS);
	if (err)
		return conn_fail(error, RG_EXIT_KERNEL,
				 "nvme-rdma cannot be loaded (modprobe nvme-rdma: %s %d)",
				 err < 0 ? "error" : "exit status",
				 err < 0 ? -err : err);
	if (transport_there())
		return may_connect(error);
	return conn_fail(error, RG_EXIT_KERNEL,
			 "nvme-rdma is loaded, but there is no /dev/nvme-fabrics");
}

/**
 * conn_nvme_run() - run nvme to its end
 * @cmd: the command line
 * @timeout: seconds until it is stopped
 * @verbose: pass on its standard output too, on stderr
 * @error: why it failed; its own words went to stderr
 *
 * Return: 0 or a negative errno.
 */
int conn_nvme_run(const struct conn_command *cmd, unsigned int timeout,
		  bool verbose, struct conn_error *error)
{
	int err = run(cmd->argv, verbose, timeout * 1000);

	switch (err) {
	case 0:
		return 0;
	case -ETIMEDOUT:
		return conn_fail(error, RG_EXIT_KERNEL,
				 "nvme connect did not end within %u s and was stopped (--timeout)",
				 timeout);
	case -EBUSY:
		return conn_fail(error, RG_EXIT_KERNEL,
				 "nvme connect did not end within %u s and cannot be stopped: it waits in the kernel, see dmesg",
				 timeout);
	case -EINTR:
		return conn_fail(error, RG_EXIT_KERNEL,
				 "nvme connect was killed by a signal");
	case 127:
		return conn_fail(error, RG_EXIT_KERNEL,
				 "%s cannot be executed", cmd->argv[0]);
	default:
		if (err < 0)
			return conn_fail(error, RG_EXIT_KERNEL,
					 "nvme cannot be started: %s",
					 strerror(-err));
		return conn_fail(error, RG_EXIT_KERNEL,
				 "nvme connect failed with exit status %d: is the target up, and does it export this subsystem to this host? dmesg has the words of nvme-rdma",
				 err);
	}
}
