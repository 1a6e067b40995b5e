/* SPDX-License-Identifier: MIT */
#ifndef PLF_CALL_H
#define PLF_CALL_H

/* In place of a system call, the model enters the kernel. */
#include "marks.h"
#include "os_types.h"

static inline struct plf_result plf_call2(unsigned number, uintptr_t a, uintptr_t b)
{
	CALL(MARK_LOWER, number, a | b << 32);
	return (struct plf_result) { .status = E_OK, .value = a }; /* the answer to AWAIT_BUDGET */
}

static inline struct plf_result plf_call0(unsigned number)
{
	return plf_call2(number, 0, 0);
}

static inline struct plf_result plf_call1(unsigned number, uintptr_t a)
{
	return plf_call2(number, a, 0);
}

static inline struct plf_result plf_call3(unsigned number, uintptr_t a, uintptr_t b, uintptr_t c)
{
	(void)c;
	return plf_call2(number, a, b);
}

#endif
