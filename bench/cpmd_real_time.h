/* SPDX-License-Identifier: MIT */
#ifndef BENCH_CPMD_REAL_TIME_H
#define BENCH_CPMD_REAL_TIME_H

/* What a measuring program may take of the machine, and what it needs. Each returns a status. */

/*
 * Killed when the parent dies, and after 100 s in any case; after ten seconds if a real-time thread
 * of it does not sleep meanwhile.
 */
int bound_lifetime(void);

/* Lock all memory, and be SCHED_FIFO at that priority. */
int enter_real_time(int priority);

#endif
