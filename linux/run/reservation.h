/* SPDX-License-Identifier: MIT */
#ifndef RUN_RESERVATION_H
#define RUN_RESERVATION_H

/* SCHED_DEADLINE for a task's thread: OSPERT 2010, 6, Section II, for a thread of this process. */
#include <stdbool.h>
#include <stdint.h>

/*
 * Give the calling thread a reservation, which ends with the thread. The thread is that of task
 * `name`, and is pinned to `cpu`. False: the kernel refuses it, or would give more time than
 * exists; a message says why.
 */
__attribute__((warn_unused_result)) bool reserve_for_task(const char *name, int cpu,
							  int64_t period_ns, int64_t budget_ns);

#endif
