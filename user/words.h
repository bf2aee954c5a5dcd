/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The contract's enums as the words of the design: dashed, lower case, the
 * same in text, JSON, policy files and the YAML spec.
 */
#ifndef RG_WORDS_H
#define RG_WORDS_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct words - one enum
 * @what: what it is, for messages
 * @word: by value
 * @n: how many
 */
struct words {
	const char *what;
	const char *const *word;
	size_t n;
};

extern const struct words words_mode;
extern const struct words words_policy_mode;
extern const struct words words_knob;
extern const struct words words_verdict;
extern const struct words words_source;
extern const struct words words_cost;
extern const struct words words_state;
extern const struct words words_trigger;
extern const struct words words_action;
extern const struct words words_trust;
extern const struct words words_tsa;

/**
 * word() - the word for a value
 * @words: the enum
 * @value: from the kernel, so it may be newer than this program
 *
 * Return: the word; "unknown" for a value this program does not know.
 */
const char *word(const struct words *words, uint32_t value);

/**
 * word_value() - the value of a word
 * @words: the enum
 * @s: the word, case does not matter
 *
 * Return: the value, -1 if there is no such word.
 */
int word_value(const struct words *words, const char *s);

#endif /* RG_WORDS_H */
