// SPDX-License-Identifier: GPL-2.0
/*
 * The personality "mlx5": the habits of mlx5_core.
 *
 * - A PFC mask that differs from the hardware's drops the link and rewrites the
 *   receive buffers; an equal one does nothing.
 * - ieee_pfc.delay is metres of cable.
 * - Trust follows the APP table: DSCP from the first DSCP entry to the last.
 *   An entry replaces the one of the same DSCP. Only DSCP entries are taken.
 * - The map that the firmware comes with is DSCP >> 3; it rules as soon as DSCP
 *   is trusted.
 * - An entry can be deleted only with the priority that the hardware has; the
 *   DSCP is in priority 0 then.
 * - Traffic classes that share no bandwidth read 100 percent.
 * - The notification point of DCQCN is one switch for the port.
 * - Storm prevention takes 80 to 8000 ms; auto becomes 100 and reads so.
 * - Hardware that trusts DSCP as the driver starts (module parameter warm) has its
 *   map put into the APP table as it was then, some time after the netdev is
 *   there. An entry made in between has a stale one beside it.
 */
#include <linux/ethtool.h>
#include <linux/math64.h>
#include "compat.h"
#include "labnic.h"

#define LABNIC_MLX5_CABLE_METRES	7
#define LABNIC_MLX5_CABLE_METRES_MAX	1000
#define LABNIC_MLX5_BUFFER_CELL		128
#define LABNIC_MLX5_LOSSY_BUFFER	0
#define LABNIC_MLX5_LOSSLESS_BUFFER	1
#define LABNIC_MLX5_RATE_UNIT		100000		/* Kb/s */
#define LABNIC_MLX5_RATE_UNIT_BIG	1000000		/* Kb/s */
#define LABNIC_MLX5_RATE_STEPS		255
#define LABNIC_MLX5_STORM_AUTO_MS	100
#define LABNIC_MLX5_STORM_MS_MIN	80
#define LABNIC_MLX5_STORM_MS_MAX	8000

static void labnic_mlx5_power_on(struct labnic_hw *hw)
{
	unsigned int i;

	labnic_hw_power_on(hw);
	for (i = 0; i < LABNIC_DSCPS; i++)
		hw->dscp2prio[i] = i >> 3;
	for (i = 0; i < LABNIC_PRIORITIES; i++)
		hw->prio_tc[i] = i;
	/* Untagged traffic is to have the better of the two lowest classes. */
	hw->prio_tc[0] = 1;
	hw->prio_tc[1] = 0;
	memset(hw->tsa, IEEE_8021QAZ_TSA_VENDOR, sizeof(hw->tsa));
	memset(hw->bandwidth, 100, sizeof(hw->bandwidth));
}

static void labnic_mlx5_load(struct labnic *nic)
{
	struct labnic_driver *drv = &nic->drv;
	struct labnic_hw hw;

	labnic_hw_get(nic, &hw);
	memset(drv, 0, sizeof(*drv));
	drv->dcbx = DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_IEEE |
		    DCB_CAP_DCBX_VER_CEE;
	drv->delay = LABNIC_MLX5_CABLE_METRES;
	drv->trust = hw.trust;
	memcpy(drv->dscp2prio, hw.dscp2prio, sizeof(drv->dscp2prio));
	memcpy(drv->dscp2prio_late, hw.dscp2prio, sizeof(drv->dscp2prio_late));
	drv->late = hw.trust == LABNIC_TRUST_DSCP;
}

static void labnic_mlx5_late(struct labnic *nic)
{
	struct dcb_app app = { .selector = IEEE_8021QAZ_APP_SEL_DSCP };

	if (!nic->drv.late)
		return;
	nic->drv.late = false;
	for (app.protocol = 0; app.protocol < LABNIC_DSCPS; app.protocol++) {
		app.priority = nic->drv.dscp2prio_late[app.protocol];
		if (!dcb_ieee_setapp(nic->dev, &app))
			nic->drv.dscp_apps++;
	}
}

/*
 * What a lossless priority must still take in after it has said stop: two
 * frames under way, the wire there and back at 5 ns a metre, and the 3.8 us in
 * which the other end has to obey.
 */
static u32 labnic_mlx5_headroom(const struct labnic *nic)
{
	u32 bytes_per_us = LABNIC_SPEED_MBPS / 8;
	u32 frames = 2 * (nic->dev->mtu + ETH_HLEN + ETH_FCS_LEN);
	u32 cable = 2 * nic->drv.delay * bytes_per_us / 200;
	u32 answer = 38 * bytes_per_us / 10;

	return round_up(frames + cable + answer, LABNIC_MLX5_BUFFER_CELL);
}

static void labnic_mlx5_write_buffers(struct labnic *nic, u8 pfc)
{
	struct dcbnl_buffer buf = { };
	u32 lossless;
	unsigned int i;

	lossless = min_t(u32, hweight8(pfc) * labnic_mlx5_headroom(nic),
			 LABNIC_BUFFER_TOTAL / 2);
	for (i = 0; i < LABNIC_PRIORITIES; i++)
		buf.prio2buffer[i] = pfc & BIT(i) ?
				     LABNIC_MLX5_LOSSLESS_BUFFER :
				     LABNIC_MLX5_LOSSY_BUFFER;
	buf.buffer_size[LABNIC_MLX5_LOSSLESS_BUFFER] = lossless;
	buf.buffer_size[LABNIC_MLX5_LOSSY_BUFFER] =
		LABNIC_BUFFER_TOTAL - lossless;
	labnic_hw_set_buffer(nic, &buf);
}

static int labnic_mlx5_set_pfc(struct labnic *nic, const struct ieee_pfc *pfc)
{
	struct labnic_hw hw;
	bool rewrite = false;

	labnic_hw_get(nic, &hw);
	if (pfc->pfc_en != hw.pfc) {
		labnic_hw_set_pfc(nic, pfc->pfc_en);
		labnic_wire_drop(nic, labnic_toggle_ms);
		rewrite = true;
	}
	if (pfc->delay && pfc->delay < LABNIC_MLX5_CABLE_METRES_MAX &&
	    pfc->delay != nic->drv.delay) {
		nic->drv.delay = pfc->delay;
		rewrite = true;
	}
	if (rewrite)
		labnic_mlx5_write_buffers(nic, pfc->pfc_en);
	return 0;
}

static int labnic_mlx5_set_ets(struct labnic *nic, const struct ieee_ets *ets)
{
	struct ieee_ets written = *ets;
	unsigned int i;

	for (i = 0; i < LABNIC_TCS; i++)
		if (written.tc_tsa[i] != IEEE_8021QAZ_TSA_ETS)
			written.tc_tx_bw[i] = 100;
	labnic_hw_set_ets(nic, &written);
	return 0;
}

static u64 labnic_mlx5_round_rate(u64 kbps)
{
	u32 unit = LABNIC_MLX5_RATE_UNIT;

	if (kbps > (u64)LABNIC_MLX5_RATE_STEPS * LABNIC_MLX5_RATE_UNIT)
		unit = LABNIC_MLX5_RATE_UNIT_BIG;
	kbps = min_t(u64, DIV_ROUND_UP_ULL(kbps, unit), LABNIC_MLX5_RATE_STEPS);
	return kbps * unit;
}

static int labnic_mlx5_set_storm(struct labnic *nic, u16 ms)
{
	if (ms == PFC_STORM_PREVENTION_AUTO)
		ms = LABNIC_MLX5_STORM_AUTO_MS;
	if (ms != PFC_STORM_PREVENTION_DISABLE &&
	    (ms < LABNIC_MLX5_STORM_MS_MIN || ms > LABNIC_MLX5_STORM_MS_MAX))
		return -EINVAL;
	labnic_hw_set_storm(nic, ms);
	return 0;
}

static void labnic_mlx5_set_trust(struct labnic *nic, enum labnic_trust trust)
{
	/* The real one does so, and must not be called with the lock held. */
	labnic_instance_lock(nic->dev);
	labnic_hw_set_trust(nic, trust);
	nic->drv.trust = trust;
	labnic_instance_unlock(nic->dev);
}

static void labnic_mlx5_set_dscp(struct labnic *nic, u8 dscp, u8 prio)
{
	labnic_hw_set_dscp(nic, dscp, prio);
	nic->drv.dscp2prio[dscp] = prio;
}

static int labnic_mlx5_check_app(const struct dcb_app *app)
{
	if (app->selector != IEEE_8021QAZ_APP_SEL_DSCP ||
	    app->protocol >= LABNIC_DSCPS ||
	    app->priority >= LABNIC_PRIORITIES)
		return -EINVAL;
	return 0;
}

static int labnic_mlx5_set_app(struct labnic *nic, struct dcb_app *app)
{
	struct dcb_app old = *app;
	bool replaces;
	int err;

	err = labnic_mlx5_check_app(app);
	if (err)
		return err;
	old.priority = nic->drv.dscp2prio[app->protocol];

	if (!nic->drv.dscp_apps)
		labnic_mlx5_set_trust(nic, LABNIC_TRUST_DSCP);
	if (app->priority != old.priority)
		labnic_mlx5_set_dscp(nic, app->protocol, app->priority);

	replaces = dcb_ieee_delapp(nic->dev, &old) == 0;
	err = dcb_ieee_setapp(nic->dev, app);
	if (err)
		return err;
	if (!replaces)
		nic->drv.dscp_apps++;
	return 0;
}

static int labnic_mlx5_del_app(struct labnic *nic, struct dcb_app *app)
{
	int err;

	err = labnic_mlx5_check_app(app);
	if (err)
		return err;
	if (!nic->drv.dscp_apps ||
	    app->priority != nic->drv.dscp2prio[app->protocol])
		return -ENOENT;
	err = dcb_ieee_delapp(nic->dev, app);
	if (err)
		return err;
	labnic_mlx5_set_dscp(nic, app->protocol, 0);
	if (!--nic->drv.dscp_apps)
		labnic_mlx5_set_trust(nic, LABNIC_TRUST_PCP);
	return 0;
}

/* Nothing at all hands DCBX to the firmware; only the host takes it back. */
static u8 labnic_mlx5_set_dcbx(struct labnic *nic, u8 mode)
{
	if (mode & DCB_CAP_DCBX_LLD_MANAGED)
		return 1;
	if (!mode) {
		nic->drv.dcbx &= ~DCB_CAP_DCBX_HOST;
		return 0;
	}
	if (!(mode & DCB_CAP_DCBX_HOST))
		return 1;
	nic->drv.dcbx = mode;
	return 0;
}

const struct labnic_personality labnic_mlx5 = {
	.name = "mlx5",
	.habits = "mlx5_core",
	.np_per_port = true,
	/* A firmware without the general congestion control of newer ones. */
	.no_cc = BIT(LABNIC_CC_RTT_RESP_DSCP_VALID) |
		 BIT(LABNIC_CC_RTT_RESP_DSCP),
	.ops_lock = true,
	.pause_stats_follow_pfc = true,
	.dcbnl_ops = &labnic_dcbnl_ops_trust_by_app,
	.power_on = labnic_mlx5_power_on,
	.load = labnic_mlx5_load,
	.late = labnic_mlx5_late,
	.set_pfc = labnic_mlx5_set_pfc,
	.set_ets = labnic_mlx5_set_ets,
	.round_rate = labnic_mlx5_round_rate,
	.set_storm = labnic_mlx5_set_storm,
	.set_app = labnic_mlx5_set_app,
	.del_app = labnic_mlx5_del_app,
	.set_dcbx = labnic_mlx5_set_dcbx,
};
