/* SPDX-License-Identifier: MIT */
#ifndef PLF_SCHEDULE_H
#define PLF_SCHEDULE_H

/* Which task gets the core: the earliest deadline first. */
#include "cores.h"
#include "hook.h"
#include "plf_ready.h"
#include "port.h"
#include "resource.h"
#include "trace.h"

/* ---- Time -------------------------------------------------------------- */

#define PLF_TAKES_TIME 1

/*
 * The kernel is entered. One reading of the clock is the arrival of every task that this entry
 * makes ready, unless plf_arrived() knows better. Floors count from it, too, but from no later than
 * the arrivals that a timer was set for and the kernel has not handled: with these handled
 * later, a task whose deadline is the floor would be earlier than the holder.
 */
static inline void plf_take_time(struct plf_core *core)
{
	struct plf_queue *queue = plf_queue_of(core);
	uint64_t instant = plf_port_now_ns();

	queue->arrival = instant;
	for (unsigned kind = 0; kind < PLF_TIMERS; kind++)
		if (queue->timers[kind] < instant)
			instant = queue->timers[kind];
	queue->instant = instant;
}

/* The tasks that the kernel makes ready from here on arrived then, at `instant` or later. */
static inline void plf_arrived(struct plf_core *core, uint64_t arrival_ns)
{
	plf_queue_of(core)->arrival = arrival_ns;
}

/* The next arrival of that kind that the kernel knows of; UINT64_MAX: none. */
static inline void plf_timer_is_set(struct plf_core *core, enum plf_timer_kind kind, uint64_t at_ns)
{
	plf_queue_of(core)->timers[kind] = at_ns;
}

/* ---- Decisions --------------------------------------------------------- */

/*
 * The task has a new activation, or wakes up: with a new deadline in both cases. Preempts no
 * task by itself.
 */
void plf_make_ready(struct plf_core *core, struct plf_task *task);

/* No task runs: the earliest ready task gets the core, if there is one. */
void plf_dispatch(struct plf_core *core);

/* Ends each step that may have made tasks ready, or given the running one a later deadline. */
void plf_preempt_if_due(struct plf_core *core);

/* The running task is preempted. */
static inline void plf_put_back(struct plf_core *core)
{
	struct plf_task *task = core->running;

	plf_post_task(core);
	plf_leave_words(core, task);
	plf_push_preempted(core, task);
	plf_trace(PLF_TRACE_SUSPEND, task);
}

/* The top of the stack goes on. */
static inline struct plf_task *plf_take_preempted(struct plf_core *core)
{
	struct plf_task *task = plf_queue_of(core)->preempted;

	plf_queue_of(core)->preempted = task->below;
	plf_trace(PLF_TRACE_RESUME, task);
	return task;
}

/* The running task activated this one. */
static inline void plf_make_ready_now(struct plf_core *core, struct plf_task *task)
{
	plf_make_ready(core, task);
	plf_preempt_if_due(core);
}

/* Schedule(). There are no internal resources, so no ready task is earlier. */
static inline void plf_yield(struct plf_core *core)
{
	(void)core;
}

/* The running task's activation is over, or it waits: see scheduler/hardware. */
static inline void plf_let_go(struct plf_core *core)
{
	(void)core;
}

/* ---- The start --------------------------------------------------------- */

void plf_prepare_queue(struct plf_core *core);

static inline void plf_prepare_urgency(struct plf_task *task)
{
	(void)task;
}

#endif
