// SPDX-License-Identifier: GPL-2.0
/*
 * labexec - run a command in a lab host
 *
 *   labexec [--stdin] HOSTDIR -- COMMAND [ARGUMENT...]
 *
 * The guest agent starts labrun, which runs COMMAND with its output going to
 * files on the folder that host and machine share; labexec prints them as they
 * grow and ends with COMMAND's exit status (128+n for signal n, 127 not found).
 * Signals that end labexec end COMMAND as well. 255: the host is gone.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "talk.h"

#define HOST_GONE	255
#define AGENT_TIMEOUT_S	30
#define LABRUN		"/usr/libexec/roceguard-lab/labrun"
#define GUEST_SHARE	"/lab"

/* How often to look after a host that says nothing, and to poll at all. */
#define CHECK_MS	250
/* How long a command may take to end after a signal before it is killed. */
#define GRACE_MS	5000

struct stream {
	int from;
	int to;
	bool broken;
};

struct run {
	const char *host;
	const char *guest_name;
	char dir[4096];
	int dir_fd;
	int inotify;
	int signals;
	int signal;
	int grace_ms;
	struct stream out;
	struct stream err;
};

static int complain(const char *what, const char *which)
{
	fprintf(stderr, "lab: %s %s: %s\n", what, which, strerror(errno));
	return HOST_GONE;
}

static bool host_lives(const char *host)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/qemu.pid", host);
	return pid_file_held(path);
}

static int agent_sync(struct talk *talk)
{
	struct json_object *answer, *id;
	int64_t want = getpid();
	char text[128];
	bool ours;

	snprintf(text, sizeof(text), "\xff{\"execute\":\"guest-sync-delimited\","
		 "\"arguments\":{\"id\":%lld}}", (long long)want);
	if (talk_send(talk, text))
		return -1;
	while ((answer = talk_receive(talk))) {
		ours = json_object_object_get_ex(answer, "return", &id) &&
		       json_object_is_type(id, json_type_int) &&
		       json_object_get_int64(id) == want;
		json_object_put(answer);
		if (ours)
			return 0;
	}
	return -1;
}

static struct json_object *labrun_command(const char *name, int sig)
{
	struct json_object *command, *arguments, *list;
	char text[256];

	command = json_object_new_object();
	arguments = json_object_new_object();
	list = json_object_new_array();
	snprintf(text, sizeof(text), GUEST_SHARE "/%s", name);
	json_object_array_add(list, json_object_new_string(text));
	if (sig) {
		snprintf(text, sizeof(text), "%d", sig);
		json_object_array_add(list, json_object_new_string(text));
	}
	json_object_object_add(arguments, "path",
			       json_object_new_string(LABRUN));
	json_object_object_add(arguments, "arg", list);
	json_object_object_add(command, "execute",
			       json_object_new_string("guest-exec"));
	json_object_object_add(command, "arguments", arguments);
	return command;
}

/* Start labrun: with a signal for the command's processes, else to run it. */
static int start_labrun(struct run *run, int sig)
{
	struct json_object *command, *answer = NULL;
	static struct talk talk;
	char path[4096];
	int lock;

	/* the agent knows one conversation at a time */
	snprintf(path, sizeof(path), "%s/ga.lock", run->host);
	lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (lock < 0 || flock(lock, LOCK_EX))
		return complain("cannot lock", path);
	snprintf(path, sizeof(path), "%s/ga.sock", run->host);
	talk.len = 0;
	talk.fd = unix_connect(path, SOCK_STREAM, AGENT_TIMEOUT_S);
	if (talk.fd < 0) {
		close(lock);
		return complain("cannot reach the host at", path);
	}
	command = labrun_command(run->guest_name, sig);
	if (agent_sync(&talk))
		complain("no answer from the host at", path);
	else
		answer = talk_ask(&talk, command);
	json_object_put(command);
	json_object_put(answer);
	close(talk.fd);
	close(lock);
	return answer ? 0 : HOST_GONE;
}

static int write_all(int fd, const char *data, size_t len)
{
	ssize_t done;

	while (len) {
		done = write(fd, data, len);
		if (done < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (done <= 0)
			return -1;
		data += done;
		len -= done;
	}
	return 0;
}

static int put_argv(struct run *run, char **argv)
{
	int fd, ret = 0;

	fd = openat(run->dir_fd, "argv", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	for (; *argv && !ret; argv++)
		ret = write_all(fd, *argv, strlen(*argv) + 1);
	return close(fd) || ret ? -1 : 0;
}

static int put_stdin(struct run *run)
{
	char buf[65536];
	ssize_t got;
	int fd, ret = 0;

	fd = openat(run->dir_fd, "in", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	while (!ret && (got = read(0, buf, sizeof(buf))) > 0)
		ret = write_all(fd, buf, got);
	return close(fd) || ret || got < 0 ? -1 : 0;
}

static int open_stream(struct run *run, struct stream *stream,
		       const char *name, int to)
{
	stream->to = to;
	stream->from = openat(run->dir_fd, name,
			      O_RDONLY | O_CREAT | O_CLOEXEC, 0600);
	return stream->from < 0 ? -1 : 0;
}

static void pump(struct stream *stream)
{
	char buf[65536];
	ssize_t got;

	while ((got = read(stream->from, buf, sizeof(buf))) > 0)
		if (!stream->broken && write_all(stream->to, buf, got))
			stream->broken = true;
}

/* Exit status, or -1 while the command runs. */
static int read_status(struct run *run)
{
	char text[16];
	ssize_t got;
	int fd;

	fd = openat(run->dir_fd, "rc", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	got = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (got < 2 || text[got - 1] != '\n')
		return -1;
	text[got] = '\0';
	return atoi(text);
}

static void pass_signal(struct run *run, int sig)
{
	if (run->signal)
		return;
	run->signal = sig;
	run->grace_ms = GRACE_MS;
	start_labrun(run, sig);
}

static void wait_for_news(struct run *run)
{
	struct pollfd fds[] = {
		{ .fd = run->inotify, .events = POLLIN },
		{ .fd = run->signals, .events = POLLIN },
	};
	struct signalfd_siginfo info;
	char events[4096];

	if (poll(fds, 2, CHECK_MS) > 0) {
		if (fds[0].revents &&
		    read(run->inotify, events, sizeof(events)) < 0)
			complain("cannot watch", run->dir);
		if (fds[1].revents &&
		    read(run->signals, &info, sizeof(info)) == sizeof(info))
			pass_signal(run, info.ssi_signo);
	}
	if (run->out.broken)
		pass_signal(run, SIGPIPE);
}

static int follow(struct run *run)
{
	int status, idle_ms = 0;
	bool alive;

	for (;;) {
		alive = host_lives(run->host);
		status = read_status(run);
		pump(&run->out);
		pump(&run->err);
		if (status >= 0)
			return status;
		if (!alive) {
			fprintf(stderr, "lab: the host has ended (%s/console.log says why)\n",
				run->host);
			return HOST_GONE;
		}
		if (run->signal && idle_ms > run->grace_ms) {
			start_labrun(run, SIGKILL);
			return 128 + run->signal;
		}
		wait_for_news(run);
		if (run->signal)
			idle_ms += CHECK_MS;
	}
}

static int prepare(struct run *run, char **argv, bool with_stdin)
{
	sigset_t set;

	snprintf(run->dir, sizeof(run->dir), "%s/share/exec.XXXXXX", run->host);
	if (!mkdtemp(run->dir))
		return complain("no such host, or the lab is not up:",
				run->host);
	run->guest_name = strrchr(run->dir, '/') + 1;
	run->dir_fd = open(run->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (run->dir_fd < 0 || put_argv(run, argv) ||
	    open_stream(run, &run->out, "out", 1) ||
	    open_stream(run, &run->err, "err", 2))
		return complain("cannot write to", run->dir);
	if (with_stdin && put_stdin(run))
		return complain("cannot pass standard input through", run->dir);
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	run->signals = signalfd(-1, &set, SFD_CLOEXEC);
	run->inotify = inotify_init1(IN_CLOEXEC);
	if (run->signals < 0 || run->inotify < 0 ||
	    inotify_add_watch(run->inotify, run->dir,
			      IN_MODIFY | IN_CLOSE_WRITE) < 0)
		return complain("cannot watch", run->dir);
	return 0;
}

static void clean_up(struct run *run)
{
	static const char * const names[] = {
		"argv", "in", "out", "err", "rc", "pid",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unlinkat(run->dir_fd, names[i], 0);
	rmdir(run->dir);
}

int main(int argc, char **argv)
{
	struct run run = { .dir_fd = -1 };
	bool with_stdin = false;
	int status, at = 1;

	if (at < argc && !strcmp(argv[at], "--stdin")) {
		with_stdin = true;
		at++;
	}
	if (argc - at < 3 || strcmp(argv[at + 1], "--")) {
		fputs("usage: labexec [--stdin] HOSTDIR -- COMMAND [ARGUMENT...]\n",
		      stderr);
		return HOST_GONE;
	}
	run.host = argv[at];
	if (!host_lives(run.host)) {
		fprintf(stderr, "lab: the host does not run: %s\n", run.host);
		return HOST_GONE;
	}
	status = prepare(&run, argv + at + 2, with_stdin);
	if (!status)
		status = start_labrun(&run, 0);
	if (!status)
		status = follow(&run);
	if (run.dir_fd >= 0)
		clean_up(&run);
	return status;
}
