// SPDX-License-Identifier: GPL-2.0
#include <linux/crash_dump.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include "log.h"
#include "logic/words.h"
#include "mode.h"

static char *rg_mode_param = "enforce";
module_param_named(mode, rg_mode_param, charp, 0444);
MODULE_PARM_DESC(mode, "enforce (default), observe: compare only, off: touch nothing");

static enum roceguard_mode rg_host_mode;
static bool rg_host_frozen;

/**
 * rg_mode_init - take the module parameter over
 *
 * A kdump kernel has a memory image to save and no traffic to protect: there
 * the mode is off, whatever the parameter says.
 *
 * Return: 0, or -EINVAL if there is no such mode.
 */
int rg_mode_init(void)
{
	int mode = match_string(rg_words_mode.word, rg_words_mode.n,
				rg_mode_param);

	if (mode < 0) {
		rg_warn("mode=%s is unknown; use enforce, observe or off\n",
			rg_mode_param);
		return -EINVAL;
	}
	rg_host_mode = is_kdump_kernel() ? ROCEGUARD_MODE_OFF : mode;
	return 0;
}

/**
 * rg_mode - what the host does with policies
 *
 * Return: enum roceguard_mode.
 */
enum roceguard_mode rg_mode(void)
{
	return READ_ONCE(rg_host_mode);
}

/**
 * rg_mode_frozen - are all writes stopped?
 *
 * Return: true while they are.
 */
bool rg_mode_frozen(void)
{
	return READ_ONCE(rg_host_frozen);
}

/**
 * rg_mode_set - change the mode
 * @mode: the new one
 */
void rg_mode_set(enum roceguard_mode mode)
{
	WRITE_ONCE(rg_host_mode, mode);
}

/**
 * rg_mode_freeze - stop all writes, or let them go on
 * @frozen: stop
 */
void rg_mode_freeze(bool frozen)
{
	WRITE_ONCE(rg_host_frozen, frozen);
}
