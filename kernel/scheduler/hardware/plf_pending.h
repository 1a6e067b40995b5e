/* SPDX-License-Identifier: MIT */
#ifndef PLF_PENDING_H
#define PLF_PENDING_H

/* Pending tasks: the ways into the interrupt controller, and out of it. */
#include "../plf_running.h"

/* Make a new or woken task pending. Any core may do so for a task of any core. Preempts no task. */
static inline void plf_pend(const struct plf_task *task)
{
	unsigned home = plf_home_of(task);
	unsigned number = plf_ready_level(task);
	struct plf_level *level = &plf_cores[home].queue.levels[number];

	if (!PLF_RINGS || level->only ||
	    plf_inbox_put(&level->ring, level->places, level->mask, task->index + 1U))
		plf_port_pend(home, number);
}

/*
 * Take the first task of a level whose source was pending; NULL: its ring is empty. A task that
 * gave way comes first. A level without a ring has no other task then (plf_level_config).
 */
static inline __attribute__((warn_unused_result)) struct plf_task *
plf_first_of(struct plf_core *core, unsigned number)
{
	struct plf_level *level = &plf_queue_of(core)->levels[number];
	struct plf_task *front = plf_take_front(core, number);
	uint32_t entry = 0;

	if (!PLF_RINGS || level->only)
		return front ? front : level->only;
	if (!front)
		entry = plf_inbox_take(&level->ring, level->places, level->mask);
	if (plf_has_front(core, number) ||
	    plf_inbox_has_first(&level->ring, level->places, level->mask))
		plf_port_pend(plf_index_of(core), number);
	return entry ? &plf_tasks[entry - 1] : front;
}

enum plf_above {
	PLF_NOTHING_ABOVE,
	PLF_TASK_ABOVE,	 /* its interrupt is active from now on */
	PLF_OTHER_ABOVE, /* an interrupt that is no task, or a level whose ring is still empty: the
			  * caller must call plf_pass_over(), and decide again */
};

/* Hold back all interrupts that are not above `level`, and take the most urgent of the others. */
static inline __attribute__((warn_unused_result)) enum plf_above
plf_take_above(struct plf_core *core, unsigned level, struct plf_task **task, unsigned *taken)
{
	plf_port_hold_back(level);
	*taken = plf_port_take();
	if (plf_port_is_none(*taken))
		return PLF_NOTHING_ABOVE;
	if (!plf_port_is_level(*taken))
		return PLF_OTHER_ABOVE;
	*task = plf_first_of(core, plf_port_level_of(*taken));
	if (PLF_RINGS && !*task)
		return PLF_OTHER_ABOVE;
	plf_take_level(*task, plf_port_level_of(*taken));
	return PLF_TASK_ABOVE;
}

static inline void plf_pass_over(const struct plf_core *core, unsigned taken)
{
	if (plf_port_is_level(taken))
		plf_port_end_level(plf_index_of(core), plf_port_level_of(taken));
	else
		plf_port_serve(taken);
}

#endif
