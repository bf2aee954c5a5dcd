/* SPDX-License-Identifier: GPL-2.0 */
/* Conversations over the unix sockets of a lab host. */
#ifndef LAB_TALK_H
#define LAB_TALK_H

#include <stdbool.h>
#include <stddef.h>

struct json_object;

/**
 * struct talk - one connection that speaks JSON, one value a line
 * @fd: the socket
 * @len: bytes waiting in @buf
 * @buf: what was received and not yet consumed
 */
struct talk {
	int fd;
	size_t len;
	char buf[65536];
};

/**
 * pid_file_held() - whether the process that wrote a pid file still runs
 * @path: a pid file of QEMU's, which stays locked as long as QEMU runs
 */
bool pid_file_held(const char *path);

/**
 * unix_connect() - connect to a unix socket
 * @path: where it is
 * @type: SOCK_STREAM or SOCK_SEQPACKET
 * @timeout_s: how long one send or receive may take
 *
 * Return: the socket, or -1 with errno set.
 */
int unix_connect(const char *path, int type, int timeout_s);

/**
 * talk_send() - send one line
 * @talk: the connection
 * @text: what to send, without the newline
 *
 * Return: 0, or -1 with errno set.
 */
int talk_send(struct talk *talk, const char *text);

/**
 * talk_receive() - receive the next value
 * @talk: the connection
 *
 * Bytes that are not JSON (remains of an interrupted conversation) are skipped.
 *
 * Return: the value, to be put by the caller, or NULL with errno set.
 */
struct json_object *talk_receive(struct talk *talk);

/**
 * talk_ask() - send a command and wait for its answer, passing over events
 * @talk: the connection
 * @command: a QMP or guest agent command
 *
 * Return: what the command returned, to be put by the caller, or NULL after
 * having said why on stderr.
 */
struct json_object *talk_ask(struct talk *talk, struct json_object *command);

#endif
