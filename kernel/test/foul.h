/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_FOUL_H
#define PLF_TEST_FOUL_H

/*
 * Foul players, on boards that protect: what ProtectionHook of foul_trusted.c noted, and
 * addresses that are none of theirs. A killed task's image goes on.
 */
#include "check.h"

extern volatile uint32_t faults;
extern volatile StatusType fault;

/* Of the kernel, and of link.ld. */
extern char plf_tasks[], plf_cores[], plf_tables[], plf_isr_config[];
extern char plf_stack_low_FOUL[], plf_stack_high_FOUL[];
extern char plf_stack_low_VICTIM[], plf_stack_high_VICTIM[];
struct plf_result plf_system_call(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t number);

/* The compiler knows nothing about where it points. */
static inline char *wild(const volatile void *address)
{
	char *pointer = (char *)(uintptr_t)address;

	__asm__ volatile("" : "+r"(pointer));
	return pointer;
}

#endif
