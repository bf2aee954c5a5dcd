/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The host in the text format of Prometheus: base units, one family after the
 * other. A counter that a port lacks is absent, never 0.
 */
#ifndef RG_METRICS_H
#define RG_METRICS_H

#include <stdio.h>

#include "model.h"

struct rgnl;

/* What it is served as. */
#define METRICS_TYPE	"text/plain; version=0.0.4; charset=utf-8"

/**
 * struct metrics - what is told
 * @up: the module is there; all the rest is empty without it
 */
struct metrics {
	bool up;
	struct model_host host;
	struct model_ports ports;
	struct model_counters_list counters;
};

/**
 * metrics_read() - ask the module
 * @nl: the socket; opened if it is NULL, closed and NULL when the module is gone
 * @metrics: to be freed whatever is returned
 *
 * Return: 0, without the module as well; a negative errno, of which rgnl_words()
 * tells more if @nl is not NULL.
 */
int metrics_read(struct rgnl **nl, struct metrics *metrics);
void metrics_free(struct metrics *metrics);

/**
 * metrics_write() - as text
 * @f: where to; ferror() tells whether it got there
 * @metrics: what to tell
 */
void metrics_write(FILE *f, const struct metrics *metrics);

#endif /* RG_METRICS_H */
