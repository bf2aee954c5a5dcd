// SPDX-License-Identifier: GPL-2.0
/* Finding and reading policy files: paths, directories, profiles. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "conf.h"

#ifndef PROFILEDIR
#define PROFILEDIR	"/usr/share/roceguard/profiles"
#endif

#define CONF_SUFFIX	".conf"

static __attribute__((format(printf, 2, 3)))
int load_fail(char *error, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(error, CONF_ERROR_MAX, fmt, args);
	va_end(args);
	return -1;
}

static const char *profile_dir(void)
{
	const char *dir = getenv("ROCEGUARD_PROFILES");

	return dir && *dir ? dir : PROFILEDIR;
}

static bool has_suffix(const char *s)
{
	size_t n = strlen(s);

	return n > strlen(CONF_SUFFIX) &&
	       !strcmp(s + n - strlen(CONF_SUFFIX), CONF_SUFFIX);
}

/* "/etc/roceguard/policies.d/storage.conf" is policy "storage". */
static void policy_name(const char *path, char *name, size_t size)
{
	const char *base = strrchr(path, '/');
	int n;

	base = base ? base + 1 : path;
	n = (int)strlen(base) - (has_suffix(base) ? (int)strlen(CONF_SUFFIX) : 0);
	snprintf(name, size, "%.*s", n, base);
}

/*
 * Only what is a regular file is opened, so that no FIFO and no device makes
 * us wait; O_NONBLOCK for one that takes its place in between.
 */
static int open_regular(const char *path, char *error)
{
	struct stat st;
	int fd;

	if (stat(path, &st))
		return load_fail(error, "%s: %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return load_fail(error, "%s: not a regular file; name a policy file",
				 path);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return load_fail(error, "%s: %s", path, strerror(errno));
	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		load_fail(error, "%s: changed while it was opened; try again",
			  path);
	else if (st.st_size > CONF_SIZE_MAX)
		load_fail(error, "%s: %lld bytes; policy files are at most %d KiB",
			  path, (long long)st.st_size, CONF_SIZE_MAX / 1024);
	else
		return fd;
	close(fd);
	return -1;
}

/* One byte more than allowed is read to know that there is more. */
static ssize_t read_all(int fd, char *text, size_t size)
{
	size_t at = 0;
	ssize_t n;

	do {
		n = read(fd, text + at, size - at);
		if (n > 0)
			at += (size_t)n;
	} while ((n > 0 && at < size) || (n < 0 && errno == EINTR));
	return n < 0 ? n : (ssize_t)at;
}

int conf_read(struct conf *conf, const char *path, char *error)
{
	char name[NAME_MAX + 1], *text;
	int fd, err = -1;
	ssize_t n;

	policy_name(path, name, sizeof(name));
	text = malloc(CONF_SIZE_MAX + 1);
	if (!text)
		return load_fail(error, "%s: out of memory", path);
	fd = open_regular(path, error);
	if (fd < 0)
		goto out;
	n = read_all(fd, text, CONF_SIZE_MAX + 1);
	if (n < 0)
		load_fail(error, "%s: %s", path, strerror(errno));
	else
		err = conf_parse(conf, path, name, text, (size_t)n, error);
	close(fd);
out:
	free(text);
	return err;
}

static int load_one(struct conf_list *list, const char *path, char *error)
{
	list->conf = malloc(sizeof(*list->conf));
	if (!list->conf)
		return load_fail(error, "%s: out of memory", path);
	list->n = 1;
	return conf_read(list->conf, path, error);
}

static int is_policy_file(const struct dirent *d)
{
	return d->d_name[0] != '.' && has_suffix(d->d_name);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int read_names(struct conf_list *list, const char *dir,
		      struct dirent **entry, int n, char *error)
{
	char path[PATH_MAX];
	int i;

	if (!n)
		return load_fail(error, "%s: no *.conf in it; name a policy file or a profile",
				 dir);
	if (n > CONF_FILES_MAX)
		return load_fail(error, "%s: %d policy files; at most %d can be loaded at once",
				 dir, n, CONF_FILES_MAX);
	list->conf = calloc((size_t)n, sizeof(*list->conf));
	if (!list->conf)
		return load_fail(error, "%s: out of memory", dir);
	for (i = 0; i < n; i++) {
		if (snprintf(path, sizeof(path), "%s/%s", dir,
			     entry[i]->d_name) >= (int)sizeof(path))
			return load_fail(error, "%s: the path is too long",
					 dir);
		list->n = (size_t)i + 1;
		if (conf_read(&list->conf[i], path, error))
			return -1;
	}
	return 0;
}

static int load_directory(struct conf_list *list, const char *path,
			  char *error)
{
	struct dirent **entry;
	char dir[PATH_MAX];
	int i, n, err;

	/* "policies.d/" reads better without its slash in messages. */
	snprintf(dir, sizeof(dir), "%s", path);
	for (i = (int)strlen(dir) - 1; i > 0 && dir[i] == '/'; i--)
		dir[i] = '\0';
	n = scandir(dir, &entry, is_policy_file, by_name);
	if (n < 0)
		return load_fail(error, "%s: %s", dir, strerror(errno));
	err = read_names(list, dir, entry, n, error);
	for (i = 0; i < n; i++)
		free(entry[i]);
	free(entry);
	return err;
}

static int unknown_profile(const char *name, char *error)
{
	struct dirent **entry;
	char known[512] = "";
	size_t at = 0;
	int i, n;

	n = scandir(profile_dir(), &entry, is_policy_file, by_name);
	for (i = 0; i < n; i++) {
		if (at < sizeof(known))
			at += (size_t)snprintf(known + at, sizeof(known) - at,
					       "%s%.*s", i ? ", " : "",
					       (int)(strlen(entry[i]->d_name) -
						     strlen(CONF_SUFFIX)),
					       entry[i]->d_name);
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
	if (!access(name, F_OK))
		return load_fail(error, "unknown profile \"%s\"; for the file here write ./%s",
				 name, name);
	if (n <= 0)
		return load_fail(error, "unknown profile \"%s\"; there are none in %s",
				 name, profile_dir());
	return load_fail(error, "unknown profile \"%s\"; known are %s", name,
			 known);
}

static int load_profile(struct conf_list *list, const char *name, char *error)
{
	char path[PATH_MAX];
	int n;

	if (!rg_name_valid(name))
		return unknown_profile(name, error);
	n = snprintf(path, sizeof(path), "%s/%s" CONF_SUFFIX, profile_dir(),
		     name);
	if (n >= (int)sizeof(path) || access(path, F_OK))
		return unknown_profile(name, error);
	return load_one(list, path, error);
}

int conf_load(struct conf_list *list, const char *what, char *error)
{
	struct stat st;

	memset(list, 0, sizeof(*list));
	if (!strchr(what, '/') && !has_suffix(what))
		return load_profile(list, what, error);
	if (strlen(what) >= PATH_MAX)
		return load_fail(error, "the path is too long");
	if (!stat(what, &st) && S_ISDIR(st.st_mode))
		return load_directory(list, what, error);
	return load_one(list, what, error);
}

void conf_list_free(struct conf_list *list)
{
	free(list->conf);
	memset(list, 0, sizeof(*list));
}
