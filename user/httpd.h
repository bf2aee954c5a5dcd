/* SPDX-License-Identifier: GPL-2.0 */
/* One page over HTTP, for whoever may connect to where it listens. */
#ifndef RG_HTTPD_H
#define RG_HTTPD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

/* Where to listen. */
struct httpd_address {
	struct sockaddr_storage to;
	socklen_t len;
};

/**
 * httpd_parse() - "127.0.0.1:9791", "[::1]:9791"
 * @s: as typed; numbers only
 * @address: set
 *
 * Return: is it an address with a port?
 */
bool httpd_parse(const char *s, struct httpd_address *address);

/**
 * struct httpd_page - what is served
 * @path: "/metrics"
 * @type: of the text
 * @make: makes the text, to be freed, and its length; NULL if that failed, with
 *	@why in words
 * @arg: for @make
 */
struct httpd_page {
	const char *path;
	const char *type;
	char *(*make)(size_t *len, const char **why, void *arg);
	void *arg;
};

/**
 * httpd_serve() - until SIGINT or SIGTERM
 * @address: where
 * @page: what
 *
 * One request after the other: none is answered while another page is made.
 *
 * Return: 0, or a negative errno: listening was not possible.
 */
int httpd_serve(const struct httpd_address *address,
		const struct httpd_page *page);

#endif /* RG_HTTPD_H */
