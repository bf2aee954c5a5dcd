// SPDX-License-Identifier: GPL-2.0
/*
 * labrun - runs one command inside a lab host on behalf of labexec
 *
 *   labrun DIR          run what DIR/argv says (strings ended by NUL)
 *   labrun DIR SIGNAL   send SIGNAL to the process group of that command
 *
 * DIR lies on the folder that host and machine share: standard output and
 * error go to DIR/out and DIR/err, standard input comes from DIR/in if it is
 * there, and DIR/rc gets the exit status (128+n for signal n) at the end.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char * const environment[] = {
	"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin",
	"HOME=/root",
	"USER=root",
	"LOGNAME=root",
	"SHELL=/bin/bash",
	"TERM=dumb",
	"LANG=C.UTF-8",
	NULL,
};

static char **read_argv(void)
{
	char **argv, *text, *at;
	size_t count = 0;
	struct stat st;
	ssize_t len;
	int fd;

	fd = open("argv", O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st))
		return NULL;
	text = malloc(st.st_size + 1);
	argv = calloc(st.st_size + 1, sizeof(*argv));
	len = text && argv ? read(fd, text, st.st_size) : -1;
	close(fd);
	if (len <= 0 || len != st.st_size || text[len - 1]) {
		free(text);
		free(argv);
		return NULL;
	}
	for (at = text; at < text + len; at += strlen(at) + 1)
		argv[count++] = at;
	return argv;
}

static int put_number(const char *name, int number)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	if (fd < 0 || dprintf(fd, "%d\n", number) < 0)
		return -1;
	return close(fd);
}

static int redirect(const char *name, int flags, int to)
{
	int fd = open(name, flags, 0644);

	return fd < 0 || dup2(fd, to) < 0 || close(fd) ? -1 : 0;
}

static void __attribute__((noreturn)) run_child(char **argv)
{
	const char *in = access("in", F_OK) ? "/dev/null" : "in";
	int append = O_WRONLY | O_CREAT | O_APPEND, i;

	setsid();
	if (redirect("err", append, 2) || redirect("out", append, 1) ||
	    redirect(in, O_RDONLY, 0) || chdir("/root"))
		_exit(126);
	clearenv();
	for (i = 0; environment[i]; i++)
		putenv((char *)environment[i]);
	execvp(argv[0], argv);
	dprintf(2, "lab: %s: %s\n", argv[0], strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

static int run(void)
{
	char **argv = read_argv();
	int status;
	pid_t pid;

	if (!argv)
		return put_number("rc", 126);
	pid = fork();
	if (!pid)
		run_child(argv);
	if (pid < 0 || put_number("pid", pid))
		return put_number("rc", 126);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return put_number("rc", 126);
	return put_number("rc", WIFEXITED(status) ? WEXITSTATUS(status) :
				128 + WTERMSIG(status));
}

static int send_signal(int sig)
{
	FILE *file = fopen("pid", "r");
	int pid, got;

	if (!file)
		return 1;
	got = fscanf(file, "%d", &pid);
	fclose(file);
	return got != 1 || pid <= 1 || kill(-pid, sig);
}

int main(int argc, char **argv)
{
	if (argc < 2 || argc > 3 || chdir(argv[1])) {
		fputs("usage: labrun DIR [SIGNAL]\n", stderr);
		return 1;
	}
	return !!(argc == 3 ? send_signal(atoi(argv[2])) : run());
}
