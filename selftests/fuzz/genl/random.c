// SPDX-License-Identifier: GPL-2.0
/* Numbers that a seed repeats (splitmix64). */
#include "genl.h"

static uint64_t state;

void random_begin(uint64_t seed)
{
	state = seed;
}

uint64_t random_u64(void)
{
	uint64_t z = state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

unsigned int random_below(unsigned int n)
{
	return random_u64() % n;
}
