/* SPDX-License-Identifier: MIT */
#ifndef PLF_INTERRUPT_H
#define PLF_INTERRUPT_H

#include "plf_schedule.h"
#include "server.h"
#include "timing.h"

/*
 * An activation ends with interrupts let through, whatever it left (AUTOSAR, SWS_Os_00239). Its
 * registers, of which the mask is a part, are not needed any more.
 */
static inline void plf_forget_masks(struct plf_task *task)
{
	task->masked = false;
	task->masks.disabled = false;
	task->masks.suspended_all = 0;
	task->masks.suspended_os = 0;
}

/*
 * Of schedulers with PLF_ROUTINES_WAIT: the routine runs when no task is above it any more, which
 * is when the interrupt ends, or later.
 */
void plf_let_wait(struct plf_core *core, unsigned isr);

/* Each interrupt begins and ends with these. A task that it made ready may preempt at its end. */
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
		return; /* scheduler/hardware took it, and decides when no more is pending */
	if (core->running)
		plf_preempt_if_due(core);
	else
		plf_dispatch(core);
	if (PLF_BUDGETS)
		plf_own_time_goes_on(core);
	plf_leave_kernel(core);
}

#endif
