/* SPDX-License-Identifier: MIT */
/* Events: OSEK 2.2.3, Sections 7 and 13.5. Only extended tasks have events. */
#include "cores.h"
#include "global.h"
#include "plf_schedule.h"
#include "service.h"
#include "sharing.h"
#include "timing.h"

static inline StatusType set_events(struct plf_core *core, struct plf_task *task, uint64_t events)
{
	enum plf_event_effect effect;

	if (!task->config->events)
		return E_OS_ACCESS;
	effect = plf_add_events(task, events);
	if (effect == PLF_EVENT_REFUSED)
		return PLF_EXTENDED_STATUS ? E_OS_STATE : E_OK;
	if (effect == PLF_EVENT_WAKES && !(PLF_TIME_FRAMES && plf_wakes_early(core, task))) {
		plf_trace(PLF_TRACE_WAKE, task);
		if (!plf_hand_over(core, task))
			plf_make_ready(core, task);
	}
	return E_OK;
}

StatusType plf_set_events(struct plf_core *core, struct plf_task *task, uint64_t events)
{
	return set_events(core, task, events);
}

struct plf_result plf_set_event(uintptr_t id, uintptr_t events, uintptr_t c, struct plf_core *core)
{
	StatusType status;

	if (id >= PLF_TASKS)
		return plf_status(E_OS_ID);
	status = set_events(core, &plf_tasks[id], events);
	if (status == E_OK)
		plf_preempt_if_due(core);
	return plf_status(status);
}

struct plf_result plf_set_event_later(uintptr_t id, uintptr_t events, uintptr_t c,
				      struct plf_core *core)
{
	if (id >= PLF_TASKS)
		return plf_status(E_OS_ID);
	return plf_status(plf_set_events(core, &plf_tasks[id], events));
}

struct plf_result plf_clear_event(uintptr_t events, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	struct plf_task *task = core->running;

	if (!task->config->events)
		return plf_status(E_OS_ACCESS);
	plf_remove_events(task, events);
	return plf_status(E_OK);
}

struct plf_result plf_get_event(uintptr_t id, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	uint64_t events;
	bool is_active;

	if (id >= PLF_TASKS)
		return plf_status(E_OS_ID);
	if (!plf_tasks[id].config->events)
		return plf_status(E_OS_ACCESS);
	is_active = plf_get_events(&plf_tasks[id], &events);
	if (PLF_EXTENDED_STATUS && !is_active)
		return plf_status(E_OS_STATE);
	return plf_value(events);
}

/*
 * Waiting releases the internal resource, so the event makes the task ready at its base priority.
 */
struct plf_result plf_wait_event(uintptr_t events, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	struct plf_task *task = core->running;
	StatusType open = plf_open_section(core);

	if (!task->config->events)
		return plf_status(E_OS_ACCESS);
	if (open != E_OK)
		return plf_status(open);
	if (!plf_wait_for(task, events))
		return plf_status(E_OK);
	plf_post_task(core);
	if (PLF_BUDGETS)
		plf_renew_budget(task);
	plf_leave_words(core, task);
	plf_forget_claim(task);
	plf_let_go(core);
	plf_trace(PLF_TRACE_WAIT, task);
	plf_dispatch(core);
	return plf_status(E_OK);
}
