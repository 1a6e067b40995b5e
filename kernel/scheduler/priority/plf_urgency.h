/* SPDX-License-Identifier: MIT */
#ifndef PLF_URGENCY_H
#define PLF_URGENCY_H

/* Fixed priorities, by software: the scheduler's part of a core. */
#include "../plf_levels.h"

#define PLF_TASKS_ARE_INTERRUPTS 0

/*
 * Where routines of interrupts have resources, the highest level is that of interrupts, at which no
 * task begins. An interrupt is ready there as a new task would be: its routine runs at once, or,
 * where the running task is in a section of such a resource, when that has come down. Meanwhile it
 * is active in the controller, so that no other interrupt comes to the core, and one waits at most.
 */
#define PLF_ROUTINES_WAIT	PLF_ISR_RESOURCES
#define PLF_LEVEL_OF_INTERRUPTS (PLF_LEVELS - 1)

/*
 * The queue of a level: a ring of the tasks whose base it is, an entry for each pending
 * activation. Its size is a power of two, and larger than the sum of their activations.
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
 *  P2  bit L of `ready` is set if and only if ring L is not empty, or a task stands in front, or
 *      L is the level of interrupts and a routine waits;
 *  P3  levels (plf_counting()) rise strictly from the bottom of the stack of preempted tasks to its
 *      top, and that of the running task is above that of the top. For a task preempts only tasks
 *      below the level at which it begins, and no level is below base. So at most one task of a
 *      level is preempted, and the most urgent is the top;
 *  P4  without tasks that are suspended in a section (kernel/global.h) a task begins at base: so
 *      the running task never has to give way to the top. With them, one that went on at a ceiling
 *      falls below the top when it leaves its section, and may not go onto the stack, where P3
 *      would end: it goes to the front of its level, which has a bit like a ring.
 */
struct plf_queue {
	struct plf_task *preempted; /* the top of the stack; its bottom is no task, at level 0 */
	uint64_t ready;		    /* a bit a level, and bit 0 always */
	struct plf_ring rings[PLF_LEVELS];
	PLF_GLOBAL_QUEUE
};

#endif
