/* SPDX-License-Identifier: MIT */
#ifndef RUN_RESERVATION_H
#define RUN_RESERVATION_H

/* The thread of a task under SCHED_DEADLINE: OSPERT 2010, 6, Section II, for a thread of our own.
 */
#include <stdbool.h>
#include <stdint.h>

/*
 * Give the calling thread, of that task and pinned to that CPU, a reservation; it ends with the
 * thread. False: the kernel does not give it, or would give more than there is, and this said why.
 */
__attribute__((warn_unused_result)) bool reserve_for_task(const char *name, int cpu,
							  int64_t period_ns, int64_t budget_ns);

#endif
