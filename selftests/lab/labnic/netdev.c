// SPDX-License-Identifier: GPL-2.0
/* The netdev: birth, death, up, down, addresses. */
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <linux/ktime.h>
#include <linux/moduleparam.h>
#include <linux/rtnetlink.h>
#include "card.h"
#include "compat.h"
#include "labnic.h"

/* What the wire can't do itself, the stack does when it sends on it. */
#define LABNIC_FEATURES	(NETIF_F_SG | NETIF_F_HW_CSUM | NETIF_F_HIGHDMA | \
			 NETIF_F_FRAGLIST | NETIF_F_GSO_SOFTWARE | \
			 NETIF_F_RXCSUM)

/* Where pause and PFC frames are sent to (802.3 annex 31B, 802.1Qbb). */
const u8 labnic_mac_control[ETH_ALEN] = {
	0x01, 0x80, 0xc2, 0x00, 0x00, 0x01
};

static bool labnic_forgets;
module_param_named(forget, labnic_forgets, bool, 0644);
MODULE_PARM_DESC(forget,
		 "A NIC that goes up has forgotten its configuration (default: no)");

static int labnic_ndo_init(struct net_device *dev)
{
	struct labnic *nic = netdev_priv(dev);
	int err;

	netdev_lockdep_set_classes(dev);
	nic->stats = labnic_stats_alloc();
	if (!nic->stats)
		return -ENOMEM;

	spin_lock_init(&nic->hw_lock);
	labnic_faults_init(nic);
	labnic_life_init(nic);
	labnic_wire_init(nic);
	labnic_pause_init(nic);

	err = netdev_rx_handler_register(nic->lower, labnic_rx, nic);
	if (err) {
		free_percpu(nic->stats);
		return err;
	}
	dev_hold(nic->lower);
	labnic_card_take(dev);
	labnic_debugfs_add(nic);
	labnic_journal(nic, 0, "created on %s as %s", netdev_name(nic->lower),
		       nic->personality->name);
	return 0;
}

static void labnic_ndo_uninit(struct net_device *dev)
{
	struct labnic *nic = netdev_priv(dev);

	/* Resets come from debugfs, and only they need no rtnl. */
	labnic_debugfs_del(nic);
	labnic_pause_exit(nic);
	labnic_life_exit(nic);
	labnic_wire_exit(nic);
	netdev_rx_handler_unregister(nic->lower);
	labnic_card_leave(dev);
	/* Not in the destructor: a wire in the same batch may wait before it. */
	dev_put(nic->lower);
}

static void labnic_free(struct net_device *dev)
{
	struct labnic *nic = netdev_priv(dev);

	free_percpu(nic->stats);
}

static int labnic_open(struct net_device *dev)
{
	struct labnic *nic = netdev_priv(dev);
	struct net_device *lower = nic->lower;
	int err;

	/* The wire has no life of its own: its user sets up only the NIC. */
	err = dev_open(lower, NULL);
	if (err)
		return err;
	/* Also if equal: the wire may be given another address. */
	err = dev_uc_add(lower, dev->dev_addr);
	if (err)
		return err;
	err = dev_mc_add(lower, labnic_mac_control);
	if (err)
		goto err_uc;
	if (dev->flags & IFF_ALLMULTI) {
		err = dev_set_allmulti(lower, 1);
		if (err)
			goto err_mc;
	}
	if (dev->flags & IFF_PROMISC) {
		err = dev_set_promiscuity(lower, 1);
		if (err)
			goto err_allmulti;
	}

	if (!nic->first_open) {
		nic->first_open = ktime_get_ns();
		labnic_journal(nic, 0, "first open");
	}
	if (READ_ONCE(labnic_forgets))
		labnic_forget(nic);
	labnic_wire_train(nic);
	labnic_wire_sync(nic, false);
	return 0;

err_allmulti:
	if (dev->flags & IFF_ALLMULTI)
		dev_set_allmulti(lower, -1);
err_mc:
	dev_mc_del(lower, labnic_mac_control);
err_uc:
	dev_uc_del(lower, dev->dev_addr);
	return err;
}

static int labnic_stop(struct net_device *dev)
{
	struct labnic *nic = netdev_priv(dev);
	struct net_device *lower = nic->lower;

	dev_mc_unsync(lower, dev);
	dev_uc_unsync(lower, dev);
	if (dev->flags & IFF_ALLMULTI)
		dev_set_allmulti(lower, -1);
	if (dev->flags & IFF_PROMISC)
		dev_set_promiscuity(lower, -1);
	dev_mc_del(lower, labnic_mac_control);
	dev_uc_del(lower, dev->dev_addr);
	return 0;
}

static void labnic_change_rx_flags(struct net_device *dev, int change)
{
	struct labnic *nic = netdev_priv(dev);

	if (!(dev->flags & IFF_UP))
		return;
	if (change & IFF_ALLMULTI)
		dev_set_allmulti(nic->lower,
				 dev->flags & IFF_ALLMULTI ? 1 : -1);
	if (change & IFF_PROMISC)
		dev_set_promiscuity(nic->lower,
				    dev->flags & IFF_PROMISC ? 1 : -1);
}

static void labnic_set_rx_mode(struct net_device *dev)
{
	struct labnic *nic = netdev_priv(dev);

	dev_mc_sync(nic->lower, dev);
	dev_uc_sync(nic->lower, dev);
}
LABNIC_DEFINE_RX_MODE(labnic_set_rx_mode)

static int labnic_set_mac_address(struct net_device *dev, void *p)
{
	struct labnic *nic = netdev_priv(dev);
	struct sockaddr *addr = p;
	int err;

	if (!is_valid_ether_addr(addr->sa_data))
		return -EADDRNOTAVAIL;
	if (dev->flags & IFF_UP) {
		err = dev_uc_add(nic->lower, addr->sa_data);
		if (err)
			return err;
		dev_uc_del(nic->lower, dev->dev_addr);
	}
	eth_hw_addr_set(dev, addr->sa_data);
	return 0;
}

static int labnic_change_mtu(struct net_device *dev, int mtu)
{
	WRITE_ONCE(dev->mtu, mtu);
	labnic_lose(netdev_priv(dev), LABNIC_LOSS_MTU);
	return 0;
}

/* What the NIC is to let through, the wire has to let through before it. */
static int labnic_vlan_rx_add_vid(struct net_device *dev, __be16 proto,
				  u16 vid)
{
	struct labnic *nic = netdev_priv(dev);

	return vlan_vid_add(nic->lower, proto, vid);
}

static int labnic_vlan_rx_kill_vid(struct net_device *dev, __be16 proto,
				   u16 vid)
{
	struct labnic *nic = netdev_priv(dev);

	vlan_vid_del(nic->lower, proto, vid);
	return 0;
}

static void labnic_get_stats64(struct net_device *dev,
			       struct rtnl_link_stats64 *stats)
{
	struct labnic_counters sum;
	unsigned int prio;

	labnic_stats_read(netdev_priv(dev), &sum);
	for (prio = 0; prio < LABNIC_PRIORITIES; prio++) {
		stats->rx_bytes += sum.prio[prio][LABNIC_RX_BYTES];
		stats->rx_packets += sum.prio[prio][LABNIC_RX_PACKETS];
		stats->tx_bytes += sum.prio[prio][LABNIC_TX_BYTES];
		stats->tx_packets += sum.prio[prio][LABNIC_TX_PACKETS];
	}
	stats->rx_dropped += sum.port[LABNIC_RX_DROPPED];
	stats->tx_dropped += sum.port[LABNIC_TX_DROPPED];
}

static const struct net_device_ops labnic_netdev_ops = {
	.ndo_init = labnic_ndo_init,
	.ndo_uninit = labnic_ndo_uninit,
	.ndo_open = labnic_open,
	.ndo_stop = labnic_stop,
	.ndo_start_xmit = labnic_xmit,
	.ndo_change_rx_flags = labnic_change_rx_flags,
	LABNIC_RX_MODE(labnic_set_rx_mode),
	.ndo_set_mac_address = labnic_set_mac_address,
	.ndo_change_mtu = labnic_change_mtu,
	.ndo_validate_addr = eth_validate_addr,
	.ndo_vlan_rx_add_vid = labnic_vlan_rx_add_vid,
	.ndo_vlan_rx_kill_vid = labnic_vlan_rx_kill_vid,
	.ndo_get_stats64 = labnic_get_stats64,
};

/**
 * labnic_setup - what all NICs of the kind have in common
 * @dev: a netdev just allocated
 */
void labnic_setup(struct net_device *dev)
{
	ether_setup(dev);
	dev->netdev_ops = &labnic_netdev_ops;
	dev->ethtool_ops = &labnic_ethtool_ops;
	dev->needs_free_netdev = true;
	dev->priv_destructor = labnic_free;
	/* The wire has the queue. */
	dev->priv_flags |= IFF_NO_QUEUE | IFF_LIVE_ADDR_CHANGE |
			   IFF_UNICAST_FLT;
	dev->priv_flags &= ~IFF_TX_SKB_SHARING;
	/* Until the wire is known. */
	dev->max_mtu = ETH_MAX_MTU;
	dev->hw_features = LABNIC_FEATURES;
	dev->features = LABNIC_FEATURES | NETIF_F_HW_VLAN_CTAG_FILTER |
			NETIF_F_HW_VLAN_STAG_FILTER;
	dev->vlan_features = LABNIC_FEATURES;
	netif_carrier_off(dev);
}
