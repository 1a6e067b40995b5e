/* SPDX-License-Identifier: MIT */
#ifndef PLF_CALL_DOOR_H
#define PLF_CALL_DOOR_H

/*
 * Calls of services through a function. The including plf_call.h must define its name as PLF_DOOR.
 */
#include "os_calls.h"
#include "os_types.h"

struct plf_result PLF_DOOR(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t number);

static inline struct plf_result plf_call0(unsigned number)
{
	return PLF_DOOR(0, 0, 0, number);
}

static inline struct plf_result plf_call1(unsigned number, uintptr_t a)
{
	return PLF_DOOR(a, 0, 0, number);
}

static inline struct plf_result plf_call2(unsigned number, uintptr_t a, uintptr_t b)
{
	return PLF_DOOR(a, b, 0, number);
}

static inline struct plf_result plf_call3(unsigned number, uintptr_t a, uintptr_t b, uintptr_t c)
{
	return PLF_DOOR(a, b, c, number);
}

#endif
