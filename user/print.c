// SPDX-License-Identifier: GPL-2.0
/* Text and JSON by one path, and messages. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "cmd/cmd.h"
#include "print.h"

/* Deeper than any object of ours; a bug shows at once. */
#define OUT_DEPTH	8

static struct {
	bool json;
	bool pretty;
	int depth;
	struct json_object *stack[OUT_DEPTH];
} out;

/* What printf is given instead of memory that it could not have. */
static void out_of_memory(void)
{
	fputs("roceguard: out of memory\n", stderr);
	exit(RG_EXIT_KERNEL);
}

static struct json_object *out_checked(struct json_object *o)
{
	if (!o)
		out_of_memory();
	return o;
}

static void out_add(const char *key, struct json_object *o)
{
	struct json_object *top = out.stack[out.depth - 1];
	int err;

	if (json_object_is_type(top, json_type_array))
		err = json_object_array_add(top, o);
	else
		err = json_object_object_add(top, key, o);
	if (err)
		out_of_memory();
}

static void out_begin(const struct rg_ctx *ctx, bool array)
{
	out.json = ctx->json;
	out.pretty = ctx->pretty;
	out.depth = 0;
	if (!out.json)
		return;
	out.stack[0] = out_checked(array ? json_object_new_array() :
				   json_object_new_object());
	out.depth = 1;
}

void out_begin_array(const struct rg_ctx *ctx)
{
	out_begin(ctx, true);
}

void out_begin_object(const struct rg_ctx *ctx)
{
	out_begin(ctx, false);
}

void out_end(void)
{
	int flags = JSON_C_TO_STRING_NOSLASHESCAPE;

	if (out.json) {
		flags |= out.pretty ? JSON_C_TO_STRING_PRETTY |
				      JSON_C_TO_STRING_SPACED :
				      JSON_C_TO_STRING_PLAIN;
		puts(json_object_to_json_string_ext(out.stack[0], flags));
		json_object_put(out.stack[0]);
		out.depth = 0;
		out.json = false;
	}
	fflush(stdout);
}

static void out_open(const char *key, struct json_object *o)
{
	out_checked(o);
	if (out.depth == OUT_DEPTH)
		abort();
	out_add(key, o);
	out.stack[out.depth++] = o;
}

void out_open_object(const char *key)
{
	if (out.json)
		out_open(key, json_object_new_object());
}

void out_open_array(const char *key)
{
	if (out.json)
		out_open(key, json_object_new_array());
}

void out_close(void)
{
	if (out.json)
		out.depth--;
}

bool out_json(void)
{
	return out.json;
}

/* In an array there are no keys, and every value belongs to it. */
static bool out_wants(const char *key)
{
	return key || json_object_is_type(out.stack[out.depth - 1],
					  json_type_array);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

void out_str(const char *key, const char *fmt, const char *value)
{
	char clean[1024];

	if (!out.json) {
		if (fmt)
			printf(fmt, rg_clean(clean, sizeof(clean), value));
		return;
	}
	if (out_wants(key))
		out_add(key, out_checked(json_object_new_string(
				rg_clean(clean, sizeof(clean), value))));
}

void out_uint(const char *key, const char *fmt, uint64_t value)
{
	if (!out.json) {
		if (fmt)
			printf(fmt, (unsigned long long)value);
		return;
	}
	if (out_wants(key))
		out_add(key, out_checked(json_object_new_uint64(value)));
}

void out_int(const char *key, const char *fmt, int64_t value)
{
	if (!out.json) {
		if (fmt)
			printf(fmt, (long long)value);
		return;
	}
	if (out_wants(key))
		out_add(key, out_checked(json_object_new_int64(value)));
}

void out_num(const char *key, const char *fmt, double value)
{
	char text[64];

	if (!out.json) {
		if (fmt)
			printf(fmt, value);
		return;
	}
	if (!out_wants(key))
		return;
	snprintf(text, sizeof(text), "%.3f", value);
	out_add(key, out_checked(json_object_new_double_s(value, text)));
}

void out_bool(const char *key, const char *fmt, bool value)
{
	if (!out.json) {
		if (fmt)
			printf(fmt, value ? "yes" : "no");
		return;
	}
	if (out_wants(key))
		out_add(key, out_checked(json_object_new_boolean(value)));
}

#pragma GCC diagnostic pop

void out_text(const char *fmt, ...)
{
	va_list args;

	if (out.json)
		return;
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
}

const char *rg_error_prefix = "";

void rg_error(const char *fmt, ...)
{
	char line[2048], clean[4096];
	va_list args;

	va_start(args, fmt);
	vsnprintf(line, sizeof(line), fmt, args);
	va_end(args);
	fflush(stdout);
	fprintf(stderr, "%sroceguard: %s\n", rg_error_prefix,
		rg_clean(clean, sizeof(clean), line));
}

size_t rg_utf8_length(const unsigned char *s)
{
	static const struct {
		unsigned char lead_min, lead_max;
		unsigned char second_min, second_max;
		size_t n;
	} form[] = {
		{ 0xc2, 0xc2, 0xa0, 0xbf, 2 },
		{ 0xc3, 0xdf, 0x80, 0xbf, 2 },
		{ 0xe0, 0xe0, 0xa0, 0xbf, 3 },
		{ 0xe1, 0xec, 0x80, 0xbf, 3 },
		{ 0xed, 0xed, 0x80, 0x9f, 3 },
		{ 0xee, 0xef, 0x80, 0xbf, 3 },
		{ 0xf0, 0xf0, 0x90, 0xbf, 4 },
		{ 0xf1, 0xf3, 0x80, 0xbf, 4 },
		{ 0xf4, 0xf4, 0x80, 0x8f, 4 },
	};
	size_t i, k;

	if (s[0] < 0x80)
		return s[0] >= 0x20 && s[0] != 0x7f;
	for (i = 0; i < sizeof(form) / sizeof(form[0]); i++) {
		if (s[0] < form[i].lead_min || s[0] > form[i].lead_max)
			continue;
		if (s[1] < form[i].second_min || s[1] > form[i].second_max)
			return 0;
		for (k = 2; k < form[i].n; k++)
			if ((s[k] & 0xc0) != 0x80)
				return 0;
		return form[i].n;
	}
	return 0;
}

const char *rg_clean(char *buf, size_t size, const char *s)
{
	const unsigned char *in = (const unsigned char *)s;
	size_t at = 0, n;

	while (*in) {
		n = rg_utf8_length(in);
		/* Room for one "\xNN", a closing "..." and the NUL. */
		if (at + 8 > size) {
			snprintf(buf + at, size - at, "...");
			return buf;
		}
		if (n) {
			memcpy(buf + at, in, n);
			at += n;
			in += n;
		} else {
			at += (size_t)snprintf(buf + at, size - at, "\\x%02x",
					       *in++);
		}
	}
	buf[at] = '\0';
	return buf;
}
