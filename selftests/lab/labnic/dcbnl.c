// SPDX-License-Identifier: GPL-2.0
/*
 * The DCB operations: what is common to all personalities, that is validation
 * and the journal. The core calls them under rtnl. Each has two halves: what the
 * core calls, and what labnic_call() then does, unless a fault comes between.
 */
#include "compat.h"
#include "labnic.h"

int labnic_do_getets(struct labnic *nic, void *arg)
{
	struct ieee_ets *ets = arg;
	struct labnic_hw hw;

	ets->ets_cap = LABNIC_TCS;
	if (nic->personality->get_ets)
		return nic->personality->get_ets(nic, ets);
	labnic_hw_get(nic, &hw);
	ets->willing = 0;
	ets->cbs = 0;
	memcpy(ets->prio_tc, hw.prio_tc, sizeof(ets->prio_tc));
	memcpy(ets->tc_tsa, hw.tsa, sizeof(ets->tc_tsa));
	memcpy(ets->tc_tx_bw, hw.bandwidth, sizeof(ets->tc_tx_bw));
	return 0;
}

static bool labnic_tsa_supported(u8 tsa)
{
	return tsa == IEEE_8021QAZ_TSA_STRICT || tsa == IEEE_8021QAZ_TSA_ETS ||
	       tsa == IEEE_8021QAZ_TSA_VENDOR;
}

static int labnic_check_ets(const struct net_device *dev,
			    const struct ieee_ets *ets)
{
	unsigned int sum = 0;
	bool shares = false;
	unsigned int i;

	for (i = 0; i < LABNIC_PRIORITIES; i++)
		if (ets->prio_tc[i] >= LABNIC_TCS) {
			netdev_err(dev, "priority %u: no traffic class %u\n", i,
				   ets->prio_tc[i]);
			return -EINVAL;
		}
	for (i = 0; i < LABNIC_TCS; i++) {
		if (!labnic_tsa_supported(ets->tc_tsa[i])) {
			netdev_err(dev, "traffic class %u: no such TSA: %u\n",
				   i, ets->tc_tsa[i]);
			return -EOPNOTSUPP;
		}
		if (ets->tc_tsa[i] != IEEE_8021QAZ_TSA_ETS)
			continue;
		shares = true;
		sum += ets->tc_tx_bw[i];
	}
	if (shares && sum != 100) {
		netdev_err(dev, "ETS bandwidth adds up to %u, not to 100\n",
			   sum);
		return -EINVAL;
	}
	return 0;
}

int labnic_do_setets(struct labnic *nic, void *arg)
{
	struct ieee_ets *ets = arg;
	int err;

	err = labnic_check_ets(nic->dev, ets);
	if (!err)
		err = nic->personality->set_ets(nic, ets);
	labnic_journal(nic, err, "ets prio-tc %*phN tsa %*phN bandwidth %*phN",
		       LABNIC_PRIORITIES, ets->prio_tc, LABNIC_TCS, ets->tc_tsa,
		       LABNIC_TCS, ets->tc_tx_bw);
	return err;
}

int labnic_do_getmaxrate(struct labnic *nic, void *arg)
{
	struct ieee_maxrate *maxrate = arg;
	struct labnic_hw hw;

	labnic_hw_get(nic, &hw);
	memcpy(maxrate->tc_maxrate, hw.maxrate, sizeof(maxrate->tc_maxrate));
	return 0;
}

int labnic_do_setmaxrate(struct labnic *nic, void *arg)
{
	const struct ieee_maxrate *maxrate = arg;
	u64 kbps[LABNIC_TCS];
	unsigned int i;

	for (i = 0; i < LABNIC_TCS; i++) {
		kbps[i] = maxrate->tc_maxrate[i];
		if (nic->personality->round_rate)
			kbps[i] = nic->personality->round_rate(kbps[i]);
	}
	labnic_hw_set_maxrate(nic, kbps);
	labnic_journal(nic, 0, "maxrate");
	return 0;
}

int labnic_do_getpfc(struct labnic *nic, void *arg)
{
	struct ieee_pfc *pfc = arg;
	struct labnic_counters sum;
	struct labnic_hw hw;
	unsigned int i;

	pfc->pfc_cap = nic->personality->pfc_cap ?: LABNIC_PRIORITIES;
	if (nic->personality->get_pfc) {
		nic->personality->get_pfc(nic, pfc);
	} else {
		labnic_hw_get(nic, &hw);
		pfc->pfc_en = hw.pfc;
		pfc->mbc = 0;
		pfc->delay = nic->drv.delay;
	}
	labnic_stats_read(nic, &sum);
	for (i = 0; i < LABNIC_PRIORITIES; i++) {
		pfc->requests[i] = sum.prio[i][LABNIC_TX_PAUSE];
		pfc->indications[i] = sum.prio[i][LABNIC_RX_PAUSE];
	}
	return 0;
}

int labnic_do_setpfc(struct labnic *nic, void *arg)
{
	const struct ieee_pfc *pfc = arg;
	int err;

	err = nic->personality->set_pfc(nic, pfc);
	labnic_journal(nic, err, "pfc 0x%02x delay %u", pfc->pfc_en,
		       pfc->delay);
	return err;
}

int labnic_do_setapp(struct labnic *nic, void *arg)
{
	struct dcb_app *app = arg;
	int err;

	err = nic->personality->set_app(nic, app);
	labnic_journal(nic, err, "app add selector %u protocol %u prio %u",
		       app->selector, app->protocol, app->priority);
	return err;
}

int labnic_do_delapp(struct labnic *nic, void *arg)
{
	struct dcb_app *app = arg;
	int err;

	err = nic->personality->del_app(nic, app);
	labnic_journal(nic, err, "app del selector %u protocol %u prio %u",
		       app->selector, app->protocol, app->priority);
	return err;
}

int labnic_do_getdcbx(struct labnic *nic, void *arg)
{
	struct labnic_dcbx_arg *dcbx = arg;

	dcbx->mode = nic->drv.dcbx;
	return 0;
}

int labnic_do_setdcbx(struct labnic *nic, void *arg)
{
	const struct labnic_dcbx_arg *dcbx = arg;
	int ret;

	ret = nic->personality->set_dcbx(nic, dcbx->mode);
	labnic_journal(nic, ret, "dcbx 0x%02x", dcbx->mode);
	return ret;
}

int labnic_do_getbuffer(struct labnic *nic, void *arg)
{
	struct dcbnl_buffer *buf = arg;
	struct labnic_hw hw;

	labnic_hw_get(nic, &hw);
	memcpy(buf->prio2buffer, hw.prio2buffer, sizeof(buf->prio2buffer));
	memcpy(buf->buffer_size, hw.buffer_size, sizeof(buf->buffer_size));
	buf->total_size = LABNIC_BUFFER_TOTAL;
	return 0;
}

static int labnic_check_buffer(const struct net_device *dev,
			       const struct dcbnl_buffer *buf)
{
	u64 sum = 0;
	unsigned int i;

	for (i = 0; i < LABNIC_PRIORITIES; i++)
		if (buf->prio2buffer[i] >= LABNIC_BUFFERS) {
			netdev_err(dev, "priority %u: no buffer %u\n", i,
				   buf->prio2buffer[i]);
			return -EINVAL;
		}
	for (i = 0; i < LABNIC_BUFFERS; i++)
		sum += buf->buffer_size[i];
	if (sum > LABNIC_BUFFER_TOTAL) {
		netdev_err(dev, "buffers of %llu bytes exceed the %u there are\n",
			   sum, LABNIC_BUFFER_TOTAL);
		return -EINVAL;
	}
	return 0;
}

int labnic_do_setbuffer(struct labnic *nic, void *arg)
{
	const struct dcbnl_buffer *buf = arg;
	int err;

	err = labnic_check_buffer(nic->dev, buf);
	if (!err)
		labnic_hw_set_buffer(nic, buf);
	labnic_journal(nic, err, "buffer prio-buffer %*phN", LABNIC_PRIORITIES,
		       buf->prio2buffer);
	return err;
}

#ifdef LABNIC_HAVE_APPTRUST
int labnic_do_getapptrust(struct labnic *nic, void *arg)
{
	struct labnic_apptrust_arg *trust = arg;
	const struct labnic_trust_order *order;

	order = &labnic_trust_orders[nic->drv.trust];
	memcpy(trust->selectors, order->selector, sizeof(trust->selectors));
	trust->n = order->n;
	return 0;
}

/* The setting that spells out as @selectors, or -EOPNOTSUPP. */
static int labnic_find_trust(const u8 *selectors, int n)
{
	int i;

	for (i = 0; i < LABNIC_TRUSTS; i++)
		if (labnic_trust_orders[i].n == n &&
		    !memcmp(labnic_trust_orders[i].selector, selectors, n))
			return i;
	return -EOPNOTSUPP;
}

int labnic_do_setapptrust(struct labnic *nic, void *arg)
{
	const struct labnic_apptrust_arg *order = arg;
	int trust;

	trust = labnic_find_trust(order->selectors, order->n);
	if (trust >= 0) {
		nic->drv.trust = trust;
		labnic_hw_set_trust(nic, trust);
	}
	labnic_journal(nic, min(trust, 0), "trust %s",
		       trust < 0 ? "of another kind" :
				   labnic_trust_orders[trust].name);
	return min(trust, 0);
}

static int labnic_getapptrust(struct net_device *dev, u8 *selectors, int *n)
{
	struct labnic_apptrust_arg arg = { .n = 0 };
	int err;

	err = labnic_call(netdev_priv(dev), LABNIC_GETAPPTRUST, &arg);
	if (err)
		return err;
	memcpy(selectors, arg.selectors, arg.n);
	*n = arg.n;
	return 0;
}

static int labnic_setapptrust(struct net_device *dev, u8 *selectors, int n)
{
	struct labnic_apptrust_arg arg = { .n = n };

	memcpy(arg.selectors, selectors,
	       min_t(size_t, n, sizeof(arg.selectors)));
	return labnic_call(netdev_priv(dev), LABNIC_SETAPPTRUST, &arg);
}
#endif

/* What the core calls. */

#define LABNIC_DCBNL(fn, struct_type, op)				\
static int fn(struct net_device *dev, struct struct_type *arg)		\
{									\
	return labnic_call(netdev_priv(dev), op, arg);			\
}

LABNIC_DCBNL(labnic_ieee_getets, ieee_ets, LABNIC_GETETS)
LABNIC_DCBNL(labnic_ieee_setets, ieee_ets, LABNIC_SETETS)
LABNIC_DCBNL(labnic_ieee_getmaxrate, ieee_maxrate, LABNIC_GETMAXRATE)
LABNIC_DCBNL(labnic_ieee_setmaxrate, ieee_maxrate, LABNIC_SETMAXRATE)
LABNIC_DCBNL(labnic_ieee_getpfc, ieee_pfc, LABNIC_GETPFC)
LABNIC_DCBNL(labnic_ieee_setpfc, ieee_pfc, LABNIC_SETPFC)
LABNIC_DCBNL(labnic_ieee_setapp, dcb_app, LABNIC_SETAPP)
LABNIC_DCBNL(labnic_ieee_delapp, dcb_app, LABNIC_DELAPP)
LABNIC_DCBNL(labnic_getbuffer, dcbnl_buffer, LABNIC_GETBUFFER)
LABNIC_DCBNL(labnic_setbuffer, dcbnl_buffer, LABNIC_SETBUFFER)

/* The core calls this one under a spinlock too. */
u8 labnic_getdcbx(struct net_device *dev)
{
	struct labnic_dcbx_arg arg = { .mode = 0 };

	labnic_call(netdev_priv(dev), LABNIC_GETDCBX, &arg);
	return arg.mode;
}

u8 labnic_setdcbx(struct net_device *dev, u8 mode)
{
	struct labnic_dcbx_arg arg = { .mode = mode };

	/* No errno fits; anything but 0 is a no. */
	return !!labnic_call(netdev_priv(dev), LABNIC_SETDCBX, &arg);
}

#define LABNIC_DCBNL_OPS_FEW				\
	.ieee_getets = labnic_ieee_getets,		\
	.ieee_setets = labnic_ieee_setets,		\
	.ieee_getpfc = labnic_ieee_getpfc,		\
	.ieee_setpfc = labnic_ieee_setpfc,		\
	.ieee_setapp = labnic_ieee_setapp,		\
	.ieee_delapp = labnic_ieee_delapp,		\
	.getdcbx = labnic_getdcbx,			\
	.setdcbx = labnic_setdcbx

#define LABNIC_DCBNL_OPS				\
	LABNIC_DCBNL_OPS_FEW,				\
	.ieee_getmaxrate = labnic_ieee_getmaxrate,	\
	.ieee_setmaxrate = labnic_ieee_setmaxrate,	\
	.dcbnl_getbuffer = labnic_getbuffer,		\
	.dcbnl_setbuffer = labnic_setbuffer

#ifdef LABNIC_HAVE_APPTRUST
const struct dcbnl_rtnl_ops labnic_dcbnl_ops = {
	LABNIC_DCBNL_OPS,
	.dcbnl_getapptrust = labnic_getapptrust,
	.dcbnl_setapptrust = labnic_setapptrust,
};
#endif

/* Trust can't be set by itself: it follows the APP table. */
const struct dcbnl_rtnl_ops labnic_dcbnl_ops_trust_by_app = {
	LABNIC_DCBNL_OPS,
};

/* Neither limits nor buffers can be set. */
const struct dcbnl_rtnl_ops labnic_dcbnl_ops_few = {
	LABNIC_DCBNL_OPS_FEW,
};
