/* SPDX-License-Identifier: GPL-2.0 */
/* The terminal, if there is one. */
#ifndef RG_TERM_H
#define RG_TERM_H

/**
 * term_width() - columns that a line on stdout may have
 *
 * Return: those of the environment variable COLUMNS, of the terminal, or 80.
 */
int term_width(void);

#endif /* RG_TERM_H */
