/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PLAFOND_PRIORITY_H
#define PLAFOND_PRIORITY_H

/*
 * The running task's priority. All with preemption off; also where __schedule() begins,
 * which on some kernels is with interrupts off, and may be with softirqs disabled.
 */
#include "task.h"

/* How many changes were made since the module was loaded. */
extern atomic_long_t plf_priority_raises, plf_priority_restores;

void plf_priority_save(struct plf_before *before);

/* Has it the priority that we gave it? */
bool plf_priority_is(int given);

/* A task of SCHED_DEADLINE has no priority, and is before all that have. */
bool plf_may_raise(const struct plf_before *before);

/* SCHED_FIFO at this priority; `first`: before all others of it that are ready (not for 99). */
void plf_priority_set(int priority, bool first);

void plf_priority_restore(const struct plf_before *before);

#endif
