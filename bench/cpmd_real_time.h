/* SPDX-License-Identifier: MIT */
#ifndef BENCH_CPMD_REAL_TIME_H
#define BENCH_CPMD_REAL_TIME_H

/* Limits and privileges of a measuring program. Each function returns an exit status. */

/*
 * The process is killed when its parent dies, and after 100 s in any case. It is killed after ten
 * seconds if a real-time thread of it does not sleep meanwhile.
 */
int bound_lifetime(void);

/* Lock all memory, and become SCHED_FIFO at that priority. */
int enter_real_time(int priority);

#endif
