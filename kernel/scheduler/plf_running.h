/* SPDX-License-Identifier: MIT */
#ifndef PLF_RUNNING_H
#define PLF_RUNNING_H

/* Fixed priorities, for the software and the hardware scheduler: a task gets or loses the core. */
#include "cores.h"
#include "hook.h"
#include "plf_preempted.h"
#include "resource.h"
#include "sharing.h"
#include "trace.h"

/* ---- Defined by a folder of kernel/global -------------------------------------------- */

/*
 * A task may be suspended in its request for a global resource. It then resumes at the ceiling,
 * above tasks that are more urgent outside the section. When it leaves the section, its level may
 * be at or below the level of the top of the stack. It then gives way to the top, which its section
 * preempted. It waits at the front of its level, before all new and woken tasks.
 *
 * plf_ready_level(): the level at which a task that is not preempted becomes ready. It is base, or
 * the level at which the task resumes. plf_begins_at(): the level at which the task gets the core,
 * if the scheduler found it at `level`.
 */
static inline unsigned plf_ready_level(const struct plf_task *task);
static inline unsigned plf_begins_at(const struct plf_task *task, unsigned level);

/* Whether the activation had the core before it became ready. */
static inline bool plf_goes_on(const struct plf_task *task);

/* When the task gets the core next, its resources have it at `level`. */
static inline void plf_go_on_at(struct plf_task *task, unsigned level);

/* The task has the core, so its ready level is base again. */
static inline void plf_is_there(struct plf_task *task);

/* Hardware scheduler: the level at which the task's interrupt is active. */
static inline unsigned plf_taken_level(const struct plf_task *task);
static inline void plf_take_level(struct plf_task *task, unsigned level);

/* Whether the running task, which is at `level` now, must give way to the top of the stack. */
static inline bool plf_has_come_down(const struct plf_core *core, unsigned level);

/* Hardware scheduler: whether the task's interrupt is active above `level`. */
static inline bool plf_is_taken_above(const struct plf_task *task, unsigned level);

/*
 * The level that the running task must see as the next level, if the top of the stack has `level`.
 */
static inline unsigned plf_preempted_seen(unsigned level);

/* A stack of the tasks of a level that gave way. */
static inline void plf_push_front(struct plf_core *core, struct plf_task *task, unsigned level);
static inline __attribute__((warn_unused_result)) struct plf_task *
plf_take_front(struct plf_core *core, unsigned level);
static inline bool plf_has_front(const struct plf_core *core, unsigned level);

#include "plf_ready_levels.h"

/* ---- A task gets the core, and loses it -------------------------------------------- */

/*
 * The level of the next task, as the running task may see it; 0 if its internal resource keeps the
 * next task out.
 */
static inline unsigned plf_next_seen(const struct plf_task *task, unsigned next)
{
	return PLF_INTERNAL_RESOURCES && task && next <= task->urgency.internal ? 0 : next;
}

/* Preempt the running task, whose resources have it at `level`: push it onto the stack. */
static inline void plf_put_back(struct plf_core *core, unsigned level)
{
	struct plf_task *task = core->running;

	plf_post_task(core);
	plf_leave_words(core, task);
	task->urgency.level = (uint8_t)level;
	plf_push_claim(core, task);
	plf_push_preempted(core, task);
	plf_trace(PLF_TRACE_SUSPEND, task);
}

/*
 * Take the core from the running task, which is in front of its level already. Its resources have
 * it at `level`.
 */
static inline void plf_put_aside(struct plf_core *core, unsigned level)
{
	struct plf_task *task = core->running;

	plf_post_task(core);
	plf_leave_words(core, task);
	plf_go_on_at(task, level);
	plf_trace(PLF_TRACE_SUSPEND, task);
}

/*
 * Give the core to the task, whose resources have it at `level`. The task takes its internal
 * resource whenever it gets the core (OSEK 2.2.3, 8.7). `next` is the level of the next ready task;
 * 0: none, or not known.
 */
static inline void plf_take_over(struct plf_core *core, struct plf_task *task, unsigned level,
				 unsigned next)
{
	plf_set_running(core, task);
	if (PLF_INTERNAL_RESOURCES)
		task->urgency.internal = task->config->urgency.internal;
	plf_load_words(core, task, level, plf_next_seen(task, next));
	plf_load_sharing(core, task);
	plf_pre_task(core);
}

static inline void plf_prepare_urgency(struct plf_task *task)
{
	const struct plf_urgency_config *config = &task->config->urgency;

	task->urgency.base = config->base;
	task->urgency.highest = config->highest;
	plf_is_there(task);
}

/* ---- Time: no effect here, see scheduler/edf --------------------------- */

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
