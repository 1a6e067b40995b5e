/* SPDX-License-Identifier: MIT */
#include "interrupt.h"
#include "port.h"

static struct plf_task bottom; /* bottom of the stack of preempted tasks */

/*
 * The running task's words decide which interrupts to hold back, so read them before any interrupt
 * is acknowledged.
 */
void plf_interrupted(void)
{
	struct plf_core *core = plf_this_core();

	if (core->running) {
		plf_on_entry(core);
		plf_preempt_if_due(core);
	} else {
		if (PLF_TRACE && PLF_CPUS > 1)
			plf_trace_wakes(); /* before the core takes an interrupt: see
					    * kernel/run/trace.c */
		plf_dispatch(core);
	}
}

/* No task runs while the interrupt is served. */
void plf_dispatch_again(struct plf_core *core, unsigned taken)
{
	plf_set_running(core, NULL);
	plf_pass_over(core, taken);
	plf_dispatch(core);
}

/* At the front of its level the task is taken again, unless an interrupt above is pending. */
void plf_come_down(struct plf_core *core, unsigned of_resources, unsigned level)
{
	struct plf_task *task;
	enum plf_above above;
	unsigned taken;

	plf_let_go(core);
	plf_push_front(core, core->running, level);
	plf_port_pend(plf_index_of(core), level);
	while ((above = plf_take_above(core, plf_preempted_level(core), &task, &taken)) ==
	       PLF_OTHER_ABOVE)
		plf_pass_over(core, taken);
	if (above == PLF_TASK_ABOVE && task == core->running)
		return;
	plf_put_aside(core, of_resources);
	if (above == PLF_TASK_ABOVE)
		plf_begin_task(core, task);
	else
		plf_go_on(core, plf_queue_of(core)->preempted);
}

void plf_preempt_again(struct plf_core *core, unsigned taken)
{
	plf_pass_over(core, taken);
	plf_preempt_if_due(core);
}

void plf_yield_again(struct plf_core *core, unsigned taken)
{
	plf_pass_over(core, taken);
	plf_yield(core);
}

void plf_prepare_queue(struct plf_core *core)
{
	const struct plf_level_config *levels = plf_level_config[plf_index_of(core)];

	plf_queue_of(core)->preempted = &bottom;
	for (unsigned number = 0; number < PLF_LEVELS; number++) {
		struct plf_level *level = &plf_queue_of(core)->levels[number];

		level->only = levels[number].only ? &plf_tasks[levels[number].only - 1] : NULL;
		level->places = levels[number].places;
		level->mask = levels[number].mask;
	}
}
