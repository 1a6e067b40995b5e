/* SPDX-License-Identifier: MIT */
#ifndef PLF_PENDING_H
#define PLF_PENDING_H

/* What is pending: the ways into the controller, and out of it. */
#include "../plf_running.h"

/* The task is new or woken: of any core, by any core. Preempts no task by itself. */
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
 * The first task of a level that was pending; NULL: its ring is empty. One that gave way comes
 * first; a level without a ring then has no other (plf_level_config).
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
	PLF_OTHER_ABOVE, /* no task, or one that is not there yet: plf_pass_over() comes next, and
			  * then all is decided anew */
};

/* Holds all back that is not above `level`, and takes the first of what is left. */
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
