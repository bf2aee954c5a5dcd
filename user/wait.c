// SPDX-License-Identifier: GPL-2.0
/* Waiting for ports. */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "print.h"
#include "wait.h"
#include "words.h"

/* A pass takes milliseconds; a slow driver is not asked more often. */
#define POLL_MS_FIRST	5
#define POLL_MS_MOST	200

/* Less than this is not worth a word. */
#define SILENT_MS	1000

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

bool wait_reached(uint32_t have, uint32_t wanted)
{
	return (int32_t)(have - wanted) >= 0;
}

static const struct model_port *first_busy(const struct model_ports *ports,
					   wait_fn busy, void *arg, size_t *n)
{
	const struct model_port *first = NULL;
	size_t i;

	*n = 0;
	for (i = 0; i < ports->n; i++) {
		if (!busy(&ports->port[i], arg))
			continue;
		if (!first)
			first = &ports->port[i];
		(*n)++;
	}
	return first;
}

static void show_progress(const struct model_port *port, size_t n, long ms)
{
	char clean[64];

	fprintf(stderr, "\r\033[Kwaiting for %s (%s)",
		rg_clean(clean, sizeof(clean), port->ifname),
		rg_word(&rg_words_state, port->state));
	if (n > 1)
		fprintf(stderr, " and %zu more", n - 1);
	fprintf(stderr, ", %ld s", ms / 1000);
	fflush(stderr);
}

int wait_ports(struct rgnl *nl, struct model_ports *ports, wait_fn busy,
	       void *arg, long seconds)
{
	bool terminal = isatty(STDERR_FILENO), shown = false;
	long start = now_ms(), ms, pause = POLL_MS_FIRST;
	const struct model_port *port;
	size_t n;
	int err;

	for (;;) {
		err = model_ports(nl, ports);
		if (err)
			break;
		port = first_busy(ports, busy, arg, &n);
		ms = now_ms() - start;
		if (!port || ms >= seconds * 1000)
			break;
		if (terminal && ms > SILENT_MS) {
			show_progress(port, n, ms);
			shown = true;
		}
		usleep((useconds_t)pause * 1000);
		pause = pause * 2 < POLL_MS_MOST ? pause * 2 : POLL_MS_MOST;
	}
	if (shown)
		fputs("\r\033[K", stderr);
	return err;
}
