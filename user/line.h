/* SPDX-License-Identifier: GPL-2.0 */
/* An entry of the history as one line, for history and monitor. */
#ifndef RG_LINE_H
#define RG_LINE_H

#include "model.h"

/* Lines of entries are longer: they are logs and go through pipes. */
#define LINE_MAX_ENTRY	1024

/**
 * line_time() - local time with milliseconds
 * @buf: where to put it
 * @size: of @buf
 * @format: of strftime()
 * @ns: since the epoch
 */
const char *line_time(char *buf, size_t size, const char *format, uint64_t ns);

/**
 * line_result() - what came of it: the verdict, or the action
 * @e: the entry
 */
const char *line_result(const struct model_entry *e);

/**
 * line_detail() - from, to, duration, who asked: what there is
 * @buf: where to put it
 * @size: of @buf
 * @e: the entry
 */
const char *line_detail(char *buf, size_t size, const struct model_entry *e);

/**
 * line_storm() - "pause storm on priority 3, received, ended after 2.3 s"
 * @buf: where to put it
 * @size: of @buf
 * @storm: that began or ended
 */
const char *line_storm(char *buf, size_t size, const struct model_storm *storm);

#endif /* RG_LINE_H */
