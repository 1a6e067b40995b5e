/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PLAFOND_PRIORITY_H
#define PLAFOND_PRIORITY_H

/*
 * The running task's priority. All functions need preemption off. They may run at the beginning of
 * __schedule(): there, some kernels have interrupts off, and softirqs may be disabled.
 */
#include "task.h"

/* How many changes were made since the module was loaded. */
extern atomic_long_t plf_priority_raises, plf_priority_restores;

void plf_priority_save(struct plf_before *before);

/* Does the task still have the priority that it was given? */
bool plf_priority_is(int given);

/* A SCHED_DEADLINE task has no priority, and runs before all tasks that have a priority. */
bool plf_may_raise(const struct plf_before *before);

/* Set SCHED_FIFO at this priority. `first`: before all other ready tasks of it (not for 99). */
void plf_priority_set(int priority, bool first);

void plf_priority_restore(const struct plf_before *before);

#endif
