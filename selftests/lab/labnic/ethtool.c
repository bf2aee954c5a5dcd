// SPDX-License-Identifier: GPL-2.0
/* ethtool: link, pause, and statistics named as mlx5_core names them. */
#include <linux/ethtool.h>
#include "labnic.h"

static const struct {
	const char *dir;
	const char *what;
	bool pause;
	bool us;
} labnic_prio_names[LABNIC_PRIO_STATS] = {
	[LABNIC_RX_BYTES] = { "rx", "bytes" },
	[LABNIC_RX_PACKETS] = { "rx", "packets" },
	[LABNIC_TX_BYTES] = { "tx", "bytes" },
	[LABNIC_TX_PACKETS] = { "tx", "packets" },
	[LABNIC_RX_PAUSE] = { "rx", "pause", true },
	[LABNIC_TX_PAUSE] = { "tx", "pause", true },
	[LABNIC_RX_ROCE] = { "rx", "roce_frames" },
	[LABNIC_TX_ROCE] = { "tx", "roce_frames" },
	[LABNIC_RX_PAUSE_US] = { "rx", "pause_duration", true, true },
	[LABNIC_TX_PAUSE_US] = { "tx", "pause_duration", true, true },
};

static const char * const labnic_port_names[LABNIC_PORT_STATS] = {
	[LABNIC_RX_GLOBAL_PAUSE] = "rx_global_pause",
	[LABNIC_TX_GLOBAL_PAUSE] = "tx_global_pause",
	[LABNIC_RX_DROPPED] = "rx_discards_phy",
	[LABNIC_TX_DROPPED] = "tx_discards_phy",
	[LABNIC_LINK_DOWNS] = "link_down_events_phy",
	[LABNIC_TX_ROCE_FRAMES] = "tx_roce_frames",
	[LABNIC_TX_ROCE_UNPROTECTED] = "tx_roce_unprotected",
	[LABNIC_TX_ROCE_CM] = "tx_roce_cm",
	[LABNIC_TX_ROCE_UNPROTECTED_CM] = "tx_roce_unprotected_cm",
	[LABNIC_TX_ROCE_CNP] = "tx_roce_cnp",
	[LABNIC_RX_ROCE_FRAMES] = "rx_roce_frames",
	[LABNIC_RX_ROCE_CM] = "rx_roce_cm",
	[LABNIC_RX_ROCE_CNP] = "rx_roce_cnp",
	[LABNIC_RX_ROCE_CE] = "rx_roce_ce",
	[LABNIC_RP_CNP_HANDLED] = "rp_cnp_handled",
	[LABNIC_RP_CNP_IGNORED] = "rp_cnp_ignored",
	[LABNIC_ACK_TIMEOUT] = "local_ack_timeout_err",
	[LABNIC_PCI_STALLED] = "outbound_pci_stalled_wr_events",
	[LABNIC_STORM_WARNINGS] = "tx_pause_storm_warning_events",
	[LABNIC_STORM_ERRORS] = "tx_pause_storm_error_events",
};

static bool labnic_prio_stat_shown(const struct labnic *nic, unsigned int prio,
				   unsigned int stat)
{
	if (labnic_prio_names[stat].us && nic->personality->no_pause_us)
		return false;
	return !labnic_prio_names[stat].pause ||
	       !nic->personality->pause_stats_follow_pfc ||
	       READ_ONCE(nic->hw.pfc) & BIT(prio);
}

static void labnic_get_drvinfo(struct net_device *dev,
			       struct ethtool_drvinfo *info)
{
	struct labnic *nic = netdev_priv(dev);

	strscpy(info->driver, LABNIC_KIND, sizeof(info->driver));
	strscpy(info->fw_version, nic->personality->name,
		sizeof(info->fw_version));
	strscpy(info->bus_info, netdev_name(nic->lower),
		sizeof(info->bus_info));
}

static int labnic_get_link_ksettings(struct net_device *dev,
				     struct ethtool_link_ksettings *cmd)
{
	struct labnic *nic = netdev_priv(dev);
	bool up = netif_running(dev) && netif_carrier_ok(dev);

	ethtool_link_ksettings_zero_link_mode(cmd, supported);
	ethtool_link_ksettings_zero_link_mode(cmd, advertising);
	ethtool_link_ksettings_add_link_mode(cmd, supported, 100000baseCR4_Full);
	ethtool_link_ksettings_add_link_mode(cmd, supported, 25000baseCR_Full);
	ethtool_link_ksettings_add_link_mode(cmd, supported, Pause);
	cmd->base.speed = up ? READ_ONCE(nic->speed) : SPEED_UNKNOWN;
	cmd->base.duplex = up ? DUPLEX_FULL : DUPLEX_UNKNOWN;
	cmd->base.port = PORT_DA;
	cmd->base.autoneg = AUTONEG_DISABLE;
	return 0;
}

/*
 * A name for the speed only: frames are no slower, and just pauses last longer. The
 * link is lost by it.
 */
static int labnic_set_link_ksettings(struct net_device *dev,
				     const struct ethtool_link_ksettings *cmd)
{
	struct labnic *nic = netdev_priv(dev);

	if (cmd->base.autoneg != AUTONEG_DISABLE ||
	    (cmd->base.speed != 100 && cmd->base.speed != 25000 &&
	     cmd->base.speed != LABNIC_SPEED_MBPS))
		return -EINVAL;
	if (cmd->base.speed == READ_ONCE(nic->speed))
		return 0;
	WRITE_ONCE(nic->speed, cmd->base.speed);
	labnic_wire_drop(nic, labnic_toggle_ms);
	return 0;
}

int labnic_do_begin(struct labnic *nic, void *arg)
{
	return 0;
}

static int labnic_begin(struct net_device *dev)
{
	return labnic_call(netdev_priv(dev), LABNIC_BEGIN, NULL);
}

int labnic_do_getpause(struct labnic *nic, void *arg)
{
	struct ethtool_pauseparam *pause = arg;
	struct labnic_hw hw;

	labnic_hw_get(nic, &hw);
	pause->autoneg = nic->drv.pause_autoneg;
	pause->rx_pause = hw.pause_rx;
	pause->tx_pause = hw.pause_tx;
	return 0;
}

/* Can't fail, only be silent. */
static void labnic_get_pauseparam(struct net_device *dev,
				  struct ethtool_pauseparam *pause)
{
	labnic_call(netdev_priv(dev), LABNIC_GETPAUSE, pause);
}

static int labnic_set_pause(struct labnic *nic,
			    const struct ethtool_pauseparam *pause)
{
	if (nic->personality->set_pause)
		return nic->personality->set_pause(nic, pause);
	if (pause->autoneg)
		return -EINVAL;
	labnic_hw_set_pause(nic, pause->rx_pause, pause->tx_pause);
	return 0;
}

int labnic_do_setpause(struct labnic *nic, void *arg)
{
	const struct ethtool_pauseparam *pause = arg;
	int err;

	err = labnic_set_pause(nic, pause);
	labnic_journal(nic, err, "pause rx %u tx %u autoneg %u",
		       pause->rx_pause, pause->tx_pause, pause->autoneg);
	return err;
}

static int labnic_set_pauseparam(struct net_device *dev,
				 struct ethtool_pauseparam *pause)
{
	return labnic_call(netdev_priv(dev), LABNIC_SETPAUSE, pause);
}

static u32 labnic_get_priv_flags(struct net_device *dev)
{
	const struct labnic *nic = netdev_priv(dev);

	return nic->fw_lldp;
}

static int labnic_set_priv_flags(struct net_device *dev, u32 flags)
{
	struct labnic *nic = netdev_priv(dev);
	bool on = flags;

	if (!nic->personality->agent_flag)
		return -EOPNOTSUPP;
	if (on == nic->fw_lldp)
		return 0;
	nic->fw_lldp = on;
	nic->personality->set_agent(nic);
	labnic_journal(nic, 0, "%s %s", nic->personality->agent_flag,
		       on ? "on" : "off");
	return 0;
}

int labnic_do_getstorm(struct labnic *nic, void *arg)
{
	struct labnic_storm_arg *storm = arg;
	struct labnic_hw hw;

	labnic_hw_get(nic, &hw);
	storm->ms = hw.storm_ms;
	return 0;
}

int labnic_do_setstorm(struct labnic *nic, void *arg)
{
	const struct labnic_storm_arg *storm = arg;
	int err;

	err = nic->personality->set_storm(nic, storm->ms);
	labnic_journal(nic, err, "storm prevention %u ms", storm->ms);
	return err;
}

static bool labnic_has_tunable(const struct labnic *nic,
			       const struct ethtool_tunable *tunable)
{
	return tunable->id == ETHTOOL_PFC_PREVENTION_TOUT &&
	       nic->personality->set_storm;
}

static int labnic_get_tunable(struct net_device *dev,
			      const struct ethtool_tunable *tunable, void *data)
{
	struct labnic *nic = netdev_priv(dev);
	struct labnic_storm_arg arg = { .ms = 0 };
	int err;

	if (!labnic_has_tunable(nic, tunable))
		return -EOPNOTSUPP;
	err = labnic_call(nic, LABNIC_GETSTORM, &arg);
	*(u16 *)data = arg.ms;
	return err;
}

static int labnic_set_tunable(struct net_device *dev,
			      const struct ethtool_tunable *tunable,
			      const void *data)
{
	struct labnic *nic = netdev_priv(dev);
	struct labnic_storm_arg arg = { .ms = *(const u16 *)data };

	if (!labnic_has_tunable(nic, tunable))
		return -EOPNOTSUPP;
	return labnic_call(nic, LABNIC_SETSTORM, &arg);
}

static void labnic_get_pause_stats(struct net_device *dev,
				   struct ethtool_pause_stats *stats)
{
	struct labnic_counters sum;

	labnic_stats_read(netdev_priv(dev), &sum);
	stats->rx_pause_frames = sum.port[LABNIC_RX_GLOBAL_PAUSE];
	stats->tx_pause_frames = sum.port[LABNIC_TX_GLOBAL_PAUSE];
}

static int labnic_get_sset_count(struct net_device *dev, int sset)
{
	const struct labnic *nic = netdev_priv(dev);
	int count = LABNIC_PORT_STATS;
	unsigned int prio, i;

	if (sset == ETH_SS_PRIV_FLAGS)
		return nic->personality->agent_flag ? 1 : 0;
	if (sset != ETH_SS_STATS)
		return -EOPNOTSUPP;
	for (prio = 0; prio < LABNIC_PRIORITIES; prio++)
		for (i = 0; i < LABNIC_PRIO_STATS; i++)
			count += labnic_prio_stat_shown(nic, prio, i);
	return count + READ_ONCE(nic->filler);
}

static void labnic_prio_stat_name(char *name, unsigned int prio,
				  unsigned int stat)
{
	snprintf(name, ETH_GSTRING_LEN, "%s_prio%u_%s",
		 labnic_prio_names[stat].dir, prio, labnic_prio_names[stat].what);
}

/**
 * labnic_stat_find - which counter a statistic is
 * @name: its name
 * @prio: set to its priority, -1: it is one of the port
 * @stat: set to enum labnic_prio_stat or enum labnic_port_stat
 *
 * Return: 0 or -ENOENT.
 */
int labnic_stat_find(const char *name, int *prio, unsigned int *stat)
{
	char seen[ETH_GSTRING_LEN];

	*prio = -1;
	for (*stat = 0; *stat < LABNIC_PORT_STATS; (*stat)++)
		if (!strcmp(name, labnic_port_names[*stat]))
			return 0;
	for (*prio = 0; *prio < LABNIC_PRIORITIES; (*prio)++)
		for (*stat = 0; *stat < LABNIC_PRIO_STATS; (*stat)++) {
			labnic_prio_stat_name(seen, *prio, *stat);
			if (!strcmp(name, seen))
				return 0;
		}
	return -ENOENT;
}

static void labnic_get_strings(struct net_device *dev, u32 sset, u8 *data)
{
	const struct labnic *nic = netdev_priv(dev);
	unsigned int prio, i;

	if (sset == ETH_SS_PRIV_FLAGS && nic->personality->agent_flag)
		strscpy(data, nic->personality->agent_flag, ETH_GSTRING_LEN);
	if (sset != ETH_SS_STATS)
		return;
	for (i = 0; i < LABNIC_PORT_STATS; i++) {
		strscpy(data, labnic_port_names[i], ETH_GSTRING_LEN);
		data += ETH_GSTRING_LEN;
	}
	for (prio = 0; prio < LABNIC_PRIORITIES; prio++)
		for (i = 0; i < LABNIC_PRIO_STATS; i++) {
			if (!labnic_prio_stat_shown(nic, prio, i))
				continue;
			labnic_prio_stat_name(data, prio, i);
			data += ETH_GSTRING_LEN;
		}
	labnic_filler_names(nic, data);
}

int labnic_do_getstats(struct labnic *nic, void *arg)
{
	struct labnic_counters sum;
	unsigned int prio, i;
	u64 *data = arg;

	/* Reading them takes a command. */
	labnic_hw_begin(nic);
	labnic_hw_end(nic);
	labnic_stats_read(nic, &sum);
	/* Real NICs have these in 32 bits, too. */
	sum.port[LABNIC_LINK_DOWNS] = (u32)sum.port[LABNIC_LINK_DOWNS];
	sum.port[LABNIC_PCI_STALLED] = (u32)sum.port[LABNIC_PCI_STALLED];
	for (i = 0; i < LABNIC_PORT_STATS; i++)
		*data++ = sum.port[i];
	for (prio = 0; prio < LABNIC_PRIORITIES; prio++)
		for (i = 0; i < LABNIC_PRIO_STATS; i++)
			if (labnic_prio_stat_shown(nic, prio, i))
				*data++ = sum.prio[prio][i];
	labnic_filler_values(nic, data);
	return 0;
}

/* Can't fail: what was not read stays 0. */
static void labnic_get_ethtool_stats(struct net_device *dev,
				     struct ethtool_stats *stats, u64 *data)
{
	labnic_call(netdev_priv(dev), LABNIC_GETSTATS, data);
}

const struct ethtool_ops labnic_ethtool_ops = {
	.begin = labnic_begin,
	.get_drvinfo = labnic_get_drvinfo,
	.get_link = ethtool_op_get_link,
	.get_link_ksettings = labnic_get_link_ksettings,
	.set_link_ksettings = labnic_set_link_ksettings,
	.get_pauseparam = labnic_get_pauseparam,
	.set_pauseparam = labnic_set_pauseparam,
	.get_tunable = labnic_get_tunable,
	.set_tunable = labnic_set_tunable,
	.get_priv_flags = labnic_get_priv_flags,
	.set_priv_flags = labnic_set_priv_flags,
	.get_pause_stats = labnic_get_pause_stats,
	.get_sset_count = labnic_get_sset_count,
	.get_strings = labnic_get_strings,
	.get_ethtool_stats = labnic_get_ethtool_stats,
};
