/* SPDX-License-Identifier: MIT */
/* The tasks that a core sends to another core: Mueller 2014, Section III. */
#include "application.h"
#include "cores.h"
#include "interrupt.h"
#include "port.h"

void plf_send(struct plf_task *task)
{
	const struct plf_inbox_config *of_core = &plf_inbox_config[task->core];
	struct plf_inbox *inbox = &plf_cores[task->core].inbox;

	if (plf_inbox_put(inbox, of_core->places, of_core->mask, task->index + 1U))
		plf_port_notify(task->core);
}

/*
 * Whether the activation is dropped: another core began it before the task's application ended, or
 * was closed to that core. A task that has waited is kept, because its application activated it.
 */
static bool is_dropped(struct plf_task *task)
{
	unsigned owner = plf_owner_of(OBJECT_TASK, task->index);

	return PLF_TERMINATION && plf_state_of_application(owner) != APPLICATION_ACCESSIBLE &&
	       !plf_has_waited(task);
}

static inline __attribute__((always_inline)) void take_all(struct plf_core *core)
{
	const struct plf_inbox_config *own = &plf_inbox_config[core->index];
	uint32_t entry;

	while ((entry = plf_inbox_take(&core->inbox, own->places, own->mask)) != 0) {
		struct plf_task *task = &plf_tasks[entry - 1];

		if (is_dropped(task))
			plf_drop(task);
		else if (!plf_hand_to_server(core, task))
			plf_make_ready(core, task);
	}
}

void plf_take_inbox(struct plf_core *core)
{
	take_all(core);
}

void plf_notified(void)
{
	struct plf_core *core = plf_this_core();

	plf_begin_interrupt(core);
	take_all(core);
	plf_end_interrupt(core);
}
