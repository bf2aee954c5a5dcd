// SPDX-License-Identifier: GPL-2.0
/* export: the host for Prometheus, over HTTP or as a file for node_exporter */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "args.h"
#include "cmd.h"
#include "httpd.h"
#include "metrics.h"
#include "nl.h"
#include "print.h"
#include "usage.h"

/* Only this host, unless said. */
#define LISTEN		"127.0.0.1:9791"

/* node_exporter is another user. */
#define TEXTFILE_MODE	0644

/**
 * struct export - the exporter
 * @nl: the socket, NULL while the module is not there
 * @told: the last errno that was told
 * @why: the words for whoever asked
 */
struct export {
	struct rgnl *nl;
	int told;
	char why[256];
};

/* As text, to be freed; NULL when there is no memory. */
static char *to_text(const struct metrics *metrics, size_t *len)
{
	char *text = NULL;
	FILE *f = open_memstream(&text, len);
	bool failed;

	if (!f)
		return NULL;
	metrics_write(f, metrics);
	failed = ferror(f);
	if (!fclose(f) && !failed)
		return text;
	free(text);
	return NULL;
}

/* Each reason is told once, not with every scrape. */
static void complain(struct export *e, int err)
{
	const char *words = e->nl ? rgnl_words(e->nl) : strerror(-err);

	snprintf(e->why, sizeof(e->why), "netlink: %s\n", words);
	if (err != e->told)
		rg_error("export: %s", words);
	e->told = err;
}

static char *make_page(size_t *len, const char **why, void *arg)
{
	struct metrics metrics;
	struct export *e = arg;
	char *text = NULL;
	int err = metrics_read(&e->nl, &metrics);

	if (!err) {
		text = to_text(&metrics, len);
		err = text ? 0 : -ENOMEM;
	}
	metrics_free(&metrics);
	if (err)
		complain(e, err);
	else
		e->told = 0;
	*why = e->why;
	return text;
}

static int export_listen(const char *where)
{
	struct export e = { };
	const struct httpd_page page = {
		.path = "/metrics",
		.type = METRICS_TYPE,
		.make = make_page,
		.arg = &e,
	};
	struct httpd_address address;
	int err;

	if (!httpd_parse(where, &address)) {
		rg_error("--listen %s: use an address and a port, as 127.0.0.1:9791 or [::1]:9791",
			 where);
		return RG_EXIT_USAGE;
	}
	err = httpd_serve(&address, &page);
	if (err)
		rg_error("export: cannot listen on %s: %s", where,
			 strerror(-err));
	rgnl_close(e.nl);
	return err ? RG_EXIT_KERNEL : RG_EXIT_OK;
}

/* A device or a folder there is not to be replaced. */
static bool is_replaceable(const char *path)
{
	struct stat st;

	return lstat(path, &st) || S_ISREG(st.st_mode) || S_ISLNK(st.st_mode);
}

/* All of it or nothing: readers see the old file or the new one. */
static int replace_file(const char *path, const char *text, size_t len)
{
	char *temporary;
	int fd, err = 0;
	ssize_t done;

	if (!is_replaceable(path))
		return -EEXIST;
	if (asprintf(&temporary, "%s.XXXXXX", path) < 0)
		return -ENOMEM;
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0) {
		err = -errno;
		free(temporary);
		return err;
	}
	done = write(fd, text, len);
	if (done < 0 || fchmod(fd, TEXTFILE_MODE))
		err = -errno;
	else if ((size_t)done < len)
		err = -ENOSPC;
	if (close(fd) && !err)
		err = -errno;
	if (!err && rename(temporary, path))
		err = -errno;
	if (err)
		unlink(temporary);
	free(temporary);
	return err;
}

static int write_textfile(const char *path, const struct metrics *metrics)
{
	size_t len = 0;
	char *text;
	int err;

	if (!strcmp(path, "-")) {
		metrics_write(stdout, metrics);
		return RG_EXIT_OK;
	}
	text = to_text(metrics, &len);
	err = text ? replace_file(path, text, len) : -ENOMEM;
	free(text);
	if (!err)
		return RG_EXIT_OK;
	rg_error("--textfile %s: %s", path, err == -EEXIST ?
		 "what is there is no file" : strerror(-err));
	return RG_EXIT_KERNEL;
}

/* Without the module there is something to say, too: that it is not there. */
static int export_textfile(struct rg_ctx *ctx, const char *path)
{
	struct metrics metrics;
	int err = metrics_read(&ctx->nl, &metrics), status;

	if (err)
		status = rgnl_complain(ctx->nl, "export", err);
	else
		status = write_textfile(path, &metrics);
	metrics_free(&metrics);
	if (status || metrics.up)
		return status;
	return rgnl_complain(NULL, "export", -ENOENT);
}

int cmd_export(struct rg_ctx *ctx, int argc, char **argv)
{
	const char *where = NULL, *path = NULL;
	const struct arg_option options[] = {
		{ "--listen", NULL, &where },
		{ "--textfile", NULL, &path },
		{ }
	};
	int status;

	argc--;
	argv++;
	if (argc && cmd_is_help(argv[0])) {
		printf("Usage:\n%s", cmd_export_usage);
		return RG_EXIT_OK;
	}
	status = args_parse(&argc, argv, options, 0, cmd_export_usage);
	if (status)
		return status;
	if (ctx->json) {
		rg_error("export: it has no JSON; what it prints is for Prometheus");
		return RG_EXIT_USAGE;
	}
	if (where && path) {
		rg_error("export: --listen or --textfile, not both");
		return RG_EXIT_USAGE;
	}
	return path ? export_textfile(ctx, path) :
		      export_listen(where ? where : LISTEN);
}
