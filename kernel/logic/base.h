/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the pure logic needs to know of the world: in the kernel its own
 * types and string functions, in user space (the helper, unit tests, fuzzers)
 * the same few names on top of libc. Nothing in this folder may need more.
 */
#ifndef RG_LOGIC_BASE_H
#define RG_LOGIC_BASE_H

#ifdef __KERNEL__
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/types.h>
#else
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <linux/types.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t s64;

#define BIT(n)			(1UL << (n))
#define BIT_ULL(n)		(1ULL << (n))
#define U32_MAX			UINT32_MAX
#define U64_MAX			UINT64_MAX
#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))
#define hweight8(m)		__builtin_popcount((m) & 0xff)
#define min(a, b)		((a) < (b) ? (a) : (b))
#define max(a, b)		((a) > (b) ? (a) : (b))
#define __printf(f, a)		__attribute__((format(printf, f, a)))

/* Like the kernel's: the number of bytes really written. */
static inline __printf(3, 0) int vscnprintf(char *buf, size_t size,
					    const char *fmt, va_list args)
{
	int n = vsnprintf(buf, size, fmt, args);

	if (n < 0 || !size)
		return 0;
	return (size_t)n < size ? n : (int)size - 1;
}
#endif

#endif /* RG_LOGIC_BASE_H */
