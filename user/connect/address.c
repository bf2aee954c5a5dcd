// SPDX-License-Identifier: GPL-2.0
/* Addresses as text, in binary, and as the GIDs that RoCE makes of them. */

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "connect.h"

/* The part behind '%': an interface by name or by number. */
static unsigned int scope_index(const char *scope)
{
	unsigned int index = if_nametoindex(scope);
	char *end;

	if (index || !*scope)
		return index;
	index = strtoul(scope, &end, 10);
	return *end ? 0 : index;
}

static int parse_v6(const char *text, struct sockaddr_in6 *sin6)
{
	char copy[CONN_ADDRESS];
	char *scope;

	if (strlen(text) >= sizeof(copy))
		return -EINVAL;
	strcpy(copy, text);
	scope = strchr(copy, '%');
	if (scope)
		*scope++ = '\0';
	if (inet_pton(AF_INET6, copy, &sin6->sin6_addr) != 1)
		return -EINVAL;
	sin6->sin6_family = AF_INET6;
	if (!scope)
		return 0;
	if (!IN6_IS_ADDR_LINKLOCAL(&sin6->sin6_addr))
		return -EINVAL;
	sin6->sin6_scope_id = scope_index(scope);
	return sin6->sin6_scope_id ? 0 : -ENODEV;
}

/**
 * conn_address_parse() - read an IPv4 or IPv6 literal
 * @text: "192.0.2.1", "2001:db8::1", "fe80::1%eth0"
 * @out: the address, port 0
 *
 * Return: 0, -EINVAL if it is no literal, -ENODEV if its scope names no
 * interface.
 */
int conn_address_parse(const char *text, struct sockaddr_storage *out)
{
	struct sockaddr_in *sin = (struct sockaddr_in *)out;

	memset(out, 0, sizeof(*out));
	if (inet_pton(AF_INET, text, &sin->sin_addr) == 1) {
		sin->sin_family = AF_INET;
		return 0;
	}
	return parse_v6(text, (struct sockaddr_in6 *)out);
}

/**
 * conn_address_looks_literal() - is it meant as an address?
 * @text: what a user wrote
 *
 * Return: true for digits and dots, and for anything with a colon: no host name
 * looks like that, and asking a name server for it would only cost time.
 */
bool conn_address_looks_literal(const char *text)
{
	return strchr(text, ':') || strspn(text, "0123456789.") == strlen(text);
}

/**
 * conn_address_print() - an address as text
 * @in: the address
 * @out: the text, with the scope of a link-local one
 */
void conn_address_print(const struct sockaddr_storage *in,
			char out[CONN_ADDRESS])
{
	const struct sockaddr_in6 *sin6 = (const struct sockaddr_in6 *)in;
	const struct sockaddr_in *sin = (const struct sockaddr_in *)in;
	char name[IF_NAMESIZE];
	size_t len;

	out[0] = '\0';
	if (in->ss_family == AF_INET) {
		inet_ntop(AF_INET, &sin->sin_addr, out, CONN_ADDRESS);
		return;
	}
	if (in->ss_family != AF_INET6)
		return;
	inet_ntop(AF_INET6, &sin6->sin6_addr, out, CONN_ADDRESS);
	if (!IN6_IS_ADDR_LINKLOCAL(&sin6->sin6_addr) ||
	    !if_indextoname(sin6->sin6_scope_id, name))
		return;
	len = strlen(out);
	snprintf(out + len, CONN_ADDRESS - len, "%%%s", name);
}

/**
 * conn_address_gid() - the GID of an address, as sysfs prints it
 * @in: the address; IPv4 becomes ::ffff:a.b.c.d
 * @gid: eight groups of four hex digits
 */
void conn_address_gid(const struct sockaddr_storage *in, char gid[40])
{
	const struct sockaddr_in6 *sin6 = (const struct sockaddr_in6 *)in;
	const struct sockaddr_in *sin = (const struct sockaddr_in *)in;
	uint8_t raw[16] = { [10] = 0xff, [11] = 0xff };
	unsigned int i;

	if (in->ss_family == AF_INET)
		memcpy(raw + 12, &sin->sin_addr, 4);
	else
		memcpy(raw, &sin6->sin6_addr, 16);
	for (i = 0; i < 8; i++)
		snprintf(gid + 5 * i, i == 7 ? 5 : 6, i == 7 ? "%02x%02x" :
			 "%02x%02x:", raw[2 * i], raw[2 * i + 1]);
}
