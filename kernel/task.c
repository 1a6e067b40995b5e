/* SPDX-License-Identifier: MIT */
/* Tasks: OSEK 2.2.3, Sections 4 and 13.2. */
#include "cores.h"
#include "global.h"
#include "interrupt.h"
#include "plf_schedule.h"
#include "port.h"
#include "service.h"
#include "sharing.h"
#include "timing.h"

static struct plf_result at_limit(const struct plf_task *task)
{
	plf_trace(PLF_TRACE_REFUSED, task);
	return plf_status(E_OS_LIMIT);
}

static inline void make_ready(struct plf_core *core, struct plf_task *task)
{
	if (!plf_hand_over(core, task))
		plf_make_ready(core, task);
}

/* If the activation comes too early, refuse it and give its room back. */
static inline bool is_early(struct plf_core *core, struct plf_task *task)
{
	if (!PLF_TIME_FRAMES || !plf_comes_early(core, task))
		return false;
	plf_give_room(task);
	plf_trace(PLF_TRACE_REFUSED, task);
	return true;
}

StatusType plf_activate(struct plf_core *core, struct plf_task *task)
{
	if (!plf_take_room(task))
		return (StatusType)at_limit(task).status;
	if (is_early(core, task))
		return E_OK;
	plf_trace(PLF_TRACE_ACTIVATE, task);
	make_ready(core, task);
	return E_OK;
}

/*
 * Leave everything as a new activation needs it, except the room. Inline even under -Os, because a
 * call would be a tenth of TerminateTask().
 */
static inline __attribute__((always_inline)) void leave_activation(struct plf_core *core)
{
	struct plf_task *task = core->running;

	plf_post_task(core);
	plf_leave_global(core, task);
	plf_let_go(core);
	plf_trace(PLF_TRACE_END, task);
	if (PLF_BUDGETS)
		plf_renew_budget(task);
	if (PLF_LOCK_BUDGETS)
		plf_forget_locks(task);
	plf_forget_masks(task);
	plf_end_events(task);
	plf_forget_words(task);
	plf_forget_claim(task);
	plf_port_end_context(task);
}

void plf_end_activation(struct plf_core *core)
{
	struct plf_task *task = core->running;

	leave_activation(core);
	plf_give_room(task);
}

struct plf_result plf_activate_task(uintptr_t id, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	struct plf_task *task = &plf_tasks[id];

	if (id >= PLF_TASKS)
		return plf_status(E_OS_ID);
	if (!plf_take_room(task))
		return at_limit(task);
	if (is_early(core, task))
		return plf_status(E_OK);
	plf_trace(PLF_TRACE_ACTIVATE, task);
	if (!plf_hand_over(core, task))
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
	StatusType open = plf_open_section(core);

	if (open != E_OK)
		return plf_status(open);
	plf_end_activation(core);
	plf_dispatch(core);
	return plf_status(E_OK);
}

/*
 * If the caller names itself, its activation keeps its room for the new activation. If the new
 * activation comes too early, it is refused, but the caller still ends.
 */
struct plf_result plf_chain_task(uintptr_t id, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	struct plf_task *task = core->running;
	struct plf_task *next = &plf_tasks[id];
	StatusType open = plf_open_section(core);

	if (id >= PLF_TASKS)
		return plf_status(E_OS_ID);
	if (open != E_OK)
		return plf_status(open);
	if (next != task && !plf_take_room(next))
		return at_limit(next);
	if (PLF_TIME_FRAMES && plf_comes_early(core, next)) {
		if (next != task)
			plf_give_room(next);
		plf_end_activation(core);
		plf_dispatch(core);
		return plf_status(E_OK);
	}
	leave_activation(core);
	if (next == task)
		plf_keep_room(task);
	else
		plf_give_room(task);
	plf_trace(PLF_TRACE_ACTIVATE, next);
	make_ready(core, next);
	plf_dispatch(core);
	return plf_status(E_OK);
}

struct plf_result plf_schedule(uintptr_t a, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	StatusType open = plf_open_section(core);

	if (open != E_OK)
		return plf_status(open);
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

/*
 * The order ensures that a task is not reported READY if it only went from running to waiting
 * meanwhile. For a task of another core, SUSPENDED and WAITING are exact. A task that has just
 * begun to wait may be reported RUNNING until its core has taken the next task.
 */
struct plf_result plf_get_task_state(uintptr_t id, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	const struct plf_task *task = &plf_tasks[id];

	if (id >= PLF_TASKS)
		return plf_status(E_OS_ID);
	if (plf_is_running(core, task))
		return plf_value(RUNNING);
	if (plf_is_waiting(task) || plf_is_blocked(task))
		return plf_value(WAITING);
	return plf_value(plf_room_of(task) == task->most ? SUSPENDED : READY);
}
