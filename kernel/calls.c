/* SPDX-License-Identifier: MIT */
/* The doors to the services: for tasks, and for hooks and interrupt handlers. */
#include "application_hooks.h"
#include "mode.h"
#include "plf_schedule.h"
#include "port.h"
#include "routine.h"
#include "server.h"
#include "service.h"
#include "timing.h"
#include "trace.h"

static struct plf_result nothing(uintptr_t a, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	return plf_status(E_OK);
}

/* Of a system without alarms and counters: there is none of that name. */
static struct plf_result no_object(uintptr_t a, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	return plf_status(E_OS_ID);
}

/* Of a system without events: all tasks are basic ones. */
static struct plf_result no_events(uintptr_t a, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	return plf_status(E_OS_ACCESS);
}

/* The same of a service that names a task, which has to be one. */
static struct plf_result no_events_of(uintptr_t id, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	return plf_status(id < PLF_TASKS ? E_OS_ACCESS : E_OS_ID);
}

#if PLF_GLOBALS
static struct plf_result no_service(uintptr_t a, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	return plf_status(E_OS_SERVICEID);
}
#endif

static struct plf_result get_resource(uintptr_t resource, uintptr_t b, uintptr_t c,
				      struct plf_core *core)
{
	struct plf_result result;

	plf_trace(PLF_TRACE_CALL, core->running);
	result = plf_get_resource(core, resource);
	if (PLF_RESOURCE_LOCKS && result.status == E_OK)
		plf_set_resource_lock(core, resource, true);
	return result;
}

static struct plf_result release_resource(uintptr_t resource, uintptr_t b, uintptr_t c,
					  struct plf_core *core)
{
	struct plf_result result;

	plf_trace(PLF_TRACE_CALL, core->running);
	result = plf_release_resource(core, resource);
	if (result.status != E_OK)
		return result;
	if (PLF_RESOURCE_LOCKS)
		plf_set_resource_lock(core, resource, false);
	plf_preempt_if_due(core);
	return plf_status(E_OK);
}

/* User code found an error in a service that it runs itself; the caller's word for it. */
static struct plf_result error(uintptr_t service, uintptr_t status, uintptr_t parameter,
			       struct plf_core *core)
{
	if (service >= PLF_CALLS || status > E_OS_PROTECTION_LOCKED)
		return plf_status(E_OS_VALUE);
	plf_error_of_call(core, (StatusType)status, (unsigned)service, parameter, 0, 0);
	return plf_status(E_OK);
}

static struct plf_result application_mode(uintptr_t a, uintptr_t b, uintptr_t c,
					  struct plf_core *core)
{
	return plf_value(plf_mode());
}

/* A task that returns without TerminateTask() is ended all the same (AUTOSAR, SWS_Os_00052). */
static struct plf_result missing_terminate(uintptr_t a, uintptr_t b, uintptr_t c,
					   struct plf_core *core)
{
	plf_error(core, E_OS_MISSINGEND, PLF_CALL_TERMINATE_TASK);
	plf_end_activation(core);
	plf_dispatch(core);
	return plf_status(E_OK);
}

/* Services of objects that a description lacks are not in its image. */
#define ALARMS(service)	   (PLF_ALARMS ? (service) : no_object)
#define COUNTERS(service)  (PLF_COUNTERS ? (service) : no_object)
#define EVENTS(service)	   (PLF_EVENTS ? (service) : no_events)
#define EVENTS_OF(service) (PLF_EVENTS ? (service) : no_events_of)

/* Nor the service by which a task waits for the next budget. */
#if PLF_SHARING
#define SHARING(ENTRY) ENTRY(PLF_CALL_AWAIT_BUDGET, plf_await_budget)
#else
#define SHARING(ENTRY)
#endif

/* An image without servers has not even the number. */
#if PLF_SERVERS
#define SERVERS(ENTRY) ENTRY(PLF_CALL_GET_BUDGET, plf_get_budget) SHARING(ENTRY)
#else
#define SERVERS(ENTRY)
#endif

/* Nor has one without a console. */
#if PLF_CONSOLE
#define CONSOLE(ENTRY) ENTRY(PLF_CALL_WRITE_CONSOLE, plf_write_console)
#else
#define CONSOLE(ENTRY)
#endif

/* Nor one with one core those of several. */
#if PLF_CPUS > 1
#define CORES(ENTRY)                                                                               \
	ENTRY(PLF_CALL_GET_CORE_ID, plf_get_core_id)                                               \
	ENTRY(PLF_CALL_GET_NUMBER_OF_ACTIVATED_CORES, plf_get_number_of_cores)                     \
	ENTRY(PLF_CALL_SHUTDOWN_ALL_CORES, plf_shutdown_all_cores)
#else
#define CORES(ENTRY)
#endif

/* Nor one without global resources theirs. Those of spinlocks are user code. */
#if PLF_GLOBALS && PLF_GLOBAL_SPINS
#define GLOBALS(ENTRY)                                                                             \
	ENTRY(PLF_CALL_GET_GLOBAL, no_service)                                                     \
	ENTRY(PLF_CALL_RELEASE_GLOBAL, no_service)                                                 \
	ENTRY(PLF_CALL_TRY_TO_GET_GLOBAL, no_service)
#elif PLF_GLOBALS
#define GLOBALS(ENTRY)                                                                             \
	ENTRY(PLF_CALL_GET_GLOBAL, plf_get_global)                                                 \
	ENTRY(PLF_CALL_RELEASE_GLOBAL, plf_release_global)                                         \
	ENTRY(PLF_CALL_TRY_TO_GET_GLOBAL, no_service)
#else
#define GLOBALS(ENTRY)
#endif

/* Nor one without counters those that ask for their values. */
#if PLF_COUNTERS
#define COUNTER_VALUES(ENTRY)                                                                      \
	ENTRY(PLF_CALL_GET_COUNTER_VALUE, plf_get_counter_value)                                   \
	ENTRY(PLF_CALL_GET_ELAPSED_VALUE, plf_get_elapsed_value)
#else
#define COUNTER_VALUES(ENTRY)
#endif

/* Nor one without schedule tables theirs. */
#if PLF_SCHEDULE_TABLES
#define SCHEDULE_TABLES(ENTRY)                                                                     \
	ENTRY(PLF_CALL_START_TABLE_REL, plf_start_table_rel)                                       \
	ENTRY(PLF_CALL_START_TABLE_ABS, plf_start_table_abs)                                       \
	ENTRY(PLF_CALL_STOP_TABLE, plf_stop_table)                                                 \
	ENTRY(PLF_CALL_NEXT_TABLE, plf_next_table)                                                 \
	ENTRY(PLF_CALL_GET_TABLE_STATUS, plf_get_table_status)                                     \
	ENTRY(PLF_CALL_START_TABLE_SYNCHRON, plf_start_table_synchron)                             \
	ENTRY(PLF_CALL_SYNC_TABLE, plf_sync_table)                                                 \
	ENTRY(PLF_CALL_SET_TABLE_ASYNC, plf_set_table_async)
#else
#define SCHEDULE_TABLES(ENTRY)
#endif

/*
 * Nor one without applications theirs, nor one in which they are not terminated these, nor one
 * without trusted functions those.
 */
#if PLF_TERMINATION
#define TERMINATION(ENTRY)                                                                         \
	ENTRY(PLF_CALL_TERMINATE_APPLICATION, plf_terminate_application)                           \
	ENTRY(PLF_CALL_GET_APPLICATION_STATE, plf_get_application_state)                           \
	ENTRY(PLF_CALL_ALLOW_ACCESS, plf_allow_access)
#else
#define TERMINATION(ENTRY)
#endif
#if PLF_TRUSTED_FUNCTIONS
#define FUNCTIONS(ENTRY)                                                                           \
	ENTRY(PLF_CALL_CALL_TRUSTED_FUNCTION, plf_call_trusted_function)                           \
	ENTRY(PLF_CALL_GET_CURRENT_APPLICATION_ID, plf_get_current_application_id)                 \
	ENTRY(PLF_CALL_CHECK_TASK_MEMORY_ACCESS, plf_check_task_memory_access)
#else
#define FUNCTIONS(ENTRY)
#endif
#if PLF_APPLICATIONS
#define APPLICATIONS(ENTRY)                                                                        \
	ENTRY(PLF_CALL_GET_APPLICATION_ID, plf_get_application_id)                                 \
	ENTRY(PLF_CALL_CHECK_OBJECT_ACCESS, plf_check_object_access)                               \
	ENTRY(PLF_CALL_CHECK_OBJECT_OWNERSHIP, plf_check_object_ownership)                         \
	TERMINATION(ENTRY)                                                                         \
	FUNCTIONS(ENTRY)
#else
#define APPLICATIONS(ENTRY)
#endif

/* Nor one without messages theirs. */
#if PLF_MESSAGES
#define MESSAGES(ENTRY)                                                                            \
	ENTRY(PLF_CALL_SEND_MESSAGE, plf_send_message)                                             \
	ENTRY(PLF_CALL_RECEIVE_MESSAGE, plf_receive_message)                                       \
	ENTRY(PLF_CALL_SEND_ZERO_MESSAGE, plf_send_zero_message)                                   \
	ENTRY(PLF_CALL_GET_MESSAGE_STATUS, plf_get_message_status)                                 \
	ENTRY(PLF_CALL_INIT_MESSAGE, plf_init_message)                                             \
	ENTRY(PLF_CALL_START_COM, plf_start_com)                                                   \
	ENTRY(PLF_CALL_STOP_COM, plf_stop_com)                                                     \
	ENTRY(PLF_CALL_GET_COM_APPLICATION_MODE, plf_get_com_application_mode)
#else
#define MESSAGES(ENTRY)
#endif

#define FOR_EACH_SERVICE(ENTRY)                                                                    \
	ENTRY(PLF_CALL_NULL, nothing)                                                              \
	ENTRY(PLF_CALL_PREEMPT, plf_preempt)                                                       \
	ENTRY(PLF_CALL_ACTIVATE_TASK, plf_activate_task)                                           \
	ENTRY(PLF_CALL_TERMINATE_TASK, plf_terminate_task)                                         \
	ENTRY(PLF_CALL_CHAIN_TASK, plf_chain_task)                                                 \
	ENTRY(PLF_CALL_SCHEDULE, plf_schedule)                                                     \
	ENTRY(PLF_CALL_GET_TASK_ID, plf_get_task_id)                                               \
	ENTRY(PLF_CALL_GET_TASK_STATE, plf_get_task_state)                                         \
	ENTRY(PLF_CALL_GET_RESOURCE, get_resource)                                                 \
	ENTRY(PLF_CALL_RELEASE_RESOURCE, release_resource)                                         \
	ENTRY(PLF_CALL_SET_EVENT, EVENTS_OF(plf_set_event))                                        \
	ENTRY(PLF_CALL_CLEAR_EVENT, EVENTS(plf_clear_event))                                       \
	ENTRY(PLF_CALL_GET_EVENT, EVENTS_OF(plf_get_event))                                        \
	ENTRY(PLF_CALL_WAIT_EVENT, EVENTS(plf_wait_event))                                         \
	ENTRY(PLF_CALL_GET_ALARM_BASE, ALARMS(plf_get_alarm_base))                                 \
	ENTRY(PLF_CALL_GET_ALARM, ALARMS(plf_get_alarm))                                           \
	ENTRY(PLF_CALL_SET_REL_ALARM, ALARMS(plf_set_rel_alarm))                                   \
	ENTRY(PLF_CALL_SET_ABS_ALARM, ALARMS(plf_set_abs_alarm))                                   \
	ENTRY(PLF_CALL_CANCEL_ALARM, ALARMS(plf_cancel_alarm))                                     \
	ENTRY(PLF_CALL_INCREMENT_COUNTER, COUNTERS(plf_increment_counter))                         \
	ENTRY(PLF_CALL_DISABLE_ALL_INTERRUPTS, plf_disable_all)                                    \
	ENTRY(PLF_CALL_ENABLE_ALL_INTERRUPTS, plf_enable_all)                                      \
	ENTRY(PLF_CALL_SUSPEND_ALL_INTERRUPTS, plf_suspend_all)                                    \
	ENTRY(PLF_CALL_RESUME_ALL_INTERRUPTS, plf_resume_all)                                      \
	ENTRY(PLF_CALL_SUSPEND_OS_INTERRUPTS, plf_suspend_os)                                      \
	ENTRY(PLF_CALL_RESUME_OS_INTERRUPTS, plf_resume_os)                                        \
	ENTRY(PLF_CALL_GET_ACTIVE_APPLICATION_MODE, application_mode)                              \
	ENTRY(PLF_CALL_SHUTDOWN_OS, plf_shutdown_os)                                               \
	ENTRY(PLF_CALL_MISSING_TERMINATE, missing_terminate)                                       \
	ENTRY(PLF_CALL_ERROR, error)                                                               \
	CONSOLE(ENTRY)                                                                             \
	CORES(ENTRY)                                                                               \
	GLOBALS(ENTRY)                                                                             \
	SERVERS(ENTRY)                                                                             \
	COUNTER_VALUES(ENTRY)                                                                      \
	SCHEDULE_TABLES(ENTRY)                                                                     \
	APPLICATIONS(ENTRY)                                                                        \
	MESSAGES(ENTRY)

#define SERVICE(number, service) [number] = (service),
static plf_service *const services[PLF_CALLS] = { FOR_EACH_SERVICE(SERVICE) };

/* Where trusted code may call what: OSEK 2.2.3, Section 12.3. */
enum {
	ISR_ONLY = PLF_IN_ISR,
	IN_FUNCTION = PLF_TRUSTED_FUNCTIONS ? PLF_IN_TRUSTED_FUNCTION : 0,
	/*
	 * What both tasks and handlers may call, the callback of a message may (OSEK COM 3.0.3),
	 * and a trusted function.
	 */
	HANDLING = PLF_IN_ISR | (PLF_MESSAGES ? PLF_IN_COM_CALLBACK : 0) | IN_FUNCTION,
	SENDING = PLF_IN_ISR | IN_FUNCTION,
	OF_APPLICATIONS = PLF_IN_ISR | IN_FUNCTION, /* what has the rights of one */
	ASKING = HANDLING | PLF_IN_ERROR_HOOK | PLF_IN_PRETASK_HOOK | PLF_IN_POSTTASK_HOOK |
		 PLF_IN_PROTECTION_HOOK,
	ENDING = HANDLING | PLF_IN_ERROR_HOOK | PLF_IN_STARTUP_HOOK,
	ANYWHERE = 0xffff,
	NOT_IN_CALLBACK = ANYWHERE & ~PLF_IN_CALLBACK,
	INFORMING = NOT_IN_CALLBACK & ~PLF_IN_CATEGORY_1,
	INSIDE = ASKING | PLF_IN_STARTUP_HOOK | PLF_IN_SHUTDOWN_HOOK,
	CHECKING = HANDLING | PLF_IN_ERROR_HOOK | PLF_IN_PROTECTION_HOOK,
};

/* Without a resource of routines they may call none of these. */
#define IN_ROUTINES(service)                                                                       \
	{                                                                                          \
		PLF_ISR_RESOURCES ? (service) : NULL, PLF_ISR_RESOURCES ? ISR_ONLY : 0             \
	}

#define TRUSTED(number, service)                                                                   \
	[number] = { service, (number) == PLF_CALL_SHUTDOWN_ALL_CORES ? ENDING : ANYWHERE },
#define OF_HANDLERS(number, service) [number] = { service, HANDLING },

/* clang-format off */
static const struct {
	plf_service *service;
	unsigned places;
} trusted[PLF_CALLS] = {
	[PLF_CALL_ACTIVATE_TASK] = { plf_activate_later, HANDLING },
	[PLF_CALL_GET_TASK_ID] = { plf_get_task_id, ASKING },
	[PLF_CALL_GET_TASK_STATE] = { plf_get_task_state, ASKING },
	[PLF_CALL_GET_RESOURCE] = IN_ROUTINES(plf_get_in_routine),
	[PLF_CALL_RELEASE_RESOURCE] = IN_ROUTINES(plf_release_in_routine),
	[PLF_CALL_SET_EVENT] = { EVENTS_OF(plf_set_event_later), HANDLING },
	[PLF_CALL_GET_EVENT] = { EVENTS_OF(plf_get_event), ASKING },
	[PLF_CALL_GET_ALARM_BASE] = { ALARMS(plf_get_alarm_base), ASKING },
	[PLF_CALL_GET_ALARM] = { ALARMS(plf_get_alarm), ASKING },
	[PLF_CALL_SET_REL_ALARM] = { ALARMS(plf_set_rel_alarm), HANDLING },
	[PLF_CALL_SET_ABS_ALARM] = { ALARMS(plf_set_abs_alarm), HANDLING },
	[PLF_CALL_CANCEL_ALARM] = { ALARMS(plf_cancel_alarm), HANDLING },
	[PLF_CALL_INCREMENT_COUNTER] = { COUNTERS(plf_increment_later), HANDLING },
	[PLF_CALL_DISABLE_ALL_INTERRUPTS] = { plf_disable_all, NOT_IN_CALLBACK },
	[PLF_CALL_ENABLE_ALL_INTERRUPTS] = { plf_enable_all, NOT_IN_CALLBACK },
	[PLF_CALL_SUSPEND_ALL_INTERRUPTS] = { plf_suspend_all, ANYWHERE },
	[PLF_CALL_RESUME_ALL_INTERRUPTS] = { plf_resume_all, ANYWHERE },
	[PLF_CALL_SUSPEND_OS_INTERRUPTS] = { plf_suspend_os, NOT_IN_CALLBACK },
	[PLF_CALL_RESUME_OS_INTERRUPTS] = { plf_resume_os, NOT_IN_CALLBACK },
	[PLF_CALL_GET_ACTIVE_APPLICATION_MODE] = { application_mode, INFORMING },
	[PLF_CALL_SHUTDOWN_OS] = { plf_shutdown_os, ENDING },
	CORES(TRUSTED)
	COUNTER_VALUES(OF_HANDLERS)
	SCHEDULE_TABLES(OF_HANDLERS)
#if PLF_APPLICATIONS
	[PLF_CALL_GET_APPLICATION_ID] = { plf_get_application_id, INSIDE },
	[PLF_CALL_CHECK_OBJECT_ACCESS] = { plf_check_object_access, CHECKING },
	[PLF_CALL_CHECK_OBJECT_OWNERSHIP] = { plf_check_object_ownership, CHECKING },
#endif
#if PLF_TERMINATION
	[PLF_CALL_TERMINATE_APPLICATION] = { PLF_ISRS ? plf_terminate_later : NULL,
					     PLF_ISRS ? ISR_ONLY : 0 },
	[PLF_CALL_GET_APPLICATION_STATE] = { plf_get_application_state, INSIDE },
	[PLF_CALL_ALLOW_ACCESS] = { plf_allow_access, HANDLING },
#endif
#if PLF_TRUSTED_FUNCTIONS
	/* A function calls none: they could do so in a circle, too. */
	[PLF_CALL_CALL_TRUSTED_FUNCTION] = { plf_call_trusted_function, ISR_ONLY },
	[PLF_CALL_GET_CURRENT_APPLICATION_ID] = { plf_get_current_application_id, INSIDE },
	[PLF_CALL_CHECK_TASK_MEMORY_ACCESS] = { plf_check_task_memory_access, CHECKING },
#endif
#if PLF_MESSAGES
	/* Callbacks send none: they could call each other in a circle, without a bound. */
	[PLF_CALL_SEND_MESSAGE] = { plf_send_message, SENDING },
	[PLF_CALL_RECEIVE_MESSAGE] = { plf_receive_message, HANDLING },
	[PLF_CALL_SEND_ZERO_MESSAGE] = { plf_send_zero_message, SENDING },
	[PLF_CALL_GET_MESSAGE_STATUS] = { plf_get_message_status, ASKING },
	[PLF_CALL_INIT_MESSAGE] = { plf_init_message, HANDLING },
	[PLF_CALL_GET_COM_APPLICATION_MODE] = { plf_get_com_application_mode, INFORMING },
#endif
};
/* clang-format on */

/*
 * How many bytes the stub will write, in user mode, to the address that it passes as the third
 * argument. The kernel never does: it answers in a register.
 */
static const uint8_t out_bytes[PLF_CALLS] = {
	[PLF_CALL_GET_TASK_ID] = sizeof(TaskType),
	[PLF_CALL_GET_TASK_STATE] = sizeof(TaskStateType),
	[PLF_CALL_GET_EVENT] = sizeof(EventMaskType),
	[PLF_CALL_GET_ALARM_BASE] = sizeof(AlarmBaseType),
	[PLF_CALL_GET_ALARM] = sizeof(TickType),
#if PLF_SERVERS
	[PLF_CALL_GET_BUDGET] = sizeof(uint64_t),
#endif
#if PLF_COUNTERS
	[PLF_CALL_GET_COUNTER_VALUE] = sizeof(TickType),
	[PLF_CALL_GET_ELAPSED_VALUE] = sizeof(TickType),
#endif
#if PLF_SCHEDULE_TABLES
	[PLF_CALL_GET_TABLE_STATUS] = sizeof(ScheduleTableStatusType),
#endif
#if PLF_TERMINATION
	[PLF_CALL_GET_APPLICATION_STATE] = sizeof(ApplicationStateType),
#endif
};

/* Those numbers are other services' where there is one core. */
static bool is_of_cores(uintptr_t number)
{
	return PLF_CPUS > 1 && number >= PLF_CALL_GET_CORE_ID &&
	       number <= PLF_CALL_SHUTDOWN_ALL_CORES;
}

/*
 * While a task, or a routine, holds interrupts back it may call only the services that end that
 * (AUTOSAR, SWS_Os_00093), those that ask for cores, and those that end the system. Calls that the
 * task does not make itself go through, too: the errors of resources in user code, and its missing
 * end.
 */
static bool is_refused_masked(uintptr_t number)
{
	switch (number) {
	case PLF_CALL_ERROR:
	case PLF_CALL_SHUTDOWN_OS:
	case PLF_CALL_MISSING_TERMINATE:
		return false;
	default:
		return (number < PLF_CALL_DISABLE_ALL_INTERRUPTS ||
			number > PLF_CALL_RESUME_OS_INTERRUPTS) &&
		       !is_of_cores(number);
	}
}

/* The errors that extended status finds before a service begins. */
static StatusType refusal(const struct plf_task *task, uintptr_t number, uintptr_t address)
{
	if (task->masked && is_refused_masked(number))
		return E_OS_DISABLEDINT;
	if (out_bytes[number] && !address)
		return E_OS_PARAM_POINTER;
	if (out_bytes[number] && !plf_port_may_write(task, address, out_bytes[number]))
		return E_OS_ILLEGAL_ADDRESS;
	return E_OK;
}

/* What the description allows a task: of other servers, and of other applications. */
static inline StatusType permission(struct plf_core *core, uintptr_t number, uintptr_t a,
				    uintptr_t b)
{
	StatusType status = plf_access(core, number, a);

	if (PLF_APPLICATIONS && status == E_OK)
		status = plf_access_of_application(core, number, a, b);
	return status;
}

/* Where something is to be done before or after every service. */
static struct plf_result guarded(uintptr_t a, uintptr_t b, uintptr_t c, struct plf_core *core,
				 uintptr_t number)
{
	struct plf_result result;

	plf_take_time(core);
	plf_on_entry(core);
	result = plf_status(PLF_EXTENDED_STATUS ? refusal(core->running, number, c) : E_OK);
	if ((PLF_SERVERS || PLF_APPLICATIONS) && result.status == E_OK)
		result = plf_status(permission(core, number, a, b));
	if (result.status == E_OK)
		result = services[number](a, b, c, core);
	plf_error_of_call(core, (StatusType)result.status, (unsigned)number, a, b, c);
	plf_leave_kernel(core);
	return result;
}

/* Where only the priority, or the clock, is to be read at every entry. */
static struct plf_result synchronised(uintptr_t a, uintptr_t b, uintptr_t c, struct plf_core *core,
				      uintptr_t number)
{
	plf_take_time(core);
	plf_on_entry(core);
	return services[number](a, b, c, core);
}

/* Where nothing is to be done but what servers and applications need. */
static struct plf_result served(uintptr_t a, uintptr_t b, uintptr_t c, struct plf_core *core,
				uintptr_t number)
{
	struct plf_result result = plf_status(permission(core, number, a, b));

	if (result.status == E_OK)
		result = synchronised(a, b, c, core, number);
	plf_leave_kernel(core);
	return result;
}

#define DOOR(number, service)                                                                      \
	[number] = PLF_EXTENDED_STATUS || PLF_ERROR_HOOK || PLF_COM_ERROR_HOOK                     \
			   ? (plf_door *)guarded                                                   \
		   : PLF_SERVERS || PLF_APPLICATIONS		 ? (plf_door *)served              \
		   : PLF_SYNCHRONISES_ON_ENTRY || PLF_TAKES_TIME ? (plf_door *)synchronised        \
								 : (plf_door *)(service),
plf_door *const plf_doors[PLF_CALLS] = { FOR_EACH_SERVICE(DOOR) };

struct plf_result plf_system_call(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t number)
{
	if (number >= PLF_CALLS)
		return plf_status(E_OS_SERVICEID);
	return guarded(a, b, c, plf_this_core(), number);
}

/* Of hooks of the system nothing is refused: they are no application's. */
static inline struct plf_result served_in_kernel(uintptr_t a, uintptr_t b, uintptr_t c,
						 struct plf_core *core, uintptr_t number)
{
	if (PLF_APPLICATIONS && (core->place & OF_APPLICATIONS || plf_is_application_hook(core))) {
		StatusType status = plf_access_of_application(core, number, a, b);

		if (status != E_OK)
			return plf_status(status);
	}
	return trusted[number].service(a, b, c, core);
}

/* The numbers come from os.h. What makes no sense in a place is refused in every status. */
struct plf_result plf_trusted_call(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t number)
{
	struct plf_core *core = plf_this_core();
	struct plf_result result = plf_status(E_OS_CALLEVEL);

	if (PLF_NESTING)
		plf_let_none_nest();
	if (plf_is_masked_routine(core) && is_refused_masked(number))
		result = plf_status(E_OS_DISABLEDINT);
	else if (trusted[number].places & core->place)
		result = served_in_kernel(a, b, c, core, number);
	plf_error_of_call(core, (StatusType)result.status, (unsigned)number, a, b, c);
	if (PLF_NESTING)
		plf_let_nest(core);
	return result;
}
