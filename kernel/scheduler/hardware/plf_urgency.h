/* SPDX-License-Identifier: MIT */
#ifndef PLF_URGENCY_H
#define PLF_URGENCY_H

/*
 * Fixed priorities, by the interrupt controller: Mueller 2014, Section II. Each level of a core at
 * which tasks begin has an interrupt source of that core. An activation by any core makes the
 * source pending. The running task is the interrupt that is served, and a preempted task is an
 * interrupt that was interrupted. Tasks, interrupts and the timer share the range of levels.
 */
#include "../plf_levels.h"
#include "protocol/inbox.h"

#define PLF_TASKS_ARE_INTERRUPTS 1
#define PLF_ROUTINES_WAIT	 0 /* interrupts wait in the controller */

/*
 * A source has a single pending bit. So a level with several tasks, or with a task that may have
 * several activations, has a ring with an entry for each pending activation, and room for all.
 */
struct plf_level_config {
	uint8_t only;	  /* 1 + the task's index; 0: the level has a ring */
	uint32_t *places; /* places of the ring: protocol/inbox.h; NULL: no ring */
	uint32_t mask;	  /* number of places - 1 */
};
extern const struct plf_level_config plf_level_config[PLF_CPUS][PLF_LEVELS];

/*
 * The new and woken tasks of a level. Any core may put entries into the ring, but only the core of
 * the level takes them.
 */
struct plf_level {
	struct plf_task *only; /* NULL: there is a ring */
	uint32_t *places;
	uint32_t mask;
	struct plf_inbox ring;
};

/*
 * Invariants between kernel entries, except for interrupts that are still in transit:
 *  H1  the sources of the running task and of the preempted tasks are active, and no other task's
 *      source is. They are nested in the order of the stack, with the running task on top;
 *  H2  a new or woken task is pending at its level, or has an entry in the ring of that level. The
 *      level is then pending, or it is active and becomes pending again when the previous entry is
 *      taken;
 *  H3  the mask is not above the level of the running task that the kernel last read from its
 *      words. So nothing above that level is held back. If the task has risen since, the controller
 *      may let lower interrupts through. The kernel then raises the mask before it takes any of
 *      them;
 *  H4  a task that was suspended in a section (kernel/global.h) is pending, and then active, at the
 *      ceiling. When it leaves the section, its interrupt moves to its level, and the task stands
 *      in front of the tasks that wait there. So tasks between both levels preempt it, as does the
 *      top of the stack.
 */
struct plf_queue {
	struct plf_task *preempted; /* top of the stack, whose bottom is a dummy task at level 0 */
	struct plf_level levels[PLF_LEVELS];
	PLF_GLOBAL_QUEUE
};

#endif
