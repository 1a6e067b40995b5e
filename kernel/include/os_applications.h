/* SPDX-License-Identifier: MIT */
#ifndef PLF_OS_APPLICATIONS_H
#define PLF_OS_APPLICATIONS_H

/*
 * OS-Applications of AUTOSAR OS 4.x, Section 8.4: each object is one's, and the description says
 * which others may use it. A service that names an object gives E_OS_ACCESS to the tasks and the
 * handlers of all others, in both kinds of status: behind E_OS_ID, and before all that depends on
 * the state of the object.
 *
 * Included by os.h, whose marks stand here, too. Where a service is not allowed, the answer is that
 * of an object that is not there: INVALID_OSAPPLICATION, or NO_ACCESS.
 */
#include "os.h"

#define DeclareApplication(name) extern int plf_is_declared

/*
 * Data of one application, which its tasks can reach and no others: a variable of a file that is
 * not the application's own. All data of those of its `sources` are so without it.
 */
#define APPLICATION_DATA(name) __attribute__((section(".plf_application." #name)))

static inline ApplicationType plf_application(struct plf_result result)
{
	return result.status == E_OK ? (ApplicationType)result.value : INVALID_OSAPPLICATION;
}

/*
 * That of the task, the handler or the hook that executes this, or that the system's hook
 * interrupted which does; INVALID_OSAPPLICATION: none runs.
 */
static inline ApplicationType GetApplicationID(void)
{
	return plf_application(plf_call0(PLF_CALL_GET_APPLICATION_ID));
}

/* Without functions the current application is that of the caller. */
#if PLF_TRUSTED_FUNCTIONS || PLF_PROTECTED_FUNCTIONS
#define PLF_CALL_OF_CURRENT PLF_CALL_GET_CURRENT_APPLICATION_ID
#else
#define PLF_CALL_OF_CURRENT		    PLF_CALL_GET_APPLICATION_ID
#define OSServiceId_GetCurrentApplicationID PLF_CALL_GET_APPLICATION_ID
#endif

/* In a function the application that offers it; elsewhere the same. */
static inline ApplicationType GetCurrentApplicationID(void)
{
	return plf_application(plf_call0(PLF_CALL_OF_CURRENT));
}

/* ACCESS: it may use the object of that kind and number; NO_ACCESS: or one of them is not there. */
static inline ObjectAccessType CheckObjectAccess(ApplicationType application, ObjectTypeType kind,
						 uintptr_t object)
{
	return (ObjectAccessType)plf_call3(PLF_CALL_CHECK_OBJECT_ACCESS, application, kind, object)
		.value;
}

/* INVALID_OSAPPLICATION: there is no such object, or it is none's. */
static inline ApplicationType CheckObjectOwnership(ObjectTypeType kind, uintptr_t object)
{
	return plf_application(plf_call2(PLF_CALL_CHECK_OBJECT_OWNERSHIP, kind, object));
}

#if PLF_TERMINATION
/*
 * Ends all activations of its tasks, with what they hold, cancels its alarms, stops its schedule
 * tables, and lets none of its interrupts come until AllowAccess(). With RESTART it is
 * APPLICATION_RESTARTING, and the task of `restart` is activated; with NO_RESTART it is
 * APPLICATION_TERMINATED. To others its objects are E_OS_ACCESS in both. Does not return to a task
 * of that application, nor to a handler of it.
 *
 * E_OS_ID; E_OS_VALUE: another option, or RESTART of one without such a task; E_OS_ACCESS: the
 * caller's is neither that one nor trusted; E_OS_CORE: it is on another core; E_OS_STATE: it is
 * terminated, or restarting and the caller is another one's, or asks for RESTART. For tasks
 * and handlers.
 */
static inline StatusType TerminateApplication(ApplicationType application, RestartType option)
{
	return (StatusType)plf_call2(PLF_CALL_TERMINATE_APPLICATION, application, option).status;
}

/* E_OS_ID; E_OS_PARAM_POINTER, E_OS_ILLEGAL_ADDRESS [x]. */
static inline StatusType GetApplicationState(ApplicationType application,
					     ApplicationStateRefType state)
{
	struct plf_result result =
		plf_call3(PLF_CALL_GET_APPLICATION_STATE, application, 0, (uintptr_t)state);

	PLF_STORE(result, state);
	return (StatusType)result.status;
}

/* The caller's application is accessible again. E_OS_STATE: it was not restarting. */
static inline StatusType AllowAccess(void)
{
	return (StatusType)plf_call0(PLF_CALL_ALLOW_ACCESS).status;
}
#endif

#if PLF_TRUSTED_FUNCTIONS
/*
 * Calls TRUSTED_NAME(NAME, parameters) of a trusted file, in the kernel's mode, with interrupts of
 * category 2 held back, and with the rights of the application that offers it. The kernel does not
 * look at the parameters: the function has to, by CheckTaskMemoryAccess().
 *
 * E_OS_SERVICEID: no function has this index; E_OS_ACCESS: that application is on other cores, or
 * is terminated, or restarting and not the caller's. For tasks and handlers.
 */
static inline StatusType CallTrustedFunction(TrustedFunctionIndexType function,
					     TrustedFunctionParameterRefType parameters)
{
	return (StatusType)plf_call2(PLF_CALL_CALL_TRUSTED_FUNCTION, function,
				     (uintptr_t)parameters)
		.status;
}

/*
 * What a task may do with all of these bytes by itself. Nothing: there is no such task, no byte, or
 * some are beyond the last address.
 */
static inline AccessType CheckTaskMemoryAccess(TaskType task, MemoryStartAddressType address,
					       MemorySizeType size)
{
	return (AccessType)plf_call3(PLF_CALL_CHECK_TASK_MEMORY_ACCESS, task, (uintptr_t)address,
				     size)
		.value;
}

#define OSMEMORY_IS_READABLE(access)   (!!((access)&PLF_IS_READABLE))
#define OSMEMORY_IS_WRITEABLE(access)  (!!((access)&PLF_IS_WRITEABLE))
#define OSMEMORY_IS_EXECUTABLE(access) (!!((access)&PLF_IS_EXECUTABLE))
#define OSMEMORY_IS_STACKSPACE(access) (!!((access)&PLF_IS_STACKSPACE))
#endif

#if PLF_PROTECTED_FUNCTIONS
#include "os_functions.h"
#endif

#endif
