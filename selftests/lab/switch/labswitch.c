// SPDX-License-Identifier: GPL-2.0
/*
 * labswitch - an Ethernet switch between virtual hosts
 *
 *   labswitch CONTROL_SOCKET NAME=RX_SOCKET,HOST_SOCKET...
 *
 * Each port is a pair of unix datagram sockets as QEMU's `-netdev dgram` uses
 * them. Frames are never lost between hosts that are up and listen.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

#include "switch.h"

#define MAX_FDS		(2 * MAX_PORTS + 1 + MAX_CLIENTS)
#define FLUSH_MS	100

static struct labswitch the_switch;
static volatile sig_atomic_t ending;

static void on_signal(int sig)
{
	(void)sig;
	ending = 1;
}

static void watch(struct pollfd *slot, int fd, short events)
{
	slot->fd = fd;
	slot->events = events;
	slot->revents = 0;
}

/* Ports' two sockets first, then the control socket, then its clients. */
static int watch_all(struct labswitch *sw, struct pollfd *fds)
{
	int i, count = 0;

	for (i = 0; i < sw->num_ports; i++) {
		struct port *port = &sw->ports[i];

		watch(&fds[count++], port->rx, POLLIN);
		watch(&fds[count++], port->queue.head ? port->tx : -1, POLLOUT);
	}
	watch(&fds[count++], sw->num_clients < MAX_CLIENTS ? sw->control : -1,
	      POLLIN);
	for (i = 0; i < sw->num_clients; i++)
		watch(&fds[count++], sw->clients[i], POLLIN);
	return count;
}

static void handle_all(struct labswitch *sw, const struct pollfd *fds)
{
	const struct pollfd *control = &fds[2 * sw->num_ports];
	int i;

	for (i = 0; i < sw->num_ports; i++) {
		if (fds[2 * i + 1].revents)
			port_drain(&sw->ports[i]);
		if (fds[2 * i].revents)
			port_receive(sw, &sw->ports[i]);
	}
	/* backwards: serving one moves the last into its place */
	for (i = sw->num_clients - 1; i >= 0; i--)
		if (control[1 + i].revents)
			control_serve(sw, i);
	if (control->revents)
		control_accept(sw);
}

static void flush_captures(struct labswitch *sw)
{
	int i;

	for (i = 0; i < sw->num_ports; i++)
		capture_flush(&sw->ports[i]);
}

int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

static int run(struct labswitch *sw)
{
	struct pollfd fds[MAX_FDS];
	int64_t flush_at = 0;
	int count, ready;

	while (!ending) {
		count = watch_all(sw, fds);
		ready = poll(fds, count, storm_turn(sw, now_ms(), FLUSH_MS));
		if (ready < 0 && errno != EINTR) {
			perror("labswitch: poll");
			return 1;
		}
		if (ready > 0)
			handle_all(sw, fds);
		if (now_ms() >= flush_at) {
			flush_captures(sw);
			flush_at = now_ms() + FLUSH_MS;
		}
	}
	flush_captures(sw);
	return 0;
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = on_signal };
	struct labswitch *sw = &the_switch;
	int i;

	if (argc < 3 || argc > 2 + MAX_PORTS) {
		fprintf(stderr, "usage: labswitch CONTROL_SOCKET NAME=RX_SOCKET,HOST_SOCKET... (up to %d)\n",
			MAX_PORTS);
		return 1;
	}
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	if (control_open(sw, argv[1]))
		return 1;
	for (i = 2; i < argc; i++)
		if (port_open(&sw->ports[sw->num_ports++], argv[i]))
			return 1;
	return run(sw);
}
