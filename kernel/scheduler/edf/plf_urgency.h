/* SPDX-License-Identifier: MIT */
#ifndef PLF_URGENCY_H
#define PLF_URGENCY_H

/*
 * Earliest deadline first: what a task and a core have for it. Absolute deadlines are instants,
 * in nanoseconds since the start; the earliest is the most urgent, and plf_is_earlier() compares.
 */
#include "protocol/lazy_floor.h"
#include "system.h"
#include "timers.h"

#define PLF_TASKS_ARE_INTERRUPTS 0
#define PLF_ROUTINES_WAIT	 0

struct plf_task;

/* Of the configuration; both up to PLF_FLOOR_MOST. */
struct plf_urgency_config {
	uint64_t deadline_ns; /* from an arrival */
	uint64_t least_ns;    /* the least of that and the floors of its resources */
};

/* Of a task block. */
struct plf_urgency {
	struct plf_floor floor; /* of the activation that runs or was preempted */
	uint64_t latest;	/* the deadline of its activation that arrived last */
};

/* An activation, or a wake-up, that has not had the core since. */
struct plf_entry {
	uint64_t deadline;
	uint64_t order; /* among those of equal deadlines */
	struct plf_task *task;
};

/*
 * Invariants between kernel entries:
 *  E1  no entry is earlier than the deadline of the running task; it wins ties;
 *  E2  the heap: no entry is before its parent, entries[(i - 1) / 2];
 *  E3  the deadline of the running task, its own too, is earlier than that of the top of the
 *      stack of preempted tasks, and they grow later from the top to the bottom. For a task
 *      preempts only tasks of a later deadline, and none of these changes while it is preempted;
 *  E4  of the activations of one task none is before an earlier one;
 *  E5  `instant` is not after any arrival that was not handled before this kernel entry.
 */
struct plf_queue {
	struct plf_task *preempted;  /* the top of the stack; NULL: none is */
	uint64_t arrival;	     /* when what the kernel handles arrived */
	uint64_t instant;	     /* floors count from here: lazy_floor.h */
	uint64_t timers[PLF_TIMERS]; /* the arrivals to come; UINT64_MAX: none */
	uint64_t order;		     /* of the next entry */
	uint32_t count;
	struct plf_entry entries[PLF_ACTIVATIONS];
};

#endif
