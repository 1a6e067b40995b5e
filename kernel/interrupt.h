/* SPDX-License-Identifier: MIT */
#ifndef PLF_INTERRUPT_H
#define PLF_INTERRUPT_H

#include "plf_schedule.h"
#include "server.h"
#include "timing.h"

/*
 * An activation ends with interrupts let through, whatever masks it left (AUTOSAR, SWS_Os_00239).
 * The mask in its registers need not change, because they are not used any more.
 */
static inline void plf_forget_masks(struct plf_task *task)
{
	task->masked = false;
	task->masks.disabled = false;
	task->masks.suspended_all = 0;
	task->masks.suspended_os = 0;
}

/*
 * For schedulers with PLF_ROUTINES_WAIT: run the routine as soon as no task is above it, at the end
 * of the interrupt or later.
 */
void plf_let_wait(struct plf_core *core, unsigned isr);

/*
 * Each interrupt must begin and end with these. At its end, a task that it made ready may preempt.
 */
static inline void plf_begin_interrupt(struct plf_core *core)
{
	plf_take_time(core);
	if (core->running)
		plf_on_entry(core);
	else if (PLF_TRACE && PLF_CPUS > 1)
		plf_trace_wakes();
	if (PLF_BUDGETS)
		plf_own_time_stops();
	core->place = PLF_IN_ISR;
}

static inline void plf_end_interrupt(struct plf_core *core)
{
	core->place = PLF_IN_TASK;
	if (PLF_TASKS_ARE_INTERRUPTS)
		return; /* scheduler/hardware took it, and decides when no other is pending */
	if (core->running)
		plf_preempt_if_due(core);
	else
		plf_dispatch(core);
	if (PLF_BUDGETS)
		plf_own_time_goes_on(core);
	plf_leave_kernel(core);
}

#endif
