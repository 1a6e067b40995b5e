/* SPDX-License-Identifier: MIT */
#ifndef PLF_RUNNING_H
#define PLF_RUNNING_H

/* Fixed priorities, whether software or hardware decides: a task gets the core, and loses it. */
#include "cores.h"
#include "hook.h"
#include "plf_preempted.h"
#include "resource.h"
#include "trace.h"

/* The next level, as the running task may see it: 0 if its internal resource keeps that one out. */
static inline unsigned plf_next_seen(const struct plf_task *task, unsigned next)
{
	return PLF_INTERNAL_RESOURCES && task && next <= task->urgency.internal ? 0 : next;
}

/* The running task is preempted, and its resources have it at `level`. */
static inline void plf_put_back(struct plf_core *core, unsigned level)
{
	struct plf_task *task = core->running;

	plf_post_task(core);
	plf_leave_words(core, task);
	task->urgency.level = (uint8_t)level;
	plf_push_preempted(core, task);
	plf_trace(PLF_TRACE_SUSPEND, task);
}

/*
 * The task gets the core, and its resources have it at `level`; it holds its internal resource
 * whenever it has the core (OSEK 2.2.3, 8.7). `next` is the level of the next one.
 */
static inline void plf_take_over(struct plf_core *core, struct plf_task *task, unsigned level,
				 unsigned next)
{
	core->running = task;
	if (PLF_INTERNAL_RESOURCES)
		task->urgency.internal = task->config->urgency.internal;
	plf_load_words(core, task, level, plf_next_seen(task, next));
	plf_pre_task(core);
}

static inline void plf_prepare_urgency(struct plf_task *task)
{
	const struct plf_urgency_config *config = &task->config->urgency;

	task->urgency.base = config->base;
	task->urgency.highest = config->highest;
}

/* ---- Time, which says nothing here: see scheduler/edf ------------------- */

#define PLF_TAKES_TIME 0

static inline void plf_take_time(struct plf_core *core)
{
	(void)core;
}

static inline void plf_arrived(struct plf_core *core, uint64_t arrival_ns)
{
	(void)core, (void)arrival_ns;
}

static inline void plf_timer_is_set(struct plf_core *core, enum plf_timer_kind kind, uint64_t at_ns)
{
	(void)core, (void)kind, (void)at_ns;
}

#endif
