/* SPDX-License-Identifier: MIT */
#ifndef PLF_MODE_OF_PORT_H
#define PLF_MODE_OF_PORT_H

/*
 * For files that run in both modes. User mode cannot ask for its exception level, but the stack
 * says it: those of the kernel are its data, which lies above those of all tasks (link.ld.j2). A
 * task that points there itself calls the kernel in user mode, and that is a fault.
 */
#include <stdbool.h>
#include <stdint.h>

extern char plf_kernel_data[]; /* of link.ld */

static inline bool plf_is_in_kernel(void)
{
	uintptr_t stack;

	__asm__("mov %0, sp" : "=r"(stack));
	return stack > (uintptr_t)plf_kernel_data; /* where an empty stack of the last task ends */
}

#endif
