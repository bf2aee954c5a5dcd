// SPDX-License-Identifier: GPL-2.0
/*
 * Finding and reading policy files: paths, directories, profiles, drop-ins. The
 * drop-ins of NAME.conf are the files *.conf of the directory NAME.conf.d beside
 * it; those of a profile belong to this host and are beside its other policies.
 */
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

#ifndef POLICYDIR
#define POLICYDIR	"/etc/roceguard/policies.d"
#endif

#define CONF_SUFFIX	".conf"
#define DROPINS_SUFFIX	".conf.d"

static __attribute__((format(printf, 2, 3)))
int load_fail(char *error, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(error, CONF_ERROR_MAX, fmt, args);
	va_end(args);
	return -1;
}

static const char *directory(const char *variable, const char *otherwise)
{
	const char *dir = getenv(variable);

	return dir && *dir ? dir : otherwise;
}

static const char *profile_dir(void)
{
	return directory("ROCEGUARD_PROFILES", PROFILEDIR);
}

const char *conf_policy_dir(void)
{
	return directory("ROCEGUARD_POLICIES", POLICYDIR);
}

static bool ends_in(const char *s, const char *suffix)
{
	size_t n = strlen(s), len = strlen(suffix);

	return n > len && !strcmp(s + n - len, suffix);
}

static bool has_suffix(const char *s)
{
	return ends_in(s, CONF_SUFFIX);
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

int conf_read_file(const char *path, char **text, size_t *len, char *error)
{
	int fd, err = -1;
	ssize_t n;

	*text = malloc(CONF_SIZE_MAX + 1);
	if (!*text)
		return load_fail(error, "%s: out of memory", path);
	fd = open_regular(path, error);
	if (fd < 0)
		goto out;
	n = read_all(fd, *text, CONF_SIZE_MAX + 1);
	if (n < 0) {
		load_fail(error, "%s: %s", path, strerror(errno));
	} else {
		*len = (size_t)n;
		err = 0;
	}
	close(fd);
out:
	if (err) {
		free(*text);
		*text = NULL;
	}
	return err;
}

static int is_policy_file(const struct dirent *d)
{
	return d->d_name[0] != '.' && has_suffix(d->d_name);
}

static int is_policy(const struct dirent *d)
{
	return d->d_name[0] != '.' && (has_suffix(d->d_name) ||
				       ends_in(d->d_name, DROPINS_SUFFIX));
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void free_entries(struct dirent **entry, int n)
{
	while (n-- > 0)
		free(entry[n]);
	free(entry);
}

/* A path of two parts; CONF_PATH_MAX bytes. */
static int join(char *path, const char *dir, const char *gap, const char *name,
		char *error)
{
	if (snprintf(path, CONF_PATH_MAX, "%s%s%s", dir, gap, name) <
	    CONF_PATH_MAX)
		return 0;
	return load_fail(error, "%s: the path is too long", dir);
}

/* Reading one policy */

/**
 * struct sources - the files that a policy is made of
 * @n: how many
 * @path: of each
 * @text: what stands in it
 */
struct sources {
	size_t n;
	char path[CONF_PARTS_MAX][CONF_PATH_MAX];
	struct conf_text text[CONF_PARTS_MAX];
};

static int read_source(struct sources *s, const char *dir, const char *gap,
		       const char *name, char *error)
{
	struct conf_text *t = &s->text[s->n];
	char *text;

	if (join(s->path[s->n], dir, gap, name, error) ||
	    conf_read_file(s->path[s->n], &text, &t->len, error))
		return -1;
	t->text = text;
	t->file = s->path[s->n++];
	return 0;
}

static int read_drop_ins(struct sources *s, const char *dir, char *error)
{
	struct dirent **entry;
	int i, n, err = 0;

	n = scandir(dir, &entry, is_policy_file, by_name);
	if (n < 0)
		return errno == ENOENT ? 0 :
		       load_fail(error, "%s: %s", dir, strerror(errno));
	if (n >= CONF_PARTS_MAX)
		err = load_fail(error, "%s: %d drop-ins; a policy has at most %d",
				dir, n, CONF_PARTS_MAX - 1);
	for (i = 0; !err && i < n; i++)
		err = read_source(s, dir, "/", entry[i]->d_name, error);
	free_entries(entry, n);
	return err;
}

static int read_policy(struct conf *conf, const char *path,
		       const char *drop_ins, char *error)
{
	struct sources *s = calloc(1, sizeof(*s));
	char name[NAME_MAX + 1];
	int err;

	if (!s)
		return load_fail(error, "%s: out of memory", path);
	policy_name(path, name, sizeof(name));
	err = read_source(s, path, "", "", error);
	if (!err)
		err = read_drop_ins(s, drop_ins, error);
	if (!err)
		err = conf_parse_all(conf, name, s->text, s->n, error);
	while (s->n)
		free((char *)s->text[--s->n].text);
	free(s);
	return err;
}

static int load_one(struct conf_list *list, const char *path,
		    const char *drop_ins, char *error)
{
	list->conf = malloc(sizeof(*list->conf));
	if (!list->conf)
		return load_fail(error, "%s: out of memory", path);
	list->n = 1;
	return read_policy(list->conf, path, drop_ins, error);
}

static int load_file(struct conf_list *list, const char *path, char *error)
{
	char drop_ins[CONF_PATH_MAX];

	if (join(drop_ins, path, "", ".d", error))
		return -1;
	return load_one(list, path, drop_ins, error);
}

/* Directories */

/* A directory of drop-ins without any changes nothing. */
static bool has_drop_ins(const char *dir)
{
	struct dirent **entry;
	int n = scandir(dir, &entry, is_policy_file, NULL);

	if (n >= 0)
		free_entries(entry, n);
	return n > 0;
}

/* The drop-ins in @path have no policy beside them: they are for a profile. */
static int profile_for(char *path, const char *drop_ins, char *error)
{
	const char *base = strrchr(drop_ins, '/') + 1;
	char file[NAME_MAX + 1];

	snprintf(file, sizeof(file), "%.*s", (int)strlen(base) - 2, base);
	if (join(path, profile_dir(), "/", file, error))
		return -1;
	if (!access(path, F_OK))
		return 0;
	return load_fail(error, "%s: drop-ins for a policy that is not there: neither %.*s nor %s; make one, or remove them",
			 drop_ins, (int)strlen(drop_ins) - 2, drop_ins, path);
}

/* @entry is "NAME.conf" or "NAME.conf.d". */
static int read_entry(struct conf_list *list, const char *dir,
		      const char *entry, char *error)
{
	char path[CONF_PATH_MAX], drop_ins[CONF_PATH_MAX];
	bool is_file = has_suffix(entry);

	if (join(path, dir, "/", entry, error) ||
	    join(drop_ins, path, "", is_file ? ".d" : "", error))
		return -1;
	if (!is_file) {
		path[strlen(path) - 2] = '\0';
		if (!access(path, F_OK) || !has_drop_ins(drop_ins))
			return 0;
		if (profile_for(path, drop_ins, error))
			return -1;
	}
	if (list->n == CONF_FILES_MAX)
		return load_fail(error, "%s: more than %d policies; no more can be loaded at once",
				 dir, CONF_FILES_MAX);
	return read_policy(&list->conf[list->n++], path, drop_ins, error);
}

static int read_entries(struct conf_list *list, const char *dir,
			struct dirent **entry, int n, char *error)
{
	int i, err = 0;

	list->folder = true;
	list->conf = calloc(CONF_FILES_MAX, sizeof(*list->conf));
	if (!list->conf)
		return load_fail(error, "%s: out of memory", dir);
	for (i = 0; !err && i < n; i++)
		err = read_entry(list, dir, entry[i]->d_name, error);
	if (!err && !list->n)
		return load_fail(error, "%s: no *.conf in it; name a policy file or a profile",
				 dir);
	return err;
}

static int load_directory(struct conf_list *list, const char *path,
			  char *error)
{
	char dir[CONF_PATH_MAX];
	struct dirent **entry;
	int i, n, err;

	/* "policies.d/" reads better without its slash in messages. */
	snprintf(dir, sizeof(dir), "%s", path);
	for (i = (int)strlen(dir) - 1; i > 0 && dir[i] == '/'; i--)
		dir[i] = '\0';
	n = scandir(dir, &entry, is_policy, by_name);
	if (n < 0)
		return load_fail(error, "%s: %s", dir, strerror(errno));
	err = read_entries(list, dir, entry, n, error);
	free_entries(entry, n);
	return err;
}

/* Profiles */

static int unknown_profile(const char *name, char *error)
{
	struct dirent **entry;
	char known[512] = "";
	size_t at = 0;
	int i, n;

	n = scandir(profile_dir(), &entry, is_policy_file, by_name);
	for (i = 0; i < n && at < sizeof(known); i++)
		at += (size_t)snprintf(known + at, sizeof(known) - at,
				       "%s%.*s", i ? ", " : "",
				       (int)(strlen(entry[i]->d_name) -
					     strlen(CONF_SUFFIX)),
				       entry[i]->d_name);
	if (n >= 0)
		free_entries(entry, n);
	if (!access(name, F_OK))
		return load_fail(error, "unknown profile \"%s\"; for the file here write ./%s",
				 name, name);
	if (n <= 0)
		return load_fail(error, "unknown profile \"%s\"; there are none in %s",
				 name, profile_dir());
	return load_fail(error, "unknown profile \"%s\"; known are %s", name,
			 known);
}

int conf_find_profile(const char *name, char *path, char *error)
{
	char file[NAME_MAX + 1];

	if (!rg_name_valid(name))
		return unknown_profile(name, error);
	snprintf(file, sizeof(file), "%s" CONF_SUFFIX, name);
	if (join(path, conf_policy_dir(), "/", file, error))
		return -1;
	if (!access(path, F_OK))
		return 0;
	if (join(path, profile_dir(), "/", file, error))
		return -1;
	return access(path, F_OK) ? unknown_profile(name, error) : 0;
}

static int load_profile(struct conf_list *list, const char *name, char *error)
{
	char path[CONF_PATH_MAX], drop_ins[CONF_PATH_MAX];
	char file[NAME_MAX + 1];

	if (conf_find_profile(name, path, error))
		return -1;
	snprintf(file, sizeof(file), "%s" DROPINS_SUFFIX, name);
	if (join(drop_ins, conf_policy_dir(), "/", file, error))
		return -1;
	return load_one(list, path, drop_ins, error);
}

int conf_load(struct conf_list *list, const char *what, char *error)
{
	struct stat st;

	memset(list, 0, sizeof(*list));
	if (!what)
		return load_directory(list, conf_policy_dir(), error);
	if (!strchr(what, '/') && !has_suffix(what))
		return load_profile(list, what, error);
	if (strlen(what) >= CONF_PATH_MAX)
		return load_fail(error, "the path is too long");
	if (!stat(what, &st) && S_ISDIR(st.st_mode))
		return load_directory(list, what, error);
	return load_file(list, what, error);
}

void conf_list_free(struct conf_list *list)
{
	free(list->conf);
	memset(list, 0, sizeof(*list));
}
