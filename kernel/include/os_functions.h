/* SPDX-License-Identifier: MIT */
#ifndef PLF_OS_FUNCTIONS_H
#define PLF_OS_FUNCTIONS_H

/*
 * Protected functions, an extension of AUTOSAR's OS-Applications: kernel/function.h. For
 * [application.X.function.F], a file of X must define
 * 	uint64_t FUNCTION_F(uint64_t a, uint64_t b, uint64_t c, uint64_t d);
 * os_applications.h includes this file.
 */
#include "plf_function_call.h"

/*
 * Calls the function in the running task, at the task's priority and on its time. The function runs
 * in user mode, with only its application's memory and rights, on a separate stack.
 *
 * E_OS_SERVICEID: no function has this index. E_OS_ACCESS: the caller's application may not call
 * it. E_OS_DISABLEDINT: the caller holds interrupts back. If ProtectionHook answered PRO_RETURN to
 * a fault of the function, the status is the fault's. `value` is stored only with E_OK.
 */
static inline StatusType plf_call_typed(FunctionIndexType function, uint64_t a, uint64_t b,
					uint64_t c, uint64_t d, uint64_t *value)
{
	struct plf_result result = plf_call_function(function, a, b, c, d);

	if (result.status == E_OK)
		*value = result.value;
	return (StatusType)result.status;
}

/* The general form for any function: four words go in. */
static inline StatusType CallNonTrustedFunction(FunctionIndexType function,
						const uint64_t arguments[4], uint64_t *value)
{
	return plf_call_typed(function, arguments[0], arguments[1], arguments[2], arguments[3],
			      value);
}

#endif
