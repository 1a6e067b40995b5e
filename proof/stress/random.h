/* SPDX-License-Identifier: MIT */
#ifndef STRESS_RANDOM_H
#define STRESS_RANDOM_H

/* xorshift64*, with a state for each thread, so that a seed gives the same choices in every run. */
#include <stdbool.h>
#include <stdint.h>

static inline uint64_t random_next(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dULL;
}

/* A number from `low` to `high`, inclusively. */
static inline unsigned random_between(uint64_t *state, unsigned low, unsigned high)
{
	return low + (unsigned)((random_next(state) >> 32) % (high - low + 1));
}

static inline bool one_in(uint64_t *state, unsigned n)
{
	return random_between(state, 1, n) == 1;
}

static inline uint64_t random_seed(uint64_t seed, uint64_t stream)
{
	uint64_t state = (seed + 1) * 0x9e3779b97f4a7c15ULL ^ (stream + 1) * 0xbf58476d1ce4e5b9ULL;

	state = state != 0 ? state : 1;
	for (int i = 0; i < 8; i++)
		random_next(&state);
	return state;
}

#endif
