/* SPDX-License-Identifier: MIT */
/*
 * The end of an OS-Application: AUTOSAR OS 4.x, Section 8.4.5. Nothing of it is left: its tasks are
 * suspended as at the start, whatever they held, waited for, or had still to do; none of its alarms
 * is set, and none of its schedule tables runs. It grows with all of these, and with the
 * activations that are pending at the levels of its tasks.
 *
 * By software's fixed priorities, on one core and without servers: a task that is taken out of a
 * ring, or out of the stack of preempted tasks, leaves P1 to P4 of plf_urgency.h as they are.
 */
#include "application.h"
#include "interrupt.h"
#include "plf_schedule.h"
#include "port.h"
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

/* One that does not run: all its activations are over. */
static void end_task(struct plf_core *core, struct plf_task *task)
{
	if (plf_remove_task(core, task) || plf_is_waiting(task))
		plf_trace(PLF_TRACE_END, task);
	plf_forget_masks(task);
	plf_end_events(task);
	task->is_waiting = false;
	plf_forget_words(task);
	plf_port_forget_context(task);
	plf_prepare_task(task);
	if (PLF_BUDGETS)
		plf_renew_budget(task);
	if (PLF_LOCK_BUDGETS)
		plf_forget_locks(task);
	if (PLF_TIME_FRAMES)
		plf_forget_frame(task);
}

static void end_tasks(struct plf_core *core, unsigned application)
{
	for (unsigned index = 0; index < PLF_TASKS; index++) {
		struct plf_task *task = &plf_tasks[index];

		if (plf_owner_of(OBJECT_TASK, index) != application)
			continue;
		if (task == core->running) {
			plf_end_activation(core);
			plf_set_running(core, NULL);
		}
		end_task(core, task);
	}
}

void plf_terminate(struct plf_core *core, unsigned application, RestartType option)
{
	stop_alarms(core, application);
	end_tasks(core, application);
	plf_application_state[application] =
		option == RESTART ? APPLICATION_RESTARTING : APPLICATION_TERMINATED;
	if (option == RESTART)
		(void)plf_activate(core, &plf_tasks[plf_application_config[application].restart]);
}

/* SWS_Os_00459, 00493, 00494, 00507, 00508 and 00548. */
static StatusType check(unsigned by, uintptr_t application, uintptr_t option)
{
	const struct plf_application_config *config = &plf_application_config[application];
	unsigned state = plf_application_state[application];

	if (option > RESTART || (option == RESTART && config->restart == INVALID_TASK))
		return E_OS_VALUE;
	if ((by != application && !plf_application_config[by].is_trusted) || config->has_interrupts)
		return E_OS_ACCESS;
	if (state == APPLICATION_TERMINATED)
		return E_OS_STATE;
	if (state == APPLICATION_RESTARTING && (by != application || option == RESTART))
		return E_OS_STATE;
	return E_OK;
}

struct plf_result plf_terminate_application(uintptr_t application, uintptr_t option, uintptr_t c,
					    struct plf_core *core)
{
	StatusType status;

	if (application >= PLF_APPLICATIONS)
		return plf_status(E_OS_ID);
	status = check(plf_application_of(core), application, option);
	if (status != E_OK)
		return plf_status(status);
	plf_terminate(core, (unsigned)application, (RestartType)option);
	if (core->running) {
		plf_next_changed(core, plf_next_seen(core->running, plf_next_level(core)));
		plf_preempt_if_due(core);
	} else {
		plf_dispatch(core);
	}
	return plf_status(E_OK);
}

struct plf_result plf_get_application_state(uintptr_t application, uintptr_t b, uintptr_t c,
					    struct plf_core *core)
{
	if (application >= PLF_APPLICATIONS)
		return plf_status(E_OS_ID);
	return plf_value(plf_application_state[application]);
}

struct plf_result plf_allow_access(uintptr_t a, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	uint8_t *state = &plf_application_state[plf_application_of(core)];

	if (*state != APPLICATION_RESTARTING)
		return plf_status(E_OS_STATE);
	*state = APPLICATION_ACCESSIBLE;
	return plf_status(E_OK);
}
