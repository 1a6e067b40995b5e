/* SPDX-License-Identifier: MIT */
#ifndef PLF_SERVED_H
#define PLF_SERVED_H

/* Functions of the scheduler for kernel/server/budget: fixed priorities. */
#include "plf_schedule.h"

/*
 * Make a new or woken task ready in the queue in force, which must not be the running task's queue.
 */
static inline void plf_join(struct plf_core *core, struct plf_task *task)
{
	plf_ring_append(core, task);
}

/* Whether the queue has a ready task that was not preempted. */
static inline bool plf_has_new(const struct plf_queue *queue)
{
	return queue->ready != plf_bit(0);
}

/* The server loses the core: push its running task onto the stack. */
static inline void plf_stop(struct plf_core *core)
{
	plf_put_back(core, plf_running_level(core, 0));
}

/* The top of the stack resumes, even if a ready task is more urgent. */
static inline void plf_resume(struct plf_core *core)
{
	struct plf_task *task = plf_queue_of(core)->preempted;

	plf_queue_of(core)->preempted = task->below;
	plf_pop_claim(core, task);
	plf_trace(PLF_TRACE_RESUME, task);
	plf_take_over(core, task, task->urgency.level, plf_next_level(core));
}

#endif
