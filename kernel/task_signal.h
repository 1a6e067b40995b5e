/* SPDX-License-Identifier: MIT */
#ifndef PLF_TASK_SIGNAL_H
#define PLF_TASK_SIGNAL_H

/* What an alarm, a schedule table or a message does to a task. */
#include "server.h"
#include "service.h"

/* It has no caller: its errors go to ErrorHook. Without `events` the task is activated. */
static inline __attribute__((always_inline)) void plf_signal(struct plf_core *core, unsigned index,
							     uint64_t events)
{
	struct plf_task *task = &plf_tasks[index];

	if (events)
		plf_error_of_call(core, plf_set_events(core, task, events), PLF_CALL_SET_EVENT,
				  index, events, 0);
	else
		plf_error_of_call(core, plf_activate(core, task), PLF_CALL_ACTIVATE_TASK, index, 0,
				  0);
}

#endif
