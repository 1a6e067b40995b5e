/* SPDX-License-Identifier: MIT */
#ifndef BENCH_CORES_H
#define BENCH_CORES_H

/*
 * A single core executes at a time, until it waits. So each wait must let the other core execute.
 */
#include "../measure.h"
#include "plf_clock.h"
#include "signs.h"

static inline void await(const bool *sign)
{
	while (!is_shown(sign))
		plf_relax();
}

/* Wait until the procedure has ended in another task. */
static inline void await_arrival(void)
{
	while (!__atomic_load_n(&arrived_at, __ATOMIC_ACQUIRE))
		plf_relax();
}

#endif
