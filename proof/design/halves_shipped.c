/* SPDX-License-Identifier: MIT */

/* The shipped halves, for an emulator. run_half() numbers task_halves[], then kernel_halves[]. */
#include "halves.h"

uint64_t shared_words[WORDS];
const uint64_t half_counts[] = { TASK_COUNT, KERNEL_COUNT };

uint64_t run_half(uint64_t half, uint64_t a, uint64_t b)
{
	if (half < TASK_COUNT)
		return task_halves[half](shared_words, a, b);
	return kernel_halves[half - TASK_COUNT](shared_words, a, b);
}
