/* SPDX-License-Identifier: MIT */
#ifndef IMMPC_WORK_H
#define IMMPC_WORK_H

/*
 * The loop that stands for work, in the driver and in plafond-run, which calibrates it.
 *
 * Each iteration waits for the product of the one before: its time does not hang
 * on alignment or on the processor's parallelism.
 */
static inline void immpc_work(unsigned long iterations)
{
	unsigned long product = iterations;

	for (; iterations > 0; iterations--) {
		product = product * 6364136223846793005UL + 1;
		__asm__ volatile("" : "+r"(product));
	}
}

#endif
