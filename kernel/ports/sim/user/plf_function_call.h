/* SPDX-License-Identifier: MIT */
#ifndef PLF_FUNCTION_CALL_H
#define PLF_FUNCTION_CALL_H

/* Calls of protected functions: in processor.c. */
#include "os_types.h"

struct plf_result plf_call_function(uintptr_t function, uintptr_t a, uintptr_t b, uintptr_t c,
				    uintptr_t d);

#endif
