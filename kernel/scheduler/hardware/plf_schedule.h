/* SPDX-License-Identifier: MIT */
#ifndef PLF_SCHEDULE_H
#define PLF_SCHEDULE_H

/* Which task gets the core: what the interrupt controller says. */
#include "plf_pending.h"

static inline void plf_make_ready(struct plf_core *core, struct plf_task *task)
{
	(void)core;
	plf_pend(task);
}

/* The level of the running task, and that of its resources. */
static inline unsigned plf_own_level(struct plf_core *core, unsigned *of_resources)
{
	*of_resources = plf_running_level(core, PLF_LEVELS);
	return plf_counting(core->running, *of_resources);
}

/*
 * The task was taken: it begins at base, or goes on where it was, and all that is not above is
 * masked.
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
 * What follows an interrupt that is served: the same again. Out of line, so that decisions without
 * one need no stack.
 */
/*
 * The running task has come down from the level at which its interrupt is active to `level`, its
 * resources to `of_resources`: its interrupt becomes one of that level, and is taken or waits.
 */
void plf_come_down(struct plf_core *core, unsigned of_resources, unsigned level);

void plf_dispatch_again(struct plf_core *core, unsigned taken);
void plf_preempt_again(struct plf_core *core, unsigned taken);
void plf_yield_again(struct plf_core *core, unsigned taken);

/* The top of the stack gets the core; it is no task at the bottom of the stack. */
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
 * No task runs: the most urgent one gets the core, if there is one. The mask is that of the top of
 * the stack before anything is taken, so what it keeps out stays pending.
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
 * Ends each step that may have made tasks pending, or lowered the running one. Tasks are
 * interrupts, so one that holds these back holds tasks back, too: they come when it lets them
 * through.
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

/* The running task activated this one. */
static inline void plf_make_ready_now(struct plf_core *core, struct plf_task *task)
{
	bool is_above = task->urgency.base > core->running->urgency.base;

	plf_pend(task);
	if (plf_has(core, task) && is_above)
		plf_preempt_if_due(core);
}

/* Schedule() lets go of the internal resource, and of no other. */
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

/* The running task's activation is over, or it waits: its interrupt has been served. */
static inline void plf_let_go(struct plf_core *core)
{
	plf_port_end_level(plf_index_of(core), plf_taken_level(core->running));
}

/* ---- The start --------------------------------------------------------- */

void plf_prepare_queue(struct plf_core *core);

#endif
