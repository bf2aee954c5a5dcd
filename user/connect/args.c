// SPDX-License-Identifier: GPL-2.0
/*
 * What the user asked for, checked before anything runs. Every string here
 * ends up in /dev/nvme-fabrics as "name=value,name=value,...", and nvme-cli
 * escapes nothing: a comma in a value would be an option of its own.
 */

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cmd/cmd.h"
#include "connect.h"

#define TIMEOUT_DEFAULT	60
#define TIMEOUT_MAX	3600

enum option_kind { FLAG, NUMBER, STRING };

/* Options that mean something to roceguard itself. */
enum option_own {
	OWN_NONE,
	OWN_TRANSPORT,
	OWN_NQN,
	OWN_TRADDR,
	OWN_TRSVCID,
	OWN_HOST_TRADDR,
	OWN_HOST_IFACE,
	OWN_TOS,
	OWN_VERBOSE,
	OWN_ANYWAY,
	OWN_DRY_RUN,
	OWN_TIMEOUT,
	OWN_HELP,
};

/**
 * struct option_def - one option
 * @name: long name
 * @letter: short name, 0 if none
 * @kind: what value it takes
 * @own: OWN_NONE: passed on to nvme
 * @min: of a number
 * @max: of a number
 * @secret: not to be shown
 * @path: a file of nvme-cli's: commas and "none" mean nothing special
 * @pass_as: its name at nvme, if not @name
 * @refuse: why it can't be had here
 */
struct option_def {
	const char *name;
	char letter;
	enum option_kind kind;
	enum option_own own;
	long min;
	long max;
	bool secret;
	bool path;
	const char *pass_as;
	const char *refuse;
};

#define OPTION(n, l, k, ...) \
	{ .name = (n), .letter = (l), .kind = (k), ##__VA_ARGS__ }
#define STRING_OPTION(n, l, ...) OPTION(n, l, STRING, ##__VA_ARGS__)
#define NUMBER_OPTION(n, l, ...) OPTION(n, l, NUMBER, ##__VA_ARGS__)
#define FLAG_OPTION(n, l, ...) OPTION(n, l, FLAG, ##__VA_ARGS__)

#define TCP_ONLY "is for the TCP transport only"
#define OWN_OUTPUT "is nvme's own output; for JSON: roceguard -j connect"

/* As `nvme connect` of nvme-cli 2.13; limits are those of the kernel. */
static const struct option_def options[] = {
	STRING_OPTION("transport", 't', .own = OWN_TRANSPORT),
	STRING_OPTION("nqn", 'n', .own = OWN_NQN),
	STRING_OPTION("traddr", 'a', .own = OWN_TRADDR),
	NUMBER_OPTION("trsvcid", 's', .own = OWN_TRSVCID,
		      .min = 1, .max = 65535),
	STRING_OPTION("host-traddr", 'w', .own = OWN_HOST_TRADDR),
	STRING_OPTION("host-iface", 'f', .own = OWN_HOST_IFACE),
	STRING_OPTION("hostnqn", 'q'),
	STRING_OPTION("hostid", 'I'),
	STRING_OPTION("dhchap-secret", 'S', .secret = true),
	STRING_OPTION("dhchap-ctrl-secret", 'C', .secret = true),
	NUMBER_OPTION("nr-io-queues", 'i', .min = 1, .max = 65535),
	NUMBER_OPTION("nr-write-queues", 'W', .min = 1, .max = 65535),
	NUMBER_OPTION("nr-poll-queues", 'P', .min = 1, .max = 65535),
	NUMBER_OPTION("queue-size", 'Q', .min = 16, .max = 1024),
	NUMBER_OPTION("keep-alive-tmo", 'k', .min = 0, .max = INT_MAX / 1000),
	NUMBER_OPTION("reconnect-delay", 'c', .min = 1, .max = INT_MAX / 1000),
	NUMBER_OPTION("ctrl-loss-tmo", 'l', .min = -1, .max = INT_MAX / 1000),
	NUMBER_OPTION("fast-io-fail-tmo", 'F', .min = -1, .max = INT_MAX / 1000,
		      .pass_as = "fast_io_fail_tmo"),
	NUMBER_OPTION("fast_io_fail_tmo", 0, .min = -1, .max = INT_MAX / 1000),
	NUMBER_OPTION("tos", 'T', .own = OWN_TOS, .min = 0, .max = 255),
	FLAG_OPTION("duplicate-connect", 'D'),
	FLAG_OPTION("disable-sqflow", 0),
	STRING_OPTION("config", 'J', .path = true),
	STRING_OPTION("context", 0),
	FLAG_OPTION("verbose", 'v', .own = OWN_VERBOSE),
	FLAG_OPTION("anyway", 0, .own = OWN_ANYWAY),
	FLAG_OPTION("dry-run", 0, .own = OWN_DRY_RUN),
	NUMBER_OPTION("timeout", 0, .own = OWN_TIMEOUT,
		      .min = 1, .max = TIMEOUT_MAX),
	FLAG_OPTION("help", 'h', .own = OWN_HELP),
	STRING_OPTION("keyring", 0, .refuse = TCP_ONLY),
	STRING_OPTION("tls-key", 0, .refuse = TCP_ONLY),
	STRING_OPTION("tls-key-identity", 0, .refuse = TCP_ONLY),
	STRING_OPTION("tls_key", 0, .refuse = TCP_ONLY),
	FLAG_OPTION("tls", 0, .refuse = TCP_ONLY),
	FLAG_OPTION("concat", 0, .refuse = TCP_ONLY),
	FLAG_OPTION("hdr-digest", 'g', .refuse = TCP_ONLY),
	FLAG_OPTION("data-digest", 'G', .refuse = TCP_ONLY),
	FLAG_OPTION("dump-config", 'O', .refuse = OWN_OUTPUT),
	STRING_OPTION("output-format", 'o', .refuse = OWN_OUTPUT),
};

/* getopt's value for a long option without a letter. */
#define NO_LETTER	256

/**
 * conn_fail() - say why a step could not be done
 * @error: filled in
 * @status: exit status of the program
 * @fmt: one line without full stop
 *
 * Return: -EINVAL, so that "return conn_fail(...)" reads well.
 */
int conn_fail(struct conn_error *error, int status, const char *fmt, ...)
{
	va_list list;

	error->status = status;
	va_start(list, fmt);
	vsnprintf(error->text, sizeof(error->text), fmt, list);
	va_end(list);
	return -EINVAL;
}

static int check_string(const struct option_def *def, const char *s,
			struct conn_error *error)
{
	const char *what = def->name;
	const unsigned char *p = (const unsigned char *)s;

	if (!*s)
		return usage_fail(error, "--%s is empty", what);
	if (strlen(s) > CONN_NQN_MAX)
		return usage_fail(error, "--%s has %zu bytes, at most %d fit",
				  what, strlen(s), CONN_NQN_MAX);
	/* libnvme takes this word for "not given" and drops the option. */
	if (!def->path && !strcmp(s, "none"))
		return usage_fail(error,
				  "--%s none: nvme-cli would leave it out; drop the option instead",
				  what);
	for (; *p; p++) {
		if (!def->path && *p == ',')
			return usage_fail(error,
					  "--%s has a comma at byte %td, which would start another option of /dev/nvme-fabrics",
					  what, (char *)p - s + 1);
		if (*p <= ' ' || *p == 0x7f)
			return usage_fail(error,
					  "--%s has a %s at byte %td", what,
					  *p == ' ' ? "blank" : "control byte",
					  (char *)p - s + 1);
	}
	return 0;
}

static int read_number(const struct option_def *def, const char *s, long *out,
		       struct conn_error *error)
{
	const char *digits = *s == '-' ? s + 1 : s;
	bool hex = !strncasecmp(digits, "0x", 2);
	char *end;

	errno = 0;
	*out = strtol(s, &end, hex ? 16 : 10);
	if (!isdigit((unsigned char)*digits) || *end)
		return usage_fail(error, "--%s %s: not a number", def->name, s);
	if (errno || *out < def->min || *out > def->max)
		return usage_fail(error, "--%s %s: must be %ld to %ld",
				  def->name, s, def->min, def->max);
	return 0;
}

/* 8-4-4-4-12 hex digits: all that the kernel takes for a host id. */
static bool is_uuid(const char *s)
{
	unsigned int i;

	for (i = 0; i < 36; i++) {
		bool dash = i == 8 || i == 13 || i == 18 || i == 23;

		if (dash ? s[i] != '-' : !isxdigit((unsigned char)s[i]))
			return false;
	}
	return !s[36];
}

static int pass_on(struct conn_args *args, const struct option_def *def,
		   const char *value, struct conn_error *error)
{
	const char *name = def->pass_as ? def->pass_as : def->name;
	struct conn_pass *pass = NULL;
	unsigned int i;

	/* The last one wins, as in nvme-cli. */
	for (i = 0; i < args->n_pass && !pass; i++)
		if (!strcmp(args->pass[i].name, name))
			pass = &args->pass[i];
	if (!pass && args->n_pass == CONN_PASS_MAX)
		return usage_fail(error, "too many options");
	if (!pass)
		pass = &args->pass[args->n_pass++];
	pass->name = name;
	pass->flag = def->kind == FLAG;
	pass->secret = def->secret;
	snprintf(pass->value, sizeof(pass->value), "%s", value ? value : "");
	return 0;
}

static int take_own(struct conn_args *args, const struct option_def *def,
		    const char *s, long number, struct conn_error *error)
{
	switch (def->own) {
	case OWN_TRANSPORT:
		if (!strcmp(s, "rdma"))
			return 0;
		return usage_fail(error,
				  "--transport %s: roceguard connects over rdma only; use nvme connect for others",
				  s);
	case OWN_NQN:
		snprintf(args->nqn, sizeof(args->nqn), "%s", s);
		return 0;
	case OWN_TRADDR:
		snprintf(args->traddr, sizeof(args->traddr), "%s", s);
		return 0;
	case OWN_TRSVCID:
		snprintf(args->trsvcid, sizeof(args->trsvcid), "%ld", number);
		return 0;
	case OWN_HOST_TRADDR:
		if (strlen(s) >= sizeof(args->host_traddr))
			return usage_fail(error,
					  "--host-traddr %s: not an IPv4 or IPv6 address",
					  s);
		strcpy(args->host_traddr, s);
		return 0;
	case OWN_HOST_IFACE:
		if (strlen(s) >= sizeof(args->host_iface) || !if_nametoindex(s))
			return usage_fail(error,
					  "--host-iface %s: no such interface",
					  s);
		strcpy(args->host_iface, s);
		return 0;
	case OWN_TOS:
		args->tos = number;
		return conn_tos_check(number, error);
	case OWN_VERBOSE:
		args->verbose = true;
		return 0;
	case OWN_ANYWAY:
		args->anyway = true;
		return 0;
	case OWN_DRY_RUN:
		args->dry_run = true;
		return 0;
	case OWN_TIMEOUT:
		args->timeout = number;
		return 0;
	case OWN_HELP:
		args->help = true;
		return 0;
	case OWN_NONE:
		break;
	}
	return pass_on(args, def, s, error);
}

static int take_option(struct conn_args *args, const struct option_def *def,
		       const char *s, struct conn_error *error)
{
	char text[24];
	long number = 0;
	int err = 0;

	if (def->refuse)
		return usage_fail(error, "--%s %s", def->name, def->refuse);
	if (def->kind == STRING)
		err = check_string(def, s, error);
	if (def->kind == NUMBER) {
		err = read_number(def, s, &number, error);
		snprintf(text, sizeof(text), "%ld", number);
		s = text;
	}
	if (err)
		return err;
	if (!strcmp(def->name, "hostid") && !is_uuid(s))
		return usage_fail(error,
				  "--hostid %s: not a UUID (8-4-4-4-12 hex digits)",
				  s);
	return take_own(args, def, s, number, error);
}

static void getopt_tables(struct option *longs, char *letters)
{
	unsigned int i;

	*letters++ = ':';
	for (i = 0; i < ARRAY_SIZE(options); i++) {
		const struct option_def *def = &options[i];

		longs[i] = (struct option){
			.name = def->name,
			.has_arg = def->kind == FLAG ? no_argument :
						       required_argument,
			.val = NO_LETTER + i,
		};
		if (!def->letter)
			continue;
		*letters++ = def->letter;
		if (def->kind != FLAG)
			*letters++ = ':';
	}
	*letters = '\0';
	memset(&longs[i], 0, sizeof(longs[i]));
}

static const struct option_def *find_option(int value)
{
	unsigned int i;

	if (value >= NO_LETTER)
		return &options[value - NO_LETTER];
	for (i = 0; i < ARRAY_SIZE(options); i++)
		if (options[i].letter == value)
			return &options[i];
	return NULL;
}

/* What getopt stopped at: optopt knows letters, argv the long names. */
static int complain(int c, char **argv, struct conn_error *error)
{
	const struct option_def *def = optopt ? find_option(optopt) : NULL;

	if (c == ':' && def)
		return usage_fail(error, "--%s needs a value", def->name);
	if (optopt && optopt < NO_LETTER)
		return usage_fail(error, "unknown option -%c", optopt);
	if (def)
		return usage_fail(error, "--%s takes no value", def->name);
	return usage_fail(error, "unknown option %s", argv[optind - 1]);
}

static int check_source(struct conn_args *args, struct conn_error *error)
{
	int err;

	if (!*args->host_traddr)
		return 0;
	err = conn_address_parse(args->host_traddr, &args->source);
	if (err == -ENODEV)
		return usage_fail(error,
				  "--host-traddr %s: no interface of that name",
				  args->host_traddr);
	if (err)
		return usage_fail(error,
				  "--host-traddr %s: not an IPv4 or IPv6 address",
				  args->host_traddr);
	return 0;
}

/* A literal that is none costs no name server, and is known at once. */
static int check_literal(const struct conn_args *args,
			 struct conn_error *error)
{
	struct sockaddr_storage ss;
	int err;

	if (!conn_address_looks_literal(args->traddr))
		return 0;
	err = conn_address_parse(args->traddr, &ss);
	if (err == -ENODEV)
		return usage_fail(error,
				  "--traddr %s: no interface of the name behind %%",
				  args->traddr);
	if (err)
		return usage_fail(error,
				  "--traddr %s: not an IPv4 or IPv6 address",
				  args->traddr);
	return 0;
}

static void set_defaults(struct conn_args *args)
{
	*args = (struct conn_args){
		.trsvcid = CONN_ROCE_PORT,
		.tos = -1,
		.timeout = TIMEOUT_DEFAULT,
	};
}

/**
 * conn_args_target() - as if only a target had been named, and nothing were to be
 * connected
 * @args: filled in and resolved
 * @address: of the target, as typed
 * @error: why not
 *
 * Return: 0 or a negative errno.
 */
int conn_args_target(struct conn_args *args, const char *address,
		     struct conn_error *error)
{
	int err;

	set_defaults(args);
	args->dry_run = true;
	snprintf(args->traddr, sizeof(args->traddr), "%s", address);
	err = check_literal(args, error);
	return err ? err : conn_args_resolve(args, error);
}

/**
 * conn_args_parse() - read and check the command line
 * @args: filled in
 * @argc: with the command's own name first
 * @argv: with the command's own name first
 * @error: why not
 *
 * Return: 0 or a negative errno.
 */
int conn_args_parse(struct conn_args *args, int argc, char **argv,
		    struct conn_error *error)
{
	struct option longs[ARRAY_SIZE(options) + 1];
	char letters[2 * ARRAY_SIZE(options) + 2];
	const struct option_def *def;
	int err = 0;
	int c;

	set_defaults(args);
	getopt_tables(longs, letters);
	optind = 0;
	opterr = 0;
	while (!err) {
		c = getopt_long(argc, argv, letters, longs, NULL);
		if (c == -1)
			break;
		def = find_option(c);
		err = def ? take_option(args, def, optarg, error) :
			    complain(c, argv, error);
	}
	if (err || args->help)
		return err;
	if (optind < argc)
		return usage_fail(error, "what is \"%s\"?", argv[optind]);
	if (!*args->traddr)
		return usage_fail(error,
				  "--traddr is missing: the target's address");
	if (!*args->nqn)
		return usage_fail(error,
				  "--nqn is missing: the subsystem's name");
	err = check_literal(args, error);
	return err ? err : check_source(args, error);
}
