/* SPDX-License-Identifier: MIT */
/*
 * OS-Applications: AUTOSAR OS 4.x, Sections 7.6 and 8.4. The description defines the owner of an
 * object and the other applications that may use it. So each check is a single access to constants.
 *
 * Tasks, interrupt routines (SWS_Os_00056), trusted functions (SWS_Os_00266) and application hooks
 * have rights. The system's hooks may use everything. Alarms and schedule tables need no check,
 * because the description was checked for their actions. A task in a protected function has the
 * callee's rights.
 */
#include "application.h"
#include "application_hooks.h"
#include "function.h"
#include "routine.h"
#include "service.h"

/* NULL: there is no such object. */
static const struct plf_object_config *find(uintptr_t kind, uintptr_t number)
{
	if (kind >= PLF_OBJECT_KINDS || number >= plf_object_kinds[kind].count)
		return NULL;
	return &plf_object_kinds[kind].objects[number];
}

/* Return the application of the hook, routine or task that runs, without its called functions. */
static ApplicationType caller_on(const struct plf_core *core)
{
	if (PLF_APPLICATION_HOOKS && plf_is_application_hook(core))
		return plf_application_of_hook(core);
	if (PLF_ROUTINES_ARE_KNOWN && plf_running_routine(core) != INVALID_ISR)
		return find(OBJECT_ISR, plf_running_routine(core))->application;
	return core->running ? find(OBJECT_TASK, core->running->index)->application
			     : INVALID_OSAPPLICATION;
}

/* Return whether caller_on() is the task's application. */
static bool is_task_asking(const struct plf_core *core)
{
	return core->running && !(PLF_APPLICATION_HOOKS && plf_is_application_hook(core)) &&
	       !(PLF_ROUTINES_ARE_KNOWN && plf_running_routine(core) != INVALID_ISR);
}

ApplicationType plf_application_of(const struct plf_core *core)
{
	if (PLF_TRUSTED_FUNCTIONS && plf_provider_on(core) != INVALID_OSAPPLICATION &&
	    !plf_is_application_hook(core))
		return plf_provider_on(core);
	if (PLF_PROTECTED_FUNCTIONS && is_task_asking(core))
		return plf_callee_on(core);
	return caller_on(core);
}

/* By service: 1 + the kind of object that its first parameter names; 0: none. */
#define SERVICE(number, of_tasks, of_trusted, places, bytes, kind) [PLF_CALL_##number] = (kind),
static const uint8_t kinds[PLF_CALLS] = {
#include "services.h"
};

/* Only this service names two objects. They are of the same kind. */
static bool names_two(uintptr_t number)
{
	return PLF_SCHEDULE_TABLES && number == PLF_CALL_NEXT_TABLE;
}

/* Check the description's rights and the state of the object's application (SWS_Os_00509). */
static bool may_use(const struct plf_object_config *object, ApplicationType by)
{
	return object->access >> by & 1 && plf_is_open_to(object->application, by);
}

StatusType plf_access_of_application(const struct plf_core *core, uintptr_t number, uintptr_t a,
				     uintptr_t b)
{
	ApplicationType by = plf_application_of(core);
	const struct plf_object_config *first, *second;

	if (kinds[number] == 0)
		return E_OK;
	first = find(kinds[number] - 1U, a);
	second = names_two(number) ? find(kinds[number] - 1U, b) : first;
	if (!first || !second)
		return E_OK;
	return may_use(first, by) && may_use(second, by) ? E_OK : E_OS_ACCESS;
}

struct plf_result plf_get_application_id(uintptr_t a, uintptr_t b, uintptr_t c,
					 struct plf_core *core)
{
	return plf_value(caller_on(core));
}

struct plf_result plf_get_current_application_id(uintptr_t a, uintptr_t b, uintptr_t c,
						 struct plf_core *core)
{
	return plf_value(plf_application_of(core));
}

struct plf_result plf_check_object_access(uintptr_t application, uintptr_t kind, uintptr_t number,
					  struct plf_core *core)
{
	const struct plf_object_config *object = find(kind, number);

	if (!object || application >= PLF_APPLICATIONS)
		return plf_value(NO_ACCESS);
	return plf_value((uint64_t)object->access >> application & 1 ? ACCESS : NO_ACCESS);
}

struct plf_result plf_check_object_ownership(uintptr_t kind, uintptr_t number, uintptr_t c,
					     struct plf_core *core)
{
	const struct plf_object_config *object = find(kind, number);

	return plf_value(object ? object->application : INVALID_OSAPPLICATION);
}
