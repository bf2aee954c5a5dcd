// SPDX-License-Identifier: GPL-2.0
/*
 * A pause storm on demand: PFC frames to one host, for as long as it is told so,
 * without a break or on and off.
 */
#include <string.h>

#include "switch.h"

#define REFRESH_MS	20
#define XOFF_QUANTA	0xffff
#define FRAME_LEN	60

static void put_be16(uint8_t *at, unsigned int value)
{
	at[0] = value >> 8;
	at[1] = value;
}

static void send_pfc(struct port *port, uint8_t mask, unsigned int quanta)
{
	uint8_t frame[FRAME_LEN] = {
		0x01, 0x80, 0xc2, 0x00, 0x00, 0x01,
		0x02, 0x00, 0x00, 0x00, 0x00, 0x01,
		0x88, 0x08, 0x01, 0x01, 0x00, mask,
	};
	int prio;

	for (prio = 0; prio < PRIORITIES; prio++)
		if (mask & 1 << prio)
			put_be16(frame + 18 + 2 * prio, quanta);
	port_send(port, frame, sizeof(frame));
}

/* Where in its cycle of on and off a storm is. */
static bool is_on(const struct storm *storm, int64_t now)
{
	int64_t cycle = storm->on_ms + storm->off_ms;

	return !storm->off_ms || (now - storm->begin) % cycle < storm->on_ms;
}

static int64_t next_change(const struct storm *storm, int64_t now)
{
	int64_t cycle = storm->on_ms + storm->off_ms;
	int64_t in_cycle = (now - storm->begin) % cycle;

	return now + (in_cycle < storm->on_ms ? storm->on_ms : cycle) - in_cycle;
}

static void step(struct port *port, int64_t now)
{
	struct storm *storm = &port->storm;
	bool on = is_on(storm, now);

	if (on)
		send_pfc(port, storm->mask, XOFF_QUANTA);
	else if (storm->was_on)
		send_pfc(port, storm->mask, 0);
	storm->was_on = on;
	storm->next = now + REFRESH_MS;
	if (storm->off_ms && next_change(storm, now) < storm->next)
		storm->next = next_change(storm, now);
}

void storm_begin(struct port *port, uint8_t mask, int on_ms, int off_ms,
		 int64_t now)
{
	storm_end(port);
	port->storm = (struct storm){
		.mask = mask, .on_ms = on_ms, .off_ms = off_ms, .begin = now,
	};
	step(port, now);
}

void storm_end(struct port *port)
{
	if (port->storm.mask && port->storm.was_on)
		send_pfc(port, port->storm.mask, 0);
	memset(&port->storm, 0, sizeof(port->storm));
}

int storm_turn(struct labswitch *sw, int64_t now, int ms)
{
	struct port *port;
	int i;

	for (i = 0; i < sw->num_ports; i++) {
		port = &sw->ports[i];
		if (!port->storm.mask)
			continue;
		if (now >= port->storm.next)
			step(port, now);
		if (port->storm.next - now < ms)
			ms = port->storm.next - now;
	}
	return ms;
}
