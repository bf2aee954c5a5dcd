// SPDX-License-Identifier: GPL-2.0
/*
 * The classifier: which priority a frame belongs to, by what the hardware
 * trusts, and whether it is RoCE v2 or flow control.
 */
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/udp.h>
#include <net/dsfield.h>
#include <net/inet_ecn.h>
#include <net/ip.h>
#include "compat.h"
#include "labnic.h"

#define LABNIC_ROCE_V2_PORT	4791
#define LABNIC_BTH_OPCODE_CNP	0x81
#define LABNIC_GSI_QP		1

/* The base transport header, as far as it is looked at. */
struct labnic_bth {
	u8 opcode;
	u8 flags;
	__be16 pkey;
	__be32 qpn;
};

struct labnic_flow_control {
	__be16 opcode;
	__be16 enabled;
	__be16 quanta[LABNIC_PRIORITIES];
};

/* How far the look into a frame got. */
struct labnic_cursor {
	const struct sk_buff *skb;
	int offset;		/* of the next header, from skb->data */
	__be16 proto;		/* of the next header */
	bool tagged;
	u8 pcp;
	bool ip;
	u8 tos;
	u8 ip_proto;
};

static u8 labnic_pcp(u16 tci)
{
	u8 pcp = tci >> VLAN_PRIO_SHIFT;

	return tci & VLAN_CFI_MASK ? pcp + LABNIC_PRIORITIES : pcp;
}

static void labnic_look_tag(struct labnic_cursor *at)
{
	const struct vlan_hdr *tag;
	struct vlan_hdr buf;

	if (skb_vlan_tag_present(at->skb)) {
		at->tagged = true;
		at->pcp = labnic_pcp(skb_vlan_tag_get(at->skb));
		return;
	}
	if (!eth_type_vlan(at->proto))
		return;
	tag = skb_header_pointer(at->skb, at->offset, sizeof(buf), &buf);
	if (!tag)
		return;
	at->tagged = true;
	at->pcp = labnic_pcp(ntohs(tag->h_vlan_TCI));
	at->proto = tag->h_vlan_encapsulated_proto;
	at->offset += sizeof(buf);
}

static void labnic_look_ipv4(struct labnic_cursor *at)
{
	const struct iphdr *ip;
	struct iphdr buf;

	ip = skb_header_pointer(at->skb, at->offset, sizeof(buf), &buf);
	if (!ip || ip->version != 4)
		return;
	at->ip = true;
	at->tos = ip->tos;
	/* Only the first fragment has the header that comes next. */
	at->ip_proto = ip->frag_off & htons(IP_OFFSET) ? 0 : ip->protocol;
	at->offset += ip->ihl * 4;
}

static void labnic_look_ipv6(struct labnic_cursor *at)
{
	const struct ipv6hdr *ip;
	struct ipv6hdr buf;

	ip = skb_header_pointer(at->skb, at->offset, sizeof(buf), &buf);
	if (!ip || ip->version != 6)
		return;
	at->ip = true;
	at->tos = ipv6_get_dsfield(ip);
	at->ip_proto = ip->nexthdr;
	at->offset += sizeof(buf);
}

static enum labnic_kind labnic_look_udp(struct labnic_cursor *at)
{
	const struct labnic_bth *bth;
	const struct udphdr *udp;
	struct labnic_bth bth_buf;
	struct udphdr udp_buf;

	udp = skb_header_pointer(at->skb, at->offset, sizeof(udp_buf),
				 &udp_buf);
	if (!udp || udp->dest != htons(LABNIC_ROCE_V2_PORT))
		return LABNIC_FRAME_OTHER;
	at->offset += sizeof(udp_buf);
	bth = skb_header_pointer(at->skb, at->offset, sizeof(bth_buf),
				 &bth_buf);
	if (!bth)
		return LABNIC_FRAME_OTHER;
	if (bth->opcode == LABNIC_BTH_OPCODE_CNP)
		return LABNIC_FRAME_ROCE_CNP;
	if ((ntohl(bth->qpn) & 0xffffff) == LABNIC_GSI_QP)
		return LABNIC_FRAME_ROCE_CM;
	return LABNIC_FRAME_ROCE;
}

static void labnic_look_flow_control(struct labnic_cursor *at,
				     struct labnic_frame *frame)
{
	const struct labnic_flow_control *fc;
	struct labnic_flow_control buf;
	unsigned int prio;

	fc = skb_header_pointer(at->skb, at->offset, sizeof(buf), &buf);
	if (!fc)
		return;
	switch (ntohs(fc->opcode)) {
	case LABNIC_OPCODE_PAUSE:
		frame->kind = LABNIC_FRAME_PAUSE;
		break;
	case LABNIC_OPCODE_PFC:
		frame->kind = LABNIC_FRAME_PFC;
		frame->pfc = ntohs(fc->enabled);
		for (prio = 0; prio < LABNIC_PRIORITIES; prio++)
			frame->quanta[prio] = ntohs(fc->quanta[prio]);
		break;
	default:
		break;
	}
}

/* Does @at carry what @selector speaks of, and if so, which priority is it? */
static bool labnic_prio_by(const struct labnic_hw *hw, u8 selector,
			   const struct labnic_cursor *at, u8 *prio)
{
	if (selector == DCB_APP_SEL_PCP && at->tagged) {
		*prio = READ_ONCE(hw->pcp2prio[at->pcp]);
		return true;
	}
	if (selector == IEEE_8021QAZ_APP_SEL_DSCP && at->ip) {
		*prio = READ_ONCE(hw->dscp2prio[at->tos >> 2]);
		return true;
	}
	return false;
}

static u8 labnic_prio(const struct labnic_hw *hw,
		      const struct labnic_cursor *at)
{
	const struct labnic_trust_order *trust;
	u8 prio;
	int i;

	trust = &labnic_trust_orders[READ_ONCE(hw->trust)];
	for (i = 0; i < trust->n; i++)
		if (labnic_prio_by(hw, trust->selector[i], at, &prio))
			return prio;
	return READ_ONCE(hw->default_prio);
}

/**
 * labnic_classify - look at a frame as the hardware does
 * @hw: the hardware; read without a lock
 * @skb: the frame
 * @mac_offset: of its Ethernet header, from skb->data
 * @frame: what was seen
 */
void labnic_classify(const struct labnic_hw *hw, const struct sk_buff *skb,
		     int mac_offset, struct labnic_frame *frame)
{
	struct labnic_cursor at = { .skb = skb };
	const struct ethhdr *eth;
	struct ethhdr buf;

	memset(frame, 0, sizeof(*frame));
	eth = skb_header_pointer(skb, mac_offset, sizeof(buf), &buf);
	if (!eth)
		return;
	at.proto = eth->h_proto;
	at.offset = mac_offset + ETH_HLEN;

	if (at.proto == htons(ETH_P_PAUSE)) {
		labnic_look_flow_control(&at, frame);
		return;
	}
	labnic_look_tag(&at);
	if (at.proto == htons(ETH_P_IP))
		labnic_look_ipv4(&at);
	else if (at.proto == htons(ETH_P_IPV6))
		labnic_look_ipv6(&at);
	if (at.ip && at.ip_proto == IPPROTO_UDP)
		frame->kind = labnic_look_udp(&at);
	frame->ecn = at.tos & INET_ECN_MASK;
	frame->prio = labnic_prio(hw, &at);
}
