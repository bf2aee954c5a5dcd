/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Output. Data goes to stdout through one path for people and machines: each
 * out_*() call names the JSON key and, for text, a printf format; a NULL
 * format is JSON only. A NULL key is text only while an object is open; in an
 * array there are no keys. Messages go to stderr.
 *
 * Strings from the kernel, from files and from the command line are cleaned
 * on the way: control bytes and what is no UTF-8 come out as \xNN.
 */
#ifndef RG_PRINT_H
#define RG_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rg_ctx;

/* Open and close the outermost thing: an array or an object. */
void out_begin_array(const struct rg_ctx *ctx);
void out_begin_object(const struct rg_ctx *ctx);
void out_end(void);

/* Nested ones; @key is NULL inside an array. */
void out_open_object(const char *key);
void out_open_array(const char *key);
void out_close(void);

void out_str(const char *key, const char *fmt, const char *value);
void out_uint(const char *key, const char *fmt, uint64_t value);
void out_int(const char *key, const char *fmt, int64_t value);
/* JSON has three digits after the point. */
void out_num(const char *key, const char *fmt, double value);
void out_bool(const char *key, const char *fmt, bool value);

/* Text only, nothing when JSON is on. */
void out_text(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/**
 * out_json() - is JSON on
 */
bool out_json(void);

/* In front of all of them, for what reads stderr; "" unless set. */
extern const char *rg_error_prefix;

/**
 * rg_error() - one message on stderr, "roceguard: " in front
 * @fmt: without newline
 *
 * The whole line is cleaned.
 */
void rg_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/**
 * rg_clean() - make a string fit for a terminal
 * @buf: where to put it
 * @size: of @buf; what does not fit ends in "..."
 * @s: the string
 *
 * Return: @buf.
 */
const char *rg_clean(char *buf, size_t size, const char *s);

/**
 * rg_utf8_length() - how many bytes of well-formed UTF-8 begin here
 * @s: NUL-terminated
 *
 * Return: 0 if none: control bytes, surrogates and over-long forms are none.
 */
size_t rg_utf8_length(const unsigned char *s);

#endif /* RG_PRINT_H */
