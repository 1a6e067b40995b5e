/* SPDX-License-Identifier: MIT */
#ifndef BENCH_CORES_H
#define BENCH_CORES_H

/* One core executes at a time, and goes on until it waits: so all waiting lets the other go on. */
#include "../measure.h"
#include "plf_clock.h"
#include "signs.h"

static inline void await(const bool *sign)
{
	while (!is_shown(sign))
		plf_relax();
}

/* Until the procedure has ended, in another task. */
static inline void await_arrival(void)
{
	while (!__atomic_load_n(&arrived_at, __ATOMIC_ACQUIRE))
		plf_relax();
}

#endif
