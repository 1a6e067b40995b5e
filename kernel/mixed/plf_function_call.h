/* SPDX-License-Identifier: MIT */
#ifndef PLF_MIXED_FUNCTION_CALL_H
#define PLF_MIXED_FUNCTION_CALL_H

/* Calls of protected functions from a mixed file: see plf_call.h in this folder. */
#include "plf_call.h"

#define plf_call_function plf_call_function_of_task
#include "user/plf_function_call.h"
#undef plf_call_function

static inline struct plf_result plf_call_function(uintptr_t function, uintptr_t a, uintptr_t b,
						  uintptr_t c, uintptr_t d)
{
	if (plf_is_in_kernel())
		return plf_call1(PLF_CALL_CALL_NON_TRUSTED_FUNCTION, function);
	return plf_call_function_of_task(function, a, b, c, d);
}

#endif
