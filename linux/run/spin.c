/* SPDX-License-Identifier: MIT */
#include "spin.h"

/*
 * Each iteration waits for the product of the one before: its time does not hang
 * on alignment or on what the processor can do at once. Not inlined: one loop.
 */
__attribute__((noinline)) void spin_iterations(uint64_t iterations)
{
	uint64_t product = iterations;

	for (; iterations > 0; iterations--) {
		product = product * UINT64_C(6364136223846793005) + 1;
		__asm__ volatile("" : "+r"(product));
	}
}

static double worked_in_chunk(const struct spin *spin, struct log *log)
{
	int64_t before = log->seen_ns;
	double took;

	spin_iterations(spin->chunk_iterations);
	took = (double)(log_look_after(log, (int64_t)spin->chunk_ns) - before);
	return took < 1.5 * spin->chunk_ns ? took : spin->chunk_ns;
}

void spin_for(const struct spin *spin, int64_t time_ns, struct log *log)
{
	double left = (double)time_ns;

	while (left >= spin->chunk_ns)
		left -= worked_in_chunk(spin, log);
	if (left <= 0)
		return;
	spin_iterations((uint64_t)(left / spin->chunk_ns * (double)spin->chunk_iterations));
	log_look_after(log, (int64_t)left);
}
