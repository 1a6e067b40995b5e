/* SPDX-License-Identifier: MIT */
#ifndef PLF_URGENCY_H
#define PLF_URGENCY_H

/* Fixed priorities, by software: the scheduler's members of a core. */
#include "../plf_levels.h"

#define PLF_TASKS_ARE_INTERRUPTS 0

/*
 * If interrupt routines use resources, the highest level is reserved for interrupts, and no task
 * begins there. An interrupt becomes ready at that level as a new task would. Its routine runs at
 * once, unless the running task is in a section of such a resource. It then runs when the task has
 * come down. Meanwhile the interrupt is active in the controller. So no other interrupt reaches the
 * core, and at most one waits.
 */
#define PLF_ROUTINES_WAIT	PLF_ISR_RESOURCES
#define PLF_LEVEL_OF_INTERRUPTS (PLF_LEVELS - 1)

/*
 * Configuration of the ring of a level, which holds the activations of tasks with that base. The
 * size is a power of two, and larger than the sum of these activations.
 */
struct plf_ring_config {
	struct plf_task **slots;
	uint16_t mask; /* size - 1 */
};
extern const struct plf_ring_config plf_ring_config[][PLF_LEVELS]; /* by queue: kernel/server.h */

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
 *  P2  bit L of `ready` is set if and only if ring L is not empty, or a task stands in front, or L
 *      is the level of interrupts and a routine waits;
 *  P3  levels (plf_counting()) rise strictly from the bottom of the stack to its top, and the
 *      running task is above the top. This holds because a task preempts only tasks below the level
 *      at which it begins, and no task falls below base. So each level has at most one preempted
 *      task, and the top is the most urgent;
 *  P4  if no task can be suspended in a section (kernel/global.h), a task begins at base, so it
 *      never falls below the top. Otherwise a task that resumed at a ceiling may fall below the top
 *      when it leaves its section. It must not go onto the stack then, because P3 would not hold.
 *      It goes to the front of its level, whose bit is set as for a ring.
 */
struct plf_queue {
	struct plf_task *preempted; /* top of the stack, whose bottom is a dummy task at level 0 */
	uint64_t ready;		    /* a bit for each level; bit 0 is always set */
	struct plf_ring rings[PLF_LEVELS];
	PLF_GLOBAL_QUEUE
};

#endif
