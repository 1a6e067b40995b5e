/* SPDX-License-Identifier: MIT */
#ifndef IMMPC_WORK_H
#define IMMPC_WORK_H

/*
 * The loop that stands for work, in the driver and in plafond-run.
 *
 * Each iteration needs the product of the iteration before. So its time does not depend on
 * alignment or on the processor's parallelism. Iterations are unrolled, because an emulator charges
 * for each branch, not for the instructions between branches.
 */
enum { IMMPC_WORK_IN_A_ROW = 32 };

static inline unsigned long immpc_work_once(unsigned long product)
{
	product = product * 6364136223846793005UL + 1;
	__asm__ volatile("" : "+r"(product));
	return product;
}

static inline void immpc_work(unsigned long iterations)
{
	unsigned long product = iterations;

	for (; iterations >= IMMPC_WORK_IN_A_ROW; iterations -= IMMPC_WORK_IN_A_ROW) {
#pragma GCC unroll 32
		for (int i = 0; i < IMMPC_WORK_IN_A_ROW; i++)
			product = immpc_work_once(product);
	}
	for (; iterations > 0; iterations--)
		product = immpc_work_once(product);
}

#endif
