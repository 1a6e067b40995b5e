/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_FOUL_H
#define PLF_TEST_FOUL_H

/*
 * Foul players, on boards that protect memory: the notes of ProtectionHook in foul_trusted.c, and
 * addresses that a task may not access. The image continues after a task is killed.
 */
#include "check.h"

extern volatile uint32_t faults;
extern volatile StatusType fault;

/* From the kernel, and from link.ld. */
extern char plf_tasks[], plf_cores[], plf_tables[], plf_isr_config[];
extern char plf_stack_low_FOUL[], plf_stack_high_FOUL[];
extern char plf_stack_low_VICTIM[], plf_stack_high_VICTIM[];
struct plf_result plf_system_call(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t number);

/* A pointer of which the compiler knows no target. */
static inline char *wild(const volatile void *address)
{
	char *pointer = (char *)(uintptr_t)address;

	__asm__ volatile("" : "+r"(pointer));
	return pointer;
}

#endif
