/* SPDX-License-Identifier: MIT */
#ifndef PLF_SPLITMIX_H
#define PLF_SPLITMIX_H

/*
 * SplitMix64 (Steele, Lea, Flood 2014), at any position of its stream. So an activation's random
 * values depend on its number only, not on earlier activations. lab/plafond/describe/splitmix.py is
 * the same function.
 */
#include <stdint.h>

/* Return the output with that number, from 0, in the stream of a key. */
static inline uint64_t plf_splitmix(uint64_t key, uint64_t number)
{
	uint64_t mixed = key + (number + 1) * UINT64_C(0x9e3779b97f4a7c15);

	mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
	return mixed ^ (mixed >> 31);
}

/*
 * Return a value from `least` to `most`. Each value stands for equally many of the 2^64 outputs,
 * give or take 1.
 */
static inline uint64_t plf_drawn(uint64_t least, uint64_t most, uint64_t key, uint64_t number)
{
	return least + plf_splitmix(key, number) % (most - least + 1);
}

#endif
