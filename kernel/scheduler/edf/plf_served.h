/* SPDX-License-Identifier: MIT */
#ifndef PLF_SERVED_H
#define PLF_SERVED_H

/* Functions of the scheduler for kernel/server/budget: earliest deadline first. */
#include "plf_schedule.h"

/*
 * Make a new or woken task ready in the queue in force, which must not be the running task's queue.
 */
static inline void plf_join(struct plf_core *core, struct plf_task *task)
{
	plf_make_ready(core, task);
}

/* Whether the queue has a ready task that was not preempted. */
static inline bool plf_has_new(const struct plf_queue *queue)
{
	return queue->count > 0;
}

/* The server loses the core: push its running task onto the stack. */
static inline void plf_stop(struct plf_core *core)
{
	plf_put_back(core);
}

/* The top of the stack resumes, even if a ready task is more urgent. */
static inline void plf_resume(struct plf_core *core)
{
	struct plf_task *task = plf_take_preempted(core);

	plf_set_running(core, task);
	plf_load_words(core, task);
	plf_pre_task(core);
}

#endif
