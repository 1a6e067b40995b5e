/* SPDX-License-Identifier: MIT */
#ifndef PLF_OS_APPLICATIONS_H
#define PLF_OS_APPLICATIONS_H

/*
 * OS-Applications of AUTOSAR OS 4.x, Section 8.4. Each object belongs to an application, and the
 * description lists the others that may use it. For any other application's tasks and handlers, a
 * service that names the object returns E_OS_ACCESS in both kinds of status. This error comes after
 * E_OS_ID, and before all errors that depend on the object's state.
 *
 * os.h includes this file and explains its marks. If a service is not allowed, it answers as for a
 * missing object: INVALID_OSAPPLICATION, or NO_ACCESS.
 */
#include "os.h"

#define DeclareApplication(name) extern int plf_is_declared

/*
 * Data that only the tasks of an application can reach, for a variable in a file that is not the
 * application's. Data in the files of its `sources` need no such mark.
 */
#define APPLICATION_DATA(name) __attribute__((section(".plf_application." #name)))

static inline ApplicationType plf_application(struct plf_result result)
{
	return result.status == E_OK ? (ApplicationType)result.value : INVALID_OSAPPLICATION;
}

/*
 * Returns the application of the task, handler or hook that calls this. In a hook of the system, it
 * is the application of the code that the hook interrupted. INVALID_OSAPPLICATION: no such code
 * runs.
 */
static inline ApplicationType GetApplicationID(void)
{
	return plf_application(plf_call0(PLF_CALL_GET_APPLICATION_ID));
}

/* Without functions, the current application is the caller's. */
#if PLF_TRUSTED_FUNCTIONS || PLF_PROTECTED_FUNCTIONS
#define PLF_CALL_OF_CURRENT PLF_CALL_GET_CURRENT_APPLICATION_ID
#else
#define PLF_CALL_OF_CURRENT		    PLF_CALL_GET_APPLICATION_ID
#define OSServiceId_GetCurrentApplicationID PLF_CALL_GET_APPLICATION_ID
#endif

/* In a function: the application that offers the function. Elsewhere as GetApplicationID(). */
static inline ApplicationType GetCurrentApplicationID(void)
{
	return plf_application(plf_call0(PLF_CALL_OF_CURRENT));
}

/* ACCESS: the application may use that object. NO_ACCESS: it may not, or either does not exist. */
static inline ObjectAccessType CheckObjectAccess(ApplicationType application, ObjectTypeType kind,
						 uintptr_t object)
{
	return (ObjectAccessType)plf_call3(PLF_CALL_CHECK_OBJECT_ACCESS, application, kind, object)
		.value;
}

/* INVALID_OSAPPLICATION: there is no such object, or it belongs to no application. */
static inline ApplicationType CheckObjectOwnership(ObjectTypeType kind, uintptr_t object)
{
	return plf_application(plf_call2(PLF_CALL_CHECK_OBJECT_OWNERSHIP, kind, object));
}

#if PLF_TERMINATION
/*
 * Ends all activations of the application's tasks, with the sections that they hold. Cancels its
 * alarms, stops its schedule tables, and disables its interrupts until AllowAccess(). RESTART: its
 * state is APPLICATION_RESTARTING, and the task of `restart` is activated. NO_RESTART: it is
 * APPLICATION_TERMINATED. In both states, others get E_OS_ACCESS for its objects. Does not return
 * to a task or handler of that application.
 *
 * E_OS_ID. E_OS_VALUE: another option, or RESTART without such a task. E_OS_ACCESS: the caller
 * belongs to another application that is not trusted. E_OS_CORE: it is on another core. E_OS_STATE:
 * it is terminated. E_OS_STATE also if it is restarting and the caller belongs to another
 * application or asks for RESTART. For tasks and handlers.
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

/* Makes the caller's application accessible again. E_OS_STATE: it was not restarting. */
static inline StatusType AllowAccess(void)
{
	return (StatusType)plf_call0(PLF_CALL_ALLOW_ACCESS).status;
}
#endif

#if PLF_TRUSTED_FUNCTIONS
/*
 * Calls TRUSTED_NAME(NAME, parameters) of a trusted file in the kernel's mode, with the rights of
 * the application that offers it. Interrupts of category 2 are held back. The kernel does not check
 * the parameters, so the function must, with CheckTaskMemoryAccess().
 *
 * E_OS_SERVICEID: no function has this index. E_OS_ACCESS: that application is on other cores, or
 * terminated, or restarting and not the caller's. For tasks and handlers.
 */
static inline StatusType CallTrustedFunction(TrustedFunctionIndexType function,
					     TrustedFunctionParameterRefType parameters)
{
	return (StatusType)plf_call2(PLF_CALL_CALL_TRUSTED_FUNCTION, function,
				     (uintptr_t)parameters)
		.status;
}

/*
 * Returns the access that a task has by itself to all of these bytes. No access: no such task, no
 * byte, or bytes beyond the last address.
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
