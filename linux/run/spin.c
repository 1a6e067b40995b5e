/* SPDX-License-Identifier: MIT */
#include "spin.h"

#include <work.h>

/* Not inlined: one loop. */
__attribute__((noinline)) void spin_iterations(uint64_t iterations)
{
	immpc_work(iterations);
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
