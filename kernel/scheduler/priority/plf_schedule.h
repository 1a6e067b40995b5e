/* SPDX-License-Identifier: MIT */
#ifndef PLF_SCHEDULE_H
#define PLF_SCHEDULE_H

/* Which task gets the core, by fixed priorities. */
#include "plf_ready.h"
#include "timing.h"

/* The task is new or woken. Preempts no task by itself. */
static inline void plf_make_ready(struct plf_core *core, struct plf_task *task)
{
	plf_ring_append(core, task);
	plf_next_changed(core, plf_next_seen(core->running, plf_next_level(core)));
}

/*
 * The level of the running task, which is not below `above` where its internal resource keeps out
 * that one; else that of its resources.
 */
static inline unsigned plf_level_against(struct plf_core *core, unsigned above)
{
	unsigned internal = core->running->urgency.internal;

	if (PLF_INTERNAL_RESOURCES && above <= internal) {
		(void)plf_running_level(core, 0); /* which bounds what it finds in the words */
		return internal;
	}
	return plf_running_level(core, above);
}

/* The routine that waits runs now, and its interrupt ends: the running task, if any, is below. */
void plf_serve_waiting(struct plf_core *core);

/* The routine of this interrupt waits no more, if it did, and its interrupt is over. */
void plf_drop_waiting(struct plf_core *core, unsigned isr);

static inline bool plf_routine_waits(const struct plf_core *core)
{
	return PLF_ROUTINES_WAIT && plf_highest_new(core) == PLF_LEVEL_OF_INTERRUPTS;
}

/*
 * No task runs: the most urgent ready task gets the core, if there is one. Out of its ring it
 * begins at base, or goes on where it was, as off the stack.
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

/* The running task is preempted by the most urgent ready one; its resources have it at `level`. */
void plf_preempt_below(struct plf_core *core, unsigned level);

/* The running task, which has come down, gives way to the most urgent ready one. */
void plf_give_way(struct plf_core *core);

/* Whether it has; `level` is of plf_level_against(). */
static inline bool plf_gives_way(const struct plf_core *core, unsigned level)
{
	return plf_has_come_down(core, plf_counting(core->running, level));
}

/* Ends each step that may have made tasks ready, or lowered the running one. */
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
 * The running task activated this one. Above all others it gets the core at once, without a
 * place in the queue. Above all that are ready, too: a task that lowered its priority may have
 * left out the call that lets them run.
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
 * Schedule() lets go of the internal resource, and of no other: tasks above the ceilings that the
 * caller holds may run. Without an internal resource none of these is ready.
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

/* The running task's activation is over, or it waits: see scheduler/hardware. */
static inline void plf_let_go(struct plf_core *core)
{
	(void)core;
}

/*
 * A task that does not run is ready no more: all its activations that were are dropped. Returns
 * whether it was preempted.
 */
__attribute__((warn_unused_result)) bool plf_remove_task(struct plf_core *core,
							 struct plf_task *task);

/* ---- The start --------------------------------------------------------- */

void plf_prepare_queue(struct plf_core *core);

#endif
