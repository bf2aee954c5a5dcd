// SPDX-License-Identifier: GPL-2.0
/* A port: two datagram sockets, one frame a datagram, and a queue. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "switch.h"

/* Frames taken from one port before the others get their turn. */
#define BATCH 64

static int set_path(struct sockaddr_un *addr, const char *path, size_t len)
{
	addr->sun_family = AF_UNIX;
	if (!len || len >= sizeof(addr->sun_path)) {
		fprintf(stderr, "labswitch: socket path too long or empty: %.*s\n",
			(int)len, path);
		return -1;
	}
	memcpy(addr->sun_path, path, len);
	addr->sun_path[len] = '\0';
	return 0;
}

static int open_socket(void)
{
	int size = 4 << 20;
	int fd;

	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0) {
		perror("labswitch: socket");
		return -1;
	}
	/* Only a hint: without it frames wait in the queue instead. */
	setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
	return fd;
}

int port_open(struct port *port, const char *spec)
{
	struct sockaddr_un own = { 0 };
	const char *equals = strchr(spec, '=');
	const char *comma = strchr(spec, ',');

	if (!equals || !comma || comma < equals || equals == spec ||
	    (size_t)(equals - spec) >= sizeof(port->name)) {
		fprintf(stderr, "labswitch: '%s' is not NAME=RX_SOCKET,HOST_SOCKET\n",
			spec);
		return -1;
	}
	memcpy(port->name, spec, equals - spec);
	if (set_path(&own, equals + 1, comma - equals - 1) ||
	    set_path(&port->host, comma + 1, strlen(comma + 1)))
		return -1;
	port->up = true;
	port->rx = open_socket();
	port->tx = open_socket();
	if (port->rx < 0 || port->tx < 0)
		return -1;
	unlink(own.sun_path);
	if (bind(port->rx, (struct sockaddr *)&own, sizeof(own))) {
		fprintf(stderr, "labswitch: cannot listen at %s: %s\n",
			own.sun_path, strerror(errno));
		return -1;
	}
	return 0;
}

void port_receive(struct labswitch *sw, struct port *port)
{
	static uint8_t data[MAX_FRAME];
	ssize_t len;
	int i;

	for (i = 0; i < BATCH; i++) {
		len = recv(port->rx, data, sizeof(data), 0);
		if (len < 0)
			return;
		if (!port->up) {
			port->count.down_dropped++;
			continue;
		}
		port->count.rx_frames++;
		port->count.rx_bytes += len;
		capture_frame(port, data, len);
		bridge_forward(sw, port, data, len);
	}
}

static bool connect_host(struct port *port)
{
	if (!port->tx_connected)
		port->tx_connected = !connect(port->tx,
					      (struct sockaddr *)&port->host,
					      sizeof(port->host));
	return port->tx_connected;
}

static int try_send(struct port *port, const uint8_t *data, size_t len)
{
	if (!connect_host(port) || send(port->tx, data, len, MSG_NOSIGNAL) < 0) {
		if (errno == EAGAIN || errno == ENOBUFS || errno == EINTR)
			return -EAGAIN;
		/* the host is gone, or not there yet: look for it again */
		port->tx_connected = false;
		port->count.tx_dropped++;
		return 0;
	}
	port->count.tx_frames++;
	port->count.tx_bytes += len;
	capture_frame(port, data, len);
	return 0;
}

static void enqueue(struct port *port, const uint8_t *data, size_t len)
{
	struct queue *queue = &port->queue;
	struct frame *frame;

	frame = queue->bytes + len > QUEUE_LIMIT ? NULL :
		malloc(sizeof(*frame) + len);
	if (!frame) {
		port->count.tx_dropped++;
		return;
	}
	frame->next = NULL;
	frame->len = len;
	memcpy(frame->data, data, len);
	if (queue->tail)
		queue->tail->next = frame;
	else
		queue->head = frame;
	queue->tail = frame;
	queue->bytes += len;
}

static void drop_head(struct queue *queue)
{
	struct frame *frame = queue->head;

	queue->head = frame->next;
	if (!queue->head)
		queue->tail = NULL;
	queue->bytes -= frame->len;
	free(frame);
}

void port_send(struct port *port, const uint8_t *data, size_t len)
{
	if (!port->up) {
		port->count.down_dropped++;
		return;
	}
	if (port->queue.head || try_send(port, data, len))
		enqueue(port, data, len);
}

void port_drain(struct port *port)
{
	struct queue *queue = &port->queue;

	while (queue->head &&
	       !try_send(port, queue->head->data, queue->head->len))
		drop_head(queue);
}

void port_set_link(struct port *port, bool up)
{
	port->up = up;
	while (!up && port->queue.head) {
		port->count.down_dropped++;
		drop_head(&port->queue);
	}
}
