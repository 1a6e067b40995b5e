/* SPDX-License-Identifier: MIT */
/*
 * The end of an OS-Application: AUTOSAR OS 4.x, Section 8.4.5. Its tasks are suspended as at the
 * start, whatever they held, waited for, or had still to do. Its alarms are cancelled, its schedule
 * tables stopped, and its interrupts disabled. The time grows with all of these, and with the
 * activations that are pending at the levels of its tasks.
 *
 * Only with fixed priorities in software, and without servers. Taking a task out of a ring, or out
 * of the stack of preempted tasks, keeps P1 to P4 of plf_urgency.h.
 *
 * Invariants, with several cores, of which only the application's core ends it:
 *  T1  the application is closed first. A core that began a service before may still activate a
 *      task. While the application is closed, arrivals in the inbox are dropped;
 *  T2  arrivals sent before it opened again are dropped, too, because AllowAccess() first empties
 *      the inbox;
 *  T3  a task has no activation left, not even an activation that another core has begun and not
 *      yet sent. For that the core waits until the other core has sent it, some instructions later;
 *  T4  no lock of several cores is handed to a task that ended. That includes a task that was
 *      spinning, because an interrupt handler may have ended it there.
 */
#include "application.h"
#include "global.h"
#include "interrupt.h"
#include "plf_schedule.h"
#include "port.h"
#include "routine.h"
#include "service.h"
#include "timing.h"

uint8_t plf_application_state[PLF_APPLICATIONS + 1];

static void stop_alarms(struct plf_core *core, unsigned application)
{
	for (unsigned alarm = 0; alarm < PLF_ALARMS; alarm++)
		if (plf_owner_of(OBJECT_ALARM, alarm) == application)
			(void)plf_cancel_alarm(alarm, 0, 0, core);
	for (unsigned table = 0; table < PLF_SCHEDULE_TABLES; table++)
		if (plf_owner_of(OBJECT_SCHEDULETABLE, table) == application)
			(void)plf_stop_table(table, 0, 0, core);
}

/* Also drop an active interrupt whose routine waits. */
static void stop_interrupts(struct plf_core *core, unsigned application)
{
	for (unsigned isr = 0; isr < PLF_ISRS; isr++) {
		if (plf_owner_of(OBJECT_ISR, isr) != application)
			continue;
		plf_port_disable(plf_isr_config[isr].source);
		if (PLF_ROUTINES_WAIT)
			plf_drop_waiting(core, isr);
	}
}

static void start_interrupts(unsigned application)
{
	for (unsigned isr = 0; isr < PLF_ISRS; isr++)
		if (plf_owner_of(OBJECT_ISR, isr) == application)
			plf_port_enable(plf_isr_config[isr].source);
}

/* End all activations of a task that does not run. */
static void end_task(struct plf_core *core, struct plf_task *task)
{
	for (;;) {
		plf_receive(core);
		if (plf_remove_task(core, task) || plf_is_waiting(task))
			plf_trace(PLF_TRACE_END, task);
		if (plf_end_all(task))
			break;
		plf_port_wait_a_little();
	}
	plf_leave_global(core, task);
	plf_forget_masks(task);
	plf_forget_words(task);
	plf_port_forget_context(task);
	if (PLF_BUDGETS)
		plf_renew_budget(task);
	if (PLF_LOCK_BUDGETS)
		plf_forget_locks(task);
	if (PLF_TIME_FRAMES)
		plf_forget_frame(task);
}

/* Done first, so that PostTaskHook finds the application unchanged. */
static void end_running(struct plf_core *core, unsigned application)
{
	if (core->running && plf_owner_of(OBJECT_TASK, core->running->index) == application) {
		plf_end_activation(core);
		plf_set_running(core, NULL);
	}
}

static void end_tasks(struct plf_core *core, unsigned application)
{
	for (unsigned index = 0; index < PLF_TASKS; index++)
		if (plf_owner_of(OBJECT_TASK, index) == application)
			end_task(core, &plf_tasks[index]);
}

/* At once, unless another core has begun an activation. That is dropped when it arrives. */
static void restart(struct plf_core *core, unsigned application)
{
	struct plf_task *task = &plf_tasks[plf_application_config[application].restart];

	while (plf_activate(core, task) != E_OK && PLF_CPUS > 1) {
		plf_port_wait_a_little();
		plf_receive(core);
	}
}

void plf_terminate(struct plf_core *core, unsigned application, RestartType option)
{
	end_running(core, application);
	plf_set_application_state(application, option == RESTART ? APPLICATION_RESTARTING
								 : APPLICATION_TERMINATED);
	stop_interrupts(core, application);
	stop_alarms(core, application);
	end_tasks(core, application);
	if (option == RESTART)
		restart(core, application);
}

/* SWS_Os_00459, 00493, 00494, 00507, 00508 and 00548; and the core. */
static StatusType check_end(const struct plf_core *core, uintptr_t application, uintptr_t option)
{
	const struct plf_application_config *config = &plf_application_config[application];
	unsigned by = plf_application_of(core);
	unsigned state = plf_state_of_application((unsigned)application);

	if (option > RESTART || (option == RESTART && config->restart == INVALID_TASK))
		return E_OS_VALUE;
	if (by != application && !plf_application_config[by].is_trusted)
		return E_OS_ACCESS;
	if (!plf_is_own(core, config->core))
		return E_OS_CORE;
	if (state == APPLICATION_TERMINATED)
		return E_OS_STATE;
	if (state == APPLICATION_RESTARTING && (by != application || option == RESTART))
		return E_OS_STATE;
	return E_OK;
}

static StatusType end_as_asked(struct plf_core *core, uintptr_t application, uintptr_t option)
{
	StatusType status = E_OS_ID;

	if (application < PLF_APPLICATIONS)
		status = check_end(core, application, option);
	if (status != E_OK)
		return status;
	plf_terminate(core, (unsigned)application, (RestartType)option);
	if (core->running)
		plf_next_changed(core, plf_next_seen(core->running, plf_next_level(core)));
	return E_OK;
}

struct plf_result plf_terminate_application(uintptr_t application, uintptr_t option, uintptr_t c,
					    struct plf_core *core)
{
	StatusType status = end_as_asked(core, application, option);

	if (status != E_OK)
		return plf_status(status);
	if (core->running)
		plf_preempt_if_due(core);
	else
		plf_dispatch(core);
	return plf_status(E_OK);
}

/* For a handler, which does not continue if it ended its application. */
struct plf_result plf_terminate_later(uintptr_t application, uintptr_t option, uintptr_t c,
				      struct plf_core *core)
{
	ApplicationType by = plf_application_of(core);
	StatusType status = end_as_asked(core, application, option);

	if (status == E_OK && by == application)
		plf_leave_handler(core);
	return plf_status(status);
}

struct plf_result plf_get_application_state(uintptr_t application, uintptr_t b, uintptr_t c,
					    struct plf_core *core)
{
	if (application >= PLF_APPLICATIONS)
		return plf_status(E_OS_ID);
	return plf_value(plf_state_of_application((unsigned)application));
}

struct plf_result plf_allow_access(uintptr_t a, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	unsigned application = plf_application_of(core);

	if (plf_state_of_application(application) != APPLICATION_RESTARTING)
		return plf_status(E_OS_STATE);
	plf_receive(core);
	plf_set_application_state(application, APPLICATION_ACCESSIBLE);
	start_interrupts(application);
	return plf_status(E_OK);
}
