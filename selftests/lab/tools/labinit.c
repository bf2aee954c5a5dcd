// SPDX-License-Identifier: GPL-2.0
/*
 * labinit - first process of a lab host, in two lives
 *
 * In the initrd it loads the modules that reach the root folder, lays a tmpfs
 * over it and moves there. In the new root it mounts what a host needs, runs
 * the setup script, and from then on reaps orphans until it is told to power
 * off (SIGTERM).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define LAB_DIR		"/usr/libexec/roceguard-lab"
#define SELF		LAB_DIR "/labinit"
#define SETUP		LAB_DIR "/setup"
#define P9_OPTS		"trans=virtio,version=9p2000.L,msize=512000"

struct mount_point {
	const char *source;
	const char *target;
	const char *type;
	unsigned long flags;
	const char *options;
};

/* Nothing changes below the read-only layers, so they may be cached freely. */
static const struct mount_point initrd_mounts[] = {
	{ "proc", "/proc", "proc", 0, NULL },
	{ "dev", "/dev", "devtmpfs", 0, NULL },
};

static const struct mount_point root_mounts[] = {
	{ "image", "/image", "9p", MS_RDONLY, P9_OPTS ",cache=loose" },
	{ "kernel", "/kernel", "9p", MS_RDONLY, P9_OPTS ",cache=loose" },
	{ "stage", "/stage", "9p", MS_RDONLY, P9_OPTS ",cache=loose" },
	{ "rw", "/rw", "tmpfs", 0, "mode=755" },
};

static const struct mount_point host_mounts[] = {
	{ "proc", "/proc", "proc", 0, NULL },
	{ "sys", "/sys", "sysfs", 0, NULL },
	{ "dev", "/dev", "devtmpfs", 0, NULL },
	{ "devpts", "/dev/pts", "devpts", 0, "ptmxmode=666" },
	{ "shm", "/dev/shm", "tmpfs", 0, "mode=1777" },
	{ "run", "/run", "tmpfs", 0, "mode=755" },
	{ "tmp", "/tmp", "tmpfs", 0, "mode=1777" },
	{ "debugfs", "/sys/kernel/debug", "debugfs", 0, NULL },
	{ "tracefs", "/sys/kernel/tracing", "tracefs", 0, NULL },
	{ "configfs", "/sys/kernel/config", "configfs", 0, NULL },
	{ "cgroup2", "/sys/fs/cgroup", "cgroup2", 0, NULL },
	{ "src", "/src", "9p", MS_RDONLY, P9_OPTS ",cache=none" },
	{ "lab", "/lab", "9p", 0, P9_OPTS ",cache=none" },
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* A host that cannot come up ends at once, so that `lab up` sees it. */
static void __attribute__((noreturn, format(printf, 1, 2)))
give_up(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fputs("labinit: ", stderr);
	vfprintf(stderr, fmt, ap);
	fprintf(stderr, ": %s\n", strerror(errno));
	va_end(ap);
	reboot(RB_POWER_OFF);
	_exit(1);
}

static void mount_all(const struct mount_point *mp, size_t count)
{
	for (; count; mp++, count--) {
		mkdir(mp->target, 0755);
		if (mount(mp->source, mp->target, mp->type, mp->flags,
			  mp->options))
			give_up("cannot mount %s", mp->target);
	}
}

static void open_console(void)
{
	int fd = open("/dev/console", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return;
	dup2(fd, 0);
	dup2(fd, 1);
	dup2(fd, 2);
}

static void load_modules(const char *list)
{
	FILE *file = fopen(list, "r");
	char path[256];
	int fd;

	if (!file)
		give_up("cannot read %s", list);
	while (fgets(path, sizeof(path), file)) {
		path[strcspn(path, "\n")] = '\0';
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0 || syscall(SYS_finit_module, fd, "", 0))
			give_up("cannot load %s", path);
		close(fd);
	}
	fclose(file);
}

static void enter_root(void)
{
	mount_all(initrd_mounts, COUNT(initrd_mounts));
	open_console();
	load_modules("/modules.list");
	mount_all(root_mounts, COUNT(root_mounts));
	mkdir("/rw/upper", 0755);
	mkdir("/rw/work", 0755);
	mkdir("/root", 0755);
	if (mount("root", "/root", "overlay", 0,
		  "lowerdir=/stage:/kernel:/image,upperdir=/rw/upper,workdir=/rw/work"))
		give_up("cannot mount the root overlay");
	if (umount2("/dev", MNT_DETACH) || umount2("/proc", MNT_DETACH))
		give_up("cannot leave the initrd");
	if (chdir("/root") || mount(".", "/", NULL, MS_MOVE, NULL) ||
	    chroot(".") || chdir("/"))
		give_up("cannot enter the root overlay");
	execl(SELF, SELF, NULL);
	give_up("cannot run %s", SELF);
}

static pid_t spawn(const char *path)
{
	sigset_t none;
	pid_t pid = fork();

	if (pid)
		return pid;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setsid();
	execl(path, path, NULL);
	give_up("cannot run %s", path);
}

static void power_off(void)
{
	sync();
	kill(-1, SIGTERM);
	sleep(1);
	kill(-1, SIGKILL);
	sync();
	reboot(RB_POWER_OFF);
}

static void live(void)
{
	sigset_t set;
	int sig;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	mount_all(host_mounts, COUNT(host_mounts));
	open_console();
	setenv("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin", 1);
	setenv("HOME", "/root", 1);
	if (spawn(SETUP) < 0)
		give_up("cannot fork");
	for (;;) {
		sig = sigwaitinfo(&set, NULL);
		if (sig == SIGTERM)
			power_off();
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
	}
}

int main(void)
{
	if (getpid() != 1) {
		fputs("labinit: runs only as the first process of a lab host\n",
		      stderr);
		return 1;
	}
	if (!access("/modules.list", R_OK))
		enter_root();
	live();
}
