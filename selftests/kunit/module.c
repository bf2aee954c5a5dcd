// SPDX-License-Identifier: GPL-2.0
/*
 * roceguard_kunit.ko has the logic once more, for roceguard.ko exports none of
 * it. All in one source: kbuild cannot make one object for two modules.
 */
#include <linux/module.h>

#include "../../kernel/logic/accumulate.c"
#include "../../kernel/logic/budget.c"
#include "../../kernel/logic/compare.c"
#include "../../kernel/logic/counter_names.c"
#include "../../kernel/logic/damping.c"
#include "../../kernel/logic/function.c"
#include "../../kernel/logic/match.c"
#include "../../kernel/logic/overlay.c"
#include "../../kernel/logic/params.c"
#include "../../kernel/logic/policy.c"
#include "../../kernel/logic/recorder.c"
#include "../../kernel/logic/storm.c"
#include "../../kernel/logic/text.c"
#include "../../kernel/logic/words.c"

MODULE_DESCRIPTION("Unit tests of roceguard's logic");
MODULE_LICENSE("GPL");
