// SPDX-License-Identifier: GPL-2.0
/*
 * What is kept over a restart, and not over a boot: which load of the module has
 * been given its policies, and how much of its history is in the journal.
 */
#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/agent.h"

#define FOLDER	"/run/roceguard"
#define MODULE	"/sys/module/roceguard"

/* sysfs never gives an inode number again. */
uint64_t agent_module_instance(void)
{
	struct stat st;

	return stat(MODULE, &st) ? 0 : (uint64_t)st.st_ino;
}

static const char *folder(void)
{
	const char *dir = getenv("RUNTIME_DIRECTORY");

	return dir && *dir ? dir : FOLDER;
}

void agent_state_read(struct agent *a)
{
	char path[PATH_MAX];
	FILE *f;

	a->instance = 0;
	a->journaled = 0;
	snprintf(path, sizeof(path), "%s/agent", folder());
	f = fopen(path, "re");
	if (!f)
		return;
	if (fscanf(f, "%" SCNu64 " %" SCNu64, &a->instance, &a->journaled) != 2)
		a->instance = 0;
	fclose(f);
}

static int write_new(const struct agent *a, const char *path)
{
	FILE *f = fopen(path, "we");
	int err;

	if (!f)
		return -errno;
	err = fprintf(f, "%" PRIu64 " %" PRIu64 "\n", a->instance,
		      a->journaled) < 0 ? -EIO : 0;
	if (fclose(f) && !err)
		err = -errno;
	return err;
}

void agent_state_write(const struct agent *a)
{
	static bool complained;
	char path[PATH_MAX], new[PATH_MAX];
	int err;

	if (mkdir(folder(), 0755) && errno != EEXIST)
		goto complain;
	snprintf(path, sizeof(path), "%s/agent", folder());
	snprintf(new, sizeof(new), "%s/agent.new", folder());
	err = write_new(a, new);
	if (!err && !rename(new, path))
		return;
	if (err)
		errno = -err;
complain:
	if (!complained)
		agent_say(AGENT_WARNING, "%s: %s; after a restart policies are loaded again",
			  folder(), strerror(errno));
	complained = true;
}

static bool has_any(const char *dir, const char *what)
{
	char pattern[PATH_MAX];
	glob_t found;
	bool any;

	if (snprintf(pattern, sizeof(pattern), "%s/%s", dir, what) >=
	    (int)sizeof(pattern))
		return false;
	any = !glob(pattern, GLOB_NOSORT, NULL, &found);
	if (any)
		globfree(&found);
	return any;
}

/* Drop-ins alone make a policy of a profile. */
bool agent_has_policies(const char *dir)
{
	return has_any(dir, "*.conf") || has_any(dir, "*.conf.d/*.conf");
}
