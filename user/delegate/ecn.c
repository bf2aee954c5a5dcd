// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "ecn.h"

bool ecn_port_wide(const struct rg_want *want)
{
	return want->ecn_on[DELEGATE_NP] || want->ecn_on[DELEGATE_RP];
}

int ecn_switch_read(struct delegate_task *task, const char *path)
{
	static const bool per_port[DELEGATE_ROLES] = { true, true };
	const struct rg_want *want = task->want;
	unsigned long on;
	int err = file_number(path, 1, &on);

	if (err)
		return ecn_blame(task, path, err);
	task->same = on == ecn_port_wide(want);
	memset(task->ecn, on ? 0xff : 0, sizeof(task->ecn));
	rg_text_ecn(&task->have, task->ecn, per_port);
	if (on && (want->ecn_off[DELEGATE_NP] || want->ecn_off[DELEGATE_RP]))
		delegate_because(task, "ECN is one switch for the port on this NIC: it is on for all priorities, though the policy wants it off for some");
	return 0;
}

/* "none [integrity] confidentiality" */
static bool is_locked_down(const struct delegate_task *task)
{
	char path[512], text[DELEGATE_FILE_MAX];

	snprintf(path, sizeof(path), "%s/sys/kernel/security/lockdown",
		 task->root);
	return !file_read(path, text) && !strstr(text, "[none]");
}

int ecn_blame(struct delegate_task *task, const char *path, int err)
{
	const char *shown = path + strlen(task->root);

	if (err == -EPERM && is_locked_down(task))
		delegate_because(task, "%s: kernel lockdown forbids it; use a provider in the kernel",
				 shown);
	else if (err == -EACCES)
		delegate_because(task, "%s: root has no right to it; give roceguard-agent.service CAP_DAC_OVERRIDE",
				 shown);
	else
		delegate_because(task, "%s: %s", shown, strerror(-err));
	return err;
}
