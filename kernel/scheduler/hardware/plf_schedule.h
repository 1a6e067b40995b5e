/* SPDX-License-Identifier: MIT */
#ifndef PLF_SCHEDULE_H
#define PLF_SCHEDULE_H

/* Scheduler: fixed priorities, by the interrupt controller. */
#include "plf_pending.h"

static inline void plf_make_ready(struct plf_core *core, struct plf_task *task)
{
	(void)core;
	plf_pend(task);
}

/* Returns the level of the running task. `of_resources` gets the level of its resources. */
static inline unsigned plf_own_level(struct plf_core *core, unsigned *of_resources)
{
	*of_resources = plf_running_level(core, PLF_LEVELS);
	return plf_counting(core->running, *of_resources);
}

/*
 * Give the core to a task that was taken. It begins at base, or resumes at its level. All
 * interrupts that are not above it are masked.
 */
static inline void plf_begin_task(struct plf_core *core, struct plf_task *task)
{
	plf_trace_begin(task, plf_goes_on(task));
	plf_take_over(core, task, plf_begins_at(task, task->urgency.base), 0);
	plf_is_there(task);
	if (PLF_INTERNAL_RESOURCES)
		plf_port_hold_back(task->urgency.internal);
}

/*
 * The running task has come down from the level at which its interrupt is active: to `level`, and
 * its resources to `of_resources`. Its interrupt moves to `level`, and is taken again or waits.
 */
void plf_come_down(struct plf_core *core, unsigned of_resources, unsigned level);

/*
 * Serve the interrupt that was taken, and decide again. These functions are out of line, because a
 * decision without such an interrupt then needs no stack.
 */
void plf_dispatch_again(struct plf_core *core, unsigned taken);
void plf_preempt_again(struct plf_core *core, unsigned taken);
void plf_yield_again(struct plf_core *core, unsigned taken);

/* Give the core to the top of the stack. If the stack is empty, no task runs. */
static inline void plf_go_on(struct plf_core *core, struct plf_task *top)
{
	if (top->urgency.level == 0) {
		plf_set_running(core, NULL);
		return;
	}
	plf_queue_of(core)->preempted = top->below;
	plf_trace(PLF_TRACE_RESUME, top);
	plf_take_over(core, top, top->urgency.level, 0);
}

/*
 * No task runs: give the core to the most urgent task, if any. The mask is set to the level of the
 * top of the stack first, so tasks that are not above it stay pending.
 */
static inline void plf_dispatch(struct plf_core *core)
{
	struct plf_task *top = plf_queue_of(core)->preempted;
	struct plf_task *task;
	unsigned taken;

	switch (plf_take_above(core, plf_preempted_level(core), &task, &taken)) {
	case PLF_OTHER_ABOVE:
		plf_dispatch_again(core, taken);
		break;
	case PLF_TASK_ABOVE:
		plf_begin_task(core, task);
		break;
	case PLF_NOTHING_ABOVE:
		plf_go_on(core, top);
	}
}

/*
 * Must follow each step that may make tasks pending, or lower the running task. Tasks are
 * interrupts, so a task that holds interrupts back holds tasks back, too.
 */
static inline void plf_preempt_if_due(struct plf_core *core)
{
	unsigned of_resources, taken;
	unsigned level = plf_own_level(core, &of_resources);
	struct plf_task *task;

	if (core->running->masked) {
		plf_port_hold_back(level);
		return;
	}
	if (plf_is_taken_above(core->running, level)) {
		plf_come_down(core, of_resources, level);
		return;
	}
	switch (plf_take_above(core, level, &task, &taken)) {
	case PLF_OTHER_ABOVE:
		plf_preempt_again(core, taken);
		break;
	case PLF_TASK_ABOVE:
		plf_put_back(core, of_resources);
		plf_begin_task(core, task);
		break;
	case PLF_NOTHING_ABOVE:
		break;
	}
}

/* The running task has activated `task`. */
static inline void plf_make_ready_now(struct plf_core *core, struct plf_task *task)
{
	bool is_above = task->urgency.base > core->running->urgency.base;

	plf_pend(task);
	if (plf_has(core, task) && is_above)
		plf_preempt_if_due(core);
}

/* Schedule() releases the internal resource, and no other. */
static inline void plf_yield(struct plf_core *core)
{
	unsigned level, taken;
	struct plf_task *task;

	if (!PLF_INTERNAL_RESOURCES || core->running->masked)
		return;
	level = plf_running_level(core, PLF_LEVELS);
	if (plf_is_taken_above(core->running, level)) {
		core->running->urgency.internal = core->running->urgency.base;
		plf_come_down(core, level, level);
		return;
	}
	switch (plf_take_above(core, level, &task, &taken)) {
	case PLF_OTHER_ABOVE:
		plf_yield_again(core, taken);
		break;
	case PLF_TASK_ABOVE:
		plf_put_back(core, level);
		plf_queue_of(core)->preempted->urgency.internal =
			plf_queue_of(core)->preempted->urgency.base;
		plf_begin_task(core, task);
		break;
	case PLF_NOTHING_ABOVE:
		break;
	}
}

/* The running task ends its activation, or waits: its interrupt is served. */
static inline void plf_let_go(struct plf_core *core)
{
	plf_port_end_level(plf_index_of(core), plf_taken_level(core->running));
}

/* ---- The start --------------------------------------------------------- */

void plf_prepare_queue(struct plf_core *core);

#endif
