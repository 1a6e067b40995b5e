/* SPDX-License-Identifier: MIT */
#ifndef PLF_DISPATCH_H
#define PLF_DISPATCH_H

/* Who gets the core. */
#include "hook.h"
#include "plf_level.h"
#include "ready.h"
#include "trace.h"

/* The task is new or woken. Preempts nobody by itself. */
static inline void plf_make_ready(struct plf_core *core, struct plf_task *task)
{
	plf_ring_append(core, task);
	plf_next_changed(core, plf_next_level(core));
}

/* The running task, at `level` now, is preempted. */
static inline void plf_put_back(struct plf_core *core, unsigned level)
{
	struct plf_task *task = core->running;

	plf_post_task(core);
	plf_leave_words(core, task);
	task->level = (uint8_t)level;
	plf_push_preempted(core, task);
	plf_trace(PLF_TRACE_SUSPEND, task);
}

/* The task gets the core, at `level`; `next` is the level of the next one. */
static inline void plf_take_over(struct plf_core *core, struct plf_task *task, unsigned level,
				 unsigned next)
{
	core->running = task;
	plf_load_words(core, task, level, next);
	plf_pre_task(core);
}

/*
 * Nobody runs: the most urgent ready task gets the core, if there is one. Out of its ring it
 * begins at `running`: it holds its internal resource whenever it has the core (OSEK 2.2.3,
 * 8.7), and no other. Off the stack it goes on where it was; Schedule() put it there at base.
 */
static inline void plf_dispatch(struct plf_core *core)
{
	unsigned highest = plf_highest_new(core);
	struct plf_task *task = core->preempted;
	unsigned level = task->level;

	if (level < highest) {
		task = plf_ring_take(core, highest);
		level = task->running;
		plf_trace(task->waits_for ? PLF_TRACE_RESUME : PLF_TRACE_START, task);
	} else if (level > 0) {
		core->preempted = task->below;
		if (PLF_INTERNAL_RESOURCES && level < task->running)
			level = task->running;
		plf_trace(PLF_TRACE_RESUME, task);
	} else {
		core->running = NULL;
		return;
	}
	plf_take_over(core, task, level, plf_next_level(core));
}

/* The running task, at `level`, is preempted by the most urgent ready one, which is above it. */
void plf_preempt_below(struct plf_core *core, unsigned level);

/* The same; the end of what may have made tasks ready, or lowered the running one. */
static inline void plf_preempt_if_due(struct plf_core *core)
{
	unsigned level = plf_running_level(core);

	if (plf_highest_new(core) > level)
		plf_preempt_below(core, level);
}

#endif
