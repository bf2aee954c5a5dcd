// SPDX-License-Identifier: GPL-2.0
/* The data path: frames from and to the wire, classified and counted. */
#include <linux/etherdevice.h>
#include <net/inet_ecn.h>
#include "compat.h"
#include "labnic.h"

/* What is to be counted once the wire took a frame: the frame is gone then. */
struct labnic_send {
	struct labnic_frame frame;
	unsigned int bytes;
	unsigned int packets;
	bool protected;
};

static unsigned int labnic_packets(const struct sk_buff *skb)
{
	return max_t(unsigned int, skb_shinfo(skb)->gso_segs, 1);
}

/*
 * Is PFC on for a priority, and may a frame pass at all? The second answer must
 * not be older than the first: a reset takes the link down, then PFC off.
 */
static bool labnic_protected(const struct labnic *nic, u8 prio, bool *pass)
{
	bool protected = READ_ONCE(nic->hw.pfc) & BIT(prio);

	smp_rmb();
	*pass = READ_ONCE(nic->phy_up);
	return protected;
}

/* Which counters a RoCE v2 frame that was sent belongs to. */
static void labnic_count_tx_roce(struct labnic_cpu_stats *stats,
				 const struct labnic_send *send)
{
	switch (send->frame.kind) {
	case LABNIC_FRAME_ROCE:
		u64_stats_inc(&stats->port[LABNIC_TX_ROCE_FRAMES]);
		u64_stats_inc(&stats->prio[send->frame.prio][LABNIC_TX_ROCE]);
		if (!send->protected)
			u64_stats_inc(&stats->port[LABNIC_TX_ROCE_UNPROTECTED]);
		break;
	case LABNIC_FRAME_ROCE_CM:
		u64_stats_inc(&stats->port[LABNIC_TX_ROCE_CM]);
		if (!send->protected)
			u64_stats_inc(&stats->port[LABNIC_TX_ROCE_UNPROTECTED_CM]);
		break;
	case LABNIC_FRAME_ROCE_CNP:
		u64_stats_inc(&stats->port[LABNIC_TX_ROCE_CNP]);
		break;
	default:
		break;
	}
}

static void labnic_count_tx(struct labnic *nic, const struct labnic_send *send)
{
	struct labnic_cpu_stats *stats = this_cpu_ptr(nic->stats);
	u64_stats_t *prio = stats->prio[send->frame.prio];

	u64_stats_update_begin(&stats->syncp);
	u64_stats_add(&prio[LABNIC_TX_BYTES], send->bytes);
	u64_stats_add(&prio[LABNIC_TX_PACKETS], send->packets);
	labnic_count_tx_roce(stats, send);
	u64_stats_update_end(&stats->syncp);
}

/**
 * labnic_xmit - ndo_start_xmit
 * @skb: the frame
 * @dev: the NIC
 *
 * Only what the wire took is counted as sent.
 *
 * Return: NETDEV_TX_OK, the frame is gone either way.
 */
netdev_tx_t labnic_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct labnic *nic = netdev_priv(dev);
	struct labnic_send send;
	bool pass;
	int err;

	if (!READ_ONCE(nic->phy_up))
		goto drop;
	labnic_classify(&nic->hw, skb, 0, &send.frame);
	send.bytes = skb->len;
	send.packets = labnic_packets(skb);
	send.protected = labnic_protected(nic, send.frame.prio, &pass);
	if (!pass)
		goto drop;

	skb->dev = nic->lower;
	err = dev_queue_xmit(skb);
	if (likely(err == NET_XMIT_SUCCESS || err == NET_XMIT_CN))
		labnic_count_tx(nic, &send);
	else
		labnic_stats_port_inc(nic, LABNIC_TX_DROPPED);
	return NETDEV_TX_OK;

drop:
	labnic_stats_port_inc(nic, LABNIC_TX_DROPPED);
	kfree_skb(skb);
	return NETDEV_TX_OK;
}

static void labnic_count_flow_control(struct labnic_cpu_stats *stats,
				      const struct labnic_frame *frame)
{
	unsigned int prio;

	if (frame->kind == LABNIC_FRAME_PAUSE) {
		u64_stats_inc(&stats->port[LABNIC_RX_GLOBAL_PAUSE]);
		return;
	}
	for (prio = 0; prio < LABNIC_PRIORITIES; prio++)
		if (frame->pfc & BIT(prio))
			u64_stats_inc(&stats->prio[prio][LABNIC_RX_PAUSE]);
}

static void labnic_count_rx_roce(struct labnic_cpu_stats *stats,
				 const struct labnic_frame *frame)
{
	switch (frame->kind) {
	case LABNIC_FRAME_ROCE:
		u64_stats_inc(&stats->port[LABNIC_RX_ROCE_FRAMES]);
		u64_stats_inc(&stats->prio[frame->prio][LABNIC_RX_ROCE]);
		if (frame->ecn == INET_ECN_CE)
			u64_stats_inc(&stats->port[LABNIC_RX_ROCE_CE]);
		break;
	case LABNIC_FRAME_ROCE_CM:
		u64_stats_inc(&stats->port[LABNIC_RX_ROCE_CM]);
		break;
	case LABNIC_FRAME_ROCE_CNP:
		u64_stats_inc(&stats->port[LABNIC_RX_ROCE_CNP]);
		break;
	default:
		break;
	}
}

static bool labnic_is_flow_control(const struct labnic_frame *frame)
{
	return frame->kind == LABNIC_FRAME_PAUSE ||
	       frame->kind == LABNIC_FRAME_PFC;
}

static void labnic_count_rx(struct labnic *nic, const struct sk_buff *skb,
			    const struct labnic_frame *frame)
{
	struct labnic_cpu_stats *stats = this_cpu_ptr(nic->stats);
	u64_stats_t *prio = stats->prio[frame->prio];

	u64_stats_update_begin(&stats->syncp);
	if (labnic_is_flow_control(frame)) {
		labnic_count_flow_control(stats, frame);
	} else {
		u64_stats_add(&prio[LABNIC_RX_BYTES], skb->len + ETH_HLEN);
		u64_stats_add(&prio[LABNIC_RX_PACKETS], labnic_packets(skb));
		labnic_count_rx_roce(stats, frame);
	}
	u64_stats_update_end(&stats->syncp);
}

/* The wire judged by its own address. */
static void labnic_set_pkt_type(struct sk_buff *skb,
				const struct net_device *dev)
{
	if (skb->pkt_type != PACKET_HOST && skb->pkt_type != PACKET_OTHERHOST)
		return;
	skb->pkt_type = ether_addr_equal_64bits(eth_hdr(skb)->h_dest,
						dev->dev_addr) ?
			PACKET_HOST : PACKET_OTHERHOST;
}

/*
 * A frame of its own, of plain memory: rdma_rxe frees those that wait on a queue
 * pair with interrupts off, which pages of the wire's pool do not allow (7.3).
 */
static struct sk_buff *labnic_own(struct sk_buff *skb)
{
	struct sk_buff *copy;

	if (!labnic_is_of_pool(skb))
		return skb_share_check(skb, GFP_ATOMIC);
	copy = skb_copy(skb, GFP_ATOMIC);
	consume_skb(skb);
	return copy;
}

/**
 * labnic_rx - rx handler of the wire
 * @pskb: the frame, network header first
 *
 * Return: RX_HANDLER_ANOTHER with the frame now the NIC's, or
 *	RX_HANDLER_CONSUMED.
 */
rx_handler_result_t labnic_rx(struct sk_buff **pskb)
{
	struct labnic *nic = rcu_dereference((*pskb)->dev->rx_handler_data);
	struct net_device *dev = nic->dev;
	struct labnic_frame frame;
	struct sk_buff *skb;

	if ((*pskb)->pkt_type == PACKET_LOOPBACK)
		return RX_HANDLER_PASS;
	skb = labnic_own(*pskb);
	if (!skb)
		return RX_HANDLER_CONSUMED;
	*pskb = skb;

	if (!(READ_ONCE(dev->flags) & IFF_UP) || !READ_ONCE(nic->phy_up)) {
		labnic_stats_port_inc(nic, LABNIC_RX_DROPPED);
		kfree_skb(skb);
		return RX_HANDLER_CONSUMED;
	}
	labnic_classify(&nic->hw, skb, skb_mac_offset(skb), &frame);
	labnic_count_rx(nic, skb, &frame);
	if (labnic_is_flow_control(&frame)) {
		labnic_pause_rx(nic, &frame);
		consume_skb(skb);
		return RX_HANDLER_CONSUMED;
	}
	skb->dev = dev;
	labnic_set_pkt_type(skb, dev);
	return RX_HANDLER_ANOTHER;
}
