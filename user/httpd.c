// SPDX-License-Identifier: GPL-2.0
/* One page over HTTP, by libmicrohttpd; the socket is ours, for its errors. */
#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <microhttpd.h>

#include "httpd.h"

/* So many scrape at a time, and whoever says nothing for so long is cut off. */
#define CONNECTIONS	16U
#define SILENCE_SECONDS	10U

/* A port has five digits. */
#define PORT_MAX	65535

static bool parse_port(const char *s, in_port_t *port)
{
	char *end;
	long n;

	if (*s < '0' || *s > '9')
		return false;
	errno = 0;
	n = strtol(s, &end, 10);
	if (*end || errno || n < 1 || n > PORT_MAX)
		return false;
	*port = htons((in_port_t)n);
	return true;
}

static bool parse_ipv6(const char *host, const char *port,
		       struct httpd_address *address)
{
	struct sockaddr_in6 *to = (struct sockaddr_in6 *)&address->to;

	to->sin6_family = AF_INET6;
	address->len = sizeof(*to);
	return inet_pton(AF_INET6, host, &to->sin6_addr) == 1 &&
	       parse_port(port, &to->sin6_port);
}

static bool parse_ipv4(const char *host, const char *port,
		       struct httpd_address *address)
{
	struct sockaddr_in *to = (struct sockaddr_in *)&address->to;

	to->sin_family = AF_INET;
	address->len = sizeof(*to);
	return inet_pton(AF_INET, host, &to->sin_addr) == 1 &&
	       parse_port(port, &to->sin_port);
}

bool httpd_parse(const char *s, struct httpd_address *address)
{
	char host[INET6_ADDRSTRLEN + 2];
	const char *colon = strrchr(s, ':');
	size_t n;

	memset(address, 0, sizeof(*address));
	if (!colon || (size_t)(colon - s) >= sizeof(host))
		return false;
	n = (size_t)(colon - s);
	memcpy(host, s, n);
	host[n] = '\0';
	if (host[0] != '[')
		return parse_ipv4(host, colon + 1, address);
	if (host[n - 1] != ']')
		return false;
	host[n - 1] = '\0';
	return parse_ipv6(host + 1, colon + 1, address);
}

static volatile sig_atomic_t stopped;

static void on_signal(int number __attribute__((unused)))
{
	stopped = 1;
}

/* Heard only while waiting: @open is the mask for that. */
static void catch_signals(sigset_t *open)
{
	static const int numbers[] = { SIGINT, SIGTERM };
	struct sigaction action = { .sa_handler = on_signal };
	sigset_t block;
	size_t i;

	sigemptyset(&block);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		sigaddset(&block, numbers[i]);
	sigprocmask(SIG_BLOCK, &block, open);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		sigdelset(open, numbers[i]);
		sigaction(numbers[i], &action, NULL);
	}
}

static int listen_on(const struct httpd_address *address)
{
	int fd, err, on = 1;

	fd = socket(address->to.ss_family,
		    SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	if (!setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) &&
	    !bind(fd, (const struct sockaddr *)&address->to, address->len) &&
	    !listen(fd, (int)CONNECTIONS))
		return fd;
	err = -errno;
	close(fd);
	return err;
}

static enum MHD_Result answer(struct MHD_Connection *connection,
			      unsigned int status, const char *type,
			      const char *text)
{
	struct MHD_Response *response;
	enum MHD_Result result;

	response = MHD_create_response_from_buffer(strlen(text), (void *)text,
						   MHD_RESPMEM_MUST_COPY);
	if (!response)
		return MHD_NO;
	MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
	if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
		MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW,
					"GET, HEAD");
	result = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return result;
}

static enum MHD_Result answer_page(struct MHD_Connection *connection,
				   const struct httpd_page *page)
{
	struct MHD_Response *response;
	enum MHD_Result result;
	const char *why = "";
	size_t len;
	char *text;

	text = page->make(&len, &why, page->arg);
	if (!text)
		return answer(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
			      "text/plain; charset=utf-8", why);
	response = MHD_create_response_from_buffer(len, text,
						   MHD_RESPMEM_MUST_FREE);
	if (!response) {
		free(text);
		return MHD_NO;
	}
	MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE,
				page->type);
	result = MHD_queue_response(connection, MHD_HTTP_OK, response);
	MHD_destroy_response(response);
	return result;
}

static enum MHD_Result on_request(void *arg, struct MHD_Connection *connection,
				  const char *url, const char *method,
				  const char *version __attribute__((unused)),
				  const char *data __attribute__((unused)),
				  size_t *len, void **state)
{
	const struct httpd_page *page = arg;
	char hint[64];

	/* Answered before all has been read, a connection is of no more use. */
	if (!*state || *len) {
		*state = arg;
		*len = 0;
		return MHD_YES;
	}
	if (strcmp(method, MHD_HTTP_METHOD_GET) &&
	    strcmp(method, MHD_HTTP_METHOD_HEAD))
		return answer(connection, MHD_HTTP_METHOD_NOT_ALLOWED,
			      "text/plain; charset=utf-8",
			      "use GET or HEAD\n");
	if (!strcmp(url, page->path))
		return answer_page(connection, page);
	snprintf(hint, sizeof(hint), "what there is, is at %s\n", page->path);
	return answer(connection, MHD_HTTP_NOT_FOUND,
		      "text/plain; charset=utf-8", hint);
}

static void run(struct MHD_Daemon *daemon, const sigset_t *open)
{
	const union MHD_DaemonInfo *info;
	struct timespec left;
	MHD_UNSIGNED_LONG_LONG ms;
	struct pollfd p = { .events = POLLIN };
	bool bounded;

	info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
	p.fd = info->epoll_fd;
	while (!stopped) {
		bounded = MHD_get_timeout(daemon, &ms) == MHD_YES;
		left.tv_sec = bounded ? (time_t)(ms / 1000) : 0;
		left.tv_nsec = bounded ? (long)(ms % 1000) * 1000000 : 0;
		if (ppoll(&p, 1, bounded ? &left : NULL, open) < 0 &&
		    errno != EINTR)
			break;
		MHD_run(daemon);
	}
}

int httpd_serve(const struct httpd_address *address,
		const struct httpd_page *page)
{
	struct MHD_Daemon *daemon;
	sigset_t open;
	int fd = listen_on(address);

	if (fd < 0)
		return fd;
	catch_signals(&open);
	daemon = MHD_start_daemon(MHD_USE_EPOLL, 0, NULL, NULL, on_request,
				  (void *)page, MHD_OPTION_LISTEN_SOCKET, fd,
				  MHD_OPTION_CONNECTION_LIMIT, CONNECTIONS,
				  MHD_OPTION_CONNECTION_TIMEOUT,
				  SILENCE_SECONDS, MHD_OPTION_END);
	if (!daemon) {
		close(fd);
		return -ENOMEM;
	}
	run(daemon, &open);
	MHD_stop_daemon(daemon);
	return 0;
}
