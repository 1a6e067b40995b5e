/* SPDX-License-Identifier: MIT */
#ifndef PLF_CALL_H
#define PLF_CALL_H

/* How hooks and interrupt handlers, which run in the kernel's mode, call services. */
#include "os_calls.h"
#include "os_types.h"

struct plf_result plf_trusted_call(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t number);

static inline struct plf_result plf_call0(unsigned number)
{
	return plf_trusted_call(0, 0, 0, number);
}

static inline struct plf_result plf_call1(unsigned number, uintptr_t a)
{
	return plf_trusted_call(a, 0, 0, number);
}

static inline struct plf_result plf_call2(unsigned number, uintptr_t a, uintptr_t b)
{
	return plf_trusted_call(a, b, 0, number);
}

static inline struct plf_result plf_call3(unsigned number, uintptr_t a, uintptr_t b, uintptr_t c)
{
	return plf_trusted_call(a, b, c, number);
}

#endif
