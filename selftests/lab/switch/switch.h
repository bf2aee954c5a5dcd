/* SPDX-License-Identifier: GPL-2.0 */
/* labswitch: an Ethernet switch between virtual hosts, in user space. */
#ifndef LAB_SWITCH_H
#define LAB_SWITCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/un.h>

#define MAX_PORTS	16
#define MAX_FRAME	65536
#define MAX_CLIENTS	8
#define MAC_LEN		6
#define PRIORITIES	8

/* A queue beyond this is a host that has stopped listening: drop at its end. */
#define QUEUE_LIMIT	(16 << 20)

struct frame {
	struct frame *next;
	size_t len;
	uint8_t data[];
};

/**
 * struct queue - frames that wait for a port to take them
 * @head: first to leave
 * @tail: last to leave
 * @bytes: sum of all waiting frames
 */
struct queue {
	struct frame *head;
	struct frame *tail;
	size_t bytes;
};

struct port_counters {
	uint64_t rx_frames;
	uint64_t rx_bytes;
	uint64_t tx_frames;
	uint64_t tx_bytes;
	uint64_t tx_dropped;
	uint64_t down_dropped;
	uint64_t link_local;
	uint64_t pause_frames;
	uint64_t pfc_pause[PRIORITIES];
	uint64_t pfc_resume[PRIORITIES];
};

/**
 * struct storm - PFC frames that a port sends by itself
 * @mask: of the priorities that are paused, 0: no storm
 * @on_ms: paused so long, then ...
 * @off_ms: ... not for so long; 0: paused all the time
 * @begin: when it began, ms
 * @next: when there is something to be sent, ms
 * @was_on: they were paused at the last step
 */
struct storm {
	uint8_t mask;
	int on_ms;
	int off_ms;
	int64_t begin;
	int64_t next;
	bool was_on;
};

/**
 * struct port - where one host is plugged in
 * @name: the host's name
 * @rx: socket that the host sends to
 * @tx: socket connected to the host
 * @tx_connected: whether @tx has found the host
 * @up: whether frames pass
 * @host: address of the host's socket
 * @queue: frames on their way to the host
 * @storm: what it does to the host
 * @capture: where frames of this port are recorded, or NULL
 * @count: what was seen, from the switch's point of view
 */
struct port {
	char name[64];
	int rx;
	int tx;
	bool tx_connected;
	bool up;
	struct sockaddr_un host;
	struct queue queue;
	struct storm storm;
	FILE *capture;
	struct port_counters count;
};

struct labswitch {
	struct port ports[MAX_PORTS];
	int num_ports;
	int control;
	int clients[MAX_CLIENTS];
	int num_clients;
};

/**
 * port_open() - plug in a host
 * @port: an unused port
 * @spec: NAME=RX_SOCKET,HOST_SOCKET
 *
 * Return: 0, or -1 after having said why.
 */
int port_open(struct port *port, const char *spec);

/**
 * port_receive() - take in what a host has sent and forward it
 * @sw: the switch
 * @port: the port with something to read
 */
void port_receive(struct labswitch *sw, struct port *port);

/**
 * port_send() - give a frame to a port
 * @port: the port it leaves by
 * @data: the frame
 * @len: its length
 */
void port_send(struct port *port, const uint8_t *data, size_t len);

/**
 * port_drain() - send what waits, as far as the host takes it
 * @port: the port
 */
void port_drain(struct port *port);

/**
 * port_set_link() - let frames pass or not
 * @port: the port
 * @up: whether they pass; frames that wait are lost when they no longer do
 */
void port_set_link(struct port *port, bool up);

/**
 * bridge_forward() - send a frame where it belongs
 * @sw: the switch
 * @from: the port it came in by
 * @data: the frame
 * @len: its length
 */
void bridge_forward(struct labswitch *sw, struct port *from,
		    const uint8_t *data, size_t len);

/**
 * bridge_forget() - forget the addresses behind a port
 * @sw: the switch
 * @port: the port
 */
void bridge_forget(struct labswitch *sw, const struct port *port);

/**
 * storm_begin() - pause priorities of a host
 * @port: the host's port
 * @mask: of the priorities, not 0
 * @on_ms: for so long, then ...
 * @off_ms: ... not for so long, and so on; 0: all the time
 * @now: time in ms
 */
void storm_begin(struct port *port, uint8_t mask, int on_ms, int off_ms,
		 int64_t now);

/**
 * storm_end() - let a host send again
 * @port: the host's port
 */
void storm_end(struct port *port);

/**
 * storm_turn() - send what is due
 * @sw: the switch
 * @now: time in ms
 * @ms: how long nothing else is due
 *
 * Return: how long nothing is.
 */
int storm_turn(struct labswitch *sw, int64_t now, int ms);

/**
 * now_ms() - what time it is
 *
 * Return: ms of a clock that does not jump.
 */
int64_t now_ms(void);

/**
 * capture_start() - record a port's frames into a file
 * @port: the port
 * @path: the file, replaced if there
 *
 * Return: 0, or -1 with errno set.
 */
int capture_start(struct port *port, const char *path);

/**
 * capture_frame() - record one frame, if the port is being recorded
 * @port: the port
 * @data: the frame
 * @len: its length
 */
void capture_frame(struct port *port, const uint8_t *data, size_t len);

/**
 * capture_flush() - write out what is buffered
 * @port: the port
 */
void capture_flush(struct port *port);

/**
 * capture_stop() - end recording
 * @port: the port
 */
void capture_stop(struct port *port);

/**
 * control_open() - listen for commands
 * @sw: the switch
 * @path: where
 *
 * Return: 0, or -1 after having said why.
 */
int control_open(struct labswitch *sw, const char *path);

/**
 * control_accept() - let a client in
 * @sw: the switch
 */
void control_accept(struct labswitch *sw);

/**
 * control_serve() - answer a client's command and let it go
 * @sw: the switch
 * @index: which client
 */
void control_serve(struct labswitch *sw, int index);

#endif
