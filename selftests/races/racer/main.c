// SPDX-License-Identifier: GPL-2.0
/* The race: starts the racers, counts their turns, and minds that all end. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "racer.h"

#define RACERS_MAX	16
#define PATIENCE	120	/* seconds; what takes longer than that hangs */
#define AT_LEAST_ONCE	60	/* more seconds for what was not done in time */
#define CHEAP_US	5000

/* Shared with the racers. */
struct score {
	unsigned long done;
	unsigned long refused;
	int first_errno;
	bool ended;
};

static const struct action *const tables[] = {
	link_actions, rdma_actions, family_actions, file_actions,
};

static struct score *scores;

static time_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec;
}

static void usage(void)
{
	const struct action *action;
	size_t i;

	puts("usage: race SECONDS ACTION[:ARG...]...");
	for (i = 0; i < ARRAY_SIZE(tables); i++)
		for (action = tables[i]; action->name; action++)
			printf("  %s%s\n", action->name, action->usage);
	exit(1);
}

static const struct action *action_named(const char *name)
{
	const struct action *action;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(tables); i++)
		for (action = tables[i]; action->name; action++)
			if (!strcmp(action->name, name))
				return action;
	die("there is no action '%s'", name);
}

static const struct action *parse(char *word, struct racer *racer)
{
	char *name = strsep(&word, ":");
	size_t i;

	for (i = 0; i < ARGS_MAX; i++)
		racer->arg[i] = word ? strsep(&word, ":") : "";
	return action_named(name);
}

static void race(const struct action *action, struct racer *racer,
		 struct score *score, time_t end)
{
	int err = action->begin ? action->begin(racer) : 0;

	if (err)
		die("%s cannot begin: %s", action->name, strerror(-err));
	while (now() < end || (!score->done && now() < end + AT_LEAST_ONCE)) {
		err = action->turn(racer);
		racer->turns++;
		if (err) {
			score->refused++;
			score->first_errno = score->first_errno ? score->first_errno : -err;
		} else {
			score->done++;
		}
		if (action->cheap)
			pause_us(CHEAP_US);
	}
	if (action->end)
		action->end(racer);
	score->ended = true;
}

static pid_t start(char *word, struct score *score, time_t end)
{
	struct racer racer = {};
	const struct action *action;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid < 0)
		die("fork: %s", strerror(errno));
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	action = parse(word, &racer);
	race(action, &racer, score, end);
	fflush(stdout);
	_exit(0);
}

/* How many are still under way; ended ones are taken leave of. */
static int under_way(int n)
{
	int status;

	while (n && waitpid(-1, &status, WNOHANG) > 0)
		n--;
	return n;
}

static bool tell(const char *word, const struct score *score)
{
	printf("%s: %lu done, %lu refused", word, score->done, score->refused);
	if (score->refused)
		printf(" (%s)", strerror(score->first_errno));
	if (!score->ended)
		fputs(", did not end", stdout);
	putchar('\n');
	return score->ended && score->done;
}

int main(int argc, char **argv)
{
	char *words[RACERS_MAX];
	int i, n = argc - 2, left;
	bool well = true;
	time_t end;

	if (n < 1 || n > RACERS_MAX)
		usage();
	end = now() + (time_t)number(argv[1], 0);
	scores = mmap(NULL, sizeof(*scores) * RACERS_MAX, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (scores == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	for (i = 0; i < n; i++) {
		words[i] = strdup(argv[i + 2]);
		start(argv[i + 2], &scores[i], end);
	}
	for (left = n; left && now() < end + PATIENCE; left = under_way(left))
		pause_us(20000);
	for (i = 0; i < n; i++)
		well &= tell(words[i], &scores[i]);
	return !well;
}
