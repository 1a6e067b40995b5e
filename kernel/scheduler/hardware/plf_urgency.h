/* SPDX-License-Identifier: MIT */
#ifndef PLF_URGENCY_H
#define PLF_URGENCY_H

/*
 * Fixed priorities, by the interrupt controller: Mueller 2014, Section II. Each level of a core at
 * which tasks begin is an interrupt source of that core. An activation makes it pending, on
 * whatever core; the task that runs is the interrupt that is served; one that was preempted is an
 * interrupt that another one interrupted. Tasks, interrupts and the timer have one space of levels.
 */
#include "../plf_levels.h"
#include "protocol/inbox.h"

#define PLF_TASKS_ARE_INTERRUPTS 1
#define PLF_ROUTINES_WAIT	 0 /* but interrupts, in the controller */

/*
 * A source has one pending bit. So a level with several tasks, or with a task that may have several
 * activations, has a ring of entries behind it, an entry for each pending activation: room for all.
 */
struct plf_level_config {
	uint8_t only;	  /* without a ring: 1 + the task */
	uint32_t *places; /* of the ring, see protocol/inbox.h; NULL: none */
	uint32_t mask;	  /* their number - 1 */
};
extern const struct plf_level_config plf_level_config[PLF_CPUS][PLF_LEVELS];

/* The new and woken tasks of a level. Any core puts entries into the ring; its own takes them. */
struct plf_level {
	struct plf_task *only; /* NULL: there is a ring */
	uint32_t *places;
	uint32_t mask;
	struct plf_inbox ring;
};

/*
 * Invariants between kernel entries, but for the interrupts that are on their way:
 *  H1  the sources of the running task and of the preempted ones are active, in the controller's
 *      order: the running task's on top, below it the top of the stack; and no other task's is;
 *  H2  a new or woken task is pending at its level, or stands in the ring of a level that is
 *      pending, or that is active and becomes pending again as soon as the entry before it is
 *      taken;
 *  H3  the mask is not above the level of the running task, as its words had it when the
 * kernel looked last. So nothing above that level is held back; and what the controller lets
 *      through below the level of now, the kernel holds back before it takes it;
 *  H4  a task that was suspended in a section (kernel/global.h) is pending, and then active, at the
 *      ceiling. When it has left the section its interrupt becomes one of its own level, and it
 *      stands in front of those that wait there: what is between preempts it, as the top of the
 *      stack does.
 */
struct plf_queue {
	struct plf_task *preempted; /* the top of the stack; its bottom is no task, at level 0 */
	struct plf_level levels[PLF_LEVELS];
	PLF_GLOBAL_QUEUE
};

#endif
