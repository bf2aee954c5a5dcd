// SPDX-License-Identifier: GPL-2.0
/* The operations, and what may come between them and who asks for them. */
#include "labnic.h"

#define LABNIC_OP(what, struct_type, member, mask)		\
	.name = #what,						\
	.call = labnic_do_##what,				\
	.field = offsetof(struct_type, member),			\
	.flip = (mask)

const struct labnic_op_desc labnic_ops[LABNIC_OPS] = {
	[LABNIC_GETETS] = { LABNIC_OP(getets, struct ieee_ets, prio_tc[3], 1) },
	[LABNIC_SETETS] = { LABNIC_OP(setets, struct ieee_ets, prio_tc[3], 1),
			    .write = true },
	[LABNIC_GETMAXRATE] = { LABNIC_OP(getmaxrate, struct ieee_maxrate,
					  tc_maxrate[1], 0x80) },
	[LABNIC_SETMAXRATE] = { LABNIC_OP(setmaxrate, struct ieee_maxrate,
					  tc_maxrate[1], 0x80),
				.write = true },
	[LABNIC_GETPFC] = { LABNIC_OP(getpfc, struct ieee_pfc, pfc_en, BIT(3)) },
	[LABNIC_SETPFC] = { LABNIC_OP(setpfc, struct ieee_pfc, pfc_en, BIT(3)),
			    .write = true },
	[LABNIC_SETAPP] = { LABNIC_OP(setapp, struct dcb_app, priority, 1),
			    .write = true },
	[LABNIC_DELAPP] = { LABNIC_OP(delapp, struct dcb_app, priority, 1),
			    .write = true },
	[LABNIC_GETDCBX] = { LABNIC_OP(getdcbx, struct labnic_dcbx_arg, mode,
				       DCB_CAP_DCBX_HOST),
			     .atomic = true },
	[LABNIC_SETDCBX] = { LABNIC_OP(setdcbx, struct labnic_dcbx_arg, mode,
				       DCB_CAP_DCBX_HOST),
			     .write = true },
	[LABNIC_GETBUFFER] = { LABNIC_OP(getbuffer, struct dcbnl_buffer,
					 prio2buffer[3], 1) },
	[LABNIC_SETBUFFER] = { LABNIC_OP(setbuffer, struct dcbnl_buffer,
					 prio2buffer[3], 1),
			       .write = true },
#ifdef LABNIC_HAVE_APPTRUST
	[LABNIC_GETAPPTRUST] = { LABNIC_OP(getapptrust,
					   struct labnic_apptrust_arg, selectors[0],
					   IEEE_8021QAZ_APP_SEL_DSCP ^
					   DCB_APP_SEL_PCP) },
	[LABNIC_SETAPPTRUST] = { LABNIC_OP(setapptrust,
					   struct labnic_apptrust_arg, selectors[0],
					   IEEE_8021QAZ_APP_SEL_DSCP ^
					   DCB_APP_SEL_PCP),
				 .write = true },
#endif
	[LABNIC_BEGIN] = { .name = "begin", .call = labnic_do_begin },
	[LABNIC_GETPAUSE] = { LABNIC_OP(getpause, struct ethtool_pauseparam,
					rx_pause, 1) },
	[LABNIC_SETPAUSE] = { LABNIC_OP(setpause, struct ethtool_pauseparam,
					rx_pause, 1),
			      .write = true },
	[LABNIC_GETSTORM] = { LABNIC_OP(getstorm, struct labnic_storm_arg, ms,
					BIT(7)) },
	[LABNIC_SETSTORM] = { LABNIC_OP(setstorm, struct labnic_storm_arg, ms,
					BIT(7)),
			      .write = true },
	[LABNIC_GETSTATS] = { .name = "getstats", .call = labnic_do_getstats },
	[LABNIC_READ_HW] = { LABNIC_OP(read_hw, struct labnic_hw, pfc,
				       BIT(3)) },
	[LABNIC_READ_PRIO] = { .name = "read_prio",
			       .call = labnic_do_read_prio },
	[LABNIC_GETECN] = { LABNIC_OP(getecn, struct labnic_ecn_arg, on, 1) },
	[LABNIC_SETECN] = { LABNIC_OP(setecn, struct labnic_ecn_arg, on, 1),
			    .write = true },
	[LABNIC_GETPARAM] = { LABNIC_OP(getparam, struct labnic_param_arg,
					value, 1) },
	[LABNIC_SETPARAM] = { LABNIC_OP(setparam, struct labnic_param_arg,
					value, 1),
			      .write = true },
};

/* A real driver has nothing behind its netdev now: whoever calls it crashes. */
static bool labnic_is_gone(struct labnic *nic, const struct labnic_op_desc *desc)
{
	if (!READ_ONCE(nic->detached))
		return false;
	labnic_journal(nic, -ENODEV, "CALLED WHILE DETACHED: %s", desc->name);
	WARN(1, "labnic: %s called while %s is detached\n", desc->name,
	     netdev_name(nic->dev));
	return true;
}

static bool labnic_is_busy(const struct labnic *nic,
			   const struct labnic_op_desc *desc)
{
	return nic->personality->busy_in_reset && !desc->atomic &&
	       READ_ONCE(nic->recover);
}

/**
 * labnic_call - do what a driver is asked for, unless something comes between
 * @nic: the NIC
 * @op: the operation
 * @arg: as its row says
 *
 * Return: as the operation.
 */
int labnic_call(struct labnic *nic, enum labnic_op op, void *arg)
{
	const struct labnic_op_desc *desc = &labnic_ops[op];
	struct labnic_fault fault;
	u8 *field = arg + desc->field;
	bool alter;
	int ret;

	if (labnic_is_gone(nic, desc))
		return -ENODEV;
	fault = labnic_fault_of(nic, op);
	if (!desc->atomic)
		labnic_fault_wait(nic, &fault);
	if (fault.kind == LABNIC_FAULT_FAIL || fault.kind == LABNIC_FAULT_IGNORE) {
		ret = fault.kind == LABNIC_FAULT_FAIL ? -(int)fault.arg : 0;
		labnic_journal(nic, ret, "fault: %s", desc->name);
		return ret;
	}
	if (labnic_is_busy(nic, desc))
		return -EBUSY;
	alter = fault.kind == LABNIC_FAULT_ALTER && desc->flip;
	if (alter && desc->write)
		*field ^= desc->flip;
	ret = desc->call(nic, arg);
	if (alter)
		*field ^= desc->flip;
	return ret;
}
