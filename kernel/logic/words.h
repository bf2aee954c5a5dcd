/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The contract's enums as the words of the design: dashed, lower case, the
 * same in sysfs, the kernel log, text, JSON, policy files and the YAML spec.
 * Counters alone have underscores, for they are names of files and of metrics.
 */
#ifndef RG_LOGIC_WORDS_H
#define RG_LOGIC_WORDS_H

#include "base.h"

/**
 * struct rg_words - one enum
 * @what: what it is, for messages
 * @word: by value
 * @n: how many
 */
struct rg_words {
	const char *what;
	const char *const *word;
	size_t n;
};

extern const struct rg_words rg_words_mode;
extern const struct rg_words rg_words_policy_mode;
extern const struct rg_words rg_words_disruptive;
extern const struct rg_words rg_words_dcbx_mode;
extern const struct rg_words rg_words_knob;
extern const struct rg_words rg_words_verdict;
extern const struct rg_words rg_words_source;
extern const struct rg_words rg_words_cost;
extern const struct rg_words rg_words_state;
extern const struct rg_words rg_words_trigger;
extern const struct rg_words rg_words_action;
extern const struct rg_words rg_words_trust;
extern const struct rg_words rg_words_tsa;
extern const struct rg_words rg_words_counter;
extern const struct rg_words rg_words_direction;
extern const struct rg_words rg_words_storm_action;
extern const struct rg_words rg_words_incident;

const char *rg_word(const struct rg_words *words, u32 value);
int rg_word_value(const struct rg_words *words, const char *s);

#endif /* RG_LOGIC_WORDS_H */
