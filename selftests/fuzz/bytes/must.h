/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RG_FUZZ_MUST_H
#define RG_FUZZ_MUST_H

#include <stdio.h>
#include <stdlib.h>

/* What holds for any input, or the program ends and the input is kept. */
#define must(_is)							\
do {									\
	if (!(_is)) {							\
		fprintf(stderr, "%s:%d: must be: %s\n", __FILE__,	\
			__LINE__, #_is);				\
		abort();						\
	}								\
} while (0)

#endif /* RG_FUZZ_MUST_H */
