// SPDX-License-Identifier: GPL-2.0
/* From what the user called the target to an address that can be reached. */

#include <netdb.h>
#include <string.h>
#include "cmd/cmd.h"
#include "connect.h"

static int look_up(struct conn_args *args, struct conn_error *error)
{
	struct addrinfo hints = {
		.ai_family = args->source.ss_family,
		.ai_socktype = SOCK_STREAM,
		.ai_flags = AI_ADDRCONFIG,
	};
	struct addrinfo *found;
	int err;

	if (!conn_address_parse(args->traddr, &args->peer))
		return 0;
	err = getaddrinfo(args->traddr, NULL, &hints, &found);
	if (err)
		return conn_fail(error, RG_EXIT_KERNEL,
				 "--traddr %s: no address found for this name: %s",
				 args->traddr, gai_strerror(err));
	memcpy(&args->peer, found->ai_addr, found->ai_addrlen);
	freeaddrinfo(found);
	return 0;
}

static bool is_unicast(const struct sockaddr_storage *ss)
{
	const struct sockaddr_in6 *sin6 = (const struct sockaddr_in6 *)ss;
	const struct sockaddr_in *sin = (const struct sockaddr_in *)ss;
	in_addr_t v4 = ntohl(sin->sin_addr.s_addr);

	if (ss->ss_family == AF_INET)
		return v4 != INADDR_ANY && v4 < 0xe0000000;
	return !IN6_IS_ADDR_UNSPECIFIED(&sin6->sin6_addr) &&
	       !IN6_IS_ADDR_MULTICAST(&sin6->sin6_addr) &&
	       !IN6_IS_ADDR_V4MAPPED(&sin6->sin6_addr);
}

static int need_scope(struct conn_args *args, struct conn_error *error)
{
	struct sockaddr_in6 *sin6 = (struct sockaddr_in6 *)&args->peer;

	if (sin6->sin6_family != AF_INET6 || sin6->sin6_scope_id ||
	    !IN6_IS_ADDR_LINKLOCAL(&sin6->sin6_addr))
		return 0;
	sin6->sin6_scope_id = if_nametoindex(args->host_iface);
	if (sin6->sin6_scope_id)
		return 0;
	return usage_fail(error,
			  "--traddr %s: link-local, so it needs its interface: %s%%IFACE",
			  args->traddr, args->traddr);
}

/**
 * conn_args_resolve() - make an address of what the user called the target
 * @args: checked arguments; @address and @peer are filled in
 * @error: why not
 *
 * Return: 0 or a negative errno.
 */
int conn_args_resolve(struct conn_args *args, struct conn_error *error)
{
	int err = look_up(args, error);

	if (err)
		return err;
	if (!is_unicast(&args->peer))
		return usage_fail(error,
				  "--traddr %s: not the address of one host",
				  args->traddr);
	if (args->source.ss_family != AF_UNSPEC &&
	    args->source.ss_family != args->peer.ss_family)
		return usage_fail(error,
				  "--host-traddr %s and --traddr %s are of different address families",
				  args->host_traddr, args->traddr);
	err = need_scope(args, error);
	if (!err)
		conn_address_print(&args->peer, args->address);
	return err;
}
