/* SPDX-License-Identifier: MIT */
#ifndef PLF_PREEMPTED_H
#define PLF_PREEMPTED_H

/*
 * Fixed priorities: the stack of a core's preempted tasks. Its bottom is a dummy task at level 0.
 */
#include "core.h"

/* The higher of the task's two levels, if its resources have it at `level`. */
static inline unsigned plf_counting(const struct plf_task *task, unsigned level)
{
	return PLF_INTERNAL_RESOURCES && level < task->urgency.internal ? task->urgency.internal
									: level;
}

/* The level of the most urgent preempted task; 0: no task is preempted. */
static inline unsigned plf_preempted_level(const struct plf_core *core)
{
	const struct plf_task *task = plf_queue_of(core)->preempted;

	return plf_counting(task, task->urgency.level);
}

static inline void plf_push_preempted(struct plf_core *core, struct plf_task *task)
{
	task->below = plf_queue_of(core)->preempted;
	plf_queue_of(core)->preempted = task;
}

#endif
