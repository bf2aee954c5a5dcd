// SPDX-License-Identifier: GPL-2.0
/* Forwarding: learn source addresses, send to where the target was seen. */
#include <string.h>

#include "switch.h"

#define TABLE_SIZE	1024
#define ETH_HEADER	14
#define ETH_P_PAUSE	0x8808
#define OPCODE_PAUSE	0x0001
#define OPCODE_PFC	0x0101

struct entry {
	uint8_t mac[MAC_LEN];
	struct port *port;
};

static struct entry table[TABLE_SIZE];

static struct entry *slot(const uint8_t *mac)
{
	unsigned int hash = (mac[5] | mac[4] << 8) ^ mac[3] ^ mac[2] << 4;

	return &table[hash % TABLE_SIZE];
}

static void learn(const uint8_t *mac, struct port *port)
{
	struct entry *entry = slot(mac);

	if (mac[0] & 1)
		return;
	memcpy(entry->mac, mac, MAC_LEN);
	entry->port = port;
}

static struct port *look_up(const uint8_t *mac)
{
	struct entry *entry = slot(mac);

	return entry->port && !memcmp(entry->mac, mac, MAC_LEN) ? entry->port :
								  NULL;
}

void bridge_forget(struct labswitch *sw, const struct port *port)
{
	int i;

	(void)sw;
	for (i = 0; i < TABLE_SIZE; i++)
		if (table[i].port == port)
			table[i].port = NULL;
}

/* 01:80:c2:00:00:00 to 0f concern the one link they are sent on. */
static bool is_link_local(const uint8_t *mac)
{
	static const uint8_t prefix[] = { 0x01, 0x80, 0xc2, 0x00, 0x00 };

	return !memcmp(mac, prefix, sizeof(prefix)) && mac[5] < 0x10;
}

static unsigned int be16_at(const uint8_t *data)
{
	return data[0] << 8 | data[1];
}

static void count_pfc(struct port_counters *count, const uint8_t *body)
{
	unsigned int enabled = be16_at(body);
	int prio;

	for (prio = 0; prio < PRIORITIES; prio++) {
		if (!(enabled & 1 << prio))
			continue;
		if (be16_at(body + 2 + 2 * prio))
			count->pfc_pause[prio]++;
		else
			count->pfc_resume[prio]++;
	}
}

static void count_link_local(struct port_counters *count, const uint8_t *data,
			     size_t len)
{
	unsigned int opcode;

	count->link_local++;
	if (len < ETH_HEADER + 20 || be16_at(data + 12) != ETH_P_PAUSE)
		return;
	opcode = be16_at(data + ETH_HEADER);
	if (opcode == OPCODE_PAUSE)
		count->pause_frames++;
	else if (opcode == OPCODE_PFC)
		count_pfc(count, data + ETH_HEADER + 2);
}

void bridge_forward(struct labswitch *sw, struct port *from,
		    const uint8_t *data, size_t len)
{
	struct port *to;
	int i;

	if (len < ETH_HEADER)
		return;
	learn(data + MAC_LEN, from);
	if (is_link_local(data)) {
		count_link_local(&from->count, data, len);
		return;
	}
	to = data[0] & 1 ? NULL : look_up(data);
	if (to) {
		if (to != from)
			port_send(to, data, len);
		return;
	}
	for (i = 0; i < sw->num_ports; i++)
		if (&sw->ports[i] != from)
			port_send(&sw->ports[i], data, len);
}
