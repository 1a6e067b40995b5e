/* SPDX-License-Identifier: MIT */
#ifndef PLF_CALL_H
#define PLF_CALL_H

/* How tasks call services: by the door of the simulated processor. */
#include "os_calls.h"
#include "os_types.h"
#include "plf_door.h"

static inline struct plf_result plf_call0(unsigned number)
{
	return plf_user_call(0, 0, 0, number);
}

static inline struct plf_result plf_call1(unsigned number, uintptr_t a)
{
	return plf_user_call(a, 0, 0, number);
}

static inline struct plf_result plf_call2(unsigned number, uintptr_t a, uintptr_t b)
{
	return plf_user_call(a, b, 0, number);
}

static inline struct plf_result plf_call3(unsigned number, uintptr_t a, uintptr_t b, uintptr_t c)
{
	return plf_user_call(a, b, c, number);
}

#endif
