/* SPDX-License-Identifier: MIT */
#ifndef PLF_PENDING_H
#define PLF_PENDING_H

/* What is pending: the ways into the controller, and out of it. */
#include "cores.h"

/* The task is new or woken: of any core, by any core. Preempts no task by itself. */
static inline void plf_pend(const struct plf_task *task)
{
	struct plf_core *home = plf_core_of(task);
	unsigned base = task->urgency.base;
	struct plf_level *level = &home->queue.levels[base];

	if (!PLF_RINGS || level->only ||
	    plf_inbox_put(&level->ring, level->places, level->mask, task->index + 1U))
		plf_port_pend(plf_index_of(home), base);
}

/* The first task of a level that was pending; NULL: its ring is empty. */
static inline __attribute__((warn_unused_result)) struct plf_task *
plf_first_of(const struct plf_core *core, struct plf_level *level, unsigned number)
{
	uint32_t entry;

	if (!PLF_RINGS || level->only)
		return level->only;
	entry = plf_inbox_take(&level->ring, level->places, level->mask);
	if (plf_inbox_has_first(&level->ring, level->places, level->mask))
		plf_port_pend(plf_index_of(core), number);
	return entry ? &plf_tasks[entry - 1] : NULL;
}

/*
 * Holds all back that is not above `level`, and takes the first task of what is left: its interrupt
 * is active from now on. NULL: none is above. Interrupts that are no tasks are served on the way.
 */
static inline __attribute__((warn_unused_result)) struct plf_task *
plf_take_above(struct plf_core *core, unsigned level)
{
	struct plf_task *task;
	unsigned number;

	plf_port_hold_back(level);
	while ((number = plf_port_take()) != 0) {
		task = plf_first_of(core, &core->queue.levels[number], number);
		if (!PLF_RINGS || task)
			return task;
		plf_port_end_level(plf_index_of(core), number);
	}
	return NULL;
}

#endif
