/* SPDX-License-Identifier: MIT */
#ifndef PLF_URGENCY_H
#define PLF_URGENCY_H

/*
 * Fixed priorities: the scheduler's part of a task and of a core. Levels are 1 to PLF_LEVELS - 1,
 * larger is more urgent, and 0 is that of no task.
 */
#include "system.h"

#include <stdint.h>

struct plf_task;

/* Of the configuration. */
struct plf_urgency_config {
	uint8_t base;	  /* level while it is ready for an activation */
	uint8_t internal; /* the ceiling of its internal resource; of a task without: base */
	uint8_t highest;  /* Pmax: of base, and of the ceilings of its resources */
};

/* Of a task block. */
struct plf_urgency {
	uint8_t base;
	uint8_t internal; /* since it had the core: while it holds its internal resource its
			   * ceiling, else base */
	uint8_t highest;
	uint8_t level; /* preempted: at which it goes on; running: see resource/NAME/plf_level.h */
};

/*
 * There are two levels, of which the higher one counts: that of the resources which a task has
 * entered, or base (`level`), which the protocol keeps, and that of its internal resource
 * (`internal`), of which protocols and user code know nothing. So Schedule() can let go of the one
 * and keep the other.
 */

/*
 * The queue of a level: a ring of the tasks whose base it is, an entry for each pending
 * activation. Its size is a power of two, and larger than the sum of their activations.
 */
struct plf_ring_config {
	struct plf_task **slots;
	uint16_t mask; /* size - 1 */
};
extern const struct plf_ring_config plf_ring_config[PLF_CPUS][PLF_LEVELS];

/* The new and woken tasks of a level, from head to tail; indices are modulo the size. */
struct plf_ring {
	struct plf_task **slots;
	uint16_t mask; /* size - 1 */
	uint16_t head;
	uint16_t tail;
};

/*
 * Invariants between kernel entries:
 *  P1  no task in a ring is above the level of the running task;
 *  P2  bit L of `ready` is set if and only if ring L is not empty;
 *  P3  levels (plf_counting()) rise strictly from the bottom of the stack of preempted tasks to its
 *      top, and the base of the running task is above that of the top. For a task preempts only
 * tasks below its base, and no level is below base. So at most one task of a level is preempted,
 * the most urgent is the top, and the running task never has to give way to it.
 */
struct plf_queue {
	struct plf_task *preempted; /* the top of the stack; its bottom is no task, at level 0 */
	uint64_t ready;		    /* a bit a ring, and bit 0 always */
	struct plf_ring rings[PLF_LEVELS];
};

#endif
