// SPDX-License-Identifier: GPL-2.0
/* When to look at a port again. */
#include <linux/ktime.h>
#include <linux/moduleparam.h>
#include <linux/random.h>
#include "pass.h"

static unsigned int rg_audit = 60;
module_param_named(audit, rg_audit, uint, 0644);
MODULE_PARM_DESC(audit, "seconds between looks at a port that is well, default 60, 0: none");

#define RG_AUDIT_FRESH_S	10	/* after link-up, for a while: */
#define RG_FRESH_NS		(300ULL * NSEC_PER_SEC)
#define RG_RETRY_FIRST_MS	1000
#define RG_RETRY_LAST_MS	60000

static unsigned long rg_audit_ms(const struct rg_port *port, u64 now)
{
	unsigned int s = READ_ONCE(rg_audit), ms;

	if (!s)
		return 0;
	if (now - port->linked_at < RG_FRESH_NS)
		s = min_t(unsigned int, s, RG_AUDIT_FRESH_S);
	ms = s * MSEC_PER_SEC;
	/* Plus or minus a fifth, so that ports do not march in step. */
	return ms - ms / 5 + get_random_u32() % (2 * ms / 5 + 1);
}

static unsigned long rg_retry_ms(struct rg_port *port)
{
	port->retry_ms = clamp_t(unsigned int, 2 * port->retry_ms,
				 RG_RETRY_FIRST_MS, RG_RETRY_LAST_MS);
	return port->retry_ms;
}

static unsigned long rg_until_ms(u64 then, u64 now)
{
	return then > now ? div_u64(then - now, NSEC_PER_MSEC) + 1 : 1;
}

/* The soonest of: a back-off ends, a write that waits may be made, the audit. */
static unsigned long rg_soonest_ms(const struct rg_pass *pass, u64 now)
{
	const struct rg_port *port = pass->port;
	unsigned long audit = rg_audit_ms(port, now);
	u64 soonest = pass->again_ns ? now + pass->again_ns : U64_MAX;
	int i;

	for (i = 0; i < RG_KNOBS; i++)
		if (port->damping[i].contested && port->damping[i].until > now)
			soonest = min(soonest, port->damping[i].until);
	if (soonest == U64_MAX)
		return audit;
	return min(rg_until_ms(soonest, now), audit ?: ULONG_MAX);
}

/**
 * rg_pace - when to look at a port again
 * @pass: the pass that has ended
 * @due: set to the triggers of the next one, if nothing kicks the port before
 *
 * Return: in how many ms; 0: not until something happens.
 */
unsigned long rg_pace(struct rg_pass *pass, unsigned long *due)
{
	struct rg_port *port = pass->port;
	u64 now = ktime_get_ns();

	*due = BIT(ROCEGUARD_TRIGGER_AUDIT);
	if (pass->status.state == ROCEGUARD_STATE_PENDING) {
		*due = pass->triggers;
		return rg_retry_ms(port);
	}
	port->retry_ms = 0;
	if (port->recheck_at > now) {
		*due = BIT(ROCEGUARD_TRIGGER_REGISTER);
		return rg_until_ms(port->recheck_at, now);
	}
	switch (pass->status.state) {
	case ROCEGUARD_STATE_UNMANAGED:
	case ROCEGUARD_STATE_SICK:
		return 0;
	default:
		return rg_soonest_ms(pass, now);
	}
}
