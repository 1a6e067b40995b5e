/* SPDX-License-Identifier: MIT */
#ifndef PLF_SCHEDULE_H
#define PLF_SCHEDULE_H

/* Scheduler: the earliest deadline first. */
#include "cores.h"
#include "hook.h"
#include "plf_ready.h"
#include "port.h"
#include "resource.h"
#include "trace.h"

/* ---- Time -------------------------------------------------------------- */

#define PLF_TAKES_TIME 1

/*
 * Called at each kernel entry. Tasks that this entry makes ready arrive at the time read here,
 * unless plf_arrived() sets another time. Floors count from `instant`, which must not be after an
 * arrival that a timer is set for and the kernel has not handled. Otherwise a task that arrives
 * then, and whose relative deadline is the floor, would be earlier than the holder.
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

/* Tasks that the kernel makes ready from here on arrived at arrival_ns, not before `instant`. */
static inline void plf_arrived(struct plf_core *core, uint64_t arrival_ns)
{
	plf_queue_of(core)->arrival = arrival_ns;
}

/* The next known arrival of that kind is at at_ns; UINT64_MAX: none. */
static inline void plf_timer_is_set(struct plf_core *core, enum plf_timer_kind kind, uint64_t at_ns)
{
	plf_queue_of(core)->timers[kind] = at_ns;
}

/* ---- Decisions --------------------------------------------------------- */

/* The task is activated or woken, and gets a new deadline in both cases. Preempts no task. */
void plf_make_ready(struct plf_core *core, struct plf_task *task);

/* No task runs: give the core to the earliest ready task, if any. */
void plf_dispatch(struct plf_core *core);

/* Must follow each step that may make tasks ready, or give the running task a later deadline. */
void plf_preempt_if_due(struct plf_core *core);

/* Preempt the running task: push it onto the stack. */
static inline void plf_put_back(struct plf_core *core)
{
	struct plf_task *task = core->running;

	plf_post_task(core);
	plf_leave_words(core, task);
	plf_push_preempted(core, task);
	plf_trace(PLF_TRACE_SUSPEND, task);
}

/* Pop the top of the stack, which resumes. */
static inline struct plf_task *plf_take_preempted(struct plf_core *core)
{
	struct plf_task *task = plf_queue_of(core)->preempted;

	plf_queue_of(core)->preempted = task->below;
	plf_trace(PLF_TRACE_RESUME, task);
	return task;
}

/* The running task has activated `task`. */
static inline void plf_make_ready_now(struct plf_core *core, struct plf_task *task)
{
	plf_make_ready(core, task);
	plf_preempt_if_due(core);
}

/* Schedule(): does nothing, because without internal resources no ready task is earlier. */
static inline void plf_yield(struct plf_core *core)
{
	(void)core;
}

/* The running task ends its activation, or waits. Only the hardware scheduler must act. */
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
