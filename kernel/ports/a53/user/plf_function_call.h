/* SPDX-License-Identifier: MIT */
#ifndef PLF_FUNCTION_CALL_H
#define PLF_FUNCTION_CALL_H

/*
 * Calls of protected functions: arguments in x0 to x3, the function in x4, after the numbers of
 * services, and the answer in x0 and x1. After the call all other registers and the flags are zero,
 * so the compiler must keep the registers that it needs on the stack. A function with a frame
 * pointer cannot declare x29 as changed. So x29 and x30 are pushed here, in `room`, which the
 * compiler counts.
 */
#include "os_calls.h"
#include "os_types.h"

static inline struct plf_result plf_call_function(uintptr_t function, uintptr_t a, uintptr_t b,
						  uintptr_t c, uintptr_t d)
{
	register uintptr_t x0 __asm__("x0") = a;
	register uintptr_t x1 __asm__("x1") = b;
	register uintptr_t x2 __asm__("x2") = c;
	register uintptr_t x3 __asm__("x3") = d;
	register uintptr_t x4 __asm__("x4") = PLF_CALLS + 1 + function;
	uintptr_t room[2];

	__asm__ volatile("stp x29, x30, [sp, #-16]!\n\t"
			 "svc #0\n\t"
			 "ldp x29, x30, [sp], #16"
			 : "+r"(x0), "+r"(x1), "+r"(x2), "+r"(x3), "+r"(x4), "=m"(room)
			 :
			 : "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15",
			   "x16", "x17", "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25",
			   "x26", "x27", "x28", "cc", "memory");
	return (struct plf_result) { x0, x1 };
}

#endif
