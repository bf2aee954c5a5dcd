/* SPDX-License-Identifier: GPL-2.0 */
/* The words for the enums of the contract, for sysfs and the kernel log. */
#ifndef RG_WORDS_H
#define RG_WORDS_H

#include <uapi/linux/roceguard.h>

const char *rg_word_state(unsigned int state);
const char *rg_word_verdict(unsigned int verdict);
const char *rg_word_trigger(unsigned int trigger);

#endif /* RG_WORDS_H */
