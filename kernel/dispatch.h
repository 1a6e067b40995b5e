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

/* The task gets the core, at task->level; `next` is the level of the next one. */
static inline void plf_take_over(struct plf_core *core, struct plf_task *task, unsigned next)
{
	core->running = task;
	plf_load_words(core, task, next);
	plf_pre_task(core);
}

/* The most urgent ready task: off the stack, or out of its ring. NULL: none. */
static inline struct plf_task *plf_choose(struct plf_core *core)
{
	unsigned level = plf_highest_new(core);
	struct plf_task *task = core->preempted;

	if (task->level < level) {
		task = plf_ring_take(core, level);
		plf_trace(task->waits_for ? PLF_TRACE_RESUME : PLF_TRACE_START, task);
	} else if (task->level > 0) {
		core->preempted = task->below;
		plf_trace(PLF_TRACE_RESUME, task);
	} else {
		return NULL;
	}
	return task;
}

/*
 * Nobody runs: the most urgent ready task gets the core, if there is one. A task holds its
 * internal resource whenever it has the core (OSEK 2.2.3, 8.7), so it goes on at `running` at
 * least; one that was preempted in a section, higher.
 */
static inline void plf_dispatch(struct plf_core *core)
{
	struct plf_task *task = plf_choose(core);

	if (!task) {
		core->running = NULL;
		return;
	}
	if (PLF_INTERNAL_RESOURCES && task->level < task->running)
		task->level = task->running;
	plf_take_over(core, task, plf_next_level(core));
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
