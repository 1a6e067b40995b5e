/* SPDX-License-Identifier: MIT */
#ifndef PLF_SCHEDULE_H
#define PLF_SCHEDULE_H

/* Scheduler: fixed priorities, by software. */
#include "plf_ready.h"
#include "timing.h"

/* Make a new or woken task ready. Preempts no task. */
static inline void plf_make_ready(struct plf_core *core, struct plf_task *task)
{
	plf_ring_append(core, task);
	plf_next_changed(core, plf_next_seen(core->running, plf_next_level(core)));
}

/*
 * The level of the running task, for a comparison with `above`. It is the ceiling of its internal
 * resource if that keeps `above` out, else the level of its resources.
 */
static inline unsigned plf_level_against(struct plf_core *core, unsigned above)
{
	unsigned internal = core->running->urgency.internal;

	if (PLF_INTERNAL_RESOURCES && above <= internal) {
		(void)plf_running_level(core, 0); /* bounds the level in the words */
		return internal;
	}
	return plf_running_level(core, above);
}

/*
 * Run the routine that waits, and end its interrupt. The running task, if any, must be below the
 * level of interrupts.
 */
void plf_serve_waiting(struct plf_core *core);

/* If the routine of this interrupt waits, drop it and end its interrupt. */
void plf_drop_waiting(struct plf_core *core, unsigned isr);

static inline bool plf_routine_waits(const struct plf_core *core)
{
	return PLF_ROUTINES_WAIT && plf_highest_new(core) == PLF_LEVEL_OF_INTERRUPTS;
}

/*
 * No task runs: give the core to the most urgent ready task, if any. A task out of a ring begins at
 * base, or resumes at its level as a task off the stack does.
 */
static inline void plf_dispatch(struct plf_core *core)
{
	unsigned highest = plf_highest_new(core);
	struct plf_task *task = plf_queue_of(core)->preempted;
	unsigned level = task->urgency.level;

	if (plf_routine_waits(core)) {
		plf_set_running(core, NULL);
		plf_serve_waiting(core);
		highest = plf_highest_new(core);
		if (PLF_TERMINATION) { /* the routine may have ended the preempted task */
			task = plf_queue_of(core)->preempted;
			level = task->urgency.level;
		}
	}
	if (plf_preempted_level(core) < highest) {
		task = plf_ring_take(core, highest);
		level = plf_begins_at(task, highest);
		plf_trace_begin(task, plf_goes_on(task));
		plf_is_there(task);
	} else if (level > 0 && !plf_waits_for_budget(core, task)) {
		plf_queue_of(core)->preempted = task->below;
		plf_pop_claim(core, task);
		plf_trace(PLF_TRACE_RESUME, task);
	} else {
		plf_set_running(core, NULL);
		if (PLF_BUDGETS)
			plf_set_budget_timer(core);
		return;
	}
	plf_take_over(core, task, level, plf_next_level(core));
}

/* The most urgent ready task preempts the running task, whose resources have it at `level`. */
void plf_preempt_below(struct plf_core *core, unsigned level);

/* The running task, which has come down, gives way to the most urgent ready task. */
void plf_give_way(struct plf_core *core);

/* Whether the running task has come down. `level` must be the result of plf_level_against(). */
static inline bool plf_gives_way(const struct plf_core *core, unsigned level)
{
	return plf_has_come_down(core, plf_counting(core->running, level));
}

/* Must follow each step that may make tasks ready, or lower the running task. */
static inline void plf_preempt_if_due(struct plf_core *core)
{
	unsigned highest = plf_highest_new(core);
	unsigned level = plf_level_against(core, highest);

	if (plf_routine_waits(core) && level < highest) {
		plf_serve_waiting(core);
		if (PLF_TERMINATION && !core->running) {
			plf_dispatch(core);
			return;
		}
		highest = plf_highest_new(core);
		level = plf_level_against(core, highest);
	}
	if (plf_gives_way(core, level))
		plf_give_way(core);
	else if (highest > level)
		plf_preempt_below(core, level);
}

/*
 * The running task has activated `task`. If `task` is above the running task and above all ready
 * tasks, it gets the core at once, without a place in the queue. Ready tasks count, too, because a
 * task that lowered its priority may have left out the call that lets them run.
 */
static inline void plf_make_ready_now(struct plf_core *core, struct plf_task *task)
{
	unsigned base = task->urgency.base;
	unsigned level = plf_level_against(core, base);
	bool gives_way = plf_gives_way(core, level);

	if (base > level && plf_queue_of(core)->ready >> base == 0 && !gives_way) {
		plf_put_back(core, level);
		plf_trace(PLF_TRACE_START, task);
		plf_take_over(core, task, base, plf_counting(core->running, level));
	} else {
		plf_make_ready(core, task);
		if (plf_highest_new(core) > level || gives_way)
			plf_preempt_if_due(core);
	}
}

/*
 * Schedule() releases the internal resource and no other, so tasks above the ceilings that the
 * caller holds may run. Without an internal resource no such task is ready.
 */
static inline void plf_yield(struct plf_core *core)
{
	struct plf_task *task = core->running;
	unsigned highest = plf_highest_new(core);
	unsigned level;

	if (highest <= task->urgency.base && !plf_has_come_down(core, task->urgency.base))
		return;
	level = plf_running_level(core, highest);
	if (plf_has_come_down(core, level)) {
		task->urgency.internal = task->urgency.base;
		plf_give_way(core);
	} else if (highest > level) {
		plf_put_back(core, level);
		task->urgency.internal = task->urgency.base;
		plf_dispatch(core);
	}
}

/* The running task ends its activation, or waits. Only the hardware scheduler must act. */
static inline void plf_let_go(struct plf_core *core)
{
	(void)core;
}

/*
 * Drop all ready activations of a task that does not run. Returns whether it was preempted. The
 * time grows with the ring of its level and with the stack.
 */
__attribute__((warn_unused_result)) bool plf_remove_task(struct plf_core *core,
							 struct plf_task *task);

/* ---- The start --------------------------------------------------------- */

void plf_prepare_queue(struct plf_core *core);

#endif
