// SPDX-License-Identifier: GPL-2.0
/*
 * How long each priority was paused: by PFC frames from the wire, as long as they
 * say, and by those that the NIC itself sends when it is told to (debugfs xoff). As
 * on a real port both need PFC on for the priority, and a quantum takes 512 bit
 * times at the speed of the link.
 */
#include <linux/etherdevice.h>
#include <linux/ktime.h>
#include "labnic.h"

#define LABNIC_QUANTUM_BITS	512
#define LABNIC_XOFF_QUANTA	0xffff
#define LABNIC_XOFF_EVERY_MS	20

/* A MAC control frame of 802.1Qbb, without its padding. */
struct labnic_pfc_frame {
	u8 dest[ETH_ALEN];
	u8 source[ETH_ALEN];
	__be16 proto;
	__be16 opcode;
	__be16 enabled;
	__be16 quanta[LABNIC_PRIORITIES];
} __packed;

/* Account for what has passed of the last pause. */
static void labnic_pause_settle(struct labnic_pause *pause, u64 now)
{
	u64 end = min(now, pause->until);

	if (end > pause->since) {
		pause->ns += end - pause->since;
		pause->longest = max(pause->longest, end - pause->run);
	}
	pause->since = now;
}

static void labnic_pause_begin(struct labnic *nic, struct labnic_pause *pause,
			       u16 quanta, u64 now)
{
	u64 bits = (u64)quanta * LABNIC_QUANTUM_BITS;

	labnic_pause_settle(pause, now);
	if (now > pause->until)
		pause->run = now;
	pause->until = now + div_u64(bits * NSEC_PER_USEC,
				     READ_ONCE(nic->speed));
}

/**
 * labnic_pause_rx - a PFC frame came
 * @nic: the NIC
 * @frame: the frame
 */
void labnic_pause_rx(struct labnic *nic, const struct labnic_frame *frame)
{
	u8 heard = frame->pfc & READ_ONCE(nic->hw.pfc);
	u64 now = ktime_get_ns();
	unsigned int prio;

	spin_lock_bh(&nic->pause_lock);
	for (prio = 0; prio < LABNIC_PRIORITIES; prio++)
		if (heard & BIT(prio))
			labnic_pause_begin(nic, &nic->pause[LABNIC_RX][prio],
					   frame->quanta[prio], now);
	spin_unlock_bh(&nic->pause_lock);
}

/**
 * labnic_pause_end - PFC is on for these priorities and no others
 * @nic: the NIC
 * @pfc: mask of priorities
 */
void labnic_pause_end(struct labnic *nic, u8 pfc)
{
	u64 now = ktime_get_ns();
	unsigned int way, prio;

	spin_lock_bh(&nic->pause_lock);
	for (way = 0; way < LABNIC_WAYS; way++)
		for (prio = 0; prio < LABNIC_PRIORITIES; prio++) {
			struct labnic_pause *pause = &nic->pause[way][prio];

			if (pfc & BIT(prio))
				continue;
			labnic_pause_settle(pause, now);
			pause->until = now;
		}
	spin_unlock_bh(&nic->pause_lock);
}

/**
 * labnic_pause_read - for how long priorities were paused
 * @nic: the NIC
 * @sum: gets it, in us
 */
void labnic_pause_read(struct labnic *nic, struct labnic_counters *sum)
{
	static const u8 stat[LABNIC_WAYS] = {
		[LABNIC_RX] = LABNIC_RX_PAUSE_US,
		[LABNIC_TX] = LABNIC_TX_PAUSE_US,
	};
	u64 now = ktime_get_ns();
	unsigned int way, prio;

	spin_lock_bh(&nic->pause_lock);
	for (way = 0; way < LABNIC_WAYS; way++)
		for (prio = 0; prio < LABNIC_PRIORITIES; prio++) {
			struct labnic_pause *pause = &nic->pause[way][prio];

			labnic_pause_settle(pause, now);
			sum->prio[prio][stat[way]] =
				div_u64(pause->ns, NSEC_PER_USEC);
		}
	spin_unlock_bh(&nic->pause_lock);
}

/**
 * labnic_longest_pause - the longest pause of any priority, whoever sent it
 * @nic: the NIC
 * @forget: begin anew
 *
 * Return: it, in ns.
 */
u64 labnic_longest_pause(struct labnic *nic, bool forget)
{
	u64 now = ktime_get_ns(), longest = 0;
	unsigned int way, prio;

	spin_lock_bh(&nic->pause_lock);
	for (way = 0; way < LABNIC_WAYS; way++)
		for (prio = 0; prio < LABNIC_PRIORITIES; prio++) {
			struct labnic_pause *pause = &nic->pause[way][prio];

			labnic_pause_settle(pause, now);
			longest = max(longest, pause->longest);
			if (forget)
				pause->longest = 0;
		}
	spin_unlock_bh(&nic->pause_lock);
	return longest;
}

static struct sk_buff *labnic_pfc_frame(struct labnic *nic, u8 mask, u16 quanta)
{
	struct labnic_pfc_frame *frame;
	struct sk_buff *skb;
	unsigned int prio;

	skb = alloc_skb(LL_RESERVED_SPACE(nic->lower) + ETH_ZLEN, GFP_KERNEL);
	if (!skb)
		return NULL;
	skb_reserve(skb, LL_RESERVED_SPACE(nic->lower));
	frame = skb_put_zero(skb, ETH_ZLEN);
	ether_addr_copy(frame->dest, labnic_mac_control);
	ether_addr_copy(frame->source, nic->dev->dev_addr);
	frame->proto = htons(ETH_P_PAUSE);
	frame->opcode = htons(LABNIC_OPCODE_PFC);
	frame->enabled = htons(mask);
	for (prio = 0; prio < LABNIC_PRIORITIES; prio++)
		if (mask & BIT(prio))
			frame->quanta[prio] = htons(quanta);
	skb->dev = nic->lower;
	skb->protocol = htons(ETH_P_PAUSE);
	skb_reset_mac_header(skb);
	skb_set_network_header(skb, ETH_HLEN);
	return skb;
}

static void labnic_pause_tx(struct labnic *nic, u8 mask, u16 quanta)
{
	struct sk_buff *skb = labnic_pfc_frame(nic, mask, quanta);
	u64 now = ktime_get_ns();
	unsigned int prio;

	if (!skb || !READ_ONCE(nic->phy_up)) {
		kfree_skb(skb);
		return;
	}
	dev_queue_xmit(skb);
	labnic_stats_pause_sent(nic, mask);
	spin_lock_bh(&nic->pause_lock);
	for (prio = 0; prio < LABNIC_PRIORITIES; prio++)
		if (mask & BIT(prio))
			labnic_pause_begin(nic, &nic->pause[LABNIC_TX][prio],
					   quanta, now);
	spin_unlock_bh(&nic->pause_lock);
}

static void labnic_xoff_work(struct work_struct *work)
{
	struct labnic *nic = container_of(to_delayed_work(work), struct labnic,
					  xoff_work);
	u8 want = READ_ONCE(nic->xoff), pfc = READ_ONCE(nic->hw.pfc);

	if (nic->xoff_sent & ~want & pfc)
		labnic_pause_tx(nic, nic->xoff_sent & ~want & pfc, 0);
	if (want & pfc)
		labnic_pause_tx(nic, want & pfc, LABNIC_XOFF_QUANTA);
	nic->xoff_sent = want & pfc;
	if (want)
		schedule_delayed_work(&nic->xoff_work,
				      msecs_to_jiffies(LABNIC_XOFF_EVERY_MS));
}

/**
 * labnic_xoff - stop the peer's priorities, and go on doing so
 * @nic: the NIC
 * @mask: of priorities; 0: let it go on
 */
void labnic_xoff(struct labnic *nic, u8 mask)
{
	WRITE_ONCE(nic->xoff, mask);
	labnic_journal(nic, 0, "xoff 0x%02x", mask);
	mod_delayed_work(system_wq, &nic->xoff_work, 0);
}

void labnic_pause_init(struct labnic *nic)
{
	spin_lock_init(&nic->pause_lock);
	INIT_DELAYED_WORK(&nic->xoff_work, labnic_xoff_work);
}

void labnic_pause_exit(struct labnic *nic)
{
	WRITE_ONCE(nic->xoff, 0);
	cancel_delayed_work_sync(&nic->xoff_work);
}
