/* SPDX-License-Identifier: MIT */
#ifndef PLF_RUNNING_H
#define PLF_RUNNING_H

/* Fixed priorities, whether software or hardware decides: a task gets the core, and loses it. */
#include "cores.h"
#include "hook.h"
#include "plf_preempted.h"
#include "resource.h"
#include "sharing.h"
#include "trace.h"

/* ---- Of the folder of kernel/global ---------------------------------------------- */

/*
 * A task that is suspended in its request for a global resource goes on at the ceiling, above tasks
 * that are more urgent than itself outside the section. When it has left the section, and its level
 * is not above that of the top of the stack, it gives way to that: its section preempted it, and is
 * over. It goes on before all others of its level that are new or woken: to the front.
 *
 * At which level a task that is not preempted becomes ready: base, or at which it goes on. And at
 * which it then gets the core, where it was found at `level`.
 */
static inline unsigned plf_ready_level(const struct plf_task *task);
static inline unsigned plf_begins_at(const struct plf_task *task, unsigned level);

/* Whether its activation has had the core before it became ready. */
static inline bool plf_goes_on(const struct plf_task *task);

/* Its resources have it at this level the next time that it has the core. */
static inline void plf_go_on_at(struct plf_task *task, unsigned level);

/* It has the core. */
static inline void plf_is_there(struct plf_task *task);

/* The hardware scheduler: the level at which its interrupt is active. */
static inline unsigned plf_taken_level(const struct plf_task *task);
static inline void plf_take_level(struct plf_task *task, unsigned level);

/* Whether the running task, at `level`, has to give way to the top of the stack. */
static inline bool plf_has_come_down(const struct plf_core *core, unsigned level);

/* The hardware scheduler: whether its interrupt is active above that level. */
static inline bool plf_is_taken_above(const struct plf_task *task, unsigned level);

/* The level of the top of the stack, as the next one that the running task has to see. */
static inline unsigned plf_preempted_seen(unsigned level);

/* The tasks of a level that gave way, the last one first. */
static inline void plf_push_front(struct plf_core *core, struct plf_task *task, unsigned level);
static inline __attribute__((warn_unused_result)) struct plf_task *
plf_take_front(struct plf_core *core, unsigned level);
static inline bool plf_has_front(const struct plf_core *core, unsigned level);

#include "plf_ready_levels.h"

/* ---- A task gets the core, and loses it -------------------------------------------- */

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
	plf_push_claim(core, task);
	plf_push_preempted(core, task);
	plf_trace(PLF_TRACE_SUSPEND, task);
}

/* The running task, which is in front of its level, gives way; its resources have it at `level`. */
static inline void plf_put_aside(struct plf_core *core, unsigned level)
{
	struct plf_task *task = core->running;

	plf_post_task(core);
	plf_leave_words(core, task);
	plf_go_on_at(task, level);
	plf_trace(PLF_TRACE_SUSPEND, task);
}

/*
 * The task gets the core, and its resources have it at `level`; it holds its internal resource
 * whenever it has the core (OSEK 2.2.3, 8.7). `next` is the level of the next one.
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
