/* SPDX-License-Identifier: MIT */
/* Tasks: OSEK 2.2.3, Sections 4 and 13.2. */
#include "interrupt.h"
#include "plf_schedule.h"
#include "port.h"
#include "service.h"

/* One more activation, if there is room for it; the caller makes it ready. */
static inline __attribute__((warn_unused_result)) bool add_activation(struct plf_task *task)
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

/* It leaves everything as a new activation needs it. */
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

struct plf_result plf_activate_task(uintptr_t id, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	struct plf_task *task = &plf_tasks[id];

	if (id >= PLF_TASKS)
		return plf_status(E_OS_ID);
	if (!add_activation(task))
		return plf_status(E_OS_LIMIT);
	plf_make_ready_now(core, task);
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

struct plf_result plf_schedule(uintptr_t a, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	if (PLF_EXTENDED_STATUS && plf_holds_resource(core))
		return plf_status(E_OS_RESOURCE);
	plf_yield(core);
	return plf_status(E_OK);
}

/* The caller became less urgent, and found that it may have to give way. */
struct plf_result plf_preempt(uintptr_t a, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	plf_trace(PLF_TRACE_CALL, core->running);
	plf_settle(core);
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
