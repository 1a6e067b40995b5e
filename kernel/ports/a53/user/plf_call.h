/* SPDX-License-Identifier: MIT */
#ifndef PLF_CALL_H
#define PLF_CALL_H

/*
 * System calls of tasks: arguments in x0 to x2, the number in x4, the answer in x0 and x1. The
 * kernel clears x2 to x18, and keeps all other registers, including x30 and the flags.
 */
#include "os_calls.h"
#include "os_types.h"

#define PLF_CLEARED_BY_CALLS                                                                       \
	"x3", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16",       \
		"x17", "x18", "memory"

static inline struct plf_result plf_call0(unsigned number)
{
	register uintptr_t x4 __asm__("x4") = number;
	register uintptr_t x0 __asm__("x0");
	register uintptr_t x1 __asm__("x1");

	__asm__ volatile("svc #0" : "=r"(x0), "=r"(x1), "+r"(x4)::"x2", PLF_CLEARED_BY_CALLS);
	return (struct plf_result) { x0, x1 };
}

static inline struct plf_result plf_call1(unsigned number, uintptr_t a)
{
	register uintptr_t x4 __asm__("x4") = number;
	register uintptr_t x0 __asm__("x0") = a;
	register uintptr_t x1 __asm__("x1");

	__asm__ volatile("svc #0" : "+r"(x0), "=r"(x1), "+r"(x4)::"x2", PLF_CLEARED_BY_CALLS);
	return (struct plf_result) { x0, x1 };
}

static inline struct plf_result plf_call2(unsigned number, uintptr_t a, uintptr_t b)
{
	register uintptr_t x4 __asm__("x4") = number;
	register uintptr_t x0 __asm__("x0") = a;
	register uintptr_t x1 __asm__("x1") = b;

	__asm__ volatile("svc #0" : "+r"(x0), "+r"(x1), "+r"(x4)::"x2", PLF_CLEARED_BY_CALLS);
	return (struct plf_result) { x0, x1 };
}

static inline struct plf_result plf_call3(unsigned number, uintptr_t a, uintptr_t b, uintptr_t c)
{
	register uintptr_t x4 __asm__("x4") = number;
	register uintptr_t x0 __asm__("x0") = a;
	register uintptr_t x1 __asm__("x1") = b;
	register uintptr_t x2 __asm__("x2") = c;

	__asm__ volatile("svc #0"
			 : "+r"(x0), "+r"(x1), "+r"(x2), "+r"(x4)
			 :
			 : PLF_CLEARED_BY_CALLS);
	return (struct plf_result) { x0, x1 };
}

#endif
