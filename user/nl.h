/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All netlink of the helper: the socket, the family, one request with its
 * reply, dumps, errors in words, events. Nothing else calls nl_recvmsgs().
 *
 * Functions return 0 or a negative errno, the kernel's own where it answered;
 * rgnl_words() then has the kernel's extack words, or the errno's.
 */
#ifndef RG_NL_H
#define RG_NL_H

#include <stdbool.h>
#include <stdint.h>
#include <netlink/netlink.h>
#include <netlink/msg.h>
#include <netlink/attr.h>

struct rgnl;

/* The largest policy fits; libnl by itself makes room for a page. */
#define RGNL_MESSAGE_MAX	(16 * 1024)

/**
 * typedef rgnl_fn - takes one reply or event
 * @cmd: ROCEGUARD_CMD_
 * @attrs: the first attribute, for nla_parse() and friends
 * @len: of all attributes
 * @arg: of the caller
 *
 * Return: 0, or a negative errno, which ends the request with it.
 */
typedef int (*rgnl_fn)(uint8_t cmd, struct nlattr *attrs, int len, void *arg);

/**
 * rgnl_open() - open a socket to the kernel module
 * @nl: set on success
 *
 * Prints nothing.
 *
 * Return: 0, -ENOENT if the module is not loaded, another negative errno.
 */
int rgnl_open(struct rgnl **nl);
void rgnl_close(struct rgnl *nl);

/**
 * rgnl_request() - begin a message
 * @nl: the socket
 * @cmd: ROCEGUARD_CMD_
 *
 * Return: the message, to be filled by nla_put_*() and handed to rgnl_do() or
 * rgnl_dump(), which free it; NULL without memory.
 */
struct nl_msg *rgnl_request(struct rgnl *nl, uint8_t cmd);

/**
 * rgnl_do() - send a request and take its reply
 * @nl: the socket
 * @msg: from rgnl_request(), freed; NULL gives -ENOMEM
 * @fn: takes the reply; may be NULL
 * @arg: for @fn
 */
int rgnl_do(struct rgnl *nl, struct nl_msg *msg, rgnl_fn fn, void *arg);

/**
 * rgnl_dump() - send a dump request and take all replies
 * @nl: the socket
 * @cmd: ROCEGUARD_CMD_
 * @put: adds what the dump begins with to the request; NULL: nothing
 * @fn: takes one object
 * @reset: called before each try: forget what @fn collected. The kernel marks
 *	a dump that changed under way, and it is then read again, up to 10 times
 * @arg: for all of them
 */
int rgnl_dump(struct rgnl *nl, uint8_t cmd,
	      int (*put)(struct nl_msg *msg, void *arg), rgnl_fn fn,
	      void (*reset)(void *arg), void *arg);

/**
 * rgnl_words() - why the last request failed
 * @nl: the socket
 *
 * Return: the kernel's words, or those of the errno; never NULL.
 */
const char *rgnl_words(const struct rgnl *nl);

/**
 * rgnl_is_gone() - did the last request fail for want of the module?
 * @nl: the socket
 */
bool rgnl_is_gone(const struct rgnl *nl);

/**
 * rgnl_complain() - print why a request failed
 * @nl: the socket; NULL if rgnl_open() failed
 * @what: the command, as "policy load"
 * @err: negative errno
 *
 * Return: RG_EXIT_KERNEL.
 */
int rgnl_complain(const struct rgnl *nl, const char *what, int err);

/**
 * rgnl_listen() - turn the socket into one that hears events
 * @nl: a socket of its own, not used for requests after this
 */
int rgnl_listen(struct rgnl *nl);

/**
 * rgnl_fd() - for poll()
 * @nl: the socket
 */
int rgnl_fd(const struct rgnl *nl);

/**
 * rgnl_events() - take the events that are there
 * @nl: a socket after rgnl_listen()
 * @fn: takes one event
 * @arg: for @fn
 *
 * Return: 0; -ENOBUFS when events were lost; -ENODEV when the module is gone;
 * what @fn returned; another negative errno.
 */
int rgnl_events(struct rgnl *nl, rgnl_fn fn, void *arg);

#endif /* RG_NL_H */
