/* SPDX-License-Identifier: MIT */
#ifndef PLF_TASK_SIGNAL_H
#define PLF_TASK_SIGNAL_H

/* The action of an alarm, a schedule table or a message on a task. */
#include "application.h"
#include "application_hooks.h"
#include "server.h"
#include "service.h"

/*
 * There is no caller, so errors go to ErrorHook. If `events` is 0, the task is activated. `by` is
 * the application of the alarm, table or message.
 */
static inline __attribute__((always_inline)) void
plf_signal(struct plf_core *core, ApplicationType by, unsigned index, uint64_t events)
{
	struct plf_task *task = &plf_tasks[index];
	bool is_open = plf_is_open_to(plf_owner_of(OBJECT_TASK, index), by);

	if (PLF_APPLICATION_HOOKS)
		plf_acts_for(core, by);
	if (events)
		plf_error_of_call(core, is_open ? plf_set_events(core, task, events) : E_OS_ACCESS,
				  PLF_CALL_SET_EVENT, index, events, 0);
	else
		plf_error_of_call(core, is_open ? plf_activate(core, task) : E_OS_ACCESS,
				  PLF_CALL_ACTIVATE_TASK, index, 0, 0);
	if (PLF_APPLICATION_HOOKS)
		plf_acts_for(core, INVALID_OSAPPLICATION);
}

#endif
