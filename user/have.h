/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a port has, as anybody can read it without the module: DCB through
 * rtnetlink, global pause through ethtool, ECN where a driver has it in sysfs.
 */
#ifndef RG_HAVE_H
#define RG_HAVE_H

#include <net/if.h>

#include "policy.h"

struct nlattr;

/**
 * struct have - one port
 * @ifname: its name
 * @driver: as the module calls it
 * @roce: RoCE-capable
 * @linked: has a link that a write could drop
 * @dcb: its driver has DCB
 * @port: a policy may hold it
 * @read: bits of enum roceguard_knob: which of the knobs below could be read
 * @trust: enum roceguard_trust
 * @apptrust: the driver is told what to trust; else trust follows the table
 * @map: mask of priorities that each DSCP has an entry for
 * @prio_tc: traffic class of each priority
 * @tsa: enum roceguard_tsa of each traffic class, or RG_UNSET: another
 * @bandwidth: percent of each traffic class
 * @pfc: mask of priorities with PFC on
 * @delay: what PFC allows for the cable, in the driver's unit
 * @mbps: rate of the link in Mbit/s, 0: not known
 * @mtu: bytes
 * @storm: ms, as a policy has them
 * @pause_rx: global pause honoured
 * @pause_tx: global pause sent
 * @ecn: mask of priorities that are on, by role
 * @dcbx: bits DCB_CAP_DCBX_
 * @kbps: limit of each traffic class, 0: none
 * @buffer_size: bytes of each receive buffer
 * @prio_buffer: buffer of each priority
 */
struct have {
	char ifname[IFNAMSIZ];
	char driver[64];
	bool roce;
	bool linked;
	bool dcb;
	bool port;
	u32 read;
	u8 trust;
	bool apptrust;
	u8 map[RG_DSCPS];
	u8 prio_tc[RG_PRIORITIES];
	u8 tsa[RG_TCS];
	u8 bandwidth[RG_TCS];
	u8 pfc;
	u16 delay;
	u32 mbps;
	u32 mtu;
	u16 storm;
	bool pause_rx;
	bool pause_tx;
	u8 ecn[2];
	u8 dcbx;
	u64 kbps[RG_TCS];
	u32 buffer_size[RG_BUFFERS];
	u8 prio_buffer[RG_PRIORITIES];
};

struct have_list {
	struct have *have;
	size_t n;
};

#define HAVE_ERROR_MAX	256

/**
 * have_list() - the ports of this network namespace
 * @list: filled in; have_list_free() it
 * @error: HAVE_ERROR_MAX bytes
 *
 * Those whose driver has DCB, and RoCE-capable ones.
 *
 * Return: 0 or -1 with @error set.
 */
int have_list(struct have_list *list, char *error);
void have_list_free(struct have_list *list);

/**
 * have_read() - one device, port or not
 * @ifname: its name
 * @have: filled in
 * @error: HAVE_ERROR_MAX bytes
 *
 * Return: 0 or -1 with @error set.
 */
int have_read(const char *ifname, struct have *have, char *error);

/**
 * have_take_dcb() - take what the kernel answers to DCB_CMD_IEEE_GET
 * @have: filled in
 * @attrs: the first attribute
 * @len: of all of them
 */
void have_take_dcb(struct have *have, struct nlattr *attrs, int len);

#endif /* RG_HAVE_H */
