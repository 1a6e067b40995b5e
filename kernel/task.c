/* SPDX-License-Identifier: MIT */
/* Tasks: OSEK 2.2.3, Sections 4 and 13.2. */
#include "dispatch.h"
#include "interrupt.h"
#include "port.h"
#include "service.h"

/* One more activation, if there is room for it; the caller makes it ready. */
static inline bool add_activation(struct plf_task *task)
{
	if (task->room == 0) {
		plf_trace(PLF_TRACE_REFUSED, task);
		return false;
	}
	task->room--;
	plf_trace(PLF_TRACE_ACTIVATE, task);
	return true;
}

StatusType plf_activate(struct plf_core *core, struct plf_task *task)
{
	if (!add_activation(task))
		return E_OS_LIMIT;
	plf_make_ready(core, task);
	return E_OK;
}

/* What it leaves is as a new activation needs it. */
void plf_end_activation(struct plf_core *core)
{
	struct plf_task *task = core->running;

	plf_post_task(core);
	plf_trace(PLF_TRACE_END, task);
	plf_forget_masks(task);
	task->room++;
	task->events = 0;
	task->waits_for = 0;
	plf_forget_words(task);
	plf_port_end_context(task);
}

/*
 * A task above all others gets the core at once, without a place in the queue. Above all
 * that are ready, too: a task that lowered its priority may have left out the call that
 * lets them run.
 */
struct plf_result plf_activate_task(uintptr_t id, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	struct plf_task *task = &plf_tasks[id];
	unsigned level;

	if (id >= PLF_TASKS)
		return plf_status(E_OS_ID);
	if (!add_activation(task))
		return plf_status(E_OS_LIMIT);
	level = plf_running_level(core);
	if (task->base > level && core->ready >> task->base == 0) {
		plf_put_back(core, level);
		plf_trace(PLF_TRACE_START, task);
		plf_take_over(core, task, task->running, level);
	} else {
		plf_make_ready(core, task);
		if (plf_highest_new(core) > level)
			plf_preempt_below(core, level);
	}
	return plf_status(E_OK);
}

struct plf_result plf_activate_later(uintptr_t id, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	if (id >= PLF_TASKS)
		return plf_status(E_OS_ID);
	return plf_status(plf_activate(core, &plf_tasks[id]));
}

struct plf_result plf_terminate_task(uintptr_t a, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	if (PLF_EXTENDED_STATUS && plf_holds_resource(core))
		return plf_status(E_OS_RESOURCE);
	plf_end_activation(core);
	plf_dispatch(core);
	return plf_status(E_OK);
}

/* Where the caller names itself, its own activation makes room for the new one. */
struct plf_result plf_chain_task(uintptr_t id, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	struct plf_task *next = &plf_tasks[id];

	if (id >= PLF_TASKS)
		return plf_status(E_OS_ID);
	if (PLF_EXTENDED_STATUS && plf_holds_resource(core))
		return plf_status(E_OS_RESOURCE);
	if (next != core->running && next->room == 0) {
		plf_trace(PLF_TRACE_REFUSED, next);
		return plf_status(E_OS_LIMIT);
	}
	plf_end_activation(core);
	(void)plf_activate(core, next); /* there is room */
	plf_dispatch(core);
	return plf_status(E_OK);
}

/*
 * Without an internal resource nobody that is ready is above the caller. With one it is let
 * go, so that tasks above base may run, and taken again on return.
 */
struct plf_result plf_schedule(uintptr_t a, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	const struct plf_task *task = core->running;

	if (PLF_EXTENDED_STATUS && plf_holds_resource(core))
		return plf_status(E_OS_RESOURCE);
	if (plf_highest_new(core) > task->base && plf_running_level(core) == task->running) {
		plf_put_back(core, task->base);
		plf_dispatch(core);
	}
	return plf_status(E_OK);
}

/* The caller lowered its priority, and found that it may have to give way. */
struct plf_result plf_preempt(uintptr_t a, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	plf_trace(PLF_TRACE_CALL, core->running);
	plf_preempt_if_due(core);
	return plf_status(E_OK);
}

struct plf_result plf_get_task_id(uintptr_t a, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	const struct plf_task *task = core->running;

	return plf_value(task ? task->index : INVALID_TASK);
}

struct plf_result plf_get_task_state(uintptr_t id, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	const struct plf_task *task = &plf_tasks[id];

	if (id >= PLF_TASKS)
		return plf_status(E_OS_ID);
	if (task->room == task->most)
		return plf_value(SUSPENDED);
	if (task->is_waiting)
		return plf_value(WAITING);
	return plf_value(task == core->running ? RUNNING : READY);
}
