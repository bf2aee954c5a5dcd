// SPDX-License-Identifier: GPL-2.0
/* The backends, and what is done with one. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "delegate.h"

/* Of those for one knob the first that is there. */
static const struct delegate_backend *const backends[] = {
	&delegate_rdma_cm,
	&delegate_vlan,
	&delegate_ofed_ecn,
	&delegate_bnxt_configfs_ecn,
	&delegate_bnxt_debugfs_ecn,
	&delegate_mlx5_ecn,
};

static const struct delegate_backend *
find_backend(const struct delegate_task *task)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(backends); i++)
		if (backends[i]->knob == task->knob &&
		    (!backends[i]->is_there || backends[i]->is_there(task)))
			return backends[i];
	return NULL;
}

void delegate_because(struct delegate_task *task, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(task->reason, sizeof(task->reason), fmt, args);
	va_end(args);
}

bool delegate_may_write(const struct delegate_task *task)
{
	return !task->may_write || task->may_write(task->arg);
}

static uint32_t verdict_of(int err)
{
	switch (err) {
	case -EBUSY:
	case -EAGAIN:
	case -ENODEV:
		return ROCEGUARD_VERDICT_PENDING;
	case -EOPNOTSUPP:
		return ROCEGUARD_VERDICT_UNSUPPORTED;
	default:
		return ROCEGUARD_VERDICT_REFUSED;
	}
}

static void judge(struct delegate_task *task, struct model_report *report,
		  uint32_t verdict, int err)
{
	report->verdict = verdict;
	report->err = (uint32_t)-err;
	if (err && !task->reason[0])
		delegate_because(task, "%s", strerror(-err));
	snprintf(report->have, sizeof(report->have), "%s", task->have.buf);
	snprintf(report->reason, sizeof(report->reason), "%s", task->reason);
}

static void look(const struct delegate_backend *backend,
		 struct delegate_task *task, int *err)
{
	rg_text_init(&task->have);
	task->same = false;
	*err = backend->read(task);
}

static void write_and_look(const struct delegate_backend *backend,
			   struct delegate_task *task,
			   struct model_report *report)
{
	int err;

	snprintf(report->from, sizeof(report->from), "%s", task->have.buf);
	err = backend->write(task);
	if (!err)
		look(backend, task, &err);
	if (err) {
		judge(task, report, verdict_of(err), err);
		return;
	}
	if (!task->same)
		delegate_because(task, "it was written and reads back otherwise; see the kernel log");
	judge(task, report, task->same ? ROCEGUARD_VERDICT_CORRECTED :
					 ROCEGUARD_VERDICT_REFUSED, 0);
}

bool delegate_run(struct delegate_task *task, struct model_report *report)
{
	const struct delegate_backend *backend = find_backend(task);
	int err;

	memset(report, 0, sizeof(*report));
	report->knob = task->knob;
	task->reason[0] = '\0';
	rg_text_init(&task->have);
	if (!backend) {
		delegate_because(task, "driver %s has no file for it on this host",
				 task->port->driver);
		judge(task, report, ROCEGUARD_VERDICT_UNSUPPORTED, -EOPNOTSUPP);
		return true;
	}
	look(backend, task, &err);
	if (err) {
		judge(task, report, verdict_of(err), err);
		return true;
	}
	if (task->same) {
		judge(task, report, ROCEGUARD_VERDICT_HELD, 0);
		return true;
	}
	if (!task->hold) {
		judge(task, report, ROCEGUARD_VERDICT_DRIFTED, 0);
		return true;
	}
	if (!delegate_may_write(task))
		return false;
	write_and_look(backend, task, report);
	return true;
}
