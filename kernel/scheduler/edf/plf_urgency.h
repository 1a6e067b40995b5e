/* SPDX-License-Identifier: MIT */
#ifndef PLF_URGENCY_H
#define PLF_URGENCY_H

/*
 * Earliest deadline first: the scheduler's members of tasks and cores. Absolute deadlines are in
 * nanoseconds since the start. The earliest is the most urgent, and plf_is_earlier() compares them.
 */
#include "protocol/lazy_floor.h"
#include "system.h"
#include "timers.h"

#define PLF_TASKS_ARE_INTERRUPTS 0
#define PLF_ROUTINES_WAIT	 0

struct plf_task;

/* Configuration of a task. Both members are at most PLF_FLOOR_MOST. */
struct plf_urgency_config {
	uint64_t deadline_ns; /* relative to the arrival */
	uint64_t least_ns;    /* minimum of deadline_ns and the floors of its resources */
};

/* Part of struct plf_task. */
struct plf_urgency {
	struct plf_floor floor; /* of the activation that runs or was preempted */
	uint64_t latest;	/* deadline of the activation that arrived last */
};

/* An activation or a wake-up that has not had the core yet. */
struct plf_entry {
	uint64_t deadline;
	uint64_t order; /* decides between equal deadlines: the smaller is first */
	struct plf_task *task;
};

/*
 * Invariants between kernel entries:
 *  E1  no entry is earlier than the deadline of the running task, which wins ties;
 *  E2  the heap: no entry is before its parent, entries[(i - 1) / 2];
 *  E3  the deadline of the running task, with or without floors, is earlier than the deadline of
 *      the top of the stack. From the top to the bottom deadlines grow later, because a task
 *      preempts only tasks of a later deadline, and a preempted task keeps its deadline;
 *  E4  no activation of a task precedes an earlier activation of that task;
 *  E5  `instant` is not after any arrival that the kernel had not handled before this entry.
 */
struct plf_queue {
	struct plf_task *preempted;  /* top of the stack; NULL: no task is preempted */
	uint64_t arrival;	     /* arrival time of tasks made ready now */
	uint64_t instant;	     /* floors count from here: lazy_floor.h */
	uint64_t timers[PLF_TIMERS]; /* next arrival by kind; UINT64_MAX: none */
	uint64_t order;		     /* of the next entry */
	uint32_t count;
	struct plf_entry entries[PLF_ACTIVATIONS];
};

#endif
