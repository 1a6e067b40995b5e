/* SPDX-License-Identifier: MIT */
/* What cores have for each other: Mueller 2014, Section III. */
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

void plf_notified(void)
{
	struct plf_core *core = plf_this_core();
	const struct plf_inbox_config *own = &plf_inbox_config[core->index];
	uint32_t entry;

	plf_begin_interrupt(core);
	while ((entry = plf_inbox_take(&core->inbox, own->places, own->mask)) != 0) {
		struct plf_task *task = &plf_tasks[entry - 1];

		if (!plf_hand_to_server(core, task))
			plf_make_ready(core, task);
	}
	plf_end_interrupt(core);
}
