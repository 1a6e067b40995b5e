/* SPDX-License-Identifier: MIT */
#ifndef PLF_FUNCTION_CALL_H
#define PLF_FUNCTION_CALL_H

/*
 * Hooks and handlers cannot call protected functions, because they have no domain: E_OS_CALLEVEL.
 */
#include "plf_call.h"

static inline struct plf_result plf_call_function(uintptr_t function, uintptr_t a, uintptr_t b,
						  uintptr_t c, uintptr_t d)
{
	(void)a, (void)b, (void)c, (void)d;
	return plf_call1(PLF_CALL_CALL_NON_TRUSTED_FUNCTION, function);
}

#endif
