// SPDX-License-Identifier: GPL-2.0
/* Where a host comes in the rollout of a policy. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "rollout.h"

int rollout_machine_id(const char *path, char id[ROLLOUT_ID_LEN + 1])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;
	int i;

	if (fd < 0)
		return -errno;
	n = read(fd, id, ROLLOUT_ID_LEN);
	if (n < 0)
		n = -errno;
	close(fd);
	if (n < 0)
		return (int)n;
	id[n] = '\0';
	/* Before the first boot is over it may say "uninitialized". */
	for (i = 0; i < ROLLOUT_ID_LEN; i++)
		if (!isxdigit((unsigned char)id[i]))
			return -ENODATA;
	return 0;
}

/* FNV-1a */
static uint64_t hash_add(uint64_t hash, const char *s)
{
	/* The NUL as well, or what is hashed could be divided another way. */
	do {
		hash = (hash ^ (unsigned char)*s) * 0x100000001b3;
	} while (*s++);
	return hash;
}

unsigned int rollout_at(const char *id, const char *policy)
{
	uint64_t hash = hash_add(hash_add(0xcbf29ce484222325, policy), id);

	/* FNV's low bits are weak: those of the last byte do not reach the high ones. */
	hash ^= hash >> 33;
	hash *= 0xff51afd7ed558ccd;
	hash ^= hash >> 33;
	return hash % 100;
}
