/* SPDX-License-Identifier: MIT */
#ifndef PLF_SERVED_H
#define PLF_SERVED_H

/* What servers ask of the scheduler: kernel/server/budget. Fixed priorities. */
#include "plf_schedule.h"

/* The task is new or woken in the queue that is in force, which is not the running task's. */
static inline void plf_join(struct plf_core *core, struct plf_task *task)
{
	plf_ring_append(core, task);
}

/* Whether a task of the queue is ready and was not preempted. */
static inline bool plf_has_new(const struct plf_queue *queue)
{
	return queue->ready != plf_bit(0);
}

/* The running task is preempted, by no task of its queue: it is the top of the stack. */
static inline void plf_stop(struct plf_core *core)
{
	plf_put_back(core, plf_running_level(core, 0));
}

/* The top of the stack goes on, whatever else is ready. */
static inline void plf_resume(struct plf_core *core)
{
	struct plf_task *task = plf_queue_of(core)->preempted;

	plf_queue_of(core)->preempted = task->below;
	plf_pop_claim(core, task);
	plf_trace(PLF_TRACE_RESUME, task);
	plf_take_over(core, task, task->urgency.level, plf_next_level(core));
}

#endif
