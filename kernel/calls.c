/* SPDX-License-Identifier: MIT */
/* The entries of the services: for tasks, and for hooks and interrupt handlers. */
#include "application_hooks.h"
#include "function.h"
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

/* For a system without alarms and counters, because no such object exists. */
static struct plf_result no_object(uintptr_t a, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	return plf_status(E_OS_ID);
}

/* For a system without events, because all its tasks are basic tasks. */
static struct plf_result no_events(uintptr_t a, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	return plf_status(E_OS_ACCESS);
}

/* The same for a service that names a task, which must exist. */
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

/* User code reports an error in a service that it executes itself. The kernel cannot verify it. */
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

/* A task that returns without TerminateTask() is ended too (AUTOSAR, SWS_Os_00052). */
static struct plf_result missing_terminate(uintptr_t a, uintptr_t b, uintptr_t c,
					   struct plf_core *core)
{
	plf_error(core, E_OS_MISSINGEND, PLF_CALL_TERMINATE_TASK);
	plf_end_activation(core);
	plf_dispatch(core);
	return plf_status(E_OK);
}

#define SERVICE(number, of_tasks, ...) [PLF_CALL_##number] = (of_tasks),
static plf_service *const services[PLF_CALLS] = {
#include "services.h"
};

/* The places in which trusted code may call a group of services: OSEK 2.2.3, Section 12.3. */
enum {
	ISR_ONLY = PLF_IN_ISR,
	IN_FUNCTION = PLF_TRUSTED_FUNCTIONS ? PLF_IN_TRUSTED_FUNCTION : 0,
	/*
	 * Callbacks of messages (OSEK COM 3.0.3) and trusted functions may call the services that
	 * both tasks and handlers may call.
	 */
	HANDLING = PLF_IN_ISR | (PLF_MESSAGES ? PLF_IN_COM_CALLBACK : 0) | IN_FUNCTION,
	SENDING = PLF_IN_ISR | IN_FUNCTION,
	OF_APPLICATIONS = PLF_IN_ISR | IN_FUNCTION, /* code that has the rights of an application */
	ASKING = HANDLING | PLF_IN_ERROR_HOOK | PLF_IN_PRETASK_HOOK | PLF_IN_POSTTASK_HOOK |
		 PLF_IN_PROTECTION_HOOK,
	ENDING = HANDLING | PLF_IN_ERROR_HOOK | PLF_IN_STARTUP_HOOK,
	ANYWHERE = 0xffff,
	NOT_IN_CALLBACK = ANYWHERE & ~PLF_IN_CALLBACK,
	INFORMING = NOT_IN_CALLBACK & ~PLF_IN_CATEGORY_1,
	INSIDE = ASKING | PLF_IN_STARTUP_HOOK | PLF_IN_SHUTDOWN_HOOK,
	CHECKING = HANDLING | PLF_IN_ERROR_HOOK | PLF_IN_PROTECTION_HOOK,
};

#define SERVICE(number, of_tasks, of_trusted, places, ...)                                         \
	[PLF_CALL_##number] = { of_trusted, places },
static const struct {
	plf_service *service;
	unsigned places;
} trusted[PLF_CALLS] = {
#include "services.h"
};

/*
 * The number of bytes that the stub writes, in user mode, to the address that it passes as the
 * third argument. The kernel never writes there, because it returns its result in a register.
 */
#define SERVICE(number, of_tasks, of_trusted, places, bytes, ...) [PLF_CALL_##number] = (bytes),
static const uint8_t out_bytes[PLF_CALLS] = {
#include "services.h"
};

/* An image with a single core has no such services, so it needs no code for them. */
static bool is_of_cores(uintptr_t number)
{
	return PLF_CPUS > 1 && number >= PLF_CALL_GET_CORE_ID &&
	       number <= PLF_CALL_SHUTDOWN_ALL_CORES;
}

/*
 * While a task or routine holds interrupts back, it may call only three groups of services. They
 * end the masking (AUTOSAR, SWS_Os_00093), ask for cores, or end the system. Calls that the task
 * does not make itself also pass: errors of resources in user code, and the task's missing end.
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

/* Errors that extended status detects before a service begins. */
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

/* Check the description's rights: for other servers, and for other applications. */
static inline StatusType permission(struct plf_core *core, uintptr_t number, uintptr_t a,
				    uintptr_t b)
{
	StatusType status = plf_access(core, number, a);

	if (PLF_PROTECTED_FUNCTIONS && status == E_OK && plf_is_refused_inside(core, number))
		return E_OS_CALLEVEL;
	if (PLF_APPLICATIONS && status == E_OK)
		status = plf_access_of_application(core, number, a, b);
	return status;
}

/* For images in which something must be done before or after every service. */
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

/* For images in which every entry must only read the priority or the clock. */
static struct plf_result synchronised(uintptr_t a, uintptr_t b, uintptr_t c, struct plf_core *core,
				      uintptr_t number)
{
	plf_take_time(core);
	plf_on_entry(core);
	return services[number](a, b, c, core);
}

/* For images in which only servers and applications need something. */
static struct plf_result served(uintptr_t a, uintptr_t b, uintptr_t c, struct plf_core *core,
				uintptr_t number)
{
	struct plf_result result = plf_status(permission(core, number, a, b));

	if (result.status == E_OK)
		result = synchronised(a, b, c, core, number);
	plf_leave_kernel(core);
	return result;
}

#define SERVICE(number, of_tasks, ...)                                                             \
	[PLF_CALL_##number] =                                                                      \
		PLF_EXTENDED_STATUS || PLF_ERROR_HOOK || PLF_COM_ERROR_HOOK ? (plf_door *)guarded  \
		: PLF_SERVERS || PLF_APPLICATIONS			    ? (plf_door *)served   \
		: PLF_SYNCHRONISES_ON_ENTRY || PLF_TAKES_TIME ? (plf_door *)synchronised           \
							      : (plf_door *)(of_tasks),
plf_door *const plf_doors[PLF_CALLS] = {
#include "services.h"
};

struct plf_result plf_system_call(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t number)
{
	if (number >= PLF_CALLS)
		return plf_status(E_OS_SERVICEID);
	return guarded(a, b, c, plf_this_core(), number);
}

/* Hooks of the system may call everything, because they belong to no application. */
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

/*
 * The numbers come from os.h. A service that makes no sense in a place is refused in every status.
 */
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
